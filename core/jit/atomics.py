"""Loads and stores that order threads, and an atomic sum, made by ``atomics_ir`` when a kernel is compiled."""

from __future__ import annotations

from wavediff.core.jit.decorators import made_in

__getattr__ = made_in("wavediff.core.jit.atomics_ir")
