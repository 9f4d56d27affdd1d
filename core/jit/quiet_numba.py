"""Import of Numba without its configuration file and slow optional imports.

Numba reads ``.numba_config.yaml`` of the working folder, which may belong to anyone, at import and at every
compilation.

All names of Numba and llvmlite are imported here: their modules import each other in cycles, so two threads that import
different ones may get incomplete modules.
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
    """Import Numba without the YAML parser (10 ms) and extensions.

    On loading the first kernel Numba would search all installed packages for extensions and import them: 12 ms with a
    hundred packages and no extension.
    """
    instead: dict[str, Any] = {"yaml": None, "numba.core.entrypoints": SimpleNamespace(init_all=lambda: None)}
    added = {name: module for name, module in instead.items() if name not in sys.modules}
    sys.modules.update(added)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "A Numba config file is found")  # and cannot be read, as it should be
            found = import_module("numba")
    finally:
        for name in added:
            del sys.modules[name]
    if "numba.core.entrypoints" in added:
        import_module("numba.core").entrypoints = instead["numba.core.entrypoints"]  # type: ignore[attr-defined]
    return found


numba = _import_numba()

from llvmlite import binding, ir  # noqa: E402
from numba import extending, njit  # noqa: E402
from numba.core import (  # noqa: E402
    caching,
    cgutils,
    compiler,
    config,
    serialize,
)
from numba.core.runtime import _nrt_python  # noqa: E402
from numba.extending import models, overload, register_jitable, register_model  # noqa: E402
from numba.np import numpy_support  # noqa: E402

__all__ = [
    "_nrt_python", "binding", "caching", "cgutils", "compiler", "config", "extending", "ir", "models", "njit", "numba",
    "numpy_support", "overload", "register_jitable", "register_model", "serialize", "types",
]  # fmt: skip

types: Any = import_module("numba.core.types")  # with all that its stub leaves out

config._config_fname = os.devnull
config.reload_config()

_typeof: Any = extending.typeof_impl


def know(*declared: type) -> None:
    """Register declared functions for compiled code by their ``numba_value``."""
    context = import_module("numba.core.registry").cpu_target.typing_context
    for one in declared:
        _typeof.register(one)(lambda value, _: context.resolve_value_type(value.numba_value))


_typeof_any_array: Any = _typeof.dispatch(np.ndarray)


@_typeof.register(np.ndarray)
def _typeof_array(array: Any, context: Any) -> Any:
    """Return the type of an array without Numba's check for masked arrays (7 ms of imports)."""
    if type(array) is not np.ndarray or array.dtype.kind not in "biuf" or not array.dtype.isnative:
        return _typeof_any_array(array, context)
    element, layout = numpy_support.from_dtype(array.dtype), numpy_support.map_layout(array)
    return types.Array(element, array.ndim, layout, readonly=not array.flags.writeable)
