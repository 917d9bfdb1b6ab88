"""`python -m mistakebound` is the command line."""

from mistakebound.cli import process

process()
