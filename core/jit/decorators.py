"""Decorators for compiled functions, by caller and memory allocation.

Functions called from Python are cached (``wavediff.core.jit.kernel_cache``) and, once cached, called without Numba
(``wavediff.core.jit.object_code``). Numba is imported when the first function must be compiled; until then a function
used by compiled code only is a ``Made``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

from wavediff.core.jit import object_code

PLAIN: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Without counts of references, to every array of every tuple that is passed on, it compiles in half the time.
NO_NRT = {**PLAIN, "no_cfunc_wrapper": True, "_nrt": False}
# Without the wrappers that let Python and C call it, a function of many arguments compiles in half the time.
INNER = {**PLAIN, "no_cfunc_wrapper": True, "no_cpython_wrapper": True}
LEAN_INNER = {**INNER, "_nrt": False}

_lock = threading.RLock()
_pending: list[Callable[[Any], object]] = []  # what Numba must be told before it compiles


class Kernel:
    """Function compiled on demand for its argument types.

    Attributes:
        py_func: the Python function.
        calls: compiled entry points, by argument types.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], *, cached: bool) -> None:
        self.py_func = function
        self.__name__, self.__qualname__, self.__module__ = (
            function.__name__,
            function.__qualname__,
            function.__module__,
        )
        self.__doc__ = function.__doc__
        self._options, self._cached = options, cached
        self.calls: dict[Any, Callable[..., Any]] = {}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if named:
            return self.numba_value(*arguments, **named)
        key = tuple(map(object_code.kind, arguments))
        call = self.calls.get(key)
        if call is None:
            with _lock:  # LLVM links one at a time
                call = (object_code.load(self.py_func, key) if self._cached else None) or self.numba_value
            self.calls[key] = call
        return call(*arguments)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "numba_value":
            raise AttributeError(name)
        return getattr(self.numba_value, name)

    @property
    def numba_value(self) -> Any:
        """Numba's dispatcher of the function."""
        with _lock:
            numba = _numba()
            if "_dispatcher" not in vars(self):
                self._dispatcher = numba.njit(**self._options)(self.py_func)
                if self._cached:
                    self._dispatcher._cache = import_module("wavediff.core.jit.kernel_cache").KernelCache(self.py_func)
            return self._dispatcher


class Made:
    """Name from a module of LLVM code, usable in compiled code only."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    @property
    def numba_value(self) -> Any:
        """Numba's object of this name."""
        return getattr(import_module(self._module), self._name)

    def __call__(self, *_: Any) -> Any:
        raise TypeError(f"{self._name} works in compiled code only")


def made_in(module: str) -> Callable[[str], Any]:
    """Return a module ``__getattr__`` that creates names from ``module`` once Numba is loaded."""
    _pending.append(lambda _: import_module(module))

    def named(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Made(module, name)

    return named


def _numba() -> Any:
    """Return Numba with all declared functions registered."""
    numba = import_module("wavediff.core.jit.quiet_numba")
    with _lock:
        if not _known:
            numba.know(Kernel, Made)
        _known.append(True)
        while _pending:
            _pending.pop(0)(numba)
    return numba


_known: list[bool] = []


def overload(function: Callable[..., Any], **options: Any) -> Callable[[Any], Any]:
    """Numba's ``overload`` decorator for ``function``, deferred."""

    def declared(made: Any) -> Any:
        _pending.append(lambda numba: numba.overload(function, **options)(made))
        return made

    return declared


def register_jitable(function: Any) -> Any:
    """Allow compiled code to call ``function``; Python calls it uncompiled."""
    _pending.append(lambda numba: numba.register_jitable(function))
    return function


def jit_with(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return Numba's ``jit`` decorator with further options."""
    return lambda function: Kernel(function, {"nogil": True, **options}, cached=True)


def jit_no_nrt(function: Callable[..., Any]) -> Any:
    """Compile a function for Python and compiled callers, without allocations, returning numbers."""
    return Kernel(function, NO_NRT, cached=True)


def _inner(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    return lambda function: Kernel(function, options, cached=False)


jit: Any = jit_with()  # Python calls it, and compiled code may
jit_callee: Any = _inner(**INNER)  # only compiled code calls it
jit_callee_no_nrt: Any = _inner(**LEAN_INNER)  # as lean, and only compiled code calls it
jit_inline: Any = _inner(inline="always", **INNER)  # only compiled code calls it; it returns parts of its arrays
jit_inline_with_nrt: Any = _inner(inline="always")
