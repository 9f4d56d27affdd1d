"""The dot plot of all records of two files: lines between them, names and numbers, in both schemes."""

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from wavediff.app.compare.dots.dot_drawing import NAME_PX, draw_records
from wavediff.app.draw.painter import sized
from wavediff.app.ui.block_map.block_map_frame import BlockMapFrame
from wavediff.app.ui.block_map.map_ticks import record_ticks
from wavediff.core.sequences.sequence import Records


class DrawnRecords:
    def __init__(self):
        self.strokes, self.names = [], {}

    def lines(self, lines, _pen):
        self.strokes += lines

    def text(self, box, text, *_):
        self.names[text] = box.x, box.y


def records(*sizes):
    starts = np.array([0, *np.cumsum(np.array(sizes) + 1)[:-1]], np.int64)
    return Records(starts, starts + sizes, "record {}".format)


def test_records_have_lines_between_them_and_names_where_there_is_room(qapp):
    metrics, frame = QFontMetricsF(sized(NAME_PX)), BlockMapFrame(101, 201, QRectF(40, 20, 804, 404), 4.0)
    drawing = DrawnRecords()
    draw_records(drawing, frame, (records(60, 40), records(100, 5, 5, 88)), metrics)
    across = [each[0][1] for each in drawing.strokes if each[0][1] == each[1][1]]
    down = [each[0][0] for each in drawing.strokes if each[0][0] == each[1][0]]
    assert across == [20 + 4 * 60.5]
    assert down == [40 + 4 * at for at in (100.5, 106.5, 112.5)]
    names = {*drawing.names}
    assert names == {"record 0", "record 1", "record 3"}, "none where a record is too narrow"
    drawing = DrawnRecords()
    draw_records(drawing, frame, (None, None), metrics)
    assert not drawing.strokes
    assert not drawing.names


def test_borders_of_many_records_leave_room_for_dots(qapp):
    frame, drawing = BlockMapFrame(100_000, 100_000, QRectF(0, 0, 500, 500), 0.005), DrawnRecords()
    draw_records(drawing, frame, (None, records(*[9] * 10_000)), QFontMetricsF(sized(NAME_PX)))
    places = sorted(each[0][0] for each in drawing.strokes)
    assert 100 < len(places) <= 500 / 3 + 1
    assert not drawing.names


def test_numbers_beside_the_plot_begin_in_each_record():
    found = records(1_000, 30, 2_500)
    marks = [(at, int(text.replace(",", ""))) for at, text in record_ticks(0, 3_532, 500, found)]
    assert [place for _, place in marks] == [500, 1_000, 500, 1_000, 1_500, 2_000, 2_500]
    starts = [0] * 2 + [int(found.starts[2])] * 5
    assert [at for at, _ in marks] == [start + place - 0.5 for start, (_, place) in zip(starts, marks, strict=True)]
    assert [text for _, text in record_ticks(1_400, 2_100, 500, found)] == ["500", "1,000"]
