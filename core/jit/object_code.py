"""Calls of cached kernels without Numba: machine code linked by LLVM, with its Python wrapper.

A cache file begins with the code, the name of its wrapper and the referenced symbols. The wrapper converts arguments
for fixed types without checking them. Files are found by a text of the argument types; types without such a text are
left to Numba. Importing Numba takes 0.25 s of CPU time, LLVM 0.04 s.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import os
import pickle
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any, NamedTuple

import numpy as np

from wavediff.core.jit import compile_cache, source_digest

_EXTENSIONS = "numba._helperlib", "numba._dynfunc", "numba.core.runtime._nrt_python"
_C, _F, _WRITEABLE = 1, 2, 0x400  # flags of arrays
_FLAGS = _C | _F | _WRITEABLE
_LIMIT = 1 << 63
_SCALARS = {bool: "|b1", int: "<i8", float: "<f8", type(None): "none"}
_linked: dict[str, Callable[..., Any]] = {}  # by names of files


class ObjectCode(NamedTuple):
    """Header of a kernel file.

    Attributes:
        code: an object file.
        wrapper: function of the code that takes Python arguments.
        environments: variables of the code that point to an environment, and the element types of that environment.
        symbols: referenced by the code.
    """

    code: bytes
    wrapper: str
    environments: tuple[tuple[str, tuple[Any, ...]], ...]
    symbols: tuple[str, ...]


def kind(value: Any) -> Any:
    """Return the type key of an argument."""
    found = type(value)
    if found is np.ndarray:
        return value.dtype, value.ndim, value.flags.num & _FLAGS
    if found is int:
        return int if -_LIMIT <= value < _LIMIT else object
    if isinstance(value, tuple):
        return found, *map(kind, value)
    return found


def kind_text(kind: Any) -> str | None:
    """Return the text of a type key, as ``wavediff.core.jit.kernel_cache`` formats types, or None."""
    if not isinstance(kind, tuple):
        scalar = isinstance(kind, type) and issubclass(kind, np.generic) and np.dtype(kind).kind in "biuf"
        return np.dtype(kind).str if scalar else _SCALARS.get(kind)
    first, *rest = kind
    if isinstance(first, np.dtype):
        dimensions, flags = rest
        if first.kind not in "biuf" or not first.isnative:
            return None
        layout = "C" if flags & _C else "F" if flags & _F else "A"
        return array_text(first, dimensions, layout, bool(flags & _WRITEABLE))
    return tuple_text(first, [kind_text(one) for one in rest])


def array_text(dtype: Any, dimensions: int, layout: str, writeable: bool) -> str:
    return f"{dtype.str}[{dimensions}{layout}{'' if writeable else 'r'}]"


def tuple_text(made: type, items: list[str | None]) -> str | None:
    """Return the text of a tuple type of class ``made``, or None."""
    if None in items:
        return None
    name = "" if made is tuple else f"{made.__module__}.{made.__qualname__}"
    return f"{name}({','.join(map(str, items))})"


@cache
def file_stem(function: Callable[..., Any]) -> tuple[str, str] | None:
    """Return a readable name of the function and its code's dependencies; None without source."""
    path = getattr(sys.modules.get(function.__module__), "__file__", None)
    sources = source_digest.digest(path) if path else None
    if sources is None:
        return None
    name = f"{function.__module__}.{function.__qualname__}"
    code = hashlib.sha256(function.__code__.co_code).hexdigest()
    return re.sub(r"[^\w.]+", "", name)[-60:], repr((name, sources, code))


def file_name(function: Callable[..., Any], signature: str) -> str | None:
    """Return the cache file name of ``function`` for these argument types, or None."""
    stem = file_stem(function)
    return stem and f"{stem[0]}-{hashlib.sha256(f'{stem[1]} {signature}'.encode()).hexdigest()[:32]}"


def load(function: Callable[..., Any], kinds: tuple[Any, ...]) -> Callable[..., Any] | None:
    """Return the compiled ``function`` for these type keys; None if Numba must load or compile it."""
    texts = [kind_text(one) for one in kinds]
    name = None if None in texts else file_name(function, ",".join(map(str, texts)))
    if name is None or name in _linked:
        return None if name is None else _linked[name]
    content = compile_cache.read(name)
    if content is None or (found := pickle.load(io.BytesIO(content))) is None:  # no one but us can have written it
        return None
    linker = _linker()
    made = None if linker is None else linker.linked(function, ObjectCode(*found))
    if made is not None:
        _linked[name] = made
    return made


class _Linker:
    """LLVM linker with the symbols used by Numba's code."""

    def __init__(self) -> None:
        binding: Any = import_module("llvmlite.binding")
        helpers, dynamic, runtime = map(_extension, _EXTENSIONS)
        symbols = {f"numba_{name}": at for part in (helpers, dynamic) for name, at in part.c_helpers.items()}
        symbols |= {n if n.startswith("_") else f"NRT_{n}": at for n, at in runtime.c_helpers.items()}
        self._unpickle = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(_unpickled)
        unpickle = ctypes.cast(self._unpickle, ctypes.c_void_p).value
        symbols |= {"_Py_NoneStruct": id(None), "numba_unpickle": unpickle}
        symbols |= {
            f"PyExc_{name}": id(one)
            for name, one in vars(import_module("builtins")).items()
            if isinstance(one, type) and issubclass(one, BaseException)
        }
        for name, address in symbols.items():
            binding.add_symbol(name, address)
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        machine = binding.Target.from_default_triple().create_target_machine(jit=True)
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._binding, self._dynamic = binding, dynamic

    def linked(self, function: Callable[..., Any], found: ObjectCode) -> Callable[..., Any] | None:
        if any(self._binding.address_of_symbol(name) is None for name in found.symbols):
            return None  # LLVM ends the process where it finds none
        self._engine.add_object_file(self._binding.ObjectFileRef.from_data(found.code))
        self._engine.finalize_object()
        environments = []
        for name, constants in found.environments:
            environments.append(self._dynamic.Environment(function.__globals__))
            environments[-1].consts.extend(constants)
            ctypes.c_void_p.from_address(self._engine.get_global_value_address(name)).value = id(environments[-1])
        address, module = self._engine.get_function_address(found.wrapper), sys.modules[function.__module__]
        made: Callable[..., Any] = self._dynamic.make_function(
            module, function.__name__, "", address, environments[0], (self, environments)
        )
        return made


@cache
def _unpickled(address: int, size: int, _digest: int) -> Any:
    """Return an object referenced by compiled code (e.g. a returned array class), without importing Numba."""
    return pickle.loads(ctypes.string_at(address, size))


@cache
def _linker() -> _Linker | None:
    try:
        return _Linker()
    except (ImportError, AttributeError, TypeError):
        return None


def _extension(name: str) -> Any:
    """Import a C module of Numba without its parent packages."""
    if name in sys.modules:
        return sys.modules[name]
    numba = find_spec("numba")
    package = name.removeprefix("numba.").rpartition(".")[0].replace(".", os.sep)
    folders = [os.path.join(one, package) for one in (numba and numba.submodule_search_locations) or ()]
    spec = PathFinder.find_spec(name, folders)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
