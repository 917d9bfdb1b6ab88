"""Sums over features in SQL: linear models, conjunctions, disjunctions, naive Bayes."""

from __future__ import annotations

from math import comb, exp, factorial, inf, sqrt

from mistakebound.core.names import sql_value
from mistakebound.model.export.form import LinearForm, Scale, Standardize
from mistakebound.model.export.sql_answers import curve_of, largest, pair
from mistakebound.model.export.sql_cells import SqlCells, added, multiplied, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.model.export.form import Key, Start
    from mistakebound.model.export.sql_answers import Parts, Steps


def sum_parts(form: LinearForm) -> Parts:
    names = [name for key in form.weights for name in (_names(key))]
    numbers = [number for number, _, _ in form.bins.values()]
    own = [name for name in names if not _is_unseen(form, name) and name not in form.bins]
    cells = SqlCells(form.inputs, [*own, *numbers])
    sums = _Sums(form, cells)
    steps: Steps = []
    if sums.standardized:
        steps.append(("standardized", ["parts.*", *sums.standardized]))
    before = "standardized" if sums.standardized else "parts"
    if form.start is not None and form.expand is not None and form.expand.negated:
        steps.append(("counted", [f"{before}.*", f"{sums.unknown()} AS unseen"]))
        before = "counted"
    outputs = [f"{sums.total(k)} AS s{k}" for k in range(len(form.outputs))]
    more = [f"{sums.new()} AS new"] if form.start is not None else []
    products = [f"{sums.product(k)} AS f{k}" for k in range(len(form.outputs))] if form.softmax else []
    steps.append(("sums", ["bad", *outputs, *more, *products]))
    if form.start is not None:
        start = _start(form.start)
        steps.append(("scores", ["bad", *(f"s{k} + {start} AS s{k}" for k in range(len(form.outputs)))]))
    if len(form.labels) == 2 and form.outputs == (1,) and not form.softmax:
        negative, positive = map(sql_value, form.labels)
        label = f"CASE WHEN s0 {form.rule} {number(form.theta)} THEN {positive} ELSE {negative} END"
        return cells, steps, label, pair(form.curves)
    many = len(form.outputs)
    steps.append(("best", [f"{steps[-1][0]}.*", f"{largest([f's{k}' for k in range(many)])} AS most"]))
    each = " ".join(f"WHEN s{k} THEN {sql_value(form.labels[code])}" for k, code in enumerate(form.outputs))
    label = f"CASE WHEN most > -9e999 THEN CASE most {each} END END"
    if form.softmax:
        whole = f"({added([f'f{k}' for k in range(many)])})"
        return cells, steps, label, [f"f{k} / NULLIF({whole}, 0)" for k in range(many)]
    if form.curves is None:
        return cells, steps, label, []
    steps.append(
        (
            "curves",
            [
                "bad",
                "most",
                *(f"s{k}" for k in range(many)),
                *(f"{curve_of(curve, f's{k}')} AS q{k}" for k, curve in enumerate(form.curves)),
            ],
        )
    )
    whole = f"({added([f'q{k}' for k in range(many)])})"
    places = {code: k for k, code in enumerate(form.outputs)}
    return (
        cells,
        steps,
        label,
        [f"q{places[code]} / {whole}" if code in places else "0.0" for code in range(len(form.labels))],
    )


def _names(key: Key) -> list[str]:
    return [key] if isinstance(key, str) else [name for name, _ in key]


def _is_unseen(form: LinearForm, name: str) -> bool:
    return form.expand is not None and name.startswith("unseen ") and name in form.expand.negated


