"""Requests that schemathesis makes of the OpenAPI document, valid ones and others: none is answered by a fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import checks

from extras.service.running import Running, row

CHECKS = (
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with Running(tmp_path_factory.mktemp("fuzzed") / "models", "--max-models", "5") as running:
        client = running.client()
        client.create("spam", labels=["ham", "spam"])
        client.learn("spam", *row(0))
        found = schemathesis.openapi.from_url(f"{running.url}/openapi.json")
        yield found
        assert running.ask("GET", "/healthz")[0] == 200
        assert "fault" not in running.log.read_text()


requests = schemathesis.pytest.from_fixture("document")


@requests.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_requests_of_the_document(case: Any) -> None:
    if case.path_parameters and case.path_parameters.get("name"):
        if len(case.path_parameters["name"]) % 2:  # half of them are about a model that is there
            case.path_parameters["name"] = "spam"
        if case.method == "DELETE":
            case.path_parameters["name"] = "other"
    case.call_and_validate(checks=CHECKS)
