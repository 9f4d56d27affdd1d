"""Longest common subsequence on a graphics card, and Kawanami and Fujimoto's own kernel; ``run.run`` is ours."""

from __future__ import annotations
