"""Tables with passes, caches, another order, rows held out, hashing and checkpoints."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run
from cli.rows import write_table
from cli.test_resume import interrupt_at_block, small_blocks
from mistakebound import io as streams
from mistakebound.core import model_file
from zstd_module import zstd

ASKED = ("--label", "label", "--labels", "no,yes", "--weights", "w", "--learner", "perceptron")
FORMS = ("plain", "tabs", "gzip", "zstd", "several")
OPTIONS: list[tuple[object, ...]] = [
    ("--passes", 2, "--nominal", "n"),
    ("--bins", 3, "--passes", 2),
    ("--shuffle", "--seed", 3, "--passes", 2),
    ("--holdout", "1/7", "--threads", 3),
    ("--hash", 8, "--passes", 2),
    ("--ignore", "user=u1*", "--hash", 6, "--shuffle"),
    ("--ignore", "user", "--bins", "n=4"),
]


def files(folder: Path, form: str, rows: int = 1500) -> list[Path]:
    table = write_table(folder / "t.csv", rows)
    text = table.read_text()
    if form == "tabs":
        (folder / "t.tsv").write_text(text.replace(",", "\t"))
        return [folder / "t.tsv"]
    if form == "gzip":
        (folder / "t.csv.gz").write_bytes(gzip.compress(text.encode(), 1))
        return [folder / "t.csv.gz"]
    if form == "zstd":
        (folder / "t.csv.zst").write_bytes(zstd.compress(text.encode()))
        return [folder / "t.csv.zst"]
    if form == "several":
        head, *lines = text.splitlines(keepends=True)
        parts = [folder / f"part{k}.csv" for k in range(3)]
        cuts = [0, 1100, 1300, rows]  # the first has the cells that decide kinds and bins
        for path, first, last in zip(parts, cuts, cuts[1:], strict=False):
            path.write_text(head + "".join(lines[first:last]).rstrip("\n"))
        return parts
    return [table]


def learned(path: Path) -> tuple[dict[str, Any], Any]:
    """What a model learned, whatever the form of its files."""
    header, arrays = model_file.read(path)
    header["reader"].pop("format")
    return {name: value for name, value in header.items() if name != "position"}, arrays


@pytest.mark.some(3)
@pytest.mark.parametrize("options", OPTIONS, ids=lambda words: "".join(map(str, words)))
def test_every_form_and_the_cache_give_one_model(run: Run, tmp_path: Path, options: tuple[object, ...]) -> None:
    found = []
    for form in FORMS:
        paths = files(tmp_path, form)
        for cache in ((), (f"--cache={tmp_path / form}.mbcache",), (f"--cache={tmp_path / form}.mbcache",)):
            words = (*paths, *ASKED, *options, *cache, "--model", tmp_path / "m.mb", "--json")
            result = run("learn", *words)
            assert (result.code, result.err) == (0, ""), (form, cache)
            counts = {k: v for k, v in result.json.items() if k not in ("seconds", "memory")}
            found.append((learned(tmp_path / "m.mb"), counts))
    assert all(one == found[0] for one in found[1:])
    assert found[0][1]["mistakes"] > 0


@pytest.mark.some(4)
@pytest.mark.parametrize("cache", [(), ("--cache",)], ids=["text", "cache"])
@pytest.mark.parametrize("form", FORMS)
def test_interrupted_and_resumed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, cache: tuple[str, ...], long: bool
) -> None:
    chance = random.Random(form)
    for options in OPTIONS if long else OPTIONS[(FORMS.index(form) + len(cache)) % 3 :: 3]:
        model = tmp_path / "m.mb"
        words = ("learn", *files(tmp_path, form), *ASKED, *options, *cache, "--model", model)
        small_blocks(monkeypatch, 6000)
        assert run(*words, "--quiet").code == 0
        whole = model.read_bytes()
        model.unlink()
        interrupt_at_block(monkeypatch, 1 if "--shuffle" in options else chance.randrange(1, 6))
        assert run(*words).code == 130
        monkeypatch.undo()
        assert model.read_bytes() != whole
        small_blocks(monkeypatch, 6000)
        again = run(*words, "--resume", "--json")
        assert (again.code, again.json["resumed"]) == (0, True), again.err
        assert model.read_bytes() == whole, options
        monkeypatch.undo()


def test_a_cache_of_a_table_refuses_what_it_does_not_hold(run: Run, tmp_path: Path) -> None:
    (table,) = files(tmp_path, "plain")
    cache, model = tmp_path / "t.csv.mbcache", tmp_path / "m.mb"
    assert run("learn", table, *ASKED, "--bins", 3, "--cache", "--model", model).code == 0
    same = ("--label", "label", "--labels", "no,yes", "--learner", "perceptron")
    assert run("learn", cache, *same, "--bins", 3, "--nominal", "colour", "--numeric", "n,degrees").code == 0
    assert run("eval", model, cache).code == 0
    for words, message in (
        (("--bins", 4), "made with bins {'degrees': "),
        (("--nominal", "n"), "made with nominal None, not with ['n']"),
        (("--label", "colour"), "made with label 'label', not with 'colour'"),
    ):
        result = run("learn", cache, *same, *words)
        assert (result.code, message in result.err) == (3, True), result.err
    other = tmp_path / "other.mb"
    assert run("learn", table, *ASKED, "--model", other).code == 0
    result = run("eval", other, cache)
    assert result.code == 3
    assert "not with None" in result.err


def test_another_table_as_rows_held_out(run: Run, tmp_path: Path) -> None:
    (table,) = files(tmp_path, "plain")
    head, *lines = table.read_text().splitlines()
    turned = [",".join(reversed(line.split(","))) for line in (head, *lines[:200])]
    (tmp_path / "held.csv").write_text("\n".join(turned))
    words = ("learn", table, *ASKED, "--bins", 3, "--passes", 2, "--json", "--holdout")
    held = run(*words, tmp_path / "held.csv").json["holdout"]
    assert [one["rows"] for one in held] == [200, 200]
    (tmp_path / "held.csv").write_text("colour,label\nred,yes\n")
    result = run(*words, tmp_path / "held.csv")
    assert (result.code, "it lacks 'w'" in result.err) == (3, True), result.err


def test_collisions_after_resuming_are_of_the_rows_since(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (table,) = files(tmp_path, "plain")
    words = ("learn", table, *ASKED, "--hash", 6, "--model", tmp_path / "m.mb")
    small_blocks(monkeypatch, 6000)
    whole = run(*words, "--json").json["collisions"]
    (tmp_path / "m.mb").unlink()
    interrupt_at_block(monkeypatch, 2)
    run(*words)
    monkeypatch.undo()
    half = (tmp_path / "m.mb").read_bytes()
    rows = model_file.read(tmp_path / "m.mb")[0]["position"]["rows"]
    found = run(*words, "--resume", "--json").json["collisions"]
    assert found.pop("first_row") == rows + 1 > 1
    settings = {"label": "label", "weights": "w", "hash": 6}
    tail = tmp_path / "tail.csv"
    head, *lines = table.read_text().splitlines(keepends=True)
    tail.write_text(head + "".join(lines[rows:]))
    with streams.open_stream(tail, settings) as reader:
        assert sum(block.rows for block in reader) == 1500 - rows
        assert found == reader.collisions() != whole
    (tmp_path / "m.mb").write_bytes(half)
    out = " ".join(run(*words, "--resume").out.split())
    assert f"counted from row {rows + 1:,} on, where the work was resumed" in out
    assert f"{found['buckets']} of 64 buckets in use, {found['shared_buckets']} by several names" in out
