"""Nasty files through the command line: an error with file and line, or a meaning that is written down here."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path

import pytest

import mistakebound as mb
from mistakebound.cli import main
from zstd_module import zstd

ARFF = b"@relation r\n@attribute y {0,1}\n@attribute c {a,'b c',d}\n@attribute n numeric\n@data\n"
GOOD = {
    "svm": b"1 1:1\n0 2:1\n", "vw": b"1 | a\n0 | b\n", "csv": b"y,c\n1,a\n0,b\n", "tsv": b"y\tc\n1\ta\n0\tb\n",
    "arff": ARFF + b"1,a,2\n0,'b c',?\n", "jsonl": b'{"y": 1, "c": "a"}\n{"y": 0, "n": 2}\n',
    "txt": b"1\tfree entry\n0\tok\n",
}  # fmt: skip
LINE = {"svm": 3, "vw": 3, "csv": 4, "tsv": 4, "arff": 8, "jsonl": 3, "txt": 3}  # of what stands behind the good rows


def how_to_read(path: Path) -> list[str]:
    format = path.name.split(".")[1]
    return ["--format", "text"] if format == "txt" else ["--label", "y"] if format not in ("svm", "vw") else []


def learn(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["learn", str(path), "--learner", "perceptron", "--json", *how_to_read(path), *words])
    said = capsys.readouterr()
    return code, said.out, said.err


BAD = [
    ("svm", b"1 1:nan"), ("svm", b"1 1:inf"), ("svm", b"1 1:1e400"), ("svm", b"1 18446744073709551616:1"),
    ("svm", b"1 -1:1"), ("svm", b"1 1:\0"), ("svm", b"\0"), ("svm", b"\xff\xfe 1:1"), ("svm", b"1 1:1 1:1"),
    ("svm", b"1:1"), ("svm", b"2 1:1"), ("svm", b"1 1:1 \xef\xbb\xbf2:1"), ("svm", b"\xef\xbb\xbf1 1:1"),
    ("svm", b"1 1:1\r1 2:1"), ("svm", b"1 1.0:1"), ("svm", b"1 " + b"9" * 5000 + b":1"),
    ("vw", b"1 | a:nan"), ("vw", b"1 | a:inf"), ("vw", b"1 | a:1e400"), ("vw", b"1 | a\0b"), ("vw", b"1 | \xff"),
    ("vw", b"1"), ("vw", b"1 0 | a"), ("vw", b"1 -1 | a"), ("vw", b"1 nan | a"), ("vw", b"| a"),
    ("vw", b"2 | a"), ("vw", b"1 |n:inf a"), ("vw", b"1 | :1"), ("vw", b"\xef\xbb\xbf1 | a"), ("vw", b"1 2 3 | a"),
    ("vw", b"\xc2\xa0| a"), ("vw", b"\xff| a"),
    ("csv", b"1"), ("csv", b"1,a,b"), ("csv", b",a"), ("csv", b"?,a"), ("csv", b"2,a"), ("csv", b'1,"a'),
    ("csv", b"1,\0"), ("csv", b"1,\xff"), ("csv", b"\xef\xbb\xbf1,a"), ("csv", b"1\ta"),
    ("tsv", b"1"), ("tsv", b"1\ta\tb"), ("tsv", b"1,a"), ("tsv", b"1\t\xff"),
    ("arff", b"1,a"), ("arff", b"1"), ("arff", b"1,a,2,3"), ("arff", b"1,A,2"), ("arff", b"2,a,2"), ("arff", b"?,a,2"),
    ("arff", b"1,a,nan"), ("arff", b"1,a,inf"), ("arff", b"1,a,1e400"), ("arff", b"1,a,0x1"), ("arff", b"1,'a,2"),
    ("arff", b'1,"a,2'), ("arff", b"1,'a'b,2"), ("arff", b"1,a\0,2"), ("arff", b"1,\xff,2"), ("arff", b'\xff,"a,2'),
    ("arff", b"\xef\xbb\xbf1,a,2"), ("arff", b"{0 1"), ("arff", b"{0 1} x"), ("arff", b"{9 1}"),
    ("arff", b"{0 1, 0 1}"),
    ("arff", b"{0 1, 1 'a}"), ("arff", b"{" + b"9" * 5000 + b" 1}"), ("arff", b"{-1 1}"), ("arff", b"{0 1,}"),
    ("arff", b"{0}"), ("arff", b"1,{a},2"), ("arff", b"1,a,2,{5}"), ("arff", b"1,'" + b"x" * 9000 + b"',2"),
    ("jsonl", b"1"), ("jsonl", b"[]"), ("jsonl", b"{"), ("jsonl", b'{"y": 1}}'), ("jsonl", b'{"c": 1}'),
    ("jsonl", b'{"y": null}'), ("jsonl", b'{"y": "?"}'), ("jsonl", b'{"y": 2}'), ("jsonl", b'{"y": [1]}'),
    ("jsonl", b'{"y": 1, "a": NaN}'), ("jsonl", b'{"y": 1, "a": Infinity}'), ("jsonl", b'{"y": 1, "a": 1e400}'),
    ("jsonl", b'{"y": 1, "a": 1' + b"0" * 400 + b"}"), ("jsonl", b'{"y": 1, "a": ' + b"9" * 5000 + b"}"),
    ("jsonl", b'{"y": 1, "a": 1, "a": 1}'), ("jsonl", b'{"y": 1, "a": "\xff"}'), ("jsonl", b'{"y": 1, "a": "\0"}'),
    ("jsonl", b'\xef\xbb\xbf{"y": 1}'), ("jsonl", b'{"y": 1, "": 3}'), ("jsonl", b'{"y": 1, "a": ["b"], "a=b": 1}'),
    ("jsonl", b'{"y": 1, "a": {"b": 1}, "a.b": 1}'), ("jsonl", b'{"y": 1, "a": [[]]}'),
    ("jsonl", b'{"y": 1, "a": [[1]]}'),
    ("jsonl", b'{"y": "\\ud800"}'), ("jsonl", b"{'y': 1}"), ("jsonl", b'{"y": 1} {"y": 0}'), ("jsonl", b'{"y": 01}'),
    ("jsonl", b'{"y": 1, "a": ' + b"[" * 100_000 + b"}"),
    ("jsonl", b'{"y": 1, "a": ' + b'{"a":' * 3000 + b"1" + b"}" * 3001),
    ("txt", b"1"), ("txt", b"no tab here"), ("txt", b"\ttext"), ("txt", b" \ttext"), ("txt", b"2\ttext"),
    ("txt", b"1\t\xff"),
    ("txt", b"\xff\ta"), ("txt", b"\0\ta"), ("txt", b"\xef\xbb\xbf1\ta"),
]  # fmt: skip


@pytest.mark.parametrize(("format", "line"), BAD)
def test_a_bad_line_is_said_with_file_and_line(
    format: str, line: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, model = tmp_path / f"rows.{format}", tmp_path / "m.mb"
    path.write_bytes(GOOD[format] + line + b"\n")
    code, out, err = learn(path, capsys, "--labels", "0,1", "--model", str(model))
    assert (code, out) == (3, "")
    assert f"{path}:{LINE[format]}: " in err
    assert len(err) < 600
    assert not model.exists()
    code, out, err = learn(path, capsys, "--labels", "0,1", "--on-error", "skip")
    assert code == 0
    assert ('"trials": 2,' in out, '"skipped": 1' in out) == (True, True)
    assert f"skipped: {path}:{LINE[format]}: " in err


MEANS = [
    ("svm", b"", 0), ("svm", b"\n\n  \n# no row\n", 0), ("svm", b"1", 1), ("svm", b"1 1:1\r\n0 2:1\r\n", 2),
    ("svm", b"\xef\xbb\xbf1 1:1\n0 2:1", 2), ("svm", b"1\t1:1\t\t2:1\n", 1), ("svm", b"1 1:-0 2:1e-400\n", 1),
    ("svm", b"1 0:1 9223372036854775807:1\n", 1), ("svm", b"1 1:1 # \xff\0\n", 1),
    ("vw", b"", 0), ("vw", b"\n \n", 0), ("vw", b"1 |\n0 |n\n", 2), ("vw", b"1 | a\r\n0 | b", 2),
    ("vw", b"\xef\xbb\xbf1 | a\n", 1), ("vw", b"1 2 'tag| a\n", 1), ("vw", b"1 |a b |a c\n", 1),
    ("vw", b"1 | # a\n", 1), ("csv", b"y,c\n", 0), ("csv", b"y,c\r\n1,a\r\n0,b", 2), ("csv", b"y,c\n1,\n", 1),
    ("csv", b"\xef\xbb\xbfy,c\n1,a\n", 1),
    ("csv", b'y,c\n1,"a\nb"\n0,"c, d"\n', 2), ("csv", b"y,c\n\n1,a\n\n", 1), ("csv", b"y,c\n1,nan\n0,1e400\n", 2),
    ("tsv", b"y\tc\n1\ta b\n", 1),
    ("arff", ARFF, 0), ("arff", ARFF + b"\n% 1,a,2\n  \n", 0),
    ("arff", ARFF.replace(b"\n", b"\r\n") + b"1,a,2\r\n0,a,2", 2),
    ("arff", b"\xef\xbb\xbf" + ARFF + b"1,a,-0", 1), ("arff", ARFF + b"{}\n{0 1, 2 7} % so\n{0\t'1'}\n", 3),
    ("arff", ARFF + b"1,?,?\n0,,\n 1 , 'b c' , 1e-400 % remark\n", 3),
    ("arff", ARFF.replace(b"{a,'b c',d}", b"string") + b"1,'a\\nb',2\n0,\"it's\",3\n1,'it\\'s',4\n", 3),
    ("arff", ARFF.replace(b"{a,'b c',d}", b"string") + b"1," + b"x" * 100_000 + b",2\n", 1),
    ("jsonl", b"", 0), ("jsonl", b"\n \r\n", 0), ("jsonl", b'{"y": 1}\r\n{"y": 0}', 2),
    ("jsonl", b'\xef\xbb\xbf{"y": 1}', 1),
    ("jsonl", b'{"y": true, "a": "' + b"x" * 100_000 + b'", "b": -0, "c": 1e-400}', 1), ("jsonl", b' \t{"y":1} ', 1),
    ("jsonl", b'{"y": "1", "a": null, "b": "", "c": "?", "d": [], "e": {}, "f": ["", null, "?"]}', 1),
    ("jsonl", b'{"y": 1, "\\u0000": "\\ud800"}', 1),
    ("jsonl", b'{"y": 1, "18446744073709551616": 1, "0": 2, "00": 3}', 1), ("jsonl", b'{"y": 1, "a": ["b", "b"]}', 1),
    ("txt", b"", 0), ("txt", b"\n \r\n\t\n", 0), ("txt", b"1\ta\r\n0\tb", 2), ("txt", b"\xef\xbb\xbf1\ta", 1),
    ("txt", b"1\t\n0\t...\n1\ta\tb\0c\rd\n", 3), ("txt", b"1\t" + b"word " * 50_000, 1), ("txt", b" 1 \ta\n", 1),
]  # fmt: skip


@pytest.mark.some(25)
@pytest.mark.parametrize(("format", "text", "rows"), MEANS)
def test_an_odd_file_means_so_many_rows(
    format: str, text: bytes, rows: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"rows.{format}"
    for name, data in (
        (path, text),
        (Path(f"{path}.gz"), gzip.compress(text)),
        (Path(f"{path}.zst"), zstd.compress(text)),
    ):
        name.write_bytes(data)
        code, out, err = learn(name, capsys)
        if not rows:
            assert (code, out) == (3, "")
            assert str(name) in err
            continue
        assert (code, err) == (0, "")
        assert f'"trials": {rows},' in out


@pytest.mark.parametrize("format", ["csv", "arff", "parquet", "arrow"])
def test_an_empty_table_has_no_header(format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"rows.{format}"
    path.write_bytes(b"")
    code, _, err = learn(path, capsys)
    assert (code in (0, 2, 3), "\n" in err.strip()) == (True, False)
    assert str(path) in err


@pytest.mark.parametrize("format", GOOD)
def test_very_many_labels(format: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], long: bool) -> None:
    """Each bad, each counted, at its line; the two good rows before them are learned."""
    path, count = tmp_path / f"rows.{format}", 2_000 if long else 500
    many = {
        "svm": b"x%d 1:1\n", "vw": b"x%d | a\n", "csv": b"x%d,a\n", "tsv": b"x%d\ta\n", "arff": b"x%d,a,1\n",
        "jsonl": b'{"y": "x%d", "a": 1}\n', "txt": b"x%d\ta b\n",
    }[format]  # fmt: skip
    path.write_bytes(GOOD[format] + b"".join(many % number for number in range(count)))
    for more in ([], ["--hash", "10"], ["--ignore", "zz*"]) if format in LINES else ([],):
        code, out, err = learn(path, capsys, "--labels", "0,1", "--on-error", "skip", *more)
        assert code == 0
        assert ('"trials": 2,' in out, f'"skipped": {count}' in out) == (True, True)
        assert f"{path}:{LINE[format]}: " in err


def zstd_with_checksum(text: bytes) -> bytes:
    return zstd.compress(text, options={zstd.CompressionParameter.checksum_flag: 1})


@pytest.mark.parametrize("pack", [gzip.compress, zstd_with_checksum])
@pytest.mark.parametrize("format", ["svm", "vw", "csv", "arff", "jsonl", "txt"])
def test_a_packed_file_cut_or_damaged_is_never_read_as_a_whole_one(
    format: str, pack: object, tmp_path: Path, capsys: pytest.CaptureFixture[str], long: bool
) -> None:
    draw = random.Random(7)
    rows = {
        "svm": "{y} {a}:1 {b}:0.5\n", "vw": "{y} | w{a} n{b}:0.5\n", "csv": "{y},w{a},{b}\n", "arff": "{y},w{a},{b}\n",
        "jsonl": '{{"y": {y}, "c": "w{a}", "n": {b}}}\n', "txt": "{y}\tw{a} n{b}\n",
    }[format]  # fmt: skip
    text = {"csv": "y,c,n\n", "arff": ARFF.decode().replace("{a,'b c',d}", "string")}.get(format, "")
    text += "".join(rows.format(y=k % 2, a=draw.randrange(1, 99), b=draw.randrange(100, 999)) for k in range(400))
    data = pack(text.encode())  # type: ignore[operator]
    path = tmp_path / f"rows.{format}.packed"
    count = (15 if format in LINES else 5) if long else (7 if format in LINES else 4)
    ours = [data[: draw.randrange(1, len(data))] for _ in range(count)]
    for _ in range(count):
        changed = bytearray(data)
        changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        ours.append(bytes(changed))
    label = [] if format == "txt" else ["--format", {"svm": "libsvm"}.get(format, format)]
    path.write_bytes(data)
    code, whole, _ = learn(path, capsys, *label)
    assert code == 0
    for damaged in ours:
        path.write_bytes(damaged)
        code, out, err = learn(path, capsys, *label)
        if code == 0:  # a flipped bit of the header that says nothing, as the time in gzip's
            assert without_seconds(out) == without_seconds(whole)
        else:
            assert code in (1, 2, 3)
            assert str(path) in err
            assert out == ""


def without_seconds(out: str) -> list[str]:
    return [part for part in out.split(", ") if "seconds" not in part]


# Linux counts the parent's memory into ru_maxrss of a new process, and the parent may be a large one.
PEAK = """
import os, resource, sys
from mistakebound.cli import main
code = main(sys.argv[1:])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
if os.path.exists("/proc/self/status"):
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print("peak", peak)
sys.exit(code)
"""


def peak_of(*words: str) -> tuple[int, int, str]:
    """(exit code, peak memory in bytes, what it said) of a command in a process of its own."""
    done = subprocess.run([sys.executable, "-c", PEAK, *words], capture_output=True, text=True, check=False)
    peaks = [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("peak")]
    assert peaks, done.stderr[-2000:]
    return done.returncode, 1024 * peaks[0], done.stdout + done.stderr


LONG = 20 << 20  # bytes of a line
WORD = 8 << 20
LINES = {
    "svm": (b"1 1:1", b" 7:1", "appears twice"),
    "vw": (b"1 | a", b" b", None),  # they are added up
    "csv": (b"1,a", b"a", None),
}


@pytest.mark.some(1)
@pytest.mark.parametrize("format", LINES)
def test_a_line_of_20_megabytes(format: str, tmp_path: Path) -> None:
    """It is read or refused with its line, and the memory is a small multiple of it, not of the file."""
    start, part, trouble = LINES[format]
    path = tmp_path / f"rows.{format}"
    label = ["--label", "y"] if format == "csv" else []
    with open(path, "wb") as file:
        file.write(GOOD[format])
        file.write(start + part * (LONG // len(part)) + b"\n")
        file.write(GOOD[format] if format != "csv" else b"1,a\n0,b\n")
    code, peak, said = peak_of("learn", str(path), "--json", "--threads", "1", "--on-error", "skip", *label)
    assert code == 0, said[-500:]
    assert f'"trials": {4 if trouble else 5},' in said
    if trouble:
        assert f"{path}:{LINE[format]}: attribute" in said
        assert trouble in said
    assert len(said) < 5000
    # The line, its entries (a key and a value for every four bytes of libsvm, for every two of VW), what sorts them.
    assert peak < (100 << 20) + 23 * LONG, f"{peak / LONG:.1f} times the line"


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("format", "line"),
    [("svm", b"%s 1:1"), ("vw", b"%s | a"), ("vw", b"1 | %s :2"), ("csv", b"%s,a"), ("tsv", b"%s\ta")],
)
def test_a_word_of_megabytes(format: str, line: bytes, tmp_path: Path) -> None:
    """A label, and a name before one that has none: refused with its line, in a few words."""
    path = tmp_path / f"rows.{format}"
    path.write_bytes(GOOD[format] + line.replace(b"%s", b"x" * (WORD // line.count(b"%s"))) + b"\n")
    label = ["--label", "y"] if format in ("csv", "tsv") else []
    code, peak, said = peak_of("learn", str(path), "--json", "--threads", "1", "--labels", "0,1", *label)
    assert code == 3
    assert f"{path}:{LINE[format]}: " in said
    assert len(said) < 1000
    assert peak < 500 << 20


def test_a_file_of_many_blocks_takes_no_more_memory_than_one_of_few(tmp_path: Path) -> None:
    peaks = []
    for times in (1, 8):
        path = tmp_path / f"{times}.svm"
        path.write_bytes(
            b"".join(b"%d %d:1 %d:1\n" % (k % 2, 1 + k % 997, 1000 + k % 991) for k in range(100_000)) * times
        )
        code, peak, said = peak_of("learn", str(path), "--learner", "perceptron", "--json", "--threads", "1")
        assert code == 0, said
        peaks.append(peak)
    assert peaks[1] < peaks[0] + (24 << 20)


def test_a_learner_is_as_before_when_a_file_was_bad(tmp_path: Path) -> None:
    """`learn --from` of a bad file leaves the model that is there as it is."""
    rows, bad, model = tmp_path / "rows.svm", tmp_path / "bad.svm", tmp_path / "m.mb"
    rows.write_bytes(GOOD["svm"])
    bad.write_bytes(GOOD["svm"] + b"1 x:1\n")
    assert main(["learn", str(rows), "--model", str(model), "--quiet"]) == 0
    before = model.read_bytes()
    assert main(["learn", str(bad), "--from", str(model), "--model", str(model), "--quiet"]) == 3
    assert model.read_bytes() == before
    assert mb.load(model).ledger.trials == 2
