"""Contigs placed on a reference: chains of exact matches, ordered into a place, each block aligned exactly."""
