"""What proves the numbers that `measure` prints, in words and as data."""

from __future__ import annotations

from mistakebound.cli.class_options import as_data
from mistakebound.report.drawing import draw_tree
from mistakebound.report.sketch import LEVELS, concept_text, instance_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SHOWN = 20  # concepts whose teaching sets are printed


def _vc_text(found: Any, levels: int | None) -> str:
    return f"the class shatters {{{', '.join(map(instance_text, found.shattered))}}}"


def _tree_text(found: Any, levels: int | None) -> str:
    return (
        f"questions\n{draw_tree(found.tree, levels=levels or LEVELS)}" if found.tree else "no tree found in this time"
    )


def _mistake_tree_text(found: Any, levels: int | None) -> str:
    if found.tree is None:
        return "no tree found in this time"
    proof = "verified" if found.verify() else "NOT what the definition asks for"
    kind = f"a complete mistake tree of {found.lower} level{'s' * (found.lower != 1)}, {proof}"
    return f"{kind}: every algorithm can be made to err at each level\n{draw_tree(found.tree, levels=levels or LEVELS)}"


def _halving_text(found: Any, levels: int | None) -> str:
    shown = ", ".join(f"{instance_text(x)} is {label}" for x, label in found.sequence)
    return f"{found.lower} mistakes are forced by {shown or 'nothing'}; the target {concept_text(found.target)} fits"


def _teaching_text(found: Any, levels: int | None) -> str:
    lines = [f"hardest to teach is {concept_text(found.hardest)}"]
    for c, chosen in enumerate(found.sets[:_SHOWN]):
        examples = (f"{instance_text(x)} is {found.finite.label(c, found.finite.position(x))}" for x in chosen)
        lines.append(f"  {concept_text(found.finite.concepts[c])}: {', '.join(examples) or 'nothing to show'}")
    if len(found.sets) > _SHOWN:
        lines.append(f"  and {len(found.sets) - _SHOWN:,} more (all with --json)")
    return "\n".join(lines)


def _average_tree_text(found: Any, levels: int | None) -> str:
    if found.tree is None:
        return "no tree found in this time"
    proof = "verified" if found.verify() else "NOT what the definition asks for"
    return f"a mistake tree of average depth {2 * found.lower}, {proof} (the tree with --json)"


def _plan_text(found: Any, levels: int | None) -> str:
    finite = found.finite
    lines = [f"in this order; {len(found.subclass):,} of the concepts need {found.lower} among themselves"]
    for c, chosen in found.plan[:_SHOWN]:
        examples = (f"{instance_text(x)} is {finite.label(c, finite.position(x))}" for x in chosen)
        lines.append(f"  {concept_text(finite.concepts[c])}: {', '.join(examples) or 'nothing to show'}")
    if len(found.plan) > _SHOWN:
        lines.append(f"  and {len(found.plan) - _SHOWN:,} more (all with --json)")
    return "\n".join(lines)


def _average_tree_data(found: Any) -> Any:
    """A leaf is a concept; a node an instance, and what the labels 0 and 1 lead to."""
    finite = found.finite

    def data(node: Any) -> Any:
        if isinstance(node, int):
            return {"concept": as_data(finite.concepts[node])}
        return {"instance": as_data(finite.instances[node[0]]), "then": [data(node[1]), data(node[2])]}

    return None if found.tree is None else data(found.tree)


def _plan_data(found: Any) -> dict[str, Any]:
    concepts = found.finite.concepts
    return {
        "plan": [{"concept": as_data(concepts[c]), "instances": [as_data(x) for x in xs]} for c, xs in found.plan],
        "subclass": [as_data(concepts[c]) for c in found.subclass],
    }


def _mistake_tree_data(found: Any) -> dict[str, Any]:
    tree, finite = found.tree, found.tree.finite
    return {
        "nodes": [as_data(finite.instances[j]) for j in tree.nodes],
        "leaves": [as_data(finite.concepts[c]) for c in tree.leaves],
    }


def _question_tree_data(found: Any) -> list[dict[str, Any]] | None:
    """Nodes by number: the instance and where the answers 0 and 1 lead, or the concept that is left."""
    if found.tree is None:
        return None
    finite = found.finite
    return [
        {"concept": as_data(finite.concepts[found.tree.leaves[place]])}
        if node is None
        else {"instance": as_data(finite.instances[node[0]]), "then": [node[1], node[2]]}
        for place, node in enumerate(found.tree.nodes)
    ]


WITNESSES: dict[str, Callable[[Any, int | None], str]] = {
    "vc": _vc_text,
    "opt": _mistake_tree_text,
    "halving": _halving_text,
    "queries": _tree_text,
    "teaching": _teaching_text,
    "randomized": _average_tree_text,
    "recursive": _plan_text,
}
DATA: dict[str, Callable[[Any], Any]] = {
    "vc": lambda found: [as_data(x) for x in found.shattered],
    "opt": _mistake_tree_data,
    "halving": lambda found: {
        "sequence": [[as_data(x), label] for x, label in found.sequence],
        "target": as_data(found.target),
    },
    "queries": _question_tree_data,
    "teaching": lambda found: [
        {"concept": as_data(concept), "instances": [as_data(x) for x in chosen]}
        for concept, chosen in zip(found.finite.concepts, found.sets, strict=True)
    ],
    "randomized": _average_tree_data,
    "recursive": _plan_data,
}
