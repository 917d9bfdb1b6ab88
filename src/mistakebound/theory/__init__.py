"""Exact theory of finite classes: one measure a file."""
