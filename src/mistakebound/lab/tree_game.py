"""Trees: you choose the test at each node, with the gains shown and ID3's choice beside yours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from mistakebound.core.errors import BadParameter, shown
from mistakebound.lab.session import Session
from mistakebound.learners.tree.criteria import entropy, information_gain
from mistakebound.learners.tree.decision_tree import DecisionTree

if TYPE_CHECKING:
    from mistakebound.lab.request import Request

_COLUMNS = ("outlook", "temperature", "humidity", "wind")
_LABEL = "play"
_DAYS = """sunny hot high weak no;sunny hot high strong no;overcast hot high weak yes;rain mild high weak yes
rain cool normal weak yes;rain cool normal strong no;overcast cool normal strong yes;sunny mild high weak no
sunny cool normal weak yes;rain mild normal weak yes;sunny mild normal strong yes;overcast mild high strong yes
overcast hot normal weak yes;rain mild high strong no"""
DAYS = [
    dict(zip((*_COLUMNS, _LABEL), day.split(), strict=True)) for day in _DAYS.replace("\n", ";").split(";")
]  # Quinlan's fourteen days
VALUES = {column: list(dict.fromkeys(day[column] for day in DAYS)) for column in _COLUMNS}
CLASSES = ("no", "yes")


class TreeGame(Session):
    """A tree that you grow; `moves` are tests, each as the path to a node and the column that it tests."""

    actions: ClassVar[tuple[str, ...]] = ("split",)

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.tests: dict[tuple[str, ...], str] = {}

    def opening(self, request: Request) -> dict[str, Any]:
        for move in request.listed("moves", 60, []):
            self._split(move)
        greedy = DecisionTree(min_leaf=1).fit(DAYS, _LABEL)
        grown = greedy.as_json(0)
        return {
            "days": DAYS,
            "columns": list(_COLUMNS),
            "id3": {"nodes": grown["nodes"], "leaves": grown["leaves"], "text": greedy.text()},
        } | self._now()

    def split(self, request: Request) -> dict[str, Any]:
        self._split(request.value("move"))
        return self._now()

    def _split(self, move: Any) -> None:
        """A move: the values on the way to the node, then the column; an empty text takes the test back."""
        if not isinstance(move, list) or not move or not all(isinstance(word, str) for word in move):
            raise BadParameter(f"a move must be the values on the way to a node and a column: {shown(move)}")
        *path, column = move
        node = self._rows(tuple(path))
        used = self._used(tuple(path))
        if column == "":
            for known in [place for place in self.tests if place[: len(path)] == tuple(path)]:
                del self.tests[known]
            return
        if column not in _COLUMNS or column in used or len({day[_LABEL] for day in node}) < 2:
            raise BadParameter(f"a test must be on a column that is not used up, at a mixed node: {shown(move)}")
        self._split([*path, ""])
        self.tests[tuple(path)] = column

    def _used(self, path: tuple[str, ...]) -> list[str]:
        used = []
        for depth in range(len(path)):
            if path[:depth] not in self.tests:
                raise BadParameter(f"there is no such node: {shown(list(path))}")
            used.append(self.tests[path[:depth]])
        return used

    def _rows(self, path: tuple[str, ...]) -> list[dict[str, str]]:
        rows = DAYS
        for column, value in zip(self._used(path), path, strict=True):
            if value not in VALUES[column]:
                raise BadParameter(f"{column} must be one of {', '.join(VALUES[column])}: {shown(value)}")
            rows = [day for day in rows if day[column] == value]
        return rows

    def _now(self) -> dict[str, Any]:
        tree = self._node(())
        leaves = _leaves(tree)
        return {
            "tree": tree,
            "nodes": _count(tree),
            "done": all(leaf["entropy"] == 0 for leaf in leaves),
            "errors": sum(min(leaf["counts"]) for leaf in leaves),
            "greedy": _all_greedy(tree),
        }

    def _node(self, path: tuple[str, ...]) -> dict[str, Any]:
        rows, column = self._rows(path), self.tests.get(path)
        counts = [sum(day[_LABEL] == label for day in rows) for label in CLASSES]
        free = [name for name in _COLUMNS if name not in self._used(path)]
        mixed = min(counts) > 0
        gains = {name: information_gain(rows, name, [day[_LABEL] for day in rows]) for name in free} if mixed else {}
        best = max(gains, key=lambda name: gains[name]) if gains else None
        return {
            "path": list(path),
            "counts": counts,
            "entropy": entropy(counts),
            "label": CLASSES[int(counts[1] >= counts[0])],
            "gains": gains,
            "best": best,
            "column": column,
            "children": None
            if column is None
            else [{"value": value} | self._node((*path, value)) for value in VALUES[column]],
        }


def _leaves(node: dict[str, Any]) -> list[dict[str, Any]]:
    if node["children"] is None:
        return [node]
    return [leaf for child in node["children"] for leaf in _leaves(child)]


def _count(node: dict[str, Any]) -> int:
    return 1 + sum(map(_count, node["children"] or ()))


def _all_greedy(node: dict[str, Any]) -> bool:
    """Whether every test is one of largest gain."""
    if node["children"] is None:
        return True
    return node["gains"][node["column"]] >= node["gains"][node["best"]] and all(map(_all_greedy, node["children"]))
