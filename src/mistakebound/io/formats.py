"""Which format a file has, and which reader reads it.

The settings of the stream say it, else the name, else the first line that is neither empty nor a comment.  Only that
line counts, however the text comes in: a pipe that delivers byte by byte gives the same answer.
"""

from __future__ import annotations

from mistakebound.core.errors import BadData, BadParameter, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.io.source import Source

FORMATS = ("libsvm", "vw", "csv", "tsv", "arff", "parquet", "arrow", "jsonl", "text")
TABLES = ("csv", "tsv", "arff", "parquet", "arrow")
MOST_BITS = 30
LABELS = ("label", "class", "target", "y")  # names that a label has without being named
_FOR_TABLES = ("label", "weights", "nominal", "numeric", "bins")  # and for JSON lines
_FOR_CSV = ("delimiter", "names", "no_header")
_FOR_TEXT = ("ngrams", "case", "punctuation")
_FOR_WHOM = (
    (_FOR_TABLES, (*TABLES, "jsonl")), (("missing",), TABLES), (("keep",), (*TABLES, "jsonl")),
    (_FOR_CSV, ("csv", "tsv")), (_FOR_TEXT, ("text",)),
)  # fmt: skip
_SETTINGS = ("format", "ignore", "hash", *_FOR_TABLES, "missing", "keep", *_FOR_CSV, *_FOR_TEXT)
_DIALECT: dict[str, tuple[Any, ...]] = {  # what it may say of a text that is not plain
    "encoding": ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp1252"), "newline": ("\n", "\r", "\r\r\n"),
    "quote": ('"', "'", ""), "escape": ("", "\\", '"', "none"), "blank": (False, True),
}  # fmt: skip
_ENDINGS = {
    ".svm": "libsvm", ".libsvm": "libsvm", ".vw": "vw", ".csv": "csv", ".tsv": "tsv", ".arff": "arff",
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
}  # fmt: skip
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}
_PACKED = (".gz", ".zst")
_LOOKED_AT = 1 << 20  # bytes, at most
_SENTENCES = 20  # lines that may be sentences
_FOUND = ("columns", "dialect", "header", "kinds", "members", "remembered")  # what a stream, or a model, adds to them


def check(settings: dict[str, Any]) -> None:
    """BadParameter for settings that no stream can have."""
    for name in settings:
        if name not in _SETTINGS and name not in _FOUND:
            raise BadParameter(f"a stream has no setting {shown(name)}, only {', '.join(_SETTINGS)}")
    format = settings.get("format", "auto")
    if format not in ("auto", *FORMATS):
        raise BadParameter(f"format must be one of auto, {', '.join(FORMATS)}: {shown(format)}")
    bits = settings.get("hash")
    if bits is not None and not (type(bits) is int and 1 <= bits <= MOST_BITS):
        raise BadParameter(f"hash must be a number of bits from 1 to {MOST_BITS}: {shown(bits)}")
    ignore = settings.get("ignore") or ()
    if not isinstance(ignore, (list, tuple)) or not all(isinstance(pattern, str) and pattern for pattern in ignore):
        raise BadParameter(f"ignore must be a list of patterns: {shown(ignore)}")
    for name in ("label", "weights"):
        if not isinstance(settings.get(name), str | None):
            raise BadParameter(f"{name} must be the name of a column: {shown(settings[name])}")
    for name in ("nominal", "numeric", "columns", "header", "names", "missing", "keep"):
        names = settings.get(name) or []
        if not isinstance(names, list) or not all(isinstance(column, str) for column in names):
            raise BadParameter(f"{name} must be a list of names of columns: {shown(names)}")
    mark = settings.get("delimiter")
    if mark is not None and not (isinstance(mark, str) and len(mark) == 1 and mark.isascii() and mark not in '"\r\n'):
        raise BadParameter(f"delimiter must be one character: {shown(mark)}")
    dialect = settings.get("dialect")
    if dialect is not None and (
        not isinstance(dialect, dict)
        or not all(name in _DIALECT and value in _DIALECT[name] for name, value in dialect.items())
    ):
        raise BadParameter(f"dialect must say how a text is written: {shown(dialect)}")
    if not isinstance(settings.get("kinds") or {}, dict):
        raise BadParameter(f"kinds must say nominal or numeric of each column: {shown(settings['kinds'])}")


