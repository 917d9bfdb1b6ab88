"""A cluster of two processes for all tests, and an engine without one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mistakebound.cluster.engine import Engine, Shared, attempt, connected


class Here:
    """Stands in for the engine: all tasks are done in this process, the last one first."""

    in_words = Engine.in_words

    def facts(self) -> dict[str, Any]:
        return {"workers": 1, "dashboard": None, "repeated": 0}

    def check_versions(self) -> None:
        pass

    def begin(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return attempt(function, *(each.value if isinstance(each, Shared) else each for each in arguments))

    def release(self, held: Any) -> None:
        pass

    def run(self, function: Any, tasks: Sequence[tuple[Any, ...]], done: Any = None) -> list[Any]:
        found: dict[int, Any] = {}
        for number in reversed(range(len(tasks))):
            found[number] = self.begin(function, *tasks[number])
            if isinstance(found[number], Exception):
                raise found[number]
            if done is not None:
                done(number, found[number])
        return [found[number] for number in range(len(tasks))]


@pytest.fixture
def here() -> Any:
    return Here()


@pytest.fixture(scope="session")
def client() -> Iterator[Any]:
    with connected("local:2") as found:
        yield found


@pytest.fixture(scope="session")
def stream(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3,000 rows of a noisy half-space, as libsvm."""
    draw = random.Random(7)
    weights = [draw.gauss(0, 1) for _ in range(60)]
    path = tmp_path_factory.mktemp("stream") / "rows.svm"
    with open(path, "w", encoding="ascii") as file:
        for _ in range(3000):
            active = sorted(draw.sample(range(60), 7))
            label = sum(weights[k] for k in active) + draw.gauss(0, 0.5) > 0
            file.write(f"{'+1' if label else '-1'} {' '.join(f'{k + 1}:1' for k in active)}\n")
    return path
