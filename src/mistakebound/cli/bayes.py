"""Learn a table with naive Bayes and say which values speak most clearly for which class.

  mistakebound bayes tennis.csv --label PlayTennis
  mistakebound bayes mail.csv --label kind --bins 4 --m 2 --prior uniform --model mail.mb
  mistakebound bayes words.csv --label kind --attributes words --m laplace

`predict`, `eval` and `explain` take the model.
"""

from __future__ import annotations

import json
from time import perf_counter

from mistakebound.cli.commands import note, say
from mistakebound.cli.numbers import whole
from mistakebound.cli.reader_options import settings_from
from mistakebound.cli.settings import at_least
from mistakebound.cli.table_reading import add_table_options, read_with_progress
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.core.labels import value_of_text
from mistakebound.core.params import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

_FORMS = ("nominal", "flags", "words")


INPUTS = ("files",)
OUTPUTS = {"model": "model"}


def add_options(parser: ArgumentParser) -> None:
    add_table_options(parser)
    group = parser.add_argument_group("naive Bayes")
    group.add_argument(
        "--attributes", choices=_FORMS, default="nominal",
        help="what the columns are: values to be counted, 0 or 1, or counts of words (default: nominal)",
    )  # fmt: skip
    group.add_argument(
        "--m", default="1", metavar="M", help="imagined examples a class, or laplace: one a value (default: 1)"
    )
    group.add_argument(
        "--p", default="uniform", metavar="P", help="share of them that have a value (default: uniform, 1/values)"
    )
    group.add_argument(
        "--prior", default="observed", metavar="P",
        help="P(class): observed, uniform, or LABEL=SHARE,LABEL=SHARE (default: observed)",
    )  # fmt: skip
    parser.add_argument("--model", metavar="OUT", help="write the model here")
    parser.add_argument("--top", type=whole, default=10, metavar="N", help="values to list (default: 10)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: Namespace) -> int:
    from mistakebound.learners.bayes.naive_bayes import NaiveBayes

    at_least("--top", options.top, 0)
    parameters = {parameter.name: parameter for parameter in NaiveBayes.parameters}
    learner = NaiveBayes(
        m=parameters["m"].parse(options.m),
        p=parameters["p"].parse(options.p),
        class_prior=_prior(options.prior),
        attributes=None if options.attributes == "nominal" else options.attributes,
    )
    start = perf_counter()
    read = read_with_progress(options.files, settings_from(options, None), options)
    if read.labels is None:
        raise BadData("there are no rows to learn from", source=", ".join(options.files))
    learner.fit_table(read.table, read.labels)
    learner.label = options.label
    seconds = perf_counter() - start
    size = None if options.model is None else learner.save(options.model, reader=read.settings)
    if options.json:
        facts: dict[str, Any] = {
            "learner": learner.name, "parameters": learner.settings, "rows": read.table.rows,
            "columns": len(read.table.columns), "seconds": seconds, "model": options.model,
            "classes": list(learner.classes),
        }  # fmt: skip
        print(json.dumps(facts | learner.as_json(options.top)))
        return 0
    say(*learner.lines(options.top))
    note(
        f"{read.table.rows:,} rows in {seconds:.2f} s" + ("" if size is None else f"; {options.model}: {size:,} bytes")
    )
    return 0


def _prior(text: str) -> Any:
    """A word, or labels with their probabilities."""
    if "=" not in text:
        return text
    prior: dict[Any, float] = {}
    for word in text.split(","):
        label, _, share = word.rpartition("=")
        try:
            prior[value_of_text(label)] = number(share)
        except (ValueError, OverflowError):
            raise BadParameter(f"--prior must be observed, uniform or LABEL=SHARE,LABEL=SHARE: {word!r}") from None
    return prior
