"""What each operation does: a request in, an answer out."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import shutil
import tarfile
from pathlib import Path

import orjson

from mistakebound.core.errors import MistakeboundError
from mistakebound.model.live import ledger_of, predict_rows
from mistakebound.model.model import of_table
from mistakebound.model.new_model import new_model
from mistakebound.service.hosted import HostedModel, without_place
from mistakebound.service.journal import CREATE, DELETE, LABEL, LEARN, StorageFull, Write
from mistakebound.service.metrics import MEDIA_TYPE, Metrics
from mistakebound.service.openapi import document
from mistakebound.service.operations import BINARY, JSON, MODEL_NAME
from mistakebound.service.problems import Problem, problem_of
from mistakebound.service.shapes import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mistakebound.model.live import Outcome
    from mistakebound.service.service import Service

_TOP = 20  # terms of an explanation
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Request:
    """What a handler gets: the name of the model, the headers, the body as bytes and, where it is JSON, as read."""

    __slots__ = ("body", "data", "headers", "name")

    def __init__(self, name: str, headers: dict[bytes, bytes], body: bytes, data: Any) -> None:
        self.name = name
        self.headers = headers
        self.body = body
        self.data = data


class Answer:
    """Bytes, or a file that is sent and removed."""

    __slots__ = ("body", "file", "media_type", "status")

    def __init__(self, body: bytes, media_type: str = JSON, status: int = 200, file: Path | None = None) -> None:
        self.body = body
        self.media_type = media_type
        self.status = status
        self.file = file


class Handlers:
    """One method for each operation, of its name."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.metrics_of = Metrics()
        self._asked: dict[HostedModel, list[tuple[Any, asyncio.Future[tuple[int, Outcome]]]]] = {}

    async def predict(self, request: Request) -> Answer:
        hosted, data = self.service.model(request.name), request.data
        if ("row" in data) == ("rows" in data):
            raise Problem(422, "the body must have a member 'row' or a member 'rows', and not both")
        rows = data["rows"] if "rows" in data else [data["row"]]
        if len(rows) > self.service.settings.max_rows:
            raise Problem(413, f"a request may have at most {self.service.settings.max_rows} rows: {len(rows)}")
        for row in rows:
            self._check_row(row)
        if not hosted.model.labels:
            raise Problem(409, "the model has not learned any label yet")
        raw = [hosted.raw(row) for row in rows]
        if len(raw) == 1 and not data.get("probabilities") and not data.get("explain"):
            sequence, outcome = await self._together(hosted, raw[0])
            found = [outcome]
        else:  # without a pause, so that all of the answer is about one state
            sequence, found = hosted.sequence, predict_rows(hosted.model, raw)
        answers = [self._predicted(hosted, sequence, data, *each) for each in zip(rows, raw, found, strict=True)]
        return Answer(orjson.dumps(answers[0] if "row" in data else {"predictions": answers}, default=str))

    def _together(self, hosted: HostedModel, raw: Any) -> asyncio.Future[tuple[int, Outcome]]:
        """Rows of requests that came in at once are predicted at once: the last write that was learned, the result."""
        loop = asyncio.get_running_loop()
        if not self._asked:
            loop.call_soon(self._predict_asked)
        future = loop.create_future()
        self._asked.setdefault(hosted, []).append((raw, future))
        return future

    def _predict_asked(self) -> None:
        asked, self._asked = self._asked, {}
        for hosted, waiting in asked.items():
            try:
                found = predict_rows(hosted.model, [raw for raw, _ in waiting])
            except Exception as error:
                for _, future in waiting:
                    if not future.cancelled():
                        future.set_exception(error)
                continue
            for (_, future), outcome in zip(waiting, found, strict=True):
                if not future.cancelled():
                    future.set_result((hosted.sequence, outcome))

    def _predicted(
        self, hosted: HostedModel, sequence: int, data: dict[str, Any], row: Any, raw: Any, outcome: Outcome
    ) -> dict[str, Any]:
        if outcome.error is not None:
            raise problem_of(outcome.error)
        answer: dict[str, Any] = {"id": None, "prediction": outcome.prediction, "sequence": sequence}
        if data.get("keep", True) and self._learns(hosted):
            text = raw if isinstance(raw, bytes) else orjson.dumps(row)
            answer["id"] = self.service.predictions.add(hosted.created, text, orjson.dumps(outcome.prediction))
        if data.get("probabilities"):
            shares = hosted.model.predict_proba_one(raw)
            answer["probabilities"] = [{"label": label, "probability": share} for label, share in shares.items()]
        if data.get("explain"):
            answer["explanation"] = hosted.model.explain(raw).as_json(_TOP)
        return answer

    def _check_row(self, row: Any) -> None:
        most = self.service.settings.max_features
        if not isinstance(row, str) and len(row) > most:
            raise Problem(413, f"a row may have at most {most} members: it has {len(row)}")

    @staticmethod
    def _learns(hosted: HostedModel) -> bool:
        learner = hosted.model.learner
        return bool(learner.online) and learner.takes == "rows" and not of_table(learner)

    async def learn(self, request: Request) -> Answer:
        hosted = self.service.model(request.name)
        ledger_of(hosted.model)
        self._check_row(request.data["row"])
        key = request.headers.get(b"idempotency-key")
        if key is not None and not 0 < len(key) <= 200:
            raise Problem(422, "Idempotency-Key must have 1 to 200 characters")
        name = None if key is None else "key:" + key.decode("latin-1")
        return await self._written(Write(request.name, LEARN, name, request.body, request.data))

    async def label(self, request: Request) -> Answer:
        hosted, data = self.service.model(request.name), request.data
        key, asked = "id:" + data["id"], {"label": data["label"], "weight": float(data.get("weight", 1))}
        kept = self.service.predictions.find(data["id"])
        if kept is not None and kept.created == hosted.created:
            row, said = orjson.Fragment(kept.row), orjson.Fragment(kept.said)
        else:  # it may be a label that was learned before, and whose prediction is forgotten
            earlier = await self.service.earlier(request.name, key)
            if earlier is None:
                raise Problem(404, "there is no such prediction, or it has expired")
            row, said = earlier["row"], earlier["prediction"]
        body = orjson.dumps({"id": data["id"], "row": row, "prediction": said, **asked})
        return await self._written(Write(request.name, LABEL, key, body))

    async def _written(self, write: Write) -> Answer:
        done = await self.service.write(write)
        if done.status >= 400:
            raise Problem(done.status, orjson.loads(done.answer or b"{}").get("detail", "refused"))
        return Answer(done.answer or b"", status=done.status)

    async def models(self, request: Request) -> Answer:
        found = [self._described(hosted, False) for hosted in self.service.models.values()]
        return Answer(orjson.dumps({"models": found}))

    async def inspect(self, request: Request) -> Answer:
        return Answer(orjson.dumps(self._described(self.service.model(request.name), True), default=str))

    def _described(self, hosted: HostedModel, whole: bool) -> dict[str, Any]:
        model = hosted.model
        ledger, learner = model.ledger, model.learner
        about: dict[str, Any] = {
            "name": hosted.name, "learner": learner.name, "format": model.schema and model.schema.format,
            "labels": list(model.labels), "sequence": hosted.sequence, "snapshot": hosted.saved,
            "learns": self._learns(hosted), "ledger": None,
        }  # fmt: skip
        if ledger is not None:
            counts = ("trials", "mistakes", "abstentions", "error_rate")
            about["ledger"] = {name: getattr(ledger, name) for name in counts} | {"late": ledger.start.get("late", 0)}
        if whole:
            about |= {"parameters": learner.settings, "reader": model.settings, "assumptions": model.assumptions,
                      "attributes": len(learner.attributes) if learner.takes == "rows" else None}  # fmt: skip
            about |= hosted.proof(now_due=True) if about["learns"] else {}
        return about

    async def create(self, request: Request) -> Answer:
        check(request.name, MODEL_NAME, "the name of a model")
        service, key = self.service, f"new:{hashlib.sha256(request.body).hexdigest()}"
        there = service.models.get(request.name)
        status = 200
        if there is None or there.key != key:
            data = await asyncio.get_running_loop().run_in_executor(None, _model_file, request)
            status = (await service.write(Write(request.name, CREATE, key, data))).status
        return Answer(orjson.dumps(self._described(service.model(request.name), True), default=str), status=status)

    async def delete(self, request: Request) -> Answer:
        self.service.model(request.name)
        await self.service.write(Write(request.name, DELETE, None, b""))
        return Answer(b"", status=204)

    async def snapshot(self, request: Request) -> Answer:
        return Answer(self.service.model(request.name).model.to_bytes(), BINARY)

    async def backup(self, request: Request) -> Answer:
        folder: Path | None = None
        try:
            folder = self.service.store.new_download()
            await self.service.backup(folder / "service")
            await asyncio.get_running_loop().run_in_executor(None, _archive, folder)
        except BaseException as error:
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
            if isinstance(error, StorageFull) or getattr(error, "errno", None) in _NO_ROOM:
                raise Problem(507, f"{error}; there is no backup", Retry_After="10") from error
            raise
        return Answer(b"", "application/x-tar", file=folder / "service.tar")

    async def metrics(self, request: Request) -> Answer:
        return Answer(self.metrics_of.text(self.service).encode(), MEDIA_TYPE)

    async def health(self, request: Request) -> Answer:
        failure = self.service.failure()
        if failure is not None:
            raise Problem(503, f"a part of the service has ended: {type(failure).__name__}")
        return Answer(orjson.dumps({"status": "ok"}))

    async def readiness(self, request: Request) -> Answer:
        if not self.service.ready:
            raise Problem(503, "the models are being loaded")
        return Answer(orjson.dumps({"status": "ready"}))

    async def openapi(self, request: Request) -> Answer:
        return Answer(orjson.dumps(document()))


def _model_file(request: Request) -> bytes:
    """The model file that a request asks for: an upload that was read and checked, or a new model."""
    try:
        if request.data is None:
            return without_place(request.body, "the upload")
        return new_model(**request.data).to_bytes()
    except MistakeboundError as error:
        raise problem_of(error) from error


def _archive(folder: Path) -> None:
    with tarfile.open(folder / "service.tar", "w") as archive:
        archive.add(folder / "service", "service")
