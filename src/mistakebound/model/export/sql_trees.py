"""Decision lists and trees in SQL."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.core.names import sql_value
from mistakebound.model.export.sql_answers import largest, pair
from mistakebound.model.export.sql_cells import SqlCells, added, multiplied, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.model.export.form import ListForm, TreeForm
    from mistakebound.model.export.sql_answers import Parts, Steps


def list_parts(form: ListForm) -> Parts:
    cells = SqlCells(form.inputs, [name for name, _, _ in form.steps] or ["1"])
    rules = " ".join(
        f"WHEN {'' if on else 'NOT '}({cells.present(name)}) THEN {number(score)}" for name, on, score in form.steps
    )
    score = f"CASE {rules} ELSE {number(form.default)} END" if rules else number(form.default)
    label = f"CASE WHEN s0 > 0 THEN {sql_value(form.labels[1])} ELSE {sql_value(form.labels[0])} END"
    return cells, [("scores", ["bad", f"{score} AS s0"])], label, pair(form.curves)


def tree_parts(form: TreeForm) -> Parts:
    cells = SqlCells(form.inputs, ())
    walk = _TreeWalk(form, cells)
    leaves = [place for place, node in enumerate(form.nodes) if not node.children]
    labels = " ".join(f"WHEN {place} THEN {sql_value(form.labels[form.nodes[place].label])}" for place in leaves)
    shares = [
        "CASE leaf " + " ".join(f"WHEN {place} THEN {number(form.nodes[place].shares[code])}" for place in leaves)
        for code in range(len(form.labels))
    ]
    steps: Steps = [("n_0", ["parts.*", "0 AS n0"])]
    for depth, node in enumerate(walk.levels()):
        steps.append((f"n_{depth + 1}", [f"n_{depth}.*", f"{node} AS n{depth + 1}"]))
    last = len(steps) - 1
    steps.append(("leaves", [f"n_{last}.*", f"n{last} AS leaf"]))
    if not form.fractions:
        return cells, steps, f"CASE leaf {labels} END", [f"{share} END" for share in shares]
    mixed = [f"{share} ELSE {walk.mixture(code)} END AS q{code}" for code, share in enumerate(shares)]
    steps.append(("shares", ["bad", "leaf", *mixed]))
    steps.append(("best", ["shares.*", f"{largest([f'q{code}' for code in range(len(form.labels))])} AS most"]))
    each = " ".join(f"WHEN q{code} > most - 1e-12 THEN {sql_value(own)}" for code, own in enumerate(form.labels))
    return (
        cells,
        steps,
        f"CASE leaf {labels} ELSE CASE {each} END END",
        [f"q{code}" for code in range(len(form.labels))],
    )


class _TreeWalk:
    """The tests of a tree as conditions over cells."""

    def __init__(self, form: TreeForm, cells: SqlCells) -> None:
        self.form, self.cells = form, cells

    def _cell(self, column: str, texts: list[str]) -> tuple[str, list[str]]:
        """The cell of a column of the tree, and its texts as values of SQL."""
        for place, own in enumerate(self.cells.columns):
            if own.name == column:
                if not own.cuts:
                    return f"c{place}", [sql_value(text) for text in texts]
                return f"c{place}", [self.cells.place(text)[1] or "" for text in texts]
            if own.kind == "moment" and column.startswith(f"{own.name} "):
                return f"c{place}_{column.rpartition(' ')[2]}", [sql_value(text) for text in texts]
        raise BadParameter(f"the tree asks for a column that the model has not: {column!r}")

    def tests(self, place: int) -> tuple[str, list[tuple[int, str]]]:
        """The condition that a row has no value here, and of each child the condition that it goes there."""
        node = self.form.nodes[place]
        cell, values = self._cell(node.column, list(node.branch))
        if node.threshold is not None:
            below = f"{cell} <= {number(node.threshold)}"
            return f"{cell} IS NULL", [
                (node.children[0], below),
                (node.children[1], f"{cell} > {number(node.threshold)}"),
            ]
        by_child: dict[int, list[str]] = {child: [] for child in node.children}
        for value, child in zip(values, node.branch.values(), strict=True):
            by_child[child].append(value)
        known = f"{cell} IN ({', '.join(values)})"
        return f"({cell} IS NULL OR NOT ({known}))", [
            (child, f"{cell} IN ({', '.join(own)})") for child, own in by_child.items() if own
        ]

    def levels(self) -> list[str]:
        """Of each level of tests the node after it, by that before, n0 = 0: nested tests would be too deep for SQLite.

        A node is NULL where fractions of a row go to several.
        """
        found: list[str] = []
        level = [0]
        while any(self.form.nodes[place].children for place in level):
            each = " ".join(
                f"WHEN {place} THEN {self._step(place)}" for place in level if self.form.nodes[place].children
            )
            found.append(f"CASE n{len(found)} {each} ELSE n{len(found)} END")
            level = [child for place in level for child in self.form.nodes[place].children]
        return found

    def _step(self, place: int) -> str:
        node = self.form.nodes[place]
        missing, tests = self.tests(place)
        ways = " ".join(f"WHEN {test} THEN {child}" for child, test in tests)
        return f"CASE WHEN {missing} THEN {'NULL' if self.form.fractions else node.otherwise} {ways} END"

    def mixture(self, code: int) -> str:
        """The share of a class where values are missing: of each leaf its share, times that of each branch to it."""
        terms: list[str] = []
        waiting: list[tuple[int, list[str]]] = [(0, [])]
        while waiting:
            place, factors = waiting.pop()
            node = self.form.nodes[place]
            if not node.children:
                terms.append(multiplied([number(node.shares[code]), *factors]))
                continue
            missing, tests = self.tests(place)
            known = dict(tests)
            for child, part in zip(node.children, node.parts, strict=True):
                here = f"WHEN {known[child]} THEN 1.0 " if child in known else ""
                waiting.append((child, [*factors, f"CASE WHEN {missing} THEN {number(part)} {here}ELSE 0.0 END"]))
        return added(terms)
