"""Learners made of learners, told member by member."""

from __future__ import annotations

from mistakebound.core.external import adapted
from mistakebound.report.table import columns, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def account_of_members(learner: Any, top: int) -> list[dict[str, Any]]:
    """For machines: each member with what it stands for and its hypothesis."""
    if learner.ensemble == "experts":
        found = []
        for k, (text, mistakes, share) in enumerate(learner.experts()):
            words = adapted(learner.expert(k)).hypothesis
            told = None if words is None else words.text(top)
            found.append({"expert": text, "mistakes": mistakes, "weight": share, "hypothesis": told})
        return found
    found = []
    for label in learner.learned():
        base = learner.base(label)
        largest = [{"name": name, "weight": weight} for name, weight in base.top(top)]
        found.append({"label": label, "hypothesis": base.hypothesis.text(top), "attributes": largest})
    return found


def member_lines(learner: Any, top: int) -> list[str]:
    """For people."""
    if learner.ensemble == "experts":
        experts = learner.experts()
        rows = [("expert", "mistakes", "weight"), *((t, f"{m:,}", f"{share:.4g}") for t, m, share in experts)]
        best = max(range(len(experts)), key=lambda k: (experts[k][2], -k))
        words = adapted(learner.expert(best)).hypothesis
        said = [] if words is None else ["", *fields([("best", f"{learner.labels.text(1)} when {words.text(top)}")])]
        return [*columns(rows, "<>>"), *said]
    listed = []
    for label in learner.learned():
        base = learner.base(label)
        listed.append((learner.labels.text(learner.labels.known(label)), base.hypothesis.text(min(top, 10))))
    return fields(listed)


def answers_of_members(learner: Any, x: Any) -> list[dict[str, Any]]:
    """What each member says to one instance, with its score."""
    if learner.ensemble == "experts":
        return [
            {"expert": text, "says": learner.expert_says(k, x), "weight": share, "mistakes": mistakes}
            for k, (text, mistakes, share) in enumerate(learner.experts())
        ]
    found = []
    for label in learner.learned():
        base = learner.base(label)
        score, threshold = base.score_one(x), base.theta
        found.append({"label": label, "score": score, "threshold": threshold, "margin": score - threshold})
    return sorted(found, key=lambda answer: -answer["margin"])
