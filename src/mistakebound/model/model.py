"""The model: what a file holds, what is asked of it, and the schema by which a raw row becomes named features."""

from __future__ import annotations

import os
from importlib import import_module

from mistakebound.core.errors import BadData, BadParameter, MistakeboundError, shown
from mistakebound.core.facts import check_fact
from mistakebound.core.fields import Fields
from mistakebound.core.ledger import Ledger
from mistakebound.core.notebook import NotebookView
from mistakebound.io.formats import TABLES, check
from mistakebound.learners import registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mistakebound.core.instance import Instance
    from mistakebound.core.risk import Risk
    from mistakebound.model.explaining import Explained
    from mistakebound.report.confusion import Confusion
    from mistakebound.report.measures import Measures


class RowSchema:
    """The settings of a reader, complete: "format", and for tables "columns", "kinds" and so on (`open_stream`).

    >>> RowSchema({"format": "text", "ngrams": 2}).format
    'text'
    """

    __slots__ = ("readers", "settings")

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.readers: list[Any] = []  # that wait for rows (`read_rows`)

    def __repr__(self) -> str:
        return f"RowSchema({self.settings})"

    def __eq__(self, other: object) -> bool:
        return self.settings == other.settings if isinstance(other, RowSchema) else NotImplemented

    __hash__ = None  # type: ignore[assignment] # settings are a dict

    def __reduce__(self) -> tuple[Any, ...]:
        return RowSchema, (self.settings,)  # a copy has no readers yet

    @property
    def format(self) -> str:
        format: str = self.settings["format"]
        return format

    def instance(self, row: Any) -> Instance:
        """A raw row as the reader gives it to the learner: a line, a mapping, cells in the order of the columns."""
        from mistakebound.io.one_row import read_row

        return read_row(row, self.settings)

    def named_instance(self, row: Any) -> tuple[Instance, dict[str, list[str]] | None, list[str]]:
        """The same, with the names in each bucket where names are hashed, and the names that are ignored."""
        from mistakebound.io.one_row import as_read, read_row

        if not self.settings.get("ignore") and not self.settings.get("hash"):
            return read_row(row, self.settings), None, []
        # Of a table the reader drops columns, of JSON members; of other formats what is ignored is told by its name.
        raw = ("hash",) if self.format in (*TABLES, "jsonl") else ("ignore", "hash")
        plain = {name: value for name, value in self.settings.items() if name not in raw}
        x, buckets, dropped = as_read(read_row(row, plain), self.settings)
        return x, buckets, dropped or self._ignored_names(row, plain)

    def _ignored_names(self, row: Any, plain: dict[str, Any]) -> list[str]:
        """The attributes of the members of an object that are ignored, as far as they would make any."""
        if self.format != "jsonl" or not plain.get("ignore"):
            return []
        from mistakebound.io.one_row import read_row

        kept = read_row(row, plain)
        try:
            whole = read_row(row, {name: value for name, value in plain.items() if name != "ignore"})
        except BadData:  # what is ignored may hold anything
            return []
        left = {*kept.names, *kept.zeros}
        return [name for name in (*whole.names, *whole.zeros) if name not in left]


def reader_settings(
    given: dict[str, Any], remembered: dict[str, Any] | None, spell: Callable[[str], str] = str
) -> dict[str, Any]:
    """The settings for `open_stream`: what is given, and for the rest what a model remembers of its reader.

    BadParameter when they do not agree; `spell` says how the name of an option is written there.
    """
    check(given)
    if remembered is None:
        return {"format": "auto"} | given
    for name, value in given.items():
        _agree(name, value, remembered, spell)
    stated = {} if "format" in given else {"remembered": True}  # else: compared with what the file looks like
    return remembered | stated


def _agree(name: str, value: Any, remembered: dict[str, Any], spell: Callable[[str], str]) -> None:
    """BadParameter unless the model remembers the same."""
    kinds = remembered.get("kinds")
    if name in ("nominal", "numeric") and isinstance(kinds, dict):
        for column in value:
            if kinds.get(column) != name:
                what = f"{kinds[column]}" if column in kinds else "unknown"
                raise BadParameter(f"{spell(name)} must match the model, in which {column!r} is {what}: {column!r}")
        return
    own = remembered.get(name)
    if name in ("case", "punctuation"):
        if own != value:
            raise BadParameter(f"{spell(f'keep_{name}')} cannot be given: the model was learned without it")
        return
    if name == "bins":
        raise BadParameter(f"{spell(name)} cannot be changed, because the model has its own: {value!r}")
    if own != value:
        has = "has none" if not own else f"has {shown(own)}" if name != "format" else f"was learned from {own}"
        raise BadParameter(f"{spell(name)} must match the model, which {has}: {value!r}")


