"""The short rule that says nearly what a model says, looked for and measured on a stream in one reading.

The first rows are kept until a rule is chosen on them; on the others it is only counted how often it agrees.  Which
rows those are does not depend on blocks or threads.
"""

from __future__ import annotations

from array import array
from itertools import islice

import numpy as np

from mistakebound.core.block import Block, BlockNames
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.fields import is_path
from mistakebound.core.labels import meaning
from mistakebound.core.many_labels import listed
from mistakebound.core.names import id_of, is_id
from mistakebound.core.rule_search import TERMS, RuleRows, best_rule, is_short, own_rule, ranks
from mistakebound.io.reader import Reader, run
from mistakebound.report.found_rule import FoundRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    import numpy.typing as npt

    from mistakebound.core.rule import Rule, RuleList


_AT_ONCE = 1 << 12  # pairs of an instance and a label


class RuleEntries:
    """Which attributes are on in some rows: `rows` and `places`, those of each entry, in the order of the rows."""

    def __init__(self, rows: Any, places: Any, count: int, at: Mapping[str, int]) -> None:
        self._count = count
        self._at = at
        order = np.argsort(places, kind="stable")
        self._rows = rows[order]
        self._starts = np.searchsorted(places[order], np.arange(len(at) + 1))

    def _on(self, name: str) -> Any:
        """The rows in which an attribute is on."""
        place = self._at[name]
        return self._rows[self._starts[place] : self._starts[place + 1]]

    def column(self, parts: Sequence[tuple[str, bool]]) -> npt.NDArray[np.bool_]:
        """Of each row, whether all these attributes are on, or off where they are to be off."""
        holds = np.ones(self._count, np.bool_)
        for name, off in parts:
            part = np.full(self._count, off)
            part[self._on(name)] = not off
            holds &= part
        return holds

    def share(self, parts: Sequence[tuple[str, bool]]) -> float:
        """Of the rows in which they are."""
        if len(parts) == 1 and not parts[0][1]:
            return len(self._on(parts[0][0])) / max(1, self._count)
        return float(self.column(parts).mean()) if self._count else 0.0


class Places:
    """The places of some attribute names in a list of them, for many keys at once."""

    def __init__(self, names: Iterable[str]) -> None:
        self._places = {name: place for place, name in enumerate(dict.fromkeys(names))}
        ids = sorted((id_of(name), place) for name, place in self._places.items() if is_id(name))
        self._ids = np.array([key for key, _ in ids], np.uint64)
        self._places_of_ids = np.array([*(place for _, place in ids), -1], np.int64)

    def entries(self, rows: Any, places: Any, count: int) -> RuleEntries:
        return RuleEntries(rows, places, count, self._places)

    def are_any(self, parts: Sequence[tuple[str, bool]], among: set[int]) -> bool:
        return any(self._places[name] in among for name, _ in parts)

    def of_ids(self, keys: Any, base: int) -> npt.NDArray[np.int64]:
        wanted = keys.astype(np.uint64) + np.uint64(base)
        at = np.searchsorted(self._ids, wanted)
        found = np.append(self._ids, np.uint64(0))[at] == wanted
        places: npt.NDArray[np.int64] = self._places_of_ids[np.where(found & (at < len(self._ids)), at, -1)]
        return places

    def of_names(self, keys: Any, block: Block) -> npt.NDArray[np.int64]:
        assert block.columns is not None
        table = np.array([*(self._places.get(name, -1) for name in block.columns.texts()), -1], np.int64)
        places: npt.NDArray[np.int64] = table[keys.astype(np.int64) + block.base]
        return places


def blocks_of(learner: Any, pairs: Iterable[tuple[Any, Any]]) -> Iterator[Block]:
    """Instances with their labels (None: not known), a few thousand at a time."""
    left = iter(pairs)
    while part := list(islice(left, _AT_ONCE)):
        places: dict[str, int] = {}
        ends, keys, values = array("q", [0]), array("Q"), array("d")
        for x, _ in part:
            instance = learner.encode(x)
            instance = instance.with_zeros() if learner.counts_zeros else instance
            keys.extend(places.setdefault(name, len(places)) for name in instance.names)
            values.extend(instance.values if instance.values is not None else [1.0] * len(instance.names))
            ends.append(len(keys))
        texts = list(dict.fromkeys(str(label) for _, label in part if label is not None))
        tokens = array("i", [-1 if label is None else texts.index(str(label)) for _, label in part])
        yield Block(
            len(part),
            ends,
            keys,
            values,
            columns=BlockNames.of(list(places)),
            dense=True,
            tokens=tokens,
            label_tokens=[text.encode() for text in texts],
        )


