"""Numba is imported whole, by several threads at once too; types of arrays are its own, without masked ones."""

import subprocess
import sys
from typing import Any

import numba
import numpy as np
import pytest

from wavediff.core.jit import quiet_numba  # noqa: F401 (its types of arrays are those of Numba then)
from wavediff.core.system.program import ROOT

WORDS = np.arange(24, dtype=np.uint64)
ARRAYS: dict[str, Any] = {
    **{one: np.zeros(2, one) for one in ("?", "i1", "u1", "i2", "u4", "i8", "u8", "f4", "f8", "c16", "M8[s]", "i4,f8")},
    "no element": np.zeros(0, np.int64),
    "no axis": np.array(7),
    "three axes": WORDS.reshape(2, 3, 4),
    "columns": WORDS.reshape(6, 4).T,
    "strides": WORDS[::2],
    "backwards": WORDS[::-1],
}


class Own(np.ndarray):
    """A kind of array that is left to Numba."""


@pytest.mark.parametrize("writeable", [True, False])
@pytest.mark.parametrize("name", ARRAYS)
def test_types_of_arrays_are_numbas(name, writeable):
    array = ARRAYS[name].view()
    array.flags.writeable = writeable
    found = numba.typeof(array)
    assert found == numba.typeof(array.view(Own))
    assert found.mutable is writeable


@pytest.mark.parametrize("array", [np.ma.masked_array(WORDS), np.zeros(2, ">i4")])
def test_what_numba_refuses_is_refused(array):
    with pytest.raises((numba.core.errors.NumbaError, ValueError)):
        numba.typeof(array)


ENTERED_MEANWHILE = (
    "wavediff.core.jit.atomics_ir",
    "wavediff.core.jit.kernel_cache",
    "wavediff.core.jit.simd_ir",
    "wavediff.core.kernels.affine.vectors_ir",
    "wavediff.core.kernels.search.simd_steps_ir",
)
# Numba imports this module of its own in the middle. The others have time to reach it, and are to wait for all of it.
IMPORT_IN_THREADS = """
import functools, importlib.machinery, sys, threading
wrong, threads = [], []
def work(name):
    try:
        importlib.import_module(name)
    except Exception as error:
        wrong.append(f"{name}: {error!r}")
def begin_threads(run, module):
    threads.extend(threading.Thread(target=work, args=(one,), name=one) for one in sys.argv[1:])
    InTheMiddle.is_waiting = True
    for one in threads: one.start()
    for one in threads: one.join(0.05)
    InTheMiddle.is_waiting = False
    run(module)
class InTheMiddle:
    is_waiting = False
    def find_spec(self, name, path=None, target=None):
        if self.is_waiting and name.startswith("numba"):
            wrong.append(f"{threading.current_thread().name} imports {name}")
        if name == "numba.misc.special" and not threads:
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            spec.loader.exec_module = functools.partial(begin_threads, spec.loader.exec_module)
            return spec
sys.meta_path.insert(0, InTheMiddle())
work("wavediff.core.jit.quiet_numba")
for one in threads: one.join()
sys.exit("\\n".join(wrong or ["whole"]) if threads else "Numba was imported otherwise")
"""


def test_threads_import_kernels_at_once():
    """A comparison is compiled while another thread looks at the pair, and each imports its kernels."""
    command = [sys.executable, "-c", IMPORT_IN_THREADS, *ENTERED_MEANWHILE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == "whole\n"
