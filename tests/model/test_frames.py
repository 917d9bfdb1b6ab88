"""Frames in, columns out: whatever has `__arrow_c_stream__`, its types, and columns that are not those learned."""

from __future__ import annotations

import datetime
from typing import Any

import pyarrow as pa
import pytest

import mistakebound as mb

DAYS = [datetime.date(2024, 1 + day % 12, 1 + day % 28) for day in range(200)]
PEOPLE = pa.table(
    {
        "age": [25, 61, None, 33, 18] * 40,
        "job": pa.array(["clerk", "pilot", "pilot", None, "cook"] * 40).dictionary_encode(),
        "member": [True, False, None, True, False] * 40,
        "since": DAYS,
        "rich": ["no", "yes", "yes", "no", "no"] * 40,
    }
)
LEARNERS = ["arow", "auto", "decision-tree", "naive-bayes"]


class Stream:
    """A frame of a library that nobody knows: it has the Arrow PyCapsule interface and nothing else."""

    __slots__ = ("_table",)

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def learned(frame: Any, learner: str) -> mb.Model:
    return mb.learn(frame, label="rich", learner=learner, ignore=["age"] if learner == "naive-bayes" else [])


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_stream_of_arrow_is_the_table_that_it_holds(learner: str) -> None:
    by_table, by_stream = learned(PEOPLE, learner), learned(Stream(PEOPLE), learner)
    ledgers = [model.ledger for model in (by_table, by_stream)]
    if learner in ("arow", "auto"):
        assert ledgers[0] is not None
        assert ledgers[1] is not None
        assert ledgers[0].state() == ledgers[1].state()
    assert by_table.settings == by_stream.settings
    labels = by_table.predict(PEOPLE).to_pylist()
    assert set(labels) == {"no", "yes"}
    assert by_stream.predict(Stream(PEOPLE)) == labels, "a frame of an unknown library gets a list"
    assert by_stream.predict_proba(Stream(PEOPLE)).tolist() == by_table.predict_proba(PEOPLE).tolist()
    X, y = PEOPLE.drop_columns("rich"), PEOPLE["rich"]
    said = by_table.evaluate(PEOPLE).as_json()
    for rows in (Stream(PEOPLE), (Stream(X), y), (Stream(X), y.to_pylist())):
        assert by_stream.evaluate(rows).as_json() == said


@pytest.mark.parametrize("values", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("learner", LEARNERS)
def test_categories_of_every_kind_of_text(values: pa.DataType, learner: str) -> None:
    """Those of polars are views."""
    columns = {}
    for name in ("job", "rich"):
        texts = PEOPLE[name].cast(pa.string()).combine_chunks()
        codes = texts.dictionary_encode()
        coded = pa.DictionaryArray.from_arrays(codes.indices.cast(pa.uint32()), codes.dictionary.cast(values))
        columns[name] = coded
    table = PEOPLE.set_column(1, "job", columns["job"]).set_column(4, "rich", columns["rich"])
    model = learned(table, learner)
    assert model.predict(table) == learned(PEOPLE, learner).predict(PEOPLE)
    assert model.predict_proba(table).tolist() == model.predict_proba(PEOPLE).tolist()


@pytest.mark.parametrize("learner", LEARNERS)
def test_other_columns_at_prediction(learner: str) -> None:
    model = learned(PEOPLE, learner)
    labels = model.predict(PEOPLE)
    more = PEOPLE.append_column("shoes", PEOPLE["job"])
    for ask in (model.predict, model.predict_proba, model.evaluate):
        with pytest.warns(UserWarning, match="columns that the model does not know, ignored: 'shoes'") as said:
            ask(more)
        assert len(said) == 1, "one warning, however many rows"
    with pytest.warns(UserWarning, match="'shoes'"):
        assert model.predict(more) == labels
    with pytest.warns(UserWarning, match="columns missing from <frame>, taken as empty: 'member'"):
        less = model.predict(PEOPLE.drop_columns("member"))
    one = {"age": 25, "job": "clerk", "since": DAYS[0]}
    assert less[0].as_py() == model.predict_one(one)
    strange = pa.table({"shoes": ["red"], "hat": [1]})
    for ask in (model.predict, model.predict_proba):
        with pytest.raises(mb.BadData, match=r"lacks .*'job', 'member', 'since' and has 'shoes', 'hat'"):
            ask(strange)
    with pytest.raises(mb.BadData, match="it lacks 'rich' and has 'age'"):
        model.evaluate(PEOPLE.drop_columns("rich"))


def test_the_labels_are_a_column_of_the_frame() -> None:
    table = PEOPLE.set_column(4, "rich", pa.array([row == "yes" for row in PEOPLE["rich"].to_pylist()]))
    model = mb.learn(table, label="rich")
    found = model.predict(table)
    assert isinstance(found, pa.Array)
    assert found.type == pa.bool_()
    assert table.append_column("said", found).num_columns == 6
    assert model.predict(table.to_batches()[0]) == found
    assert model.predict(table.slice(0, 0)).type == pa.bool_(), "of no rows, too"
    assert model.predict(table.to_pylist()) == found.to_pylist(), "a list of rows gets a list"


def test_labels_of_several_kinds_are_texts_in_a_column() -> None:
    table = pa.table({"job": ["clerk", "pilot"] * 20, "kind": ["1", "many"] * 20})
    model = mb.learn(table, label="kind")
    assert model.labels == (1, "many")
    assert model.predict(table)[:2].to_pylist() == ["1", "many"]


def test_a_frame_for_a_model_of_other_rows() -> None:
    rows = [{"job": "pilot", "rich": "yes"}, {"job": "clerk", "rich": "no"}] * 20
    model = mb.learn(rows, "rich")
    table = pa.table({"job": ["clerk", "pilot", None]})
    assert model.predict(table).to_pylist()[:2] == ["no", "yes"]
    assert model.predict_proba(table).tolist() == [
        list(model.predict_proba_one(row).values()) for row in ({"job": "clerk"}, {"job": "pilot"}, {})
    ]


def test_what_is_no_frame() -> None:
    class LazyFrame:
        columns = ("a", "b")

    for bad, words in (
        (LazyFrame(), "a LazyFrame has no rows yet: collect it"),
        (pa.chunked_array([[1, 2]]), "is no table"),
    ):
        with pytest.raises(mb.MistakeboundError, match=words):
            mb.learn(bad, "a")
