"""Gives damaged SciPy matrices to everything that takes one, in a process of its own: `matrix_child.py [all]`.

Ends with 0 when every one was refused with our own error; else it says which was not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

import mistakebound as mb
from mistakebound import learners
from mistakebound.core.errors import BadData, BadParameter

ALL = "all" in sys.argv
FAR = 1 << 27  # entries out of range: where no page of ours is


def good() -> Any:
    return sparse.csr_matrix(
        np.array([[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1]])
    )


def damaged() -> Iterator[tuple[str, Any]]:
    """(what was done, the matrix).  SciPy would refuse none of them: it looked when they were made."""
    for number in (FAR, -FAR, 4, -1) if ALL else (FAR, -1):
        X = good()
        X.indices[3] = number
        yield f"csr, column {number}", X
        X = good().astype(float)
        X.indices = X.indices.astype(np.int64)
        X.indptr = X.indptr.astype(np.int64)
        X.indices[3] = number
        yield f"csr of 64 bits, column {number}", X
        X = good().tocoo()
        X.col[3] = number
        yield f"coo, column {number}", X
        X = good().tolil()
        X.rows[1] = [number]
        X.data[1] = [1]
        yield f"lil, column {number}", X
    for number in (FAR, -FAR, 6, -1) if ALL else (FAR, -1):
        X = good().tocsc()
        X.indices[3] = number
        yield f"csc, row {number}", X
        X = good().tocoo()
        X.row[3] = number
        yield f"coo, row {number}", X
        X = sparse.bsr_matrix(good(), blocksize=(2, 2))
        X.indices[1] = number
        yield f"bsr, block {number}", X
        for form in ("csr", "csc", "bsr"):
            X = sparse.bsr_matrix(good(), blocksize=(2, 2)) if form == "bsr" else good().asformat(form)
            X.indptr[1] = number if number != 6 else FAR
            yield f"{form}, indptr {number}", X
    X = good()
    X.data = X.data[:3]
    yield "csr, data too short", X
    X = good().tocsc()
    X.data = X.data[:3]
    yield "csc, data too short", X
    X = sparse.dia_matrix(good())
    X.offsets = np.append(X.offsets, [1, 2])
    yield "dia, offsets too long", X
    X = good().tolil()
    X.rows[1] = [0, 1, 2, 3]
    yield "lil, columns too many", X


KNOWN = {"n": 4, "concepts": mb.concepts.Disjunctions(4), "layers": [4, 2, 1], "k": 2, "variance": 1.0}


def uses(name: str) -> Iterator[tuple[str, Callable[[Any], object]]]:
    """Everything of a learner that takes a matrix, of one that has learned something and of a new one."""
    found: Any = learners.find(name)
    y = [0, 1, 1, 0, 1, 0]

    def new() -> Any:
        return found(**{p.name: KNOWN[p.name] for p in found.parameters if p.required})

    for method in ("learn_many", "partial_fit", "fit", "points", "as_points"):
        if callable(getattr(found, method, None)):
            words = (y,) if method in ("learn_many", "partial_fit", "fit") and found.takes != "points" else ()
            yield f"{name}.{method}", lambda X, m=method, w=words: getattr(new(), m)(X, *w)
    learner = new()
    try:
        if found.takes == "rows":
            learner.learn_many(good(), y)
        elif found.takes == "points":
            learner.fit(good().toarray().astype(float))
        elif hasattr(learner, "fit"):
            learner.fit(good().toarray().astype(float) if found.takes == "numbers" else good().toarray() == 1, y)
        else:
            learner.learn_many([{"a": "1"}, {"a": "2"}], [0, 1])
    except mb.NoConsistentHypothesis:
        pass
    for method in ("predict_many", "score_many", "predict_proba_many", "outputs", "hidden", "responsibilities"):
        if callable(getattr(found, method, None)):
            yield f"{name}.{method}", getattr(learner, method)


def others() -> Iterator[tuple[str, Callable[[Any], object]]]:
    concepts = mb.concepts
    for text in ("x1 & x3", "x1 | x4", "2*x1 + x2 >= 2", "x1 ^ x2", "if x1 then 1 else 0"):
        yield f"{text}.evaluate_many", concepts.parse(text).evaluate_many
    yield "Between.evaluate_many", concepts.Between(1, 2, "3").evaluate_many
    yield "Replay", lambda X: list(iter(mb.teachers.Replay(X, [0] * 6).next_trial, None))
    yield "linearly_separable", lambda X: mb.theory.linearly_separable(X, [0, 1, 1, 0, 1, 0])
    yield "expand", lambda X: mb.transforms.expand(mb.Winnow2(), 2).learn_many(X, [0, 1, 1, 0, 1, 0])
    yield "standardize", lambda X: mb.transforms.standardize(mb.Perceptron()).learn_many(X, [0, 1, 1, 0, 1, 0])


def main() -> int:
    wrong = []
    for name in (*learners.names(), ""):
        for use, function in uses(name) if name else others():
            for damage, X in damaged():
                print(f"{use}: {damage}", end="\r", flush=True)
                try:
                    function(X)
                    said = "took it"
                except (BadData, BadParameter) as error:
                    said = "" if len(str(error)) < 300 else "said too much"
                    if (
                        damage.startswith("csr, column")
                        and isinstance(error, BadData)
                        and "column number" in str(error)
                    ):
                        said = "" if error.row == 1 else f"said row {error.row}"
                except Exception as error:
                    said = f"{type(error).__name__}: {error}"
                if said:
                    wrong.append(f"{use}: {damage}: {said}")
    print("\n".join(wrong))
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
