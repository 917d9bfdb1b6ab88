"""Rows in another order."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kernels.misuse import must_refuse, shortened
from mistakebound.kernels import shuffle as kernel
from mistakebound.kernels.key_rows import NewRows

MASK = (1 << 64) - 1


def mixed(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def twin(count: int, seed: int, turn: int) -> list[int]:
    """Fisher and Yates' shuffle with splitmix64, from the papers."""
    gamma = 0x9E3779B97F4A7C15
    state = mixed((mixed((seed + gamma) & MASK) + turn) & MASK)
    order = list(range(count))
    for k in range(count - 1, 0, -1):
        state = (state + gamma) & MASK
        j = (mixed(state) * (k + 1)) >> 64
        order[k], order[j] = order[j], order[k]
    return order


@given(st.integers(0, 60), st.integers(0, MASK), st.integers(1, 2**40))
def test_permutation(count: int, seed: int, turn: int) -> None:
    order = array("I", [7] * count)
    assert kernel.permute(order, count, seed, turn) == 0
    assert order.tolist() == twin(count, seed, turn)
    assert sorted(order) == list(range(count))


def test_every_order_is_as_likely() -> None:
    order = array("I", bytes(12))
    seen: Counter[tuple[int, ...]] = Counter()
    for seed in range(60):
        for turn in range(1, 51):
            kernel.permute(order, 3, seed, turn)
            seen[tuple(order)] += 1
    assert len(seen) == 6
    assert all(400 < count < 600 for count in seen.values())  # 500 expected, standard deviation 20


rows_of_keys = st.lists(st.lists(st.integers(0, 50), max_size=5), min_size=1, max_size=12)


@given(rows_of_keys, st.data())
def test_gather(rows: list[list[int]], data: st.DataObject) -> None:
    indptr = array("q", [0])
    for row in rows:
        indptr.append(indptr[-1] + len(row))
    flat = [key for row in rows for key in row]
    values = array("d", [key / 2 for key in flat])
    order = array("I", data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=9)))
    used = data.draw(st.integers(0, len(order)))
    count = sum(len(rows[r]) for r in order[:used])
    for code in ("I", "Q"):
        out, out_keys = array("q", [9] * (used + 1)), array("Q", [9] * count)
        out_values = array("d", [9.0] * count) if flat else array("d")
        room = NewRows(out, out_keys, out_values)
        assert kernel.gather(order, used, indptr, array(code, flat), values, room) == 0
        found = [out_keys[out[k] : out[k + 1]].tolist() for k in range(len(out) - 1)]
        assert found == [rows[r] for r in order[:used]]
        assert out_values.tolist() == [key / 2 for key in out_keys]


@given(rows_of_keys, st.integers(0, 30))
def test_rows_within(rows: list[list[int]], most: int) -> None:
    indptr = array("q", [0])
    for row in rows:
        indptr.append(indptr[-1] + len(row))
    order = array("I", range(len(rows)))
    weights = [len(row) + 1 for row in rows]
    expected = max(k for k in range(1, len(rows) + 1) if k == 1 or sum(weights[:k]) <= most)
    assert kernel.rows_within(order, 0, indptr, most) == expected
    assert kernel.rows_within(order, len(rows), indptr, most) == 0


@given(st.lists(st.integers(0, 9), max_size=20))
def test_names(keys: list[int]) -> None:
    texts = [b"x" * k + b"%d" % k for k in range(10)]
    blob, ends = b"".join(texts), array("q", [0])
    for text in texts:
        ends.append(ends[-1] + len(text))
    places, names, local = array("I", [0] * 10), array("I", [0] * len(keys)), array("Q", keys)
    count = kernel.localize(local, len(keys), places, names)
    assert names[:count].tolist() == list(dict.fromkeys(keys))
    assert [names[k] for k in local] == keys
    assert not any(places)
    out, out_ends = bytearray(sum(len(texts[k]) for k in names[:count])), array("q", [0] * (count + 1))
    assert kernel.spell(names, count, blob, ends, out, out_ends) == 0
    assert [bytes(out[out_ends[k] : out_ends[k + 1]]) for k in range(count)] == [texts[k] for k in names[:count]]


@given(st.integers(0, 9), st.integers(0, 20), st.integers(0, 100), st.integers(1, 7), st.booleans())
def test_split(first: int, more: int, number: int, every: int, own: bool) -> None:
    last = first + more
    lines = array("q", [(7 * r + number) % 50 for r in range(last)] if own else [])
    held, others = array("I", [0] * more), array("I", [0] * more)
    count = kernel.split(first, last, number, lines, every, held, others)
    numbers = {r: lines[r] if len(lines) else number + r for r in range(first, last)}
    assert held[:count].tolist() == [r for r in numbers if numbers[r] % every == 0]
    assert others[: more - count].tolist() == [r for r in numbers if numbers[r] % every]


