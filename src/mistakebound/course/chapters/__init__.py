"""The exercises, a file per chapter."""
