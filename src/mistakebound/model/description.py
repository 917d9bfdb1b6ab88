"""What is in a model file: who learned it, from what, and how far."""

from __future__ import annotations

import os

from mistakebound.core import model_file
from mistakebound.model.model import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def describe(path: str) -> dict[str, Any]:
    """The header of a model file, its size, its version and its arrays; BadModel for what is no model of ours."""
    load(path)
    header, arrays = model_file.read(path)
    with open(path, "rb") as file:
        version = int.from_bytes(file.read(12)[8:], "little")
    return {
        "model": path,
        "bytes": os.path.getsize(path),
        "format": version,
        **header,
        "arrays": [
            {"name": name, "type": values.typecode, "count": len(values), "bytes": len(values) * values.itemsize}
            for name, values in arrays.items()
        ],
    }
