"""A form as an ONNX graph: a column of numbers or texts in for each column, label and probabilities out."""

from __future__ import annotations

from math import comb, factorial, isfinite
from typing import Any

import numpy as np

from mistakebound.core.errors import BadParameter
from mistakebound.model.export.form import Cut, Expand, Form, LinearForm, ListForm, Scale, Standardize, Start, TreeForm
from mistakebound.model.export.inputs import refuse_without_columns
from mistakebound.model.export.onnx_builder import DOUBLES, TEXTS, TRUTHS, WHOLES, GraphBuilder, OnnxCells
from mistakebound.model.export.tables import check_dates


def onnx_bytes(form: Form) -> bytes:
    """The model as a file has it; outputs are `label` and, where there are probabilities, `probabilities`."""
    refuse_without_columns(form.inputs, "ONNX")
    check_dates(form, "ONNX")
    graph = GraphBuilder()
    if isinstance(form, LinearForm):
        _linear(graph, form)
    elif isinstance(form, ListForm):
        _list(graph, form)
    elif isinstance(form, TreeForm):
        _tree(graph, form)
    else:
        raise BadParameter(f"a model of {form.what} cannot be exported to ONNX")
    return graph.bytes(f"A model of {form.what}, written by mistakebound export. {form.note}".strip())


def _label(graph: GraphBuilder, form: Form, code: str) -> None:
    """The output `label`, by the code of each row."""
    kinds = {type(label) for label in form.labels}
    kind, dtype = TEXTS, object
    for own, tensor, numpy_type in (
        (bool, TRUTHS, np.bool_), (int, WHOLES, np.int64), (float, DOUBLES, np.float64),
    ):  # fmt: skip
        if kinds == {own}:
            kind, dtype = tensor, numpy_type
    labels = [str(label) for label in form.labels] if dtype is object else form.labels
    graph.output("label", graph.add("Gather", graph.constant(labels, dtype), code, axis=0), kind, [None])


def _probabilities(graph: GraphBuilder, form: Form, of: str) -> None:
    graph.output("probabilities", of, DOUBLES, [None, len(form.labels)])


def _flat(graph: GraphBuilder, of: str) -> str:
    return graph.add("Reshape", of, graph.constant([-1], np.int64))


# Sums.


def _linear(graph: GraphBuilder, form: LinearForm) -> None:
    if not all(isfinite(weight) for own in (*form.weights.values(), form.biases) for weight in own):
        raise BadParameter("a model with probabilities of 0 cannot be exported to ONNX; use m > 0")
    expand = form.expand
    names = {name: None for key in form.weights for name in ([key] if isinstance(key, str) else [n for n, _ in key])}
    unseen = [name for name in expand.negated if name.startswith("unseen ")] if expand is not None else []
    known = [name for name in (*names, *(expand.negated if expand is not None else ())) if name not in unseen]
    numbers = [number for number, _, _ in form.bins.values()]
    known = [name for name in dict.fromkeys([*known, *numbers]) if name not in form.bins]
    cells = OnnxCells(graph, form.inputs, known)
    values, present, all_names = cells.values, cells.present, list(cells.names)
    for step in form.steps:
        if isinstance(step, Standardize):
            values, present = _standardized(graph, cells, step)
        elif isinstance(step, Cut):
            flags = _cut(graph, cells, step)
            all_names += list(step.bins())
        elif isinstance(step, Scale):
            values = _scaled(graph, cells, step)
    if form.bins:
        values, present = graph.beside([values, flags]), graph.beside([present, flags])
    places = {name: place for place, name in enumerate(all_names)}
    new = None
    if expand is None:
        wanted = list(form.weights)
        features = graph.columns(graph.add("Mul", values, present), [places[name] for name in wanted])
        if form.start is not None:
            new = cells.unknown_count()
    else:
        unknown = cells.unknown_count() if form.start is not None else ""
        features, held = _conjunctions(graph, form, values, present, places, unseen, unknown)
        if form.start is not None:
            new = _new_features(graph, expand, present, held, unknown)
    weights = graph.constant([list(own) for own in form.weights.values()] or [[0.0] * len(form.biases)])
    if not form.weights:
        features = graph.columns(graph.add("Mul", values, graph.constant(0.0)), [0])
    sums = graph.add("Add", graph.add("MatMul", features, weights), graph.constant([form.biases]))
    if new is not None and form.start is not None:
        sums = graph.add("Add", sums, _started(graph, form.start, new))
    _answers(graph, form, sums)


