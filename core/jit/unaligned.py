"""Words read from any address, and prefetching, made by ``unaligned_ir`` when a kernel is compiled."""

from __future__ import annotations

from wavediff.core.jit.decorators import made_in

PREFETCH_STEPS = 32  # steps between the asking and the use

__getattr__ = made_in("wavediff.core.jit.unaligned_ir")
