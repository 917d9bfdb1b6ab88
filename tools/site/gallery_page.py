"""Pictures that the code on a page makes, while the site is built: each block that sets `picture` or writes one."""

from __future__ import annotations

import base64
import contextlib
import doctest
import io
import os
import re
import tempfile
from pathlib import Path
from typing import Any

_BLOCK = re.compile(r"```python\n(.*?)\n```\n(?:\n?<!-- picture: (.*?) -->\n)?", re.DOTALL)


def with_pictures(markdown: str) -> str:
    """The page with each picture below the block that made it; its comment `picture: WORDS` has the words for it."""
    names: dict[str, Any] = {}

    def shown(found: re.Match[str]) -> str:
        block, words = found.groups()
        for example in doctest.DocTestParser().get_examples(block):
            with contextlib.redirect_stdout(io.StringIO()):  # values that the page shows
                exec(compile(example.source, "gallery.md", "single"), names)
        text = f"```python\n{block}\n```\n"
        return f"{text}\n{image(names['picture'], words)}\n" if words else text

    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return _BLOCK.sub(shown, markdown)
        finally:
            os.chdir(before)


def image(picture: str, words: str) -> str:
    """An SVG, or the name of a file that was written, as an image within the page."""
    data = picture.encode() if picture.startswith("<svg") else Path(picture).read_bytes()
    kind = "png" if data.startswith(b"\x89PNG") else "svg+xml"
    coded = base64.b64encode(data).decode()
    return f'<div class="picture"><img alt="{words}" src="data:image/{kind};base64,{coded}"></div>\n'
