"""Items that another thread makes."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from mistakebound.core.matrix import ahead


def test_the_error_comes_after_the_items_before_it() -> None:
    def some() -> Iterator[int]:
        yield 1
        yield 2
        raise ValueError("three")

    items = ahead(some())
    assert (next(items), next(items)) == (1, 2)
    with pytest.raises(ValueError, match="three"):
        next(items)


def test_only_a_few_are_made_before_they_are_taken() -> None:
    made = []

    def count() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            yield number

    for item in ahead(count()):
        assert len(made) <= item + 5
    assert made == list(range(1000))


def test_whoever_leaves_stops_the_other_thread() -> None:
    before, made = threading.active_count(), []

    def count() -> Iterator[int]:
        for number in range(10**6):
            made.append(number)
            yield number

    for item in ahead(count()):
        if item == 3:
            break
    assert threading.active_count() == before
    assert len(made) < 20
