"""The Burrows-Wheeler transform on the CPU, its inverse, and searching in it: a pipeline of phases on one clock.

``text -> count -> sort -> last column -> invert -> compare -> result``, each a generator that the ``Clock`` of the job
times under its name (``clock.phase(name, steps)``):

- ``text_run``: the letters of one sequence or two                                                        (text)
- ``sort/``: words of 31 nucleotides (packed), induced sorting by threads (induced), ternary quicksort    (ternary)
- ``inverse/``: chains from the last column back to the text; the check of every transform too    (inverse, verify)
- ``index/``: samples of the order, ranks in a wavelet matrix; rows of a pattern    (sample, ranks, count, locate)
- ``compression``: move-to-front and what compressors make of the text                             (move-to-front)
"""
