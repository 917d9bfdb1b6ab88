"""The same rows in every format: the same attributes, the same mistakes, the same errors."""

from __future__ import annotations

import gzip
import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import mistakebound as mb
from mistakebound.core.errors import BadData, BadParameter, MistakeboundError
from mistakebound.core.ledger import Ledger
from mistakebound.io import open_stream, table_rows
from mistakebound.io.table_file import read_table_file
from mistakebound.model.trainer import learn_stream

FORMATS = ("csv", "tsv", "arff", "parquet", "arrow", "stream", "jsonl")
LABELLED = {"label": "y"}


def rows_of(count: int) -> list[dict[str, Any]]:
    draw = random.Random(7)
    rows = []
    for _ in range(count):
        sky = draw.choice(["a", "b", "c d", "x,y", "it's", 'say "no"', None])
        number = draw.choice([None, 7.0, round(draw.gauss(0, 5), 2)])
        rows.append({"y": int(sky == "a" or (number or 0) > 3), "sky": sky, "wind": draw.choice("sw"), "t": number})
    return rows


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_tables_are_filled_some_rows_at_a_time(format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "rows", rows_of(400), format)
    found = []
    for near in (1 << 11, 3):
        monkeypatch.setattr(table_rows, "_NEAR", near)
        learner = mb.learn(path, "y", learner="perceptron").learner
        found.append((learner.weights(), learner.bias))
    assert found[0] == found[1]
    assert len(found[0][0]) == 9


def write(path: Path, rows: list[dict[str, Any]], format: str) -> Path:
    path = path.with_suffix("." + {"stream": "ipc"}.get(format, format))
    names = ("y", "sky", "wind", "t")
    if format in ("csv", "tsv"):
        comma = {"csv": ",", "tsv": "\t"}[format]
        cells = [["" if row[n] is None else '"' + str(row[n]).replace('"', '""') + '"' for n in names] for row in rows]
        path.write_text("\n".join(map(comma.join, [list(names), *cells])) + "\n")
    elif format == "arff":
        head = (
            "% made up\n@relation 'a b'\n\n@ATTRIBUTE y {0,1}\n@attribute sky {a,b,'c d','x,y','it\\'s','say \"no\"'}\n"
        )
        head += "@attribute 'wind' string\n@attribute t Real\n@DATA\n"
        lines = [",".join("?" if row[n] is None else _quoted(row[n]) for n in names) for row in rows]
        path.write_text(head + "\n".join(lines) + "\n")
    elif format == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        table = pa.table({name: [row[name] for row in rows] for name in names})
        if format == "parquet":
            pq.write_table(table, path, row_group_size=150)
        else:
            new = pa.ipc.new_file if format == "arrow" else pa.ipc.new_stream
            with pa.OSFile(str(path), "wb") as file, new(file, table.schema) as writer:
                writer.write_table(table, max_chunksize=90)
    return path


def _quoted(value: Any) -> str:
    if not isinstance(value, str) or value.isalnum():
        return str(value)
    return "'" + value.replace("'", "\\'") + "'"


def learned(path: Path, threads: int = 1, **more: Any) -> tuple[list[int], Any]:
    learner, ledger = mb.Perceptron(), Ledger()
    with open_stream(path, LABELLED, **more) as stream:
        learn_stream(learner, stream, ledger, threads=threads)
    return list(ledger.mistake_trials), learner


@pytest.mark.some(4)
@pytest.mark.parametrize("format", FORMATS)
def test_the_same_rows_the_same_mistakes(format: str, tmp_path: Path) -> None:
    rows = rows_of(320)
    mistakes, model = learned(write(tmp_path / "t", rows, "csv"))
    assert len(mistakes) > 20
    path = write(tmp_path / "u", rows, format)
    for threads, block in ((1, 1 << 20), (1, 97), (3, 200)):
        same, learner = learned(path, threads, block_bytes=block)
        assert same == mistakes
        assert learner.weights() == model.weights()


@pytest.mark.parametrize("format", FORMATS)
def test_packed_files_and_several(format: str, tmp_path: Path) -> None:
    rows = rows_of(300)
    mistakes, _ = learned(write(tmp_path / "t", rows, "csv"))
    one, two = write(tmp_path / "one", rows[:170], format), write(tmp_path / "two", rows[170:], format)
    packed = Path(f"{two}.gz")
    packed.write_bytes(gzip.compress(two.read_bytes()))
    learner, ledger = mb.Perceptron(), Ledger()
    with open_stream([one, packed], LABELLED) as stream:
        learn_stream(learner, stream, ledger)
    assert list(ledger.mistake_trials) == mistakes


