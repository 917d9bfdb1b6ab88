"""The attribute table against a dict: names <-> slots, growth, truncation, rows."""

from __future__ import annotations

from array import array
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from core.moves import take_move
from mistakebound.core import attributes, model_file
from mistakebound.core.attributes import AttributeTable
from mistakebound.core.block import Block, BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.core.names import attribute_order
from mistakebound.core.row_slots import RowSlots
from mistakebound.kernels import attributes as kernel

pytestmark = pytest.mark.kernel
ids = st.one_of(st.integers(0, 70), st.integers(2**20 - 3, 2**20 + 3), st.integers(2**63 - 5, 2**63 - 1))
names = st.one_of(ids.map(str), st.text(max_size=3), st.sampled_from(["01", "+1", "-1", str(2**63), "١", "\ud800"]))
rows = st.lists(st.lists(ids, unique=True, max_size=8), max_size=12)


def block_of(rows: list[list[int]], values: list[list[float]] | None = None, columns: Any = None) -> Block:
    ends = [sum(map(len, rows[:r])) for r in range(len(rows) + 1)]
    flat = None if values is None else array("d", [v for row in values for v in row])
    return Block(
        len(rows),
        array("q", ends),
        array("Q", [k for row in rows for k in row]),
        flat,
        columns=columns and BlockNames.of(columns),
    )


@pytest.fixture(params=[64, 1 << 20], autouse=True)
def first_dense(request: Any, monkeypatch: Any) -> None:
    """Few small ids, so that the layout changes often, and as it is."""
    monkeypatch.setattr(attributes, "FIRST_DENSE", request.param)


def resolved(table: AttributeTable, block: Block, **options: Any) -> tuple[list[list[str]], int, int]:
    """The names of the slots that all rows get, up to one that is not well."""
    options = {"add": True, "binary": False, "n": None} | options
    rows: list[list[str]] = []
    status, entry = kernel.OK, 0
    given = RowSlots(table, block, **options)
    while len(rows) < block.rows and status == kernel.OK:
        found, status, entry = given.rows(len(rows))
        found.sort_named()
        for r in range(found.count):
            slots = found.slots[found.indptr[r] : found.indptr[r + 1]]
            rows.append(["?" if slot == table.unseen else table.name(slot) for slot in slots])
    return rows, status, entry


def names_of(rows: list[list[int]]) -> list[list[str]]:
    return [[str(key) for key in row] for row in rows]


@given(st.lists(names, max_size=40), st.integers(0, 40))
def test_names_and_slots(added: list[str], kept: int) -> None:
    table, known = AttributeTable(), dict.fromkeys(added)
    for name in added:
        assert table.name(table.add(name)) == name
    assert table.names() == list(known)
    keys, blob, ends = table.arrays().values()
    again = AttributeTable.restore(array("Q", keys), blob, ends)
    for one in (table, again):
        assert [one.slot(name) for name in known] == one.slots().tolist()
        assert [one.name(slot) for slot in one.slots()] == list(known)
        assert one.slot("missing") == -1
        one.truncate(kept)
        assert one.names() == list(known)[:kept]
        assert [one.slot(name) for name in list(known)[kept:]] == [-1] * len(list(known)[kept:])
        for name in added:
            one.add(name)
        assert one.names() == list(known)  # as if they had never been forgotten


@given(rows, rows)
def test_rows_of_ids(first: list[list[int]], second: list[list[int]]) -> None:
    """New ids of a row appear in ascending order, whatever their order in it."""
    table, known = AttributeTable(), {}
    for part in (first, second):
        for row in part:
            known |= dict.fromkeys(map(str, sorted(row)))
        found, status, _ = resolved(table, block_of(part))
        assert (found, status) == (names_of(part), kernel.OK)
    assert table.names() == list(known)
    seen = first[0] if first else []
    unseen = [[2**40, *seen], [70000], [2**20 - 9]]
    found, status, _ = resolved(table, block_of(unseen), add=False)
    assert status == kernel.OK
    assert found[0] == ["?", *map(str, seen)]
    assert len(table) == len(known)
    assert "70000" not in table


@given(st.lists(names, unique=True, min_size=1, max_size=8), st.lists(st.sets(st.integers(0, 7)), max_size=8))
def test_rows_of_named_columns(columns: list[str], rows: list[set[int]]) -> None:
    columns = sorted(columns, key=attribute_order)
    table, known = AttributeTable(), {}
    keyed = [[place for place in row if place < len(columns)] for row in rows]
    for row in keyed:
        for place in sorted(row):
            known.setdefault(columns[place], len(known))
    resolved(table, block_of(keyed, columns=columns))
    assert table.names() == list(known)
    assert [table.slot(name) for name in known] == table.slots().tolist()


