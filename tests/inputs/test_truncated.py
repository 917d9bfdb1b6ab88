"""A file that loses its end while it is read: one sentence with the file, whatever its format, and no dead process."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from mistakebound.cli import main

ROWS = 70_000  # more than are read of Parquet at once
FORMATS = ("feather", "lz4.feather", "one.feather", "arrow", "parquet", "mbcache", "csv", "svm", "svm.gz")

# In a process of its own, because what is tested used to be killed (SIGBUS).
CHILD = """
import os, sys
from mistakebound.core.errors import MistakeboundError
from mistakebound.io import open_stream

left, *paths = sys.argv[1:]
for path in paths:
    table = not path.endswith(("svm", "gz", "mbcache"))
    with open_stream([path], {"label": "y"} if table else {}, block_bytes=1 << 16) as reader:
        rows = 0
        try:
            for block in reader:
                if not rows:
                    os.truncate(path, int(float(left) * os.path.getsize(path)))
                rows += block.rows
        except MistakeboundError as error:
            print("refused", error)
        else:
            print("ended", path, rows)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Of every format a file of the same rows."""
    folder, n = tmp_path_factory.mktemp("whole"), range(ROWS)
    table = pa.table({"y": [k % 2 for k in n], "a": [k / 7 for k in n], "s": [f"name {k}" for k in n]})
    paths = {kind: folder / f"rows.{kind}" for kind in FORMATS}
    feather.write_feather(table, paths["feather"], compression="uncompressed", chunksize=1000)
    feather.write_feather(table, paths["lz4.feather"], compression="lz4", chunksize=1000)
    feather.write_feather(table, paths["one.feather"], compression="uncompressed", chunksize=ROWS)
    with pa.ipc.new_stream(paths["arrow"], table.schema) as file:
        file.write_table(table, max_chunksize=1000)
    pq.write_table(table, paths["parquet"], row_group_size=1000)
    paths["csv"].write_text("y,a,s\n" + "".join(f"{k % 2},{k / 7},name {k}\n" for k in n))
    text = "".join(f"{k % 2} {1 + k}:1 {200000 + k}:1\n" for k in n)
    paths["svm"].write_text(text)
    paths["svm.gz"].write_bytes(gzip.compress(text.encode(), 1))
    assert main(["learn", str(paths["svm"]), f"--cache={paths['mbcache']}", "--quiet", "--json"]) == 0
    return {kind: path.read_bytes() for kind, path in paths.items()}


@pytest.mark.some(1)
@pytest.mark.parametrize("left", [0.0, 0.5])
def test_the_end_is_cut_off_while_it_is_read(left: float, files: dict[str, bytes], tmp_path: Path) -> None:
    paths = {kind: tmp_path / f"rows.{kind}" for kind in FORMATS}
    for kind, path in paths.items():
        path.write_bytes(files[kind])
    words = [sys.executable, "-c", CHILD, str(left), *map(str, paths.values())]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    assert done.returncode == 0, f"{paths[FORMATS[len(said)]]}: {done.stderr[-2000:]}"
    for (kind, path), line in zip(paths.items(), said, strict=True):
        if kind == "one.feather":  # its one batch has been read
            assert line == f"ended {path} {ROWS}"
        elif kind in ("csv", "svm", "arrow") and line.startswith("ended"):  # lines and messages end where they end
            assert 0 < int(line.split()[-1]) < ROWS
        else:
            assert line.startswith(f"refused {path}"), line


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["feather", "parquet"])
def test_a_table_that_is_standard_input(kind: str, files: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(files[kind])
    words = [sys.executable, "-m", "mistakebound", "learn", "-", "--label", "y", "--json", "--quiet"]
    with open(path, "rb") as file:
        done = subprocess.run(words, stdin=file, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["trials"] == ROWS