@pytest.mark.parametrize("format", FORMATS)
def test_going_on_where_another_reader_stood(format: str, tmp_path: Path) -> None:
    path = write(tmp_path / "t", rows_of(400), format)
    with open_stream(path, LABELLED, block_bytes=500) as stream:
        blocks = iter(stream)
        before = next(blocks).rows + next(blocks).rows
        position = stream.position()
    with open_stream(path, LABELLED) as stream:
        stream.seek(position)
        assert before + sum(block.rows for block in stream) == 400


@pytest.mark.parametrize("format", [format for format in FORMATS if format != "jsonl"])
def test_whole_tables(format: str, tmp_path: Path) -> None:
    rows = rows_of(300)
    read = read_table_file(write(tmp_path / "t", rows, format), LABELLED, threads=2)
    assert [read.table.row(k) for k in range(300)] == [{n: row[n] for n in ("sky", "wind", "t")} for row in rows]
    assert read.labels is not None
    assert [read.labels.values[code] for code in read.labels.codes] == [row["y"] for row in rows]


@pytest.mark.parametrize("format", [format for format in FORMATS if format != "jsonl"])
def test_the_same_bins_whatever_the_batches(format: str, tmp_path: Path) -> None:
    """The first cells decide where numbers are cut, not the first row group or record batch."""
    rows = rows_of(400)
    for k, row in enumerate(rows):
        row["t"] = None if k % 3 else float(k)
    settings = {**LABELLED, "bins": {"t": 4}}
    with open_stream(write(tmp_path / "u", rows, format), settings, block_bytes=500) as stream:
        assert sum(block.rows for block in stream) == 400
        assert stream.settings["bins"] == {"t": [100.0, 200.0, 300.0]}


def test_texts_that_are_to_be_numbers_are_cut_too(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"y": [1, 0] * 4, "t": list("12345678")}), path, row_group_size=3)
    with open_stream(path, {**LABELLED, "numeric": ["t"], "bins": 2}) as stream:
        assert sum(block.rows for block in stream) == 8
        assert stream.settings["bins"] == {"t": [4.0]}


@pytest.mark.parametrize("format", FORMATS)
def test_a_missing_label_is_said_with_its_place(format: str, tmp_path: Path) -> None:
    rows = rows_of(30)
    rows[11]["y"] = None
    path = write(tmp_path / "t", rows, format)
    ledger = Ledger()
    with pytest.raises(BadData, match="the row has no label") as error, open_stream(path, LABELLED) as stream:
        learn_stream(mb.Perceptron(), stream, ledger)
    assert ledger.trials == 11
    assert error.value.line == {"csv": 13, "tsv": 13, "arff": 20}.get(format, 12)
    ledger = Ledger()
    with open_stream(path, LABELLED, on_error="skip") as stream:
        learn_stream(mb.Perceptron(), stream, ledger)
        assert (ledger.trials, stream.skipped) == (29, 1)
        assert stream.skipped_lines[0][1] == error.value.line


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_asked_for_must_be_there(format: str, tmp_path: Path) -> None:
    path = write(tmp_path / "t", rows_of(5), format)
    with pytest.raises(MistakeboundError, match="label"), open_stream(path, {"label": "z"}) as stream:
        list(stream)
    with (
        pytest.raises(BadParameter, match="ngrams is only for text"),
        open_stream(path, {**LABELLED, "ngrams": 2}) as stream,
    ):
        list(stream)
    with pytest.raises(BadParameter, match="a stream has no setting 'keep_case', only format, ignore"):
        open_stream(path, {**LABELLED, "keep_case": True})