class Model(NotebookView):
    """A learner with the schema of its rows, its ledger, and what is assumed of the target.

    Parameters
    ----------
    learner : any learner of `mistakebound.learners`
    schema : RowSchema, optional
        How a raw row becomes named features.  Without it the model takes instances as the learner does.
    ledger : Ledger, optional
        The trials that were counted.
    assumptions : dict, optional
        Facts about the target, for the bound.
    position : dict, optional
        Where the stream was when the model was written, for `resume`.

    Examples
    --------
    >>> import mistakebound as mb
    >>> learner = mb.Perceptron()
    >>> _ = learner.learn_one({"free"}, 1), learner.learn_one({"now"}, -1)
    >>> Model(learner)
    Model(Perceptron())
    """

    __slots__ = ("_threshold", "assumptions", "learner", "ledger", "position", "schema")

    def __init__(
        self,
        learner: Any,
        schema: RowSchema | None = None,
        ledger: Ledger | None = None,
        assumptions: dict[str, Any] | None = None,
        position: dict[str, Any] | None = None,
    ) -> None:
        self.learner = learner
        self.schema = schema
        self.ledger = ledger
        self.assumptions = assumptions or {}
        self.position = position
        self._threshold: float | None = None

    def __repr__(self) -> str:
        return f"Model({self.learner!r}{'' if self.schema is None else f' of {self.schema.format}'})"

    @property
    def labels(self) -> tuple[Any, ...]:
        """The labels that it tells apart; of two the second is the positive one."""
        learner = self.learner
        return tuple(learner.classes if learner.labels is None else learner.labels.values)

    @property
    def threshold(self) -> float | None:
        """The score above which the positive label is predicted; None: as the learner decides.

        It was given to `learn`, or chosen in the run, or set here, which is not written to a file.
        """
        if self._threshold is None and self.ledger is not None and self.ledger.threshold is not None:
            return self.ledger.threshold.value
        return self._threshold

    @threshold.setter
    def threshold(self, value: Any) -> None:
        from mistakebound.core.threshold import new_threshold

        made = new_threshold(self.learner, value, None)
        self._threshold = None if made is None else made.fixed

    @property
    def settings(self) -> dict[str, Any] | None:
        """How the stream was read, as `open_stream` takes it; None without a schema."""
        return None if self.schema is None else self.schema.settings

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write a model file; its size in bytes."""
        size: int = self.learner.save(path, **self._beside_learner())
        return size

    def to_bytes(self) -> bytes:
        """The model file that `save` would write, for a database or a network; `from_bytes` reads it."""
        data: bytes = self.learner.to_bytes(**self._beside_learner())
        return data

    def _beside_learner(self) -> dict[str, Any]:
        return {
            "ledger": self.ledger,
            "reader": self.settings,
            "position": self.position,
            "assumptions": self.assumptions,
        }

    def predict_one(self, row: Any) -> Any:
        """The label of one raw row: a line of the format that was learned, a mapping, cells in the order of columns.

        Columns that a mapping lacks are missing values; columns that were not learned are ignored.
        A model without a schema takes an instance, as its learner does.
        """
        if self.learner.takes == "points" and self.schema is None:
            return self.learner.predict_one(row)
        if of_table(self.learner):
            from mistakebound.model.table_rows import predict_row

            return predict_row(self, row)
        instance = row if self.schema is None else self.schema.instance(row)
        threshold = self.threshold
        if threshold is None:
            return self.learner.predict_one(instance)
        return self.learner.labels.name(int(self.learner.score_one(instance) > threshold))

    def learn_one(self, row: Any, label: Any, weight: float = 1.0) -> Any:
        """Play one raw row as a trial: predict, count in the ledger, learn.

        Parameters
        ----------
        row : as of `predict_one`
        label : the true label
        weight : float, default 1.0

        Returns
        -------
        label or None
            The prediction that was made before the update; BadData is raised for a row that cannot be learned.

        Examples
        --------
        >>> import mistakebound as mb
        >>> rows = [{"words": ["free"], "kind": "spam"}, {"words": ["lunch"], "kind": "ham"}]
        >>> model = mb.learn(rows, "kind", learner="perceptron")
        >>> model.learn_one({"words": ["free", "lunch"]}, "spam"), model.ledger.trials
        ('ham', 3)
        """
        from mistakebound.model.live import learn_rows

        (found,) = learn_rows(self, [row], [label], [weight])
        if found.error is not None:
            raise found.error
        return found.prediction

    def score_one(self, row: Any) -> float:
        """The score of one raw row, which decides its label; for a model of whole tables, the label's probability."""
        if of_table(self.learner):
            from mistakebound.model.table_rows import score_row

            return score_row(self, row)
        score: float = self.learner.score_one(row if self.schema is None else self.schema.instance(row))
        return score

    def predict_proba_one(self, row: Any) -> dict[Any, float]:
        """The probability of every label for one raw row, as `predict_one` takes it.

        Of a learner without probabilities, the scores are calibrated by those it gave before it heard each label.

        Examples
        --------
        >>> import mistakebound as mb
        >>> rows = [{"words": ["free"], "kind": "spam"}, {"words": ["lunch"], "kind": "ham"}] * 20
        >>> model = mb.learn(rows, "kind", fast=True)
        >>> {label: round(share, 2) for label, share in model.predict_proba_one({"words": ["free"]}).items()}
        {'ham': 0.07, 'spam': 0.93}
        """
        from mistakebound.model.probabilities import predict_proba_one

        return predict_proba_one(self, row)

    def predict_proba(self, source: Any) -> Any:
        """The probabilities of all rows of a source: an array with a column for each of `labels`.

        Parameters
        ----------
        source : as of `predict`
        """
        from mistakebound.model.probabilities import predict_proba

        return predict_proba(self, source)

    def predict(self, source: Any, *, client: Any = None) -> Any:
        """The labels of all rows of a source, in their order.

        Parameters
        ----------
        source : path or list of paths ("-" is standard input), a data frame, an array, or an iterable of raw rows
            A text is a path, alone or in a list; lines that are not in a file go to `predict_one`, or are bytes.  A
            model of texts takes a list of them, of which none names a file and one has a blank, or a column.
        client : distributed.Client, optional
            The Dask cluster that predicts the rows of files (docs/cluster.md).

        Returns
        -------
        list, or a column of the frame's library
            A Series with the frame's index for pandas, a Series for polars, an array for pyarrow; else a list.
        """
        if client is not None:
            return of_cluster("answers").predict(self, source, client)
        from mistakebound.model.prediction import predict

        return predict(self, source)

    def explain(self, row: Any, *, file: str | os.PathLike[str] | None = None) -> Explained:
        """Why a row gets its label: what each of its attributes adds, what each member says, which way a tree goes.

        Parameters
        ----------
        row : a raw row, as `predict_one` takes it; with `file` the number of a row there, from 1
        file : path, optional

        Returns
        -------
        An explanation with `prediction`, `lines(top)` and `as_json(top)`; `str` of it is a report.
        """
        from mistakebound.model.explaining import explain_numbered, explain_raw
        from mistakebound.model.sources import settings_of

        if file is None:
            return explain_raw(self, row)
        return explain_numbered(self, str(file), row, settings_of(self, [file]))

    def export(
        self,
        to: str,
        path: str | os.PathLike[str] | None = None,
        *,
        table: str = "data",
        rows: Any = None,
    ) -> str | bytes:
        """The model as code that runs without this package: raw columns in, label and probabilities out.

        Parameters
        ----------
        to : {"python", "sql", "onnx"}
            A Python module without dependencies, a query for SQLite, or an ONNX graph (extra `onnx`).
        path : path, optional
            Where it is written.
        table : str, default "data"
            The table that the SQL query reads.
        rows : as of `predict`, optional
            Of `auto`, which is exported as an approximation: rows on which to measure how often it agrees.

        Returns
        -------
        str or bytes
            What is written: bytes for ONNX.  BadParameter is raised for a model that cannot be exported.

        Examples
        --------
        >>> import mistakebound as mb
        >>> rows = [{"words": ["free"], "kind": "spam"}, {"words": ["lunch"], "kind": "ham"}] * 20
        >>> module = {}
        >>> exec(mb.learn(rows, "kind", fast=True).export("python"), module)
        >>> module["predict"]({"words": ["free", "now"]})
        'spam'
        """
        from mistakebound.model.export import export

        return export(self, to, path, table=table, rows=rows)

    def risk(self, level: float = 0.95) -> Risk | None:
        """Bounds for the error on new rows, if the learned rows are independent and from one distribution.

        Parameters
        ----------
        level : float, default 0.95
            The probability with which they hold, 0 < level < 1.

        Returns
        -------
        Risk or None
            `average` of the last hypotheses of the run and, where hypotheses change in errors alone, `chosen` of one of
            them and `model` of the last.  None after several passes, of a learner of whole tables, and of a model that
            was loaded: a file does not hold which trials had errors.

        Examples
        --------
        >>> import mistakebound as mb
        >>> rows = [{"free": k % 2, "spam": k % 2} for k in range(1000)]
        >>> found = mb.learn(rows, "spam", learner="perceptron").risk()
        >>> round(found.average, 3), found.after, round(found.model, 3)
        (0.011, 3, 0.006)
        """
        if self.ledger is None:
            return None
        from mistakebound.core.risk import risk_of

        return risk_of(self.ledger, self.learner.conservative and self.threshold is None, level)

    def evaluate(self, source: Any, *, client: Any = None) -> Measures | Confusion:
        """How good the model is on labelled rows: `trials`, `mistakes`, `error_rate` and more.  It learns nothing.

        Parameters
        ----------
        source : as of `predict`, with labels, or a pair (X, y)
        client : as of `predict`

        Returns
        -------
        Measures for two labels; Confusion for more labels and for models of whole tables.  Both have `as_json()`.
        """
        if client is not None:
            found: Measures | Confusion = of_cluster("answers").evaluate(self, source, client)
            return found
        from mistakebound.model.prediction import evaluate

        return evaluate(self, source)


