"""Screening of two DNA sequences before alignment: strand, origin and order, by shared unique k-mers."""
