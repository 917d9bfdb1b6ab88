"""Decision trees: grown, pruned, read as rules, drawn."""
