"""From the borders that a card keeps back to the path, by threads of the host."""

from __future__ import annotations
