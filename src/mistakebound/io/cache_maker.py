"""A cache made from a stream, or found to be that of the stream."""

from __future__ import annotations

import json
import os
from zlib import crc32

from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.whole_file import WholeFile
from mistakebound.io.cache_block import Packer
from mistakebound.io.cache_file import ENDING, START, NotUsable, header, open_cache
from mistakebound.io.fingerprint import difference, fingerprint
from mistakebound.io.reader import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.block import Block


def default_name(paths: list[str]) -> str:
    """Beside the first file."""
    if paths[0] == "-":
        raise BadParameter("--cache must have a name when standard input is read: --cache FILE")
    if os.path.exists(paths[0]) and not os.path.isfile(paths[0]):
        raise BadParameter(f"--cache must have a name when {paths[0]} is read, which is no file: --cache FILE")
    return paths[0] + ENDING


def identity_of(cache: str, paths: list[str], settings: dict[str, Any]) -> int:
    """The identity of a cache; NotUsable when it is not one of these files, read with these settings."""
    file, footer, _ = open_cache(cache)
    file.close()
    if len(footer["sources"]) != len(paths):
        raise NotUsable(f"{cache} was made from {len(footer['sources'])} files")
    for path, then in zip(paths, footer["sources"], strict=True):
        now = _named(path)
        if "size" not in now:
            raise NotUsable(f"{cache} cannot be compared with {now['name']}")
        found = difference(then, now, times=True)
        if found is not None:
            raise NotUsable(f"{cache} is older than {path}: {found}")
    given = {name: value for name, value in settings.items() if name != "remembered"}
    if given not in (footer["asked"], footer["settings"]):
        raise NotUsable(f"{cache} was made with other settings of the reader")
    identity: int = footer["identity"]
    return identity


def _named(path: str) -> dict[str, Any]:
    return fingerprint(path) | {"name": "<stdin>" if path == "-" else path}


def make_cache(
    cache: str,
    paths: list[str],
    settings: dict[str, Any],
    stream: Any,
    threads: int,
    progress: Callable[[], None] | None,
) -> int:
    """Write the rows of an opened stream of these files; the cache takes its place when it is complete.

    Its identity is returned.
    """
    sources = [_named(path) for path in paths]
    places = {source["name"]: place for place, source in enumerate(sources)}
    packer = Packer()
    rows = identity = 0
    with WholeFile(cache, sync=False, kind="cache") as file:
        file.write(bytes(START))

        def handle(block: Block) -> None:
            nonlocal rows, identity
            packed = packer.pack(block, places[block.source], rows)
            rows += block.rows
            identity = crc32(packed[8:16], identity)
            file.write(packed)
            if progress is not None:
                progress()

        run(stream, handle, threads)
        for path, then in zip(paths, sources, strict=True):
            if (found := difference(then, _named(path), times=True)) is not None:
                raise BadData(f"the file changed while it was read: {found}", source=path)
        footer = {
            "settings": stream.settings, "sources": sources, "rows": rows, "identity": identity,
            "asked": {name: value for name, value in settings.items() if name != "remembered"},
            "skipped": stream.skipped, "skipped_lines": stream.skipped_lines, "collisions": stream.collisions(),
        }  # fmt: skip
        text = json.dumps(footer, separators=(",", ":")).encode()
        at = file.tell()
        file.write(text)
        file.seek(0, os.SEEK_SET)
        file.write(header(at, text))
    return identity
