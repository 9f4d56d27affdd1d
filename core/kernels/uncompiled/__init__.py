"""Short pairs in Python integers: an answer before any kernel is compiled or loaded."""
