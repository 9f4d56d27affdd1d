"""Import of Numba without its configuration file, and without what costs time who compiles nothing.

The file ``.numba_config.yaml`` of the working folder, which may be anybody's, is read when Numba is imported and at
every compilation.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np


def _import_numba() -> Any:
    """Return Numba, which finds no parser of YAML (10 ms to import), and no extensions.

    It would look for those of others among all packages that are installed, and import them, when the first kernel is
    loaded: 12 ms where there are a hundred packages and none extends it.
    """
    instead: dict[str, Any] = {"yaml": None, "numba.core.entrypoints": SimpleNamespace(init_all=lambda: None)}
    added = {name: module for name, module in instead.items() if name not in sys.modules}
    sys.modules.update(added)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "A Numba config file is found")  # and cannot be read, as it should be
            numba = import_module("numba")
    finally:
        for name in added:
            del sys.modules[name]
    if "numba.core.entrypoints" in added:
        import_module("numba.core").entrypoints = instead["numba.core.entrypoints"]  # type: ignore[attr-defined]
    return numba


_numba = _import_numba()
_config: Any = import_module("numba.core.config")
_config._config_fname = os.devnull
_config.reload_config()

njit: Any = _numba.njit
_numpy_support: Any = import_module("numba.np.numpy_support")
_typeof: Any = import_module("numba.extending").typeof_impl
_typeof_any_array: Any = _typeof.dispatch(np.ndarray)


@_typeof.register(np.ndarray)
def _typeof_array(array: Any, context: Any) -> Any:
    """Return the type of an array as Numba does, which asks first whether it is a masked one: 7 ms to import those."""
    if type(array) is not np.ndarray or array.dtype.kind not in "biuf" or not array.dtype.isnative:
        return _typeof_any_array(array, context)
    element, layout = _numpy_support.from_dtype(array.dtype), _numpy_support.map_layout(array)
    return _numba.types.Array(element, array.ndim, layout, readonly=not array.flags.writeable)
