"""Array types, errors and texts shared by all of core."""
