"""`mb.learn`: files, data frames, arrays and mappings to a model; what the command `learn` does, as a call."""

from __future__ import annotations

import os

from mistakebound.core.errors import BadParameter, FileChanged
from mistakebound.core.facts import check_fact
from mistakebound.model.model import Model, of_cluster
from mistakebound.model.plan import (
    TRANSFORMS,
    Plan,
    asked_for,
    check_chosen,
    check_fast,
    every_kth,
    for_many_labels,
    interval,
    named_for_files,
    new_learner,
    run_record,
    split_parameters,
    transformed,
    usual_learner,
)
from mistakebound.model.sources import (
    files_of,
    frame_with_labels,
    frame_with_weights,
    is_frame,
    is_matrix,
    mappings_in_memory,
    texts_in_memory,
    texts_of,
)
from mistakebound.model.training import Training

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from mistakebound.core.ledger import Ledger
    from mistakebound.core.protocol import Learner

_READING = (
    "weights", "hash", "ngrams", "case", "punctuation", "nominal", "numeric", "bins", "ignore", "keep",
    "no_header", "delimiter", "missing", "columns",
)  # fmt: skip
_OF_STREAMS = ("shuffle", "seed", "cache", "start", "checkpoint", "resume", "on_error", "predictions")
_OF_TABLES = ("validation",)
_MOST_SHARDS = 1 << 16


def learn(
    source: Any,
    label: str | None = None,
    *,
    learner: str | Learner | None = None,
    fast: bool = False,
    parameters: Mapping[str, Any] | None = None,
    labels: Sequence[Any] | None = None,
    cost: Mapping[Any, float] | None = None,
    threshold: float | None = None,
    maximize: str | None = None,
    assume: Mapping[str, Any] | None = None,
    passes: int = 1,
    shuffle: bool = False,
    seed: int | None = None,
    holdout: int | str | None = None,
    validation: int | str | None = None,
    cross: int | None = None,
    negate: bool = False,
    attributes: int | None = None,
    cross_limit: int | None = None,
    reduce: str | None = None,
    standardize: bool = False,
    format: str = "auto",
    weights: Any = None,
    no_header: bool | None = None,
    columns: Sequence[str] = (),
    delimiter: str | None = None,
    missing: Sequence[str] = (),
    keep: Sequence[str] = (),
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    bins: int | dict[str, int] | None = None,
    ignore: Sequence[str] = (),
    ngrams: int | None = None,
    keep_case: bool = False,
    keep_punctuation: bool = False,
    hash: int | None = None,
    cache: str | bool | None = None,
    threads: int | None = None,
    on_error: str = "fail",
    model: str | os.PathLike[str] | None = None,
    start: str | os.PathLike[str] | None = None,
    checkpoint: int | str | None = None,
    resume: bool = False,
    predictions: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[Ledger], object] | None = None,
    client: Any = None,
    shards: int | None = None,
) -> Model:
    """Learn a source row by row, as `mistakebound learn` does, and give back the model.

    Parameters
    ----------
    source : path or list of paths, data frame (pandas, polars, pyarrow), (X, y), or an iterable of mappings
        Of (X, y), X is an array, a SciPy matrix, a data frame or a list of texts.  Mappings are read as JSON lines
        are.
    label : str, optional
        The column, or the key, that is the label.
    learner : str or learner, optional
        A name of `mistakebound learners`, or a learner, which learns on (default: auto; arow where there are
        parameters, assumptions or transforms, because auto has none, and one-vs-all over arow above 100 labels).
    fast : bool, default False
        The learner arow, which takes a tenth of the time of auto.
    parameters, labels, cost, assume : optional
        Of a learner that is named: its parameters, its labels, the costs of mistakes; facts about the target.
        Without `labels` those of the first 1,000 rows count: of two the later in order is the positive one, more
        than two are learned by one-vs-all over the learner.
    threshold : float, optional
        The score above which the positive label is predicted, of two labels (default: as the learner says it).
    maximize : {"f1", "cost", "accuracy"}, optional
        Choose that threshold from the scores before each label was heard: the largest F1 of the positive label, the
        smallest cost of mistakes by weight, or the fewest mistakes.
    holdout : int K, "1/K" or path, optional
        Every K-th row, or the rows of a file, are predicted and not learned.
    validation : int K, "1/K" or path, optional
        Rows by which a tree is pruned, or the training of a network stops.
    weights : str, optional
        The column of example weights; of (X, y) an array of them.
    model, start, checkpoint, resume : optional
        Where the model is written, the model to go on from, rows ("30s": seconds) between two checkpoints, and
        whether to go on from the last one.
    predictions : path, optional
        Where each prediction is written before its label is used, a line a row; "-" is standard output.
    progress : callable or True, optional
        Called with the ledger after every block of rows; True writes a line to standard error.
    client : distributed.Client, optional
        The Dask cluster that learns (extra `cluster`, docs/cluster.md); source is files that every worker can read.
    shards : int, optional
        Into how many shards a cluster cuts the rows of an online learner (default: one per 16 MB, 8 at most).  What
        is learned depends on it, and not on the number of workers.

    Every other parameter is the option of the same name (`mistakebound learn --help-all`).

    Returns
    -------
    Model

    Examples
    --------
    >>> rows = [{"words": ["free", "now"], "spam": 1}, {"words": ["lunch", "now"], "spam": 0}] * 5
    >>> model = learn(rows, "spam", learner="perceptron")
    >>> model.ledger.mistakes, model.predict_one({"words": ["free", "lunch", "free"]})
    (2, 0)
    """
    given = {name: value for name, value in locals().items() if name not in ("source", "label", "progress")}
    return _learn(source, label, given, progress)


