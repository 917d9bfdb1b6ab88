"""What can be asked of the service, declared as data: routes, checks, scopes and the OpenAPI document follow."""

from __future__ import annotations

from mistakebound.model.new_model import FORMATS
from mistakebound.service.shapes import COUNT, FLAG, LABEL, ROW, TEXT, VALUE, WEIGHT, listed, record
from mistakebound.service.store import NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mistakebound.service.shapes import Shape

JSON, BINARY, PLAIN = "application/json", "application/octet-stream", "text/plain"
MODEL_FILE: Shape = {"type": "string", "format": "binary"}


class Operation:
    """A method of a path: who may ask, what the body is, what is answered, and with which statuses."""

    __slots__ = ("answer", "answers", "body", "key", "method", "name", "path", "problems", "scope", "status", "summary",
                 "uploads")  # fmt: skip

    def __init__(
        self,
        method: str,
        path: str,
        name: str,
        scope: str | None,
        summary: str,
        *,
        body: Shape | None = None,
        answer: Shape | None = None,
        answers: str = JSON,
        status: tuple[int, ...] = (200,),
        problems: tuple[int, ...] = (),
        key: bool = False,
        uploads: bool = False,
    ) -> None:
        self.method = method
        self.path = path
        self.name = name
        self.scope = scope  # None: anybody
        self.summary = summary
        self.body = body
        self.answer = answer
        self.answers = answers  # media type
        self.status = status
        of_model = (404, 422) if "{name}" in path else ()
        of_body = (400, 413, 415, 422) if body is not None else ()
        of_writes = (507,) if scope in ("learn", "admin") else ()
        common = (400, 401, 403, 421, 429, 503) if scope is not None else (400, 421)
        self.problems = tuple(sorted({*problems, *of_model, *of_body, *of_writes, *common}))
        self.key = key  # takes an Idempotency-Key
        self.uploads = uploads  # the body may be a model file


INTERVAL: Shape = {
    "type": ["object", "null"],
    "description": "interval for the average error, valid for all numbers of trials at once",
    "properties": {"trials": {"type": "integer"}, "errors": {"type": "integer"}, "low": {"type": "number"},
                   "high": {"type": "number"}, "level": {"type": "number"}},
}  # fmt: skip
VERDICT = record({"trials": {"type": "integer"}, "kind": TEXT, "text": TEXT}, "trials", "kind", "text")
COUNTS = record({"trials": {"type": "integer"}, "mistakes": {"type": "integer"}}, "trials", "mistakes")
SAID: Shape = {"type": ["string", "number", "boolean", "null"], "description": 'null: "don\'t know"'}
SHARE = record({"label": VALUE, "probability": {"type": "number", "minimum": 0, "maximum": 1}}, "label", "probability")
PREDICTION = record(
    {
        "id": {"type": ["string", "null"], "description": "for `label`; null where it is not kept"},
        "prediction": SAID,
        "sequence": {"type": "integer", "description": "the last write that the model had learned"},
        "probabilities": listed(SHARE),
        "explanation": {"type": "object"},
        "predictions": listed({"type": "object"}),
    }
)
LEARNED = record(
    {"sequence": {"type": "integer"}, "prediction": SAID, "ledger": COUNTS, "certificate": INTERVAL,
     "verdict": VERDICT, "late": TEXT},
    "sequence", "prediction", "ledger", "certificate", "verdict",
)  # fmt: skip
DESCRIPTION: Shape = {
    "type": "object",
    "properties": {"name": TEXT, "learner": TEXT, "format": {"type": ["string", "null"]}, "labels": listed(VALUE),
                   "sequence": {"type": "integer"}, "snapshot": {"type": "integer"}, "learns": FLAG,
                   "ledger": {"type": ["object", "null"]}, "certificate": INTERVAL},
    "required": ["name", "learner", "labels", "sequence"],
}  # fmt: skip
SPECIFICATION = record(
    {
        "labels": listed(VALUE, 2, 1000) | {"description": "of two the second is the positive one"},
        "format": {"enum": list(FORMATS), "default": "jsonl", "description": "what a row is"},
        "label": TEXT | {"minLength": 1, "default": "label", "description": "member of a row that is no feature"},
        "learner": TEXT | {"default": "arow", "description": "a name of `mistakebound learners`"},
        "parameters": {"type": "object", "description": "of the learner"},
        "cost": {"type": "object", "description": "label to the cost of a mistake on it"},
        "assume": {"type": "object", "description": "facts about the target, for the mistake bound"},
        "threshold": {"type": "number"},
        "maximize": {"enum": ["accuracy", "f1", "cost"]},
        "cross": COUNT, "negate": FLAG, "attributes": COUNT, "cross_limit": COUNT, "standardize": FLAG,
        "reduce": TEXT, "ngrams": COUNT, "hash": {"type": "integer", "minimum": 1, "maximum": 30},
        "ignore": listed(TEXT), "nominal": listed(TEXT), "numeric": listed(TEXT),
    },
    "labels",
)  # fmt: skip
ASK = record(
    {
        "row": ROW,
        "rows": listed(ROW, 1),
        "probabilities": FLAG | {"default": False},
        "explain": FLAG | {"default": False},
        "keep": FLAG | {"default": True, "description": "keep the prediction for a late label"},
    },
    description="`row` or `rows`, one of them",
    oneOf=[{"required": ["row"]}, {"required": ["rows"]}],
)
EXAMPLE = record({"row": ROW, "label": LABEL, "weight": WEIGHT}, "row", "label")
LATE = record({"id": TEXT | {"maxLength": 100}, "label": LABEL, "weight": WEIGHT}, "id", "label")

