"""Strips, blocks and threads of bit-sliced matrices, shared by all methods."""

from __future__ import annotations
