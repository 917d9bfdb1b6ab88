"""`explain` for one instance of a model whose reader hashes names or ignores some: as a row of a stream is read."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from cli.conftest import Run
from naive.hashing import Entries, bucket, hashed_row


def write(path: Path, rows: list[tuple[int, Entries]]) -> Path:
    lines = [f"{label} | {' '.join(f'{name}:{value:g}' for name, value in entries)}" for label, entries in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def some_rows(binary: bool, count: int = 60) -> list[tuple[int, Entries]]:
    chance = random.Random(3)
    rows = []
    for _ in range(count):
        names = chance.sample([*(f"w{k}" for k in range(40)), *(str(k) for k in range(20)), "user_1", "user_2"], 9)
        values = [1.0 if binary else chance.choice([1.0, 0.5, -2.0, 3.0]) for _ in names]
        rows.append((1 if "w7" in names or "3" in names else -1, list(zip(names, values, strict=True))))
    return rows


@pytest.mark.parametrize(
    ("learner", "bits"), [("perceptron", 1), ("perceptron", 5), ("winnow2", 6), ("disjunction-elimination", 7)]
)
def test_an_instance_is_hashed_as_a_row(run: Run, tmp_path: Path, learner: str, bits: int) -> None:
    rows = some_rows(learner != "perceptron")
    stream, model = write(tmp_path / "rows.vw", rows), tmp_path / "m.mb"
    words = ("learn", stream, "--learner", learner, "--hash", bits, "--ignore", "user_*", "--cache", "--model", model)
    assert run(*words).code == 0
    predicted = run("predict", model, stream).out.split()
    assert len(set(predicted)) == 2 or bits == 1
    for number, (_, entries) in enumerate(rows, 1):
        given = run("explain", model, "--instance-json", json.dumps(dict(entries)), "--top", 99, "--json").json
        assert f"{given['prediction']:+d}" == f"{int(predicted[number - 1]):+d}"
        kept = [(name, value) for name, value in entries if not name.startswith("user_")]
        row = hashed_row(kept, bits)
        assert row is not None
        assert {term["bucket"]: term["value"] for term in given["terms"]} == {k: v for k, v in row if v}
        for term in given["terms"]:
            assert term["name"].split(" + ") == [name for name, _ in kept if bucket(name, bits) == term["bucket"]]
            assert f"bucket {term['bucket']}" in term["note"]
        assert ("ignored, as in the stream: user_" in given["remark"]) == (len(kept) < len(entries))
        if number < 6:
            row_of_file = run("explain", model, stream, "--row", number, "--top", 99, "--json").json
            assert row_of_file["terms"] == given["terms"]
            cached = run("explain", model, f"{stream}.mbcache", "--row", number, "--top", 99, "--json").json
            assert cached["total"] == given["total"]
            assert [term["name"] for term in cached["terms"]] == [f"bucket {term['bucket']}" for term in given["terms"]]


def test_literals_that_the_instance_lacks_have_no_name(run: Run, tmp_path: Path) -> None:
    stream = write(tmp_path / "rows.vw", [(1, [("a", 1.0), ("b", 1.0)]), (-1, [("a", 1.0), ("c", 1.0)])])
    model = tmp_path / "m.mb"
    assert run("learn", stream, "--learner", "conjunction-elimination", "--hash", 20, "--model", model).code == 0
    terms = run("explain", model, "--instance", "a new", "--json").json["terms"]
    found = {term["name"]: term for term in terms}
    assert found[f"bucket {bucket('b', 20)}"]["note"] == "must be on"
    assert found["a"]["note"] == f"bucket {bucket('a', 20)}"
    assert found["~new"]["note"] == f"bucket {bucket('new', 20)}, never seen: must be off"


def test_what_is_ignored_is_said(run: Run, tmp_path: Path) -> None:
    stream, model = write(tmp_path / "rows.vw", some_rows(True)), tmp_path / "m.mb"
    assert run("learn", stream, "--fast", "--ignore", "user_*", "--model", model).code == 0
    with_it, without = (run("explain", model, "--instance", text) for text in ("w7 user_1 user_9", "w7"))
    assert "ignored, as in the stream: user_1, user_9" in with_it.out
    assert [line for line in with_it.out.splitlines() if "ignored" not in line] == without.out.splitlines()
    assert "ignored" not in without.out


def test_sums_that_are_no_numbers_are_refused(run: Run, tmp_path: Path) -> None:
    stream, model = write(tmp_path / "rows.vw", some_rows(False)), tmp_path / "m.mb"
    assert run("learn", stream, "--learner", "perceptron", "--hash", 1, "--model", model).code == 0
    same = [name for name in ("w1", "w2", "w3", "w4") if bucket(name, 1) == 1]
    assert len(same) >= 2
    result = run("explain", model, "--instance", " ".join(f"{name}:1e308" for name in same))
    assert (result.code, "have no finite sum" in result.err) == (3, True)


TRANSFORMS = {
    "cross": ["--cross", "2"],
    "negate": ["--negate", "--attributes", "256"],
    "both": ["--cross", "2", "--negate", "--attributes", "256"],
    "standardize": ["--standardize"],
    "conjunction": ["--reduce", "conjunction", "--attributes", "256"],
    "list": ["--reduce", "decision-list", "--attributes", "256", "--assume", "rules=2"],
}


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("bits", [2, pytest.param(4, marks=pytest.mark.long)])
def test_every_command_takes_hashed_names_behind_a_transform(
    run: Run, tmp_path: Path, transform: str, bits: int
) -> None:
    words = [str(min(256, 1 << bits)) if word == "256" else word for word in TRANSFORMS[transform]]
    learner = "perceptron" if transform == "standardize" else "winnow2"
    rows = [(label, [(f"w{k}", 1.0) for k in names]) for label, names in ((1, (1, 2)), (-1, (2, 3)), (1, (1, 4)))]
    stream, model = write(tmp_path / "rows.vw", rows), tmp_path / "m.mb"
    assert run("learn", stream, "--learner", learner, "--hash", bits, *words, "--cache", "--model", model).code == 0
    predicted = [int(line) for line in run("predict", model, stream).out.split()]
    for number, (_, entries) in enumerate(rows, 1):
        for source in (stream, f"{stream}.mbcache"):
            asked = ("explain", model, source, "--row", number, "--top", 999)
            said = run(*asked, "--json").json
            assert said["prediction"] == predicted[number - 1]
            assert sum(term["amount"] for term in said["terms"]) + (said["bias"] or 0.0) == pytest.approx(said["total"])
            buckets = {bucket(name, bits) for name, _ in entries}
            for term in said["terms"]:
                found = term.get("buckets", [term.get("bucket")])
                assert transform != "cross" or {*found} <= buckets
                assert len(found) == 1 + term["name"].count(" & ") - term["name"].count("'unseen ")
            assert run(*asked).code == 0
    for asked in (
        ("explain", model),
        ("explain", model, "--header"),
        ("eval", model, stream),
        ("explain", model, stream),
    ):
        assert run(*asked).code == 0
        assert run(*asked, "--json").code == 0


def test_a_conjunction_of_buckets_is_one_of_names(run: Run, tmp_path: Path) -> None:
    stream = write(tmp_path / "rows.vw", [(1, [("a", 1.0), ("c", 1.0)]), (-1, [("c", 1.0)])])
    model = tmp_path / "m.mb"
    assert run("learn", stream, "--learner", "winnow2", "--hash", 20, "--cross", 2, "--model", model).code == 0
    terms = {term["name"]: term for term in run("explain", model, stream, "--row", 1, "--json").json["terms"]}
    a, c = bucket("a", 20), bucket("c", 20)
    first, second = ("a", "c") if a < c else ("c", "a")
    assert {*terms} == {"a", "c", f"{first} & {second}"}
    both = terms[f"{first} & {second}"]
    assert both["buckets"] == sorted([a, c])
    assert both["note"].startswith(f"buckets {min(a, c)} and {max(a, c)}")
    assert terms["a"]["bucket"] == a
