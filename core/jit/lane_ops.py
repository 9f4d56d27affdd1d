"""More operations on vectors and their lanes, made by ``lane_ops_ir`` when a kernel is compiled."""

from __future__ import annotations

from wavediff.core.jit.decorators import made_in

SHORT_REGISTERS = 4  # registers side by side of short sequences: while one waits for its sum, the others go on

__getattr__ = made_in("wavediff.core.jit.lane_ops_ir")