@given(st.lists(st.lists(names, unique=True, max_size=6), max_size=8), st.integers(1, 8))
def test_the_same_table_whatever_the_blocks_and_their_names(rows: list[list[str]], at_once: int) -> None:
    """New names of a row in canonical order; the order of a block's list does not matter."""
    known: dict[str, None] = {}
    for row in rows:
        known |= dict.fromkeys(sorted(row, key=attribute_order))
    table = AttributeTable()
    for first in range(0, len(rows), at_once):
        part = rows[first : first + at_once]
        columns = list(dict.fromkeys(name for row in reversed(part) for name in row)) or ["nobody's"]
        keyed = [[columns.index(name) for name in row] for row in part]
        found, status, _ = resolved(table, block_of(keyed, columns=columns))
        ordered = [sorted(row, key=lambda name: table.key(table.slot(name))) for row in part]
        assert (found, status) == (ordered, kernel.OK)
        assert resolved(table, block_of(keyed, columns=columns), add=False)[:2] == (ordered, kernel.OK)
    assert table.names() == list(known)
    for kept in (len(known) // 2, 0):
        table.truncate(kept)
        assert table.names() == list(known)[:kept]
        assert all((name in table) == (rank < kept) for rank, name in enumerate(known))


@given(rows, st.data())
def test_an_attribute_twice(rows: list[list[int]], data: Any) -> None:
    """With and without explicit zeros, new or known: the row is refused, the ones before it are not."""
    full = [r for r, row in enumerate(rows) if row]
    if not full:
        return
    bad = data.draw(st.sampled_from(full))
    twice = data.draw(st.sampled_from(rows[bad]))
    rows[bad].insert(data.draw(st.integers(0, len(rows[bad]))), twice)
    values = None
    if data.draw(st.booleans()):
        values = [[data.draw(st.sampled_from([1.0, 0.0])) for _ in row] for row in rows]
    table = AttributeTable()
    found, status, entry = resolved(table, block_of(rows, values))
    assert (len(found), status) == (bad, kernel.DUPLICATE)
    assert block_of(rows).keys[entry] == twice
    seen = {k for r in range(bad) for i, k in enumerate(rows[r]) if values is None or values[r][i]}
    assert set(table.names()) == {str(key) for key in seen}


def test_values_and_limits() -> None:
    table = AttributeTable()
    assert resolved(table, block_of([[5, 6]], [[1.0, 0.5]]), binary=True)[1:] == (kernel.NOT_BINARY, 1)
    assert resolved(table, block_of([[5, 6, 7]], [[1.0, 0.0, 1.0]]), binary=True)[0] == [["5", "7"]]
    assert table.names() == ["5", "7"]
    for add in (True, False):
        assert resolved(table, block_of([[5], [9]]), n=8, add=add)[1:] == (kernel.BEYOND, 1)
        assert resolved(table, block_of([[5], [1, 0, 2]]), n=4, add=add)[1:] == (kernel.BEYOND, 3)
    assert resolved(table, block_of([[0, 2**63 - 1]]), n=2**80)[1] == kernel.OK


def test_growth() -> None:
    """Whoever follows the moves finds every number at its attribute's slot."""
    draw = Random(1)
    table, known = AttributeTable(), {}
    numbers, layout = zeros("d", 0), 0
    for size in (1, 300, 3000):
        part = [[draw.choice([draw.randrange(10**5), draw.randrange(2**63)]) for _ in range(5)] for _ in range(size)]
        part = [list(dict.fromkeys(row)) for row in part]
        done = 0
        given = RowSlots(table, block_of(part), add=True, binary=False, n=None)
        while done < size:
            rows, status, _ = given.rows(done)
            assert status == kernel.OK
            if layout != table.layout:
                layout, numbers = table.layout, take_move(table)(numbers)
            for row in part[done : done + rows.count]:
                for key in sorted(row):
                    if str(key) not in known:
                        known[str(key)] = len(known)
                        assert numbers[table.slot(str(key))] == 0.0
                        numbers[table.slot(str(key))] = len(known)
            done += rows.count
    assert table.names() == list(known)
    assert [numbers[table.slot(name)] for name in known] == [rank + 1.0 for rank in range(len(known))]
    assert table.in_order(numbers).tolist() == [rank + 1.0 for rank in range(len(known))]
    assert table.by_slot(table.in_order(numbers)) == numbers


def test_many_large_ids_by_name_after_many_texts() -> None:
    learner = mb.Perceptron()
    learner.learn_one({f"t{j}" for j in range(520)}, 1)
    columns = [str(10**12 + j) for j in range(480)]
    table = learner.attributes
    resolved(table, block_of([[j] for j in range(480)], columns=columns))
    assert table.names()[520:] == columns
    assert table.slot("5000000000") == -1
    assert all(table.slot(str(place)) == -1 for place in range(480)), "places among the columns are no ids"


@pytest.mark.parametrize(
    ("keys", "blob", "ends"),
    [
        ([2**63], b"", []), ([5, 5], b"", []), ([2**63 + 1, 2**63], b"ab", [1, 2]), ([2**63], b"a", [2]),
        ([2**63, 2**63 + 1], b"aa", [1, 2]), ([], b"a", [1]), ([2**63], b"\xff", [1]), ([2**63, 2**63], b"ab", [1, 2]),
        ([2**63], b"7", [1]), ([2**63], b"ab", [1]), ([2**63, 2**63 + 1], b"ab", [2, 1]),
        ([2**63, 2**63 + 1], "é".encode(), [1, 2]), ([2**63, 2**63 + 1], b"a\xc3", [1, 2]), ([2**63], b"a", [2**63]),
        ([2**63, 2**63 + 1], b"ab", [2**64 - 1, 2]), ([2**63, 2**63 + 1], b"a9223372036854775807", [1, 20]),
    ],
)  # fmt: skip
def test_arrays_that_contradict_each_other(keys: list[int], blob: bytes, ends: list[int]) -> None:
    with pytest.raises(ValueError):
        AttributeTable.restore(array("Q", keys), blob, array("Q", ends))


@pytest.mark.parametrize(("keys", "blob", "ends"), [("q", "B", "Q"), ("Q", "b", "Q"), ("Q", "B", "q"), ("d", "B", "Q")])
def test_arrays_of_another_type(keys: str, blob: str, ends: str) -> None:
    with pytest.raises(ValueError):
        AttributeTable.restore(array(keys, [7]), array(blob), array(ends))


def test_names_of_every_kind_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attributes, "_NAMES", 3)
    names = [
        "é",
        "\ud800",
        "",
        "9223372036854775808",
        "007",
        "\U0001f600",
        *(f"t{k}" for k in range(20)),
        "7",
        "10" * 9,
    ]
    table = AttributeTable()
    for name in names:
        table.add(name)
    arrays = {name.partition(".")[2]: model_file.as_array(values) for name, values in table.arrays().items()}
    again = AttributeTable.restore(arrays["keys"], arrays["texts"], arrays["ends"])
    assert again.names() == names
    assert [name for name in names if again.name(again.slot(name)) != name] == []
    again.add("one more")
    assert again.names() == [*names, "one more"]
    assert table.names() == names


