"""Many rows at once: what changes nothing is predicted in blocks, what changes something is learned alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from mistakebound.learners.version_space._nominal import NominalLearner
    from mistakebound.learners.version_space.rows import CodedRows

_SMALLEST, _LARGEST = 64, 1 << 16  # rows of a block: it grows while nothing changes


def play_blocks(
    learner: NominalLearner,
    rows: CodedRows,
    labels: Any,
    predictions: Any,
    say: Callable[[int, int], Any],
    changes: Callable[[Any, Any], Any],
    first: int = 0,
) -> None:
    """Play the rows from `first` on as trials.

    `say(first, last)` gives the codes that are predicted for a block as things stand; `changes(said, labels)` says for
    which of its rows the label would change something.  The result is that of playing them one by one.
    """
    size = _SMALLEST
    while first < rows.count:
        last = min(first + size, rows.count)
        said = say(first, last)
        changing = np.flatnonzero(changes(said, labels[first:last]))
        if not len(changing):
            predictions[first:last] = said
            learner.trials += last - first  # which is all that these rows change
            first, size = last, min(2 * size, _LARGEST)
            continue
        at = first + int(changing[0])
        predictions[first:at] = said[: at - first]
        learner.trials += at - first
        learner._play_row(rows.row(at), int(labels[at]), at, predictions)
        first, size = at + 1, max(_SMALLEST, size // 4)
