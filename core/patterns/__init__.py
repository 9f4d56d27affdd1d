"""Patterns to search for: as they were given (``given``), and what each of their letters matches (``matching``)."""

from __future__ import annotations
