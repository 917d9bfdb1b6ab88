"""Model files: a JSON header, named arrays, a checksum.  Written whole or not at all; nothing in them is executed.

offset 0   8 bytes  89 4D 42 4D 44 4C 0D 0A   (not text, and a line ending changed in transit shows)
offset 8   uint32   format version
offset 12  uint32   length h of the header
offset 16  h bytes  header, JSON in UTF-8; its "arrays" list names, typecodes and counts
           the arrays one after the other, each at a multiple of 8, little-endian
last       uint32   CRC-32 of everything before
"""

from __future__ import annotations

import json
import os
import stat
import sys
from array import array
from math import isfinite
from zlib import crc32

from mistakebound.core.errors import BadModel, cut, shown
from mistakebound.core.file_kinds import MODEL_MAGIC
from mistakebound.core.whole_file import WholeFile, begin_sync

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MAGIC = MODEL_MAGIC
VERSION = 1
_SIZES = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4, "d": 8}
_CHUNK = 1 << 18  # bytes
_LARGE = 1 << 22  # bytes after which a sync is begun
_SWAP = sys.byteorder == "big"


def write(path: str | os.PathLike[str], header: dict[str, Any], arrays: dict[str, Any]) -> int:
    """Write the file, whole or not at all; its size in bytes.  A killed process leaves the old file or the new.

    An array is anything with a buffer, or what gives it in parts (`buffers.InOrder`).
    """
    with WholeFile(path, sync=True, kind="model") as file:
        return _write(file, header, arrays)


def as_bytes(header: dict[str, Any], arrays: dict[str, Any]) -> bytes:
    """What `write` would write."""
    shapes = {name: (_code_of(values), len(values)) for name, values in arrays.items()}
    data = bytearray()
    for chunk in _contents(_text(header, shapes), shapes, arrays):
        data += chunk
    return bytes(data + crc32(data).to_bytes(4, "little"))


def from_bytes(name: str, data: bytes) -> tuple[dict[str, Any], dict[str, array[Any]]]:
    """As `read`, of a file that lies in memory; errors call it by this name."""
    from io import BytesIO

    return _read(name, BytesIO(data), len(data))


def size(header: dict[str, Any], arrays: dict[str, Any]) -> int:
    """How many bytes `write` would write."""
    shapes = {name: (_code_of(values), len(values)) for name, values in arrays.items()}
    text = 16 + len(_text(header, shapes))
    return text + -text % 8 + sum(n + -n % 8 for n in (_SIZES[code] * count for code, count in shapes.values())) + 4


def _text(header: dict[str, Any], shapes: dict[str, tuple[str, int]]) -> bytes:
    """The header with the list of the arrays."""
    directory = [[name, code, count] for name, (code, count) in shapes.items()]
    return json.dumps({**header, "arrays": directory}, allow_nan=False, separators=(",", ":")).encode()


def _write(file: Any, header: dict[str, Any], arrays: dict[str, Any]) -> int:
    shapes = {name: (_code_of(values), len(values)) for name, values in arrays.items()}
    text = _text(header, shapes)
    check = size = begun = 0
    for chunk in _contents(text, shapes, arrays):  # a chunk is good until the next one
        file.write(chunk)
        check = crc32(chunk, check)
        size += len(chunk)
        if size - begun >= _LARGE:
            begin_sync(file, begun, size)
            begun = size
    file.write(check.to_bytes(4, "little"))
    return size + 4


def _contents(
    text: bytes, shapes: dict[str, tuple[str, int]], arrays: dict[str, Any]
) -> Iterator[bytes | memoryview[int]]:
    """Everything but the checksum, in small parts, which are still in the cache for the checksum."""
    start = MAGIC + VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little") + text
    yield start + bytes(-len(start) % 8)
    for name, (code, count) in shapes.items():
        yield from _chunks(code, arrays[name])
        yield bytes(-(_SIZES[code] * count) % 8)


def as_array(values: Any) -> array[Any]:
    """A copy of one of the arrays that are given to `write`."""
    return array(_code_of(values), bytes(values))


def _code_of(values: Any) -> str:
    return values.format if hasattr(values, "parts") else memoryview(values).format