@pytest.mark.parametrize(
    ("format", "start"), [("parquet", b"PAR1"), ("arrow", b"ARROW1\0\0"), ("arff", b"@relation x\n")]
)
@pytest.mark.parametrize("rest", [b"", b"junk that is nothing\n", bytes(200)])
def test_files_that_only_begin_well(format: str, start: bytes, rest: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_bytes(start + rest)
    with pytest.raises(BadData), open_stream(path, LABELLED) as stream:
        list(stream)


def test_truncated_files_are_bad_data(tmp_path: Path) -> None:
    for format in ("parquet", "arrow", "stream"):
        path = write(tmp_path / "t", rows_of(300), format)
        data = path.read_bytes()
        for part in (3, 2):
            path.write_bytes(data[: len(data) * part // 4])
            with pytest.raises(BadData), open_stream(path, LABELLED) as stream:
                list(stream)


def test_types_that_are_no_cells(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"y": [1], "when": pa.array([0], pa.duration("s"))}), path)
    with (
        pytest.raises(BadData, match=r"column 'when' holds duration\[s\], and not texts, numbers or times: ignore it"),
        open_stream(path, {**LABELLED, "keep": ["when"]}) as s,
    ):
        list(s)
    for settings in (LABELLED, {**LABELLED, "ignore": ["when"]}):
        with open_stream(path, settings) as stream:
            assert sum(block.rows for block in stream) == 1
            said = ["left out: 'when': it holds duration[s] (--keep takes it)"] if settings is LABELLED else []
            assert stream.assumed == said
    pq.write_table(pa.table({"y": [1, 1], "t": [0.5, float("inf")]}), path)
    with (
        pytest.raises(BadData, match="'inf' in the numeric column 't'") as error,
        open_stream(path, LABELLED) as stream,
    ):
        list(stream)
    assert error.value.line == 2


def test_dates_times_and_ids_of_types_are_those_of_texts(tmp_path: Path) -> None:
    """A typed column means what the same cells mean in a CSV file."""
    days = [datetime(2024, 1, 28, 10, 30) + timedelta(hours=31 * k) for k in range(60)]
    table = pa.table(
        {
            "y": [0, 1] * 30,
            "id": list(range(60)),
            "code": [f"a{k}" for k in range(60)],
            "at": pa.array(days, pa.timestamp("us", "UTC")),
            "day": pa.array([day.date() for day in days], pa.date32()),
            "clock": pa.array([day.time() for day in days], pa.time64("us")),
            "written": [str(day) for day in days],
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    columns = table.set_column(3, "at", table["at"].cast(pa.string()))
    pyarrow.csv.write_csv(columns, tmp_path / "t.csv")
    found = []
    for name in ("t.parquet", "t.csv"):
        with open_stream(tmp_path / name, LABELLED) as stream:
            blocks = [(block.columns.texts(), block.keys[: block.indptr[block.rows]]) for block in stream]
            found.append([names[key] for names, keys in blocks for key in keys])
            assert stream.settings["kinds"] == {
                "at": "moment:ymd", "day": "moment:ymd", "clock": "moment:clock", "written": "moment:ymd",
            }  # fmt: skip
            assert len(stream.assumed) >= 2
    assert found[0] == found[1]


def test_a_number_as_a_name_does_not_depend_on_its_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    codes = [3.0, 123456789012.0, 0.5, None, 123456789012.0, float("nan"), -0.0]
    pq.write_table(pa.table({"y": [1] * 7, "c": codes}), path)
    for block in (1, 128, 1 << 20):
        with open_stream(path, {**LABELLED, "nominal": ["c"]}, block_bytes=block) as stream:
            names = [b.name(k) for b in stream for k in range(b.indptr[b.rows])]
        assert names == ["c=3", "c=123456789012", "c=0.5", "c=123456789012", "c=0"]


def test_kinds_may_be_told_where_there_are_types(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"y": [1, 0], "zip": [10115, 20095], "n": ["1.5", None], "t": [True, None]}), path)
    with open_stream(path, {**LABELLED, "nominal": ["zip"], "numeric": ["n"]}) as stream:
        (block,) = stream
        assert block.columns is not None
        assert block.columns.texts() == ["zip=10115", "zip=20095", "n", "t=true"]


@pytest.mark.parametrize("codes", [["01067", "80331"], ["7", "12"]])
def test_digits_that_were_saved_as_texts_are_codes(tmp_path: Path, codes: list[str]) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"y": [1, 0], "zip": codes, "price": ["$1,200", "$7"]}), path)
    with open_stream(path, LABELLED) as stream:
        (block,) = stream
        assert stream.settings["kinds"] == {"zip": "nominal", "price": "numeric:."}
        assert block.columns is not None
        assert block.columns.texts() == [f"zip={codes[0]}", f"zip={codes[1]}", "price"]
