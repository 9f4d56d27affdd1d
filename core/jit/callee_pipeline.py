"""Numba compiler pipeline for functions that only compiled code calls: no wrappers, code generated with the caller.

Numba optimizes every function for itself, turns it into machine code, and hands what it optimized to each caller, where
all of it is optimized once more: a step called from a strip, from a block, from a walk, four times. Here no machine
code is made but of what Python calls, and with ``UnoptimizedCalleeCompiler`` nothing is optimized before that either.

All of this is Numba's own business, and may be otherwise in a version to come. Importing this module fails then, and
``wavediff.core.jit.decorators`` does without it.
"""

from __future__ import annotations

from typing import Any

from wavediff.core.jit.quiet_numba import codegen, compiler, compiler_machinery, cpu, numba, typed_passes

_make_function: Any = numba._dynfunc.make_function
_register: Any = compiler_machinery.register_pass

for _owner, _names in (
    (
        codegen.JITCodeLibrary,
        "_finalize_final_module _optimize_final_module _finalize_dynamic_globals _verify_declare_only_symbols",
    ),
    (compiler.DefaultPassBuilder, "define_nopython_pipeline"),
    (compiler.Flags, "no_compile"),
    (cpu.CPUTargetOptions, "no_cpython_wrapper no_cfunc_wrapper _nrt"),
    (cpu.CPUContext, "insert_user_function"),
):
    for _name in _names.split():
        getattr(_owner, _name)  # an AttributeError now, and not where something is compiled


class _Library(codegen.JITCodeLibrary):
    """Code to be linked into others, and never run by itself."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _Written(_Library):
    def _optimize_final_module(self) -> None:
        """Leave it to the callers."""


class _Lowering(typed_passes.NativeLowering):
    library: type[_Library]

    def run_pass(self, state: Any) -> bool:
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        changed = bool(super().run_pass(state))
        done = state.cr
        described = done.fndesc
        # A function at no address stands for it, as for any without a wrapper for Python.
        function = _make_function(
            described.lookup_module(), described.qualname.rpartition(".")[2], "", 0, done.env, (state.library,)
        )
        state.targetctx.insert_user_function(function, described, [state.library])
        state.cr = done._replace(cfunc=function)
        return changed


@_register(mutates_CFG=True, analysis_only=False)
class _Embed(_Lowering):
    _name, library = "embed", _Library


@_register(mutates_CFG=True, analysis_only=False)
class _EmbedAsWritten(_Lowering):
    _name, library = "embed_as_written", _Written


class CalleeCompiler(compiler.CompilerBase):
    """Numba's usual way, but for its end."""

    lowering: type[_Lowering] = _Embed

    def define_pipelines(self) -> list[Any]:
        ways = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        ways.passes[:] = [
            (self.lowering if one is typed_passes.NativeLowering else one, what) for one, what in ways.passes
        ]
        ways.finalize()
        return [ways]


class UnoptimizedCalleeCompiler(CalleeCompiler):
    """The same, and only the callers optimize it."""

    lowering = _EmbedAsWritten