OPERATIONS = (
    Operation("POST", "/models/{name}/predict", "predict", "read", "predict one raw row, or several",
              body=ASK, answer=PREDICTION),
    Operation("POST", "/models/{name}/learn", "learn", "learn", "learn a row with its label; the answer is on disk",
              body=EXAMPLE, answer=LEARNED, problems=(409,), key=True),
    Operation("POST", "/models/{name}/label", "label", "learn", "give a prediction its label, later",
              body=LATE, answer=LEARNED, problems=(409,)),
    Operation("GET", "/models", "models", "read", "list the models",
              answer=record({"models": listed(DESCRIPTION)}, "models")),
    Operation("GET", "/models/{name}", "inspect", "read", "schema, learner, ledger and certificate of a model",
              answer=DESCRIPTION),
    Operation("PUT", "/models/{name}", "create", "admin", "create a model: a specification, or a model file",
              body=SPECIFICATION, answer=DESCRIPTION, status=(200, 201), problems=(409,), uploads=True),
    Operation("DELETE", "/models/{name}", "delete", "admin", "delete a model and its journal", status=(204,)),
    Operation("GET", "/models/{name}/snapshot", "snapshot", "read", "download the model as it is now, a model file",
              answer=MODEL_FILE, answers=BINARY),
    Operation("GET", "/backup", "backup", "admin", "download a backup of everything, a tar archive",
              answer=MODEL_FILE, answers="application/x-tar"),
    Operation("GET", "/metrics", "metrics", "read", "counts and times, in the text format of Prometheus",
              answer=TEXT, answers=PLAIN),
    Operation("GET", "/healthz", "health", None, "whether the process works",
              answer=record({"status": TEXT}, "status"), problems=(503,)),
    Operation("GET", "/readyz", "readiness", None, "whether all models are in memory",
              answer=record({"status": TEXT}, "status"), problems=(503,)),
    Operation("GET", "/openapi.json", "openapi", None, "this document", answer={"type": "object"}),
)  # fmt: skip
MODEL_NAME: Shape = {"type": "string", "pattern": f"^{NAME}$"}
