"""The one parameter of the elimination algorithms, and the one fact that follows from it."""

from __future__ import annotations

from mistakebound.core.params import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.core.sparse import SparseLearner

N = Parameter("n", "integer", None, at_least=1, optional=True, grid=(60, None), help="number of attributes, if known")


def attributes_that_count(learner: SparseLearner) -> dict[str, Any]:
    """n; where it is not declared, no more attributes count than have appeared."""
    n = learner.settings["n"] or len(learner.attributes)
    return {"n": n} if n else {}
