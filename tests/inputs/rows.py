"""Blocks turned into plain rows, and texts that are good, odd and bad."""

from __future__ import annotations

from hypothesis import strategies as st

from mistakebound.core.block import Block
from mistakebound.io.source import OTHER_FILES
from naive.libsvm_reader import Row


def rows_of(block: Block) -> list[Row]:
    assert block.tokens is not None
    assert block.lines is not None
    rows: list[Row] = []
    for r in range(block.rows):
        span = range(block.indptr[r], block.indptr[r + 1])
        values = [1.0 if block.values is None else block.values[k] for k in span]
        label = block.label_tokens[block.tokens[r]] if block.tokens[r] >= 0 else None
        rows.append((block.lines[r], label, [(block.keys[k], v) for k, v in zip(span, values, strict=True)]))
    return rows


ids = st.one_of(
    st.integers(0, 30),
    st.integers(0, 2**63 - 1),
    st.builds(lambda d, k: d * 10**k, st.integers(1, 9), st.integers(0, 18)),
).map(str)
numbers = st.one_of(
    st.just("1"),
    st.sampled_from(["0", "-0", "+1", "1.0", ".5", "5.", "1e0", "00.25", "2E-3", "1e-400", "123456789", "1#x"]),
    st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-1000, max_value=1000).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.builds(lambda m, e: f"{m}e{e}", st.integers(-(10**20), 10**20), st.integers(-330, 285)),
    st.builds(lambda a, b: f"{a}.{b}", st.integers(0, 10**9), st.integers(0, 10**20)),
)
entries = st.builds("{}:{}".format, ids, numbers)
odd = st.sampled_from(
    [
        *(
            "x:1",
            "1:x",
            "1",
            ":1",
            "1:",
            "1:nan",
            "1:inf",
            "1:1e400",
            "1:0x1",
            "1:1_0",
            "1:1:1",
            "-1:1",
            "+1:1",
        ),
        *("9223372036854775807:1", "9223372036854775808:1", "18446744073709551616:2", "0" * 25 + "7:1"),
        *(
            "1:--1",
            "1:1e",
            "1:.",
            "1:1.e",
            "1:e5",
            "qid:7",
            "qid:x",
            "qid:",
            "qid:1:1",
            "1:1\r",
            "\x00",
            "\x0b",
        ),
        *(
            "1:1\x00",
            "\r",
            "# note",
            "1:1#2:2",
            "\x7f",
            "1\N{NO-BREAK SPACE}:1",
            "99999999999999999999999999:1",
        ),
    ]
)
labels = st.one_of(
    st.sampled_from(["+1", "-1", "0", "1", "00", "spam", "a_very_long_label", "é", "1.5", "1,2", ""]),
    st.text(st.characters(min_codepoint=33, exclude_characters=":#", codec="utf-8"), min_size=1, max_size=12),
)
gaps = st.sampled_from([" ", " ", " ", "  ", "\t", " \t"])
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", " # c:1\n", "#\r\n", "\r\r\n", "\n\n", "\n  \n", "\n# all\n"])


@st.composite
def lines(draw: st.DrawFn, words: st.SearchStrategy[str] = entries) -> bytes:
    parts = [draw(st.sampled_from(["", "", " ", "\t"])), draw(labels)]
    for word in draw(st.lists(words, max_size=8)):
        parts += [draw(gaps), word]
    return ("".join(parts) + draw(ends)).encode()


def texts(words: st.SearchStrategy[str] = entries) -> st.SearchStrategy[bytes]:
    raw = st.binary(max_size=12).map(lambda b: b + b"\n")
    line = st.one_of(lines(words), lines(words), lines(st.one_of(entries, odd)), raw)
    whole = st.lists(line, max_size=8).map(b"".join)
    either = st.one_of(whole, whole.map(lambda t: t.removesuffix(b"\n")), st.binary(max_size=40))
    other = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x89MBCCH\r\n", *OTHER_FILES  # compressed, a cache, an image
    return either.filter(lambda t: not t.startswith(other))
