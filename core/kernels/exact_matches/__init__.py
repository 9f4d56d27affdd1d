"""Maximal exact matches of both strands, from a sort of the k-mers of A and B by their hash."""
