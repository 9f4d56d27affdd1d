"""The Burrows-Wheeler transform on a graphics card, and its inverse."""
