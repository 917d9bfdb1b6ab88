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
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", VIEWS)
def test_nothing_serious_for_people_who_need_help(visit: Callable[..., Any], name: str, theme: str) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not there")
    page = visit(VIEWS[name], theme=theme)
    found = page.evaluate(AXE.read_text() + "; axe.run(document, { resultTypes: ['violations'] })")
    bad = [
        f"{rule['id']}: {rule['help']}: {[node['target'] for node in rule['nodes'][:3]]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
    ]
    assert bad == []


@pytest.mark.parametrize("width", [360, 390, 768, 1280, 1920])
@pytest.mark.parametrize("name", VIEWS)
def test_it_fits_the_window(visit: Callable[..., Any], name: str, width: int) -> None:
    page = visit(VIEWS[name], width=width)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_the_theme_can_be_chosen_and_is_kept(visit: Callable[..., Any]) -> None:
    page = visit("")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_an_unknown_place_is_the_arena(visit: Callable[..., Any]) -> None:
    page = visit("#cows?seed=<script>")
    assert page.title() == "Arena · mistakebound lab"
