from __future__ import annotations

from math import log2

from mistakebound.concepts import parse, parse_class
from mistakebound.theory import halving_worst_case, opt


def test_all_numbers(run):
    data = run("measure", "monotone-disjunctions n=6 k=2", "--json").json
    assert [data[name]["value"] for name in ("vc", "opt", "halving", "queries", "teaching")] == [4, 4, 4, 5, 2]
    assert (data["concepts"], data["instances"]) == (22, 64)
    assert [(b["of"], b["value"]) for b in data["lower_bounds"]] == [("opt", 2), ("opt", (1 + log2(3)) / 4)]
    text = run("measure", "monotone-disjunctions", "n=6", "k=2").out
    for line in ("VC dimension   4", "opt            4", "halving        4", "query depth    5", "teaching dim.  2"):
        assert line in text
    assert "Littlestone: opt >= k floor(log2(n/k)) = 2" in text
    assert max(map(len, text.splitlines())) < 80


def test_witnesses_as_data(run):
    C = parse_class("monotone-disjunctions n=4 k=2")
    data = run("measure", str(C), "--witness", "all", "--json").json
    assert all(data[name]["verified"] for name in ("vc", "opt", "halving", "queries", "teaching"))
    assert len({tuple(f(tuple(x)) for x in data["vc"]["witness"]) for f in C}) == 8
    target = parse(data["halving"]["witness"]["target"])
    assert all(target(tuple(x)) == label for x, label in data["halving"]["witness"]["sequence"])
    for f in C:
        place = 0
        nodes = data["queries"]["witness"]
        while "then" in nodes[place]:
            place = nodes[place]["then"][f(tuple(nodes[place]["instance"]))]
        assert nodes[place]["concept"] == str(f)
    assert [entry["concept"] for entry in data["teaching"]["witness"]] == [str(f) for f in C]


def test_witnesses_in_words(run):
    out = run("measure", "intervals m=6", "--witness", "all").out
    assert "the class shatters {1, 2}" in out
    assert "4 mistakes are forced by" in out
    assert "hardest to teach is x1 in {}" in out
    assert "and 2 more (all with --json)" in out
    assert out.count("3?") >= 2
    assert "VC dimension" not in run("measure", "intervals m=6", "--only", "opt").out


def test_variants_of_halving(run):
    rows = "finite rows=" + ",".join(f"{row:05b}" for row in (0, 3, 5, 6, 9, 17, 30, 12, 10))
    for tie in (0, 1):
        for prune in ("always", "mistakes"):
            data = run("measure", rows, "--only", "halving", "--tie", tie, "--prune", prune, "--json").json
            assert data["halving"]["value"] == halving_worst_case(parse_class(rows), tie=tie, prune=prune).value


def test_out_of_time(run):
    out = run("measure", "conjunctions n=5", "--only", "queries", "--timeout", "0").out
    assert "(out of time)" in out
    assert run("measure", "conjunctions n=5", "--only", "queries", "--witness", "queries", "--timeout", "0").code == 0


def test_an_empty_class(run):
    result = run("measure", "finite rows=")
    assert result.code == 2
    assert "an empty class" in result.err


def test_measured_on_the_command_line(run, tmp_path):
    path = tmp_path / "class.csv"
    path.write_text("x,y,z\n0,0,0\n0,0,1\n0,1,1\n1,1,1\n")
    numbers = ["--only", "opt", "--only", "randomized", "--only", "recursive", "--only", "vc"]
    data = run("measure", str(path), *numbers, "--witness", "all", "--json").json
    assert (data["opt"]["value"], data["randomized"]["value"], data["recursive"]["value"]) == (2, "1", 1)
    assert all(data[name]["verified"] for name in ("opt", "randomized", "recursive", "vc"))
    assert data["randomized"]["witness"]["instance"] == "y"
    text = run("measure", str(path), *numbers, "--witness", "all").out
    assert "a mistake tree of average depth 2, verified" in text
    assert "randomized opt" in text


def test_random_classes(run, tmp_path):
    words = ["measure", "--random", "20", "--concepts", "6", "--instances", "4", "--only", "vc", "--only", "opt"]
    text = run(*words).out
    assert text.startswith("20 random classes of 6 concepts on 4 instances\n")
    assert "vc \\ opt" in text
    data = run(*words, "--json", "--seed", "1").json
    assert len(data["classes"]) == 20
    for row in data["classes"][:3]:
        assert row["opt"] == opt(row["class"]).value
    picture = tmp_path / "survey.svg"
    assert run(*words, "--plot", picture).code == 0
    assert "20 classes" in picture.read_text()


def test_random_classes_are_drawn(run):
    assert "leave CLASS out" in run("measure", "conjunctions n=2", "--random", "3").err
    assert "name two at least" in run("measure", "--random", "3", "--only", "vc").err
    assert "CLASS must be given" in run("measure").err
