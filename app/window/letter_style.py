"""Style of the alignment's letters that a person chose, kept from one start to the next."""

from __future__ import annotations

from dataclasses import dataclass

from wavediff.app.compare.alignment_view import AlignmentView
from wavediff.app.compare.cell_styles import Colouring


@dataclass(frozen=True, slots=True)
class LetterStyle:
    """Attributes:
    size: of the letters in pixels; 0: what fits the system's font.
    wrapped: lines as wide as the window, or one long line.
    colouring: what the bases' colours are put on.
    b_ruler: the letters of B have a ruler too.
    strip_folded: the zoom strip is a line.
    """

    size: int = 0
    wrapped: bool = True
    colouring: Colouring = Colouring.PLAIN
    b_ruler: bool = False
    strip_folded: bool = False

    @classmethod
    def of(cls, view: AlignmentView) -> LetterStyle:
        canvas = view.canvas
        return cls(canvas.chosen_font_size, canvas.wrapped, canvas.colouring, canvas.b_ruler, view.strip.folded)

    def show(self, view: AlignmentView) -> None:
        """Let ``view`` show letters like this; a size that no longer fits is made to fit."""
        if self.size:
            view.canvas.set_font_size(self.size)
        view.actions_by_id["set_wrapped"].setChecked(self.wrapped)
        view.canvas.set_colouring(self.colouring)
        view.actions_by_id["set_b_ruler"].setChecked(self.b_ruler)
        view.actions_by_id["set_strip_folded"].setChecked(self.strip_folded)
