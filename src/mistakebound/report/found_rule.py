"""A short rule with how often it agrees with its model on a stream, in words and as JSON."""

from __future__ import annotations

from mistakebound.core.rule_search import ENOUGH
from mistakebound.report.table import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mistakebound.core.rule import Rule, RuleList


class FoundRule:
    """The rule that agrees best, and the counts: `short` says whether it says enough of what the model says."""

    def __init__(
        self,
        rule: Rule | RuleList,
        *,
        rows: int,
        agreed: int,
        constant: tuple[str, int],
        short: bool,
        labelled: int,
        rule_mistakes: int,
        model_mistakes: int,
        chosen_on: int | None,
        numbers: int = 0,
    ) -> None:
        self.rule = rule
        self.rows = rows
        self.agreed = agreed
        self.constant = constant  # the label that the model gives most often, and how often
        self.short = short
        self.labelled = labelled
        self.rule_mistakes = rule_mistakes  # on the rows with a label, as the model's
        self.model_mistakes = model_mistakes
        self.chosen_on = chosen_on  # rows; None: it is the learner's own hypothesis
        self.numbers = numbers  # attributes that no rule can ask for, because they are not only on or off
        self.called: Mapping[str, str] = {}  # what to write for some of the attributes

    @property
    def agreement(self) -> float:
        return self.agreed / self.rows if self.rows else 1.0

    def fields(self, where: str = "the stream") -> list[tuple[str, str]]:
        """Names and what is to be said of them, for a report."""
        text = self.rule.text(self.called)
        if not self.rows:
            own = self.chosen_on is None  # else there was nothing to choose it on
            return [
                ("short rule", f"{text} (not measured: {where} has no rows)" if own else f"none: {where} has no rows")
            ]
        label, count = self.constant
        agrees = f"with the model on {percent(self.agreed, self.rows)} of {self.rows:,} rows of {where}"
        if self.short:
            said = [("short rule", text), ("agrees", agrees)]
        else:
            said = [("short rule", self._none()), ("the best", text), ("agrees", agrees)]
        if len(self.rule) and 0 < count < self.rows:
            said.append(("beside it", f"always saying {label} agrees on {percent(count, self.rows)}"))
        if self.labelled:
            wrong = percent(self.rule_mistakes, self.labelled), percent(self.model_mistakes, self.labelled)
            said.append(("errors", f"the rule on {wrong[0]} of the labels, the model on {wrong[1]}"))
        if self.chosen_on is not None and self.chosen_on < self.rows:
            said.append(("chosen", f"on the first {self.chosen_on:,} of these rows"))
        return said

    def _none(self) -> str:
        why = f"none agrees on {ENOUGH:.0%} of the rows" if self.agreement < ENOUGH else "none says much more"
        why += " and mends half of what a constant answer leaves open" if self.agreement >= ENOUGH else ""
        left_out = f"; {self.numbers:,} attributes with values (--bins cuts them)" if self.numbers else ""
        return f"{why}{left_out}"

    def as_json(self) -> dict[str, Any]:
        return self.rule.as_json(self.called) | {
            "short": self.short,
            "chosen": "the learner's own" if self.chosen_on is None else "on the stream",
            "rows": self.rows,
            "agreement": self.agreement if self.rows else None,
            "constant_agreement": self.constant[1] / self.rows if self.rows else None,
            "rule_error": self.rule_mistakes / self.labelled if self.labelled else None,
            "model_error": self.model_mistakes / self.labelled if self.labelled else None,
        }

    def __str__(self) -> str:
        return "\n".join(fields(self.fields()))


def percent(part: int, whole: int) -> str:
    """With as many digits as tell it from 0 and from 100.

    >>> percent(975, 1000), percent(99_999, 100_000), percent(8124, 8124), percent(0, 5)
    ('97.5 %', '99.999 %', '100 %', '0 %')
    """
    if part in (0, whole):
        return f"{100 * part // whole} %"
    for digits in range(1, 15):
        text = f"{100 * part / whole:.{digits}f}"
        if 0 < float(text) < 100:
            break
    return f"{text} %"