def _cut(graph: GraphBuilder, cells: OnnxCells, step: Cut) -> str:
    """The bins of numbers, a column each."""
    bins = list(step.bins().values())
    places = [cells.names.index(number) for number, _, _ in bins]
    value, there = graph.columns(cells.values, places), graph.columns(cells.present, places)
    low = graph.constant([[-np.inf if low is None else low for _, low, _ in bins]])
    high = graph.constant([[np.inf if high is None else high for _, _, high in bins]])
    inside = graph.add("And", graph.add("GreaterOrEqual", value, low), graph.add("Less", value, high))
    return graph.add("Mul", graph.double(inside), there)


def _scaled(graph: GraphBuilder, cells: OnnxCells, step: Scale) -> str:
    scales = [step.numbers.get(name, (0.0, 1.0, np.inf)) for name in cells.names]
    centre, size, limit = (np.array([own]) for own in zip(*scales, strict=True))
    found = graph.add("Div", graph.add("Sub", cells.values, graph.constant(centre)), graph.constant(size))
    return graph.add("Max", graph.add("Min", found, graph.constant(limit)), graph.constant(-limit))


def _standardized(graph: GraphBuilder, cells: OnnxCells, step: Standardize) -> tuple[str, str]:
    tallies = [step.tallies.get(name, (0.0, 0.0, 0.0)) for name in cells.names]
    there = [float(name in step.tallies) for name in cells.names]
    many, mean, squares = (graph.constant([list(own)]) for own in zip(*tallies, strict=True))
    more = graph.add("Add", many, graph.constant(1.0))
    far = graph.add("Sub", cells.values, mean)
    apart = graph.add("Sub", cells.values, graph.add("Add", mean, graph.add("Div", far, more)))
    spread = graph.add("Add", squares, graph.add("Mul", far, apart))
    wide = graph.add("Greater", spread, graph.constant(0.0))
    safe = graph.add("Where", wide, graph.add("Div", spread, more), graph.constant(1.0))
    one = graph.double(graph.add("Equal", cells.values, graph.constant(1.0)))
    found = graph.add("Where", wide, graph.add("Div", apart, graph.add("Sqrt", safe)), one)
    return found, graph.add("Mul", cells.present, graph.constant([there]))


def _conjunctions(
    graph: GraphBuilder,
    form: LinearForm,
    values: str,
    present: str,
    places: dict[str, int],
    unseen: list[str],
    unknown: str,
) -> tuple[str, str]:
    """The values of all conjunctions of the form, and which hold."""
    extra = []
    if unseen:
        enough = graph.add("GreaterOrEqual", unknown, graph.constant([range(1, len(unseen) + 1)]))
        extra = [graph.double(enough)]
    there = graph.beside([present, *extra])
    amounts = graph.beside([graph.add("Mul", values, present), *extra])
    width = len(places) + len(unseen)
    number = places | {name: len(places) + k for k, name in enumerate(unseen)}
    ones = graph.add("Add", graph.add("Mul", graph.columns(there, [0]), graph.constant(0.0)), graph.constant(1.0))
    expand = form.expand
    assert expand is not None
    if not form.weights:
        return graph.columns(amounts, [0]), graph.columns(there, [0])
    literals = [[number[name] + width * negated for name, negated in key] for key in form.weights]
    indices = np.array([own + [2 * width] * (expand.cross - len(own)) for own in literals], np.int64)
    return tuple(  # type: ignore[return-value]
        _product(graph, graph.beside([matrix, graph.inverse(there), ones]), indices) for matrix in (amounts, there)
    )


def _product(graph: GraphBuilder, matrix: str, indices: Any) -> str:
    found = graph.columns(matrix, indices[:, 0])
    for column in indices.T[1:]:
        found = graph.add("Mul", found, graph.columns(matrix, column))
    return found


