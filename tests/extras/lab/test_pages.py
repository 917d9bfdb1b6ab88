"""Every view: reachable by everyone, fits every width, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
