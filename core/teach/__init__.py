"""The recurrences of the comparisons, stepped: tables, machine words, lessons and the pages made of them."""
