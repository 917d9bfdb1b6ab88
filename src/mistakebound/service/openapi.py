"""The OpenAPI 3.1 document, made of the declared operations."""

from __future__ import annotations

from mistakebound import __version__
from mistakebound.service.operations import BINARY, JSON, MODEL_FILE, MODEL_NAME, OPERATIONS, Operation
from mistakebound.service.problems import MEDIA_TYPE, TITLES
from mistakebound.service.shapes import TEXT, record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROBLEM = record({"title": TEXT, "status": {"type": "integer"}, "detail": TEXT}, "title", "status", "detail")


def document() -> dict[str, Any]:
    """The whole document.

    >>> document()["openapi"], "/models/{name}/learn" in document()["paths"]
    ('3.1.0', True)
    """
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mistakebound",
            "version": __version__,
            "description": "Models that learn while they answer: predictions, updates, ledgers, certificates.",
        },
        "paths": paths,
        "components": {
            "schemas": {"Problem": PROBLEM},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(operation: Operation) -> dict[str, Any]:
    parameters: list[dict[str, Any]] = []
    if "{name}" in operation.path:
        parameters.append({"name": "name", "in": "path", "required": True, "schema": MODEL_NAME})
    if operation.key:
        parameters.append(
            {"name": "Idempotency-Key", "in": "header", "schema": TEXT | {"minLength": 1, "maxLength": 200},
             "description": "a retry with the same key and body is learned once, and gets the first answer"}
        )  # fmt: skip
    responses: dict[str, Any] = {}
    for status in operation.status:
        content = {} if operation.answer is None else {"content": {operation.answers: {"schema": operation.answer}}}
        responses[str(status)] = {"description": operation.summary, **content}
    for status in operation.problems:
        refused = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        responses[str(status)] = {"description": TITLES[status], "content": refused}
    about: dict[str, Any] = {"operationId": operation.name, "summary": operation.summary, "responses": responses}
    if parameters:
        about["parameters"] = parameters
    if operation.body is not None:
        uploads = {BINARY: {"schema": MODEL_FILE}} if operation.uploads else {}
        about["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.body}} | uploads}
    if operation.scope is not None:
        about["security"] = [{"token": []}, {}]
        about["description"] = f"Scope of the token, where tokens are needed: {operation.scope}."
    return about
