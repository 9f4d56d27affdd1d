"""Diagonals that the seeds of two sequences leave to good paths: the proof behind a narrow band."""

from __future__ import annotations
