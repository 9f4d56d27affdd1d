"""Tree beside the rows of the heat map: branches and names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from wavediff.app.ui.theme import Theme
from wavediff.core.export.tree import Tree

TREE_SHARE, MAX_TREE_PX, MAX_NAME_PX, GAP_PX = 0.3, 160, 120, 6  # of the width; of branches, of names


def tree_width(room: float) -> float:
    """Return the pixels that branches and names take of a width."""
    return min(room * TREE_SHARE, MAX_TREE_PX) + min(room * TREE_SHARE, MAX_NAME_PX)


def draw_tree(painter: QPainter, tree: Tree, names: Sequence[str], box: QRectF, theme: Theme) -> None:
    """Draw branches and, where rows have room for them, names; the rows of the leaves share the height of ``box``."""
    row = box.height() / tree.n_leaves
    named = row >= painter.fontMetrics().ascent()
    right = box.right() - (min(box.width() / 2, MAX_NAME_PX) if named else GAP_PX)
    depths = tree.depths
    x = box.left() + (right - box.left()) * depths / max(float(depths.max()), 1e-12)
    y = np.zeros(depths.size)
    y[tree.order] = box.top() + row * (np.arange(tree.n_leaves) + 0.5)
    branches = []
    for node, children in enumerate(tree.joins, tree.n_leaves):
        places = [float(y[child]) for child, _ in children]
        y[node] = (min(places) + max(places)) / 2
        branches.append(QLineF(x[node], min(places), x[node], max(places)))
        branches += [QLineF(x[node], y[child], x[child], y[child]) for child, _ in children]
    painter.setPen(QPen(theme.dim, 1, Qt.PenStyle.DotLine))
    painter.drawLines([QLineF(x[leaf], y[leaf], right, y[leaf]) for leaf in range(tree.n_leaves)])
    painter.setPen(QPen(theme.text, 1))
    painter.drawLines(branches)
    for leaf in range(tree.n_leaves) if named else ():
        room = box.right() - right - 2 * GAP_PX
        text = painter.fontMetrics().elidedText(names[leaf], Qt.TextElideMode.ElideMiddle, int(room))
        painter.drawText(QPointF(right + GAP_PX, y[leaf] + painter.fontMetrics().ascent() / 2 - 1), text)
