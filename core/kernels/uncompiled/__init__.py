"""Short pairs in Python's integers: an answer before anything is compiled, or a compiler loaded."""
