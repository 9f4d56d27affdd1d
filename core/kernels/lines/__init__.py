"""Comparison of two texts by lines."""
