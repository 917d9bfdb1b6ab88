"""`play --teacher adversary`: the game trial by trial, for people and for machines."""

from __future__ import annotations

import json

from mistakebound import learners
from mistakebound.arena.play import play
from mistakebound.cli.commands import say
from mistakebound.cli.settings import assumptions, make_learner, pairs
from mistakebound.core.errors import BadParameter
from mistakebound.core.names import attribute_order, write_name
from mistakebound.report.ledger_text import bound_in_words, ledger_facts, mistakes_and_error
from mistakebound.report.table import columns, fields, fitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.protocol import Trial
    from mistakebound.teachers.adversary import Adversary

ADVERSARIES = {
    "adversary": "the textbook adversary of the class, or else that of the mistake tree",
    "mistake-tree": "walks a complete mistake tree and forces opt(C)",
}
_WIDEST = 40  # attributes of a row that is written as its digits
_SHOWN = 6  # active attributes of a longer one


def run_game(options: Namespace) -> int:
    from mistakebound.concepts import parse_class

    if options.concepts is None:
        raise BadParameter(f"--teacher {options.teacher} needs --class CLASS")
    for option, told in (("--noise", options.noise), ("--target", options.target)):
        if told:
            raise BadParameter(f"--teacher {options.teacher} does not support {option}: {told}")
    concepts = parse_class(options.concepts)
    settings = completed(options.learner, options.settings, str(concepts), getattr(concepts, "n", None))
    learner = make_learner(options.learner, settings, None)
    teacher = make_adversary(options.teacher, concepts)
    game: list[dict[str, Any]] = []

    def watch(trial: Trial, label: Any, prediction: Any, ledger: Ledger) -> None:
        said = {"trial": ledger.trials, "instance": in_json(trial.x), "prediction": prediction, "label": label}
        game.append(said | {"mistakes": ledger.mistakes, "shown": written(trial.x)})

    ledger = play(
        learner, teacher, options.trials, assume=assumptions(options.assume), lemmas=options.check_lemmas,
        trace=options.trace_to is not None, watch=watch,
    )  # fmt: skip
    write_trace(options, ledger)
    if options.plot:
        from mistakebound.report.plots import Curve, draw_mistakes

        draw_mistakes(options.plot, [Curve(type(learner).__name__, ledger)], title=f"{learner!r} against an adversary")
    if options.json:
        print(json.dumps(as_json(learner, teacher, ledger, game) | {"plot": options.plot}))
    else:
        say(*fitted(as_text(learner, teacher, ledger, game, options.plot)))
    return 0


_FORMS = (".txt", ".json", ".html", ".tex")


def check_trace(path: str | None) -> None:
    """Says before the game what would be wrong after it."""
    if path is not None and not path.endswith(_FORMS):
        raise BadParameter(f"--trace-to must end in {', '.join(_FORMS[:-1])} or {_FORMS[-1]}: {path!r}")


def write_trace(options: Namespace, ledger: Ledger) -> None:
    """The trace in the form that the file's name has; nothing where none was asked for."""
    path: str | None = options.trace_to
    if path is None:
        return
    from mistakebound.core.whole_file import WholeFile

    trace = ledger.trace
    if path.endswith(".json"):
        text = json.dumps(trace.as_json(), default=str)
    else:
        text = trace.html() if path.endswith(".html") else trace.latex() if path.endswith(".tex") else str(trace)
    with WholeFile(path, sync=False, kind="trace") as file:
        file.write(text.encode() + b"\n")


def make_adversary(kind: str, concepts: Any) -> Adversary:
    from mistakebound.teachers.adversary import MistakeTreeAdversary, adversary_for

    return MistakeTreeAdversary(concepts) if kind == "mistake-tree" else adversary_for(concepts)


def completed(name: str, settings: list[str], concepts: str | None, n: int | None) -> list[str]:
    """The words of --set, and what the learner cannot do without: its class, its n."""
    given = {key for key, _ in pairs("--set", settings)}
    known = {"concepts": concepts, "n": n}
    needed = [p.name for p in learners.find(name).parameters if p.required]
    return settings + [f"{key}={known[key]}" for key in needed if key not in given and known.get(key) is not None]


def as_json(learner: Any, teacher: Adversary, ledger: Ledger, game: list[dict[str, Any]]) -> dict[str, Any]:
    return ledger_facts(learner, ledger) | {
        "class": str(teacher.concepts),
        "adversary": type(teacher).__name__,
        "forces": teacher.forces,
        "target": str(teacher.target),
        "word_kept": teacher.broken_word() is None,
        "hypothesis": learner.hypothesis.text(),
        "lemma_failures": ledger.lemma_failures,
        "game": [{key: value for key, value in trial.items() if key != "shown"} for trial in game],
    }


def as_text(
    learner: Any, teacher: Adversary, ledger: Ledger, game: list[dict[str, Any]], picture: str | None
) -> list[str]:
    rows = [("trial", "instance", "predicted", "label", "mistakes")]
    rows += [(str(t["trial"]), t["shown"], str(t["prediction"]), str(t["label"]), str(t["mistakes"])) for t in game]
    said = [
        ("class", str(teacher.concepts)),
        ("adversary", f"{type(teacher).__name__}: forces {teacher.forces} on every deterministic learner"),
        ("target", f"{teacher.target}, which agrees with everything said"),
        *mistakes_and_error(ledger),
        ("bound", bound_in_words(ledger.bound, ledger)),
        ("verdict", str(ledger.verdict)),
        ("learned", learner.hypothesis.text(5)),
        *([("picture", picture)] if picture else []),
    ]
    return [f"{learner!r}", *columns(rows, "><>>>"), "", *fields(said)]


def written(x: Any) -> str:
    """A short row as its digits, a longer one or a set by its active attributes, anything else as it prints."""
    if isinstance(x, tuple) and {*x} <= {0, 1}:
        if len(x) <= _WIDEST:
            return "".join(map(str, x))
        x = {str(j) for j, value in enumerate(x, 1) if value}
    if isinstance(x, (set, frozenset)):
        active = [write_name(name) for name in sorted(x, key=attribute_order)]
        return " ".join(active[:_SHOWN]) + (f" and {len(active) - _SHOWN:,} more" if len(active) > _SHOWN else "")
    return str(x)


def in_json(x: Any) -> Any:
    """Rows as lists, sets as sorted lists of names."""
    if isinstance(x, (set, frozenset)):
        return sorted(x, key=attribute_order)
    return list(x) if isinstance(x, tuple) else x if isinstance(x, (int, float, str)) else str(x)
