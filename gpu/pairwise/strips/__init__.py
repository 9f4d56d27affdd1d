"""Matrices in pipelined strips over a whole card: layout, computation, storage, verification."""

from __future__ import annotations
