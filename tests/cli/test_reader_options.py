"""How a stream is read, from the command line: formats, what a model remembers, what it refuses."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.test_resume import small_blocks
from mistakebound.cli.settings import settings_from
from mistakebound.core import model_file
from mistakebound.core.errors import BadParameter
from zstd_module import zstd

VW = "1 'a |f free money:2\n-1 | cat |f dog\n1 |f free cat\n-1 2.5 |f dog\n"


def named(folder: Path, name: str, text: str | bytes = VW) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.fixture
def vw_model(run, tmp_path: Path) -> Path:
    path = tmp_path / "vw.mb"
    assert run("learn", named(tmp_path, "train.vw"), "--learner", "perceptron", "--model", path, "--quiet").code == 0
    return path


def test_vw_from_end_to_end(run, tmp_path: Path, vw_model: Path):
    found = run("explain", vw_model, "--json").json
    names = {attribute["name"] for attribute in found["attributes"]}
    assert names <= {"f^free", "f^money", "cat", "f^dog", "f^cat"}
    assert "f^free" in names
    assert model_file.read(vw_model)[0]["reader"] == {"format": "vw"}
    for pack, ending in ((bytes, ""), (gzip.compress, ".gz"), (zstd.compress, ".zst")):
        unlabelled = named(tmp_path, "new.vw" + ending, pack(b"|f free\n\n|f dog\n"))
        assert run("predict", vw_model, unlabelled).out == "1\n-1\n"
    held = named(tmp_path, "held")  # by its first line
    assert run("eval", vw_model, held, "--json").json["trials"] == 4
    more = run("learn", held, "--from", vw_model, "--model", tmp_path / "more.mb", "--json")
    assert more.json["trials"] == 8
    assert model_file.read(tmp_path / "more.mb")[0]["reader"] == {"format": "vw"}


def test_standard_input_is_sniffed(run, monkeypatch, vw_model: Path):
    read, write = os.pipe()
    os.write(write, VW.encode())
    os.close(write)
    with open(read, "rb") as pipe:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
        assert run("eval", vw_model, "-", "--json").json["trials"] == 4


@pytest.mark.parametrize("command", ["predict", "eval"])
def test_a_file_of_another_format_is_refused_with_both_named(run, tmp_path, stream, model, vw_model, command):
    result = run(command, vw_model, stream)
    assert (result.code, result.out) == (3, "")
    assert result.err == f"mistakebound: {stream}: the name says libsvm, but the model was learned from vw\n"
    unnamed = named(tmp_path, "data")
    result = run(command, model, unnamed)
    assert result.code == 3
    assert result.err == f"mistakebound: {unnamed}: the first line says vw, but the model was learned from libsvm\n"
    result = run(command, model, unnamed, "--format", "vw")
    assert result.code == 2
    assert result.err == "mistakebound: --format must match the model, which was learned from libsvm: 'vw'\n"
    odd = named(tmp_path, "odd.vw", "+1 3:1\n-1 2:1\n")  # whoever names the format means it
    assert run(command, model, odd, "--format", "libsvm").code == 0


def test_going_on_refuses_too(run, stream, vw_model):
    result = run("learn", stream, "--from", vw_model)
    assert result.code == 3
    assert "the name says libsvm, but the model was learned from vw" in result.err
    result = run("learn", stream, "--from", vw_model, "--hash", 4)
    assert result.code == 2
    assert result.err == "mistakebound: --hash must match the model, which has none: 4\n"


def test_a_format_that_cannot_be_told(run, tmp_path):
    result = run("learn", named(tmp_path, "data", "one two\n"))
    assert result.code == 2
    assert "--format must be given (libsvm or vw or csv or tsv): neither the name of " in result.err


def test_hashing_and_dropping_are_remembered(run, tmp_path):
    train, path = named(tmp_path, "train.vw"), tmp_path / "hashed.mb"
    words = ("--hash", 6, "--ignore", "f^mon*", "--ignore", "cat", "--learner", "perceptron")
    assert run("learn", train, *words, "--model", path, "--quiet").code == 0
    remembered = {"format": "vw", "hash": 6, "ignore": ["cat", "f^mon*"]}
    assert model_file.read(path)[0]["reader"] == remembered
    attributes = run("explain", path, "--json").json["attributes"]
    assert {attribute["name"] for attribute in attributes} <= {str(k) for k in range(1, 65)}
    assert run("predict", path, named(tmp_path, "new.vw", "|f free\n|f dog\n")).out == "1\n-1\n"
    assert run("eval", path, train, "--hash", 6, "--json").json["trials"] == 4
    for given, message in [
        (("--hash", 7), "--hash must match the model, which has 6: 7"),
        (("--ignore", "x"), "--ignore must match the model, which has ['cat', 'f^mon*']: ['x']"),
    ]:
        result = run("eval", path, train, *given)
        assert (result.code, result.err) == (2, f"mistakebound: {message}\n")
    one = run("learn", train, "--ignore", "*", "--learner", "perceptron", "--json").json
    assert one["attributes"] == 0


def test_several_files_predicted_and_measured_as_one(run, tmp_path, vw_model):
    one, two = named(tmp_path, "one.vw", "|f free"), named(tmp_path, "two.vw", "|f dog\n|f free:x\n")
    result = run("predict", vw_model, one, two, "--json")
    assert [json.loads(line)["line"] for line in result.out.splitlines()] == [1, 1]
    assert [json.loads(line)["file"] for line in result.out.splitlines()] == [str(one), str(two)]
    assert result.err.startswith(f"mistakebound: {two}:2: the value 'x' of attribute 'free'")
    assert "file" not in json.loads(run("predict", vw_model, one, "--json").out)
    assert run("eval", vw_model, named(tmp_path, "a.vw"), named(tmp_path, "b.vw"), "--json").json["trials"] == 8


@pytest.mark.parametrize("option", ["--label", "--weights", "--nominal", "--numeric", "--bins"])
def test_options_of_tables_are_refused_elsewhere(run, stream, option):
    result = run("learn", stream, option, "5")
    assert result.code == 2
    assert result.err.startswith(f"mistakebound: {option[2:]} is only for csv, tsv, arff, parquet, arrow")
    assert result.err.endswith(f"; {stream} is libsvm\n")


def options(**given: Any) -> Any:
    plain = dict.fromkeys(("label", "weights", "hash", "ngrams")) | {"format": "auto", "keep_case": False}
    more = {"keep_punctuation": False, "nominal": [], "numeric": [], "bins": [], "ignore": [], "keep": []}
    more |= {"no_header": False} | dict.fromkeys(("delimiter", "columns", "missing"))
    return SimpleNamespace(**plain | more | given)


def test_settings_of_a_table():
    given = options(label="y", weights="w", nominal=["a,b", '"c,d",e'], numeric=["f"], bins=["4"])
    wanted = {"format": "auto", "label": "y", "weights": "w", "nominal": ["a", "b", "c,d", "e"], "numeric": ["f"]}
    assert settings_from(given, None) == wanted | {"bins": 4}
    assert settings_from(options(bins=["a=3", "b=c=4"]), None)["bins"] == {"a": 3, "b=c": 4}


@pytest.mark.parametrize("bins", [["1"], ["a="], ["=3"], ["a=x"], ["3", "a=4"], ["x"], ["²"]])
def test_bins_that_cannot_be(bins: list[str]):
    with pytest.raises(BadParameter, match=r"^--bins must be "):
        settings_from(options(bins=bins), None)


def test_what_a_model_remembers_of_a_table():
    kinds = {"age": "numeric", "colour": "nominal"}
    remembered = {
        "format": "csv",
        "label": "y",
        "columns": ["age", "colour", "y"],
        "kinds": kinds,
        "bins": {"age": [1.5]},
    }
    assert settings_from(options(), remembered) == remembered | {"remembered": True}
    same = options(format="csv", label="y", nominal=["colour"], numeric=["age"])
    assert settings_from(same, remembered) == remembered
    for given, message in [
        (options(label="z"), "--label must match the model, which has 'y': 'z'"),
        (options(weights="w"), "--weights must match the model, which has none: 'w'"),
        (options(nominal=["age"]), "--nominal must match the model, in which 'age' is numeric: 'age'"),
        (options(numeric=["size"]), "--numeric must match the model, in which 'size' is unknown: 'size'"),
        (options(bins=["3"]), "--bins cannot be changed, because the model has its own: 3"),
    ]:
        with pytest.raises(BadParameter) as e:
            settings_from(given, remembered)
        assert str(e.value) == message


@pytest.mark.some(1)
@pytest.mark.parametrize("words", [(), ("--hash", 9), ("--ignore", "n^*3*", "--ignore", "1?")])
def test_threads_and_files_do_not_change_a_byte(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[Any, ...], long: bool
):
    small_blocks(monkeypatch, 1 << 20 if long else 9000)
    chance, part = random.Random(3), 2000 if long else 500
    lines = []
    for _ in range(3 * part):
        names = chance.sample(range(1, 3000), 12)
        label = 1 if min(names) < 200 else -1
        lines.append(f"{label} | {' '.join(map(str, names[:6]))} |n {' '.join(f'name_{k}' for k in names[6:])}\n")
    whole = [named(tmp_path, "whole.vw", "".join(lines))]
    parts = [named(tmp_path, f"{k}.vw", "".join(lines[part * k : part * k + part])) for k in range(3)]
    models = []
    ways = ((whole, 1), (whole, 3), (parts, 3), (whole, 2), (parts, 1))
    for files, threads in ways if long else ways[:3]:
        model = tmp_path / "out.mb"
        assert run("learn", *files, *words, "--threads", threads, "--model", model, "--quiet").code == 0
        header, arrays = model_file.read(model)
        models.append(({name: value for name, value in header.items() if name != "position"}, arrays))
    assert all(model == models[0] for model in models)
