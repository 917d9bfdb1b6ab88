"""What notebooks show: self-contained, escaped, in the colours of the page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import mistakebound as mb
from mistakebound.concepts import MonotoneDisjunctions
from mistakebound.theory import opt

HOSTILE = "<script>alert(1)</script>\" onload='x' &amp; \x1b[31m"


class Tags(HTMLParser):
    """Tags that are open, and those that ever were."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in ("path", "polyline", "line", "rect", "circle", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("path", "polyline", "line", "rect", "circle"):
            assert self.open.pop() == tag


def results() -> dict[str, Any]:
    rows = [{"words": [HOSTILE, "now"], "kind": HOSTILE}, {"words": ["lunch", "now"], "kind": "ham"}] * 20
    model = mb.learn(rows, "kind", learner="perceptron", assume={"margin": 0.1, "radius": 2})
    assert model.ledger is not None
    space = mb.learners.CandidateElimination(attributes={"sky": ["sunny", HOSTILE], "wind": ["weak", "strong"]})
    space.learn_one({"sky": HOSTILE, "wind": "weak"}, True)
    return {
        "model": model,
        "ledger": model.ledger,
        "hypothesis": model.learner.hypothesis,
        "theorem": mb.Perceptron.theorems[0],
        "bound": mb.Perceptron().bound(margin=0.5, radius=2),
        "mistake tree": opt(MonotoneDisjunctions(2)).tree,
        "version space": space.version_space,
        "comparison": mb.compare([({"3"}, 1), ({"5"}, 0)] * 10, {HOSTILE: mb.Winnow2(), "b": mb.Perceptron()}),
        "hunt": mb.hunt(lambda on: HOSTILE in on, ["a", HOSTILE, "c", "d"]),
    }


@pytest.mark.parametrize("name", [
    "model", "ledger", "hypothesis", "theorem", "bound", "mistake tree", "version space", "comparison", "hunt",
])  # fmt: skip
def test_pages_are_whole_escaped_and_need_nothing_else(name: str) -> None:
    page = results()[name]._repr_html_()
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert "script" not in tags.seen
    assert "\x1b" not in page
    assert not re.search(r"""src="(?!data:)|href=|@import|url\(""", page)
    assert "prefers-color-scheme:dark" in page
    assert "--jp-content-font-color1" in page
    assert "--vscode-foreground" in page


def test_what_the_pages_say() -> None:
    found = results()
    page = found["model"]._repr_html_()
    assert "&lt;script&gt;" in page
    assert f"{found['ledger'].mistakes:,} mistakes in 40 trials" in page
    assert "<polyline" in page
    assert "mistakes" in found["theorem"]._repr_html_()
    assert "data:image/svg+xml;base64," in found["mistake tree"]._repr_html_()
    assert "the culprit is" in found["hunt"]._repr_html_()
    assert mb.Ledger()._repr_html_().count("<svg") == 0


def test_a_model_of_a_whole_table_shows_what_it_learned() -> None:
    import pyarrow as pa

    table = pa.table({HOSTILE: ["sunny", HOSTILE] * 30, "wind": ["a", "b", "c"] * 20, "y": [HOSTILE, "q"] * 30})
    for learner, words in (
        ("decision-tree", "<summary>"),
        ("naive-bayes", "strongest evidence"),
        ("network", "hidden"),
    ):
        page = mb.learn(table, "y", learner=learner, parameters={})._repr_html_()
        assert words in page, learner
        tags = Tags()
        tags.feed(page)
        assert tags.open == []
        assert "script" not in tags.seen
        assert len(page) < 20_000
    unfitted = mb.Model(mb.DecisionTree())
    assert "DecisionTree()" in unfitted._repr_html_()


def test_a_model_of_points() -> None:
    rows = [[float(k % 2 * 9 + k % 3)] for k in range(30)]
    model = mb.Model(mb.learners.GaussianMeans(2, 1.0).fit(rows))
    assert "GaussianMeans" in model._repr_html_()
