"""A model that has learned nothing yet: a schema, a learner, a ledger at 0."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.facts import check_fact
from mistakebound.core.ledger import new_ledger
from mistakebound.core.threshold import new_threshold
from mistakebound.io.formats import TABLES, check, check_format
from mistakebound.io.many_rows import RowsReader
from mistakebound.model.model import Model, RowSchema
from mistakebound.model.plan import FAST, FOR_GAMES, TRANSFORMS, new_learner, transformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

READING = ("ngrams", "hash", "ignore", "nominal", "numeric")
FORMATS = ("jsonl", "text", "vw", "libsvm")
LABEL = "label"


def new_model(
    labels: Sequence[Any],
    *,
    format: str = "jsonl",
    label: str = LABEL,
    learner: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    cost: Mapping[Any, float] | None = None,
    assume: Mapping[str, Any] | None = None,
    threshold: float | None = None,
    maximize: str | None = None,
    **more: Any,
) -> Model:
    """A model that has learned nothing yet, for `learn_one`.

    Parameters
    ----------
    labels : two or more labels; of two the second is the positive one
    format : {"jsonl", "text", "vw", "libsvm"}
        What a raw row is: a mapping, a text, a line of VW or of libsvm.
    label : str, default "label"
        Of mappings: the member that is the label, and so no feature.
    learner : str, default "arow"; "winnow2" with `reduce`
    parameters, cost, assume, threshold, maximize : as of `mb.learn`
    **more
        Transforms (`cross`, `negate`, `attributes`, `cross_limit`, `reduce`, `standardize`) and settings of the reader
        (`ngrams`, `hash`, `ignore`, `nominal`, `numeric`), as of `mb.learn`.

    Returns
    -------
    Model

    Examples
    --------
    >>> model = new_model(["ham", "spam"], learner="perceptron")
    >>> model.learn_one({"words": ["free", "now"]}, "spam"), model.predict_one({"words": ["now"]})
    ('ham', 'spam')
    >>> model.ledger.mistakes
    1
    """
    for name in more:
        if name not in (*TRANSFORMS, *READING):
            raise BadParameter(f"a new model has no setting {shown(name)}")
    if not isinstance(labels, (list, tuple)) or len(labels) < 2:
        raise BadParameter(f"labels must be two labels or more: {shown(labels)}")
    if format not in FORMATS:
        rest = "; a table is learned from a file first" if format in TABLES else ""
        raise BadParameter(f"format must be one of {', '.join(FORMATS)}{rest}: {shown(format)}")
    facts = {name: check_fact(name, value) for name, value in (assume or {}).items()}
    asked = {name: more.get(name) for name in TRANSFORMS} | {"negate": more.get("negate", False)}
    usual = FAST if asked["reduce"] is None else FOR_GAMES
    made = transformed(new_learner(learner, parameters, list(labels), cost, usual), facts, asked)
    if made.takes != "rows" or not made.online:
        raise BadParameter(f"{made.name} learns a whole table at once: learn it from a file first")
    made.all_facts(facts)
    settings: dict[str, Any] = {"format": format, **({"label": label, "members": {}} if format == "jsonl" else {})}
    settings |= {name: more[name] for name in READING if more.get(name) is not None}
    check(settings)
    check_format(format, settings, "a row")
    RowsReader(settings, b"{}\n")  # says what is wrong with them now, not at the first row
    ledger = new_ledger(made, for_model=True)
    ledger.threshold = new_threshold(made, threshold, maximize)
    return Model(made, RowSchema(settings), ledger, facts)
