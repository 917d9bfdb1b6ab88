"""Every view played through by keyboard alone: no mouse, and no focus that only a script could set."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mistakebound as mb

expect = pytest.importorskip("playwright.sync_api").expect
Visit = Callable[..., Any]
NAMED = """() => { const at = document.activeElement;
    return at === document.body ? "" : (at.getAttribute("aria-label") ?? at.textContent).trim(); }"""


def tab_to(page: Any, *, name: str = "", css: str = "", back: bool = False) -> None:
    """Tab, as a person would, until the focus is there."""
    for _ in range(90):
        if css and page.evaluate(f"document.activeElement.matches({css!r})"):
            return
        if name and page.evaluate(NAMED).startswith(name):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"Tab does not reach {name or css}")


def press(page: Any, key: str = "Enter", **place: Any) -> None:
    tab_to(page, **place)
    page.keyboard.press(key)


def test_views_are_chosen(visit: Visit) -> None:
    page = visit("")
    for name, title in (("versions", "Version space"), ("lines", "Lines and networks"), ("trees", "Trees and Bayes")):
        press(page, css=f"#to-{name}")
        page.wait_for_selector(f"html[data-ready={name}]")
        assert page.locator("h1").inner_text() == title
    press(page, css=".skip", back=True)
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_adversary(visit: Visit) -> None:
    page = visit("#arena?mode=adversary&learner=winnow1")
    press(page, name="weight", key="Tab")
    tab_to(page, css="#answer-1")
    page.keyboard.press("Enter")
    expect(page.locator("#left")).to_have_text("8 of 37")
    assert page.evaluate("document.activeElement.id") == "answer-1", "the focus stays where it was"
    press(page, css="#answer-0", back=True)
    expect(page.locator("#refusal")).to_contain_text("would be a lie")
    press(page, name="Take back", back=True)
    expect(page.locator("#left")).to_have_text("37 of 37")


def test_the_race(visit: Visit) -> None:
    page = visit("#arena?mode=race&seed=5&learners=winnow1,perceptron")
    press(page, css=".bet")
    expect(page.locator("#outcome")).to_contain_text("win")


def test_the_version_space(visit: Visit) -> None:
    page = visit("#versions")
    expect(page.locator("#size")).to_have_text("28")
    press(page, css="#value-2-cool")
    expect(page.locator("#value-2-cool")).to_have_attribute("aria-pressed", "true")
    press(page, css="#best")
    expect(page.locator("#value-2-cool")).to_have_attribute("aria-pressed", "false")
    for left in ("8", "4"):
        press(page, css="#answer-1")
        expect(page.locator("#size")).to_have_text(left)
    press(page, css="#back", back=True)
    expect(page.locator("#size")).to_have_text("8")
    tab_to(page, name="Drawing of the lattice")


def test_a_line(visit: Visit) -> None:
    page = visit("#lines?points=-0.5,0,0;0.5,0,1")
    press(page, name="Add a point")
    expect(page.locator("[data-point]")).to_have_count(3)
    tab_to(page, css="[data-point='2']", back=not page.evaluate("document.activeElement.matches('[data-point]')"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Delete")
    expect(page.locator("[data-point]")).to_have_count(2)
    press(page, name="◀ Back")
    press(page, name="Step")
    tab_to(page, name="Turn w (degrees)")
    page.keyboard.press("End")
    expect(page.locator("#own")).to_have_text("Every point is on its side.")


def test_a_network(visit: Visit) -> None:
    page = visit("#lines?part=network")
    expect(page.locator("#wrong")).to_have_text("0", timeout=60_000)
    press(page, css="#step")
    press(page, name="Start again")
    expect(page.locator("#epochs")).to_have_text("20")
    press(page, css="#step", back=True)
    expect(page.locator("#epochs")).to_have_text("40")


def test_shattering(visit: Visit) -> None:
    page = visit("#lines?part=shatter")
    press(page, name="4 points")
    expect(page.locator("#made")).to_have_text("14")
    tab_to(page, css="[data-point='3']", back=True)
    page.keyboard.press("Delete")
    expect(page.locator("#shattered")).to_have_text("shattered")
    tab_to(page, name="Class", back=True)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#made")).to_be_visible()
    assert page.get_by_label("Class").input_value() == "rectangles"


def test_a_tree(visit: Visit) -> None:
    page = visit("#trees")
    press(page, css="#test-temperature")
    expect(page.locator("#nodes")).to_have_text("4")
    press(page, css=".tree-node", back=True)
    press(page, css="#greedy")
    expect(page.locator("#state")).to_have_text("every day is right")


def test_pruning(visit: Visit) -> None:
    from mistakebound.lab import Engine

    page = visit("#trees?part=prune&seed=2")
    tab_to(page, name="Seed")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    found = Engine().handle({"view": "tree", "do": "prune", "seed": 3})
    expect(page.locator("#pruned-nodes")).to_have_text(str(found["pruned"]["nodes"]))


def test_beliefs(visit: Visit) -> None:
    page = visit("#trees?part=believe")
    for sign in (0, 0, 1):
        press(page, css=f"#sign-{sign}")
    expect(page.locator("#map")).to_have_text("heads with 0.7")
    press(page, css="#back")
    expect(page.locator("#evidence")).to_have_text("heads, heads")


@pytest.mark.parametrize(
    ("place", "first", "second"),
    [
        ("#trees?part=believe", "#sign-0", "#sign-1"),
        ("#versions", "#answer-0", "#answer-1"),
        ("#arena?mode=adversary&learner=winnow1", "#answer-0", "#answer-1"),
        ("#arena?mode=learner", "#answer-0", "#answer-1"),
    ],
)
def test_a_late_answer_leaves_the_focus(visit: Visit, place: str, first: str, second: str) -> None:
    page = visit(place)
    expect(page.locator(second)).to_be_visible()
    waiting: list[Any] = []
    page.route("**/message", lambda route: waiting.append(route))
    press(page, css=first)
    tab_to(page, css=second)
    page.evaluate("document.querySelector('main').old = document.activeElement")
    while page.evaluate("document.querySelector('main').old.isConnected"):  # until its successor is drawn
        page.wait_for_timeout(20)
        while waiting:
            waiting.pop().continue_()
    assert page.evaluate(f"document.activeElement.matches({second!r})"), "the focus stays where it was moved to"


def test_em(visit: Visit) -> None:
    page = visit("#trees?part=em&k=2&spread=0.8&seed=1")
    press(page, css="#em-step")
    expect(page.locator("h2").first).to_have_text("After step 1")
    press(page, css="#em-end")
    expect(page.locator("#em-step")).to_be_disabled()


def test_own_data(visit: Visit, tmp_path: Path) -> None:
    page = visit("#data?row=7&learner=arow")
    choosers: list[Any] = []
    # Long before Enter: a chooser that opens while the browser is being told to report it is lost.
    page.on("filechooser", lambda chooser: choosers.append(chooser))
    expect(page.locator("#prediction")).to_be_visible()
    press(page, css="#file")
    end = time.monotonic() + 60
    while not choosers and time.monotonic() < end:
        page.wait_for_timeout(20)
    table = tmp_path / "t.csv"
    table.write_text("a,b\n" + "".join(f"{i % 7},{'no' if i % 7 < 4 else 'yes'}\n" for i in range(60)))
    choosers[0].set_files(str(table))
    expect(page.locator("#name")).to_have_text("t.csv")
    tab_to(page, name="Row")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    model = mb.learn(str(table), "b", learner=page.get_by_label("Explained learner").input_value())
    expect(page.locator("#prediction")).to_have_text(str(model.explain(2, file=str(table)).as_json()["prediction"]))


def test_exercises(visit: Visit) -> None:
    page = visit("#exercises?id=bayes-2")
    tab_to(page, css="input[type=radio]")
    page.keyboard.press("ArrowDown")
    press(page, css="#check")
    expect(page.locator("#mark")).to_be_visible()
    press(page, css="#next")
    expect(page.locator("h2").first).to_have_text("Bayes, 3")
    page.keyboard.type("1/2")
    page.keyboard.press("Enter")
    expect(page.locator("#mark")).to_be_visible()
