"""Strips, blocks and threads: what the bit-sliced matrices of all methods share."""

from __future__ import annotations
