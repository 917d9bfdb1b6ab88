"""Slots for the rows of a block: how much is looked at, layouts that change on the way, look-ups from other threads."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random
from typing import Any

import pytest

import mistakebound as mb
from core.moves import take_move
from mistakebound import kernels
from mistakebound.core import block_labels, row_slots
from mistakebound.core.attributes import AttributeTable
from mistakebound.core.block import Block, BlockNames
from mistakebound.core.buffers import zeros
from mistakebound.core.ledger import Ledger
from mistakebound.core.names import attribute_order
from mistakebound.core.row_slots import RowSlots
from mistakebound.io import open_stream
from mistakebound.io.libsvm import LibsvmReader
from mistakebound.kernels import attributes as kernel
from mistakebound.model.trainer import learn_stream
from naive.vw_reader import read_line
from naive.winnow2 import NaiveWinnow2

pytestmark = pytest.mark.kernel
slow = pytest.mark.skipif(not kernels.compiled(), reason="takes long on uncompiled kernels")


def block_of(rows: list[list[int]], columns: list[str] | None = None) -> Block:
    ends = array("q", [0])
    for row in rows:
        ends.append(ends[-1] + len(row))
    names = None if columns is None else BlockNames.of(columns)
    return Block(len(rows), ends, array("Q", [key for row in rows for key in row]), columns=names)


class Watched:
    """A module of kernels, with a count of the rows that each call was to look at."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self.calls: list[int] = []
        self.translations = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def resolve(self, *args: Any) -> int:
        self.calls.append(args[1][2] - args[1][1])
        return int(self._module.resolve(*args))

    def resolve_dense(self, *args: Any) -> int:
        self.calls.append(args[2][2] - args[2][1])
        return int(self._module.resolve_dense(*args))

    def translate(self, *args: Any) -> int:
        self.translations += 1
        return int(self._module.translate(*args))


@pytest.fixture
def watched(monkeypatch: Any) -> dict[str, Watched]:
    from mistakebound.kernels import mapping as mapping  # which is looked up there when it is called

    found = {}
    holders = {"kernel": row_slots, "mapping": kernels, "texts": row_slots, "tally": block_labels}
    for name, holder in holders.items():
        found[name] = Watched(getattr(holder, name))
        monkeypatch.setattr(holder, name, found[name])
    return found


def text_of(bad: list[bool], form: str) -> str:
    """Rows of which some have a value that Winnow does not take."""
    entry = {"libsvm": "{}:{}", "large": "10000000000{}:{}", "vw": "| word{}:{}"}[form]
    return "".join(f"{(1, -1)[r % 2]} {entry.format(r + 1, 1 + odd)}\n" for r, odd in enumerate(bad))


@pytest.mark.some(6)
@pytest.mark.parametrize("form", ["libsvm", "large", "vw"])
@pytest.mark.parametrize("which", ["all", "all but two", "none", "some", "the last of a stretch"])
def test_bad_rows_cost_what_they_are(tmp_path: Path, watched: Any, form: str, which: str, long: bool) -> None:
    """However many there are: with all of the rest looked at for each, this would be 4,000 times 2,000 rows."""
    rows = 4000 if long else 1500 if kernels.compiled() else 500
    draw = Random(2)
    bad = {
        "all": [True] * rows,  # then nothing ever settles what the labels mean
        "all but two": [r >= 2 for r in range(rows)],
        "none": [False] * rows,
        "some": [draw.random() < 0.05 for _ in range(rows)],
        "the last of a stretch": [r % 81 == 80 for r in range(rows)],
    }[which]
    path = tmp_path / ("x.vw" if form == "vw" else "x.svm")
    path.write_text(text_of(bad, form))
    learner, skipped = mb.Winnow2(), []
    with open_stream(path, on_error="skip") as reader:
        learn_stream(learner, reader, ledger := Ledger(), skip=skipped.append)
    assert (ledger.trials, len(skipped)) == (rows - sum(bad), sum(bad))
    assert [error.line for error in skipped] == [r + 1 for r, odd in enumerate(bad) if odd]
    looked_at = sum(watched["kernel"].calls) + sum(watched["mapping"].calls)
    if which == "none":
        assert len(watched["mapping"].calls) + len(watched["kernel"].calls) < 20
    assert watched["tally"].translations <= 4, "labels of all rows are translated when they mean something else"
    assert looked_at <= 2 * (row_slots.FEW * sum(bad) + 6 * rows)
    if form == "vw":
        assert watched["texts"].translations <= 2 + learner.attributes.generation


