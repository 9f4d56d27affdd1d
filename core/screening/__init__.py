"""Relation of two DNA sequences before any alignment: strand, origin and order, by shared unique k-mers."""