def check_format(format: str, settings: dict[str, Any], what: str) -> None:
    """BadParameter for settings that are not for this format, in which `what` is."""
    for names, formats in _FOR_WHOM:
        for name in names if format not in formats else ():
            if settings.get(name):
                raise BadParameter(f"{name} is only for {', '.join(formats)}; {what} is {format}")


def unmatched_by_columns(settings: dict[str, Any]) -> list[str]:
    """Patterns of attributes to ignore that fit no column of a table.

    >>> unmatched_by_columns({"ignore": ["user*", "id"], "header": ["id", "age"]})
    ['user*']
    """
    patterns, names = settings.get("ignore") or (), settings.get("header") or ()
    if not names:
        return [*patterns]
    from fnmatch import fnmatchcase

    return [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in names)]


def open_file(source: Source, settings: dict[str, Any], options: dict[str, Any]) -> Any:
    """The reader of one file.  A format that is remembered is compared with what the file looks like."""
    try:
        format = settled_format(source, settings)
        check_format(format, settings, source.name)
        own = {name: value for name, value in settings.items() if name != "remembered"} | {"format": format}
        return _reader(source, own, options)
    except BaseException:
        source.close()
        raise


def settled_format(source: Source, settings: dict[str, Any]) -> str:
    """The format of a file, as the settings say or as it looks."""
    wanted: str = settings.get("format", "auto")
    if wanted == "auto":
        return format_of(source)
    if settings.get("remembered"):
        named = format_of_name(source.name)
        if (named, wanted) == ("tsv", "text"):  # labelled text may be called so
            return wanted
        found = (named,) if named is not None else _looks_like(source, wanted)
        if found and wanted not in found:
            how = "name" if named is not None else "first line"
            text = f"the {how} says {' or '.join(found)}, but the model was learned from {wanted}"
            raise BadData(text, source=source.name)
    return wanted


def _looks_like(source: Source, wanted: str) -> tuple[str, ...]:
    """The formats that the first line of a file may be of; none where it says nothing about the one that is wanted."""
    if wanted == "text":  # as any line can be
        return ()
    line = first_line(source)
    lone = wanted in ("csv", "tsv") and len(line.split()) == 1 and b":" not in line  # a header of one column
    return () if lone else formats_of_line(line)


def _reader(source: Source, settings: dict[str, Any], options: dict[str, Any]) -> Any:
    if settings["format"] == "libsvm":
        from mistakebound.io.libsvm import LibsvmReader

        return LibsvmReader(source, settings, **options)
    if settings["format"] == "vw":
        from mistakebound.io.vw import VwReader

        return VwReader(source, settings, **options)
    if settings["format"] == "jsonl":
        from mistakebound.io.json_lines import JsonLinesReader

        return JsonLinesReader(source, settings, **options)
    if settings["format"] == "text":
        from mistakebound.io.text import TextReader

        return TextReader(source, settings, **options)
    return table_reader(source, settings, **options)


