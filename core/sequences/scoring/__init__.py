"""Substitution matrices: score of an aligned pair of letters."""

from __future__ import annotations
