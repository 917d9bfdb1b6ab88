"""Who shows instances and knows labels."""
