"""Numba's cache interface: one file per function and argument types.

Numba's own cache does not verify its files (one flipped byte ends the process), has an index that two processes
corrupt, and ignores changes in modules used by the function.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from wavediff.core.jit import compile_cache, compile_log, object_code
from wavediff.core.jit.quiet_numba import _nrt_python, binding, caching, compiler, numpy_support, serialize, types

_RUNTIME: Any = _nrt_python.c_helpers
_NullCache: Any = caching.NullCache
_Compiled: Any = compiler.CompileResult
_dumps: Any = serialize.dumps  # pickles what is only there in the compiler


class KernelCache(_NullCache):
    """Cache object for the code of ``function``."""

    def __init__(self, function: Callable[..., Any]) -> None:
        if getattr(function, "__closure__", None):
            raise ValueError(f"{function.__qualname__} is kept by its source, which does not say what it closes over")
        self._function = function

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code for ``sig``, or None."""
        name = self._file(sig)
        content = None if name is None else compile_cache.read(name)
        if content is None:
            compile_log.missing(self._function.__name__)
            return None
        _add_runtime_symbols()
        # No one but us can have written it, and all of it is there.
        file = io.BytesIO(content)
        plain = pickle.load(file)
        (library, form, (code, bitcode)), *rest = pickle.load(file)
        code = code or object_code.ObjectCode(*plain).code
        return _Compiled._rebuild(target_context, (library, form, (code, bitcode)), *rest)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the compiled code for ``sig``."""
        name = self._file(sig)
        if name is None or data.library.has_dynamic_globals:  # those are addresses in this process
            return
        data = data._replace(type_annotation="")  # a commented listing, larger than the code
        (library, form, (code, bitcode)), *reduced, environments = data._reduce()
        # Those of what was inlined import its modules, and are read where they hold objects of Python only.
        reduced.append(tuple(one for one in environments if one.consts))
        held = {one.env_name: tuple(one.consts) for one in (data.environment, *reduced[-1])}
        plain = None
        if all(isinstance(one, np.dtype) for constants in held.values() for one in constants):
            module = data.library._final_module
            outside = [one.name for one in (*module.functions, *module.global_variables) if one.is_declaration]
            symbols = tuple(name for name in outside if not name.startswith("llvm."))
            plain = (code, data.fndesc.llvm_cpython_wrapper_name, tuple(held.items()), symbols)
            code = b""
        rest = ((library, form, (code, bitcode)), *reduced)
        compile_cache.write(name, pickle.dumps(plain) + bytes(_dumps(rest)))

    def _file(self, sig: Any) -> str | None:
        texts = [_text(one) for one in sig]
        return object_code.file_name(self._function, repr(sig) if None in texts else ",".join(map(str, texts)))


def _text(found: Any) -> str | None:
    """Return the text of a type, as ``wavediff.core.jit.object_code`` formats argument types, or None."""
    if type(found) is types.Array:
        dtype = numpy_support.as_dtype(found.dtype)
        if dtype.kind in "biuf" and found.aligned:
            return object_code.array_text(dtype, found.ndim, found.layout, found.mutable)
    if type(found) in (types.Integer, types.Float, types.Boolean):
        return str(numpy_support.as_dtype(found).str)
    if isinstance(found, types.BaseTuple):
        return object_code.tuple_text(getattr(found, "instance_class", tuple), [_text(one) for one in found])
    return "none" if found == types.none else None


@cache
def _add_runtime_symbols() -> None:
    """Register Numba's runtime symbols for kernels that allocate arrays.

    Numba's own initialization needs 0.2 s, which is wasted without compilation.
    """
    for name, address in _RUNTIME.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