def _chunks(code: str, values: Any) -> Iterator[memoryview[int]]:
    """The bytes of an array."""
    for part in values.parts() if hasattr(values, "parts") else (memoryview(values),):
        view = part
        if _SWAP and _SIZES[code] > 1:
            swapped = array(code, part.tobytes())
            swapped.byteswap()
            view = memoryview(swapped)
        data = view.cast("B") if view.nbytes else view
        for start in range(0, view.nbytes, _CHUNK):
            yield data[start : start + _CHUNK]


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, array[Any]]]:
    """(header, arrays); BadModel with one clear sentence for anything that is not a whole model file of ours.

    Arrays are read in place: a large model is in memory once.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            if stat.S_ISREG((mode := os.fstat(file.fileno())).st_mode):
                return _read(name, file, mode.st_size)
            from io import BytesIO

            data = file.read()
            return _read(name, BytesIO(data), len(data))
    except OSError as error:
        raise BadModel(f"cannot read the model {name}: {error.strerror or error}") from error


def _read(name: str, file: Any, size: int) -> tuple[dict[str, Any], dict[str, array[Any]]]:
    start = file.read(16)
    if not start.startswith(MAGIC[: max(1, len(start))]):
        raise BadModel(f"{name} is not a model file of mistakebound")
    if size < 20:
        raise BadModel(f"{name} is truncated: {size} bytes are too few for a model")
    version = int.from_bytes(start[8:12], "little")
    if version > VERSION:
        raise BadModel(f"{name} was written by a newer mistakebound: format {version}, this one reads up to {VERSION}")
    trouble: Exception | None = None
    try:
        header, arrays, check = _parse(file, size, start)
    except SENSELESS as error:  # because it was altered, or crafted?
        trouble, check = error, _check(file, size)
    if version < 1 or check != int.from_bytes(file.read(4), "little"):
        raise BadModel(f"{name} is truncated or altered: its checksum does not match its {size} bytes")
    if trouble is not None:
        raise senseless(name, trouble) from trouble
    return header, arrays


# What is raised when something is made of contents that make no sense.
SENSELESS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


def senseless(path: str | os.PathLike[str], why: Exception) -> BadModel:
    """For a model file whose checksum is right and whose contents make no sense."""
    reason = f"it has no {why}" if isinstance(why, KeyError) else str(why)
    return BadModel(f"{os.fspath(path)} is not a model that this program could have written: {cut(reason, 300)}")


def _check(file: Any, size: int) -> int:
    """The CRC-32 of all but the last four bytes; the file is then positioned before these."""
    file.seek(0)
    check, left = 0, size - 4
    while left > 0 and (chunk := file.read(min(left, _CHUNK))):
        check = crc32(chunk, check)
        left -= len(chunk)
    return check


def _parse(file: Any, size: int, start: bytes) -> tuple[dict[str, Any], dict[str, array[Any]], int]:
    """Header and arrays behind the start of a file of this size, and the CRC-32 of all that was read."""
    length, end = int.from_bytes(start[12:16], "little"), size - 4
    at = 16 + length
    if at > end:
        raise ValueError("the header does not fit into the file")
    text = file.read(length + -length % 8)
    check = crc32(text, crc32(start))
    header = json.loads(text[:length].decode(), parse_float=_finite, parse_constant=_finite)
    del text
    if not isinstance(header, dict):
        raise TypeError("the header is not an object")
    arrays: dict[str, array[Any]] = {}
    at += -at % 8
    for name, code, count in header.pop("arrays"):
        if not isinstance(name, str) or not isinstance(count, int) or not 0 <= _SIZES[code] * count <= end - at:
            raise ValueError(f"array {shown(name)} does not fit into the file")
        arrays[name] = array(code, [0]) * count
        check = _fill(file, arrays[name], check)
        at += _SIZES[code] * count
        check = crc32(file.read(-at % 8), check)
        at += -at % 8
        if _SWAP:
            arrays[name].byteswap()
    if at != end:
        raise ValueError("bytes are left over")
    return header, arrays, check


def _fill(file: Any, values: array[Any], check: int) -> int:
    """Read an array in small parts, which are still in the cache for the CRC-32; returns the CRC-32."""
    data = memoryview(values).cast("B") if len(values) else memoryview(b"")
    for start in range(0, len(data), _CHUNK):
        part = data[start : start + _CHUNK]
        have = 0
        while have < len(part):
            got = file.readinto(part[have:])
            if not got:
                raise ValueError("the file ends too early")
            have += got
        check = crc32(part, check)
    return check


def _finite(text: str) -> float:
    """A number of the header; refuses Infinity and NaN, which Python reads and JSON does not have."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{shown(text)} is not a finite number")
    return number
