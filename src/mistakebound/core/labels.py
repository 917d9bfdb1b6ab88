"""Two-valued labels: what the caller calls negative and positive, and the codes 0 and 1 inside."""

from __future__ import annotations

from math import isfinite

from mistakebound.core.atomic import commit
from mistakebound.core.errors import BadData, BadParameter, shown
from mistakebound.core.fields import Fields, plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.atomic import Change

_WORDS = {"false": 0, "true": 1}
_MORE = "more than two labels are for --learner one-vs-all"
_KNOWN = (0, 1, -1)
_PARTNER = {"true": "false", "True": "False", "TRUE": "FALSE", "1": "0", "+1": "-1"}


def meaning(label: Any) -> Any:
    """A label without its spelling: '+1', '1.0', 1 and True all mean 1.

    >>> [meaning(label) for label in ("+1", "1.0", True, "-1", "spam", 2.5)]
    [1, 1, 1, -1, 'spam', 2.5]
    """
    if isinstance(label, str):
        if label.lower() in _WORDS:
            return _WORDS[label.lower()]
        if "_" in label:
            return label
        try:
            number = float(label)
            if label.strip().lstrip("+-").isdecimal():
                return int(label)  # a float would make one of two large numbers
        except ValueError:
            return label
        if not isfinite(number):
            return label
        label = number
    if isinstance(label, bool):
        return int(label)
    if isinstance(label, float) and label.is_integer():
        return int(label)
    return label


def value_of_text(text: str) -> Any:
    """The label that a text in a file stands for: a number stays a number, true and false become bools.

    >>> [value_of_text(text) for text in ("+1", "-1.0", "true", "spam")]
    [1, -1, True, 'spam']
    """
    value = meaning(text)
    return bool(value) if text.lower() in _WORDS else value


def _other(label: Any) -> str:
    """What stands for any label but this one, while no other was seen."""
    return f"not {label}"


