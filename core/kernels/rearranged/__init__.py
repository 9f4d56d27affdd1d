"""Collinear blocks of rearranged sequences: chains of exact matches, exact borders, exact alignments."""
