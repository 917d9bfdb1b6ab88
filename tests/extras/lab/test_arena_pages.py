"""The arena in a browser: played through, by mouse and by keyboard; numbers are the library's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import mistakebound as mb

expect = pytest.importorskip("playwright.sync_api").expect

Visit = Callable[..., Any]
DISJUNCTIONS = "monotone-disjunctions n=8 k=2"


def text(page: Any, place: str) -> str:
    return str(page.locator(place).inner_text())


def test_a_game_is_watched_step_by_step(visit: Visit) -> None:
    page = visit("#arena?seed=3&learner=winnow1")
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#trials")).to_have_text("41")
    teacher = mb.teachers.RandomTarget(DISJUNCTIONS, n=8, trials=41, density=0.3, seed=3)
    learner = mb.Winnow1(n=8)
    ledger = mb.play(learner, teacher)
    assert int(text(page, "#mistakes")) == ledger.mistakes
    assert ledger.bound is not None
    assert int(text(page, "#bound")) == ledger.bound.mistakes
    assert text(page, "#verdict") == ledger.verdict.kind
    assert text(page, "#target") == str(teacher.target)
    shown = page.locator(".switch .weight").all_text_contents()
    assert [float(weight.removeprefix("weight ")) for weight in shown] == [learner.weight(str(j)) for j in range(1, 9)]
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#trials")).to_have_text("40")
    page.reload()  # the address holds the moment
    expect(page.locator("#trials")).to_have_text("40")


def test_every_mistake_can_be_gone_to(visit: Visit) -> None:
    page = visit("#arena?seed=3&learner=perceptron&t=1")
    ledger = mb.play(mb.Perceptron(), mb.teachers.RandomTarget(DISJUNCTIONS, n=8, trials=240, density=0.3, seed=3))
    for trial in [t for t in ledger.mistake_trials if t > 1][:5]:
        page.get_by_role("button", name="Next mistake").click()
        expect(page.locator("#trials")).to_have_text(str(trial))
        assert page.locator(".mark.wrong").count() == 1


def test_a_game_plays_by_itself(visit: Visit) -> None:
    page = visit("", motion="no-preference")
    expect(page.locator("#trials")).to_have_text(re.compile("[5-9]"))
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").is_visible()


def test_the_refutation_is_explained(visit: Visit) -> None:
    page = visit("#arena?seed=3&learner=winnow1&noise=0.2&t=150")
    page.wait_for_selector("#refutation")
    assert "Refuted at trial" in text(page, "#refutation")
    assert "Theorem 7 allows 17" in text(page, "#refutation")


def test_you_are_the_adversary_and_may_not_lie(visit: Visit) -> None:
    page = visit("#arena?mode=adversary&learner=winnow1")
    assert int(text(page, "#opt")) == mb.opt(DISJUNCTIONS).value
    page.click("#answer-1")
    expect(page.locator("#left")).to_have_text("8 of 37")
    assert text(page, "#mistakes") == "1"
    page.click("#answer-0", force=True)
    page.wait_for_selector("#refusal")
    page.get_by_role("button", name="switch x3").click()
    expect(page.locator("#said")).to_contain_text("x3")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#left")).to_have_text("37 of 37")


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_you_are_the_learner_and_play_perfectly(visit: Visit, by: str) -> None:
    page = visit("#arena?mode=learner&class=thresholds+m%3D15&seed=1")
    player = mb.learners.StandardOptimalAlgorithm("thresholds m=15", labels=(0, 1))
    made = 0
    while not page.locator("#outcome").count():
        x = (int(text(page, ".line .on")),)
        prediction = player.predict_one(x)
        if by == "mouse":
            page.click(f"#answer-{prediction}")
        else:
            page.keyboard.press(str(prediction))
        made += 1
        expect(page.locator("#mistakes")).to_have_text(str(made))
        player.learn_one(x, 1 - prediction)
        assert int(text(page, "#still")) == player.opt()
    assert made == mb.opt("thresholds m=15").value == 4
    assert "you played perfectly" in text(page, "#outcome")


def test_a_bet_starts_the_race(visit: Visit) -> None:
    page = visit("#arena?mode=race&seed=5&learners=winnow1,perceptron")
    page.get_by_role("button", name="the perceptron").last.click()
    expect(page.locator("#outcome")).to_contain_text("win")
    for name, learner in (("winnow1", mb.Winnow1(n=8)), ("perceptron", mb.Perceptron())):
        teacher = mb.teachers.RandomTarget(DISJUNCTIONS, n=8, trials=150, density=0.3, seed=5)
        assert int(text(page, f"#mistakes-{name}")) == mb.play(learner, teacher).mistakes


def test_all_by_keyboard(visit: Visit) -> None:
    """Tab reaches every way to play; the keys of a game work; nothing traps the focus."""
    page = visit("#arena?seed=3&t=1")
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
        )
    for wanted in ("Race", "Learner", "Teacher", "Step", "Play", "Trial", "Export", "Another game"):
        assert wanted in reached
    page.focus("text=Be the adversary")
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer-1")
    page.focus("#answer-1")
    page.keyboard.press("Enter")
    expect(page.locator("#mistakes")).to_have_text("1")


def test_what_is_shown_is_exported(visit: Visit) -> None:
    page = visit("#arena?seed=3&t=30")
    for item, start in (("JSON", b'{\n "settings"'), ("Python file", b"import mistakebound"), ("SVG picture", b"<svg "),
                        ("PNG picture", b"\x89PNG")):  # fmt: skip
        page.click("details.export summary")
        with page.expect_download() as download:
            page.get_by_role("button", name=item).click()
        with open(download.value.path(), "rb") as file:
            assert file.read().startswith(start)