def _learn(source: Any, label: str | None, given: dict[str, Any], progress: Any) -> Model:
    _check_kinds(given, progress)
    facts = {name: check_fact(name, value) for name, value in (given["assume"] or {}).items()}
    asked = {name: given[name] for name in TRANSFORMS}

    check_fast(given)

    def make(usual: str = usual_learner(given)) -> Any:
        what = {name: given[name] for name in ("learner", "parameters", "labels", "cost")}
        return transformed(new_learner(**what, usual=usual), facts, asked)

    files = files_of(source)
    engine, own = _engine(files, given), {}
    if isinstance(source, tuple) and len(source) == 2 and files is None:
        X, y = source
        texts = texts_of(X)
        if texts is not None:
            files = [texts_in_memory(texts, y)]
            own = {"format": "text"}
            _refuse(given, ("weights",), "X is a list of texts")
        elif not is_frame(X):
            return _learn_arrays(make, X, y, given, facts)
        else:
            source, label = frame_with_labels(X, y, label or "label")
        if files is None and given["weights"] is not None and not isinstance(given["weights"], str):
            source, given["weights"] = frame_with_weights(source, given["weights"])
    given["learner"] = named_for_files(given["learner"])
    if given["learner"] is not None and given["start"] is None:
        plain = make()
        if plain.takes != "rows":
            from mistakebound.model.table_training import learn_table

            if engine is not None:
                learn_table = of_cluster("tables").table_learning(engine)

            of_streams = ("assume", "passes", "hash", "threshold", "maximize", "shards", *_OF_STREAMS)
            _refuse(given, of_streams, f"{plain.name} learns a whole table")
            aside: dict[str, Any] = {name: every_kth(given[name], name) for name in ("holdout", "validation")}
            options = split_parameters(plain, given["parameters"])[1]
            aside["cost"] = given["cost"]
            made = learn_table(plain, source, files, label, _reading(given, label) | own, options=options, **aside)
            return _saved(made, given["model"])
    else:
        plain = None
    _refuse(given, _OF_TABLES, "it is for learners of whole tables")
    if files is None:
        files, own = _in_memory(source, given)
    reading = _reading(given, label) | own
    first = make if plain is None else lambda: plain
    plan = _plan(files, first, reading, given, facts, progress)
    plan.lighter = for_many_labels(given, make)
    if engine is None:
        return _trained(Training(plan))
    return _trained(of_cluster("training").MixedTraining(plan, engine, given["shards"]))


