"""The way with the most mistakes through a machine, or a cycle with a mistake in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import inf
from typing import NamedTuple


class Edge(NamedTuple):
    """What an instance does in a state."""

    instance: int
    state: int  # the next one
    mistake: int  # 1 or 0


def longest_path(machine: Callable[[int], list[Edge]]) -> tuple[float, list[int], list[int]]:
    """From state 0: the most mistakes, the instances that make them, and, where they never end, a cycle to repeat.

    Where they never end the first list leads to the cycle.
    """
    edges = cache(machine)
    components, order = _components(edges)
    for state in order:
        for edge in edges(state):
            if edge.mistake and components[edge.state] == components[state]:
                back = _way(edges, edge.state, state, components)
                return inf, _way(edges, 0, state), [edge.instance, *back]
    return _most(edges, components, order)


def _most(
    edges: Callable[[int], list[Edge]], components: dict[int, int], order: list[int]
) -> tuple[float, list[int], list[int]]:
    """Without such a cycle: states of one component reach each other without a mistake, so they are worth the same.

    Components are numbered so that edges lead to smaller numbers.
    """
    best: dict[int, tuple[int, int, Edge | None]] = {}  # of a component: mistakes, the state to leave it from, the edge
    for state in sorted(order, key=lambda state: components[state]):
        here = components[state]
        best.setdefault(here, (0, state, None))
        for edge in edges(state):
            if components[edge.state] != here:
                value = edge.mistake + best[components[edge.state]][0]
                if value > best[here][0]:
                    best[here] = value, state, edge
    way: list[int] = []
    at, found = 0, best[components[0]]
    while found[0] > 0:
        _, leave, out = found
        assert out is not None
        way += _way(edges, at, leave, components)
        way.append(out.instance)
        at, found = out.state, best[components[out.state]]
    return best[components[0]][0], way, []


def _way(
    edges: Callable[[int], list[Edge]], start: int, end: int, components: dict[int, int] | None = None
) -> list[int]:
    """The shortest way from a state to another, inside one component where components are given."""
    came: dict[int, tuple[int, int]] = {start: (start, -1)}
    waiting = [start]
    for state in waiting:  # grows while it is gone through
        if state == end:
            break
        for edge in edges(state):
            if edge.state not in came and (components is None or components[edge.state] == components[start]):
                came[edge.state] = state, edge.instance
                waiting.append(edge.state)
    way = []
    while end != start:
        end, instance = came[end]
        way.append(instance)
    return way[::-1]


def _components(edges: Callable[[int], list[Edge]]) -> tuple[dict[int, int], list[int]]:
    """The strongly connected component of every state that is reached from 0 (Tarjan 1972), and these states.

    A component has a larger number than those that can be reached from it.
    """
    number: dict[int, int] = {0: 0}
    low: dict[int, int] = {0: 0}
    components: dict[int, int] = {}
    stack, work = [0], [(0, iter(edges(0)))]
    count = 0
    while work:
        state, rest = work[-1]
        for edge in rest:
            after = edge.state
            if after not in number:
                number[after] = low[after] = len(number)
                stack.append(after)
                work.append((after, iter(edges(after))))
                break
            if after not in components:
                low[state] = min(low[state], number[after])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[state])
            if low[state] == number[state]:
                while True:
                    member = stack.pop()
                    components[member] = count
                    if member == state:
                        break
                count += 1
    return components, list(number)
