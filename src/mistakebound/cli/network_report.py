"""What `network` prints: for people, or as one JSON object."""

from __future__ import annotations

from mistakebound.report.table import fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.cli.network_work import NetworkWork
    from mistakebound.learners.network.training import Epoch


def as_json(work: NetworkWork, seconds: float) -> dict[str, Any]:
    network, curve = work.learner.network, work.learner.network.curve
    best = _best(curve)
    return {
        "learner": work.learner.name,
        "parameters": work.learner.settings,
        "files": work.options.files,
        "classes": list(work.learner.classes),
        "layers": list(network.shape),
        "weights": _size(work),
        "epochs": len(curve),
        "stopped": network.stopped,
        "kept_epoch": len(curve) if best is None else best.number,
        "starts": network.starts,
        "curve": [
            {"epoch": e.number, "loss": e.loss, "validation_loss": e.validation, "validation_error": e.error}
            for e in curve
        ],
        "rows_for_validation": network.held,
        "training": work.confusion(work.train_rows).as_json(),
        "holdout": work.confusion(work.test_rows).as_json() if len(work.test_rows) else None,
        "seconds": seconds,
        "model": work.options.model,
    }


def as_text(work: NetworkWork, seconds: float, size: int | None) -> list[str]:
    network, curve = work.learner.network, work.learner.network.curve
    rows, held, judged = len(work.train_rows), len(work.test_rows), network.held
    trained, best = work.confusion(work.train_rows), _best(curve)
    parts = [f"{rows - judged:,} to learn"]
    parts += [f"{judged:,} to stop by"] if judged else []
    parts += [f"{held:,} held out"] if held else []
    said = [
        ("rows", ", ".join(parts)),
        ("network", f"{'-'.join(map(str, network.shape))}, {_size(work):,} weights"),
        ("epochs", f"{len(curve):,} of {work.options.epochs:,}{_why(network.stopped)}"),
        ("loss", f"{curve[0].loss:.4g} an example in the first epoch, {curve[-1].loss:.4g} in the last"),
    ]
    if len(network.starts) > 1:
        said.append(("starts", ", ".join(f"{loss:.4g}" for loss in network.starts) + " (the least is kept)"))
    if best is not None:
        said.append(("validation", f"{best.validation:.4g} an example after epoch {best.number:,}, which is kept"))
    whose = f"{trained.trials:,} rows{' not held out' if held else ''}"
    said.append(("mistakes", f"{trained.mistakes:,} of the {whose} ({100 * (trained.error_rate or 0.0):.2f} %)"))
    steps = len(curve) * (rows - judged) * len(network.starts)
    said.append(("time", f"{seconds:.2f} s, about {steps / max(seconds, 1e-9):,.0f} examples a second"))
    if size is not None:
        said.append(("model", f"{work.options.model} ({size:,} bytes)"))
    lines = [f"{work.learner!r} on {', '.join(work.options.files)}", *fields(said)]
    if held:
        measured = work.confusion(work.test_rows).lines("on the rows held out", seconds)
        lines += ["", *(line for line in measured if not line.startswith("  time "))]
    return lines


def _why(stopped: str) -> str:
    return ", stopped by the validation set" if stopped == "validation" else ""


def _size(work: NetworkWork) -> int:
    return sum(layer.size for layer in work.learner.network.weights)


def _best(curve: list[Epoch]) -> Epoch | None:
    judged = [epoch for epoch in curve if epoch.validation is not None]
    return min(judged, key=lambda epoch: epoch.validation or 0.0) if judged else None
