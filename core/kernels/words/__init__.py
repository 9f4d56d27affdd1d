"""Comparison of two texts by words."""
