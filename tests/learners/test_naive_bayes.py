"""Naive Bayes: Mitchell's example, the twin in fractions, scikit-learn's numbers, all ways in and out."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csc_matrix, csr_matrix

import mistakebound as mb
from mistakebound.core.errors import BadData, BadModel, BadParameter
from naive import naive_bayes as naive

FEWER = settings(max_examples=settings().max_examples * 2 // 5)  # each example is many comparisons
TENNIS = """Sunny Hot High Weak No,Sunny Hot High Strong No,Overcast Hot High Weak Yes,Rain Mild High Weak Yes,
Rain Cool Normal Weak Yes,Rain Cool Normal Strong No,Overcast Cool Normal Strong Yes,Sunny Mild High Weak No,
Sunny Cool Normal Weak Yes,Rain Mild Normal Weak Yes,Sunny Mild Normal Strong Yes,Overcast Mild High Strong Yes,
Overcast Hot Normal Weak Yes,Rain Mild High Strong No"""
NAMES = ("Outlook", "Temperature", "Humidity", "Wind")
DAYS = [line.split() for line in TENNIS.replace("\n", "").split(",")]
ROWS = [dict(zip(NAMES, day[:4], strict=True)) for day in DAYS]
PLAY = [day[4] for day in DAYS]
NEW = dict(zip(NAMES, ("Sunny", "Cool", "High", "Strong"), strict=True))


def test_mitchells_example() -> None:
    """Section 6.9.1: .0053 against .0206, so no with .795."""
    for learner in (mb.NaiveBayes(m=0).fit(ROWS, PLAY), mb.NaiveBayes(m=0)):
        if not learner.fitted:
            for x, y in zip(ROWS, PLAY, strict=True):
                learner.learn_one(x, y)
        joint = learner.log_joint_one(NEW)
        assert exp(joint["Yes"]) == pytest.approx(0.005291, abs=5e-7)
        assert exp(joint["No"]) == pytest.approx(0.020571, abs=5e-7)
        assert learner.predict_one(NEW) == "No"
        assert learner.predict_proba_one(NEW)["No"] == pytest.approx(0.79542, abs=5e-6)
        assert exp(joint["No"]) == pytest.approx(5 / 14 * 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5, rel=1e-14)


def case(number: int) -> Any:
    text = (Path(__file__).parents[1] / "golden" / "naive_bayes.json").read_text()
    return json.loads(text)["cases"][number]


@pytest.mark.parametrize("number", range(12))
def test_equals_scikit_learn(number: int) -> None:
    """CategoricalNB, BernoulliNB, MultinomialNB with alpha = m/values: frozen numbers of tests/golden."""
    known = case(number)
    X, y, wanted = np.array(known["X"]), np.array(known["y"]), np.array(known["probabilities"])
    make = {"m": known["m"], "class_prior": known["class_prior"], "attributes": known["attributes"]}
    forms: list[Any] = [lambda A: A, lambda A: A.astype(np.int32), lambda A: A.astype(float)]
    if known["attributes"] != "nominal":
        forms += [csr_matrix, csc_matrix, lambda A: [{str(j + 1): int(v) for j, v in enumerate(row)} for row in A]]
    for form in forms:
        learner = mb.NaiveBayes(**make).fit(form(X[:50]), y)
        assert np.abs(learner.predict_proba_many(form(X[50:])) - wanted).max() < 1e-12
        assert learner.predict_many(form(X[50:])) == wanted.argmax(axis=1).tolist()


LABELS = st.sampled_from(["no", "yes", 3, 7.5])
SMOOTH = st.sampled_from([0.0, 0.5, 1.0, 3.0])
NOMINAL = st.dictionaries(st.sampled_from("abc"), st.sampled_from(["x", "y", "é", None]), max_size=3)
FLAGS = st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0, 1, True, False, None]), max_size=4)
WORDS = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 3), max_size=5)


def play(form: str, examples: list[tuple[dict[str, Any], Any]], x: dict[str, Any], m: float) -> None:
    learner = mb.NaiveBayes(m, attributes=form)
    twin = getattr(naive, form)
    assert learner.predict_one(x) is None
    assert learner.predict_proba_one(x) == {}
    for number, (example, label) in enumerate(examples, 1):
        learner.learn_one(example, label)
        wanted = twin(examples[:number], x, Fraction(m))
        if wanted is None:
            assert learner.zeros(x)
            with pytest.raises(BadData, match="every class has probability 0"):
                learner.predict_proba_one(x)
            with pytest.raises(BadData, match="every class has probability 0"):
                learner.predict_one(x)
            continue
        found = learner.predict_proba_one(x)
        assert list(found) == list(wanted) == list(learner.classes)
        for label, probability in wanted.items():
            assert found[label] == pytest.approx(float(probability), rel=1e-12, abs=1e-300)
            assert (found[label] == 0) == (probability == 0)
        assert wanted[learner.predict_one(x)] >= max(wanted.values()) - Fraction(1, 10**12)
    if m == 0 and wanted is not None:
        assert {label for label, _ in learner.zeros(x)} == {label for label in wanted if not wanted[label]}


@pytest.mark.kernel
@FEWER
@given(st.lists(st.tuples(NOMINAL, LABELS), min_size=1, max_size=12), NOMINAL, SMOOTH)
def test_nominal_twin_agrees(examples: Any, x: Any, m: float) -> None:
    play("nominal", examples, x, m)


@pytest.mark.kernel
@FEWER
@given(st.lists(st.tuples(FLAGS, LABELS), min_size=1, max_size=12), FLAGS, SMOOTH)
def test_flags_twin_agrees(examples: Any, x: Any, m: float) -> None:
    play("flags", examples, x, m)


@pytest.mark.kernel
@FEWER
@given(st.lists(st.tuples(WORDS, LABELS), min_size=1, max_size=12), WORDS, SMOOTH)
def test_words_twin_agrees(examples: Any, x: Any, m: float) -> None:
    play("words", examples, x, m)


def matrix(rows: list[dict[str, Any]], names: str, missing: float) -> Any:
    return np.array([[missing if row.get(n, 0) is None else row.get(n, 0) for n in names] for row in rows], float)


@pytest.mark.kernel
@FEWER
@given(st.lists(st.tuples(FLAGS, LABELS), min_size=1, max_size=12), st.lists(FLAGS, min_size=1, max_size=4), SMOOTH)
def test_flags_one_by_one_and_at_once(examples: Any, asked: Any, m: float) -> None:
    """A dense array, missing cells and zeros of m = 0 included, says what single rows say."""
    rows, labels = [{**dict.fromkeys("abcd", 0), **x} for x, _ in examples], [y for _, y in examples]
    single = mb.NaiveBayes(m, attributes="flags").fit(rows, labels)
    many = mb.NaiveBayes(m).fit(matrix(rows, "abcd", np.nan), labels, names=list("abcd"))
    assert many.hypothesis == single.hypothesis
    compare(single, many, asked, matrix(asked, "abcd", np.nan))
    if not any(None in row.values() for row in rows):
        sparse = mb.NaiveBayes(m, attributes="flags").fit(
            csr_matrix(matrix(rows, "abcd", 0)), labels, names=list("abcd")
        )
        assert sparse.hypothesis == single.hypothesis
        plain = [{n: v or 0 for n, v in x.items()} for x in asked]
        compare(single, sparse, plain, csr_matrix(matrix(plain, "abcd", 0)))


@pytest.mark.kernel
@FEWER
@given(st.lists(st.tuples(WORDS, LABELS), min_size=1, max_size=12), st.lists(WORDS, min_size=1, max_size=4), SMOOTH)
def test_words_one_by_one_and_at_once(examples: Any, asked: Any, m: float) -> None:
    rows, labels = [{**dict.fromkeys("abcde", 0), **x} for x, _ in examples], [y for _, y in examples]
    single = mb.NaiveBayes(m).fit(rows, labels)
    many = mb.NaiveBayes(m).fit(csr_matrix(matrix(rows, "abcde", 0)), labels, names=list("abcde"))
    assert many.form == single.form == "words"
    assert many.hypothesis == single.hypothesis
    compare(single, many, asked, csr_matrix(matrix(asked, "abcde", 0)))


def compare(single: Any, many: Any, asked: Any, X: Any) -> None:
    for row, x in enumerate(asked):
        one = X[[row]]
        try:
            wanted = list(single.predict_proba_one(x).values())
        except BadData:
            with pytest.raises(BadData, match="row 0: every class has probability 0"):
                many.predict_many(one, names=list("abcde")[: X.shape[1]])
            continue
        found = many.predict_proba_many(one, names=list("abcde")[: X.shape[1]])[0]
        assert found.tolist() == pytest.approx(wanted, rel=1e-12)


@pytest.mark.kernel
@FEWER
@given(st.lists(st.tuples(NOMINAL, LABELS), min_size=1, max_size=15), st.integers(0, 15), SMOOTH)
def test_nominal_one_by_one_at_once_merged_and_kept(examples: Any, cut: int, m: float) -> None:
    """Bit for bit: single rows, a table in two parts, two models merged, and with a model file between."""
    rows, labels = [{**dict.fromkeys("abc"), **x} for x, _ in examples], [y for _, y in examples]
    single, parts = mb.NaiveBayes(m), mb.NaiveBayes(m)
    for x, y in zip(rows, labels, strict=True):
        single.learn_one(x, y)
    left, right = mb.NaiveBayes(m), mb.NaiveBayes(m)
    for learner, part in ((left, slice(cut)), (right, slice(cut, None))):
        if rows[part]:
            parts.partial_fit(rows[part], labels[part])
            learner.partial_fit(rows[part], labels[part])
    assert parts.hypothesis == left.merge(right).hypothesis
    if any(value for x in rows for value in x.values()):
        assert single.hypothesis(NEW) == parts.hypothesis(NEW)
        for x in rows:
            if m:
                assert left.predict_proba_one(x) == single.predict_proba_one(x)
                assert dict(zip(parts.classes, parts.predict_proba_many([x])[0].tolist(), strict=True)) == (
                    single.predict_proba_one(x)
                )


def test_the_form_is_settled_by_what_comes_first() -> None:
    for x, form in (
        ({"sky": "sunny"}, "nominal"), ({"free": 2, "now": 1}, "words"), ({"free", "now"}, "flags"),
        ({"free": True}, "flags"), (["free"], "flags"), ([0, 1], "flags"),
    ):  # fmt: skip
        learner = mb.NaiveBayes()
        learner.learn_one(x, 1)
        assert learner.form == form
    assert mb.NaiveBayes().fit(np.array([[0, 1], [1, 1]]), [0, 1]).form == "flags"
    assert mb.NaiveBayes().fit(np.array([[True], [False]]), [0, 1]).form == "flags"
    assert mb.NaiveBayes().fit(csr_matrix([[0, 2], [1, 1]]), [0, 1]).form == "words"
    with pytest.raises(BadParameter, match="attributes must be"):
        mb.NaiveBayes().fit(np.array([[0, 2], [1, 1]]), [0, 1])


def test_forms_do_not_mix() -> None:
    words, flags, nominal = mb.NaiveBayes(), mb.NaiveBayes(), mb.NaiveBayes()
    words.learn_one({"free": 2}, 1)
    flags.learn_one({"free"}, 1)
    nominal.learn_one({"sky": "sunny"}, 1)
    for learner, x, part in (
        (words, {"free": "sunny"}, "has the text 'sunny', but these attributes are words"),
        (words, {"free": -1}, "has the value -1, but these attributes are words: a number of times"),
        (words, {"free": float("inf")}, "a number of times, finite and >= 0"),
        (flags, {"free": 2}, "has the value 2, but these attributes are flags: 0 or 1"),
        (flags, {"free": "1"}, "has the text '1'"),
        (nominal, {"sky": 3}, "is a number, and naive Bayes counts values"),
        (nominal, {"sky", "sea"}, "a mapping from name to value, not set"),
        (nominal, {"sky": [1]}, "neither a text nor a number: list"),
        (nominal, {3: "x"}, "an attribute name must be a text"),
        (words, {3: 1}, "an attribute name must be a text"),
        (words, {"": 1}, "an attribute has no name"),
        (nominal, {"": "x"}, "an attribute has no name"),
    ):
        before = learner.hypothesis
        with pytest.raises(BadData, match=part):
            learner.learn_one(x, "another class")
        assert learner.hypothesis == before
        assert learner.classes == (1,)
    exact = mb.NaiveBayes(attributes="nominal").fit([{"month": 3}, {"month": 4}], [0, 1])
    assert exact.predict_one({"month": 3}) == 0


def test_a_bad_block_leaves_all_as_it_was() -> None:
    flags = mb.NaiveBayes(attributes="flags").fit([{"a": True}], ["x"])
    before = flags.hypothesis
    for X in (np.array([[0], [2]]), csr_matrix([[1], [2]]), np.array([[0.0], [0.5]]), np.array([[0], [1 << 40]])):
        with pytest.raises(BadData, match=r"row 1: .*these attributes are flags: 0 or 1"):
            flags.partial_fit(X, ["x", "new"], names=["a"])
        with pytest.raises(BadData, match="flags"):
            flags.fit(X, ["x", "new"])
        assert flags.hypothesis == before
        with pytest.raises(BadData, match="row 1"):
            flags.predict_many(X, names=["a"])
    words = mb.NaiveBayes().fit([{"a": 1}], ["x"])
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(BadData, match="row 1: 'a' has the value"):
            words.partial_fit(csr_matrix([[1.0], [bad]]), ["x", "new"], names=["a"])
    assert words.classes == ("x",)
    broken = csr_matrix([[1.0, 0.0], [0.0, 1.0]])
    broken.indices[1] = 9
    with pytest.raises(BadData, match="a column number is not within the 2 columns"):
        words.partial_fit(broken, ["x", "x"])


def test_missing_unseen_and_declared() -> None:
    learner = mb.NaiveBayes().fit(ROWS, PLAY)
    said = learner.predict_proba_one({"Outlook": "Sunny"})
    assert learner.predict_proba_one({"Outlook": "Sunny", "Wind": None, "Humidity": "dry", "Moon": "full"}) == said
    assert learner.predict_proba_one({}) == {"No": pytest.approx(5 / 14), "Yes": pytest.approx(9 / 14)}
    declared = mb.NaiveBayes(m=4, declared={"sky": ["sunny", "rainy", "foggy", "white"]})
    declared.learn_one({"sky": "sunny"}, "yes")
    declared.learn_one({"sky": "rainy"}, "no")
    declared.learn_one({"sky": "rainy"}, "no")
    assert exp(declared.log_joint_one({"sky": "foggy"})["no"]) == pytest.approx(2 / 3 * (0 + 4 / 4) / (2 + 4))
    for call in (
        lambda: declared.learn_one({"sky": "green"}, "new"),
        lambda: declared.partial_fit([{"sky": "green"}], ["new"]),
    ):
        with pytest.raises(
            BadData, match="'green' is not a declared value of 'sky': 'sunny', 'rainy', 'foggy', 'white'"
        ):
            call()
    assert declared.classes == ("no", "yes")
    vocabulary = mb.NaiveBayes("laplace", attributes="words", declared=["a", "b", "c", "d"])
    vocabulary.learn_one({"a": 3}, 1)
    vocabulary.learn_one({"b": 1}, 0)
    assert exp(vocabulary.log_joint_one({"d": 1})[1]) == pytest.approx(0.5 * (0 + 1) / (3 + 4))


def test_m_p_and_priors() -> None:
    table = [{"a": "x"}] * 3 + [{"a": "y"}], ["t", "t", "u", "u"]
    assert exp(mb.NaiveBayes(m=2, p=0.25).fit(*table).log_joint_one({"a": "y"})["t"]) == pytest.approx(
        0.5 * (0 + 2 * 0.25) / (2 + 2)
    )
    assert exp(mb.NaiveBayes("laplace").fit(*table).log_joint_one({"a": "y"})["u"]) == pytest.approx(
        0.5 * (1 + 1) / (2 + 2)
    )
    flags = mb.NaiveBayes(m=2, p=0.25, class_prior="uniform", attributes="flags").fit([{"a": 0}] * 3, [0, 0, 0])
    assert exp(flags.log_joint_one({"a": 1})[0]) == pytest.approx((0 + 0.5) / 5)
    assert exp(flags.log_joint_one({"a": 0})[0]) == pytest.approx((3 + 1.5) / 5)
    given = mb.NaiveBayes(class_prior={"t": 0.9, "u": 0.1, "v": 0.0}).fit(*table)
    assert given.classes == ("t", "u", "v")
    assert given.predict_proba_one({}) == {"t": pytest.approx(0.9), "u": pytest.approx(0.1), "v": 0.0}
    with pytest.raises(BadData, match="label 'w' has no probability in class_prior, which has 't', 'u', 'v'"):
        given.learn_one({"a": "x"}, "w")
    for bad, part in (
        ({"m": -1}, "m must be"), ({"m": float("nan")}, "m must be"),
        ({"p": 0}, "p must be"), ({"p": 1.5}, "p must be"),
        ({"class_prior": {"a": 0.5, "b": 0.6}}, "class_prior must sum to 1: 1.1"),
        ({"class_prior": {"a": -0.5, "b": 1.5}}, "class_prior must have a probability >= 0 for 'a': -0.5"),
        ({"class_prior": {"a": "one"}}, "class_prior must map labels"),
        ({"class_prior": "none"}, "class_prior must be 'observed', 'uniform' or a mapping from labels .*: 'none'"),
        ({"class_prior": [0.5, 0.5]}, "class_prior must be 'observed', 'uniform' or a mapping from labels .*: "),
        ({"attributes": "text"}, "attributes must be"), ({"declared": ["a"]}, "declared must map"),
        ({"declared": {"a": ["x", "x"]}}, "declared must give"),
        ({"declared": {"a": []}, "attributes": "words"}, "declared must map"),
    ):  # fmt: skip
        with pytest.raises(BadParameter, match=part):
            mb.NaiveBayes(**bad)


def test_weights_count_examples_several_times() -> None:
    weights = [2.0] * 7 + [1.0] * 7
    weighted = mb.NaiveBayes().fit(ROWS, PLAY, weights)
    repeated = mb.NaiveBayes().fit(ROWS + ROWS[:7], PLAY + PLAY[:7])
    assert weighted.hypothesis == repeated.hypothesis
    single = mb.NaiveBayes()
    for x, y, weight in zip(ROWS, PLAY, weights, strict=True):
        single.learn_one(x, y, weight)
    assert single.hypothesis == repeated.hypothesis
    codes = np.array([[len(value) for value in row.values()] for row in ROWS])
    for form, X in (
        ("nominal", codes),
        ("flags", codes > 4),
        ("words", csr_matrix(codes)),
        ("flags", csr_matrix(codes > 4)),
    ):
        weighted = mb.NaiveBayes(attributes=form).fit(X, PLAY, weights)
        dense = X.toarray() if hasattr(X, "toarray") else X
        stack = type(X)(np.vstack([dense, dense[:7]])) if hasattr(X, "toarray") else np.vstack([dense, dense[:7]])
        assert weighted.hypothesis == mb.NaiveBayes(attributes=form).fit(stack, PLAY + PLAY[:7]).hypothesis
    for bad in ([1.0], [0.0] * 14, ["x"] * 14, [np.nan] * 14):
        with pytest.raises(BadData, match="weights must be numbers > 0, one per row"):
            mb.NaiveBayes().fit(ROWS, PLAY, bad)


def test_whole_numbers_as_values() -> None:
    """Narrow, wide, large and negative ones: the same counts, and the same answers."""
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 5, (200, 4)), rng.integers(0, 3, 200)
    for shift in (0, 40, 5000, -2):
        Z = X + shift
        table = mb.NaiveBayes(attributes="nominal").fit(
            [{f"x{j + 1}": int(v) for j, v in enumerate(row)} for row in Z], y
        )
        for dtype in (np.int64, np.int32, np.int16, np.float64):
            learner = mb.NaiveBayes(attributes="nominal").fit(Z.astype(dtype), y)
            shares = learner.predict_proba_many(Z.astype(dtype))
            if dtype is not np.float64:  # whose texts are 1.0, 2.0
                assert learner.hypothesis == table.hypothesis
                assert learner.predict_proba_one({f"x{j + 1}": int(v) for j, v in enumerate(Z[0])}) == (
                    dict(zip(learner.classes, shares[0].tolist(), strict=True))
                )
            assert learner.predict_many(Z.astype(dtype)) == [learner.classes[k] for k in shares.argmax(axis=1)]
        unseen = table.predict_proba_one({})
        assert dict(zip((0, 1, 2), table.predict_proba_many(np.full((1, 4), 99999))[0].tolist(), strict=True)) == unseen


def test_labels() -> None:
    x = {"a": "x"}
    for y, classes in (
        (np.array([5, 2, 5]), (2, 5)), (np.array([True, False, True]), (False, True)),
        (np.array([0.5, -1, 0.5]), (-1.0, 0.5)),
        (np.array([10**9, 3, 3]), (3, 10**9)), (["b", "a", 3], (3, "a", "b")), (np.array([-3, 4, 4], np.int8), (-3, 4)),
    ):  # fmt: skip
        learner = mb.NaiveBayes().fit([x] * 3, y)
        assert learner.classes == classes
        assert [type(label) for label in learner.classes] == [type(label) for label in classes]
        single = mb.NaiveBayes()
        for label in y:
            single.learn_one(x, label)
        assert single.hypothesis == learner.hypothesis
    for y in ([None, 1, 2], [float("nan"), 1, 2], [[1], [2], [3]], [1, 2], np.array([[1], [2], [3]])):
        with pytest.raises(BadData):
            mb.NaiveBayes().fit([x] * 3, y)
    with pytest.raises(BadData, match="a label must be a single value"):
        mb.NaiveBayes().learn_one(x, [1])


def test_merge_refuses_what_does_not_fit() -> None:
    nominal, flags = mb.NaiveBayes().fit(ROWS, PLAY), mb.NaiveBayes().fit([{"a": True}], [1])
    with pytest.raises(BadParameter, match="attributes must be the same for a merge: 'nominal' and 'flags'"):
        nominal.merge(flags)
    with pytest.raises(BadParameter, match="m must be the same for a merge"):
        nominal.merge(mb.NaiveBayes(m=2))
    before = nominal.hypothesis
    assert nominal.merge(mb.NaiveBayes()).hypothesis == before
    assert mb.NaiveBayes().merge(nominal).hypothesis == before
    closed = mb.NaiveBayes(declared={"Outlook": ["Sunny"]}).fit([{"Outlook": "Sunny"}], ["Maybe"])
    kept = closed.hypothesis
    with pytest.raises(BadData, match="'Overcast' is not a declared value"):
        closed.merge(nominal)
    assert closed.hypothesis == kept
    docs = [{"a": 1}, {"b": 2, "c": 1}, {"a": 4}, {"d": 1}]
    left, right = mb.NaiveBayes().fit(docs[:2], [0, 1]), mb.NaiveBayes().fit(docs[2:], [2, 0])
    assert left.merge(right).hypothesis == mb.NaiveBayes().fit(docs, [0, 1, 2, 0]).hypothesis


@pytest.mark.parametrize("form", ["nominal", "flags", "words"])
def test_model_files(form: str, tmp_path: Path) -> None:
    rows: list[Any] = {"nominal": ROWS, "flags": [{"a": 1, "é": None}, {"b": 1}], "words": [{"a": 2}, {"b": 0.5}]}[form]
    learner = mb.NaiveBayes(0.5, class_prior={"No": 0.25, "Yes": 0.75}, attributes=form).fit(rows, PLAY[: len(rows)])
    path = tmp_path / "model.mb"
    assert learner.save(path) == path.stat().st_size
    again = mb.load(path).learner
    assert again.hypothesis == learner.hypothesis
    assert (again.form, again.class_prior, again.declared) == (form, learner.class_prior, None)
    again.learn_one(rows[0], "No")
    learner.learn_one(rows[0], "No")
    assert again.hypothesis == learner.hypothesis
    assert again.predict_proba_one(rows[1]) == learner.predict_proba_one(rows[1])
    with pytest.raises(BadParameter, match="NaiveBayes has learned nothing yet"):
        mb.NaiveBayes().save(path)


@pytest.mark.parametrize("change", [
    {"classes": ["Yes", "No"]}, {"classes": ["No"]}, {"columns": []}, {"columns": [["a", "numeric", []]]},
    {"state": {"form": "text", "attributes": None, "declared": None, "class_prior": None}},
    {"state": {"form": "nominal", "attributes": None, "declared": {"b": ["c"]}, "class_prior": None}},
    {"state": {"form": "nominal", "attributes": None, "declared": None, "class_prior": [["Maybe", 1.0]]}},
])  # fmt: skip
def test_a_model_file_that_contradicts_itself_is_refused(change: Any, tmp_path: Path) -> None:
    from mistakebound.core import model_file

    path = tmp_path / "model.mb"
    mb.NaiveBayes().fit(ROWS, PLAY).save(path)
    header, arrays = model_file.read(path)
    model_file.write(path, header | change, arrays)
    with pytest.raises(BadModel, match="is not a model that this program could have written"):
        mb.load(path)


def test_evidence() -> None:
    learner = mb.NaiveBayes(m=0).fit(ROWS, PLAY)
    first, second = learner.evidence(2)
    assert (first.what, first.label, first.times, first.count) == ("Outlook=Overcast", "Yes", float("inf"), 4)
    assert (second.what, second.label, second.count) == ("Humidity=Normal", "Yes", 6)
    assert second.times == pytest.approx((6 / 9) / (1 / 5))
    assert learner.zero_estimates() == 1
    assert mb.NaiveBayes().fit(ROWS, PLAY).zero_estimates() == 0
    assert "m = 0: 1 estimate is 0" in str(learner.hypothesis)
    many = mb.NaiveBayes().fit([{"a": 5}, {"b": 5}, {"c": 5, "a": 1}], [0, 1, 2])
    assert {(one.what, one.label) for one in many.evidence(3)} == {("a", 0), ("b", 1), ("c", 2)}
    times = (5 + 1 / 3) / (5 + 1) / ((1 + 1 / 3) / (11 + 1))
    assert next(one for one in many.evidence() if one.what == "a").times == pytest.approx(times)


def test_explanations_add_up() -> None:
    """The terms of a row are what makes its log, for all three forms."""
    for learner, x in (
        (mb.NaiveBayes().fit(ROWS, PLAY), NEW),
        (mb.NaiveBayes().fit([{"a": 1, "b": 2}, {"b": 1}], [0, 1]), {"a": 2, "b": 1, "new": 7}),
        (mb.NaiveBayes().fit([{"a": True, "b": False}, {"b": True, "c": True}], [0, 1]), {"a": True, "c": None}),
    ):
        total = np.array(learner.log_priors()) + sum(logs for _, logs in learner.terms_one(x))
        assert list(learner.log_joint_one(x).values()) == pytest.approx(total.tolist(), rel=1e-13)


def test_the_same_for_any_hash_seed() -> None:
    script = (
        "import mistakebound as mb\n"
        "n = mb.NaiveBayes(0.3)\n"
        "for k in range(60): n.learn_one({f'w{j * k % 17}' for j in range(9)}, k % 3)\n"
        "w = mb.NaiveBayes(0.3, attributes='words')\n"
        "for k in range(60): w.learn_one({f'w{j * k % 17}' for j in range(9)}, k % 3)\n"
        "x = {f'w{j}' for j in range(12)}\n"
        "print(n.predict_proba_one(x), w.predict_proba_one(x))"
    )
    said = {
        subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True,
                       env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("0", "1", "77")
    }  # fmt: skip
    assert len(said) == 1


def test_a_long_row_does_not_underflow() -> None:
    learner = mb.NaiveBayes().fit([{"a": 1, "b": 9}, {"a": 9, "b": 1}], ["x", "y"])
    found = learner.predict_proba_one({"a": 100_000, "b": 100_001})
    ratio = log(9.5) - log(1.5)
    assert found["x"] == pytest.approx(1 / (1 + exp(-ratio)), rel=1e-6)


def test_a_list_of_instances_is_predicted_as_each_alone() -> None:
    learner = mb.NaiveBayes().fit([{"a": "x", "b": "y"}, {"a": "z", "b": "w"}, {"a": "z"}], [0, 1, 1])
    rows: list[Any] = [{"a": "x"}, {}, {"b": "y", "never": "seen"}, {"never": "seen"}]
    for some in (*([x] for x in rows), rows):  # a name that none of them has is missing from all
        assert learner.predict_many(some) == [learner.predict_one(x) for x in some]
        assert learner.predict_proba_many(some).tolist() == [list(learner.predict_proba_one(x).values()) for x in some]
    with pytest.raises(BadData, match=r"row 1: an instance of nominal attributes must be a mapping .* not int"):
        learner.predict_many([{"a": "x"}, 5])


def test_instances_that_say_nothing_count_for_their_class() -> None:
    learner = mb.NaiveBayes().fit([{}, {}, {}], ["a", "b", "a"])
    assert learner.class_counts.tolist() == [2, 1]
    assert learner.predict_many([{}]) == ["a"]


@pytest.mark.parametrize("kind", [np.int64, np.float64, np.float32, np.uint8])
def test_a_number_is_the_same_value_in_every_kind_of_array(kind: Any) -> None:
    """A column of whole numbers is one of floats as soon as a cell is missing."""
    X, y = np.array([[3], [4], [4]]), ["a", "b", "b"]
    for learner in (
        mb.NaiveBayes(attributes="nominal").fit(X.astype(kind), y),
        mb.NaiveBayes(attributes="nominal", declared={"x1": [3.0, 4]}).fit(
            [{"x1": x} for x in X[:, 0].astype(kind)], y
        ),
    ):
        probability = learner.predict_proba_one({"x1": 3})["a"]
        assert probability > 0.5
        for other in (X, X.astype(float), {"x1": [3.0, None, 4.0]}, [{"x1": "3"}]):
            assert learner.predict_proba_many(other)[0, 0] == probability
        assert learner.predict_proba_one({"x1": np.float64(3)})["a"] == probability


def test_a_given_prior_is_a_setting_like_any_other(tmp_path: Path) -> None:
    learner = mb.NaiveBayes(class_prior={1: 0.25, "1": 0.75}).fit([{"a": "x"}, {"a": "y"}], [1, "1"])
    assert learner.settings["class_prior"] == {1: 0.25, "1": 0.75}
    assert repr(learner) == "NaiveBayes(class_prior={1: 0.25, '1': 0.75})"
    assert mb.NaiveBayes(**learner.settings).settings == learner.settings
    learner.save(tmp_path / "model")  # labels that JSON would take for one
    again = mb.load(tmp_path / "model").learner
    assert (again.settings, again.class_prior) == (learner.settings, learner.class_prior)
    assert again.hypothesis == learner.hypothesis
    with pytest.raises(BadParameter, match="class_prior must be the same for a merge: "):
        learner.merge(mb.NaiveBayes())
    with pytest.raises(BadParameter, match="other must be a NaiveBayes for a merge: int"):
        learner.merge(3)  # type: ignore[arg-type]


def _forms() -> list[tuple[dict[str, Any], Any, Any]]:
    """(options, rows one at a time, the same as one table or matrix) of every kind of attributes."""
    draw = np.random.default_rng(4)
    numbers, bits = draw.integers(0, 3, (30, 4)), draw.integers(0, 2, (30, 4))
    values = [{f"x{j + 1}": str(v) for j, v in enumerate(row)} for row in numbers.tolist()]
    words = [{str(j + 1): v for j, v in enumerate(row)} for row in numbers.tolist()]
    flags = [{str(j + 1): bool(v) for j, v in enumerate(row)} for row in bits.tolist()]
    return [
        ({}, values, values), ({"attributes": "nominal"}, values, numbers), ({}, flags, bits), ({}, words, words),
        ({}, words, csr_matrix(numbers)), ({"attributes": "words"}, words, numbers),
    ]  # fmt: skip


@pytest.mark.parametrize("weights", [None, [1.0, 2.5] * 15])
def test_learning_says_what_was_predicted_before(weights: Any) -> None:
    labels = [("a", "b", "c")[(number * number) % 3] for number in range(30)]
    for options, rows, X in _forms():
        asked, single, many, at_once = (mb.NaiveBayes(**options) for _ in range(4))
        said = []
        for row, (x, label) in enumerate(zip(rows, labels, strict=True)):
            said.append(asked.predict_one(x))
            weight = 1.0 if weights is None else weights[row]
            assert single.learn_one(x, label, weight) == said[-1]
            asked.learn_one(x, label, weight)
        ledger = mb.Ledger()
        assert many.learn_many(X, labels, weights=weights, ledger=ledger) == said
        assert (ledger.trials, ledger.abstentions) == (30, 1)
        at_once.partial_fit(X, labels, weights)
        assert many.hypothesis == at_once.hypothesis
        assert many.predict_many(X) == single.predict_many(rows)


def test_learning_takes_names_and_the_column_of_labels() -> None:
    learner = mb.NaiveBayes()
    assert learner.learn_one(["sunny", "weak"], "yes", names=["sky", "wind"]) is None
    assert learner.predict_one(["sunny", "weak"], ["sky", "wind"]) == "yes"
    assert learner.predict_proba_one(["sunny"], ["sky"]) == {"yes": 1.0}
    with pytest.raises(BadData, match="there are 1 names for 2 values"):
        learner.predict_one(["sunny", "weak"], ["sky"])
    assert learner.learn_many({"sky": ["rainy"], "wind": ["weak"], "play": ["no"]}, "play") == ["yes"]
    assert learner.label == "play"
    assert mb.NaiveBayes(class_prior="uniform").predict_one({"sky": "red"}) is None, "no class is known yet"
    exact = mb.NaiveBayes(m=0)
    assert [exact.learn_one({"a": x, "b": y}, x) for x, y in ("pr", "qs", "ps")] == [None, "p", None], "ruled out"
    declared = mb.NaiveBayes(declared={"sky": ["red"]})
    with pytest.raises(BadData, match=r"row 1: .*'green' is not a declared value"):
        declared.learn_many([{"sky": "red"}, {"sky": "green"}], ["a", "b"])
    assert declared.classes == ("a",)