class Labels:
    """The pair of labels of one learner.

    0/1, -1/+1, False/True and their texts are known: which of them it is, the first negative label decides.  Any other
    pair is declared.

    >>> labels = Labels()
    >>> labels.code(+1), labels.code(-1), labels.values
    (1, 0, (-1, 1))
    >>> labels.code(0)
    Traceback (most recent call last):
    mistakebound.core.errors.BadData: label 0 is neither -1 nor 1; more than two labels are for --learner one-vs-all
    >>> Labels(("ham", "spam")).code("spam")
    1
    """

    __slots__ = ("_codes", "_negative", "_positive", "_spelling", "declared", "open")

    many = False  # see ManyLabels
    code_type = "b"  # of arrays of codes
    sure = False  # whether a prediction of None is always a class without a name, and never "don't know"

    def __init__(self, declared: Any = None) -> None:
        self.declared = declared is not None
        self.open = False  # beside one label a second of any kind is taken: see stream_labels.adopt
        self._negative: Any = None
        self._positive: Any = None
        self._codes: dict[Any, int] = {}
        self._spelling: dict[int, str] = {}
        if declared is not None:
            self._declare(declared)

    def _declare(self, declared: Any) -> None:
        try:
            negative, positive = map(plain_value, declared)
            single = all(
                isinstance(label, (str, int)) or (isinstance(label, float) and isfinite(label))
                for label in (negative, positive)
            )
            pair = single and not isinstance(declared, str) and meaning(negative) != meaning(positive)
        except (TypeError, ValueError):
            pair = False
        if not pair:
            raise BadParameter(f"labels must be a pair of two different labels (negative, positive): {declared!r}")
        self._settle(negative, positive)

    def _settle(self, negative: Any, positive: Any) -> None:
        self._negative, self._positive = negative, positive
        self._codes = {meaning(negative): 0, meaning(positive): 1}

    def take_up(self, found: dict[int, Any], *, in_file: bool) -> None:
        """Labels by their codes that were found before the first trial; in a file they are texts."""
        for code, label in found.items():
            if in_file:
                self._spelling[code] = label
            value = value_of_text(label) if in_file else plain_value(label)
            self._codes[meaning(value)] = code
            setattr(self, "_positive" if code else "_negative", value)

    @property
    def values(self) -> tuple[Any, Any]:
        """(negative, positive) as predictions come back; for one that was not seen, the likely one.

        Beside a label that is none of 0, 1, -1, False and True, every label is as likely.

        >>> labels = Labels()
        >>> labels.take_up({0: "ham"}, in_file=True)
        >>> labels.values
        ('ham', 'not ham')
        """
        if self._positive is None and self._negative is not None and meaning(self._negative) not in (0, -1):
            return self._negative, _other(self._negative)
        positive = 1 if self._positive is None else self._positive
        if self._negative is not None:
            return self._negative, positive
        if meaning(positive) != 1:
            return _other(positive), positive
        if isinstance(positive, str):
            return _PARTNER.get(positive, "0"), positive
        if self._spelling.get(1) == "+1":
            return -1, positive
        return (False, True) if positive is True else (0, positive)

    def name(self, code: int) -> Any:
        """The label that a code stands for; None for the negative one while nobody has said which it is: 0, -1, False.

        >>> labels = Labels()
        >>> labels.code(+1), labels.name(0), labels.code(-1), labels.name(0)
        (1, None, 0, -1)
        """
        return self.values[1] if code else self._negative

    def named(self, code: int) -> bool:
        """Whether the label of this code is known, and not only likely."""
        return (self._positive if code else self._negative) is not None

    @property
    def settled(self) -> bool:
        return self._negative is not None and self._positive is not None

    @property
    def untouched(self) -> bool:
        """Whether no label is known yet."""
        return self._negative is None and self._positive is None

    @property
    def spelled(self) -> bool:
        """Whether both labels have stood in a file."""
        return self.settled and len(self._spelling) == 2

    def code(self, label: Any) -> int:
        """0 or 1; the first labels of a stream settle what the pair is."""
        code = self.known(label)
        if code < 0:
            code, changes = self._look(label)
            commit(changes)
        return code

    def code_ahead(self, label: Any) -> int:
        """As `code`, of a trial that has not taken place yet: settles nothing."""
        code = self.known(label)
        return self._look(label)[0] if code < 0 else code

    def known(self, label: Any) -> int:
        """The code of a label that settles nothing; -1 for any other value."""
        try:
            code = self._codes.get(label)
            if code is None:
                code = self._codes.get(meaning(label), -1)
        except TypeError:
            raise BadData(f"a label must be a single value: {type(label).__name__}") from None
        return code if code <= 0 or self._positive is not None else -1

    def code_of_text(self, text: str) -> int:
        """As `code`, for a label in a file: a number stays a number in predictions, and its spelling is kept.

        >>> labels = Labels()
        >>> labels.code_of_text("+1"), labels.code_of_text("-1"), labels.values, labels.text(1)
        (1, 0, (-1, 1), '+1')
        """
        code = self.code(value_of_text(text))
        self._spelling.setdefault(code, text)
        return code

    def codes_of(self, label: Any, prediction: Any) -> tuple[int, int]:
        """The codes of a label and of the prediction made for it; -1 for one that is not of the pair.

        A prediction may have been made before the pair was settled: then any negative is the negative one, and so is
        None where the learner is sure.
        """
        try:
            code = self.code(label)
        except BadData:
            code = -1
        negative, positive = map(meaning, self.values)
        if prediction is None and self.sure and not self.declared:
            return code, 0
        guess = meaning(prediction)
        if guess == positive or guess == _other(self.values[0]):
            return code, 1
        if guess == negative or (guess in (0, -1) and negative in (0, -1)) or guess == _other(self.values[1]):
            return code, 0
        return code, -1

    def text(self, code: int) -> str:
        """How the label is written in a file: as it first stood in one."""
        return self._spelling.get(code) or str(self.values[code])

    @property
    def spelling(self) -> dict[int, str]:
        """By code, how labels stood in a file."""
        return dict(self._spelling)

    def _look(self, label: Any) -> tuple[int, list[Change]]:
        """The code of a label that is not known yet, and for `commit` what it settles."""
        key = meaning(label)
        plain = plain_value(label)
        if self.open and (self._negative is None) != (self._positive is None):
            only = self._positive if self._negative is None else self._negative
            if key not in _KNOWN or meaning(only) not in _KNOWN:
                return self._look_at_second(plain, only)
        if key == 1 and self._positive is None:
            return 1, [(setattr, self, "_positive", plain), (setattr, self, "_codes", self._codes | {1: 1})]
        if key in (0, -1) and self._negative is None:
            positive = True if plain is False and self._positive is None else self._positive
            return 0, [
                (setattr, self, "_negative", plain),
                (setattr, self, "_positive", positive),
                (setattr, self, "_codes", self._codes | {key: 0, 1: 1}),
            ]
        raise BadData(self._complaint(label))

    def _look_at_second(self, label: Any, only: Any) -> tuple[int, list[Change]]:
        """As `_look`, of any label beside the only one so far."""
        if not isinstance(label, (str, int)) and not (isinstance(label, float) and isfinite(label)):
            raise BadData(f"a label must be a text or a finite number: {label!r}")
        code = 1 if self._positive is None else 0
        return code, [
            (setattr, self, "_positive" if code else "_negative", label),
            (setattr, self, "_codes", {meaning(only): 1 - code, meaning(label): code}),
        ]

    def _complaint(self, label: Any) -> str:
        if self._negative is not None:
            negative, positive = self.values
            return f"label {plain_value(label)!r} is neither {negative!r} nor {positive!r}; {_MORE}"
        return (
            f"label {plain_value(label)!r} is not known: 0/1, -1/+1 and False/True are; declare any other pair with "
            f"labels=(negative, positive) or --labels NEG,POS; {_MORE}"
        )

    def copy(self) -> Labels:
        labels = type(self)()
        labels.declared, labels.open = self.declared, self.open
        labels._negative, labels._positive = self._negative, self._positive
        labels._codes, labels._spelling = dict(self._codes), dict(self._spelling)
        return labels

    def state(self) -> dict[str, Any]:
        spelling = [self._spelling.get(code) for code in (0, 1)]
        return {
            "declared": self.declared, "negative": self._negative, "positive": self._positive, "spelling": spelling
        }  # fmt: skip

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Labels:
        """ValueError for what `state` never gave."""
        labels, saved = cls(), Fields(state, "the labels")
        labels.declared = saved.flag("declared")
        labels._negative, labels._positive = saved.label("negative"), saved.label("positive")
        for value, code in ((labels._negative, 0), (labels._positive, 1)):
            if value is not None and labels._codes.setdefault(meaning(value), code) != code:
                raise ValueError(f"both labels are the same: {shown(value)}")
        if labels.declared and len(labels._codes) < 2:
            raise ValueError("the labels are declared but missing")
        labels._spelling = spelling_of(saved, 2)
        return labels


def spelling_of(saved: Fields, count: int) -> dict[int, str]:
    """How the labels stood in a file, by code, out of a model file."""
    texts = saved.values("spelling")
    if len(texts) != count or not all(isinstance(text, str | None) for text in texts):
        raise ValueError(f"expected one spelling per label: {shown(texts)}")
    return {code: text for code, text in enumerate(texts) if text is not None}


class SureLabels(Labels):
    """Those of a learner that never says "don't know"."""

    __slots__ = ()

    sure = True
