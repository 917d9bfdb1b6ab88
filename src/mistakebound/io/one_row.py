"""One row as the reader of a stream would have given it: from a line, a mapping or a tuple of cells."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.fields import is_not_available
from mistakebound.core.instance import Instance, read_instance, twice
from mistakebound.io import open_stream
from mistakebound.io.formats import MOST_BITS, TABLES
from mistakebound.io.hashing import Rework
from mistakebound.io.memory import TextInMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.io.source import InMemory


def read_row(row: Any, settings: dict[str, Any]) -> Instance:
    """A raw row as the reader with these settings reads it.

    A text is a line of the format (of Parquet and Arrow one of CSV); of a table a mapping has columns and a sequence
    has cells in their order; of JSON lines a mapping is an object; any other is an instance of named attributes.

    >>> read_row("Free entry!", {"format": "text"}), read_row("3:1 7:0.5", {"format": "libsvm"})
    (Instance(['free', 'entry']), Instance({'3': 1.0, '7': 0.5}))
    """
    found = row_in_memory(row, settings)
    if found is None:
        x = read_instance(_with_names(row, settings))
        return as_read(Instance(x.names, x.values), settings)[0]  # as in the stream, a 0 is nothing
    source, own = found
    instance: Instance | None = None
    rows = 0
    try:
        with open_stream(source, own, unlabelled_ok=True, block_bytes=1 << 10) as reader:
            for block in reader:
                if not rows:
                    instance = read_instance(row_of(block, 0))
                rows += block.rows
    except BadData as error:  # there is no file in which it stands
        raise BadData(error.message, text=error.text) from None
    return instance if instance is not None and rows == 1 else _refuse(row, rows)


def _refuse(row: Any, rows: int) -> Instance:
    raise BadData(f"one row is expected, and there are {rows}", text=row if isinstance(row, str) else None)


def row_in_memory(row: Any, settings: dict[str, Any]) -> tuple[InMemory, dict[str, Any]] | None:
    """A raw row as a file of one row, with the settings that read it; None for an instance of named attributes."""
    format = settings["format"]
    if format in TABLES:
        from mistakebound.io.table_row import table_row

        return table_row(row, settings)
    if isinstance(row, (str, bytes)):
        text = row.encode(errors="surrogatepass") if isinstance(row, str) else row
        if format == "text":  # of several lines is still one
            text = b" ".join(text.splitlines())
        return TextInMemory(text + b"\n"), settings
    if format == "jsonl" and hasattr(row, "keys"):
        return TextInMemory(json_line(row)), settings
    return None


def json_line(row: Any) -> bytes:
    """A mapping as a line of JSON; BadData for what JSON has no word for."""
    import json

    try:
        return json.dumps(dict(row), default=_plain).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise BadData(f"a row must be a JSON object: {error}") from None


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python, a missing cell of pandas as None."""
    if is_not_available(value):
        return None
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        return value.item()
    raise TypeError(f"{type(value).__name__} is neither a text nor a number")


def _with_names(row: Any, settings: dict[str, Any]) -> Any:
    """Ids may be given as numbers, as libsvm has them."""
    if settings["format"] == "libsvm" and isinstance(row, Mapping):
        return {str(name) if type(name) is int else name: value for name, value in row.items()}
    return row


def row_of(block: Block, row: int) -> dict[str, float]:
    """The attributes of a row of a block, with zeros where they are values; BadData for one that appears twice."""
    x: dict[str, float] = {}
    for entry in range(block.indptr[row], block.indptr[row + 1]):
        name = block.name(entry)
        if name in x:
            line = None if block.lines is None else block.lines[row]
            raise BadData(twice(name), source=block.source, line=line)
        x[name] = 1.0 if block.values is None else block.values[entry]
    return x if block.dense else {name: value for name, value in x.items() if value}


def as_read(x: Instance, settings: dict[str, Any]) -> tuple[Instance, dict[str, list[str]] | None, list[str]]:
    """The instance by the settings "ignore" and "hash"; the names in each bucket, if they are hashed; those ignored.

    >>> as_read(Instance(["free", "now", "user_7"], None), {"ignore": ["user_*"], "hash": 4})
    (Instance(['5', '10']), {'5': ['free'], '10': ['now']}, ['user_7'])
    """
    bits = settings.get("hash")
    kept = _rework(x, settings.get("ignore") or [], None)
    left = {*kept.names, *kept.zeros}
    dropped = [name for name in (*x.names, *x.zeros) if name not in left]
    if bits is None:
        return kept, None, dropped
    hashed = _rework(kept, [], bits)
    names: dict[str, list[str]] = {name: [] for name in hashed.names}
    for name in (*kept.names, *kept.zeros):
        (bucket,) = _rework(Instance([name], None), [], bits).names
        names.setdefault(bucket, []).append(name)  # values that cancel each other leave no attribute
    return hashed, names, dropped


def hash_names(x: Any, bits: Any, names: Any = None) -> Instance:
    """An instance whose attributes are buckets: names hashed as by `--hash` and `mb.learn(..., hash=)`.

    Parameters
    ----------
    x : mapping, set, sequence or encoded instance
        As of `learn_one`.
    bits : int
        There are 2^bits buckets, called 1, 2, ...; 1 to 30.
    names : sequence of str or None, default None
        Names of the values of a row.

    Returns
    -------
    Instance
        Accepted wherever an instance is.  Values of names that share a bucket are added; of flags one is left.

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner = mb.Perceptron(labels=("ham", "spam"))
    >>> learner.learn_one(hash_names({"free": 1, "now": 2}, 4), "spam")
    'ham'
    >>> learner.weights()
    {'5': 1.0, '10': 2.0}
    """
    if isinstance(bits, bool) or not isinstance(bits, int) or not 1 <= bits <= MOST_BITS:
        raise BadParameter(f"bits must be a whole number >= 1 and <= {MOST_BITS}: {shown(bits)}")
    return _rework(read_instance(x, names), [], bits)


def _rework(x: Instance, ignore: list[str], bits: int | None) -> Instance:
    x = x.with_zeros()
    keys = array("Q", range(len(x.names)))
    block = Block(1, array("q", [0, len(keys)]), keys, x.values, columns=BlockNames.of(x.names))
    Rework(ignore, bits).put_into(block)
    entries = range(block.indptr[0], block.indptr[1])
    found = {block.name(k): 1.0 if block.values is None else block.values[k] for k in entries}
    if len(found) < len(entries):  # so the kernel leaves what no learner may take
        raise BadData("the values of names in one hash bucket have no finite sum")
    return read_instance(found)
