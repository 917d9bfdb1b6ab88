"""`python -m mistakebound` is the command line."""

import sys

from mistakebound.cli import main

sys.exit(main())
