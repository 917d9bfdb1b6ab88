"""Which format a file has: by its name, else by its first line that is neither empty nor a comment.

Only that line counts, however the text comes in: a pipe that delivers byte by byte gives the same answer.
"""

from __future__ import annotations

from mistakebound.core.errors import BadParameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.io.source import Source

_ENDINGS = {
    ".svm": "libsvm", ".libsvm": "libsvm", ".vw": "vw", ".csv": "csv", ".tsv": "tsv", ".arff": "arff",
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
    ".jsonl": "jsonl", ".ndjson": "jsonl",
}  # fmt: skip
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}
_PACKED = (".gz", ".zst")
_LOOKED_AT = 1 << 20  # bytes, at most


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
    """The one format that a file can have; BadParameter asks for it when there are several, or none."""
    named = format_of_name(source.name)
    if named is not None:
        return named
    start = _start_of(source)
    for magic, format in _MAGIC.items():
        if start.startswith(magic):
            return format
    line = first_line(source, start)
    if not line:
        return "libsvm"  # no rows in any format
    found = formats_of_line(line)
    if len(found) == 1:
        return found[0]
    which = " or ".join(found or ("libsvm", "vw", "csv", "tsv"))
    shown = line[:60].decode(errors="backslashreplace")
    raise BadParameter(
        f"--format must be given ({which}): neither the name of {source.name} nor its first line tells it: {shown!r}"
    )


def _start_of(source: Source) -> bytes:
    """As many bytes as the longest magic has, or all that there are."""
    start, have = source.look_on(), -1
    while have < len(start) < len(b"ARROW1"):
        have = len(start)
        start = source.look_on()
    return start


def first_line(source: Source, start: bytes = b"") -> bytes:
    """The first line with something in it, without its end; b"" when there is none.

    `start` is what somebody has looked at: nothing more is waited for if the line stands there.
    """
    text, have, at = start or source.look_on(), -1, 0
    if text.startswith(b"\xef\xbb\xbf"):
        at = 3
    while True:
        while (end := text.find(b"\n", at)) >= 0:
            line = text[at:end].strip()
            if line and not line.startswith(b"#"):
                return line
            at = end + 1
        if len(text) == have or len(text) > _LOOKED_AT:
            line = text[at:].strip()
            return b"" if line.startswith(b"#") else line
        have = len(text)
        text = source.look_on()


def formats_of_line(line: bytes) -> tuple[str, ...]:
    """The formats that a line may be of.

    >>> formats_of_line(b"+1 3:1 17:0.5"), formats_of_line(b"1 2 'tag|f a b:2"), formats_of_line(b"age,colour,label")
    (('libsvm',), ('vw',), ('csv',))
    >>> formats_of_line(b"id|sum,label"), formats_of_line(b"ham\\tsee you at eight"), formats_of_line(b"one two")
    (('csv',), ('text',), ())
    """
    if _is_libsvm(line):
        return ("libsvm",)
    if line.startswith(b"{"):
        return ("jsonl",)
    if line[:1] in (b"@", b"%") and (line.startswith(b"%") or line[:9].lower() == b"@relation"):
        return ("arff",)
    head, bar, _ = line.partition(b"|")
    if bar and (_is_vw_head(head) or head.endswith(b" ")):
        return ("vw",)
    if line.count(b"\t") == 1 and len(line.split(b"\t")[1].split()) > 2:  # a label and a sentence
        return ("text",)
    if b"\t" in line and not any(mark in line for mark in (b",", b";", b"|")):
        return ("tsv",)
    if any(mark in line for mark in (b",", b"\t", b";")) or line.count(b"|") > 1:
        return ("csv",)  # its dialect is found by more than a line
    return ("vw",) if bar else ()


def _is_libsvm(line: bytes) -> bool:
    words = line.partition(b"#")[0].split()
    if not words:
        return False
    if b":" not in words[0]:
        if len(words) == 1:  # a lone label
            return not any(mark in line for mark in (b",", b"|", b";"))
        words = words[1:]
    return all(_is_entry(word) for word in words)


def _is_entry(word: bytes) -> bool:
    name, _, value = word.partition(b":")
    return (name.isdigit() or name == b"qid") and _is_number(value)


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _is_vw_head(head: bytes) -> bool:
    """Whether nothing but a bar, or numbers and a tag, comes first: then commas and tabs behind it mean nothing."""
    words = head.split()
    return not words or (_is_number(words[0]) and b"," not in head)
