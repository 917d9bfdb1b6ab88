"""Trees and games as text, DOT and SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from mistakebound.concepts import FiniteClass, MonotoneDisjunctions, Thresholds
from mistakebound.core.errors import BadParameter
from mistakebound.report.drawing import draw, draw_game, draw_tree
from mistakebound.report.sketch import sketch_game, sketch_tree
from mistakebound.theory.littlestone import opt
from mistakebound.theory.queries import query_depth

SVG = "{http://www.w3.org/2000/svg}"


def boxes(text):
    """The rectangles of a drawing: left, top, right, bottom."""
    found = []
    for element in ElementTree.fromstring(text).iter(f"{SVG}rect"):
        x, y, wide, high = (float(element.get(name)) for name in ("x", "y", "width", "height"))
        found.append((x, y, x + wide, y + high))
    return found


def test_text_of_a_question_tree():
    assert draw_tree(query_depth(Thresholds(2)).tree) == (
        "1?\n├─0─ x1 in {}\n└─1─ 2?\n     ├─0─ 1 <= x1 <= 1\n     └─1─ 1 <= x1 <= 2"
    )


@pytest.mark.parametrize("levels", [1, 3, None])
def test_every_node_is_drawn_once_in_every_form(levels):
    tree = query_depth(MonotoneDisjunctions(4, 2)).tree
    sketch = sketch_tree(tree, levels)
    texts = sorted(node.text for node in sketch.walk())
    if levels is None:
        assert len(texts) == len(tree.nodes)
    else:
        assert "more leaves" in draw_tree(tree, "text", levels)
    svg = draw_tree(tree, "svg", levels)
    drawn = [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text") if not element.get("class")]
    assert sorted(drawn) == texts
    dot = draw_tree(tree, "dot", levels)
    assert dot.count("shape=") == len(texts)
    assert dot.count("->") == len(texts) - 1
    assert len(draw_tree(tree, "text", levels).splitlines()) == len(texts)


def test_nothing_overlaps_and_all_is_inside():
    svg = draw_tree(opt(MonotoneDisjunctions(5)).tree, "svg")
    found = boxes(svg)
    assert len(found) == 63
    root = ElementTree.fromstring(svg)
    wide, high = float(root.get("width")), float(root.get("height"))
    for place, (left, top, right, bottom) in enumerate(found):
        assert left >= 0
        assert top >= 0
        assert right <= wide
        assert bottom <= high
        for other in found[:place]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def test_a_folded_tree_counts_what_it_hides():
    tree = opt(MonotoneDisjunctions(6)).tree
    sketch = sketch_tree(tree, 2)
    assert [node.text for node in sketch.walk() if node.kind == "folded"] == ["... 16 more leaves"] * 4


def test_texts_are_escaped():
    def less(x):
        return x == '<"&'

    less.__name__ = 'a < "b" & c'
    tree = query_depth(FiniteClass([less, lambda x: 0], ['<"&', "y"])).tree
    assert ElementTree.fromstring(draw_tree(tree, "svg")) is not None
    assert 'label="a < \\"b\\" & c"' in draw_tree(tree, "dot")


def test_a_game():
    trials = [((0, 1, 1), 0, 1), ((1, 0, 1), 1, 1), ((1, 1, 1), 1, 0)]
    assert draw(sketch_game(trials, "x1 | x2")) == (
        "011?\n│ 1, predicted 0: mistake 1\n101?\n│ 1, predicted 1\n111?\n│ 0, predicted 1: mistake 2\nx1 | x2"
    )
    assert draw_game(trials, most=1).endswith("... 2 more trials")
    assert draw_game(trials).endswith("2 mistakes")
    assert len(boxes(draw_game(trials, "svg"))) == 4


def test_a_game_over_sets_of_attributes():
    trials = [(frozenset({"10", "9", "free"}), 0, 1), (set(), 0, 0)]
    assert draw_game(trials, end="x9") == ("x9 x10 free?\n│ 1, predicted 0: mistake 1\nnothing?\n│ 0, predicted 0\nx9")


def test_refused():
    tree = query_depth(Thresholds(2)).tree
    with pytest.raises(BadParameter, match="form must be one of text, dot, svg, latex: 'png'"):
        draw_tree(tree, "png")
    with pytest.raises(BadParameter, match="levels must be a whole number >= 1: 0"):
        draw_tree(tree, levels=0)
