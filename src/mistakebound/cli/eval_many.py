"""`eval` for a model of more than two labels: the whole table of labels against predictions."""

from __future__ import annotations

import json
from array import array
from time import perf_counter

import numpy as np

from mistakebound.cli.commands import say
from mistakebound.cli.eval import known_codes
from mistakebound.cli.reader_options import settings_from
from mistakebound.cli.settings import refuse_without_labels
from mistakebound.cli.terminal import progress_for
from mistakebound.io import open_stream
from mistakebound.io.pipeline import run as run_blocks
from mistakebound.io.pipeline import threads_for
from mistakebound.report.confusion import Confusion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from mistakebound.core.block import Block
    from mistakebound.model.model import Model


def evaluate(options: Namespace, model: Model) -> int:
    learner = model.learner
    refuse_without_labels(learner, options.model)
    none = np.empty(0, np.int64)
    found = Confusion([learner.labels.text(code) for code in range(len(learner.labels.values))], none, none)
    start = perf_counter()
    with open_stream(options.files, settings_from(options, model.settings)) as reader:
        show = progress_for(reader, found)

        def handle(block: Block) -> None:
            codes, predictions = known_codes(learner, block), array("b", bytes(block.rows))
            learner.predict_block(block, predictions)
            found.add(np.frombuffer(codes, np.int8), np.frombuffer(predictions, np.int8))
            if show is not None:
                show.update()

        try:
            run_blocks(reader, handle, threads_for(reader, options.threads))
        finally:
            if show is not None:
                show.close()
    if options.json:
        print(json.dumps({"model": options.model, "learner": learner.name} | found.as_json()))
    else:
        title = f"{learner!r} on {', '.join(options.files)}"
        say(*found.lines(title, perf_counter() - start))
    return 0
