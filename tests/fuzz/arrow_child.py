"""Reads damaged Parquet and Arrow files, in a process of its own with a limit on memory: `arrow_child.py COUNT SEED`.

Ends with 0 when every one was refused with our own error, in one line that names the file, or read the same way
whatever the blocks; else it says which was not.  A crash of the process is what whoever started it looks for.
"""

from __future__ import annotations

import io
import random
import resource
import signal
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mistakebound.core.errors import BadData, MistakeboundError
from mistakebound.io import open_stream

MORE_MEMORY = 1 << 30
HANGS = 60  # seconds


def table(draw: random.Random) -> pa.Table:
    rows = draw.choice([1, 30, 200])
    words = [draw.choice(["red", "é", "", None, "x" * 40]) for _ in range(rows)]
    return pa.table(
        {
            "y": [draw.randrange(2) for _ in range(rows)],
            "c": pa.array(words, pa.string()),
            "d": pa.array(words, pa.string()).dictionary_encode(),
            "n": [draw.choice([None, 0.5, 7.0, float("nan")]) for _ in range(rows)],
            "b": pa.array([draw.choice([True, False, None]) for _ in range(rows)]),
            "big": pa.array(words, pa.large_string()),
        }
    )


def originals(draw: random.Random) -> list[tuple[str, bytes]]:
    made = []
    for _ in range(3):
        whole = table(draw)
        for codec in ("none", "snappy", "zstd"):
            out = io.BytesIO()
            pq.write_table(whole, out, compression=codec, row_group_size=64, write_page_checksum=draw.random() < 0.5)
            made.append(("parquet", out.getvalue()))
        for codec in (None, "zstd"):
            options = pa.ipc.IpcWriteOptions(compression=codec)
            for new in (pa.ipc.new_file, pa.ipc.new_stream):
                out = io.BytesIO()
                with new(out, whole.schema, options=options) as writer:
                    writer.write_table(whole.unify_dictionaries(), max_chunksize=64)
                made.append(("arrow", out.getvalue()))
    return made


def damaged(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    kind = draw.randrange(5)
    if kind == 0:
        return data[: draw.randrange(len(data))]
    for _ in range(draw.choice([1, 1, 2, 8])):
        at = draw.randrange(len(changed))
        if kind == 1:
            changed[at] ^= 1 << draw.randrange(8)
        elif kind == 2:
            changed[at : at + 4] = draw.choice([b"\0" * 4, b"\xff" * 4, b"\xff\xff\xff\x7f", draw.randbytes(4)])
        elif kind == 3:
            del changed[at : at + draw.choice([1, 8, 64])]
        else:
            changed[at:at] = draw.randbytes(draw.choice([1, 8]))
        if not changed:
            break
    return bytes(changed)


def read(path: Path, format: str, on_error: str, block: int) -> tuple[Any, ...]:
    """What there was to read: rows with their attributes, how many were passed over, the error."""
    rows: list[Any] = []
    stream = open_stream(path, {"format": format, "label": "y"}, on_error=on_error, block_bytes=block)
    try:
        for part in stream:
            for row in range(part.rows):
                entries = range(part.indptr[row], part.indptr[row + 1])
                names = [part.name(k) for k in entries]
                values = [1.0 if part.values is None else part.values[k] for k in entries]
                rows.append((part.lines[row], part.label_tokens[part.tokens[row]], names, values))
    except MistakeboundError as error:
        if str(path) not in str(error) or "\n" in str(error):
            raise AssertionError("a message that does not say where, in one line") from error
        return rows, stream.skipped, type(error), getattr(error, "line", None)
    return rows, stream.skipped, None, None


def stuck(*_: Any) -> None:
    raise TimeoutError(f"no end after {HANGS} s")


def main(count: int, seed: int) -> int:
    draw = random.Random(seed)
    signal.signal(signal.SIGALRM, stuck)
    bad = refused = 0
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "damaged"
        whole = originals(draw)
        for format, data in whole:
            path.write_bytes(data)
            rows, skipped, error, _ = read(path, format, "fail", 1 << 20)
            assert (bool(rows), skipped, error) == (True, 0, None), "one that is whole"
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MORE_MEMORY, resource.RLIM_INFINITY))
        for number in range(count):
            format, data = draw.choice(whole)
            data = damaged(data, draw)
            path.write_bytes(data)
            signal.alarm(HANGS)
            try:
                found = [
                    read(path, format, on_error, block) for on_error in ("fail", "skip") for block in (64, 1 << 20)
                ]
                refused += found[0][2] is BadData
                if repr(found[0]) != repr(found[1]) or repr(found[2]) != repr(found[3]):
                    raise AssertionError("other rows with other blocks")
                if found[2][0][: len(found[0][0])] != found[0][0]:
                    raise AssertionError("other rows where bad ones are passed over")
            except pa.ArrowMemoryError:  # a compressed batch may be as long as that
                refused += 1
            except Exception:
                bad += 1
                kept = Path(tempfile.gettempdir(), f"mistakebound-fuzz-{seed}-{number}.{format}")
                kept.write_bytes(data)
                print(f"file {number}, kept as {kept}:\n{traceback.format_exc()}")
            signal.alarm(0)
            if bad >= 10:
                break
    print(f"{count} files, {refused} refused, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