def _new_features(graph: GraphBuilder, expand: Expand, present: str, held: str, unknown: str) -> str:
    """How many conjunctions of a row have never appeared."""
    if expand.negated:
        active = graph.constant(float(sum(comb(len(expand.negated), size) for size in range(1, expand.cross + 1))))
    else:
        many = graph.add("Add", graph.total(present), unknown)
        active = ""
        for size in range(1, expand.cross + 1):
            term = graph.constant(1.0 / factorial(size))
            for less in range(size):
                term = graph.add("Mul", term, graph.add("Sub", many, graph.constant(float(less))))
            active = graph.add("Add", active, term) if active else term
        active = graph.add("Round", active)
    return graph.add("Sub", active, graph.total(held))


def _started(graph: GraphBuilder, start: Start, new: str) -> str:
    """What so many features count that have never appeared."""
    if start.appeared is None:
        return graph.add("Mul", new, graph.constant(start.unit))
    edges, steps, at, last = [], [], 0, 0.0
    for _ in range(40):  # the weight changes where the number of features reaches a power of two
        edges.append(float(at))
        steps.append(start.weight(at) - last)
        last = start.weight(at)
        at = (1 << (start.appeared + at).bit_length()) - start.appeared
    reached = graph.double(graph.add("GreaterOrEqual", new, graph.constant([edges])))
    return graph.add("Mul", new, graph.total(graph.add("Mul", reached, graph.constant([steps]))))


def _answers(graph: GraphBuilder, form: LinearForm, sums: str) -> None:
    if form.softmax:
        _label(graph, form, graph.add("ArgMax", sums, axis=1, keepdims=0))
        _probabilities(graph, form, graph.add("Softmax", sums, axis=1))
        return
    if len(form.labels) == 2 and form.outputs == (1,):
        compare = "Greater" if form.rule == ">" else "GreaterOrEqual"
        _pair(graph, form, graph.add(compare, sums, graph.constant(form.theta)), sums)
        return
    best = graph.add("ArgMax", sums, axis=1, keepdims=0)
    _label(graph, form, graph.add("Gather", graph.constant(form.outputs, np.int64), best, axis=0))
    if form.curves is not None:
        shares = _curves(graph, form, sums)
        shares = graph.add("Div", shares, graph.total(shares))
        placed = np.zeros((len(form.outputs), len(form.labels)))
        placed[np.arange(len(form.outputs)), form.outputs] = 1.0
        _probabilities(graph, form, graph.add("MatMul", shares, graph.constant(placed)))


def _pair(graph: GraphBuilder, form: LinearForm | ListForm, positive: str, scores: str) -> None:
    _label(graph, form, _flat(graph, graph.whole(positive)))
    if form.curves is not None:
        share = _curves(graph, form, scores)
        _probabilities(graph, form, graph.beside([graph.inverse(share), share]))


def _curves(graph: GraphBuilder, form: LinearForm | ListForm, scores: str) -> str:
    """Probabilities by the calibration of each output: linear between the middles of 33 cells."""
    assert form.curves is not None
    curves = form.curves
    means = [curve.mean if curve.mean > 0 else np.inf for curve in curves]  # a score is in the middle then
    far = graph.add("Sub", scores, graph.constant([[curve.theta for curve in curves]]))
    share = graph.add("Div", far, graph.add("Add", graph.constant([means]), graph.add("Abs", far)))
    place = graph.add("Add", graph.constant(16.0), graph.add("Mul", graph.constant(16.0), share))
    cell = graph.add("Min", graph.add("Floor", place), graph.constant(31.0))
    offsets = graph.constant([[33 * k for k in range(len(curves))]], np.int64)
    at = graph.add("Add", graph.whole(cell), offsets)
    table = [number for curve in curves for number in curve.cells]
    steps = [*np.diff(table).tolist(), 0.0]
    low, step = (graph.add("Gather", graph.constant(own), at, axis=0) for own in (table, steps))
    return graph.add("Add", low, graph.add("Mul", graph.add("Sub", place, cell), step))


# Lists and trees.


def _list(graph: GraphBuilder, form: ListForm) -> None:
    cells = OnnxCells(graph, form.inputs, [name for name, _, _ in form.steps] or ["1"])
    places = {name: place for place, name in enumerate(cells.names)}
    width = len(places)
    ones = graph.add(
        "Add", graph.add("Mul", graph.columns(cells.present, [0]), graph.constant(0.0)), graph.constant(1.0)
    )
    every = graph.beside([cells.present, graph.inverse(cells.present), ones])
    fires = graph.columns(every, [*(places[name] + width * (not on) for name, on, _ in form.steps), 2 * width])
    first = graph.add("ArgMax", fires, axis=1, keepdims=1)
    score = graph.add("Gather", graph.constant([*(score for _, _, score in form.steps), form.default]), first, axis=0)
    _pair(graph, form, graph.add("Greater", score, graph.constant(0.0)), score)


