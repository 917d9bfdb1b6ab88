from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints

START: int
PLAIN: int
QUOTED: int
CLOSED: int
NUL: int
RETURN: int
BEHIND: int
UNCLOSED: int
TORN: int
COUNT: int
RECORDS: int
LINES: int

def last_end(text: Buffer, start: int, stop: int, delimiter: int, mode: Buffer) -> int: ...
def scan(text: Buffer, start: int, end: int, delimiter: int, width: int, found: Ints, state: Ints) -> int: ...
