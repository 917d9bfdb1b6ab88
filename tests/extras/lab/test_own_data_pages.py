"""Own data and exercises in a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb

expect = pytest.importorskip("playwright.sync_api").expect
Visit = Callable[..., Any]


def test_a_table_is_dropped_compared_and_explained(visit: Visit, tmp_path: Path) -> None:
    table = tmp_path / "fruit.csv"
    rows = [f"{i % 9},{'red' if i % 2 else 'green'},{'apple' if i % 9 > 4 else 'plum'}" for i in range(200)]
    table.write_text("\n".join(["size,colour,kind", *rows]) + "\n")
    page = visit("#data")
    expect(page.locator("#name")).to_have_text("parcels.csv")
    page.set_input_files("#file", str(table))
    expect(page.locator("#name")).to_have_text("fruit.csv")
    found = mb.compare(str(table), ["arow", "perceptron"], reader={"label": "kind"})
    for entry in found.entries:
        expect(page.locator(f"#mistakes-{entry.name}")).to_have_text(str(entry.ledger.mistakes))
    page.get_by_label("Explained learner").select_option("arow")
    page.get_by_label("Row", exact=True).fill("8")
    page.get_by_label("Row", exact=True).press("Enter")
    model = mb.learn(str(table), "kind", learner="arow")
    expect(page.locator("#prediction")).to_have_text(str(model.explain(8, file=str(table)).as_json()["prediction"]))
    assert page.locator("svg.waterfall").count() == 1


def test_a_table_that_cannot_be_learned(visit: Visit, tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    page = visit("#data")
    expect(page.locator("#name")).to_have_text("parcels.csv")
    page.set_input_files("#file", str(empty))
    expect(page.locator("#trouble")).to_contain_text("the file is empty")


def test_exercises_are_marked_and_remembered(visit: Visit) -> None:
    page = visit("#exercises?id=halving-2")
    page.fill("#answer", "3")
    page.keyboard.press("Enter")
    expect(page.locator("#mark")).to_have_text("Not yet. It is too small.")
    page.click("#hint")
    expect(page.locator(".hint")).to_have_text(mb.course.hint("halving-2"))
    page.fill("#answer", "4")
    page.click("#check")
    expect(page.locator("#mark")).to_have_text("Right.")
    expect(page.locator("#progress")).to_contain_text("1 of 40 solved")
    page.reload()
    expect(page.locator("#progress")).to_contain_text("1 of 40 solved")
    page.goto(page.url.replace("halving-2", "bayes-2"))
    page.get_by_label("fair").check()
    page.click("#check")
    expect(page.locator("#mark")).to_be_visible()
