"""The heat map of many pairs as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from os.path import basename

from wavediff.app.batch.heat_map import HeatMap
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, Pictured, Sheet, even, light
from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.base.numbers import count
from wavediff.core.export.batch import BatchAnswer
from wavediff.core.export.matrix import Tree, tree_of
from wavediff.core.export.recipe import Recipe, formats, records_input, words_of
from wavediff.core.jobs.event_streams import run_to_end
from wavediff.core.methods.options import typed
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.sequences.read_as import ReadAs

LEAST_WIDTH_PX = 560  # so that title and scale have room


def heat_picture(
    outcome: BatchAnswer, recipe: Recipe | None, size: tuple[int, int] | None = None, tree: Tree | None = None
) -> Pictured:
    """Return the heat map of a batch; ``size``: pixels, None: no wider than it needs; ``tree``: where it is known.

    Raises:
        WavediffError: there is no map of it.
    """
    theme = light()
    heat = HeatMap(theme)
    heat.most_stretched = 1.0
    heat.show_outcome(outcome, run_to_end(tree_of(outcome)) if tree is None and outcome.tree else tree)
    heat.finish()
    if heat.message:
        raise WavediffError(f"there is no heat map: {heat.message.lower()} (--pairs all-to-all)")
    files, method = (outcome.a, outcome.b)[: 1 if outcome.result.own else 2], outcome.result.method
    names = " × ".join(printable(basename(file.source)) for file in files)
    sheet = Sheet(theme, f"{names}: {method.long_name}", heat, (), even(size or DEFAULT_SIZE))
    sheet.text.setText(count(outcome.result.n_pairs, "pair", "pairs"))
    if size is None:
        sheet.settle()
        sheet.fit((max(0, heat.width() - heat.needed_width), 0), LEAST_WIDTH_PX)
    return Pictured(sheet, recipe, None, [theme])


def heat_recipe(outcome: BatchAnswer, options: Mapping[str, object], read_as: tuple[ReadAs, ...] = ()) -> Recipe:
    method, files = outcome.result.method, outcome.files
    offered = () if method.batch is None else method.batch.options
    case = CaseRule.FOLD if outcome.fold_case else CaseRule.EXACT
    pairs = str(outcome.result.pairs)
    texts = {
        "method": method.id,
        "pairs": pairs,
        "case": str(case),
        **formats(read_as, [file.encoding for file in files]),
    }
    if outcome.letters is not UracilRule.AUTO:
        texts["letters"] = str(outcome.letters)
    if outcome.tree is not None:
        texts["tree"] = str(outcome.tree)
    words = words_of({**texts, **typed(offered, options)}, offered)
    return Recipe.of("batch", (records_input(file.source, file.letters) for file in files), words)
