"""Choosers of a kernel: those of the papers are greyed where there is no graphics card for them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox

from app.ui.kernel_labels import KernelChoice, kernel_name
from app.ui.number_text import plain_tip
from core.jobs.pair import LcsKernel, SwapKernel


def grey_kernels(box: QComboBox, kernels: Iterable[KernelChoice], lack: str | None) -> None:
    """Grey the papers' kernels in ``box``, which lists ``kernels``, with the reason ``lack``; None: they can run."""
    model, widest = box.model(), 0
    if not isinstance(model, QStandardItemModel):
        return
    for row, kernel in enumerate(kernels):
        name, tip = kernel_name(kernel)
        widest = max(widest, box.fontMetrics().horizontalAdvance(name))
        if kernel in (LcsKernel.DEFAULT, SwapKernel.DEFAULT):
            continue
        model.item(row).setEnabled(lack is None)
        box.setItemText(row, name if lack is None else f"{name} — GPU: {lack}")
        box.setItemData(row, plain_tip(tip if lack is None else f"GPU: {lack}"), Qt.ItemDataRole.ToolTipRole)
    # As with the devices: the reason is for the open list.
    box.setFixedWidth(widest + 44)
    box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + 16)
