"""Benchmarks: ours beside the peers on the same input in the same run, answers compared. ``make bench``."""
