"""The least that counting words can do: a C loop over sparse rows that adds each number to a table."""

from __future__ import annotations

import ctypes
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _gather import NoCompiler

SOURCE = """
#include <stdint.h>
void count_words(const int32_t *start, const int32_t *column, const int64_t *value, const int64_t *label, int64_t rows,
                 int64_t classes, double *counts) {
    for (int64_t r = 0; r < rows; r++)
        for (int32_t k = start[r]; k < start[r + 1]; k++)
            counts[column[k] * classes + label[r]] += value[k];
}
"""


def word_loop(X: Any, y: Any, classes: int) -> Callable[[], Any]:
    """A call that counts the words of X (CSR, 64-bit counts) by class; NoCompiler where there is none."""
    loop = _compiled().count_words
    loop.restype = None

    def run() -> Any:
        counts = np.zeros((X.shape[1], classes))
        pointers = [ctypes.c_void_p(part.ctypes.data) for part in (X.indptr, X.indices, X.data, y)]
        loop(*pointers, ctypes.c_int64(X.shape[0]), ctypes.c_int64(classes), ctypes.c_void_p(counts.ctypes.data))
        return counts

    return run


def _compiled() -> ctypes.CDLL:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "words.c"), Path(folder, "words.so")
        source.write_text(SOURCE)
        try:
            subprocess.run([compiler, "-O3", "-shared", "-fPIC", source, "-o", library], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NoCompiler(str(error)) from error
        return ctypes.CDLL(str(library))
