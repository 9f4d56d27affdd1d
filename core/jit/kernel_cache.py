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
from functools import cache
from typing import Any

from wavediff.core.jit import compile_cache, compile_log, source_digest
from wavediff.core.jit.quiet_numba import _nrt_python, binding, caching, compiler, serialize

try:
    from wavediff.core.jit.kept_library import use_kept_libraries
except (ImportError, AttributeError, TypeError):

    def use_kept_libraries(code_generator: Any) -> None:
        """Leave it as a Numba has it that is another inside."""


_RUNTIME: Any = _nrt_python.c_helpers
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
        code_generator = target_context.codegen()
        content = None if self._sources is None else compile_cache.read(self._file(sig, code_generator))
        if content is None:
            compile_log.missing(self._name.rpartition(".")[2])
            return None
        _add_runtime_symbols()
        use_kept_libraries(code_generator)
        # Nobody but us can have written it, and all of it is there.
        return _Compiled._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for ``sig``."""
        if self._sources is not None and not data.library.has_dynamic_globals:  # those are addresses in this process
            data = data._replace(type_annotation="")  # a commented listing, larger than the code
            *reduced, environments = data._reduce()
            # Those of what was inlined import its modules, and are read where they hold objects of Python only.
            reduced.append(tuple(one for one in environments if one.consts))
            compile_cache.write(self._file(sig, data.library.codegen), bytes(_dumps(tuple(reduced))))

    def _file(self, sig: Any, codegen: Any) -> str:
        key = repr((self._name, self._sources, self._code, sig, _target(codegen)))
        readable = re.sub(r"[^\w.]+", "", self._name)[-60:]
        return f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"


@cache
def _target(codegen: Any) -> Any:
    return codegen.magic_tuple()


@cache
def _add_runtime_symbols() -> None:
    """Let kernels that make arrays find Numba's runtime by its names.

    A compiler initializes it, and reads all else that it knows: 0.2 s that nobody needs who compiles nothing.
    """
    for name, address in _RUNTIME.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def cached(compiled: Any) -> Any:
    """Return a function that Numba compiles at its first call, with its code kept between runs."""
    compiled._cache = KernelCache(compiled.py_func)
    return compiled
