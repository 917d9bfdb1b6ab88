"""Small files as people have them: one command each, what is said about them, and what was learned."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb
from cli.conftest import Run
from mistakebound.io.dialect import detect
from mistakebound.io.dressed import mark_of
from mistakebound.io.memory import TextInMemory
from mistakebound.io.moments import part_of_cell
from mistakebound.io.rewritten import Rewritten

LAST = "label: column '{}', the last one (--label takes another)"


def rows(count: int = 60, seed: int = 1) -> list[tuple[str, int, float, str]]:
    """colour, size, price, label."""
    chance, found = random.Random(seed), []
    for _ in range(count):
        colour, size, price = chance.choice(["red", "green", "blue"]), chance.randrange(40), round(chance.random(), 3)
        found.append((colour, size, price, "yes" if colour == "red" or size > 30 else "no"))
    return found


def table(
    delimiter: str = ",", header: str | None = "colour,size,price,bought", end: str = "\n", count: int = 60
) -> str:
    lines = [] if header is None else [header.replace(",", delimiter)]
    return end.join([*lines, *(delimiter.join(map(str, row)) for row in rows(count))]) + end


def column(name: str, make: Any, count: int = 60) -> str:
    """The table with one more column in front."""
    lines = table(count=count).splitlines()
    return "\n".join([f"{name},{lines[0]}", *(f"{make(k)},{line}" for k, line in enumerate(lines[1:]))]) + "\n"


BOUGHT, C4 = LAST.format("bought"), LAST.format("c4")
NO_HEADER = "header: none, so the columns are called c1, c2, c3, c4"
WORDS = "of this very shop and of no other in all of the town"
PAIR = "labels: no, yes (positive: yes)"
FILES: dict[str, tuple[str | bytes, list[str]]] = {
    "plain.csv": (table(), [BOUGHT]),
    "crlf.csv": (table(end="\r\n"), [BOUGHT]),
    "cr.csv": (table(end="\r"), [BOUGHT]),
    "crcrlf.csv": (table(end="\r\r\n"), [BOUGHT]),
    "bom.csv": (b"\xef\xbb\xbf" + table().encode(), [BOUGHT]),
    "semicolon.csv": (table(";"), ["delimiter: ;", BOUGHT]),
    "semicolon-bom.csv": (b"\xef\xbb\xbf" + table(";").encode(), ["delimiter: ;", BOUGHT]),
    "tab.csv": (table("\t"), ["delimiter: a tab", BOUGHT]),
    "bars.csv": (table("|"), ["delimiter: |", BOUGHT]),
    "bars": (table("|"), ["delimiter: |", BOUGHT]),
    "blanks.csv": (table(" "), ["delimiter: a blank", BOUGHT]),
    "tabs.tsv": (table("\t"), [BOUGHT]),
    "tabs": (table("\t"), [BOUGHT]),
    "data": (table(), [BOUGHT]),
    "table.txt": (table(), [BOUGHT]),
    "table.data": (table(header=None), [NO_HEADER, C4]),
    "headless.csv": (table(header=None), [NO_HEADER, C4]),
    "headless-tab.csv": (table("\t", None), ["delimiter: a tab", NO_HEADER, C4]),
    "headless-bom.csv": (b"\xef\xbb\xbf" + table(header=None).encode(), [NO_HEADER, C4]),
    "headless-semicolon": (table(";", None), ["delimiter: ;", NO_HEADER, C4]),
    "utf16.csv": (table().encode("utf-16"), ["encoding: UTF-16", BOUGHT]),
    "utf16le.csv": (table().encode("utf-16-le"), ["encoding: UTF-16-LE", BOUGHT]),
    "utf16be.csv": (table(";").encode("utf-16-be"), ["encoding: UTF-16-BE", "delimiter: ;", BOUGHT]),
    "latin1.csv": (
        table().replace("green", "grün").replace("blue", "bleuâtre").encode("latin-1"), ["encoding: CP1252", BOUGHT],
    ),
    "latin1-pounds.csv": (table().replace("red", "£ 5").encode("latin-1"), ["encoding: CP1252", BOUGHT]),
    "latin1-two-letters.csv": (table().replace("size", "größe").encode("latin-1"), ["encoding: CP1252", BOUGHT]),
    "utf8.csv": (table().replace("green", "grün").replace("size", "größe"), [BOUGHT]),
    "quoted.csv": ("\n".join(",".join(f'"{c}"' for c in line.split(",")) for line in table().splitlines()), [BOUGHT]),
    "single-quotes.csv": (
        "\n".join(",".join(f"'{c}'" for c in line.split(",")) for line in table().splitlines()), ["quotes: '", BOUGHT],
    ),
    "blank-behind.csv": (
        "\n".join(", ".join(f'"{c}"' for c in line.split(",")) for line in table().splitlines()), [BOUGHT],
    ),
    "escaped.csv": (
        table().replace("green", '"gr\\"een"').replace("blue", '"bl\\"ue, light"'), [BOUGHT],
    ),
    "doubled.csv": (table().replace("green", '"gr""een"'), [BOUGHT]),
    "newline-in-cell.csv": (table().replace("green", '"gre\nen"'), [BOUGHT]),
    "comma-in-cell.csv": (table().replace("green", '"gre,en"'), [BOUGHT]),
    "preamble.csv": (
        "Sales of the year\n\n" + table(), ["header: after 2 lines that are not part of the table", BOUGHT],
    ),
    "preamble-padded.csv": (
        "REPORT,,,\n,,,\n" + table(), ["header: after 2 lines that are not part of the table", BOUGHT],
    ),
    "two-headers.csv": (
        table(header="colour,size,price,bought\nname,cm,euro,flag"),
        ["header: 2 lines, joined", LAST.format("bought flag")],
    ),
    "blank-lines.csv": (table().replace("\n", "\n\n"), [BOUGHT]),
    "trailing-blank-lines.csv": (table() + "\n\n\n", [BOUGHT]),
    "no-last-newline.csv": (table()[:-1], [BOUGHT]),
    "class-first.csv": (
        "class,a,b\n" + "".join(f"{r[3]},{r[0]},{r[1]}\n" for r in rows()), ["label: column 'class'"],
    ),
    "target.csv": (
        "Target;a\n" + "".join(f"{r[3]};{r[0]}\n" for r in rows()), ["delimiter: ;", "label: column 'Target'"],
    ),
    "y.csv": ("a,y,b\n" + "".join(f"{r[0]},{r[3]},{r[1]}\n" for r in rows()), ["label: column 'y'"]),
    "label.csv": ("y,label,b\n" + "".join(f"{r[0]},{r[3]},{r[1]}\n" for r in rows()), ["label: column 'label'"]),
    "gaps-last": (
        "".join(f"{r[3]},{r[0]},{'?' if k % 7 else 'n'}\n" for k, r in enumerate(rows())),
        ["header: none, so the columns are called c1, c2, c3",
         "label: column 'c1', the first one (--label takes another)"],
    ),
    "unnamed.csv": (
        column("", lambda k: k % 5), ["column 1 has no name: it is called 'column 1'", BOUGHT],
    ),
    "twice.csv": (
        table(header="colour,size,size,bought"),
        ["column 3 repeats the name of an earlier column: it is called 'size (2)'", BOUGHT],
    ),
    "index.csv": (
        column("", lambda k: k),
        ["column 1 has no name: it is called 'column 1'", BOUGHT,
         "left out: 'column 1': it counts up (--keep takes it)"],
    ),
    "id.csv": (
        column("id", lambda k: f"user-{k * 7919 % 1000:04}"),
        [BOUGHT, "left out: 'id': nearly every cell is new (--keep takes it)"],
    ),
    "text-column.csv": (
        column("note", lambda k: f'"order {k} came, and went"'),
        [BOUGHT, "left out: 'note': nearly every cell is new (--keep takes it)"],
    ),
    "epoch.csv": (
        column("time", lambda k: 1700000000 + 61 * k),
        [BOUGHT, "left out: 'time': it counts up (--keep takes it)"],
    ),
    "dates.csv": (column("day", lambda k: f"2024-0{k % 9 + 1}-1{k % 10}"), [BOUGHT]),
    "moments.csv": (column("at", lambda k: f"2024-01-{k % 28 + 1:02} {k % 24:02}:30:00"), [BOUGHT]),
    "german-dates.csv": (column("tag", lambda k: f"{k % 28 + 1}.0{k % 9 + 1}.2024"), [BOUGHT]),
    "us-dates.csv": (column("day", lambda k: f"{k % 12 + 1}/{k % 28 + 1}/2024"), [BOUGHT]),
    "clock.csv": (column("hour", lambda k: f"{k % 24}:{k % 60:02}"), [BOUGHT]),
    "zip.csv": (
        column("zip", lambda k: f"0{k % 6}123"),
        [BOUGHT, "nominal: 'zip', codes with leading zeros (--numeric takes numbers)"],
    ),
    "na.csv": (column("x", lambda k: "NA" if k % 9 == 0 else k % 5), [BOUGHT]),
    "many-na.csv": (column("x", lambda k: ["n/a", "null", "None", "NaN", "?", "-", "", "3", "5.5"][k % 9]), [BOUGHT]),
    "empty-column.csv": (column("x", lambda k: ""), [BOUGHT]),
    "one-value.csv": (column("x", lambda k: "same"), [BOUGHT]),
    "decimal-comma.csv": (
        table(";").replace("0.", "0,"), ["delimiter: ;", BOUGHT, "numbers: 'price', as in '0,847', which is 0.847"],
    ),
    "thousands.csv": (
        column("n", lambda k: f'"{1000 + 777 * (k % 50):,}"'), [BOUGHT, "numbers: 'n', as in '1,000', which is 1000"],
    ),
    "swiss.csv": (
        column("n", lambda k: f"{1000 + 777 * (k % 50):,}.50".replace(",", "'")),
        [BOUGHT, "numbers: 'n', as in \"1'000.50\", which is 1000.5"],
    ),
    "euro.csv": (
        column("n", lambda k: f'"{1000 + 777 * (k % 50):_},50 €"'.replace("_", ".")),
        [BOUGHT, "numbers: 'n', as in '1.000,50 €', which is 1000.5"],
    ),
    "dollars.csv": (
        column("n", lambda k: f'"${1000 + 777 * (k % 50):,}.25"'),
        [BOUGHT, "numbers: 'n', as in '$1,000.25', which is 1000.25"],
    ),
    "percent.csv": (column("n", lambda k: f"{k % 50}.5 %"), [BOUGHT, "numbers: 'n', as in '0.5 %', which is 0.5"]),
    "owed.csv": (
        column("n", lambda k: f"({k % 50}.5)" if k % 3 == 0 else f"{k}.5"),
        [BOUGHT, "numbers: 'n', as in '(0.5)', which is -0.5"],
    ),
    "two-units.csv": (column("n", lambda k: f"{k % 5} %" if k % 3 else "$4"), [BOUGHT]),
    "trailing-delimiter.csv": (
        table().replace("\n", ",\n"), ["column 5 has no name: it is called 'column 5'", BOUGHT],
    ),
    "trailing-in-rows.csv": (
        table().replace("\n", ",\n").replace("bought,", "bought"),
        [
            "header: 4 names for 5 cells, of which the last is always empty (--columns names them)",
            "column 5 has no name: it is called 'column 5'",
            BOUGHT,
        ],
    ),
    "trailing-headless.csv": (
        table(header=None).replace("\n", ",\n"),
        ["header: none, so the columns are called c1, c2, c3, ..., c5", C4],
    ),
    "row-names.csv": (
        "\n".join([table().splitlines()[0], *(f"{k},{row}" for k, row in enumerate(table().splitlines()[1:], 1))]),
        ["column 1 has no name: it is called 'column 1'", BOUGHT,
         "left out: 'column 1': it counts up (--keep takes it)"],
    ),
    "units.csv": (
        table(header="colour,size,price,bought\n,cm,euro,"), ["header: 2 lines, joined", BOUGHT],
    ),
    "hash-comments.csv": (
        "# made by hand\n# on Monday\n" + table(), ["header: after 2 lines that are not part of the table", BOUGHT],
    ),
    "excel.txt": (table("\t", end="\r\n").encode("utf-16"), ["encoding: UTF-16", BOUGHT]),
    "zulu.csv": (column("at", lambda k: f"2024-0{k % 9 + 1}-1{k % 10}T{k % 24:02}:30:00Z"), [BOUGHT]),
    "offset.csv": (column("at", lambda k: f"2024-0{k % 9 + 1}-1{k % 10}T{k % 24:02}:30:00.125+02:00"), [BOUGHT]),
    "truth.csv": (column("big", lambda k: k % 3 == 0).replace(",yes", ",True").replace(",no", ",False"), [BOUGHT]),
    "array.json": (
        json.dumps([{"colour": r[0], "size": r[1], "label": r[3]} for r in rows()]), ["label: member 'label'"],
    ),
    "indented.json": (
        json.dumps([{"colour": r[0], "size": r[1], "class": r[3]} for r in rows()], indent=2),
        ["label: member 'class'"],
    ),
    "report": (
        "Sales of the year\nby region\n\n" + table(), ["header: after 3 lines that are not part of the table", BOUGHT],
    ),
    "sms": ("".join(f"{'spam' if r[3] == 'yes' else 'ham'}\tthe {r[0]} one costs {r[1]}\n" for r in rows()), []),
    "sms.txt": ("".join(f"{'spam' if r[3] == 'yes' else 'ham'}\tsee the \"{r[0]}\" one\n" for r in rows()), []),
    "events.svm": ("".join(f"{+1 if r[3] == 'yes' else -1} {len(r[0])}:1 {10 + r[1]}:1\n" for r in rows()), []),
    "events": ("".join(f"{r[3]} {len(r[0])}:1 {10 + r[1]}:1\n" for r in rows()), []),
    "events.vw": ("".join(f"{1 if r[3] == 'yes' else -1} |f {r[0]} size:{r[1]}\n" for r in rows()), []),
    "spam.log": ("".join(f"{r[3]} | {r[0]} size:{r[1]}\n" for r in rows()), []),
}  # fmt: skip
OUTCOME = LAST.format("Outcome Bought")
_arff = "@relation shop\n@attribute colour {red,green,blue}\n@attribute size numeric\n@attribute note string\n"
FILES |= {
    "pairs-above.csv": (
        'Account;\n"Number:";"DE12 3456"\nFrom - to:;2023 - 2024\n\n' + table(";"),
        ["delimiter: ;", "header: after 4 lines that are not part of the table", BOUGHT],
    ),
    "bars-and-blanks.dat": (table(" | "), ["delimiter: |", BOUGHT]),
    "month-names.csv": (column("day", lambda k: f"{1 + k % 28}-{('Jan', 'Feb', 'Mar')[k % 3]}-1950"), [BOUGHT]),
    "bare-quotes.csv": (
        "what,size,bought\n" + "".join(f'"{r[0]}, {r[1] % 4}" wide",{r[1]},{r[3]}\n' for r in rows()),
        ["quotes: those within cells are not doubled", BOUGHT],
    ),
    "last-member.jsonl": (
        "".join(
            f'{{"id": "x{k * 7919}", "at": "2024-05-{1 + k % 28:02}T10:30", "n": {r[1]}, "bought": "{r[3]}"}}\n'
            for k, r in enumerate(rows())
        ),
        [
            "label: member 'bought', the last one",
            "left out: 'id': nearly every value is new (--keep takes it)",
            "dates: 'at' makes month, weekday, hour (--nominal takes the text)",
        ],
    ),
    "sep-line.csv": (
        "sep=;\r\n" + table(";", end="\r\n"),
        ["delimiter: ;", "header: after 1 line that is not part of the table", BOUGHT],
    ),
    "sep-quoted.csv": (
        '"sep=|"\n' + table("|"), ["delimiter: |", "header: after 1 line that is not part of the table", BOUGHT]
    ),
    "groups-names-units.csv": (
        ",,Outcome\nSize,Color,Bought\ncm,,\n" + "".join(f"{r[1]},{r[0]},{r[3]}\n" for r in rows()),
        ["header: 3 lines, joined", OUTCOME],
    ),
    "groups-names.csv": (
        ",,Outcome\nSize,Color,Bought\n" + "".join(f"{r[1]},{r[0]},{r[3]}\n" for r in rows()),
        ["header: 2 lines, joined", OUTCOME],
    ),
    "aligned.dat": (
        "size  colour   class\n" + "".join(f"{r[1]:<5} {r[0]:<8} {r[3]}\n" for r in rows()),
        ["delimiter: a blank", "label: column 'class'"],
    ),
    "aligned-right.txt": (
        "  size colour class\n" + "".join(f"{r[1]:>6} {r[0]:>6} {r[3]:>5}\n" for r in rows()),
        ["delimiter: a blank", "label: column 'class'"],
    ),
    "declared.arff": (
        _arff + "@attribute class {no,yes}\n@data\n" + "".join(f"{r[0]},{r[1]},'a {r[0]}',{r[3]}\n" for r in rows()),
        ["label: column 'class'"],
    ),
    "label-first.arff": (
        "@relation shop\n@attribute Class {no,yes}\n@attribute size numeric\n@attribute colour string\n@data\n"
        + "".join(f"{r[3]},{r[1]},{r[0]}\n" for r in rows()),
        ["label: column 'Class'"],
    ),
    "sparse.arff": (
        "% made by hand\n@relation shop\n@attribute size numeric\n@attribute 'the colour' {none,red,green,blue}\n"
        "@attribute class {no,yes}\n@data\n" + "".join(f"{{0 {r[1]}, 1 {r[0]}, 2 {r[3]}}}\n" for r in rows()),
        ["label: column 'class'"],
    ),
    "inner-label.jsonl": (
        "".join(json.dumps({"item": {"a": r[0], "b": [r[1], 7]}, "result": {"label": r[3]}}) + "\n" for r in rows()),
        ["label: member 'result.label'"],
    ),
    "outer-label.jsonl": (
        "".join(json.dumps({"y": {"label": r[0]}, "size": r[1], "target": r[3]}) + "\n" for r in rows()),
        ["label: member 'target'"],
    ),
    "no-end.csv": (table().rstrip("\n"), [BOUGHT]),
    "label-first.csv": (
        "class,colour,size\n" + "".join(f"{r[3]},{r[0]},{r[1]}\n" for r in rows()), ["label: column 'class'"]
    ),
    "label-in-the-middle.csv": (
        "size,Class,colour\n" + "".join(f"{r[1]},{r[3]},{r[0]}\n" for r in rows()), ["label: column 'Class'"]
    ),
    "one-two.csv": (
        "size,colour,y\n" + "".join(f"{r[1]},{r[0]},{1 + (r[3] == 'yes')}\n" for r in rows()), ["label: column 'y'"]
    ),
    "floats.csv": (
        "size,colour,y\n" + "".join(f"{r[1]},{r[0]},{float(r[3] == 'yes')}\n" for r in rows()), ["label: column 'y'"]
    ),
    "spaces-in-names.csv": (
        " The Size , The Colour , Was Bought \n" + "".join(f"{r[1]}, {r[0]} , {r[3]}\n" for r in rows()),
        [LAST.format("Was Bought")],
    ),
    "qid.svm": (
        "# by hand\n" + "".join(f"{int(r[3] == 'yes')} qid:{r[1]} {len(r[0])}:1 {10 + r[1]}:1 # end\n" for r in rows()),
        [],
    ),
    "importance.vw": (
        "".join(f"{1 if r[3] == 'yes' else -1} {1 + r[1] % 3} 'tag|size s:{r[1]} |colour {r[0]}\n" for r in rows()),
        [],
    ),
    "huge-cell.csv": (column("note", lambda k: "x" * 200_000 if k == 3 else "short"), [BOUGHT]),
    "words-of-one-width.csv": (  # blanks part each text into as many words as the others
        "size,text,label\n" + "".join(f'{r[1]},"a {r[0]} thing {WORDS}",{r[3]}\n' for r in rows()),
        ["label: column 'label'"],
    ),
    "bare-words-of-one-width.csv": (
        "size,text,label\n" + "".join(f"{r[1]},a {r[0]} thing {WORDS},{r[3]}\n" for r in rows()),
        ["label: column 'label'"],
    ),
    "comments-with-commas.csv": (
        "# device: TX-100, room 3\n# units: none, cm, EUR\n" + table(),
        ["header: after 2 lines that are not part of the table", BOUGHT],
    ),
    "units-and-a-dash.csv": (
        "size,price,big\ncm,EUR,-\n" + "".join(f"{r[1]},{r[2]},{int(r[3] == 'yes')}\n" for r in rows()),
        ["header: 2 lines, joined", LAST.format("big -")],
    ),
    "names-with-blanks-above-commas.csv": (table(header=None).join(["colour size price bought\n", ""]), [BOUGHT]),
    "narrow-blanks.csv": (
        "id;price;bought\n" + "".join(f"{r[0]};{r[1] + 1}\u202f{r[1] + 100},5;{r[3]}\n" for r in rows()),
        ["delimiter: ;", BOUGHT, "numbers: 'price', as in '37\\u202f136,5', which is 37136.5"],
    ),
    "numbers-and-blanks.dat": (
        "".join(f"  {r[1]:5.1f}   {r[2]:.3f}  {len(r[0])} {2 if r[3] == 'yes' else 1}\n" for r in rows()),
        ["delimiter: a blank", NO_HEADER, C4],
    ),
    "one-odd-cell.csv": (
        column("crp", lambda k: "<0.5" if k == 7 else k % 9 + 0.5),
        [BOUGHT, "nominal: 'crp', '<0.5' is no number (--missing makes it a gap)"],
    ),
    "one-odd-cell-among-new-ones.csv": (
        column("crp", lambda k: "err" if k == 7 else k * 0.37),
        [BOUGHT, "left out: 'crp': nearly every cell is new, and 'err' is no number (--missing makes it a gap)"],
    ),
    "apostrophes-in-apostrophes.csv": (
        "'text','size','bought'\n" + "".join(f"'it's {r[0]}, isn't it',{r[1]},'{r[3]}'\n" for r in rows()),
        ["quotes: '", BOUGHT],
    ),
    "names-behind-a-hash.csv": (table(header="#colour,size,price,bought"), [BOUGHT]),
    "uuid.csv": (
        column("uuid", lambda k: f"{random.Random(k).getrandbits(128):032x}"),
        [BOUGHT, "left out: 'uuid': nearly every cell is new (--keep takes it)"],
    ),
}  # fmt: skip
SAID_PAIR = {"sms": "ham, spam (positive: spam)", "sms.txt": "ham, spam (positive: spam)"}


def test_there_are_sixty_of_them() -> None:
    assert len(FILES) >= 60


@pytest.mark.parametrize("name", FILES)
def test_one_command(run: Run, tmp_path: Path, name: str, long: bool) -> None:
    text, assumed = FILES[name]
    path, model = tmp_path / name, tmp_path / "out.mb"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = run("learn", path, "--json", "--model", model)
    assert result.code == 0, result.err
    said = [line.removeprefix("mistakebound: ") for line in result.err.splitlines()]
    usual = [line for line in said if not line.startswith("labels:")]
    assert usual == assumed
    assert result.json["trials"] == 60
    assert len(result.json["labels"]) == 2
    assert result.json["mistakes"] < 31
    # The same file, predicted and measured, from Python too.
    lines = run("predict", model, path).out.splitlines()
    assert len(lines) == 60
    if long or len(name) % 4 == 1:
        found = run("eval", model, path, "--json")
        assert (found.code, found.json["trials"]) == (0, 60)
    if long or len(name) % 4 in (1, 2):
        said = list(map(str, mb.load(model).predict(str(path))))
        assert said == [line.removeprefix("+").removesuffix(".0") for line in lines]
    if long or len(name) % 4 == 0:
        report = run("learn", path, "--model", model)
        assert max(len(line) for line in report.out.splitlines() if name not in line and "out.mb" not in line) <= 80
        learned = mb.learn(str(path))
        assert learned.ledger is not None
        assert learned.ledger.mistakes == result.json["mistakes"]


def test_a_lone_quote_in_the_header_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('size,"colour,"bought",\n' + "".join(f"{r[1]},{r[0]},{r[3]},\n" for r in rows()))
    result = run("learn", path)
    assert (result.code, f"{path}:1: text follows a closing quote" in result.err) == (3, True)


def test_labels_by_number(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("kind,a,2\n" + "".join(f"{r[3]},{r[0]},{r[1]}\n" for r in rows()))
    for label, column in (("1", "kind"), ("-3", "kind"), ("kind", "kind"), ("2", "2")):
        result = run("learn", path, "--label", label, "--json", "--model", tmp_path / "m.mb")
        assert result.code == 0, result.err
        assert mb.load(tmp_path / "m.mb").settings["label"] == column
    result = run("learn", path, "--label", "7")
    assert result.code == 2
    assert "label" in result.err


def test_what_is_assumed_can_be_said(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "t.csv", tmp_path / "m.mb"
    path.write_text(table())
    result = run("learn", path, "--no-header", "--json", "--model", model)
    assert result.json["trials"] == 61  # the names are a row
    path.write_text(table(header=None))
    result = run("learn", path, "--columns", "colour,size,price,bought", "--label", "bought", "--model", model)
    assert "the columns are called colour, size, price, bought" in result.err
    assert mb.load(model).settings["names"] == ["colour", "size", "price", "bought"]
    assert mb.load(model).predict_one({"colour": "red", "size": 1, "price": 0.5}) in ("yes", "no")
    result = run("learn", path, "--columns", "a,b")
    assert result.code == 3
    assert "the row has 4 cells, but there are 2 column names" in result.err
    path.write_text(column("x", lambda k: "none" if k % 9 == 0 else "some"))
    run("learn", path, "--missing", "unknown", "--model", model)
    assert "x=none" in json.dumps(run("explain", model, "--json", "--top", "99").json)
    path.write_text(column("id", lambda k: f"user-{k}"))
    result = run("learn", path, "--keep", "id", "--model", model)
    assert "left out" not in result.err
    path.write_text(table(";").replace("red", "r,ed"))
    result = run("learn", path, "--delimiter", "semicolon", "--json")
    assert result.json["trials"] == 60


def test_dates_become_parts(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "t.csv", tmp_path / "m.mb"
    path.write_text(column("at", lambda k: f"2024-01-{k % 28 + 1:02} {k % 24:02}:30:00"))
    run("learn", path, "--model", model)
    found = mb.load(model)
    assert found.settings["kinds"]["at"] == "moment:ymd"
    seen = set(found.learner.attributes.names())
    assert {"at month=1", "at weekday=Mon", "at hour=13"} <= seen
    assert found.predict_one({"at": "2024-01-09 13:30", "colour": "red", "size": 3, "price": 0.1}) in ("yes", "no")
    path.write_text(column("at", lambda k: f"2024-01-{k % 28 + 1:02}", 1100) + "soon,red,3,0.5,yes\n")
    result = run("learn", path)
    assert result.code == 3
    assert ":1102: 'soon' is not a date in the format of the first rows of its column" in result.err


def test_a_damaged_row_is_said_with_its_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for delimiter, end in ((",", "\n"), (";", "\r"), ("\t", "\r\n")):
        path.write_text(table(delimiter, end=end) + delimiter.join(["red", "3", "0.5"]) + end, newline="")
        result = run("learn", path)
        assert (result.code, ":62: the row has 3 cells, the header has 4" in result.err) == (3, True)
    path.write_bytes(("a preamble\n" + table(";")).encode("utf-16") + "red;3".encode("utf-16-le"))
    result = run("learn", path)
    assert (result.code, ":63: the row has 2 cells, the header has 4" in result.err) == (3, True)
    path.write_bytes(table().encode("utf-16") + b"\x00\xd8a\x00,\x00")
    result = run("learn", path)
    assert (result.code, f"{path}:62: the text is not UTF-16" in result.err) == (3, True)


def test_a_byte_without_meaning_is_one_bad_row(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"name,y\n" + b"Jos\xe9,1\nRen\xe9e,0\n" * 20 + b"Li\x81ge,1\n" + b"Jos\xe9,1\n" * 5)
    result = run("learn", path)
    assert (result.code, f"{path}:42: the row is not UTF-8" in result.err) == (3, True)
    assert '"trials": 45,' in run("learn", path, "--on-error", "skip", "--json").out


def test_digits_out_of_range_are_a_name(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n1" + "9" * 400 + ",0\n10,1\n" * 3)
    assert mb.learn(path).settings["kinds"] == {"a": "nominal"}


@pytest.mark.parametrize(
    "name", ["single-quotes.csv", "latin1.csv", "utf16.csv", "utf16be.csv", "escaped.csv", "cr.csv"]
)
def test_lines_and_pipes_of_a_dialect_mean_what_the_file_means(run: Run, tmp_path: Path, name: str, long: bool) -> None:
    text, _ = FILES[name]
    data = text if isinstance(text, bytes) else text.encode()
    path, model = tmp_path / name, tmp_path / "m.mb"
    path.write_bytes(data)
    assert run("learn", path, "--quiet", "--model", model).code == 0
    found = mb.load(model)
    wanted = list(map(str, found.predict(str(path))))
    encoding = (found.settings or {}).get("dialect", {}).get("encoding", "utf-8")
    lines = data.decode(encoding).removeprefix("\ufeff").replace("\r", "\n").splitlines()[1:]
    assert [str(found.predict_one(line)) for line in lines] == wanted
    assert [str(found.predict_one(line.encode(encoding))) for line in lines[:3]] == wanted[:3]
    if long or name in ("single-quotes.csv", "utf16be.csv"):
        words = [sys.executable, "-m", "mistakebound", "predict", str(model), "-"]
        done = subprocess.run(words, input=data, capture_output=True, check=False)
        assert (done.returncode, done.stdout.decode().splitlines()) == (0, wanted), done.stderr


def test_a_preamble_comes_through_a_pipe_too(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "t.csv", tmp_path / "m.mb"
    path.write_text("Sales of the year\n\n" + table(";"))
    assert run("learn", path, "--quiet", "--model", model).code == 0
    words = [sys.executable, "-m", "mistakebound", "predict", str(model), "-"]
    done = subprocess.run(words, input=path.read_bytes(), capture_output=True, check=False)
    assert done.stdout.decode() == run("predict", model, path).out
    path.write_text(table(","))  # another delimiter than in learning
    assert run("predict", model, path).code == 0


def test_a_pipe_that_is_rewritten_comes_in_large_parts() -> None:
    text = table(";", count=3000).replace("red", "rød")
    data = text.encode("cp1252")
    source = Rewritten(TextInMemory(data).open(), detect(data))
    parts, into = [], bytearray(1 << 20)
    while got := source.read_into(memoryview(into)):
        parts.append(bytes(into[:got]))
    assert b"".join(parts).decode() == text
    assert len(parts) < 10


def test_regression_is_refused_by_every_learner(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,price\n" + "".join(f"{k % 7},{k / 7:.3f}\n" for k in range(300)))
    for words in ((), ("--learner", "decision-tree"), ("--learner", "perceptron")):
        result = run("learn", path, *words)
        assert (result.code, "regression is not supported" in result.err) == (3, True), words


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (b"\x89PNG\r\n\x1a\n", "is a PNG image: there are no rows in it"),
        (b"\xff\xd8\xff\xe0", "is a JPEG image: there are no rows in it"),
        (b"%PDF-1.7\n", "is a PDF document: there are no rows in it"),
        (b"\xd0\xcf\x11\xe0\xa1", "is an old Excel or Word file: save the sheet as CSV"),
        (b"BZh91AY", "is compressed by bzip2: unpack it (bzcat)"),
    ],
)
def test_files_without_rows_are_said(run: Run, tmp_path: Path, start: bytes, said: str) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(start + bytes(range(256)))
    result = run("learn", path)
    assert (result.code, result.err) == (1, f"mistakebound: {path} {said}\n")
    with pytest.raises(mb.MistakeboundError, match=re.escape(said)):
        mb.learn(str(path))


def test_prices_of_few_rows_are_no_classes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("rooms,price\n" + "".join(f"{k % 7},{k * 977.25}\n" for k in range(40)))
    result = run("learn", path)
    assert (result.code, "regression is not supported" in result.err) == (3, True)
    path.write_text("rooms,stars\n" + "".join(f"{k % 7},{k % 10 / 2}\n" for k in range(40)))
    assert run("learn", path).code == 0


def test_what_may_be_meant(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "t.csv", tmp_path / "m.mb"
    path.write_text(table())
    result = run("learn", path, "--label", "Bougt")
    assert (result.code, "has no column 'Bougt' for label (did you mean 'bought'?)" in result.err) == (2, True)
    result = run("learn", path, "--lable", "bought")
    assert (result.code, "there is no option --lable (did you mean --label?)" in result.err) == (2, True)
    assert run("learn", path, "--model", model, "--quiet").code == 0
    result = run("predict", model, path, "--probabilitys")
    assert (result.code, "(did you mean --probabilities?)" in result.err) == (2, True)
    result = run("learn", path, "--qqq")
    assert result.err.endswith("there is no option --qqq\n")
    with pytest.raises(mb.BadParameter, match="did you mean 'bought'"):
        mb.learn(str(path), "bougt")


def test_lists_of_parquet_are_left_out(run: Run, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "t.parquet"
    tags, sizes, _, labels = zip(*(([r[0], "x"], *r[1:]) for r in rows()), strict=True)
    pq.write_table(pa.table({"tags": tags, "size": sizes, "label": labels}), path)
    result = run("learn", path, "--json")
    assert (result.code, result.json["trials"]) == (0, 60)
    assert "left out: 'tags': it holds list<element: string> (--keep takes it)" in result.err
    result = run("learn", path, "--keep", "tags")
    assert (result.code, "column 'tags' holds list<element: string>" in result.err) == (3, True)


def test_effects_are_weights_times_spread(run: Run, tmp_path: Path) -> None:
    """A price in thousands has a small weight and a large effect; without spreads the line says it shows weights."""
    path, model = tmp_path / "t.csv", tmp_path / "m.mb"
    lines = [f"{r[0]},{r[1] * 1000},{'yes' if r[1] > 20 else 'no'}\n" for r in rows()]
    path.write_text("colour,price,label\n" + "".join(lines))
    found = run("learn", path, "--fast", "--model", model).out
    assert "  effects     price (" in found
    assert "  weights     colour=" in run("learn", path, "--fast").out
    first = next(line for line in run("explain", model).out.splitlines() if line.startswith("  price"))
    effect = float(first.split()[-1])
    assert f"price ({effect:.3g}" in found.replace("\n", " ")


def test_nothing_is_left_to_learn_from(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("text\tlabel\n" + "".join(f"a {r[0]} one, number {k}\t{r[3]}\n" for k, r in enumerate(rows())))
    result = run("learn", path, "--model", tmp_path / "m.mb")
    assert result.code == 0
    assert len(run("predict", tmp_path / "m.mb", path).out.splitlines()) == len(rows())
    assert "attributes  0 seen: to the learner all rows are alike" in result.out
    assert "no column is left to learn from (--format text learns words, of lines: label, tab, text)" in result.err


def test_midnight_and_noon() -> None:
    hours = [part_of_cell(cell, "clock", "hour") for cell in ("12:30 am", "12:30 pm", "1:05 am", "11:59 PM")]
    assert hours == ["0", "12", "1", "23"]


def test_labels_of_a_tree(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table())
    assert mb.learn(str(path), learner="decision-tree").labels == ("no", "yes")


def test_numbers_as_people_write_them(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table(";").replace("0.", "0,"))
    plain = tmp_path / "p.csv"
    plain.write_text(table())
    model, other = mb.learn(path, standardize=True), mb.learn(plain, standardize=True)
    assert model.settings["kinds"]["price"] == "numeric:,"
    raw = {"colour": "red", "size": 12}
    assert model.score_one(raw | {"price": "0,25"}) == other.score_one(raw | {"price": "0.25"})
    assert model.score_one(raw | {"price": 0.25}) == model.score_one(raw | {"price": "0,25"})
    assert model.score_one("red;12;0,25") == model.score_one(raw | {"price": 0.25})
    assert model.score_one(raw | {"price": "n/a"}) == model.score_one(raw)
    for cell in ("0.25", "much", "1,2,3", "(0,5", "5 %%"):
        with pytest.raises(mb.BadData, match="in the numeric column 'price' is not a finite decimal number"):
            model.score_one(raw | {"price": cell})
    binned = mb.learn(path, bins={"price": 3})
    assert len(binned.settings["bins"]["price"]) == 2
    tree = mb.learn(path, learner="decision-tree")
    assert tree.predict(path) == mb.learn(plain, learner="decision-tree").predict(plain)


@pytest.mark.parametrize(
    ("cells", "comma", "mark"),
    [
        (["1,5", "2,25"], False, ","), (["1.234.567"], False, ","), (["1,234,567"], True, "."),
        (["1,23,456"], False, None), (["1,234.5", "1.234,5"], False, None),
        (["12 345,6"], False, ","), (["EUR 5", "EUR 6"], False, "."),
        (["--1"], False, None), (["-$-1"], False, None), (["(-1)"], False, None), (["($1)", "$2"], False, "."),
        (["5-6"], False, None), (["$"], False, None), ([], False, None), (["-$5", "$-6", "+$7"], False, "."),
        (["192.168.0.1", "10.0.0.1"], False, None), (["1e5", "5 %"], False, None), (["€ 1.000"], True, ","),
    ],
)  # fmt: skip
def test_decimal_marks(cells: list[str], comma: bool, mark: str | None) -> None:
    assert mark_of(cells, comma) == mark


def test_an_archive_is_said(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", table())
    result = run("learn", path)
    assert result.code == 1
    assert result.err == (
        f"mistakebound: {path} is a zip archive, as Excel workbooks are too: unpack it (unzip -p), or save the sheet "
        "as CSV\n"
    )


def test_labels_that_differ_in_case_are_said(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table().replace("yes\n", "Yes\n", 3))
    assert "labels: 3 (some differ only in case), so one-vs-all over auto" in run("learn", path).err


def test_no_rows_in_python() -> None:
    for rows_of_nothing in (iter([]), [], (row for row in ())):
        with pytest.raises(mb.BadData, match="there are no rows to learn from"):
            mb.learn(rows_of_nothing)


def test_errors_say_what_to_do(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sales.csv"
    path.write_bytes(b"")
    result = run("learn", path, "--model", tmp_path / "m.mb")
    assert (result.code, "sales.csv:1: the file is empty\n" in result.err, "--on-error" in result.err) == (
        3,
        True,
        False,
    )
    result = run("learn", path, "--no-header")
    assert (result.code, "sales.csv:1: the file is empty\n" in result.err) == (3, True)
    path.write_bytes("Имя;Возраст;Класс\n".encode("cp1251") + b"1;2;3\n" * 5)
    assert "the header is not UTF-8; convert it (iconv -f ENCODING -t UTF-8)" in run("learn", path).err
    path.write_text("a,label\n" + "1,x\n2,y\n" * 9 + "3,\n")
    result = run("learn", path)
    assert (result.code, "--on-error skip leaves out bad rows" in result.err) == (3, True)
    assert run("learn", path, "--on-error", "skip").code == 0
    result = run("learn", tmp_path / "Sale.csv")
    assert (result.code, f"(did you mean {path}?)" in result.err) == (1, True)
    path.write_text("a,b,price\n" + "".join(f"{k % 7},{k % 3},{k * 977 % 90001}\n" for k in range(150)))
    assert "regression is not supported: cut measurements into classes" in run("learn", path).err


def test_one_mistake_is_one(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,label\nx,0\nx,1\n")
    assert "1 (50.00 %): 0 false positives, 1 false negative\n" in run("learn", path).out


def test_empty_rows_below_a_table_are_not_learned(run: Run, tmp_path: Path) -> None:
    path, model = tmp_path / "t.csv", tmp_path / "m.mb"
    path.write_text(table() + ",,,\n , ,,\n")
    for words in ((), ("--learner", "decision-tree")):
        result = run("learn", path, "--json", "--model", model, *words)
        assert (result.code, "skipped" in result.err) == (0, False)
    assert run("eval", model, path, "--json").json["trials"] == 60
    assert len(run("predict", model, path).out.splitlines()) == 62  # a line for each row of the file
    path.write_text(table() + ",,?,\n")
    assert run("learn", path).code == 3


def test_a_cell_of_a_form_feed_is_a_text(tmp_path: Path) -> None:
    """Cells are stripped of blanks and tabs alone: such a column has neither numbers nor times only."""
    path = tmp_path / "rows.csv"
    path.write_bytes(b"a,b,c,label\n" + b"0,\x0c,\x0c10,x\n\x0c,\x0c,20,y\n5,\x0c,30,x\n" * 4)
    kinds = mb.learn(path).settings["kinds"]
    assert (kinds["a"], kinds["b"], kinds["c"]) == ("nominal", "nominal", "nominal")
