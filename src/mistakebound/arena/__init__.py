"""Where learners and teachers meet: the only place that goes back and forth between them."""
