"""What is done with a whole stream: passes over it, rows held out, training that can be stopped, rules that explain."""
