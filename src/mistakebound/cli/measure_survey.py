"""`measure --random N`: the numbers of many random classes, and how they relate."""

from __future__ import annotations

import json
from itertools import pairwise

from mistakebound.cli.commands import say
from mistakebound.core.errors import BadParameter
from mistakebound.report.table import fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any


_LONGEST = 76  # characters of a class


def run_survey(options: Namespace, names: Sequence[str]) -> int:
    from mistakebound.theory.class_survey import survey_classes

    for option, told in (("CLASS", options.words), ("--witness", options.witness), ("--timeout", options.timeout)):
        if told:
            raise BadParameter(f"--random draws its classes: leave {option} out")
    if len(names) < 2:
        raise BadParameter("--random compares numbers: name two at least by --only")
    found = survey_classes(options.random, options.concepts, options.instances, names=names, seed=options.seed)
    pairs = list(pairwise(names))
    if options.plot is not None:
        from mistakebound.report.theory_pictures import draw_survey

        draw_survey(options.plot, found)
    if options.json:
        print(json.dumps(_as_json(options, found)))
        return 0
    lines = [f"{options.random:,} random classes of {options.concepts} concepts on {options.instances} instances"]
    for first, second in pairs:
        gap, example = found.largest(second, first)
        shown = str(example) if len(str(example)) <= _LONGEST else "a class that --json shows"
        lines += ["", *found.table(first, second).split("\n"), f"largest {second} - {first}: {gap}, of", f"  {shown}"]
    say(*fitted(lines))
    return 0


def _as_json(options: Namespace, found: Any) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for row, C in zip(found.rows, found.classes, strict=True):
        plain = {name: value if isinstance(value, int) else str(value) for name, value in row.items()}
        rows.append({"class": str(C), **plain})
    return {"concepts": options.concepts, "instances": options.instances, "seed": options.seed, "classes": rows}
