"""Step-by-step traces of the recurrences: tables, machine words, lessons, pages."""
