"""Maximal exact matches of both strands on a graphics card."""
