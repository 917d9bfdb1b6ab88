"""Names for the buffers that kernels take: an array, or a typed memoryview of anything with the buffer protocol."""

from array import array
from typing import Any, TypeAlias

Ints: TypeAlias = "array[int] | memoryview[int]"
Floats: TypeAlias = "array[float] | memoryview[float]"
AnyBuffer: TypeAlias = Any  # an array, or anything else with the buffer protocol, NumPy's too
