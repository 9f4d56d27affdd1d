"""Suffix sorting, or the last column alone, by one of three sorters.

::

    packed_sort      keys of 31 letters -> buckets -> ties by their suffixes                      (packed_keys)
    sais             LMS suffixes -> numbers -> names -> shorter text -> its order, by itself ->
                     places of the LMS suffixes -> L suffixes forwards -> S suffixes backwards
                     suffix_types, lms_numbers, lms_names: by pieces that a Team of threads shares
                     induce_scans on one thread, induce_blocks on several; arrays from its Scratch
    ternary_sort     levels of less, equal and greater segments -> ranks for long repeats
"""