def test_limits_to_the_entry() -> None:
    """Exactly n is well; of more, the first in canonical order that finds no place is named."""
    assert resolved(AttributeTable(), block_of([[1, 2]]), n=2)[:2] == ([["1", "2"]], kernel.OK)
    table = AttributeTable()
    resolved(table, block_of([[7, 8]]))
    assert resolved(table, block_of([[3, 1, 0, 2]]), n=4)[1:] == (kernel.BEYOND, 3)


def test_stamps_that_are_used_up() -> None:
    """Rows are counted in 32 bits to notice an attribute twice: after the last of them the count begins anew."""
    table = AttributeTable()
    resolved(table, block_of([[1, 2]]))
    table._state[kernel.STAMP] = 2**32 - 1
    assert resolved(table, block_of([[2, 1], [2, 1]]))[:2] == ([["2", "1"], ["2", "1"]], kernel.OK)
    assert resolved(table, block_of([[2, 1, 2]]))[1] == kernel.DUPLICATE


def test_a_new_table_is_laid_out_for_the_ids_that_it_expects() -> None:
    table = AttributeTable()
    largest, layout, generation = 4 * table.dense - 1, table.layout, table.generation
    seen = table.look_up(array("Q", [7]), 0, 1, zeros("I", 1))
    table.expect(table.dense, largest)
    assert (table.dense, table.layout, table.generation) == (largest + 1, layout + 1, generation + 1)
    assert table.look_up(array("Q", [7]), 0, 1, zeros("I", 1)) == seen + 1, "other threads see the new layout"
    expected = [str(largest), "5", str(largest + 1), "free", "0"]
    assert [table.add(name) for name in expected][:2] == [largest, 5]
    assert table.names() == expected
    assert take_move(table)(zeros("d", 0)).tolist() == [0.0] * table.capacity


@pytest.mark.parametrize(
    ("ids", "largest"), [(1, 2**22), (10**9, 2**30), (10**9, 2**62), (10**9, 63), (0, 2**21), (10**9, 0)]
)
def test_ids_for_which_a_layout_does_not_pay_change_nothing(ids: int, largest: int) -> None:
    table = AttributeTable()
    before = table.dense, table.layout, table.generation
    table.expect(ids, largest)
    assert (table.dense, table.layout, table.generation) == before


@pytest.mark.parametrize("emptied", [False, True])
@pytest.mark.parametrize("name", ["7", str(10**12), "free"])
def test_a_table_that_is_not_new_expects_nothing(name: str, emptied: bool) -> None:
    table = AttributeTable()
    slot = table.add(name)
    if emptied:
        table.truncate(0)
    before = table.dense, table.layout, table.generation
    table.expect(10**6, 2**21)
    assert (table.dense, table.layout, table.generation) == before
    assert table.slot(name) == (-1 if emptied else slot)
    assert table.add(name) == slot
    assert table.names() == [name]
