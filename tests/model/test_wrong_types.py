"""What is not of a kind that `mb.learn` or a model takes is refused in one sentence, never by an error from inside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import mistakebound as mb

ROWS = [{"age": 20 + k % 40, "work": "ab"[k % 2], "late": ["no", "yes"][k % 2]} for k in range(80)]


def _models(tmp_path: Any) -> Iterator[tuple[str, mb.Model]]:
    path = tmp_path / "rows.csv"
    path.write_text("age,work,late\n" + "".join(f"{row['age']},{row['work']},{row['late']}\n" for row in ROWS))
    yield "table", mb.learn(path, "late")
    yield "tree", mb.learn(path, "late", learner="decision-tree")
    yield "mappings", mb.learn(ROWS, "late")


@pytest.mark.parametrize("row", [37, None, 1.5, object()])
def test_a_row_of_a_wrong_kind(tmp_path: Any, row: Any) -> None:
    for _, model in _models(tmp_path):
        for call in (model.predict_one, model.explain, model.predict_proba_one):
            with pytest.raises(mb.BadData, match=f"must be a .*, not {type(row).__name__}"):
                call(row)
        for many in (model.predict, model.predict_proba):
            with pytest.raises(mb.BadData, match=f"must be a .*, not {type(row).__name__}"):
                many([row])
        with pytest.raises(mb.BadParameter, match=f"a row must be a mapping: {type(row).__name__}"):
            model.evaluate([row])


@pytest.mark.parametrize("source", [37, None, object()])
def test_a_source_of_a_wrong_kind(tmp_path: Any, source: Any) -> None:
    message = f"source must be paths, a data frame, an array or rows: {type(source).__name__}"
    for _, model in _models(tmp_path):
        for call in (model.predict, model.predict_proba, model.evaluate, mb.learn):
            with pytest.raises(mb.BadParameter, match=message):
                call(source)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"passes": "3"}, "passes must be a whole number >= 1: '3'"),
        ({"passes": 1.5}, "passes must be a whole number >= 1: 1.5"),
        ({"parameters": 3}, "parameters must be a mapping: 3"),
        ({"parameters": {"zz": 1}}, "arow has no parameter zz; its parameters: r, covariance, bias"),
        ({"learner": "decision-tree", "parameters": {"zz": 1}}, "decision-tree has no parameter zz"),
        ({"learner": "winnow1", "shuffle": True, "seed": "x"}, "seed must be a whole number: 'x'"),
        ({"assume": 3}, "assume must be a mapping: 3"),
        ({"cost": 3}, "cost must be a mapping: 3"),
        ({"progress": 3}, "progress must be True or a function of the ledger: 3"),
        ({"format": "csv"}, "format is not supported here, the source is not a file: 'csv'"),
    ],
)
def test_an_option_of_a_wrong_kind(options: dict[str, Any], message: str) -> None:
    with pytest.raises(mb.BadParameter) as caught:
        mb.learn(ROWS, "late", **options)
    assert str(caught.value).startswith(message)


def test_a_label_that_the_mappings_do_not_have() -> None:
    with pytest.raises(mb.BadData, match="<rows>:1: the row has no label 'latte'"):
        mb.learn(ROWS, "latte")


def test_measures_show_their_figures(tmp_path: Any) -> None:
    found = {name: model.evaluate(tmp_path / "rows.csv") for name, model in _models(tmp_path) if name != "mappings"}
    assert repr(found["table"]) == "Measures(trials=80, mistakes=0, error_rate=0.0)"
    assert repr(found["tree"]) == "Confusion(trials=80, mistakes=0, error_rate=0.0)"


def test_what_was_learned_from_x_and_y_is_measured_on_x_and_y() -> None:
    import numpy as np
    import pyarrow as pa

    X = pa.Table.from_pylist([{"age": row["age"], "work": row["work"]} for row in ROWS])
    y = [row["late"] for row in ROWS]
    for learner in ("arow", "decision-tree"):
        model = mb.learn((X, y), learner=learner)
        assert (model.evaluate((X, y)).trials, model.evaluate((X, y)).mistakes) == (80, 0)
        with pytest.raises(mb.BadParameter, match="X has the label column 'label': give the frame alone"):
            model.evaluate((X.append_column("label", pa.array(y)), y))
    with pytest.raises(mb.BadParameter, match=r"layers, a parameter of network, must be .*: not given"):
        mb.learn((np.eye(2), [0, 1]), learner="network")
    rows = np.array([[k % 2, 1] for k in range(10)])
    grown = mb.learn((rows, [0, 1] * 5), learner="decision-tree").evaluate((rows, [0, 1] * 4 + [1, 1]))
    assert (grown.trials, grown.mistakes, grown.counts.tolist()) == (10, 1, [[4, 0], [1, 5]])


@pytest.mark.parametrize("path", [3, None, b"model.mb", ["model.mb"]])
def test_a_path_of_a_wrong_kind(path: Any) -> None:
    with pytest.raises(mb.BadParameter, match=r"^path must be the path of a model file: "):
        mb.load(path)
