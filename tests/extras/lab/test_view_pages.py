"""Version space, lines and networks, trees and Bayes in a browser: played through, numbers as the library's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mistakebound as mb

expect = pytest.importorskip("playwright.sync_api").expect
Visit = Callable[..., Any]
DAY = {"sky": ["sunny", "rainy"], "wind": ["strong", "weak"], "water": ["warm", "cool"]}


def test_a_rule_is_found_by_answering(visit: Visit) -> None:
    page = visit("#versions")
    H = mb.concepts.AttributeConjunctions(DAY)
    target, learner = H.parse("<sunny, ?, warm>"), mb.learners.CandidateElimination(DAY, labels=(0, 1))
    expect(page.locator("#size")).to_have_text("28")
    while learner.version_space.size > 1:
        x = learner.version_space.best_query()
        assert x is not None
        assert tuple(page.locator("[id^=value-][aria-pressed=true]").all_inner_texts()) == tuple(x)
        page.click(f"#answer-{target(x)}")
        learner.learn_one(x, target(x))
        expect(page.locator("#size")).to_have_text(str(learner.version_space.size))
        assert page.locator("#S").inner_text().split("  ") == [str(h) for h in learner.version_space.S]
        assert page.locator(".hypothesis:not(.gone):not(.struck)").count() == learner.version_space.size
    expect(page.locator("#found")).to_contain_text("<sunny, ?, warm>")
    page.reload()
    expect(page.locator("#found")).to_contain_text("<sunny, ?, warm>")
    page.click("#back")
    expect(page.locator("#size")).to_have_text("2")


def test_contradicting_examples_are_named(visit: Visit) -> None:
    page = visit("#versions?moves=sunny.weak.warm.1!sunny.weak.warm.0")
    expect(page.locator("#clash")).to_contain_text("rows 1 and 2 agree with none")


def test_mitchells_four_days(visit: Visit) -> None:
    page = visit("#versions?space=sport")
    for left in ("64", "32", "28", "6"):
        page.click("#example")
        expect(page.locator("#size")).to_have_text(left)
    expect(page.locator("#G")).to_have_text("<Sunny, ?, ?, ?, ?, ?> <?, Warm, ?, ?, ?, ?>")


def test_a_point_is_moved_by_keys_and_by_mouse(visit: Visit) -> None:
    page = visit("#lines?points=-0.9,-0.3,0;-0.2,-0.4,0;0.4,0.7,1;0.9,0.2,1")
    expect(page.locator("#separable")).to_have_text("a line exists")
    ledger = mb.arena.play_passes(
        mb.Perceptron(labels=(0, 1)), [([-0.9, -0.3], 0), ([-0.2, -0.4], 0), ([0.4, 0.7], 1), ([0.9, 0.2], 1)], 100
    )
    expect(page.locator("#mistakes")).to_have_text(str(ledger.mistakes))
    page.locator("[data-point='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-point='0']")).to_have_attribute("aria-label", "point A at -0.85, -0.3, label 0")
    page.keyboard.press("Enter")
    expect(page.locator("[data-point='0']")).to_have_attribute("aria-label", "point A at -0.85, -0.3, label 1")
    box = page.locator("svg.plane").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.8)
    expect(page.locator("[data-point]")).to_have_count(5)
    page.locator("[data-point='2']").hover()  # waits until it is drawn anew
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    expect(page.locator("[data-point='2']")).to_have_attribute("aria-label", "point C at 0, 0, label 1")


def test_xor_fails_and_the_network_solves_it(visit: Visit) -> None:
    page = visit("#lines")
    page.get_by_role("button", name="XOR").click()
    expect(page.locator("#separable")).to_have_text("no line exists")
    page.get_by_role("button", name="Try a network").click()
    expect(page.locator("#wrong")).to_have_text("0", timeout=20_000)
    epochs = int(page.locator("#epochs").inner_text())
    assert epochs % 20 == 0


def test_a_line_is_moved_by_hand(visit: Visit) -> None:
    page = visit("#lines?points=-0.5,0,0;0.5,0,1")
    page.get_by_label("Turn w (degrees)").fill("180")
    expect(page.locator("#own")).to_have_text("2 points on the wrong side: A, B.")
    page.get_by_label("Turn w (degrees)").fill("0")
    expect(page.locator("#own")).to_have_text("Every point is on its side.")


def test_four_points_are_not_shattered_and_the_reason_is_named(visit: Visit) -> None:
    page = visit("#lines?part=shatter")
    expect(page.locator("#shattered")).to_have_text("shattered")
    page.get_by_role("button", name="4 points").click()
    expect(page.locator("#made")).to_have_text("14")
    expect(page.locator("#failing")).to_have_text("No half-plane has B, D inside and A, C outside.")
    page.get_by_label("Class").select_option("rectangles")
    expect(page.locator("#shattered")).to_have_text("not shattered")
    page.get_by_role("button", name="A diamond").click()
    expect(page.locator("#made")).to_have_text("16")


def test_a_tree_is_grown(visit: Visit) -> None:
    page = visit("#trees")
    assert page.locator("#test-outlook .gain-bits").inner_text() == "0.247"
    page.click("#test-temperature")
    expect(page.locator("#nodes")).to_have_text("4")
    page.get_by_role("button", name="Start again").click()
    page.click("#greedy")
    expect(page.locator("#state")).to_have_text("every day is right")
    assert page.locator("#nodes").inner_text() == page.locator("#id3-nodes").inner_text() == "8"


def test_pruning_is_shown(visit: Visit) -> None:
    from mistakebound.lab import Engine

    page = visit("#trees?part=prune&seed=2")
    found = Engine().handle({"view": "tree", "do": "prune", "seed": 2})
    expect(page.locator("#grown-nodes")).to_have_text(str(found["grown"]["nodes"]))
    expect(page.locator("#pruned-nodes")).to_have_text(str(found["pruned"]["nodes"]))
    assert page.locator("#tree").inner_text().strip() == found["pruned"]["text"]


def test_evidence_changes_beliefs(visit: Visit) -> None:
    page = visit("#trees?part=believe")
    for sign in (0, 0, 1):
        page.click(f"#sign-{sign}")
    expect(page.locator("#map")).to_have_text("heads with 0.7")
    expect(page.locator("#next")).to_have_text("0.596")
    page.click("#back")
    expect(page.locator("#evidence")).to_have_text("heads, heads")


def test_em_step_by_step(visit: Visit) -> None:
    from mistakebound.lab import Engine

    page = visit("#trees?part=em&k=2&spread=0.8&seed=1")
    steps = Engine().handle({"view": "bayes", "do": "mixture", "k": 2, "spread": 0.8, "seed": 1})["steps"]
    for step in steps[1:]:
        page.click("#em-step")
        expect(page.locator("#means")).to_have_text(f"means {', '.join(f'{mean:.5g}' for mean in step['means'])}")
    expect(page.locator("#em-step")).to_be_disabled()


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("#lines?points=-0.5,0,0;0.5,0,1;-0.4,0.1,1", "#mistakes"),
        ("#lines?part=shatter&class=lines&points=-0.5,0;0.5,0;0,0.1", "[aria-label='Verdict']"),
    ],
)
def test_an_answer_that_was_overtaken_is_not_shown(visit: Visit, place: str, text: str) -> None:
    page = visit(place)
    held: list[Any] = []
    page.route("**/message", lambda route: route.continue_() if held else held.append(route))
    page.locator("[data-point='2']").focus()
    page.keyboard.press("ArrowDown")  # its answer waits,
    page.keyboard.press("Delete")  # and that of this does not
    expect(page.locator("[data-point]")).to_have_count(2)
    page.wait_for_timeout(500)
    shown = page.locator(text).inner_text()
    with page.expect_response("**/message"):
        held[0].continue_()
    page.wait_for_timeout(200)
    assert page.locator(text).inner_text() == shown
    fresh = visit(place.rpartition(";")[0])
    assert fresh.locator(text).inner_text() == shown


def test_a_line_is_judged_by_the_points_that_there_are(visit: Visit) -> None:
    page = visit("#lines?points=-0.5,0,0;0.5,0,1;-0.4,0.1,1")
    held: list[Any] = []
    page.route("**/message", lambda route: route.continue_() if held else held.append(route))
    page.locator("[data-point='2']").focus()
    page.keyboard.press("Delete")
    page.get_by_label("Turn w (degrees)").focus()
    page.keyboard.press("End")  # before the deletion is answered
    page.wait_for_timeout(300)
    held[0].continue_()
    expect(page.locator("#own")).to_have_text("Every point is on its side.")
