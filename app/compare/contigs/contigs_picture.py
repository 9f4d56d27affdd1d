"""The tracks of contigs on A as a picture."""

from __future__ import annotations

import os

from wavediff.app.compare.contigs.contigs_view import ContigCanvas
from wavediff.app.ui.picture_sheet import DEFAULT_SIZE, Pictured, Sheet, even, light
from wavediff.core.base.errors import printable
from wavediff.core.export.contigs import ContigsAnswer

BESIDE_PX = 96  # of height, at most: title, answer, margins


def contigs_picture(seen: ContigCanvas, answer: ContigsAnswer) -> Pictured:
    """Return the picture of what ``seen`` shows."""
    theme = light()
    canvas = ContigCanvas(theme)
    canvas.show_tracks(seen.tracks)
    canvas.window_shown, canvas.current = seen.window_shown, seen.current
    title = f"{answer.a.name} – {printable(os.path.basename(answer.contigs.source))}: Contigs"
    high = canvas.sizeHint().height()
    size = even((max(DEFAULT_SIZE[0], seen.width()), high + BESIDE_PX))
    sheet = Sheet(theme, title, canvas, (), size, answer.result.text)
    sheet.fit((0, canvas.height() - high))
    return Pictured(sheet)
