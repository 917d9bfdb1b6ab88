"""The streams that the benchmarks read, as libsvm and as Vowpal Wabbit text; the same for ever, from seeds."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from mistakebound.io.synthetic import write_stream

ROWS = 300_000
SEED = 1
SHAPES = {  # attributes, active ones a row
    "a": (1_000_000, 60), "b": (10_000, 100), "wide": (10_000_000, 60), "2^16": (1 << 16, 60), "2^34": (1 << 34, 60),
}  # fmt: skip
RELEVANT = 10
# Long ids keep their order and are spread over the numbers of 19 digits.
LONG_ID, LONG_STEP = 10**18, 8 * 10**12 + 7

Tokens = list[str]


def stream(folder: Path, name: str, rows: int) -> Path:
    """The libsvm file of this name with so many rows (a4: four times), made when it is not there."""
    path = folder / f"{name.replace(' ', '-')}-{rows}.svm"
    if path.exists():
        return path
    if name in SHAPES:
        n, active = SHAPES[name]
        write_stream(path, n=n, active=active, relevant=RELEVANT, rows=rows, seed=SEED)
    elif name == "a4":
        _write(path, (stream(folder, "a", rows).read_bytes() for _ in range(4)))
    else:
        plain, change = CHANGES[name]
        _write(path, _changed(stream(folder, plain, rows), change()))
    return path


def as_vw(path: Path) -> Path:
    """The same rows in Vowpal Wabbit's text: `1 | 3 17`, a value where it is not 1."""
    vw = path.with_suffix(".vw")
    if not vw.exists():
        _write(vw, _in_vw(path))
    return vw


def _in_vw(path: Path) -> Iterator[bytes]:
    with open(path, encoding="ascii") as lines:
        for line in lines:
            label, _, tokens = line.partition(" ")
            tokens = tokens.replace(":1 ", " ").replace(":1\n", "\n")
            yield f"{label.removeprefix('+')} | {tokens}".encode()


def _changed(path: Path, change: Callable[[Tokens], Tokens]) -> Iterator[bytes]:
    with open(path, encoding="ascii") as lines:
        for line in lines:
            label, *tokens = line.split()
            yield f"{' '.join([label, *change(tokens)])}\n".encode()


def _unsorted() -> Callable[[Tokens], Tokens]:
    draw = random.Random(SEED)

    def change(tokens: Tokens) -> Tokens:
        draw.shuffle(tokens)
        return tokens

    return change


def _decimal() -> Callable[[Tokens], Tokens]:
    draw = random.Random(SEED)
    values = [f":{draw.uniform(0.001, 1):.6g}" for _ in range(9973)]
    place = 0

    def change(tokens: Tokens) -> Tokens:
        nonlocal place
        place = (place + len(tokens)) % (len(values) - len(tokens))
        return [token.removesuffix(":1") + value for token, value in zip(tokens, values[place:], strict=False)]

    return change


def _long_ids() -> Callable[[Tokens], Tokens]:
    return lambda tokens: [f"{LONG_ID + int(token.removesuffix(':1')) * LONG_STEP}:1" for token in tokens]


def _spread() -> Callable[[Tokens], Tokens]:
    ids = sorted(random.Random(SEED).sample(range(1, (1 << 34) + 1), 1 << 16))
    return lambda tokens: [f"{ids[int(token.removesuffix(':1')) - 1]}:1" for token in tokens]


CHANGES = {  # the stream that is changed, and how
    "unsorted": ("a", _unsorted),
    "decimal": ("a", _decimal),
    "long-ids": ("a", _long_ids),
    "2^16 of 2^34": ("2^16", _spread),
}


def _write(path: Path, parts: Iterable[bytes]) -> None:
    partial = path.with_suffix(f".{os.getpid()}.part")
    with open(partial, "wb", buffering=1 << 20) as file:
        file.writelines(parts)
    os.replace(partial, path)
