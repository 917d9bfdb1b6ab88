"""A short rule with how often it agrees with its model on a stream, in words and as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field

from mistakebound.core.rule_search import ENOUGH
from mistakebound.report.table import fields, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mistakebound.core.rule import Rule, RuleList


@dataclass(repr=False, eq=False)
class FoundRule:
    """The rule that agrees best, and the counts: `short` says whether it says enough of what the model says."""

    rule: Rule | RuleList
    rows: int
    agreed: int
    constant: tuple[str, int]  # the label that the model gives most often, and how often
    short: bool
    labelled: int
    rule_mistakes: int  # on the rows with a label, as the model's
    model_mistakes: int
    chosen_on: int | None  # rows; None: it is the learner's own hypothesis
    numbers: int = 0  # attributes that no rule can ask for, because they are not only on or off
    called: Mapping[str, str] = field(default_factory=dict)  # what to write for some of the attributes

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
            said = [("short rule", self._none()), ("best rule", text), ("agrees", agrees)]
        if len(self.rule) and 0 < count < self.rows:
            said.append(("baseline", f"always predicting {label} agrees on {percent(count, self.rows)}"))
        if self.labelled:
            wrong = percent(self.rule_mistakes, self.labelled), percent(self.model_mistakes, self.labelled)
            said.append(("errors", f"the rule on {wrong[0]} of the labels, the model on {wrong[1]}"))
        if self.chosen_on is not None and self.chosen_on < self.rows:
            said.append(("chosen", f"on the first {self.chosen_on:,} of these rows"))
        return said

    def _none(self) -> str:
        why = (
            f"none agrees on {ENOUGH:.0%} of the rows"
            if self.agreement < ENOUGH
            else "none is better than a constant answer"
        )
        why += " by half of its errors" if self.agreement >= ENOUGH else ""
        left_out = f"; {self.numbers:,} numeric attributes were not used (--bins cuts them)" if self.numbers else ""
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
