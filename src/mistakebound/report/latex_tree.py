"""A sketch as a tikzpicture: from the left to the right, or downwards where nothing branches (a game)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mistakebound.report.latex_formula import latex_text

if TYPE_CHECKING:
    from mistakebound.report.sketch import Sketch

_CHARACTER, _GAP, _LINE = 0.17, 0.9, 0.62  # centimetres: of a sign, beside branches, between leaves
_LOOKS = {
    "question": "draw,rounded corners", "answer": "draw", "folded": "draw,dashed",
}  # fmt: skip


def as_latex(sketch: Sketch) -> str:
    """Needs \\usepackage{tikz}, and no other package."""
    nodes = list(sketch.walk())
    number = {id(node): place for place, node in enumerate(nodes)}
    places = _downwards(nodes) if all(len(node.branches) < 2 for node in nodes) else _rightwards(sketch, nodes)
    side = ("south", "north", "right") if all(len(node.branches) < 2 for node in nodes) else ("east", "west", "above")
    lines = [r"\begin{tikzpicture}[every node/.style={font=\ttfamily\footnotesize,inner sep=2.5pt}]"]
    for place, node in enumerate(nodes):
        look = _LOOKS[node.kind] + ",very thick" * node.marked
        x, y = places[id(node)]
        lines.append(rf"\node[{look},anchor={side[1]}] (n{place}) at ({x:.2f},{y:.2f}) {{{_node_text(node.text)}}};")
    for node in nodes:
        for label, child in node.branches:
            ends = f"(n{number[id(node)]}.{side[0]}) -- node[{side[2]}] {{{_node_text(label)}}}"
            lines.append(rf"\draw{'[very thick]' * child.marked} {ends} (n{number[id(child)]}.{side[1]});")
    return "\n".join([*lines, r"\end{tikzpicture}"])


def _node_text(text: str) -> str:
    return latex_text(text).replace("\n", " ")


def _downwards(nodes: list[Sketch]) -> dict[int, tuple[float, float]]:
    return {id(node): (0.0, -1.9 * _LINE * level) for level, node in enumerate(nodes)}


def _rightwards(sketch: Sketch, nodes: list[Sketch]) -> dict[int, tuple[float, float]]:
    """Leaves below each other in their order; a node in the middle of its branches."""
    level = {id(sketch): 0}
    for node in nodes:
        level |= {id(child): level[id(node)] + 1 for _, child in node.branches}
    widths = [0.0] * (max(level.values()) + 1)
    for node in nodes:
        longest = max((len(label) for label, _ in node.branches), default=0)
        widths[level[id(node)]] = max(widths[level[id(node)]], _CHARACTER * (len(node.text) + longest) + _GAP)
    height: dict[int, float] = {}
    leaves = 0
    for node in nodes:
        if not node.branches:
            height[id(node)] = -_LINE * leaves
            leaves += 1
    for node in reversed(nodes):
        if node.branches:
            ends = [height[id(child)] for _, child in node.branches]
            height[id(node)] = (ends[0] + ends[-1]) / 2
    return {id(node): (sum(widths[: level[id(node)]]), height[id(node)]) for node in nodes}
