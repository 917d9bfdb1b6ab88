"""Text files of every format made wrong: good rows, then bytes changed, cut, doubled and words of trouble put in."""

from __future__ import annotations

import random

Draw = random.Random

# What has hurt parsers before.
TROUBLE = [
    b"nan", b"NaN", b"inf", b"-inf", b"Infinity", b"1e400", b"-1e400", b"1e-400", b"1e", b"1e+", b"0x10", b"1_000",
    b"--1", b"+-1", b".", b"-", b"+", b"1.2.3", b"00", b"-0", b"18446744073709551616", b"18446744073709551615",
    b"9223372036854775808", b"9223372036854775807", b"-3", b"4294967296", b"99999999999999999999999999999999", b"0",
    b"\0", b"\r", b"\r\n", b"\n", b"\n\n", b"\n\r\n", b"\t", b"  ", b" \t ", b"\x0b", b"\x0c", b"\x1a", b"\x7f",
    b"\x85", b"\xa0", b"\xc2\xa0", b"\xff", b"\xfe\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80",
    b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"#", b"# x", b":", b"::", b":1", b"1:", b"1:1", b"1:1:1", b"qid:1", b"qid:",
    b"|", b"||", b"| ", b"|n:2 a", b"|:2", b"'tag", b"'", b'"', b'""', b'"a\nb"', b",", b",,", b"?", b" ? ", b"NA",
    b"null", b"\\N", b"=", b"^", b"1 " * 40, b"7:1 " * 40, b"x" * 300, b"9" * 400, b"1:0." + b"0" * 300 + b"1",
    b"\\", b"{", b"}", b"[", b"]", b"%", b'"a": 1', b"\\ud800", b"[" * 50, b"{0 1}", b"\\n",
]  # fmt: skip


def libsvm(draw: Draw) -> bytes:
    rows = []
    for _ in range(draw.randrange(1, 12)):
        ids = sorted(draw.sample(range(1, draw.choice([9, 99, 10**7])), draw.randrange(8)))
        values = [draw.choice(["1", "1", "1", "0.5", "-2e3", "1.0"]) for _ in ids]
        entries = [f"{name}:{value}" for name, value in zip(ids, values, strict=True)]
        rows.append(" ".join([draw.choice(["+1", "-1", "1", "0", "-1"]), *entries]))
    return "\n".join(rows).encode() + draw.choice([b"\n", b"\n", b"", b"\r\n"])


def vw(draw: Draw) -> bytes:
    words = ["free", "now", "7", "12345678", "é", "a^b", "lunch", "x" * 20]
    rows = []
    for _ in range(draw.randrange(1, 12)):
        head = draw.choice(["1", "-1", "1 2.5", "-1 0.5 'tag", "1 'tag"])
        spaces = []
        for _ in range(draw.randrange(1, 3)):
            space = draw.choice(["|", "| ", "|n ", "|long:0.5 "])
            names = [word + draw.choice(["", "", ":1", ":0.25"]) for word in draw.sample(words, draw.randrange(6))]
            spaces.append(space + " ".join(names))
        rows.append(f"{head} {' '.join(spaces)}")
    return "\n".join(rows).encode() + draw.choice([b"\n", b"\n", b"", b"\r\n"])


def table(draw: Draw, delimiter: str) -> bytes:
    rows = []
    for _ in range(draw.randrange(1, 12)):
        cells = [
            draw.choice(["1", "2.5", "-3e2", "", "?"]),
            draw.choice(["red", "blue", "", "?", '"a, b"', '"say ""hi"""']),
            draw.choice(["0", "1"]),
            draw.choice(["x", "10", "é"]),
        ]
        rows.append(delimiter.join(cells))
    text = "\n".join([delimiter.join(["n", "colour", "y", "mixed"]), *rows]).encode()
    return text + draw.choice([b"\n", b"\n", b"", b"\r\n"])


ARFF_HEAD = """% made up
@relation 'a b'
@ATTRIBUTE n Real
@attribute colour {red, 'dark blue', "it's", '?', ' a'}
@attribute y {0,1}

@attribute s string
@DATA
"""