class _Sums:
    """The terms of the sums of a form, as expressions over cells."""

    def __init__(self, form: LinearForm, cells: SqlCells) -> None:
        self.form, self.cells = form, cells
        self.tallies = next((step.tallies for step in form.steps if isinstance(step, Standardize)), {})
        self.scales = next((step.numbers for step in form.steps if isinstance(step, Scale)), {})
        self.standardized: list[str] = []
        for place, column in enumerate(cells.columns):
            if column.kind == "numeric" and not column.cuts and column.name in self.tallies:
                self.standardized.append(f"{_standardized(f'c{place}', *self.tallies[column.name])} AS z{place}")
        self.known: dict[str, list[tuple[str, str | None]]] = {}  # by cell: attributes that have appeared, their values
        names = form.expand.negated if form.expand is not None else ()
        for name in dict.fromkeys([*names, *(name for key in form.weights for name in _names(key))]):
            if not _is_unseen(form, name) and name not in form.bins:
                cell, value = cells.place(name)
                self.known.setdefault(cell, []).append((name, value))

    def value(self, attribute: str) -> str:
        """What an attribute that is present counts."""
        if attribute in self.form.bins:
            return "1.0"
        cell, value = self.cells.place(attribute)
        if value is None and attribute in self.scales:
            centre, size, limit = map(number, self.scales[attribute])
            return f"MAX(-{limit}, MIN({limit}, ({cell} - {centre}) / {size}))"
        if value is None:
            return f"z{cell[1:]}" if attribute in self.tallies else cell
        return number(_of_one(*self.tallies[attribute])) if attribute in self.tallies else "1.0"

    def total(self, output: int) -> str:
        weights = {key: own[output] for key, own in self.form.weights.items()}
        if self.form.expand is not None:
            terms = [
                f"CASE WHEN {self.holds(key)} THEN {self.product_of(key, weight)} ELSE 0.0 END"
                for key, weight in weights.items()
                if weight
            ]
        else:
            terms = [self._of_cell(cell, known, weights, "0.0") for cell, known in self.known.items()]
        return added([number(self.form.biases[output]), *terms])

    def _of_cell(self, cell: str, known: list[tuple[str, str | None]], weights: dict[str, float], none: str) -> str:
        """What one column adds."""
        name, value = known[0]
        if value is None:
            return (
                f"CASE WHEN {self.cells.present(name)} THEN {number(weights[name])} * {self.value(name)} ELSE 0.0 END"
            )
        each = " ".join(
            f"WHEN {value} THEN {number(weights[name] * float(self.value(name)))}"
            for name, value in known
            if name in weights
        )
        return f"CASE {cell} {each} ELSE {none} END"

    def product(self, output: int) -> str:
        """The product of the chances of a class, each divided by the largest one: no sum of logs is needed."""

        def factor(logs: tuple[float, ...]) -> float:
            return exp(logs[output] - max(logs)) if max(logs) > -inf else 0.0

        factors = {key: factor(logs) for key, logs in self.form.weights.items()}
        terms = [self._of_cell(cell, known, factors, "1.0") for cell, known in self.known.items()]
        return multiplied([number(factor(self.form.biases)), *terms])

    def holds(self, key: Key) -> str:
        """Whether all literals of a conjunction do."""
        literals, every = [], self.form.expand.negated if self.form.expand is not None else ()
        unseen = [name for name in every if _is_unseen(self.form, name)]
        for name, negated in key:
            if name in unseen:
                at = unseen.index(name) + 1
                literals.append(f"unseen {'<' if negated else '>='} {at}")
            else:
                there = self.present(name)
                literals.append(f"NOT ({there})" if negated else there)
        return " AND ".join(literals)

    def present(self, name: str) -> str:
        if name not in self.form.bins:
            return self.cells.present(name)
        of, low, high = self.form.bins[name]
        cell, _ = self.cells.place(of)
        sides = [f"{cell} IS NOT NULL"]
        sides += [f"{cell} >= {number(low)}"] if low is not None else []
        sides += [f"{cell} < {number(high)}"] if high is not None else []
        return " AND ".join(sides)

    def product_of(self, key: Key, weight: float) -> str:
        values = [self.value(name) for name, negated in key if not negated and not _is_unseen(self.form, name)]
        return " * ".join([number(weight), *(value for value in values if value != "1.0")])

    def unknown(self) -> str:
        """How many attributes of a row have never appeared."""
        return added(["0", *(self._is_unknown(cell, present) for cell, present in self.cells.every())])

    def _is_unknown(self, cell: str, present: str) -> str:
        known = self.known.get(cell, [])
        if any(value is None for _, value in known):
            return "0"
        listed = f" AND {cell} NOT IN ({', '.join(value or '' for _, value in known)})" if known else ""
        return f"({present}{listed})"

    def new(self) -> str:
        """How many features of a row have never appeared."""
        expand = self.form.expand
        if expand is None:
            return self.unknown()
        held = added(["0", *(f"({self.holds(key)})" for key in self.form.weights)])
        if expand.negated:
            return f"{sum(comb(len(expand.negated), size) for size in range(1, expand.cross + 1))} - ({held})"
        many = f"({added([f'({present})' for _, present in self.cells.every()])})"
        each = [
            " * ".join(f"({many} - {less})" for less in range(size)) + f" / {factorial(size)}"
            for size in range(1, expand.cross + 1)
        ]
        return f"{' + '.join(each)} - ({held})"


def _standardized(cell: str, many: float, mean: float, squares: float) -> str:
    now = f"({number(mean)} + ({cell} - {number(mean)}) / {number(many + 1)})"
    spread = f"({number(squares)} + ({cell} - {number(mean)}) * ({cell} - {now}))"
    flat = f"WHEN {cell} = 1 THEN 1.0 WHEN {cell} IS NOT NULL THEN 0.0"
    return f"CASE WHEN {spread} > 0 THEN ({cell} - {now}) / SQRT({spread} / {number(many + 1)}) {flat} END"


def _of_one(many: float, mean: float, squares: float) -> float:
    """What a 1 becomes."""
    far = 1.0 - mean
    mean += far / (many + 1)
    squares += far * (1.0 - mean)
    return (1.0 - mean) / sqrt(squares / (many + 1)) if squares > 0 else 1.0


def _start(start: Start) -> str:
    if start.appeared is None:
        return f"{number(start.unit)} * new"
    parts, at = [], 0
    while at < 1 << 40:  # the weight changes where the number of features reaches a power of two
        following = (1 << (start.appeared + at).bit_length()) - start.appeared
        parts.append(f"WHEN new < {following} THEN new * {number(start.weight(at))}")
        at = following
        if len(parts) == 40:
            break
    return f"CASE {' '.join(parts)} ELSE 0.0 END"