def _engine(files: list[Any] | None, given: dict[str, Any]) -> Any:
    """The cluster that learns; None: this process does."""
    if given["client"] is None:
        if given["shards"] is not None:
            raise BadParameter(f"shards needs client: {given['shards']!r}")
        return None
    if files is None:
        raise BadParameter("client needs files that every worker can read, and the source is not a file")
    shards = given["shards"]
    whole = hasattr(shards, "__index__") and not isinstance(shards, bool)
    if shards is not None and not (whole and 1 <= shards <= _MOST_SHARDS):
        raise BadParameter(f"shards must be a whole number from 1 to {_MOST_SHARDS:,}: {shards!r}")
    files[:] = of_cluster("engine").places(files)
    return of_cluster("engine").Engine(given["client"])


def _check_kinds(given: dict[str, Any], progress: Any) -> None:
    """BadParameter for a value of a kind that its parameter never takes."""
    passes = given["passes"]
    if not hasattr(passes, "__index__") or passes < 1:
        raise BadParameter(f"passes must be a whole number >= 1: {passes!r}")
    if given["seed"] is not None and not hasattr(given["seed"], "__index__"):
        raise BadParameter(f"seed must be a whole number: {given['seed']!r}")
    for name in ("parameters", "assume", "cost"):
        if given[name] is not None and not hasattr(given[name], "keys"):
            raise BadParameter(f"{name} must be a mapping: {given[name]!r}")
    if progress not in (None, True, False) and not callable(progress):
        raise BadParameter(f"progress must be True or a function of the ledger: {progress!r}")


def _trained(training: Training) -> Model:
    """Learn; what was learned before an interruption is kept in the file of the model."""
    try:
        training.learn()
    except (KeyboardInterrupt, FileChanged):
        if training.ledger.trials > training.first_trial:
            training.judge()
            training.save()
        raise
    training.check_rows()
    training.judge()
    training.save()
    if training.skipped:
        from warnings import warn

        warn(f"{training.skipped} bad rows were skipped", stacklevel=4)
    return training.model()


def _plan(
    files: list[Any], make: Callable[[], Any], reading: dict[str, Any], given: dict[str, Any],
    facts: dict[str, Any], progress: Any,
) -> Plan:  # fmt: skip
    in_memory = given["client"] is None and not all(isinstance(file, (str, os.PathLike)) for file in files)
    paths = [os.fspath(file) if isinstance(file, os.PathLike) else file for file in files]
    if given["start"] is not None:
        for name in ("learner", "parameters", "labels", "cost", "threshold", "maximize", *TRANSFORMS):
            if asked_for(given[name]):
                raise BadParameter(
                    f"{name} cannot be changed with start, because the model has its own: {given[name]!r}"
                )
    for name in ("checkpoint", "resume"):
        if given[name] and given["model"] is None:
            raise BadParameter(f"{name} needs model, a file name")
    if in_memory:
        _refuse(given, ("resume", "cache", "format"), "the source is not a file")
    check_chosen(given["threshold"], given["maximize"], given["holdout"])
    if given["seed"] is not None and not given["shuffle"]:
        raise BadParameter(f"seed needs shuffle: {given['seed']!r}")
    seed = 1 if given["seed"] is None else given["seed"]
    start = None if given["start"] is None else os.fspath(given["start"])
    settled = given | {"assume": facts, "seed": seed, "holdout": every_kth(given["holdout"]), "start": start}
    return Plan(
        paths,
        make,
        reading,
        keep_learner=_is_own(given),
        facts=facts,
        threshold=given["threshold"],
        maximize=given["maximize"],
        record={} if given["model"] is None else run_record(paths, settled, reading),
        passes=given["passes"],
        seed=seed if given["shuffle"] else None,
        holdout=settled["holdout"],
        cache=given["cache"] or None,
        on_error=given["on_error"],
        threads=1 if in_memory else given["threads"],
        stated=given["format"] != "auto" or in_memory,
        model=None if given["model"] is None else os.fspath(given["model"]),
        start=start,
        every=None if given["checkpoint"] is None else interval(str(given["checkpoint"])),
        resume=given["resume"],
        predictions=None if given["predictions"] is None else os.fspath(given["predictions"]),
        watch=None if not progress else lambda reader, ledger, **more: Shown(ledger, progress),
    )


