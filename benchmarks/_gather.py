"""The least that a learner can do with rows: a C loop that only gathers the weights and adds them up."""

from __future__ import annotations

import ctypes
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SOURCE = """
#include <stdint.h>
#define GATHER(NAME, TYPE) \\
int64_t NAME(const int32_t *column, const int32_t *start, int64_t rows, const TYPE *weight, double theta) { \\
    int64_t above = 0; \\
    for (int64_t r = 0; r < rows; r++) { \\
        double sum = 0; \\
        for (int32_t k = start[r]; k < start[r + 1]; k++) sum += weight[column[k]]; \\
        above += sum > theta; \\
    } \\
    return above; \\
}
GATHER(gather_float32, float)
GATHER(gather_float64, double)
"""


class NoCompiler(Exception):
    pass


def gather(X: Any, width: str) -> Callable[[], int]:
    """A loop over the rows of X with weights of this width, "float32" or "float64"; NoCompiler where there is none."""
    loop = _compiled()[f"gather_{width}"]
    loop.restype = ctypes.c_int64
    columns, starts = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    weights = np.full(X.shape[1], 0.01, dtype=width)

    def run() -> int:
        return int(
            loop(
                ctypes.c_void_p(columns.ctypes.data),
                ctypes.c_void_p(starts.ctypes.data),
                ctypes.c_int64(X.shape[0]),
                ctypes.c_void_p(weights.ctypes.data),
                ctypes.c_double(1.0),
            )
        )

    return run


def _compiled() -> ctypes.CDLL:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "gather.c"), Path(folder, "gather.so")
        source.write_text(SOURCE)
        try:
            subprocess.run([compiler, "-O3", "-shared", "-fPIC", source, "-o", library], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NoCompiler(str(error)) from error
        return ctypes.CDLL(str(library))
