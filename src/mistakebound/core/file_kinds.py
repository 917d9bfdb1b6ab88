"""What kind of file a file is, told by its first bytes: a writer replaces files of its own kind and no others."""

from __future__ import annotations

import os

from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MODEL_MAGIC = b"\x89MBMDL\r\n"  # not text, and a line ending changed in transit shows
CACHE_MAGIC = b"\x89MBCCH\r\n"
HUNT_BEGINS = b'{"hunt": '
_SETTINGS_BEGIN = b'{"n": '
_PNG = b"\x89PNG\r\n\x1a\n"
_HEAD = 1 << 12  # bytes that are looked at


def check_kind(path: str | os.PathLike[str], kind: str) -> None:
    """BadParameter when a file is there that is not empty and not of this kind (one of KINDS)."""
    words, how = KINDS[kind]
    name = os.fspath(path)
    if not os.path.isfile(name):  # nothing, or something that no writer takes for a place
        return
    try:
        with open(name, "rb", buffering=0) as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise BadParameter(f"refusing to overwrite {name}: whether it is {words} cannot be read") from error
    if isinstance(how, bytes):
        recognised = head.startswith(how) or how.startswith(head)  # also one that was cut short there
    else:
        recognised = how(head)
    if head and not recognised:
        raise BadParameter(f"refusing to overwrite {name}: it is not {words}")


def _is_svg(head: bytes) -> bool:
    """Whether the root element is svg: before it there may be a declaration, a document type and comments."""
    import re

    prolog = rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE\s+svg\b[^>]*>\s*)*"
    return re.match(prolog + rb"<svg[\s>]", head, re.DOTALL) is not None


def _is_picture(head: bytes) -> bool:
    return head.startswith(_PNG) or _is_svg(head)


def _is_dot(head: bytes) -> bool:
    import re

    return re.match(rb'\s*(?:strict\s+)?(?:di)?graph\b\s*(?:"[^"]*"|[\w.]+)?\s*\{', head) is not None


def _is_stream(head: bytes) -> bool:
    """Whether the lines are labels with numbered attributes, as `write_stream` writes them."""
    import re

    row = rb"[^\s:#]+(?: \d+:1)*"
    *lines, last = head.split(b"\n")
    begun = re.fullmatch(rb"(?:" + row + rb"(?: \d*:?)?)?", last)
    return begun is not None and b":1" in head and all(re.fullmatch(row, line) for line in lines)


def _is_trace(head: bytes) -> bool:
    return head.startswith((b"trial ", b'[{"number": ', b"<table>\n<tr><th>trial<", b"\\begin{longtable}", b"[]\n"))


# Kind -> (what it is, what it begins with or whether a file with this beginning is one).
KINDS: dict[str, tuple[str, bytes | Callable[[bytes], bool]]] = {
    "model": ("a model file", MODEL_MAGIC),
    "cache": ("a cache of parsed rows", CACHE_MAGIC),
    "hunt log": ("the log of a hunt", HUNT_BEGINS),
    "tokens": ("a list of tokens", b'{"tokens": '),
    "svg": ("an SVG drawing", _is_svg),
    "dot": ("a DOT graph", _is_dot),
    "latex": ("a drawing in TikZ", b"\\begin{tikzpicture}"),
    "picture": ("a picture (PNG or SVG)", _is_picture),
    "stream": ("a stream of libsvm rows", _is_stream),
    "trace": ("a trace of a game", _is_trace),
    "python": ("an exported model in Python", b'"""A model of '),
    "sql": ("an exported model in SQL", b"-- A model of "),
    "onnx": ("an exported model in ONNX", lambda head: head.startswith(b"\x08") and b"mistakebound" in head[:64]),
    "predictions": ("an empty file", lambda head: not head),
    "made stream": ("the settings of a stream that `demo` made", _SETTINGS_BEGIN),
    "made table": ("a table that `demo` made", b"parcel,ordered,"),
    "made script": ("a script that `demo` made", b"#!/bin/sh\n# Fails when three features are on together.\n"),
    "made flags": ("a list of flags that `demo` made", b"--feature1\n"),
}
