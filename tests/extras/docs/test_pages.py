"""The commands of pages that need an extra, run as they stand."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import pytest

from pages import follow
from test_pages import EXTRAS


@pytest.mark.parametrize("page", sorted(EXTRAS))
def test_commands_print_what_the_page_says(page: str, tmp_path: Path) -> None:
    try:
        follow(page, tmp_path)
    finally:
        with contextlib.suppress(OSError):  # the server, if a command failed before the one that ends it
            os.kill(int((tmp_path / "serve.pid").read_text()), signal.SIGTERM)
