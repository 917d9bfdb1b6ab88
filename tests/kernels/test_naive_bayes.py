"""The kernel of naive Bayes: counts and sums by loops of Python, and calls whose buffers do not fit."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from math import exp, inf, isclose, log
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse
from mistakebound.kernels import naive_bayes as kernel
from mistakebound.kernels import naive_bayes_rows as row_kernel

shapes = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(0, 6))


@st.composite
def tables(draw: Any) -> Any:
    width, top, classes, rows = draw(shapes)
    cells = draw(st.lists(st.integers(-1, top - 1), min_size=width * rows, max_size=width * rows))
    labels = draw(st.lists(st.integers(0, classes - 1), min_size=rows, max_size=rows))
    weights = draw(st.one_of(st.just([]), st.lists(st.sampled_from([1.0, 0.5, 3.0]), min_size=rows, max_size=rows)))
    return width, top, classes, rows, cells, labels, weights


@pytest.mark.parametrize("code", ["i", "q"])
@given(drawn=tables())
def test_dense_rows(code: str, drawn: Any) -> None:
    width, top, classes, rows, cells, labels, weights = drawn
    counts = array("d", bytes(8 * width * (top + 1) * classes))
    wanted = [0.0] * len(counts)
    for k, cell in enumerate(cells):
        row, column = divmod(k, width)
        wanted[(column * (top + 1) + cell + 1) * classes + labels[row]] += weights[row] if weights else 1.0
    told = kernel.LabelledRows(array("i", labels), array("d", weights), classes)
    done = kernel.count_codes(array(code, cells), width, -1, top, told, counts)
    assert (done, counts.tolist()) == (rows, wanted)
    table = array("d", [k * k % 17 for k in range(len(counts))])
    scores = array("d", [float(k) for k in range(rows * classes)])
    sums = scores.tolist()
    for k, cell in enumerate(cells):
        row, column = divmod(k, width)
        for t in range(classes):
            sums[row * classes + t] += table[(column * (top + 1) + cell + 1) * classes + t]
    assert kernel.add_codes(array(code, cells), width, rows, top, classes, table, scores) == 0
    assert scores.tolist() == sums


@pytest.mark.parametrize("code", ["i", "q"])
def test_codes_outside_stop_the_count_and_say_nothing(code: str) -> None:
    told = kernel.LabelledRows(array("i", [0, 0]), array("d"), 1)
    for cells, lowest, done in (([0, 2], -1, 1), ([0, -2], -1, 1), ([-1, 0], 0, 0), ([1, 1], 0, 2)):
        counts = array("d", bytes(24))
        assert kernel.count_codes(array(code, cells), 1, lowest, 2, told, counts) == done
    scores = array("d", [0.0] * 3)
    assert kernel.add_codes(array(code, [7, -2, -1]), 1, 3, 2, 1, array("d", [5.0, 1.0, 2.0]), scores) == 0
    assert scores.tolist() == [5.0, 5.0, 5.0]
    for label, classes in ((1, 1), (-1, 1), (0, 0)):
        with pytest.raises(AssertionError):
            kernel.LabelledRows(array("i", [label]), array("d"), classes)


entries = st.lists(st.dictionaries(st.integers(0, 4), st.sampled_from([0.0, 1.0, 2.5]), max_size=4), max_size=5)


@given(entries, st.integers(1, 3), st.booleans(), st.data())
def test_sparse_rows(rows: Any, classes: int, ones: bool, data: Any) -> None:
    labels = data.draw(st.lists(st.integers(0, classes - 1), min_size=len(rows), max_size=len(rows)))
    weights = data.draw(st.sampled_from([[], [2.0] * len(rows)]))
    indptr = array("q", [0])
    for row in rows:
        indptr.append(indptr[-1] + len(row))
    columns = array("i", [column for row in rows for column in row])
    values = array("d", [] if ones else [value for row in rows for value in row.values()])
    counts, wanted = array("d", bytes(8 * 5 * classes)), [0.0] * (5 * classes)
    table = array("d", [-inf if k % 7 == 3 else k / 4 for k in range(5 * classes)])
    scores, sums = array("d", bytes(8 * len(rows) * classes)), [0.0] * (len(rows) * classes)
    for r, row in enumerate(rows):
        for column, value in row.items():
            number = 1.0 if not len(values) else value
            wanted[column * classes + labels[r]] += number * (weights[r] if weights else 1.0)
            for t in range(classes):
                sums[r * classes + t] += number * table[column * classes + t] if number else 0.0
    told = kernel.LabelledRows(array("i", labels), array("d", weights), classes)
    assert kernel.count_entries(indptr, columns, values, 5, told, counts) == kernel.OK
    assert counts.tolist() == wanted
    assert kernel.add_entries(indptr, columns, values, len(rows), classes, table, scores) == 0
    assert scores.tolist() == sums


def test_entries_outside() -> None:
    told = kernel.LabelledRows(array("i", [0]), array("d"), 1)
    call = array("q", [0, 1]), array("i", [2]), array("d"), 2, told, array("d", bytes(24))
    assert kernel.count_entries(*call) == kernel.MISFIT
    scores = array("d", [1.0])
    assert kernel.add_entries(array("q", [0, 1]), array("i", [-1]), array("d"), 1, 1, array("d", [9.0]), scores) == 0
    assert scores.tolist() == [1.0]
    for columns in ([-2], [1]):
        assert (
            kernel.add_entries(array("q", [0, 1]), array("i", columns), array("d"), 1, 1, array("d", [9]), scores) == -1
        )
    assert kernel.add_entries(array("q", [1, 0]), array("i", [0]), array("d"), 1, 1, array("d", [9]), scores) == -1


@given(st.lists(st.sampled_from([1.0, 1.0, 0.0, 2.0, 0.5, -0.0, -1.0, inf, float("nan")]), max_size=9))
def test_look(values: list[float]) -> None:
    bad = any(not 0 <= value < inf for value in values)
    wanted = 3 if bad else 2 if any(value not in (0, 1) for value in values) else 1 if 0 in values else 0
    assert kernel.look(array("d", values)) == wanted


@given(st.lists(st.sampled_from([1.0, 0.0, 1.0, 0.0, -0.0, float("nan"), 2.0, 0.5, 3.0, -1.0]), max_size=5))
def test_flag_codes(values: list[float]) -> None:
    out = array("i", [9] * len(values))
    bits = memoryview(array("d", values)).cast("B").cast("Q") if values else array("Q")
    plain = all(str(value) in ("0.0", "1.0") for value in values)
    assert kernel.flag_codes(bits, out) == (0 if plain else 1)
    assert not plain or out.tolist() == values
    if values:
        assert kernel.flag_codes(bits, out[1:]) == -1


def test_gather() -> None:
    row = array("i", [-1, -1])
    places, cells = {"a": 0, "b": 1}, [{"x": 3}, {"x": 5}]
    assert row_kernel.gather_cells({"b": "x", "c": "x", "a": "z"}, places, cells, True, row) == 0
    assert row.tolist() == [-1, 5]
    for x in ({"c": "x"}, {"a": "z"}, {"a": 1}, {"a": None}, {1: "x"}):
        assert row_kernel.gather_cells(x, places, cells, False, row) == -1  # type: ignore[arg-type]
    assert row_kernel.gather_cells({"b": "x"}, places, cells, False, array("i", [0])) == -1
    slots, values = array("i", [0] * 3), array("d", [0.0] * 3)
    known = {"a": 4, "b": 2, "c": 3}
    assert row_kernel.gather_words({"a": 1, "b": True, "z": 9, "c": 0.5}, known, 9.0, True, slots + slots, values) == -1
    assert row_kernel.gather_words({"a": 1, "b": True, "c": 0.5}, known, 9.0, False, slots, values) == 3
    assert (slots.tolist(), values.tolist()) == ([2, 3, 4], [1.0, 0.5, 1.0])
    assert row_kernel.gather_words({"z": 1, "b": 2}, known, 9.0, True, slots, values) == 1
    for x in ({"z": 1}, {"a": -1}, {"a": 10}, {"a": "1"}, {"a": None}, {"a": float("nan")}, {"a": 10**400}, {1: 1}):
        assert row_kernel.gather_words(x, known, 9.0, False, slots, values) == -1  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        kernel.named(array("i", [0, 2]), ["a", "b"])
    with pytest.raises(IndexError):
        kernel.named(array("i", [-1]), ["a", "b"])


@given(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.0, 0.5, 3.0, -1.0]), st.sampled_from([-1.0, 0.25]))
def test_estimate(count: int, more: int, m: float, p: float) -> None:
    out = array("d", [7.0])
    n, size = count + more, 4
    assert row_kernel.estimate(array("d", [count]), array("d", [n]), 1, m, p, size, out) == 0
    m, p = size if m < 0 else m, 1 / size if p < 0 else p
    wanted = (count + m * p) / (n + m) if n + m else p
    assert exp(out[0]) == pytest.approx(wanted, rel=1e-14)
    assert (out[0] == -inf) == (wanted == 0)


@given(st.lists(st.lists(st.sampled_from([0.0, -1.0, -2.5, -800.0, -inf]), min_size=3, max_size=3), max_size=5))
def test_decide_and_normalise(rows: list[list[float]]) -> None:
    scores = array("d", [score for row in rows for score in row])
    out = array("i", [9] * len(rows))
    assert kernel.decide(scores, len(rows), 3, out) == 0
    assert out.tolist() == [-1 if max(row) == -inf else row.index(max(row)) for row in rows]
    possible = next((r for r, row in enumerate(rows) if max(row) == -inf), len(rows))
    assert kernel.normalise(scores, len(rows), 3) == possible
    for r, row in enumerate(rows[:possible]):
        shares = [exp(score - max(row)) for score in row]
        assert all(isclose(a, b / sum(shares)) for a, b in zip(scores[3 * r : 3 * r + 3], shares, strict=True))


def test_single_rows_equal_many() -> None:
    """score_row, score_words and score_flags are sums of estimates."""
    counts, totals = array("d", [1, 2, 3, 0]), array("d", [4, 2])
    scores = array("d", [0.5, 0.25])
    sizes, both = array("i", [2, 2]), totals + totals
    assert row_kernel.score_row(array("i", [0, 1]), sizes, 2, counts, both, 1.0, -1.0, scores) == 0
    assert scores[0] == pytest.approx(0.5 + log(1.5 / 5) + log(3.5 / 5))
    assert scores[1] == pytest.approx(0.25 + log(2.5 / 3) + log(0.5 / 3))
    scores = array("d", [0.0, 0.0])
    words = row_kernel.Words(array("i", [1, 0]), array("d", [2, 0]))
    assert row_kernel.score_words(words, 2, counts, totals, 0.0, -1.0, 2, scores) == row_kernel.OK
    assert scores.tolist() == [pytest.approx(2 * log(3 / 4)), -inf]
    scores, missing = array("d", [0.0, 0.0]), array("d", [0, 0, 1, 0])
    assert row_kernel.score_flags(bytes([1, 0]), 2, counts, missing, totals, 1.0, 0.25, scores) == 0
    assert scores[0] == pytest.approx(log(1.25 / 5) + log((4 - 1 - 3 + 0.75) / 4))
    assert scores[1] == pytest.approx(log(2.25 / 3) + log((2 + 0.75) / 3))


def counted(count: Callable[..., int], call: dict[str, Any]) -> int:
    labels, weights, classes, *own, counts = call.values()
    try:
        return count(*own, kernel.LabelledRows(labels, weights, classes), counts)
    except AssertionError:
        return kernel.MISFIT


def on_words(run: Callable[..., int], call: dict[str, Any]) -> int:
    slots, values, *own = call.values()
    try:
        return run(row_kernel.Words(slots, values), *own)
    except AssertionError:
        return row_kernel.MISFIT


def test_misuse() -> None:
    dense = {
        "labels": array("i", [0, 1]), "weights": array("d", [1, 2]), "classes": 2, "cells": array("i", [0, 1]),
        "width": 1, "lowest": 0, "top": 2, "counts": array("d", bytes(48)),
    }  # fmt: skip
    for code in "iq":
        wide = dense | {"cells": array(code, [0, 1])}
        must_refuse(kernel.count_codes, wide, ["cells", "weights", "counts"], kernel.MISFIT, counted)
    adding = {
        "cells": array("i", [0, 1]), "width": 1, "rows": 2, "top": 2, "classes": 2, "table": array("d", bytes(48)),
        "scores": array("d", bytes(32)),
    }  # fmt: skip
    for code in "iq":
        wide = adding | {"cells": array(code, [0, 1])}
        must_refuse(kernel.add_codes, wide, ["cells", "table", "scores"], kernel.MISFIT)
    sparse = {
        "labels": array("i", [0, 1]), "weights": array("d", [1, 2]), "classes": 2, "indptr": array("q", [0, 1, 2]),
        "columns": array("i", [0, 1]), "values": array("d", [1, 2]), "width": 2, "counts": array("d", bytes(32)),
    }  # fmt: skip
    names = ["indptr", "columns", "values", "weights", "counts"]
    must_refuse(kernel.count_entries, sparse, names, kernel.MISFIT, counted)
    sums: dict[str, Any] = {key: sparse[key] for key in ("indptr", "columns", "values")} | {"rows": 2, "classes": 2}
    sums |= {"table": array("d", bytes(32)), "scores": array("d", bytes(32))}
    must_refuse(kernel.add_entries, sums, ["indptr", "columns", "values", "table", "scores"], -1)
    logs = {
        "counts": array("d", [1, 2]), "totals": array("d", [3, 4]), "classes": 2, "m": 1.0, "p": -1.0, "size": 2.0,
        "out": array("d", [0, 0]),
    }  # fmt: skip
    must_refuse(row_kernel.estimate, logs, ["counts", "totals", "out"], -1)
    row = {
        "cells": array("i", [1]), "sizes": array("i", [2]), "classes": 2, "counts": array("d", bytes(32)),
        "totals": array("d", [3, 4]), "m": 1.0, "p": -1.0, "scores": array("d", [0, 0]),
    }  # fmt: skip
    must_refuse(row_kernel.score_row, row, ["sizes", "counts", "totals", "scores"], -1)
    one = {
        "cells": array("i", [1]), "label": 1, "weight": 1.0, "classes": 2, "counts": array("d", bytes(32)),
        "totals": array("d", [3, 4]), "done": array("q", [0]),
    }  # fmt: skip
    must_refuse(row_kernel.count_row, one, ["counts", "totals", "done"], -1)
    words = {
        "slots": array("i", [1]), "values": array("d", [1]), "label": 1, "weight": 1.0, "classes": 2,
        "counts": array("d", bytes(32)), "totals": array("d", [3, 4]), "all_words": True, "done": array("q", [0]),
    }  # fmt: skip
    must_refuse(row_kernel.count_words, words, ["values", "counts", "totals", "done"], row_kernel.MISFIT, on_words)
    said = {
        "slots": array("i", [1]), "values": array("d", [1]), "classes": 2, "counts": array("d", bytes(32)),
        "totals": array("d", [3, 4]), "m": 1.0, "p": -1.0, "size": 2.0, "scores": array("d", [0, 0]),
    }  # fmt: skip
    must_refuse(row_kernel.score_words, said, ["values", "counts", "totals", "scores"], row_kernel.MISFIT, on_words)
    assert on_words(row_kernel.score_words, said | {"slots": array("i", [-1])}) == row_kernel.MISFIT
    flags = {
        "marks": array("B", [1]), "classes": 2, "ones": array("d", [1, 2]), "missing": array("d", [0, 0]),
        "totals": array("d", [3, 4]), "m": 1.0, "p": -1.0, "scores": array("d", [0, 0]),
    }  # fmt: skip
    must_refuse(row_kernel.score_flags, flags, ["ones", "missing", "totals", "scores"], -1)
    last = {"scores": array("d", [0, 0]), "rows": 1, "classes": 2, "out": array("i", [0])}
    must_refuse(kernel.decide, last, ["scores", "out"], -1)
    must_refuse(kernel.normalise, {key: last[key] for key in ("scores", "rows", "classes")}, ["scores"], -1)