@pytest.mark.parametrize("learners", [1, 2])
def test_names_that_are_kept_from_block_to_block(tmp_path: Path, learners: int) -> None:
    """Blocks of any size give the same table and weights, with rows that are skipped and a second learner beside."""
    draw = Random(5)
    words = ["".join(draw.choices("abcde", k=draw.randrange(1, 22))) for _ in range(300)] + ["17", "9" * 18]
    lines = []
    for r in range(400 if kernels.compiled() else 150):
        spaces = [f"|{draw.choice(['', 'n', 'a_long_namespace'])} {' '.join(draw.choices(words, k=6))}" for _ in "ab"]
        lines.append(f"{(1, -1)[r % 3 == 0]} {' '.join(spaces)}{' x:2' if r % 7 == 6 else ''}\n")
    path = tmp_path / "x.vw"
    path.write_text("".join(lines))
    seen = []
    for size in (300, 1000, 1 << 20):
        taught = [mb.Winnow2(), mb.Winnow2(alpha=2.0)][:learners]
        with open_stream(path, on_error="skip", block_bytes=size) as reader:
            for block in reader:
                for learner in taught:
                    learner.learn_block(block, None, array("b", bytes(block.rows)), lambda _: None)
        seen.append([(learner.attributes.names(), learner.weights()) for learner in taught])
    assert seen[0] == seen[1] == seen[2]
    alone = mb.Winnow2()
    for line in lines:
        label, _, entries = read_line(line.rstrip().encode()) or (b"", 1.0, [])
        if len(dict(entries)) == len(entries) and all(value == 1.0 for _, value in entries):
            alone.learn_one([name for name, _ in entries], (label or b"").decode())
    assert seen[0][0] == (alone.attributes.names(), alone.weights())


@slow
def test_layouts_with_ids_and_texts_mixed() -> None:
    """Against a dict, through many layouts, with forgetting and restoring on the way, numbers following their slots."""
    draw = Random(3)
    table, known = AttributeTable(), {}
    numbers, layout, layouts = zeros("d", 0), 0, set()
    kinds = [
        lambda: str(draw.randrange(3 * 10**5)), lambda: str(draw.randrange(2**34)), lambda: str(draw.randrange(2**63)),
        lambda: f"word{draw.randrange(10**5)}",
    ]  # fmt: skip
    for turn in range(60):
        named = turn % 3 != 0
        some = kinds if named else kinds[:3]
        names = [[draw.choice(some)() for _ in range(40)] for _ in range(12 + turn)]
        names = [list(dict.fromkeys(row)) for row in names]
        if named:
            columns = list(dict.fromkeys(name for row in names for name in row))
            places = {name: place for place, name in enumerate(columns)}
            block = block_of([[places[name] for name in row] for row in names], columns)
        else:
            block = block_of([[int(name) for name in row] for row in names])
        slots, done = RowSlots(table, block, add=True, binary=False, n=None), 0
        while done < len(names):
            rows, status, _ = slots.rows(done)
            assert status == kernel.OK
            if layout != table.layout:
                layout, numbers = table.layout, take_move(table)(numbers)
                layouts.add((table.dense, table.capacity))
            for r, row in enumerate(names[done : done + rows.count]):
                for name in sorted(row, key=attribute_order):
                    if name not in known:
                        known[name] = len(known) + 1.0
                        assert numbers[table.slot(name)] == 0.0
                        numbers[table.slot(name)] = known[name]
                found = rows.slots[rows.indptr[r] : rows.indptr[r + 1]]
                assert [numbers[slot] for slot in found] == [known[name] for name in row]
            if named:  # in the order of the keys: ids, then texts by their numbers
                rows.sort_named()
                for r, row in enumerate(names[done : done + rows.count]):
                    row.sort(key=lambda name: table.key(table.slot(name)))
                    found = rows.slots[rows.indptr[r] : rows.indptr[r + 1]]
                    assert [numbers[slot] for slot in found] == [known[name] for name in row]
            done += rows.count
        if turn % 7 == 6:  # forget the last ones
            kept = len(known) - draw.randrange(300)
            for name in list(known)[kept:]:
                numbers[table.slot(name)] = 0.0
                del known[name]
            table.truncate(kept)
        if turn == 30:
            keys, blob, ends = table.arrays().values()
            inside = table.in_order(numbers)
            table = AttributeTable.restore(keys, blob, ends)
            take_move(table)
            layout, numbers = table.layout, table.by_slot(inside)
        assert len(table) == len(known)
    assert table.names() == list(known)
    assert [numbers[table.slot(name)] for name in known] == list(known.values())
    assert sum(1 for number in numbers if number) == len(known)
    assert len(layouts) >= 6


