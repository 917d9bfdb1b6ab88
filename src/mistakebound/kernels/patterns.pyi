from typing_extensions import Buffer

from mistakebound.kernels._buffers import Ints
from mistakebound.kernels.key_rows import KeyRows, NewRows

CAPACITY: int
ANY: int
STAR: int
SET: int

def match_names(blob: Buffer, ends: Ints, count: int, program: Ints, out: Buffer) -> int: ...
def match_ids(keys: Ints, entries: int, program: Ints, digits: Buffer, out: Buffer) -> int: ...
def drop(rows: KeyRows, dropped: Buffer, by_key: bool, out: NewRows) -> int: ...
