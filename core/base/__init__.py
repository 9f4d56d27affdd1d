"""Array types, the tree of errors, and texts: whatever every other folder of core needs."""
