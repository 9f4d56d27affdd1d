"""Substitution matrices: what two letters score that stand in one column of an alignment."""

from __future__ import annotations