def test_small_ones() -> None:
    out = array("q", [0, 0])
    assert kernel.shift(array("q", [3, 4]), 2, 10, out) == 0
    assert out.tolist() == [13, 14]
    assert kernel.number(array("I", [5, 6, 7]), 1, 3, out) == 0
    assert out.tolist() == [7, 8]
    keys = array("Q", [0, 0])
    assert kernel.renumber(array("Q", [1, 0]), 2, array("I", [40, 50]), keys) == 0
    assert keys.tolist() == [50, 40]
    assert kernel.renumber(array("Q", [2]), 1, array("I", [40, 50]), keys) == kernel.BAD
    tokens = array("i", [0, 0])
    assert kernel.renumber_tokens(array("i", [1, -1]), 2, array("i", [4, 5]), tokens) == 0
    assert tokens.tolist() == [5, -1]
    assert kernel.renumber_tokens(array("i", [2]), 1, array("i", [4, 5]), tokens) == kernel.BAD
    for code in "iqd":
        taken, items = array(code, [0, 0]), array(code, [7, 8, 9])
        assert kernel.take(array("I", [2, 0]), 2, items, taken) == 0
        assert taken.tolist() == [9, 7]
        assert kernel.take(array("I", [3]), 1, items, taken) == kernel.BAD
        call = {"order": array("I", [2, 0]), "count": 2, "items": items, "out": array(code, [0, 0])}
        must_refuse(kernel.take, call, ["order", "items", "out"], kernel.BAD)
    assert kernel.narrow(array("Q", [1, (1 << 32) - 1]), 2, narrow := array("I", [0, 0])) == 0
    assert narrow.tolist() == [1, (1 << 32) - 1]
    assert kernel.narrow(array("Q", [1, 1 << 32]), 2, narrow) == kernel.BAD


def gathered(gather: Callable[..., int], call: dict[str, Any]) -> int:
    *given, indptr, keys, values = call.values()
    return gather(*given, NewRows(indptr, keys, values))


def test_misuse() -> None:
    order, rows = array("I", [1, 0]), array("q", [0, 1, 3])
    must_refuse(kernel.permute, {"order": order, "count": 2, "seed": 1, "turn": 1}, ["order"], -1)
    call = {
        "order": order, "count": 2, "indptr": rows, "keys": array("I", [1, 2, 3]), "values": array("d", [1] * 3),
        "out_indptr": array("q", [0] * 3), "out_keys": array("Q", [0] * 3), "out_values": array("d", [0] * 3),
    }  # fmt: skip
    assert gathered(kernel.gather, call) == 0
    must_refuse(kernel.gather, call, ["order", "indptr", "out_indptr"], kernel.BAD, gathered)
    for name in ("keys", "values", "out_keys", "out_values"):
        assert gathered(kernel.gather, shortened(call, name)) == kernel.BAD, name
    assert gathered(kernel.gather, call | {"out_keys": array("I", [0] * 3)}) == kernel.BAD
    must_refuse(
        kernel.localize,
        {"keys": array("Q", [1, 0]), "count": 2, "places": array("I", [0, 0]), "names": array("I", [0, 0])},
        ["keys", "places", "names"],
        -1,
    )
    spell = {
        "names": array("I", [1, 0]), "count": 2, "blob": b"ab", "ends": array("q", [0, 1, 2]), "out": bytearray(2),
        "out_ends": array("q", [0] * 3),
    }  # fmt: skip
    for name in ("names", "blob", "ends", "out", "out_ends"):
        short = dict(spell)
        short[name] = short[name][:-1]  # type: ignore[index]
        assert kernel.spell(*short.values()) == -1, name
    lists = {"held": array("I", [0] * 2), "others": array("I", [0] * 2)}
    split = {"first": 1, "last": 3, "number": 1, "lines": array("q", [1, 2, 3]), "every": 2, **lists}
    must_refuse(kernel.split, split, ["lines", "held", "others"], -1)
    assert kernel.rows_within(order, -1, rows, 9) == kernel.rows_within(order, 0, rows[:2], 9) == -1
    must_refuse(kernel.shift, {"values": rows, "count": 3, "by": 1, "out": array("q", [0] * 3)}, ["values", "out"], -1)
    must_refuse(kernel.number, {"order": order, "first": 0, "last": 2, "out": array("q", [0, 0])}, ["order", "out"], -1)
