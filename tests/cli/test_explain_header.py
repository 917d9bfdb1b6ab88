from __future__ import annotations

from pathlib import Path

import pytest

from mistakebound.core import model_file


def test_json(run, model, stream):
    found = run("explain", model, "--header", "--json").json
    assert (found["learner"], found["format"], found["bytes"]) == ("winnow1", 1, model.stat().st_size)
    assert found["parameters"]["n"] == 4
    assert found["labels"]["spelling"] == ["-1", "+1"]
    assert found["reader"] == {"format": "libsvm"}
    place = {"file": 0, "source": str(stream), "line": 6, "offset": stream.stat().st_size, "rows": 6, "skipped": 0}
    assert found["position"].items() >= place.items()
    assert found["ledger"]["trials"] == 6
    assert found["assumptions"] == {"k": 1}
    assert {"name": "attributes.keys", "type": "I", "count": 4, "bytes": 16} in found["arrays"]


def test_text(run, model):
    out = run("explain", model, "--header").out
    for part in ("negative -1, positive +1", "trials       6", "k = 1", "format = libsvm", "attributes.keys"):
        assert part in out


@pytest.mark.parametrize("damage", ["truncated", "altered", "foreign", "newer", "missing", "empty"])
@pytest.mark.parametrize("command", ["--header", "explain", "predict", "eval", "learn"])
def test_a_bad_model_is_exit_4_and_one_sentence(run, model, stream, tmp_path: Path, damage, command):
    data = model.read_bytes()
    bad = tmp_path / "bad.mb"
    if damage != "missing":
        bad.write_bytes(
            {
                "truncated": data[:-9],
                "altered": data[:40] + bytes([data[40] ^ 1]) + data[41:],
                "foreign": b"PK\x03\x04" + data,
                "newer": data[:8] + (99).to_bytes(4, "little") + data[12:],
                "empty": b"",
            }[damage]
        )
    words = {
        "--header": ["explain", bad, "--header"],
        "explain": ["explain", bad],
        "learn": ["learn", stream, "--from", bad],
    }
    result = run(*words.get(command, [command, bad, stream]))
    assert (result.code, result.out) == (4, "")
    assert result.err.startswith("mistakebound: ")
    assert result.err.count("\n") == 1
    assert str(bad) in result.err


def test_a_header_that_makes_no_sense_is_a_bad_model(run, model):
    header, arrays = model_file.read(model)
    for changes in ({"ledger": True}, {"learner": 1}, {"reader": []}):
        model_file.write(model, header | changes, arrays)
        result = run("explain", model, "--header")
        assert (result.code, result.out) == (4, ""), changes