def _reading(given: dict[str, Any], label: str | None) -> dict[str, Any]:
    """The settings of the reader that are given, in the order in which the command gives them."""
    found = {} if given["format"] == "auto" else {"format": given["format"]}
    found |= {} if label is None else {"label": label}
    for name in _READING:
        if name in ("case", "punctuation"):
            found |= {name: "keep"} if given[f"keep_{name}"] else {}
        elif asked_for(given[name]) and given[name] != ():
            found["names" if name == "columns" else name] = _listed(given[name])
    return found


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _in_memory(source: Any, given: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """What is no file in place of one, with its format."""
    if is_frame(source):
        from mistakebound.model.sources import frame_in_memory

        return [frame_in_memory(source)], {"format": "arrow"}
    if is_matrix(source):
        raise BadParameter(f"source must be paths, a frame, a pair (X, y) or mappings: {type(source).__name__}")
    if not hasattr(source, "__len__") and given["passes"] > 1 and not given["shuffle"]:
        raise BadParameter(f"passes over an iterator need shuffle, or a list instead: {given['passes']}")
    file, own = mappings_in_memory(source)
    return [file], own


def _refuse(given: dict[str, Any], names: Sequence[str], why: str) -> None:
    usual = {"passes": 1, "on_error": "fail", "format": "auto"}
    for name in names:
        if asked_for(given[name]) and given[name] != usual.get(name):
            raise BadParameter(f"{name} is not supported here, {why}: {given[name]!r}")


def _learn_arrays(
    make: Callable[..., Any], X: Any, y: Any, given: dict[str, Any], facts: dict[str, Any]
) -> Model:  # fmt: skip
    """(X, y) as they lie in memory: the columns of an array are the attributes 1, 2, ..."""
    from mistakebound.model.sources import learn_arrays

    reading = [name for name in _READING if name not in ("weights", "case", "punctuation")]
    _refuse(
        given,
        [*_OF_STREAMS, *_OF_TABLES, "holdout", *(name for name in reading if given[name] != ())],
        "X and y are arrays",
    )
    learner = make()
    if learner.takes != "rows":
        return _saved(Model(_fitted(learner, X, y, given)), given["model"])
    chosen = {name: given[name] for name in ("threshold", "maximize")}
    chosen["lighter"] = for_many_labels(given, make)
    model = learn_arrays(learner, X, y, given["weights"], given["passes"], facts, keep=_is_own(given), **chosen)
    return _saved(model, given["model"])


def _fitted(learner: Any, X: Any, y: Any, given: dict[str, Any]) -> Any:
    """A learner of whole tables, fitted to arrays; each row counts its weight times the cost of its label."""
    more = split_parameters(learner, given["parameters"])[1]
    _refuse(given, ("threshold", "maximize"), f"{learner.name} learns a whole table")
    if given["weights"] is not None or given["cost"]:
        from mistakebound.model.table_training import row_weights

        more["weights"] = row_weights(learner, y, given["weights"], given["cost"])
    return learner.fit(X, y, **more)


def _is_own(given: dict[str, Any]) -> bool:
    """Whether the learner is an object that somebody has."""
    return given["learner"] is not None and not isinstance(given["learner"], str)


def _saved(model: Model, path: str | os.PathLike[str] | None) -> Model:
    if path is not None:
        model.save(path)
    return model


class Shown:
    """Tells somebody of the ledger, after every block of rows."""

    def __init__(self, ledger: Ledger | None, tell: bool | Callable[[Ledger], object]) -> None:
        self._ledger = ledger
        self._tell: Callable[[Ledger], object] = _write if tell is True else tell  # type: ignore[assignment]

    def update(self) -> None:
        if self._ledger is not None:
            self._tell(self._ledger)

    def close(self) -> None:
        if self._tell is _write and self._ledger is not None:
            _write(self._ledger, end="\n")


def _write(ledger: Ledger, end: str = "") -> None:
    import sys

    if sys.stderr is not None:
        print(f"\r{ledger.trials:,} trials, {ledger.mistakes:,} mistakes", end=end, file=sys.stderr, flush=True)
