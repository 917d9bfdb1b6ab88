"""Which format a file has: by its name, else by its first line."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.streams.source import Source

_ENDINGS = {".svm": "libsvm", ".libsvm": "libsvm", ".vw": "vw", ".csv": "csv", ".tsv": "tsv"}
_PACKED = (".gz", ".zst")


def format_of_name(name: str) -> str | None:
    """The format that a name tells, or None.

    >>> format_of_name("events.svm.gz"), format_of_name("table.TSV"), format_of_name("events.txt")
    ('libsvm', 'tsv', None)
    """
    name = name.lower()
    for ending in _PACKED:
        name = name.removesuffix(ending)
    dot = name.rfind(".")
    return _ENDINGS.get(name[dot:]) if dot >= 0 else None


def format_of(source: Source) -> str:
    return format_of_name(source.name) or "libsvm"
