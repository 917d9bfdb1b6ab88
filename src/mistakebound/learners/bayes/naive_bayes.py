"""Naive Bayes with the m-estimate, online and over whole tables (Mitchell 1997, sections 6.9 and 6.10).

v = argmax P(t) * product of P(x_i | t), in logs; P(x_i | t) = (n_c + m p)/(n + m).
"""

from __future__ import annotations

from array import array

import numpy as np

from mistakebound.core.atomic import exclusive, reading
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import plain_values
from mistakebound.core.hypothesis import Hypothesis
from mistakebound.core.labels import value_of_text
from mistakebound.core.params import PairsParameter, Parameter
from mistakebound.core.table import check_weights, named_row
from mistakebound.core.weights import check_weight
from mistakebound.kernels import naive_bayes as kernel
from mistakebound.learners.bayes import _report as report
from mistakebound.learners.bayes._cells import (
    LAPLACE,
    OBSERVED,
    UNIFORM,
    Classes,
    Smoothing,
    check_class_prior,
    classes_of,
)
from mistakebound.learners.bayes._input import (
    FORMS,
    FormParameter,
    check_declared,
    check_form,
    form_of_instance,
    given_rows,
    given_table,
)
from mistakebound.learners.table_learner import TableLearner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Self

    import numpy.typing as npt

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.schema import Schema
    from mistakebound.core.table import Table
    from mistakebound.learners.bayes._cells import Floats
    from mistakebound.learners.bayes._input import Given


_NEVER = float("-inf")  # the log of a class that is ruled out


