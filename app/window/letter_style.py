"""Style of the alignment's letters that a person chose, kept from one start to the next."""

from __future__ import annotations

from dataclasses import dataclass

from app.compare.alignment_view import AlignmentView
from app.compare.cell_styles import Colouring


@dataclass(frozen=True, slots=True)
class LetterStyle:
    """Attributes:
    size: of the letters in pixels; 0: what fits the system's font.
    wrapped: lines as wide as the window, or one long line.
    colouring: what the bases' colours are put on.
    """

    size: int = 0
    wrapped: bool = True
    colouring: Colouring = Colouring.PLAIN

    @classmethod
    def of(cls, view: AlignmentView) -> LetterStyle:
        """Return how ``view`` shows letters now."""
        canvas = view.canvas
        return cls(canvas.chosen_font_size, canvas.wrapped, canvas.colouring)

    def show(self, view: AlignmentView) -> None:
        """Let ``view`` show letters like this; a size that no longer fits is made to fit."""
        if self.size:
            view.canvas.set_font_size(self.size)
        view.actions_by_id["set_wrapped"].setChecked(self.wrapped)
        view.canvas.set_colouring(self.colouring)
