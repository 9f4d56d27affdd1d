"""Longest common subsequence on a graphics card, and paper 1's own kernel; ``run.run`` is ours."""

from __future__ import annotations
