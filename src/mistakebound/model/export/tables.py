"""Decision trees and naive Bayes as forms."""

from __future__ import annotations

from mistakebound.core.errors import BadParameter
from mistakebound.io.moments import MOMENT
from mistakebound.model.export.form import InputColumn, Inputs, LinearForm, TreeForm, TreeNode
from mistakebound.model.export.inputs import table_inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.model.export.form import Form
    from mistakebound.model.model import Model


def tree_form(model: Model) -> TreeForm:
    """The form of a decision tree."""
    from mistakebound.learners.tree.walk import chances

    learner = model.learner
    tree, schema = learner.tree, learner.schema
    shares, sizes = chances(tree), tree.counts.sum(axis=1)
    inputs = _inputs(model)
    nodes = []
    for node in range(tree.size):
        own: dict[str, Any] = {"label": int(tree.label[node]), "shares": tuple(shares[node].tolist())}
        if tree.arity[node]:
            name, kind, texts = schema.columns[int(tree.column[node])]
            children, start = tree.children(node), int(tree.mask_start[node])
            own |= {
                "column": name, "children": tuple(children), "otherwise": children[int(tree.otherwise[node])],
                "parts": tuple(float(sizes[child] / sizes[node]) for child in children),
            }  # fmt: skip
            if kind == "numeric":
                own["threshold"] = float(tree.threshold[node])
            else:
                masks = tree.masks[start : start + len(texts)] if start >= 0 else None
                own["branch"] = {
                    text: children[code if masks is None else 1 - int(masks[code])] for code, text in enumerate(texts)
                }
        nodes.append(TreeNode(**own))
    fractions = learner.settings["missing"] == "fractions"
    return TreeForm(inputs, tuple(learner.classes), learner.name, nodes=tuple(nodes), fractions=fractions)


def bayes_form(model: Model) -> LinearForm:
    """The form of naive Bayes over nominal values: a sum of logs for each class."""
    learner = model.learner
    if learner.form != "nominal":
        raise BadParameter(f"naive Bayes over {learner.form} cannot be exported, only over nominal values")
    inputs = _inputs(model)
    binned = {column.name for column in inputs.columns if column.cuts}
    weights = {
        value if name in binned else f"{name}={value}": tuple(map(float, logs))
        for name, _, values in learner.schema.columns
        for value in values
        for _, logs in learner.terms_one({name: value})
    }
    priors = tuple(learner.log_priors())
    return LinearForm(
        inputs, tuple(learner.classes), learner.name, outputs=tuple(range(len(priors))), weights=weights,
        biases=priors, softmax=True,
    )  # fmt: skip


def _inputs(model: Model) -> Inputs:
    """The columns of a table learner; one that was taught in Python has no settings of a reader."""
    schema = model.learner.schema
    texts = {name: tuple(values) for name, _, values in schema.columns}
    if model.settings is not None:
        known = [f"{name}={text}" for name, values in texts.items() for text in values]
        return table_inputs(model.settings, known, True)
    columns = tuple(InputColumn(name, kind, values=tuple(values)) for name, kind, values in schema.columns)
    return Inputs("table", columns, zeros=True)


def check_dates(form: Form, language: str, orders: tuple[str, ...] = ()) -> None:
    """BadParameter for dates that a language cannot take apart."""
    for column in form.inputs.columns:
        if column.kind == MOMENT and column.order not in orders:
            how = f"; it reads them as year-month-day only ({column.name!r})" if orders else f" ({column.name!r})"
            raise BadParameter(f"{language} cannot read the dates of the model{how}; export it --to python")