def table_reader(source: Source, settings: dict[str, Any], *, dense: bool = False, **options: Any) -> Any:
    """The reader of a table: its blocks are sparse rows, or with `dense` columns."""
    if settings["format"] in ("parquet", "arrow"):
        from mistakebound.io.arrow import ArrowReader
        from mistakebound.io.arrow_chunk import ArrowChunk

        if dense:
            from mistakebound.io.dense_rows import DenseArrowChunk
        return ArrowReader(source, settings, chunk_type=DenseArrowChunk if dense else ArrowChunk, **options)
    from mistakebound.io.csv import CsvReader
    from mistakebound.io.csv_chunk import CsvChunk

    if dense:
        from mistakebound.io.dense_rows import DenseChunk
    chunk_type = DenseChunk if dense else CsvChunk
    if settings["format"] == "arff":
        from mistakebound.io.arff import ArffSource, declared
        from mistakebound.io.arff_reader import ArffReader

        arff = ArffSource(source, skip=options.get("on_error") == "skip")
        return ArffReader(
            arff, declared(arff, settings, options.get("unlabelled_ok", False)), chunk_type=chunk_type, **options
        )
    return CsvReader(source, settings, chunk_type=chunk_type, **options)


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
    if named == "tsv" and _are_sentences(source):
        return "text"
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
    if not found and _is_table(source):
        return "csv"
    which = " or ".join(found or ("libsvm", "vw", "csv", "tsv"))
    shown = line[:60].decode(errors="backslashreplace")
    raise BadParameter(
        f"--format must be given ({which}): neither the name of {source.name} nor its first line tells it: {shown!r}"
    )


def _are_sentences(source: Source) -> bool:
    """Whether the first lines are a word, a tab and, most of them, a sentence: labelled text, whatever it is called."""
    first_line(source)
    lines = [line for line in source.looked_at().split(b"\n")[:-1] if line.strip()][:_SENTENCES]
    cells = [line.split(b"\t") for line in lines]
    if len(cells) < 3 or any(len(row) != 2 or len(row[0].split()) != 1 for row in cells):
        return False
    header = cells[0][0] not in [label for label, _ in cells[1:]] and len(cells[0][1].split()) <= 2
    return not header and 2 * sum(len(text.split()) > 2 for _, text in cells) > len(cells)


def _is_table(source: Source) -> bool:
    """Whether the lines are a table although the first one does not look it: text is above, or blanks part cells."""
    from mistakebound.io.dialect import detect, is_even, kind_of, sample_of

    sample = sample_of(source)
    dialect = detect(*sample)
    if len(dialect.names) < 2:
        return False
    typed = dialect.header > 0 or all(kind_of(cell) == "number" for cell in dialect.names if cell.strip())
    return dialect.preamble > 0 or (typed and is_even(dialect, *sample))


def _start_of(source: Source) -> bytes:
    """As many bytes as the longest magic has, or all that there are."""
    start, have = source.look_on(), -1
    while have < len(start) < len(b"ARROW1"):
        have = len(start)
        start = source.look_on()
    return start


def first_line(source: Source, start: bytes = b"") -> bytes:
    """The first line with something in it, without its end; b"" without one.

    Nothing more is waited for if the line stands in `start`, or in what somebody has looked at.
    """
    text, have, at = start or source.looked_at() or source.look_on(), -1, 0
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
    if line.startswith(b"{") or is_array(line):
        return ("jsonl",)
    if _is_libsvm(line):
        return ("libsvm",)
    if line[:1] in (b"@", b"%") and (line.startswith(b"%") or line[:9].lower() == b"@relation"):
        return ("arff",)
    head, bar, _ = line.partition(b"|")
    if line.count(b" | ") == line.count(b"|") > 1 and not _is_vw_head(head) and b":" not in line:
        return ("csv",)  # a header in which blanks are around the bars
    if bar and (_is_vw_head(head) or head.endswith(b" ")):
        return ("vw",)
    if line.count(b"\t") == 1 and len(line.split(b"\t")[1].split()) > 2:  # a label and a sentence
        return ("text",)
    if b"\t" in line and not any(mark in line for mark in (b",", b";", b"|")):
        return ("tsv",)
    if any(mark in line for mark in (b",", b"\t", b";")) or line.count(b"|") > 1:
        return ("csv",)  # its dialect is found by more than a line
    return ("vw",) if bar else ()


def is_array(line: bytes) -> bool:
    """Whether an array of objects of JSON may begin with this line."""
    return line.startswith(b"[") and line[1:].lstrip()[:1] in (b"", b"{", b"]")


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