def of_cluster(module: str) -> Any:
    """A module of the layer above, which is there only where somebody asks for a cluster."""
    return import_module(f"mistakebound.cluster.{module}")


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file.

    Parameters
    ----------
    path : path
        What `Model.save`, `learner.save` or `mistakebound learn --model` wrote.

    Returns
    -------
    Model
        BadModel is raised for a file that is not a model, or is damaged.

    Examples
    --------
    >>> import os, tempfile
    >>> import mistakebound as mb
    >>> path = os.path.join(tempfile.mkdtemp(), "spam.mb")
    >>> learner = mb.Perceptron()
    >>> _ = learner.learn_one({"free"}, 1)
    >>> _ = learner.save(path)
    >>> mb.load(path).predict_one({"free", "lunch"})
    1
    """
    from mistakebound.core import model_file

    if not isinstance(path, (str, os.PathLike)):
        raise BadParameter(f"path must be the path of a model file: {shown(path)}")
    return _made(os.fspath(path), *model_file.read(path))


def from_bytes(data: bytes, name: str = "the model") -> Model:
    """A model from the bytes of its file; BadModel, which calls it `name`, for bytes that are none.

    >>> import mistakebound as mb
    >>> learner = mb.Perceptron()
    >>> _ = learner.learn_one({"free"}, 1)
    >>> from_bytes(Model(learner).to_bytes()).predict_one({"free", "lunch"})
    1
    """
    from mistakebound.core import model_file

    return _made(name, *model_file.from_bytes(name, data))


def _made(name: str, header: dict[str, Any], arrays: dict[str, Any]) -> Model:
    from mistakebound.core import model_file

    try:
        return _restored({"ledger": None, "reader": None, "assumptions": {}, "position": None} | header, arrays)
    except (*model_file.SENSELESS, MistakeboundError) as error:
        raise model_file.senseless(name, error) from error


def describe(path: str) -> dict[str, Any]:
    """The header of a model file, its size, its version and its arrays; BadModel for what is no model of ours."""
    load(path)
    from mistakebound.core import model_file

    header, arrays = model_file.read(path)
    with open(path, "rb") as file:
        version = int.from_bytes(file.read(12)[8:], "little")
    return {
        "model": path,
        "bytes": os.path.getsize(path),
        "format": version,
        **header,
        "arrays": [
            {"name": name, "type": values.typecode, "count": len(values), "bytes": len(values) * values.itemsize}
            for name, values in arrays.items()
        ],
    }


def of_table(learner: Any) -> bool:
    """Whether it takes whole tables: by what it is, or because it learned the columns of one."""
    return learner.takes in ("table", "instances") or (learner.takes == "points" and learner.columns is not None)


def refuse_without_rows(learner: Any, path: str) -> None:
    """One sentence for a model of a learner that takes neither rows of a stream nor a table."""
    if learner.takes != "rows":
        raise BadParameter(f"{path}: a model of {learner.name} takes no files; use it from Python")


def refuse_without_labels(learner: Any, path: str) -> None:
    """One sentence for a model that can give no answer yet."""
    if not learner.labels.values:
        raise BadParameter(f"{path}: the model has not learned any label yet")


def _restored(header: dict[str, Any], arrays: dict[str, Any]) -> Model:
    fields = Fields(header, "the header")
    spread = {name: arrays.pop(name) for name in [*arrays] if name.startswith("spread.")}
    learner = registry.restore(header, arrays)
    counts = fields.record("ledger", none=True)
    ledger = None if counts is None else Ledger.restore(counts, learner.labels)
    if ledger is not None and spread:
        from mistakebound.core.spread import Spread

        ledger.spread = Spread.restore(spread, len(learner.attributes))
    settings = fields.record("reader", none=True)
    if settings is not None and fields.fields("reader").text("format") == "jsonl":
        settings.setdefault("members", {})  # of an older file: what it learned was not taken apart
    position = fields.record("position", none=True)
    assumed = {str(name): check_fact(name, value) for name, value in fields.record("assumptions").items()}
    learner.all_facts(assumed)
    return Model(learner, None if settings is None else RowSchema(settings), ledger, assumed, position)
