"""Matrices in strips that follow each other over a whole card: how rows lie, and what is computed, kept and checked."""

from __future__ import annotations
