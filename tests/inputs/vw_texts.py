"""VW blocks turned into plain rows, and texts that are good, odd and bad."""

from __future__ import annotations

from hypothesis import strategies as st

from inputs.rows import numbers
from mistakebound.core.block import Block
from mistakebound.io.source import OTHER_FILES
from naive.vw_reader import Row


def rows_of(block: Block) -> list[Row]:
    assert block.tokens is not None
    assert block.lines is not None
    assert block.columns is not None
    names = block.columns.texts()
    assert len(set(names)) == len(names)
    rows: list[Row] = []
    for r in range(block.rows):
        span = range(block.indptr[r], block.indptr[r + 1])
        entries = [(names[block.keys[k]], 1.0 if block.values is None else block.values[k]) for k in span]
        label = block.label_tokens[block.tokens[r]] if block.tokens[r] >= 0 else None
        weight = 1.0 if block.weights is None else block.weights[r]
        rows.append((block.lines[r], label, weight, entries))
    return rows


names = st.one_of(
    st.sampled_from(
        ["a", "b", "7", "12345678", "123456789", "n^a", "it's", "#", "é", "a^b^c", "x" * 16, "x" * 17, "^"]
    ),
    st.text(st.characters(min_codepoint=33, exclude_characters=":|", codec="utf-8"), min_size=1, max_size=20),
    st.integers(0, 2000).map(str),
)
numbers = st.one_of(numbers.filter(lambda text: "#" not in text), st.sampled_from(["1", "1.0", "0.5", "-3", "1e400"]))
attributes = st.one_of(names, st.builds("{}:{}".format, names, numbers))
odd = st.sampled_from(
    [":1", "a:", "a::1", "a:1:2", "a:nan", "a:inf", "a:1e400", "a:0x1", "a:1#", "\x00", "a\x00b", "a\r", "\x0b", "'"]
)
spaces = st.one_of(
    st.sampled_from(["", "", "", "n", "name", "longername", "n:2", "n:0.5", "n:1e300", "n:x", ":2", "n:", "'t", "é"]),
    names,
)
gaps = st.sampled_from([" ", " ", " ", "  ", "\t", " \t"])
heads = st.one_of(
    st.sampled_from(
        [
            *("1 ", "-1 ", "0 ", "+1 ", "spam ", "1 2 ", "1 0.5 'tag ", "1 tag", "1 2 tag", "'tag ", "tag", "", " "),
            *("1", "1 0 ", "1 -1 ", "1 x ", "1 2 3 ", "1 2 3 4 ", "1:2.0 3:1 ", "1,2 ", "'a 1 ", "1\t", "1 nan "),
        ]
    ),
    names.map(lambda name: name + " "),
)
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\t\r\n", "\r\r\n", "\n\n", "\n \t\n"])


@st.composite
def lines(draw: st.DrawFn, words: st.SearchStrategy[str] = attributes) -> bytes:
    parts = [draw(st.sampled_from(["", "", " ", "\t"])), draw(heads)]
    for _ in range(draw(st.integers(0, 3)) or 1):
        parts += ["|", draw(spaces)]
        for word in draw(st.lists(words, max_size=5)):
            parts += [draw(gaps), word]
    return ("".join(parts) + draw(ends)).encode(errors="surrogatepass")


def texts() -> st.SearchStrategy[bytes]:
    raw = st.binary(max_size=12).map(lambda b: b + b"\n")
    line = st.one_of(lines(), lines(), lines(), lines(st.one_of(attributes, odd)), raw, raw.map(lambda b: b"1 |" + b))
    whole = st.lists(line, max_size=8).map(b"".join)
    either = st.one_of(whole, whole, whole.map(lambda t: t.removesuffix(b"\n")), st.binary(max_size=40))
    other = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x89MBCCH\r\n", *OTHER_FILES  # compressed, a cache, an image
    return either.filter(lambda t: not t.startswith(other))
