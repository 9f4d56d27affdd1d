"""Placement of contigs on a reference: chains of exact matches, combined to a place, each block aligned exactly."""
