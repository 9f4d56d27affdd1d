"""Limits and memory of jobs on graphics cards, and which jobs several cards share."""

from __future__ import annotations

MAX_LETTERS = (1 << 31) - (1 << 20)  # of a sequence or a text: kernels of cards number letters in 31 bits
BYTES_PER_LETTER = 8  # bytes of the card per letter of both sequences: codes, match tables, one border
BYTES_OF_A_RECORD = 64
BYTES_SORTED = 52  # per letter of a text to sort
BYTES_MATCHED = 26  # per letter of two sequences, for exact matches
SEARCH_BYTES = 1 << 28  # bytes of the card for a search of any text length
UPLOAD_LETTERS_PER_SECOND = 4e9  # of batches, which have few cells per letter
SEARCH_LETTERS_PER_SECOND = 40e9  # of a text searched on a card (PCIe 5)

# About half a second each on an H100; another card is awake after 0.15 s.
MIN_PAIR_CELLS = 1 << 46  # cells of a matrix
MIN_BATCH_CELLS = 1 << 44  # cells of all pairs
MIN_CELLS_A_PAIR = 1 << 17  # cells of a pair of a batch; for smaller pairs the answers take longer than the cells
MIN_TEXT_LETTERS = 1 << 33  # of a searched text

TOO_SHORT = "it is too short to gain from more cards"


def pair_is_shared(n: int, m: int) -> bool:
    """Return whether a full matrix of ``n`` x ``m`` cells is large enough for several cards."""
    return n * m >= MIN_PAIR_CELLS


WIDE_LETTERS = "the GPU compares texts with at most 254 different characters (ASCII or in both), and these have more"
WIDE_TEXT = "the GPU searches for patterns with at most 128 different characters beyond ASCII, and these have more"


def too_long(longest: int) -> str | None:
    """Return why a sequence is too long for a card, as a clause, or None."""
    if longest <= MAX_LETTERS:
        return None
    return f"the GPU compares sequences of up to {MAX_LETTERS:,} letters, and one has {longest:,}"
