"""All traces by method name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.teach.affine import affine_trace
from wavediff.core.teach.automaton import automaton_trace
from wavediff.core.teach.band import band_trace, doubling_trace
from wavediff.core.teach.block_queue import block_queue_trace, stagger_trace
from wavediff.core.teach.blocks import block_borders_trace, block_words_trace, calls_trace
from wavediff.core.teach.conditional_sum import conditional_sum_trace
from wavediff.core.teach.diagonals import diagonals_trace
from wavediff.core.teach.dot_chains import dot_chains_trace
from wavediff.core.teach.dots import dots_trace
from wavediff.core.teach.halves import halves_trace
from wavediff.core.teach.monotone import monotone_trace
from wavediff.core.teach.paper_sheets import (
    dummies_trace,
    memory_trace,
    pair_blocks_trace,
    pieces_trace,
    subsequence_trace,
)
from wavediff.core.teach.partial_matches import partial_match_trace
from wavediff.core.teach.recorded import recorded_trace
from wavediff.core.teach.rotations import backward_trace, rotations_trace, walk_trace
from wavediff.core.teach.scene import Trace
from wavediff.core.teach.sheets import results_trace
from wavediff.core.teach.sort_trace import sort_trace
from wavediff.core.teach.state_orders import orders_trace
from wavediff.core.teach.swap_trace import swap_trace
from wavediff.core.teach.table import EditTable, LcsTable
from wavediff.core.teach.table_trace import table_trace
from wavediff.core.teach.tokens import tokens_trace

Inputs = Mapping[str, Any]
TRACES: dict[str, Callable[[Inputs], Trace]] = {
    "lcs": lambda inputs: table_trace(inputs, LcsTable),
    "edit": lambda inputs: table_trace(inputs, EditTable),
    "affine": affine_trace,
    "diff": tokens_trace,
    "swap": swap_trace,
    "shift-or": lambda inputs: automaton_trace(inputs, 1),
    "cyclic": automaton_trace,
    "orders": orders_trace,
    "partial": partial_match_trace,
    "rotations": rotations_trace,
    "walk": walk_trace,
    "ternary": sort_trace,
    "backward": backward_trace,
    "calls": calls_trace,
    "blocks": block_words_trace,
    "conditional sum": conditional_sum_trace,
    "halves": halves_trace,
    "stagger": stagger_trace,
    "queue": block_queue_trace,
    "band": band_trace,
    "doubling": doubling_trace,
    "monotone": monotone_trace,
    "diagonals": diagonals_trace,
    "dots": dots_trace,
    "dot chains": dot_chains_trace,
    "run": recorded_trace,
    "results": results_trace,
    "subsequence": subsequence_trace,
    "block borders": block_borders_trace,
    "pieces": pieces_trace,
    "dummies": dummies_trace,
    "memory": memory_trace,
    "pair blocks": pair_blocks_trace,
}


class InputsRefused(WavediffError):
    """Inputs not supported by a method; the message states the limits."""


def new_trace(method: str, inputs: Inputs) -> Trace:
    """Return the trace of a method of ``TRACES``.

    Args:
        inputs: ``a``, ``b``, ``block`` and others of the method.

    Raises:
        InputsRefused: the method does not support the inputs; the message states the limits.
    """
    try:
        return TRACES[method](inputs)
    except (ValueError, WavediffError) as error:
        raise InputsRefused(str(error)) from error
