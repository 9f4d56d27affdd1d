"""O(ND) bands on a graphics card."""

from __future__ import annotations
