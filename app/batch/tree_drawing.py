"""Tree beside the rows of the heat map: branches, and a scale of their lengths."""

from __future__ import annotations

from math import floor, log10

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from wavediff.app.ui.theme import Theme
from wavediff.core.base.numbers import localized
from wavediff.core.export.matrix import Tree

SCALE_DROP_PX, SCALE_SHARE = 14, 0.4  # of the scale below the rows; of the tree's width at most


def draw_tree(painter: QPainter, tree: Tree, box: QRectF, theme: Theme) -> None:
    """Draw branches, whose leaves share the height of ``box``, and below it the length of a bar."""
    row, depths = box.height() / tree.n_leaves, tree.depths
    deepest = max(float(depths.max()), 1e-12)
    x = box.left() + box.width() * depths / deepest
    y = np.zeros(depths.size)
    y[tree.order] = box.top() + row * (np.arange(tree.n_leaves) + 0.5)
    branches = []
    for node, children in enumerate(tree.joins, tree.n_leaves):
        places = [float(y[child]) for child, _ in children]
        y[node] = (min(places) + max(places)) / 2
        branches.append(QLineF(x[node], min(places), x[node], max(places)))
        branches += [QLineF(x[node], y[child], x[child], y[child]) for child, _ in children]
    painter.setPen(QPen(theme.dim, 1, Qt.PenStyle.DotLine))
    painter.drawLines([QLineF(x[leaf], y[leaf], box.right(), y[leaf]) for leaf in range(tree.n_leaves)])
    painter.setPen(QPen(theme.text, 1))
    length, below = scale_length(deepest * SCALE_SHARE), box.bottom() + SCALE_DROP_PX
    end = box.left() + box.width() * length / deepest
    ticks = [QLineF(at, below - 3, at, below + 3) for at in (box.left(), end)]
    painter.drawLines([*branches, QLineF(box.left(), below, end, below), *ticks])
    painter.drawText(QPointF(end + 4, below + painter.fontMetrics().ascent() / 2 - 1), localized(f"{length:.2g}"))


def scale_length(most: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is ``most`` or less.

    >>> [scale_length(most) for most in (0.0199, 0.05, 1.0)]
    [0.01, 0.05, 1.0]
    """
    power = floor(log10(most) + 1e-9)
    return float(f"{max(k for k in (1, 2, 5) if k * 10.0**power <= most * (1 + 1e-9))}e{power}")
