"""Traceback by host threads from the borders stored on a card."""

from __future__ import annotations