@slow
def test_several_layouts_before_a_move() -> None:
    """Attributes that are entered one by one: whoever follows late still finds every number."""
    for step in (1, 10**6):
        table, numbers = AttributeTable(), zeros("d", 0)
        names = [f"{kind}{10**12 + 7 * i}" for i in range(9000) for kind in ("", "t")]
        first, then = names[:40], names[40:]
        for name in first:
            table.add(name)
        numbers = take_move(table)(numbers)
        for rank, name in enumerate(first):
            numbers[table.slot(name)] = rank + 1.0
        layout = table.layout
        for i, name in enumerate(then):
            table.add(name)
            if i % step == 0 and layout != table.layout:
                layout, numbers = table.layout, take_move(table)(numbers)
        assert table.layout > 3
        numbers = take_move(table)(numbers)
        assert table.in_order(numbers).tolist() == [*(rank + 1.0 for rank in range(40)), *[0.0] * len(then)]
        assert sum(numbers) == 40 * 41 / 2


@slow
def test_small_ids_are_small_where_they_are_many() -> None:
    """A few small ids among many large ones do not make the arrays wide."""
    table = AttributeTable()
    block = block_of([[i * 2**34 // 40_000] for i in range(40_000)])
    slots, done = RowSlots(table, block, add=True, binary=False, n=None), 0
    while done < block.rows:
        rows, _, _ = slots.rows(done)
        done += rows.count
    assert table.dense <= 1 << 20
    assert table.capacity <= 1 << 21
    assert table.keys().tolist() == block.keys.tolist()


LARGE = [f"{(1, -1)[r % 2]} {' '.join(f'{10**15 + 7919 * ((r * 31 + 17 * k) % 5000) + k}:1' for k in range(9))}\n"
         for r in range(2500)]  # fmt: skip


@slow
@pytest.mark.parametrize("learner", [mb.Winnow2, mb.Perceptron])
def test_looking_ahead_changes_nothing(tmp_path: Path, learner: Any) -> None:
    path = tmp_path / "x.svm"
    path.write_text("".join(LARGE))
    files = []
    for threads in (1, 2, 3, 2):
        model, ledger = learner(), Ledger()
        learn_stream(model, LibsvmReader(path, block_bytes=5000), ledger, threads=threads)
        out = tmp_path / f"{len(files)}.mb"
        model.save(out, ledger=ledger)
        files.append(out.read_bytes())
    assert len({*files}) == 1


def test_slots_from_before_a_change_are_not_used(tmp_path: Path) -> None:
    """A chunk looks its ids up; then the slots move, or ids are forgotten, before its turn."""
    path = tmp_path / "x.svm"
    path.write_text("".join(LARGE[:50]))
    for change in ("nothing", "layout", "truncate"):
        learner = mb.Perceptron()
        with open_stream(path) as reader:
            learn_stream(learner, reader, Ledger())
        table = learner.attributes
        reader = LibsvmReader(path)
        chunk = reader.chunk()
        assert reader.fill(chunk)
        chunk.parse()
        chunk.look_ahead(table)
        generation = table.generation
        if change == "layout":
            for i in range(5000):
                table.add(str(2**62 + i))
        elif change == "truncate":
            table.truncate(200)
        (block,) = reader.emit(chunk)
        assert block.known is not None
        assert (block.known[0] == table.generation) == (change == "nothing") == (generation == table.generation)
        rows, status, _ = RowSlots(table, block, add=True, binary=False, n=None).rows(0)
        assert (rows.count, status) == (50, kernel.OK)
        got = [table.key(slot) for slot in rows.slots[: rows.indptr[50]]]
        assert got == block.keys[: block.indptr[50]].tolist()
        reader.close()


SMALL_FIRST = [
    f"{line.split()[0]} {1 + r % 50}:1 {line.split(maxsplit=1)[1]}" if Random(r).random() < 0.3 else line
    for r, line in enumerate(LARGE)
]


@pytest.mark.some(1)
@slow
@pytest.mark.parametrize("learner", [mb.Winnow2, mb.Perceptron])
def test_blocks_that_begin_with_a_small_id_are_not_looked_up_ahead_and_learned_alike(
    tmp_path: Path, learner: Any
) -> None:
    """A chunk that is filled again does not keep the slots of the rows that it had before."""
    path = tmp_path / "x.svm"
    path.write_text("".join(SMALL_FIRST))
    files = []
    for threads in (1, 2, 3):
        model, ledger = learner(), Ledger()
        for _ in range(2):
            learn_stream(model, LibsvmReader(path, block_bytes=600), ledger, threads=threads)
        out = tmp_path / f"{threads}.mb"
        model.save(out, ledger=ledger)
        files.append(out.read_bytes())
    assert len({*files}) == 1


def learned(learner: Any, path: Path, skip: Any = None) -> Ledger:
    ledger = Ledger(learner.labels)
    with open_stream(path) as reader:
        learn_stream(learner, reader, ledger, skip=skip)
    return ledger


@pytest.mark.parametrize("learner", [mb.Winnow2, mb.Perceptron])
def test_a_bad_label_among_rows_of_known_large_ids(tmp_path: Path, learner: Any) -> None:
    """Such rows are not looked at one by one, and still a label that is neither of the two is told with its line."""
    good, bad = tmp_path / "good.svm", tmp_path / "bad.svm"
    good.write_text("".join(LARGE[:40]))
    bad.write_text("".join([*LARGE[:25], "7 " + LARGE[25].split(maxsplit=1)[1], *LARGE[25:40]]))
    model, skipping, twin = learner(), learner(), learner()
    for each in (model, skipping, twin):
        learned(each, good)
    with pytest.raises(mb.BadData) as caught:
        learned(model, bad)
    assert (caught.value.line, caught.value.source) == (26, str(bad))
    skipped: list[mb.BadData] = []
    ledger = learned(skipping, bad, skipped.append)
    assert [error.line for error in skipped] == [26]
    wanted = learned(twin, good)
    assert (ledger.trials, ledger.mistakes) == (wanted.trials, wanted.mistakes) == (40, wanted.mistakes)
    assert skipping.weights() == twin.weights()


def test_a_zero_among_known_large_ids_has_not_appeared(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_text("1 10000000000:1 20000000000:1\n-1 10000000000:1 20000000000:0\n1 20000000000:1\n" * 3)
    rows = [({"10000000000", "20000000000"}, 1), ({"10000000000"}, 0), ({"20000000000"}, 1)] * 3
    learner, twin = mb.Winnow2(alpha=2.0, theta=1.0), NaiveWinnow2(2.0, 1.0, False, ">")
    for _ in range(2):
        ledger = learned(learner, path)
        assert ledger.mistakes == sum(twin.learn(active, label) != label for active, label in rows)
        assert learner.weights() == {name: float(weight) for name, weight in twin.w.items()}


def test_the_keys_of_a_block_are_widened_once_however_many_rows_are_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = 300
    block = Block(rows, array("q", range(rows + 1)), array("I", [7] * rows), array("d", [2.0] * rows))
    block.tokens, block.label_tokens = array("i", [0] * rows), [b"1"]
    wide, calls = Block.wide_keys, []
    monkeypatch.setattr(Block, "wide_keys", lambda block: calls.append(block) or wide(block))
    skipped: list[mb.BadData] = []
    mb.Winnow2().learn_block(block, None, array("b", bytes(rows)), skipped.append)
    assert (len(skipped), len(calls)) == (rows, 1)
