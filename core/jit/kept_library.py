"""Numba's library of a kernel that was kept: its machine code, and what it was made from only where somebody asks.

Numba parses that at once, for functions that are yet to be compiled and call the kernel. Where all are kept nobody
asks, and it is half of the time that loading them takes.

All of this is Numba's own business, and may be otherwise in a version to come. Importing this module fails then, and
``wavediff.core.jit.kernel_cache`` does without it.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import binding, codegen

_CodeLibrary: Any = codegen.CodeLibrary

for _name in ("_unserialize", "_get_module_for_linking", "get_pointer_to_function"):
    getattr(codegen.JITCodeLibrary, _name)  # an AttributeError now, and not where something is loaded
getattr(codegen.JITCPUCodegen, "_library_class")  # noqa: B009


class KeptLibrary(codegen.JITCodeLibrary):
    """See the module; one that is compiled now is as Numba has it."""

    _kept = False  # it was read, and nothing of it is known by name
    _bitcode: bytes | None = None  # until somebody asks
    _parsed: Any = None

    @property
    def _shared_module(self) -> Any:
        if self._bitcode is not None:
            self._parsed, self._bitcode = binding.parse_bitcode(self._bitcode), None
        return self._parsed

    @_shared_module.setter
    def _shared_module(self, module: Any) -> None:
        self._parsed = module

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, 0 where there is none."""
        if not self._kept:
            return int(super().get_pointer_to_function(name))
        return int(self._codegen._engine.get_function_address(name))

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != "object":
            return super()._unserialize(codegen, state)
        library = cls.__new__(cls)
        _CodeLibrary.__init__(library, codegen, name)  # without the empty module that stands for the code otherwise
        library._linking_libraries, library._kept = [], True
        code, library._bitcode = data
        codegen._engine._ee.add_object_file(binding.ObjectFileRef.from_data(code))
        codegen._engine.finalize_object()
        library._finalized = True
        return library


def use_kept_libraries(code_generator: Any) -> None:
    """Let what is read by ``code_generator`` be such libraries, where its engine takes machine code."""
    if hasattr(getattr(code_generator._engine, "_ee", None), "add_object_file"):
        code_generator._library_class = KeptLibrary
