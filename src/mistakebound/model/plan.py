"""What a training is to do: the plan that `mb.learn` and the command make, and the new learner that they ask for.

That is by name or as an object, with parameters, labels, costs and transforms.
"""

from __future__ import annotations

import os

from mistakebound import learners
from mistakebound.arena.stream_labels import one_vs_all
from mistakebound.core.errors import BadParameter, shown
from mistakebound.core.params import number_in
from mistakebound.core.weights import set_costs
from mistakebound.kernels import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from mistakebound.core.protocol import Learner


FOR_STREAMS = "auto"  # the fewest mistakes on real streams: docs/auto.md
FAST = "arow"  # of our single learners the one with the best record: docs/progressive.md
FOR_GAMES = "winnow2"
AUTO_LABELS = 100  # one-vs-all is over FAST where more are found: of few rows a label, `auto` is slower and no better
TRANSFORMS = ("cross", "negate", "attributes", "cross_limit", "reduce", "standardize")


def usual_learner(asked: Mapping[str, Any]) -> str:
    """The name of the learner where none is given; `asked` has the options by their names in `mb.learn`.

    `auto` has nothing to set and makes its own features, so where there is something to set, to assume or to transform
    it is a single learner, and on a cluster, where `auto` cannot be; the reductions are to a disjunction.  Uncompiled,
    `auto` would make some forty rows a second: there it is a single learner too, which the message about missing
    kernels says.
    """
    if asked_for(asked["reduce"]):
        return FOR_GAMES
    told = asked["fast"] or asked["parameters"] or asked["assume"] or _too_many(asked["labels"])
    told = told or any(asked_for(asked[name]) for name in TRANSFORMS) or asked.get("client") is not None
    return FAST if told or not compiled() else FOR_STREAMS


def _too_many(labels: Any) -> bool:
    return is_many(labels) and len(labels) > AUTO_LABELS


def for_many_labels(asked: Mapping[str, Any], make: Callable[[str], Any]) -> tuple[int, Callable[[], Any]] | None:
    """Above how many labels another learner takes the place of the usual one, and what makes it; None: never."""
    usual = not asked_for(asked["learner"]) and usual_learner(asked) == FOR_STREAMS
    return (AUTO_LABELS, lambda: make(FAST)) if usual else None


def check_fast(asked: Mapping[str, Any], spell: Callable[[str], str] = str) -> None:
    """BadParameter for `fast` beside a learner, or a model, that is given."""
    for name in ("learner", "start", "reduce"):
        if asked["fast"] and asked_for(asked[name]):
            raise BadParameter(f"{spell('fast')} is {FAST}: leave out {spell(name)}")


def new_learner(
    learner: str | Learner | None,
    parameters: Mapping[str, Any] | None,
    labels: Any,
    cost: Mapping[Any, float] | None,
    usual: str,
) -> Any:
    """A learner of this name (None: the usual one), or the object that is given.

    Where more than two labels are given it is the base of one-vs-all.
    """
    if learner is not None and not isinstance(learner, str):
        from mistakebound.core.protocol import Learner

        if not isinstance(learner, Learner):
            raise BadParameter(f"learner must be a name or a learner: {learner!r}")
        for name, value in (("parameters", parameters), ("labels", labels), ("cost", cost)):
            if value is not None:
                raise BadParameter(f"{name} cannot be changed, because the learner has its own: {value!r}")
        return learner
    name = learner or usual
    kind = learners.find(name)
    more = {} if labels is None else {"labels": labels}
    if labels is not None and kind.takes == "table":
        raise BadParameter(f"{name} does not support labels, it finds them in its table: {labels!r}")
    own = split_parameters(kind, parameters)[0]
    for parameter in kind.parameters:
        if parameter.required and parameter.name not in own:
            raise BadParameter(f"{parameter.name}, a parameter of {name}, must be {parameter.rule}: not given")
    if is_many(labels) and not kind.many_classes:
        return set_costs(one_vs_all(kind(**own), labels), cost)
    made = kind(**more, **own)
    return made if kind.takes == "table" else set_costs(made, cost)  # of a table the rows have them


