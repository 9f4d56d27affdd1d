"""Numba's interface to the cache: one file for a function and the types of its arguments.

Numba's own cache trusts its files (one flipped byte ends the process), writes an index that two processes spoil for
each other, and does not notice a change in a module that the function uses.
"""

from __future__ import annotations

import hashlib
import pickle
import re
import sys
from collections.abc import Callable
from typing import Any

from numba.core import caching, compiler, serialize
from numba.core.runtime import rtsys

from core.jit import compile_cache, source_digest

_runtime: Any = rtsys
_NullCache: Any = caching.NullCache
_Compiled: Any = compiler.CompileResult
_dumps: Any = serialize.dumps  # pickles what is only there in the compiler


class KernelCache(_NullCache):
    """Cache object that Numba asks for the code of ``function``, and hands it to."""

    def __init__(self, function: Callable[..., Any]) -> None:
        if getattr(function, "__closure__", None):
            raise ValueError(f"{function.__qualname__} is kept by its source, which does not say what it closes over")
        self._name = f"{function.__module__}.{function.__qualname__}"
        code: Any = getattr(function, "__code__")  # noqa: B009 - what is called need not have one, says the type
        self._code = hashlib.sha256(code.co_code).hexdigest()
        path = getattr(sys.modules.get(function.__module__), "__file__", None)
        self._sources = source_digest.digest(path) if path else None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled for ``sig``, None where it is not kept."""
        if self._sources is None:
            return None
        # Code that makes arrays asks for it by name. What else a compiler knows is read when one is needed, not here.
        _runtime.initialize(target_context)
        content = compile_cache.read(self._file(sig, target_context.codegen()))
        # Nobody but us can have written it, and all of it is there.
        return None if content is None else _Compiled._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for ``sig``."""
        if self._sources is not None and not data.library.has_dynamic_globals:  # those are addresses in this process
            data = data._replace(type_annotation="")  # a commented listing, larger than the code
            compile_cache.write(self._file(sig, data.library.codegen), bytes(_dumps(data._reduce())))

    def _file(self, sig: Any, codegen: Any) -> str:
        key = repr((self._name, self._sources, self._code, sig, codegen.magic_tuple()))
        readable = re.sub(r"[^\w.]+", "", self._name)[-60:]
        return f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def cached(compiled: Any) -> Any:
    """Return a function that Numba compiles at its first call, with its code kept between runs."""
    compiled._cache = KernelCache(compiled.py_func)
    return compiled
