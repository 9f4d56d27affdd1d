"""Vectors of 16 and 32 bit lanes, made by ``vectors_ir`` when a kernel is compiled."""

from __future__ import annotations

from wavediff.core.jit.decorators import made_in

__getattr__ = made_in("wavediff.core.kernels.affine.vectors_ir")