class NaiveBayes(TableLearner):
    """Naive Bayes with the m-estimate: class probabilities from counts of nominal values, flags or words.

    It learns one example at a time (`learn_one`), many (`learn_many`) or a whole table (`fit`), with the same counts.
    Every example counts, mistaken or not.

    Parameters
    ----------
    m : float or "laplace", default 1.0
        Imagined examples per class; >= 0.  0: plain relative frequencies.  "laplace": one per value.
    p : float or "uniform", default "uniform"
        The share of the imagined examples that have a value; > 0 and <= 1.  "uniform": 1 / (number of values).
    class_prior : {"observed", "uniform"} or mapping, default "observed"
        P(class): as observed, all alike, or label to probability (they sum to 1).
    attributes : {"nominal", "flags", "words"} or None, default None
        What the columns are: name to text, 0 or 1 (what is not named is 0), or name to how often.  None: the first
        instance decides.
    declared : mapping, sequence or None, default None
        All values of each nominal attribute, or the names of all flags or words.  None: those that appear.

    Notes
    -----
    Algorithm::

        learn (x, t):    n(t) += 1, and n(x_i, t) += 1 for every value x_i
        P(x_i | t)   =   (n(x_i, t) + m*p) / (n + m),   n the examples of class t with a value of attribute i
                         (words: how often any word came with class t)
        predict x:       the class t with the largest  ln P(t) + sum of ln P(x_i | t);  of equals the first

    Missing values are skipped, and so is a value that was never seen and is not declared.  With m = 0 a value can rule
    a class out; where all classes are ruled out, prediction is an error.  There is no mistake bound: the method assumes
    that values are independent given the class.  docs/naive_bayes.md has the details.

    References
    ----------
    Mitchell 1997, Machine Learning, sections 6.9 and 6.10 (m-estimate: section 6.9.1.1).

    Examples
    --------
    >>> learner = NaiveBayes(m=0)
    >>> for sky, wind, play in [("sunny", "weak", "yes"), ("sunny", "strong", "no"), ("rainy", "weak", "yes")]:
    ...     _ = learner.learn_one({"sky": sky, "wind": wind}, play)
    >>> learner.predict_one({"sky": "sunny", "wind": "weak"})
    'yes'
    >>> learner.predict_proba_one({"sky": "sunny"})  # 1/3 * 1 against 2/3 * 1/2
    {'no': 0.5, 'yes': 0.5}
    """

    name = "naive-bayes"
    summary = "class probabilities from counts of nominal values, flags or words"
    hypothesis_class = "products of one-attribute probabilities"
    search_order = "counts, without a search"
    inductive_bias = "attributes are independent, given the class"
    noise_effect = "changes counts by one"
    online = True
    weighted = True
    parameters = (
        Parameter(
            "m", "number", 1.0, at_least=0, words=(LAPLACE,), grid=(1.0, 0.5),
            help="virtual examples per class; laplace: one per value",
        ),
        Parameter(
            "p", "number", UNIFORM, above=0, at_most=1, words=(UNIFORM,),
            help="share of these with each value; uniform: 1/values",
        ),
        PairsParameter(
            "class_prior", default=OBSERVED, words=(OBSERVED, UNIFORM), what="labels with probabilities",
            name_of=value_of_text, help="P(class): as observed, uniform, or as given",
        ),
        FormParameter("attributes", help="kind of attributes (default: that of the first instance)"),
    )  # fmt: skip

    def __init__(
        self,
        m: float | str = 1.0,
        p: float | str = UNIFORM,
        class_prior: Any = OBSERVED,
        *,
        attributes: str | None = None,
        declared: Any = None,
    ) -> None:
        self.class_prior = check_class_prior(class_prior)  # label to probability, where they are given
        given = class_prior if self.class_prior is None else self.class_prior
        super().__init__(m=m, p=p, class_prior=given, attributes=attributes)
        self.smoothing = Smoothing(self.settings["m"], self.settings["p"])
        self.attributes: str | None = self.settings["attributes"]
        self.declared = check_declared(declared, self.attributes)
        self._forget()

    def _forget(self) -> None:
        self._book = Classes(self.settings["class_prior"], self.class_prior)
        self._counts: Any = None  # (core/atomic.py: it changes whole or not at all)

    @property
    def classes(self) -> tuple[Any, ...]:
        """All that have come, or are in `class_prior`: numbers by value, then texts."""
        return self._book.labels

    @property
    def class_counts(self) -> Floats:
        """How many examples each class has had."""
        return self._book.counts.copy()

    @reading
    def log_priors(self) -> list[float]:
        """The log of P(class), by class."""
        return self._book.log_priors()

    @property
    def fitted(self) -> bool:
        return self._counts is not None

    @property
    @reading
    def schema(self) -> Schema:
        return self._known_schema()

    def _known_schema(self) -> Schema:
        self._check_fitted()
        return self._counts.schema  # type: ignore[no-any-return]

    def _check_fitted(self) -> None:
        if self._counts is None:
            raise BadParameter(f"{type(self).__name__} has learned nothing yet: call fit or learn_one first")

    def _add_class(self, label: Any) -> int:
        place = self._book.add(label)
        if self._counts is not None:
            self._counts.add_class(place)
        return place

    # One example at a time.

    @property
    def form(self) -> str | None:
        """What the attributes are: "nominal", "flags" or "words"; None when that is still open."""
        return self.attributes if self._counts is None else self._counts.form

    def _open(self, form: str) -> Any:
        if self._counts is None:
            self._counts = FORMS[form](len(self.classes), self.declared)
        return self._counts

    def _read(self, x: Any, form: str | None = None) -> tuple[str, Any]:
        form = self.form or form or form_of_instance(x) or "nominal"
        counts = self._counts or FORMS[form](1)
        return form, counts.read(x, self.attributes is not None)

    def learn_one(self, x: Any, y: Any, weight: float = 1.0, names: Sequence[str] | None = None) -> Any:
        """Count one example; the class predicted before, None where there was none or all were ruled out."""
        x = named_row(x, names)
        with self._lock:
            said = self._prediction(x)
            self._learn_one(x, y, weight)
            return said

    def _prediction(self, x: Any) -> Any:
        scores = self._scores_one(x)
        best = max(scores, default=_NEVER)
        return None if best == _NEVER else self.classes[scores.index(best)]

    def _learn_one(self, x: Any, y: Any, weight: float, form: str | None = None) -> None:
        if weight != 1.0:
            weight = check_weight(self, weight)
        elif self._counts is not None:
            code = self._book.codes.get(y) if isinstance(y, (str, bool, int)) else None
            if code is not None and self._learn_quick(x, code):
                return
        form, row = self._read(x, form)
        code = self._book.code(y)
        book, counts, total = self._book, self._counts, 0.0
        mark = None if counts is None else counts.mark()
        self._row[0] = 0
        try:
            if code is None:
                code = self._with_class(y, form)
            else:
                self._open(form)
            total = self._book.counts[code] + weight
            self._counts.learn_one(row, code, weight, self._row)
            self._book.counts[code] = total
        except BaseException:
            try:
                self._end_trial(book, counts, mark, code, total)
            except BaseException:
                self._end_trial(book, counts, mark, code, total)
                raise
            raise

    def _with_class(self, label: Any, form: str) -> int:
        """One more class, for an example that is about to be learned; its number."""
        book = self._book.detached()
        place = book.add(label)
        if self._counts is None:
            counts = FORMS[form](len(book.labels), self.declared)
        else:
            counts = self._counts.detached()
            counts.add_class(place)
        self._book = book
        self._counts = counts
        return place

    def _end_trial(self, book: Classes, counts: Any, mark: Any, code: int | None, total: float) -> None:
        """After an exception: an example that was counted is one of its class, or all is as it was."""
        if self._row[0]:
            self._book.counts[code] = total
        else:
            self._book = book
            self._counts = counts
            if counts is not None:
                counts.forget(mark)

    def _learn_quick(self, x: Any, code: int) -> bool:
        """One example with nothing unusual about it; false, and nothing done, for any other."""
        counts, row = self._book.counts, self._row
        total = counts[code] + 1.0
        row[0] = 0
        try:
            learned = self._counts.learn_quick(x, code, row)
            if learned:
                counts[code] = total
        except BaseException:
            if row[0]:
                counts[code] = total
            raise
        return bool(learned)

    def _scores_one(self, x: Any) -> array[float]:
        scores = array("d", self._book.log_priors())
        if self._counts is not None and scores and not self._counts.score_quick(x, self.smoothing, scores):
            self._counts.add_scores(self._read(x)[1], self.smoothing, scores)
        return scores

    @exclusive
    def log_joint_one(self, x: Any) -> dict[Any, float]:
        """Each class with the log of P(class) P(x | class), which are compared; -inf for one that is ruled out."""
        return dict(zip(self.classes, self._scores_one(x), strict=True))

    @exclusive
    def terms_one(self, x: Any) -> list[tuple[str, Floats]]:
        """(value, log of its probability by class) for all that x says."""
        return [] if self._counts is None else list(self._counts.terms(self._read(x)[1], self.smoothing))

    @exclusive
    def predict_one(self, x: Any, names: Sequence[str] | None = None) -> Any:
        """The most probable class, of equals the first in order; None before the first example."""
        x = named_row(x, names)
        said = self._prediction(x)
        if said is None and self.classes:
            raise BadData(self._all_ruled_out(x))
        return said

    @exclusive
    def predict_proba_one(self, x: Any, names: Sequence[str] | None = None) -> dict[Any, float]:
        """Each class with its probability; empty before the first example."""
        x = named_row(x, names)
        scores = self._scores_one(x)
        if scores and kernel.normalise(scores, 1, len(scores)) == 0:
            raise BadData(self._all_ruled_out(x))
        return dict(zip(self.classes, scores, strict=True))

    @exclusive
    def zeros(self, x: Any) -> list[tuple[Any, str]]:
        """With m = 0: (class, value) for each value in x that alone gives the class the probability 0.

        >>> learner = NaiveBayes(m=0).fit([{"sky": "sunny"}, {"sky": "rainy"}], ["yes", "no"])
        >>> learner.zeros({"sky": "sunny"})
        [('no', 'sky=sunny')]
        """
        if not self.smoothing.none or self._counts is None:
            return []
        return [(self.classes[code], value) for code, value in self._counts.zeros(self._read(x)[1])]

    def _all_ruled_out(self, x: Any) -> str:
        first: dict[Any, str] = {}
        for code, value in () if self._counts is None else self._counts.zeros(self._read(x)[1]):
            first.setdefault(code, f"{value} never came with {self.classes[code]!r}")
        why = "; ".join(list(first.values())[:3]) or "class_prior"
        return f"every class has probability 0 ({why}): use m > 0"

    # Many examples.

    def fit(self, X: Any, y: Any, weights: Any = None, *, names: Sequence[str] | None = None) -> Self:  # type: ignore[override]
        """Forget all and learn these rows; self comes back.  If they are invalid, what was learned before stays."""
        fresh = self._afresh()
        fresh._count_many(X, y, weights, names)
        if fresh._counts is None or not fresh.class_counts.any():
            raise BadData("there are no rows to learn from")
        book, counts, label = fresh._book, fresh._counts, fresh.label
        with self._lock:
            self._book = book
            self._counts = counts
            self.label = label
        return self

    def _fit(  # type: ignore[override]
        self, table: Table, codes: Any, classes: tuple[Any, ...], weights: Any = None
    ) -> dict[str, Any]:
        fresh = self._afresh()
        fresh._learn(given_table(table, None, self.attributes or "nominal"), classes, codes, weights)
        return {"_book": fresh._book, "_counts": fresh._counts}

    def _afresh(self) -> Self:
        """A learner with the same settings that has learned nothing."""
        other = self._sharing_copy(label=None)
        other._forget()
        return other

    @exclusive
    def learn_many(
        self,
        X: Any,
        y: Any,
        *,
        weights: Any = None,
        names: Sequence[str] | None = None,
        ledger: Ledger | None = None,
    ) -> list[Any]:
        """Play the rows as trials in order; the class predicted before each was counted (`partial_fit` is faster).

        X and y are as `partial_fit` takes them; an invalid row ends the play, and those before it are counted.
        """
        given = given_rows(X, y, self.form, self.attributes is not None, names, None)
        classes, codes = classes_of(given.labels, given.rows, given.table)
        numbers = check_weights(weights, given.rows).tolist() or [1.0] * given.rows
        said: list[Any] = []
        for row, (x, code) in enumerate(zip(given.each(), codes.tolist(), strict=True)):
            before, self._row[0] = 0 if ledger is None else ledger.trials, 0
            try:
                said.append(self._prediction(x))
                self._learn_one(x, classes[code], numbers[row], given.form)
                if ledger is not None:
                    ledger.record(classes[code], said[row])
            except BaseException as error:
                if ledger is not None and ledger.trials == before and self._row[0]:
                    ledger.record(classes[code], said[row])
                if isinstance(error, BadData):
                    raise given.complain(error.message, row) from None
                raise
        if isinstance(y, str):
            self.label = y
        return said

    @exclusive
    def partial_fit(self, X: Any, y: Any, weights: Any = None, *, names: Sequence[str] | None = None) -> Self:
        """Count many examples; self comes back.

        X is a table (pandas, polars, pyarrow, the path of a CSV file), a list of instances, a SciPy matrix or an array
        of numbers; y one label per row, or the name of a column of X.
        """
        return self._count_many(X, y, weights, names)

    def _count_many(self, X: Any, y: Any, weights: Any, names: Sequence[str] | None) -> Self:
        given = given_rows(X, y, self.form, self.attributes is not None, names, None)
        if given.instances is not None:
            self._learn_each(given.instances, y, weights)
        else:
            classes, codes = classes_of(given.labels, given.rows, given.table)
            self._learn(given, classes, codes, weights, y if isinstance(y, str) else None)
        return self

    def _learn(
        self, given: Given, classes: tuple[Any, ...], codes: Any, weights: Any, column: str | None = None
    ) -> None:
        """All of the rows or, whatever exception arrives, none; `column` is that of their labels."""
        numbers, label = check_weights(weights, given.rows), self.label if column is None else column
        if not given.rows:
            self.label = label
            return
        book, before = self._book.detached(), self._counts
        counts, mark = (None, None) if before is None else (before.detached(), before.mark())
        for new in [label for label in classes if book.code(label) is None]:
            place = book.add(new)
            if counts is not None:
                counts.add_class(place)
        if counts is None:
            counts = FORMS[given.form](len(book.labels), self.declared)
        places = [book.codes[label] for label in classes]
        if places != list(range(len(places))):
            codes = np.array(places, dtype=np.int32)[codes]
        try:
            given.count(counts, codes, numbers)
            book.counts += np.bincount(codes, numbers if len(numbers) else None, len(book.labels))
            self._book = book
            self._counts = counts
            self.label = label
        except BaseException:
            if before is not None:
                try:
                    before.forget(mark)
                except BaseException:
                    before.forget(mark)
                    raise
            raise

    def _learn_each(self, rows: Sequence[Any], y: Any, weights: Any) -> None:
        labels = list(plain_values(y))
        numbers = check_weights(weights, len(rows)).tolist() or [1.0] * len(rows)
        if len(labels) != len(rows):
            raise BadData(f"there are {len(labels)} labels for {len(rows)} rows")
        for number, (x, label, weight) in enumerate(zip(rows, labels, numbers, strict=True)):
            try:
                self._learn_one(x, label, weight)
            except BadData as error:
                error.row = number
                raise

    @exclusive
    def predict_many(self, X: Any, *, names: Sequence[str] | None = None) -> list[Any]:
        """The most probable class of every row."""
        given, labels = self._given(X, names), list(self.classes)
        found: list[Any] = []
        for codes in self._decided(given):
            found += kernel.named(codes, labels)
        return found

    @exclusive
    def predict_proba_many(self, X: Any, *, names: Sequence[str] | None = None) -> Any:
        """The probabilities of every row, columns as `classes`."""
        return self._probabilities(self._given(X, names))

    def _given(self, X: Any, names: Sequence[str] | None) -> Given:
        self._check_fitted()
        like = None if self.form != "nominal" and isinstance(X, (list, tuple)) else self._known_schema()
        spare = () if self.label is None else (self.label,)
        return given_rows(X, None, self.form, self.attributes is not None, names, like, spare)

    def _predict(self, table: Table) -> Any:
        parts = list(self._decided(given_table(table, None, self.form or "")))
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.int32)

    def _proba(self, table: Table) -> Any:
        return self._probabilities(given_table(table, None, self.form or ""))

    def _scores(self, given: Given) -> Iterator[tuple[int, int, Floats]]:
        """(first row, row behind the last, scores) of some rows at a time."""
        if given.instances is None:
            yield from given.scored(self._counts, self.smoothing, self._book.log_priors())
            return
        for row, x in enumerate(given.instances):
            try:
                yield row, row + 1, np.array([self._scores_one(x)])
            except BadData as error:
                error.row = row
                raise

    def _decided(self, given: Given) -> Iterator[npt.NDArray[np.int32]]:
        """The numbers of the classes of some rows at a time."""
        for first, last, scores in self._scores(given):
            codes = np.empty(last - first, dtype=np.int32)
            if len(codes):
                if kernel.decide(scores.reshape(-1), len(codes), len(self.classes), codes):
                    raise AssertionError("buffers do not fit together")
                if codes.min() < 0:
                    raise self._bad_row(given, first + int(codes.argmin()))
            yield codes

    def _probabilities(self, given: Given) -> Floats:
        shares = np.empty((given.rows, len(self.classes)))
        for first, last, scores in self._scores(given):
            part = shares[first:last]
            part[:] = scores
            done = kernel.normalise(part.reshape(-1), last - first, len(self.classes)) if first < last else 0
            if done < last - first:
                raise self._bad_row(given, first + done)
        return shares

    def _bad_row(self, given: Given, row: int) -> BadData:
        return given.complain(self._all_ruled_out(given.instance(row)), row)

    # Together.

    def merge(self, other: NaiveBayes) -> NaiveBayes:
        """Add what another has counted: as if this one had learned its examples too.  Self comes back."""
        if not isinstance(other, NaiveBayes):
            raise BadParameter(f"other must be a NaiveBayes for a merge: {type(other).__name__}")
        for name, value in other.settings.items():
            if self.settings[name] != value and name != "attributes":  # its form counts: see below
                raise BadParameter(f"{name} must be the same for a merge: {self.settings[name]!r} and {value!r}")
        theirs = other.copy()
        if theirs._counts is not None:
            with self._lock:
                self._merge(theirs)
        return self

    def _merge(self, theirs: NaiveBayes) -> None:
        if self.form not in (None, theirs.form):
            raise BadParameter(f"attributes must be the same for a merge: {self.form!r} and {theirs.form!r}")
        changed = self._copy()
        for mine, its in ((changed, theirs), (theirs, changed)):
            for label in its.classes:
                if mine._book.code(label) is None:
                    mine._add_class(label)
        changed._open(theirs.form or "").merge(theirs._counts)
        changed._book.counts += theirs._book.counts
        self._book, self._counts = changed._book, changed._counts

    # What was learned, in words.

    @reading
    def evidence(self, top: int | None = None) -> list[report.Evidence]:
        """The values that point most clearly to a class, the clearest first."""
        if self._counts is None:
            return []
        return report.strongest(self._counts.evidence(), self.classes, self.smoothing, top)

    @reading
    def zero_estimates(self) -> int:
        """With m = 0: how many estimates are 0, each of which rules a class out alone."""
        if self._counts is None or not self.smoothing.none:
            return 0
        return self._counts.zero_estimates()  # type: ignore[no-any-return]

    @property
    def hypothesis(self) -> Hypothesis:
        return Hypothesis(self.copy())  # type: ignore[arg-type]

    def _form(self) -> Any:
        if self._counts is None:
            return (self.form, self.classes)
        names, counts, totals, sizes = self._counts.evidence()
        cells = zip(names, counts.tolist(), totals.tolist(), sizes.tolist(), strict=True)
        listed = frozenset((name, tuple(count), tuple(total), size) for name, count, total, size in cells)
        smoothing = self.smoothing.m, self.smoothing.p
        return self.form, self.classes, tuple(self.log_priors()), smoothing, listed

    def _in_words(self, terms: int) -> str:
        return "\n".join(self.lines(terms))

    @reading
    def lines(self, top: int) -> list[str]:
        return report.lines(self, top)

    @reading
    def as_json(self, top: int) -> dict[str, Any]:
        return report.as_json(self, top)

    def explain_row(self, table: Table, row: int) -> list[str]:
        with self._lock.around():
            return report.explain_row(self, table.row(row))

    # Model files.

    def _state(self) -> dict[str, Any]:
        prior = None if self.class_prior is None else [[label, share] for label, share in self.class_prior.items()]
        return {
            "form": self.form, "attributes": self.attributes, "declared": self.declared, "class_prior": prior,
        }  # fmt: skip

    def _arrays(self) -> dict[str, Any]:
        return {"classes": self.class_counts, **self._counts.arrays()}

    def _unsaved(self) -> dict[str, Any]:
        """What is in the state, once there is one."""
        return {} if self._holds_state else {"attributes": self.attributes, "declared": self.declared}

    @classmethod
    def _from_header(cls, header: dict[str, Any]) -> Self:
        # The names of a JSON object are texts; the labels of a prior that was given are what `state` says.
        prior = None if header["state"] is None else header["state"]["class_prior"]
        return cls(**header["parameters"] | ({} if prior is None else {"class_prior": dict(prior)}))

    def _restore_state(self, arrays: dict[str, Any], state: dict[str, Any]) -> None:
        classes, schema = self._classes or (), self._schema
        self.attributes = check_form(state["attributes"])
        self.declared = check_declared(state["declared"], self.attributes)
        self._forget()
        self._book.restore(classes, arrays["classes"])
        self._counts = FORMS[state["form"]].restore(arrays, schema, len(classes), self.declared)
