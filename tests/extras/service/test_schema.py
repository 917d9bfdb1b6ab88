"""Requests that schemathesis makes of the OpenAPI document, valid ones and others: none is answered by a fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode, checks

from extras.service.running import Running, row
from mistakebound.service.operations import OPERATIONS, Operation

CHECKS = (
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
)
CASES = [(operation, GenerationMode.POSITIVE) for operation in OPERATIONS] + [
    (operation, GenerationMode.NEGATIVE)
    for operation in OPERATIONS
    if operation.body is not None or "{name}" in operation.path  # of the others nothing can be invalid
]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with Running(tmp_path_factory.mktemp("fuzzed") / "models", "--max-models", "5") as running:
        client = running.client()
        client.create("spam", labels=["ham", "spam"])
        client.learn("spam", *row(0))
        yield schemathesis.openapi.from_url(f"{running.url}/openapi.json")
        assert running.ask("GET", "/healthz")[0] == 200
        assert "fault" not in running.log.read_text()


@pytest.mark.parametrize(("operation", "mode"), CASES, ids=lambda part: getattr(part, "name", ""))
def test_requests_of_the_document(document: Any, operation: Operation, mode: GenerationMode) -> None:
    requests = document[operation.path][operation.method].as_strategy(generation_mode=mode)

    @settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(requests)
    def ask(case: Any) -> None:
        name = (case.path_parameters or {}).get("name")
        if isinstance(name, str) and len(name) % 2 and operation.method != "DELETE":
            case.path_parameters["name"] = "spam"  # half of them are about a model that is there
        case.validate_response(case.call(), checks=CHECKS)

    ask()
