"""Which reader reads a file, by the settings of the stream."""

from __future__ import annotations

from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.io.detect import first_line, format_of, format_of_name, formats_of_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.io.source import Source

FORMATS = ("libsvm", "vw", "csv", "tsv", "arff", "parquet", "arrow", "jsonl", "text")
TABLES = ("csv", "tsv", "arff", "parquet", "arrow")
MOST_BITS = 30
LABELS = ("label", "class", "target", "y")  # names that a label has without being named
_FOR_TABLES = ("label", "weights", "nominal", "numeric")
_FOR_CSV = ("delimiter", "names", "no_header")  # and for JSON lines
_FOR_TEXT = ("ngrams", "case", "punctuation")
_FOR_WHOM = (
    (_FOR_TABLES, (*TABLES, "jsonl")), (("bins", "missing", "keep"), TABLES), (_FOR_CSV, ("csv", "tsv")),
    (_FOR_TEXT, ("text",)),
)  # fmt: skip
_SETTINGS = ("format", "ignore", "hash", *_FOR_TABLES, "bins", "missing", "keep", *_FOR_CSV, *_FOR_TEXT)
_DIALECT: dict[str, tuple[Any, ...]] = {  # what it may say of a text that is not plain
    "encoding": ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "cp1252"), "newline": ("\n", "\r", "\r\r\n"),
    "quote": ('"', "'", ""), "escape": ("", "\\"), "blank": (False, True),
}  # fmt: skip
_FOUND = ("columns", "dialect", "header", "kinds", "remembered")  # what a stream, or a model, adds to them


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
        raise BadParameter(f"hash must be a number of bits, 1 .. {MOST_BITS}: {shown(bits)}")
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


def open_file(source: Source, settings: dict[str, Any], options: dict[str, Any]) -> Any:
    """The reader of one file.  A format that is remembered is compared with what the file looks like."""
    try:
        format = settled_format(source, settings)
        for names, formats in _FOR_WHOM:
            for name in names if format not in formats else ():
                if settings.get(name):
                    raise BadParameter(f"{name} is only for {', '.join(formats)}; {source.name} is {format}")
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
        return ArffReader(arff, declared(arff, settings), chunk_type=chunk_type, **options)
    return CsvReader(source, settings, chunk_type=chunk_type, **options)
