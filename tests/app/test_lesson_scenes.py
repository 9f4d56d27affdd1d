"""Scenes of every lesson that ships, laid out and painted: nothing overlaps, moves or is left out of a picture."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtWidgets import QApplication

from app.teach.lesson_pictures import picture
from app.teach.scene_layout import Extent, lay_out, unit_extents
from app.teach.scene_style import Preset, Style
from app.ui.picture_files import PICTURES
from app.ui.theme import Scheme, Theme
from core.teach.lesson import Lesson, headings, read_lesson
from core.teach.player import Frame
from core.teach.scene import Bits, Grid

PATHS = {one.id: one.path for one in headings()}
DESK, HALL = QSizeF(1100, 560), QSizeF(1880, 850)


@pytest.fixture(params=PATHS)
def lesson(request: pytest.FixtureRequest) -> Lesson:
    return read_lesson(PATHS[request.param])


@pytest.mark.parametrize(("preset", "room"), [(Preset.DESK, DESK), (Preset.PROJECTOR, HALL)])
def test_parts_stand_beside_each_other(lesson: Lesson, preset: Preset, room: QSizeF, qapp: QApplication) -> None:
    style = Style(Theme(Scheme.LIGHT), preset)
    for part in lesson.parts:
        for unit in part.units:
            extents = unit_extents(part.trace, unit, 0)
            layout = lay_out(extents, room, style)
            boxes = layout.boxes
            assert len(boxes) == len(extents)
            for place, box in enumerate(boxes):
                overlapped = [k for k, other in enumerate(boxes[:place]) if box.intersects(other)]
                assert all(_beside(extents, k, place) for k in overlapped), (unit, place, overlapped)
            whole = layout.size
            assert all(box.right() <= whole.width() + 1 and box.bottom() <= whole.height() + 1 for box in boxes)
            if preset is Preset.PROJECTOR:
                assert layout.cell >= 40
                assert layout.style.text_px >= 24  # 18 pt at 96 dots an inch
            else:
                assert whole.width() <= room.width() + 1


def _beside(extents: tuple[Extent, ...], grid: int, words: int) -> bool:
    """Return whether two parts are a table and the words beside it, whose heads share a line."""
    return extents[grid].kind is Grid and extents[words].kind is Bits and extents[words].down


def test_each_part_can_be_painted_in_pixels_and_in_lines(lesson: Lesson, qapp: QApplication) -> None:
    for part in lesson.parts:
        scene = part.scenes[-1]
        frame = Frame(part, scene, scene.unit, scene.last)
        png, svg = (picture(lesson, frame, PICTURES[kind]) for kind in ("png", "svg"))
        assert png.startswith(b"\x89PNG")
        assert b"<text" in svg