def _tree(graph: GraphBuilder, form: TreeForm) -> None:
    cells = OnnxCells(graph, form.inputs, [])
    inner = [place for place, node in enumerate(form.nodes) if node.children]
    branches = [(place, k) for place in inner for k in range(len(form.nodes[place].children))]
    column = {name: place for place, name in enumerate(cells.names)}
    binned = {own.name for own in form.inputs.columns if own.cuts}
    width = len(cells.names)
    picks, signs, limits = np.zeros((width, len(branches))), np.zeros(len(branches)), np.zeros(len(branches))
    sets, members, parts = np.zeros((width, len(branches))), np.zeros((width, len(branches))), np.zeros(len(branches))
    for at, (place, k) in enumerate(branches):
        node = form.nodes[place]
        parts[at] = node.parts[k] if form.fractions else float(node.children[k] == node.otherwise)
        if node.threshold is not None:
            own = column[node.column]
            picks[own, at], limits[at], signs[at] = 1.0, node.threshold, 1.0 if k == 0 else -1.0
            members[own, at] = 1.0
            continue
        for text, child in node.branch.items():
            own = column[text if node.column in binned else f"{node.column}={text}"]
            members[own, at] = 1.0
            sets[own, at] = float(child == node.children[k])
    known = graph.add("MatMul", cells.present, graph.constant(members))  # 1 where a row has a value for the test
    numeric = graph.constant([np.abs(signs)])
    values = graph.add("MatMul", graph.add("Mul", cells.values, cells.present), graph.constant(picks))
    below = graph.double(graph.add("LessOrEqual", values, graph.constant([limits])))
    side = graph.add("Where", graph.constant([signs > 0], np.bool_), below, graph.inverse(below))
    goes = graph.add(
        "Add", graph.add("Mul", graph.add("Mul", side, numeric), known),
        graph.add("MatMul", cells.present, graph.constant(sets)),
    )  # fmt: skip
    factors = graph.add("Add", goes, graph.add("Mul", graph.inverse(known), graph.constant([parts])))
    _leaves(graph, form, factors if branches else cells.present, {branch: at for at, branch in enumerate(branches)})


def _leaves(graph: GraphBuilder, form: TreeForm, factors: str, branches: dict[tuple[int, int], int]) -> None:
    """The share of a row in each leaf is the product of the branches that lead there."""
    paths: dict[int, list[int]] = {}
    waiting: list[tuple[int, list[int]]] = [(0, [])]
    while waiting:
        place, path = waiting.pop()
        if not form.nodes[place].children:
            paths[place] = path
        waiting += [(child, [*path, branches[place, k]]) for k, child in enumerate(form.nodes[place].children)]
    ones = graph.add("Add", graph.add("Mul", graph.columns(factors, [0]), graph.constant(0.0)), graph.constant(1.0))
    every, depth = graph.beside([factors, ones]), max(map(len, paths.values()), default=0)
    indices = np.array(
        [path + [max(len(branches), 1)] * (max(depth, 1) - len(path)) for path in paths.values()], np.int64
    )
    shares = _product(graph, every, indices)
    leaves = [form.nodes[place] for place in paths]
    chances = graph.add("MatMul", shares, graph.constant([leaf.shares for leaf in leaves]))
    whole = graph.add("ReduceMax", shares, axes=[1], keepdims=0)
    leaf = graph.add("ArgMax", shares, axis=1, keepdims=0)
    alone = graph.add("Gather", graph.constant([leaf.label for leaf in leaves], np.int64), leaf, axis=0)
    most = graph.add("ReduceMax", chances, axes=[1], keepdims=1)
    near = graph.double(graph.add("Greater", chances, graph.add("Sub", most, graph.constant(1e-12))))
    mixed = graph.add("ArgMax", near, axis=1, keepdims=0)
    certain = graph.add("GreaterOrEqual", whole, graph.constant(1.0))
    _label(graph, form, graph.add("Where", certain, alone, mixed))
    _probabilities(graph, form, chances)
