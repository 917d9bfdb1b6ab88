from typing_extensions import Buffer

class KeyRows:
    widest: int
    def __init__(self, indptr: Buffer, keys: Buffer, values: Buffer, rows: int) -> None: ...

class NewRows:
    def __init__(self, indptr: Buffer, keys: Buffer, values: Buffer) -> None: ...
