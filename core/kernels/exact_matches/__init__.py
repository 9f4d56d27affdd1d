"""Maximal exact matches on both strands, by sorting the k-mers of A and B by hash."""
