"""Formats told by name and first line, the same whatever way the bytes come in."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mistakebound as mb
from mistakebound.core.errors import BadData, BadParameter
from mistakebound.io import open_stream
from mistakebound.io.formats import first_line, format_of, formats_of_line
from mistakebound.io.source import OTHER_FILES, Source
from zstd_module import zstd

LINES = [
    (b"+1 3:1 17:0.5", ("libsvm",)),
    (b"spam\t3:1\t4:1", ("libsvm",)),
    (b"3:1 4:1", ("libsvm",)),
    (b"1 qid:3 4:1 # comma, bar | tab\t", ("libsvm",)),
    (b"1", ("libsvm",)),
    (b"1 |f a b", ("vw",)),
    (b"| a, b", ("vw",)),
    (b"-1 2.5 'tag|f a,b\tc", ("vw",)),
    (b"spam | a b", ("vw",)),
    (b"spam | a,b", ("vw",)),
    (b"id|sum\tlabel", ("csv",)),
    (b"id;sum;label", ("csv",)),
    (b"id|sum|label", ("csv",)),
    (b"age,label", ("csv",)),
    (b"1,3:1 4:1", ("csv",)),
    (b"age\tlabel", ("tsv",)),
    (b"age,years\tlabel", ("csv",)),
    (b"ham\tsee you at home", ("text",)),
    (b'{"label": 1}', ("jsonl",)),
    (b'[ {"label": 1},', ("jsonl",)),
    (b"[", ("jsonl",)),
    (b"@RELATION weather", ("arff",)),
    (b"% a comment of Weka", ("arff",)),
    (b"@handle", ("libsvm",)),  # a lone label
    (b"one two", ()),
    (b"1 3:x", ()),
    (b"1 -3:1", ()),
]


@pytest.mark.parametrize(("line", "formats"), LINES)
def test_a_line(line: bytes, formats: tuple[str, ...]) -> None:
    assert formats_of_line(line) == formats


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd.compress])
@pytest.mark.parametrize(("line", "formats"), LINES)
def test_a_file_without_an_ending(tmp_path: Path, line: bytes, formats: tuple[str, ...], pack) -> None:
    path = tmp_path / "data"
    path.write_bytes(pack(b"\xef\xbb\xbf\n \r\n# a, b | c\n" + line + b"\r\nrest\n"))
    with_source = Source(path)
    try:
        if len(formats) == 1:
            assert format_of(with_source) == formats[0]
        else:
            which = " or ".join(formats or ("libsvm", "vw", "csv", "tsv"))
            with pytest.raises(BadParameter) as e:
                format_of(with_source)
            text = f"--format must be given ({which}): neither the name of {path} nor its first line tells it: "
            assert str(e.value) == text + repr(line.decode())
    finally:
        with_source.close()


def test_a_name_decides_before_the_content(tmp_path: Path) -> None:
    path = tmp_path / "x.svm"
    path.write_bytes(b"1 | a\n")
    with pytest.raises(BadData, match=r"x\.svm:1: '\|' is not attribute:value"):
        list(open_stream(path))
    assert [block.rows for block in open_stream(path, {"format": "vw"})] == [1]


@pytest.mark.parametrize("text", [b"", b"\n\n", b" \r\n", b"\xef\xbb\xbf"])
def test_nothing_in_it_is_nothing_in_any_format(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(text)
    assert list(open_stream(path)) == []
    assert list(open_stream(path, {"format": "vw", "remembered": True})) == []


@given(st.binary(max_size=300).filter(lambda text: not text.startswith((*OTHER_FILES,))), st.integers(1, 50))
def test_looking_loses_nothing(text: bytes, size: int) -> None:
    read, write = os.pipe()
    os.write(write, text)
    os.close(write)
    source = Source(f"/dev/fd/{read}")
    os.close(read)
    try:
        line = first_line(source)
    except BadData:
        line = None
    got, buffer = [], bytearray(size)
    try:
        while count := source.read_into(memoryview(buffer)):
            got.append(bytes(buffer[:count]))
    except BadData:
        return
    finally:
        source.close()
    assert b"".join(got) == text
    assert line is not None
    assert line in text


def test_standard_input_that_comes_slowly() -> None:
    script = """
from mistakebound.io import open_stream
stream = open_stream("-")
print(stream.settings["format"], sum(block.rows for block in stream))
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    for byte in b"\n1 |f a\n-1 |f b\n":
        child.stdin.write(bytes([byte]))
        child.stdin.flush()
    out, _ = child.communicate()
    assert out.split() == [b"vw", b"2"]


def test_a_long_beginning_without_a_line_is_not_read_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"# note\n" * 600_000 + b"1 | a\n")
    source = Source(path)
    assert format_of(source) == "libsvm"
    assert source.position < 2 << 20
    source.close()


SENTENCES = "ham\tsee you at home\nspam\tfree prize for you\nham\tok\n"


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (SENTENCES, "text"),
        (SENTENCES.replace("\n", "\r\n"), "text"),
        ("label\ttext\n" + 4 * SENTENCES, "tsv"),  # its header would be a row
        ("spam\tyou have won\n" + 4 * "ham\tsee you at home\n", "text"),  # a label that comes only once so far
        ("country\tinhabitants in millions\nFrance\t68\nItaly\t59\n", "tsv"),
        ("a\tb\tc\n" + SENTENCES, "tsv"),
        ("New York\tthe big apple\nLos Angeles\tcity of angels\nNew Orleans\tthe big easy\n", "tsv"),
        ("ham\tsee you at home\n", "tsv"),
    ],
)
def test_labelled_text_that_is_called_a_table(tmp_path: Path, text: str, format: str) -> None:
    path = tmp_path / "mails.tsv"
    path.write_bytes(text.encode())
    with closing(Source(str(path))) as source:
        assert format_of(source) == format


def test_a_model_of_text_takes_files_that_are_called_tables(tmp_path: Path) -> None:
    path, other = tmp_path / "mails.tsv", tmp_path / "new.tsv"
    path.write_text(SENTENCES * 20)
    other.write_text("see you\nfree prize\n")
    model = mb.learn(path, fast=True)
    assert model.labels == ("ham", "spam")
    assert model.predict(path)[:3] == ["ham", "spam", "ham"]
    assert model.predict(other) == ["ham", "spam"]