def arff(draw: Draw) -> bytes:
    rows = []
    for _ in range(draw.randrange(1, 12)):
        cells = [
            draw.choice(["1", "2.5", "-3e2", "?", "'7'"]),
            draw.choice(["red", "'dark blue'", '"it\'s"', "'it\\'s'", "?", "green", "' a'"]),
            draw.choice(["0", "1", "'1'"]),
            draw.choice(["x", "é", "'a, b'", "'two\\nlines'", '"say \\"hi\\""', "'tab\\t'", "?"]),
        ]
        if draw.random() < 0.3:
            some = sorted(draw.sample(range(4), draw.randrange(5)))
            rows.append("{" + ", ".join(f"{place} {cells[place]}" for place in some) + "}")
        else:
            rows.append(draw.choice([",", ", ", " , "]).join(cells) + draw.choice(["", "", " % remark"]))
    return (ARFF_HEAD + "\n".join(rows)).encode() + draw.choice([b"\n", b"\n", b"", b"\r\n"])


def jsonl(draw: Draw) -> bytes:
    values = [
        "1",
        "-2.5e3",
        "true",
        "null",
        '"a b"',
        '""',
        '" ? "',
        '"7"',
        '["x", 3, null]',
        '{"age": 4, "new": false}',
        "[]",
    ]
    rows = []
    for _ in range(draw.randrange(1, 12)):
        members = [f'"y": {draw.choice(["0", "1", "true", chr(34) + "1" + chr(34)])}']
        members += [f'"{name}": {draw.choice(values)}' for name in draw.sample(["a", "é", "n", "a.age", "7", "zip"], 3)]
        members += [f'"w": {draw.choice(["2", "0.5", chr(34) + "3" + chr(34)])}'] * (draw.random() < 0.9)
        draw.shuffle(members)
        rows.append("{" + ", ".join(members) + "}")
    return "\n".join(rows).encode() + draw.choice([b"\n", b"\n", b"", b"\r\n"])


def labelled_text(draw: Draw) -> bytes:
    words = ["Free", "entry", "don't", "NOW!", "100€", "été", "it’s", "a_b", "...", "Straße", "İ", "x" * 20, "'quoted'"]
    rows = []
    for _ in range(draw.randrange(1, 12)):
        said = draw.choice([" ", "  ", "\t"]).join(draw.choices(words, k=draw.randrange(9)))
        rows.append(f"{draw.choice(['0', '1', ' 1 '])}\t{said}")
    return "\n".join(rows).encode() + draw.choice([b"\n", b"\n", b"", b"\r\n"])


MAKERS = {
    "libsvm": libsvm,
    "vw": vw,
    "csv": lambda draw: table(draw, ","),
    "tsv": lambda draw: table(draw, "\t"),
    "arff": arff,
    "jsonl": jsonl,
    "text": labelled_text,
}


def header_length(format: str, text: bytes) -> int:
    """Bytes before the first row."""
    if format == "arff":
        return text.index(b"@DATA\n") + len(b"@DATA\n")
    return text.index(b"\n") + 1 if format in ("csv", "tsv") else 0


def changed(text: bytes, draw: Draw, first: int = 0) -> bytes:
    """The text with a few changes, none of them before byte `first`."""
    for _ in range(draw.choice([0, 1, 1, 2, 5])):
        at = draw.randrange(first, max(first, len(text)) + 1)
        end = min(len(text), at + draw.choice([1, 1, 2, 8, 40]))
        kind = draw.randrange(6)
        if kind <= 1:
            text = text[:at] + draw.choice(TROUBLE) + text[at:]
        elif kind == 2:
            text = text[:at] + text[end:]
        elif kind == 3:
            text = text[:at] + text[at:end] * 2 + text[end:]
        elif kind == 4:
            text = text[:at] + draw.randbytes(1) + text[at + 1 :]
        else:
            text = text[:at] + draw.choice(TROUBLE) + text[end:]
    return text


def is_packed(text: bytes) -> bool:
    """Whether a reader would take it for gzip or zstd (a frame, or one that is passed over)."""
    return text[:2] == b"\x1f\x8b" or text[:4] == b"\x28\xb5\x2f\xfd" or text[1:4] == b"\x2a\x4d\x18"
