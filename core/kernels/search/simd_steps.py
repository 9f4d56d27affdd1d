"""The steps of a search, made by ``simd_steps_ir`` when a kernel is compiled."""

from __future__ import annotations

from wavediff.core.jit.decorators import made_in

UNTESTED_STEPS = 1  # steps of one letter without a test; only where there is one row
PACK_LETTERS = 64  # letters taken at once, a line of memory
PREFETCH_LETTERS = 2048  # letters of a stream that are asked for before they are packed: some blocks

__getattr__ = made_in("wavediff.core.kernels.search.simd_steps_ir")
