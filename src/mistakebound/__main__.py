"""`python -m mistakebound` is the command line."""

try:
    from mistakebound.cli import process
except KeyboardInterrupt:  # before there is anybody to say so
    raise SystemExit(130) from None

if __name__ == "__main__":  # and not a process that a local cluster starts
    process()
