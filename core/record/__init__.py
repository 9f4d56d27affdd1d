"""The record of a run: its log, its times played by one clock, its files."""
