"""Every view: reachable by everyone, fits every width, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
VIEWS = {
    "watch": "#arena?seed=3&t=40",
    "adversary": "#arena?mode=adversary",
    "learner": "#arena?mode=learner&moves=01",
    "race": "#arena?mode=race",
    "versions": "#versions?moves=sunny.strong.warm.1",
    "line": "#lines",
    "network": "#lines?part=network",
    "shatter": "#lines?part=shatter",
    "tree": "#trees?moves=outlook",
    "prune": "#trees?part=prune",
    "believe": "#trees?part=believe&evidence=HT",
    "em": "#trees?part=em",
    "data": "#data?row=7&learner=arow",
    "exercises": "#exercises?id=bayes-2",
}


@pytest.mark.parametrize("name", VIEWS)
def test_nothing_serious_for_people_who_need_help(visit: Callable[..., Any], name: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not there")
    page = visit(VIEWS[name])
    page.evaluate(AXE.read_text())
    bad = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        bad += [
            f"{theme}: {rule['id']}: {rule['help']}: {[node['target'] for node in rule['nodes'][:3]]}"
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
        ]
    assert bad == []


@pytest.mark.parametrize("name", VIEWS)
def test_it_fits_every_window(visit: Callable[..., Any], name: str) -> None:
    page = visit(VIEWS[name], width=1920)
    for width in (1920, 1280, 768, 390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{width}: {wide} too wide"


def test_the_theme_can_be_chosen_and_is_kept(visit: Callable[..., Any]) -> None:
    page = visit("")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_an_unknown_place_is_the_arena(visit: Callable[..., Any]) -> None:
    page = visit("#cows?seed=<script>")
    assert page.title() == "Arena · mistakebound lab"


@pytest.mark.parametrize("place", ["#arena?seed=%", "#%", "#arena?class=%E0%A4%A"])
def test_an_address_that_cannot_be_decoded(visit: Callable[..., Any], place: str) -> None:
    assert visit(place).locator("h1").inner_text() == "Arena"


@pytest.mark.parametrize(
    ("place", "act", "shown", "words"),
    [
        ("#arena?mode=adversary&learner=winnow1", "#answer-1", "#left", "8 of 37"),
        ("#arena?mode=learner&class=thresholds+m%3D15", "#answer-1", "#mistakes", "1"),
        ("#arena?mode=adversary", ".switch >> nth=2", "#said", "x3"),
        ("#versions", "#answer-1", "#size", "8"),
        ("#versions", "#value-2-cool", "#vote", "say yes"),
        ("#trees", "#test-outlook", "#nodes", "4"),
        ("#trees", "#greedy", "#state", "every day is right"),
        ("#data?learner=arow", "text=balanced-winnow", "#mistakes-balanced-winnow", ""),
    ],
)
def test_a_game_that_the_engine_has_forgotten_goes_on(
    visit: Callable[..., Any], engine: Any, place: str, act: str, shown: str, words: str
) -> None:
    page = visit(place)
    page.wait_for_load_state("networkidle")
    engine._sessions._open.clear()
    page.click(act)
    expect(page.locator(shown)).to_contain_text(words)


def test_a_line_of_a_forgotten_game(visit: Callable[..., Any], engine: Any) -> None:
    page = visit("#lines?points=-0.5,0,0;0.5,0,1")
    engine._sessions._open.clear()
    page.get_by_label("Turn w (degrees)").fill("180")
    expect(page.locator("#own")).to_have_text("2 points on the wrong side: A, B.")


def test_a_server_that_has_gone_is_said(browser: Any, address: str) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(address + "#arena?mode=adversary")
    page.wait_for_selector("#answer-1")
    page.route("**/message", lambda route: route.abort())
    page.click("#answer-1")
    expect(page.locator("#refused")).to_have_text("The lab's server does not answer: is it still running?")
    context.close()