def split_parameters(
    kind: type[Learner] | Learner, parameters: Mapping[str, Any] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters of a learner, and those that are of its `fit`, checked."""
    given = dict(parameters or {})
    for name in given:
        check_parameter(kind, name)
    return given, {p.name: p.check(given.pop(p.name)) for p in kind.fit_parameters if p.name in given}


def check_parameter(kind: type[Learner] | Learner, name: str) -> None:
    """BadParameter for the name of a parameter that neither the learner nor its `fit` has."""
    declared = [parameter.name for parameter in (*kind.parameters, *kind.fit_parameters)]
    if name not in declared:
        raise BadParameter(f"{kind.name} has no parameter {name}; its parameters: {', '.join(declared) or 'none'}")


def named_for_files(learner: Any) -> Any:
    """The name of the learner that learns from files what this one learns from arrays; any other stays as it is."""
    return (learners.find(learner).for_files or learner) if isinstance(learner, str) else learner


def is_many(labels: Any) -> bool:
    """Whether more than two labels are given."""
    return isinstance(labels, (list, tuple)) and len(labels) > 2


def asked_for(value: Any) -> bool:
    """Whether an option was given: 0 is a number, if a wrong one."""
    return value is not None and value is not False


def transformed(learner: Any, facts: dict[str, Any], asked: dict[str, Any], spell: Callable[[str], str] = str) -> Any:
    """The learner with the transforms that are asked for (each of TRANSFORMS has a value) before it."""
    found = [name for name in TRANSFORMS if asked[name] is not None and asked[name] is not False]
    if not found:
        return learner
    if found != ["standardize"]:
        learner = _expanded(learner, facts, asked, found, spell)
    if asked["standardize"]:  # the values of an instance come first
        from mistakebound.transforms.standardized import standardize

        return standardize(learner)
    return learner


def _expanded(
    learner: Any, facts: dict[str, Any], asked: dict[str, Any], found: list[str], spell: Callable[[str], str]
) -> Any:
    if not {"cross", "negate", "reduce"} & set(found):
        ways = f"{spell('cross')}, {spell('negate')} or {spell('reduce')}"
        raise BadParameter(f"{spell(found[0])} needs {ways}")
    from mistakebound.transforms.expanded import expand

    limit = {} if asked["cross_limit"] is None else {"limit": asked["cross_limit"]}
    return expand(
        learner,
        1 if asked["cross"] is None else asked["cross"],
        negate=asked["negate"],
        n=asked["attributes"],
        reduce=asked["reduce"],
        rules=facts.get("rules") if asked["reduce"] == "decision-list" else None,
        **limit,
    )


LARGEST = (1 << 63) - 1
_RECORDED = (
    "learner", "fast", "parameters", "labels", "cost", "threshold", "maximize", "assume",
    "passes", "shuffle", "seed", "holdout", "on_error", "start",
    "cache", *TRANSFORMS,
)  # fmt: skip


def say_nothing(line: str) -> None:
    pass


class Plan:
    """What is to be learned, from where, how, and who is told of it.

    Parameters
    ----------
    files : paths, "-" for standard input, or what lies in memory in their place
    new_learner : function that makes the learner, unless training goes on from `start`
    keep_learner : it is somebody's own object, whose place no learner of more labels may take
    lighter : above so many labels the learner that a function makes takes the place of the first (None: never)
    reading : the settings of the reader that are given; what a model remembers stands for the rest
    facts : what is assumed of the target
    threshold, maximize : another threshold than the learner's own, given or to be chosen
    record : the options that must be the same when training is resumed, as JSON
    passes, seed : how often the stream is learned, and of its order (None: as it is)
    holdout : every so many rows, or a path (None: no rows are held out)
    cache : a path, or True for one beside the first file
    stated : whether the format was given, not found
    keeps_model : whether anybody will ask the model: a run for its counts alone counts nothing else
    every : rows or seconds between two checkpoints
    predictions : a path, or "-", for what is said to each row before its label is used
    say, say_skipped, say_labels : take a line, one about a bad row, and one about labels that nobody declared
    watch : takes a reader with its ledger, to show progress (None: nobody looks)
    spell : how the name of an option is written in an error
    """

    def __init__(
        self,
        files: list[Any],
        new_learner: Callable[[], Any],
        reading: dict[str, Any],
        *,
        keep_learner: bool = False,
        lighter: tuple[int, Callable[[], Any]] | None = None,
        facts: dict[str, Any] | None = None,
        threshold: Any = None,
        maximize: str | None = None,
        record: dict[str, Any] | None = None,
        passes: int = 1,
        seed: int | None = None,
        holdout: int | str | None = None,
        cache: str | bool | None = None,
        on_error: str = "fail",
        threads: int | None = None,
        stated: bool = False,
        model: str | None = None,
        keeps_model: bool = True,
        start: str | None = None,
        every: tuple[int | None, float | None] | None = None,
        resume: bool = False,
        predictions: str | None = None,
        say: Callable[[str], None] = say_nothing,
        say_skipped: Callable[[str], None] = say_nothing,
        say_labels: Callable[[str], None] = say_nothing,
        watch: Callable[..., Any] | None = None,
        spell: Callable[[str], str] = str,
    ) -> None:
        self.files = files
        self.new_learner = new_learner
        self.keep_learner = keep_learner
        self.lighter = lighter
        self.reading = reading
        self.facts = facts or {}
        self.threshold = threshold
        self.maximize = maximize
        self.record = record or {}
        self.passes = passes
        self.seed = seed
        self.holdout = holdout
        self.cache = cache
        self.on_error = on_error
        self.threads = threads
        self.stated = stated
        self.model = model
        self.keeps_model = keeps_model
        self.start = start
        self.every = every
        self.resume = resume
        self.predictions = predictions
        self.say = say
        self.say_skipped = say_skipped
        self.say_labels = say_labels
        self.watch = watch
        self.spell = spell


def check_chosen(threshold: Any, maximize: str | None, holdout: Any, spell: Callable[[str], str] = str) -> None:
    """BadParameter for held-out rows beside another threshold: they are measured by the learner's own."""
    if holdout is not None and (threshold is not None or maximize is not None):
        option = spell("threshold" if maximize is None else "maximize")
        raise BadParameter(f"{option} cannot be combined with {spell('holdout')}; use eval on those rows instead")


def run_record(files: list[Any], options: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    """What must be the same when training is resumed, as JSON; one text for a command and for `mb.learn`.

    Parameters
    ----------
    options : by their names in `mb.learn`; parameters may be texts of the command line
    reading : the settings of the reader that were given
    """
    import json

    kept = {name: options[name] for name in _RECORDED}
    kept |= reading | {f"keep_{name}": name in reading for name in ("case", "punctuation")}
    kept |= {"files": [name for name in files if isinstance(name, str)], "cache": bool(options["cache"])}
    kept["parameters"] = _plain_parameters(options["learner"], options["parameters"] or {})
    kept["labels"] = None if options["labels"] is None else [str(label) for label in options["labels"]]
    kept["cost"] = {str(label): number_in(str(cost)) for label, cost in (options["cost"] or {}).items()}
    kept |= {"cluster": options.get("client") is not None, "shards": options.get("shards")}
    kept["ignore"] = sorted(set(reading.get("ignore", ())))
    given = {name: kept[name] for name in sorted(kept) if stands(kept[name]) and name not in ("case", "punctuation")}
    record: dict[str, Any] = json.loads(json.dumps(given, default=str))
    return record


def _plain_parameters(learner: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the learner's declarations understand them; what they do not stays as it is."""
    if not isinstance(learner, str | None):
        return given
    declared = {p.name: p for p in learners.find(learner or FAST).parameters} if given else {}
    plain = {}
    for name, value in given.items():
        try:
            parameter = declared[name]
            plain[name] = parameter.parse(value) if isinstance(value, str) else parameter.check(value)
        except (KeyError, BadParameter):
            plain[name] = value
    return plain


def stands(value: Any) -> bool:
    """Whether an option was given: without it there is no value, or an empty list."""
    return value is not None and value is not False and value != [] and value != {}


def interval(text: str, option: str = "checkpoint") -> tuple[int | None, float | None]:
    """Between two checkpoints: rows, or with an s behind the number seconds."""
    number = text.removesuffix("s")
    try:
        every = float(number) if text != number else int(number)
    except ValueError:
        every = 0
    if not 0 < every < float("inf"):
        raise BadParameter(f"{option} must be a number of rows or, with an s behind it, of seconds: {text!r}")
    return (None, float(every)) if text != number else (int(every), None)


def every_kth(what: Any, option: str = "holdout") -> int | str | None:
    """Rows that are set aside: every so many (K, or the text 1/K), or those of a file (its path); None: none are."""
    if isinstance(what, str) and what.startswith("1/") and what[2:].isdecimal():
        what = int(what[2:]) if len(what) < 20 else LARGEST + 1
    if isinstance(what, int):
        if not 2 <= what <= LARGEST:
            rule = ">= 2" if what < 2 else f"at most {LARGEST}"
            raise BadParameter(f"{option} 1/K: K must be {rule}: {what}")
        return what
    if what is not None and not os.path.exists(what):
        raise BadParameter(f"{option} must be 1/K or a file of rows: {shown(what)}")
    return None if what is None else os.fspath(what)
