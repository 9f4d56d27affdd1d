"""The Burrows-Wheeler transform on the CPU, its inverse, and searching in it."""
