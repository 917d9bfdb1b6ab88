"""Tables in which quotes within quoted cells are not doubled, or doubled though others quote the cells."""

from __future__ import annotations

from pathlib import Path

import pytest

import mistakebound as mb
from mistakebound.core.errors import BadData
from mistakebound.io.dialect import detect

BARE = "size,what,label\n" + "".join(
    f'{k},"Table, {k}" round","ab"\n{k},"Desk {k}"","cd"\n{k},"plain, too",ab\n' for k in range(1, 20)
)


def test_quotes_that_are_not_doubled(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(BARE)
    model = mb.learn(path, learner="arow")
    names = set(model.learner.weights())
    assert {'what=Table, 3" round', 'what=Desk 3"', "what=plain, too", "size"} <= names
    assert model.settings is not None
    assert model.settings["dialect"] == {"escape": "none"}
    assert model.predict_one('5,"Table, 5" round",') == model.predict_one({"size": 5, "what": 'Table, 5" round'})
    model.save(tmp_path / "m.mb")
    assert mb.load(tmp_path / "m.mb").predict(path) == model.predict(path)


def test_one_damaged_row_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f'{k},"Table, {k}","ab"\n' for k in range(1, 20)]
    rows[7] = '8,"Table, 8" round","ab"\n'
    path.write_text("size,what,label\n" + "".join(rows))
    with pytest.raises(BadData, match=r"t\.csv:9: text follows a closing quote"):
        mb.learn(path)


def test_a_lone_quote_in_a_header_is_no_preamble() -> None:
    rows = b'1,2,3,4,"a, b","c",7\n' * 9
    assert detect(b'"a,b,c,d,"e","f",g\n' + rows).preamble == 0
    assert detect(b"of,2024\na,b,c,d,e,f,g\n" + rows).preamble == 1


def test_pairs_of_quotes_in_apostrophes() -> None:
    rows = "".join(f"{k},'Bike, {k}\"\"','won't',x\n" for k in range(1, 9)).encode()
    found = detect(b"n,'what','why',c\n" + rows)
    assert (found.quote, found.escape) == ("'", '"')
    assert found.unescaped("1,'Bike, 1\"\"','won't',x\n") == "1,'Bike, 1\"','won''t',x\n"
    single = detect(b"n,'what','why',c\n" + rows.replace(b'""', b'"'))
    assert (single.quote, single.escape) == ("'", "")


def test_a_header_with_a_name_too_few_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("colour,size,label\n" + "red,3,a,\nblue,4,b,\ngreen,5,a,\n" * 5)
    words = detect(path.read_bytes()).in_words(["colour", "size", "label", "column 4"], ",")
    assert words == ["header: 3 names for 4 cells, of which the last is always empty (--columns names them)"]
