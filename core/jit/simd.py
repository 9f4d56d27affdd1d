"""Vectors of the widest register, for compiled code; ``simd_ir`` makes what works on them when a kernel is compiled."""

from __future__ import annotations

from wavediff.core.jit.decorators import made_in
from wavediff.core.system import cpu_levels

WORD = 64
_NO_VECTORS = "", 128  # LLVM makes two words of it
# Words of the widest register that needs no splitting.
LANES = (cpu_levels.widest(cpu_levels.features_in_use()) or _NO_VECTORS)[1] // WORD
BITS = LANES * WORD

__getattr__ = made_in("wavediff.core.jit.simd_ir")