def label_codes(learner: Any, block: Block) -> npt.NDArray[np.int8]:
    """The code of each row's label, 2 for a row without one; BadData for a label that the model does not know."""
    if block.tokens is None:
        return np.full(block.rows, 2, np.int8)
    negative, positive = learner.labels.values
    known = {meaning(negative): 0, meaning(positive): 1}
    texts = [token.decode(errors="backslashreplace") for token in block.label_tokens]
    table = np.array([*(known.get(meaning(text), -1) for text in texts), 2], np.int8)
    tokens = np.asarray(memoryview(block.tokens))[: block.rows]
    codes: npt.NDArray[np.int8] = table[tokens]
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        known_ones = listed(learner.labels)
        error = BadData(f"label {texts[tokens[row]]!r} is not one of the model's, {known_ones}", source=block.source)
        error.line = None if block.lines is None else block.lines[row]
        raise error
    return codes


CHOSEN_ON = 1 << 16  # rows
_WEIGHTS = 1000  # the largest, of which those that move the sum most are tried
_TRIED = 48  # attributes: a row is a number of so many bits, and one for the answer


def find_rule(
    learner: Any,
    reader: Any,
    *,
    terms: int = TERMS,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> FoundRule:
    """Finds a short rule, of a few attributes, that agrees best with a learner of two classes.

    Parameters
    ----------
    learner : learner
        Its attributes with the largest weights are tried.  It is not changed.
    reader : Reader or iterable of pairs
        What `open_stream` gives, or pairs (instance, label).  Rows without a label count for the agreement, not for the
        errors.
    terms : int
        The most attributes of the rule.
    threads : int, default 1
        Threads that read; the result does not depend on it.
    progress : function of (rows) or None, default None
        Called after every block.

    Returns
    -------
    FoundRule
        The rule, how often it agrees with the learner, and the errors of both.

    Examples
    --------
    >>> from mistakebound.learners.linear.perceptron import Perceptron
    >>> rows = [({"free", "now"}, "spam"), ({"lunch", "now"}, "ham"), ({"free", "ok"}, "ham"), ({"free"}, "spam")] * 5
    >>> learner = Perceptron(labels=("ham", "spam"))
    >>> for x, y in rows:
    ...     _ = learner.learn_one(x, y)
    >>> print(find_rule(learner, rows))
      short rule  IF 'free' AND NOT 'ok' THEN spam ELSE ham
      agrees      with the model on 100 % of 20 rows of the stream
      baseline    always predicting ham agrees on 50.0 %
      errors      the rule on 0 % of the labels, the model on 0 %
    """
    if is_path(reader):
        raise BadParameter(f"reader must be pairs (instance, label), or what open_stream gives for a file: {reader!r}")
    search = RuleSearch(learner, terms)

    def handle(block: Block) -> None:
        search.add(block)
        if progress is not None:
            progress(search.rows)

    if isinstance(reader, Reader):
        run(reader, handle, threads)
    else:
        for block in blocks_of(learner, reader):
            handle(block)
    return search.finish()


class RuleSearch:
    """Takes block after block; `finish` says what was found."""

    def __init__(self, learner: Any, terms: int = TERMS) -> None:
        if not ranks(learner):
            raise BadParameter(f"learner must be one of two classes that ranks its attributes: {learner!r}")
        if type(terms) is not int or terms < 1:
            raise BadParameter(f"terms must be a whole number >= 1: {terms!r}")
        self._learner = learner
        self._terms = terms
        self._own = own_rule(learner, terms)
        weights = dict(learner.top(_WEIGHTS)) | dict.fromkeys(self._own.attributes if self._own else (), 1.0)
        transformed = learner.inner is not None
        sign = -1.0 if transformed and learner.complement else 1.0
        self._weights = {name: sign * weight for name, weight in weights.items() if weight}
        self._parts = {name: learner.parts(name) if transformed else [(name, False)] for name in self._weights}
        self._wanted = Places(part for parts in self._parts.values() for part, _ in parts)
        self._kept: list[tuple[Any, Any]] = []  # (row, place) of the entries of the first rows
        self._answers: list[tuple[Any, Any]] = []  # (prediction, label) of those rows
        self._numbers: set[int] = set()  # places of attributes with other values than 0 and 1
        self._rule: Rule | RuleList | None = None
        self._counts = np.zeros((2, 2, 3), np.int64)  # of rows by rule, prediction, label (2: none)
        self.rows = 0

    def add(self, block: Block) -> None:
        predictions = array("b", bytes(block.rows))
        self._learner.predict_block(block, predictions)
        answers = np.frombuffer(predictions, np.int8) == 1, label_codes(self._learner, block)
        rows, places = self._entries(block)
        start = min(block.rows, max(0, CHOSEN_ON - self.rows))  # rows that are kept
        if start:
            first = int(np.searchsorted(rows, start))
            self._kept.append((rows[:first] + self.rows, places[:first]))
            self._answers.append((answers[0][:start], answers[1][:start]))
        self.rows += block.rows
        if self.rows >= CHOSEN_ON and self._rule is None:
            self._choose()
        if start < block.rows:
            self._count(rows, places, answers, start, block.rows)

    def _entries(self, block: Block) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Row and place of every entry that is on and of an attribute that is wanted, in the order of the rows."""
        ends = np.asarray(memoryview(block.indptr))[: block.rows + 1]
        entries = slice(int(ends[0]), int(ends[-1]))
        keys = np.asarray(memoryview(block.keys))[entries]
        rows = np.repeat(np.arange(block.rows), np.diff(ends))
        places = self._wanted.of_ids(keys, block.base) if block.columns is None else self._wanted.of_names(keys, block)
        on = places >= 0
        if block.values is not None:
            values = np.asarray(memoryview(block.values))[entries]
            if self._rule is None:
                kept = rows < CHOSEN_ON - self.rows  # whatever the blocks
                self._numbers.update(places[on & kept & (values != 0) & (values != 1)].tolist())
            on &= values != 0
        return rows[on], places[on]

    def _choose(self) -> None:
        """The rule, by the rows that were kept; and what it says of them."""
        rows = np.concatenate([part for part, _ in self._kept] or [np.zeros(0, np.int64)])
        places = np.concatenate([part for _, part in self._kept] or [np.zeros(0, np.int64)])
        positive = np.concatenate([part for part, _ in self._answers] or [np.zeros(0, np.bool_)])
        labels = np.concatenate([part for _, part in self._answers] or [np.zeros(0, np.int8)])
        entries = self._wanted.entries(rows, places, len(positive))
        self._rule = self._own or best_rule(self._learner.labels, self._combined(entries, positive), self._terms)
        self._rule.parts = self._parts
        self._kept, self._answers = [], []
        self._count(rows, places, (positive, labels), 0, len(positive))

    def _combined(self, entries: RuleEntries, positive: npt.NDArray[np.bool_]) -> RuleRows:
        """The rows as combinations of the attributes that move the sum most: weight times standard deviation."""
        names, weights = list(self._weights), np.array(list(self._weights.values()))
        share = np.array([entries.share(self._parts[name]) for name in names])
        moves = np.abs(weights) * np.sqrt(share * (1 - share))
        no_flag = [self._wanted.are_any(self._parts[name], self._numbers) for name in names]
        moves[np.array(no_flag, np.bool_)] = 0.0
        tried = [int(k) for k in np.argsort(-moves, kind="stable")[:_TRIED] if moves[k] > 0]
        packed = positive.astype(np.uint64)
        for bit, k in enumerate(tried, 1):
            packed[entries.column(self._parts[names[k]])] |= np.uint64(1 << bit)
        distinct, counts = np.unique(packed, return_counts=True)
        columns = [(distinct >> np.uint64(bit) & np.uint64(1)) == 1 for bit in range(1, len(tried) + 1)]
        return RuleRows([(names[k], float(weights[k])) for k in tried], columns, (distinct & np.uint64(1)) == 1, counts)

    def _count(self, rows: Any, places: Any, answers: tuple[Any, Any], start: int, stop: int) -> None:
        """Rows start .. stop - 1 by what the rule, the model and the label say."""
        assert self._rule is not None
        first = np.searchsorted(rows, start)
        entries = self._wanted.entries(rows[first:] - start, places[first:], stop - start)
        on = {name: entries.column(self._parts[name]) for name in self._rule.attributes}
        says = np.broadcast_to(self._rule.decide(on), (stop - start,)).astype(np.int64)
        predictions, labels = (part[start:stop].astype(np.int64) for part in answers)
        table = np.bincount((says * 2 + predictions) * 3 + labels, minlength=12)
        self._counts += table.reshape(2, 2, 3)

    def finish(self) -> FoundRule:
        if self._rule is None:
            self._choose()
        assert self._rule is not None
        counts = self._counts
        by_prediction = counts.sum(axis=(0, 2))
        agreed, constant = int(counts[0, 0].sum() + counts[1, 1].sum()), int(by_prediction.max())
        return FoundRule(
            self._rule,
            rows=self.rows,
            agreed=agreed,
            constant=(self._learner.labels.text(int(by_prediction.argmax())), constant),
            short=bool(is_short(agreed, constant, self.rows)) and (self.rows > 0 or self._own is not None),
            labelled=int(counts[:, :, :2].sum()),
            rule_mistakes=int(counts[0, :, 1].sum() + counts[1, :, 0].sum()),
            model_mistakes=int(counts[:, 0, 1].sum() + counts[:, 1, 0].sum()),
            chosen_on=None if self._own is not None else min(self.rows, CHOSEN_ON),
            numbers=len(self._numbers),
        )
