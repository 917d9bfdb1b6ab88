"""A decision tree drawn: every node once, the path of a row marked, large trees folded, class colours, a page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest

import mistakebound as mb
from learners.test_tree_rules import PLAY
from mistakebound.learners.tree.table_text import COLOURS, counts_text, leaf_text
from mistakebound.report.decision_tree import sketch_decision_tree

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def play():
    return mb.DecisionTree(min_leaf=1).fit(PLAY, "play")


@pytest.fixture(scope="module")
def large():
    """Three hundred leaves or so, on nominal columns of up to nine values and one of numbers."""
    rng = np.random.RandomState(1)
    X = {f"c{k}": [f"v{code}" for code in rng.randint(0, 3 + 2 * k, 2000)] for k in range(4)} | {"n": rng.rand(2000)}
    return mb.DecisionTree().fit(X, rng.randint(0, 4, 2000).tolist())


def test_text(play):
    row = {"outlook": "sunny", "temperature": "hot", "humidity": "high", "wind": "weak"}
    assert mb.plot.draw_decision_tree(play, row=row).splitlines() == [
        "outlook? (9 yes, 5 no) ◀",
        "├─sunny─ humidity? (3 no, 2 yes) ◀",
        "│        ├─high─ no (3) ◀",
        "│        └─normal─ yes (2)",
        "├─overcast─ yes (4)",
        "└─rain─ wind? (3 yes, 2 no)",
        "        ├─weak─ yes (3)",
        "        └─strong─ no (2)",
    ]
    assert play.text().splitlines() == [
        "outlook = sunny",
        "|   humidity = high: no (3)",
        "|   humidity = normal: yes (2)",
        "outlook = overcast: yes (4)",
        "outlook = rain",
        "|   wind = weak: yes (3)",
        "|   wind = strong: no (2)",
    ]


def test_numbers_and_sets_of_values_in_words():
    rows = [{"n": n, "sky": sky} for n in (1, 2.5, 4) for sky in ("sun", "fog", "rain", "snow", "hail", "dust", "haze")]
    labels = [int(row["n"] > 3 and row["sky"] != "sun") for row in rows]
    tree = mb.DecisionTree(min_leaf=1, splits="binary").fit(rows, labels)
    assert tree.text().splitlines() == [
        "n <= 3.25: 0 (14)",
        "n > 3.25",
        "|   sky = sun: 0 (1)",
        "|   sky in (fog, rain, snow, 3 more): 1 (6)",
    ]


@pytest.mark.parametrize("nodes", [5, 60, None])
def test_every_form_draws_the_same_nodes(large, nodes):
    tree = large.tree
    sketch = sketch_decision_tree(tree, large.schema, large.classes, nodes=nodes)
    shown = list(sketch.walk())
    assert len(shown) <= max(nodes or tree.size, 1 + tree.arity[0])
    if nodes is None:
        assert len(shown) == tree.size
        assert not any(node.kind == "folded" for node in shown)
    hidden = sum(
        int(re.match(r"\.\.\. ([\d,]+) leaves", n.text)[1].replace(",", "")) for n in shown if n.kind == "folded"
    )
    assert hidden + sum(node.kind == "answer" for node in shown) == tree.leaves
    svg = ElementTree.fromstring(mb.plot.draw_decision_tree(large, "svg", nodes=nodes))
    drawn = [element.text for element in svg.iter(f"{SVG}text") if not element.get("class")]
    assert sorted(drawn) == sorted(node.text for node in shown)
    assert mb.plot.draw_decision_tree(large, "dot", nodes=nodes).count("shape=") == len(shown)
    assert len(mb.plot.draw_decision_tree(large, nodes=nodes).splitlines()) == len(shown)


def test_the_path_is_marked_however_much_is_folded(large):
    rng = Random(0)
    row = {name: rng.choice(values) if values else 0.5 for name, _, values in large.schema.columns}
    path = large.tree.path(large.table([row]), 0)
    for form in ("svg", "dot", "text"):
        drawn = mb.plot.draw_decision_tree(large, form, levels=1, nodes=1, row=row)
        if form == "svg":
            svg = ElementTree.fromstring(drawn)
            assert sum("marked" in element.get("class", "") for element in svg.iter(f"{SVG}rect")) == len(path)
            assert sum(element.get("class") == "marked" for element in svg.iter(f"{SVG}path")) == len(path) - 1
        else:
            assert drawn.count("◀" if form == "text" else "penwidth") == (
                2 * len(path) - 1 if form == "dot" else len(path)
            )


def test_levels(large):
    sketch = sketch_decision_tree(large.tree, large.schema, large.classes, levels=2, nodes=None)
    depths = {id(sketch): 0}
    for node in sketch.walk():
        for _, child in node.branches:
            depths[id(child)] = depths[id(node)] + 1
    assert max(depths.values()) == 2


def test_colours(play):
    drawn = ElementTree.fromstring(mb.plot.draw_decision_tree(play, "svg"))
    fills = [element.get("style").removeprefix("fill:") for element in drawn.iter(f"{SVG}rect")]
    pure = {fill for fill, text in zip(fills, drawn.iter(f"{SVG}rect"), strict=True) if text.get("class") == "answer"}
    assert len(pure) == 2  # leaves of one class have one colour
    assert len(set(fills)) == 5  # the root and the two tests are paler, each as its rows are mixed
    assert len(set(COLOURS)) == len(COLOURS)


def test_counts_in_words():
    assert counts_text([0.0, 0.0], ("a", "b")) == "no rows"
    assert counts_text([1.0, 2.5, 3.0, 4.0, 5.0], "abcde") == "5 e, 4 d, 3 c, 3.5 of 2 more classes"
    tree = mb.DecisionTree(min_leaf=1, max_depth=0).fit(PLAY, "play")
    assert leaf_text(tree.tree, 0, tree.classes) == "yes (14, 5 not)"
    assert tree.text() == "yes (14, 5 not)"


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.texts, self.deepest = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.deepest = max(self.deepest, self.open.count("details"))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_page(play):
    page = Page()
    page.feed(play._repr_html_())
    assert page.open == []
    assert page.deepest == 2
    assert "outlook? (9 yes, 5 no)" in page.texts
    assert page.texts.count("no (3)") == 1
    assert mb.DecisionTree()._repr_html_() is None


def test_page_is_escaped():
    rows = [{"<b>": "<script>"}, {"<b>": "&"}]
    html = mb.DecisionTree(min_leaf=1).fit(rows, ["<i>", "y"])._repr_html_()
    assert "<script>" not in html
    assert "<i>" not in html
    assert "&lt;script&gt;: " in html


def test_row_explained(play):
    table = play.table([{"outlook": "sunny", "temperature": "hot", "humidity": "high", "wind": "weak"}])
    assert play.explain_row(table, 0) == [
        "predicted no  (no 1)",
        "  outlook = sunny  3 no, 2 yes",
        "  humidity = high  3 no",
    ]


def test_row_explained_without_values():
    row = {"outlook": "sunny", "temperature": None, "humidity": None, "wind": None}
    common = mb.DecisionTree(min_leaf=1).fit(PLAY, "play")
    assert common.explain_row(common.table([row]), 0)[2].split("  ")[1] == "humidity is missing: as most rows, high"
    fractions = mb.DecisionTree(min_leaf=1, missing="fractions").fit(PLAY, "play")
    lines = fractions.explain_row(fractions.table([row]), 0)
    assert lines[0] == "predicted no  (no 0.6, yes 0.4)"
    assert lines[2].strip() == "humidity is missing: all branches, by their training rows  3 no, 2 yes"
    new = fractions.explain_row(fractions.table([row | {"outlook": "hail"}]), 0)
    assert "outlook has a value that is new" in new[1]
    assert len(new) == 2  # below it goes many ways


def test_refused(play):
    with pytest.raises(mb.BadParameter, match="form must be one of text, dot, svg, latex: 'png'"):
        mb.plot.draw_decision_tree(play, "png")
    with pytest.raises(mb.BadParameter, match="nodes must be a whole number >= 1: 0"):
        mb.plot.draw_decision_tree(play, nodes=0)
    with pytest.raises(mb.BadParameter, match="has learned nothing yet"):
        mb.plot.draw_decision_tree(mb.DecisionTree())


def test_data_holds_the_whole_tree():
    """Rows are classified by `as_json` alone, also where text and pictures leave values of a set or digits out."""
    rng = Random(4)
    rows = [{"town": rng.choice("abcdefghijkl"), "km": rng.randrange(400) / 10} for _ in range(300)]
    tree = mb.DecisionTree(splits="binary", min_leaf=1).fit(rows, [rng.choice("xyz") for _ in rows])
    nodes = tree.as_json(5)["tree"]

    def classified(row):
        node = nodes[0]
        while "branches" in node:
            cell = row[node["column"]]
            first, second = node["branches"]
            under = cell <= first["threshold"] if "threshold" in first else cell in first["values"]
            node = nodes[(first if under else second)["node"]]
        return node["class"]

    assert [classified(row) for row in rows] == tree.predict_many(rows)
    assert " more)" in tree.text()
    assert " more)" not in tree.text(None)
    assert any(len(branch.get("values", ())) > 4 for node in nodes for branch in node.get("branches", ()))
    assert any(len(branch["test"]) < len(f"{branch['threshold']!r}")
               for node in nodes for branch in node.get("branches", ()) if "threshold" in branch)  # fmt: skip
