"""Types of arrays are Numba's own, without its look at masked ones; its configuration file is never read."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from core.jit import quiet_numba

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


@pytest.mark.parametrize("writeable", [True, False])
@pytest.mark.parametrize("name", ARRAYS)
def test_types_of_arrays_are_numbas(name: str, writeable: bool) -> None:
    array = ARRAYS[name].view()
    array.flags.writeable = writeable
    found = numba.typeof(array)
    assert found == quiet_numba._typeof_any_array(array, None)
    assert found.mutable is writeable


@pytest.mark.parametrize("array", [np.ma.masked_array(WORDS), np.zeros(2, ">i4")])
def test_what_numba_refuses_is_refused(array: Any) -> None:
    with pytest.raises((numba.core.errors.NumbaError, ValueError)):
        numba.typeof(array)
