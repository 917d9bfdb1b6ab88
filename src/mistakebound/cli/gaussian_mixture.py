"""Find the means of k Gaussians of one known variance in a table of numbers, by EM.

  mistakebound gaussian-mixture heights.csv --k 2 --variance 30
  mistakebound gaussian-mixture stars.csv --k 3 --variance 0.5 --columns x,y --restarts 10 --picture stars.svg

Every step raises the likelihood of the points; of several random starts the best is kept.
"""

from __future__ import annotations

import json
import sys

from mistakebound.cli.commands import note, say
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.report.table import columns, fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

_OPTIONS = {"k": "K", "variance": "V", "restarts": "N", "max_iter": "N", "tol": "T", "random_state": "SEED"}


INPUTS = ("file",)
OUTPUTS = {"picture": "picture"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a CSV or TSV table with a header")
    parser.add_argument("--columns", metavar="NAMES", help="columns of numbers, a,b (default: all that are)")
    parser.add_argument("--k", metavar="K", required=True, help="how many Gaussians")
    parser.add_argument("--variance", metavar="V", required=True, help="of every one, in every direction, above 0")
    parser.add_argument("--restarts", metavar="N", default="1", help="random starts; the best is kept (default: 1)")
    parser.add_argument("--max-iter", metavar="N", default="100", help="steps of a start at most (default: 100)")
    parser.add_argument("--tol", metavar="T", default="1e-6", help="a step that gains less a point is the last (1e-6)")
    parser.add_argument("--random-state", metavar="SEED", default="0", help="seed of the starts (default: 0)")
    parser.add_argument("--picture", metavar="FILE", help="draw points and means (1 or 2 columns), .png or .svg")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: Namespace) -> int:
    from mistakebound.learners.bayes.gaussian_means import GaussianMeans

    declared = {parameter.name: parameter for parameter in GaussianMeans.parameters}
    learner = GaussianMeans(**{name: declared[name].parse(getattr(options, name)) for name in _OPTIONS})
    names, points = _points(options.file, options.columns)
    if options.picture and len(names) > 2:
        raise BadParameter(f"--picture must be of 1 or 2 columns (--columns chooses): {', '.join(names)}")
    _fit(learner, points)
    if options.json:
        print(json.dumps(as_json(learner, names)))
    else:
        say(*as_text(learner, names))
    if options.picture:
        from mistakebound.report.mixture import draw_means

        draw_means(options.picture, learner)
        note(f"the picture is in {options.picture}")
    return 0


def _fit(learner: Any, points: Any) -> None:
    """With a bar where somebody looks: steps taken, of those that there can be at most."""
    if sys.stderr is None or not sys.stderr.isatty():
        learner.fit(points)
        return
    from mistakebound.cli.progress import Count

    steps, bar = 0, Count("EM", learner.settings["restarts"] * learner.settings["max_iter"])

    def tell(step: int, log_likelihood: float) -> None:
        nonlocal steps
        steps += 1
        bar.update(steps, f" steps at most, log-likelihood {log_likelihood:,.1f}")

    try:
        learner.fit(points, progress=tell)
    finally:
        bar.close()


def _points(file: str, wanted: str | None) -> tuple[list[str], Any]:
    """The columns that are meant, and their numbers, one point a row."""
    import numpy as np

    from mistakebound.io.frame import table_of

    table = table_of(file, numeric=() if wanted is None else _listed(wanted))
    names = [c.name for c in table.columns if not c.nominal] if wanted is None else _listed(wanted)
    left_out = [name for name in table.names if name not in names]
    if not names:
        raise BadData(f"a table must have a column of numbers: {', '.join(table.names)} are none", source=file)
    if wanted is None and left_out:
        note(f"left out, because they are no numbers: {', '.join(left_out)}")
    points = np.column_stack([table.column(name).data for name in names])
    missing = np.isnan(points)
    if missing.any():
        row, column = (int(place) for place in np.argwhere(missing)[0])
        raise BadData(f"a point must have all its numbers: row {row + 1} has no {names[column]!r}", source=file)
    return names, points


def _listed(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def as_json(learner: Any, names: list[str]) -> dict[str, Any]:
    run = learner.run
    return {
        "columns": names, "points": len(learner.points), "means": learner.means.tolist(),
        "shares": learner.shares.tolist(), "log_likelihood": run.log_likelihood,
        "log_likelihoods": run.log_likelihoods, "steps": run.steps, "converged": run.converged,
        "stopped": run.stopped, **learner.settings,
    }  # fmt: skip


def as_text(learner: Any, names: list[str]) -> list[str]:
    run, shares = learner.run, learner.shares
    settings = learner.settings
    said = [
        ("points", f"{len(learner.points):,} of {len(names)} number{'s' if len(names) > 1 else ''}"),
        ("steps", f"{run.steps}: {run.stopped}"),
        ("likelihood", f"log {run.log_likelihood:,.4f}" + _of_starts(settings["restarts"])),
    ]
    rows = [("mean", *names, "share of points")]
    for m, mean in enumerate(learner.means):
        rows.append((str(m + 1), *(f"{number:.6g}" for number in mean), f"{shares[m]:.4f}"))
    title = f"{settings['k']} Gaussian{'s' if settings['k'] > 1 else ''} of variance {settings['variance']:g}"
    return [title, *fields(said), "", *columns(rows, ">" * len(rows[0]))]


def _of_starts(restarts: int) -> str:
    return f", the best of {restarts} starts" if restarts > 1 else ""
