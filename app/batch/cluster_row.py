"""Cluster address and its TLS files."""

from __future__ import annotations

from importlib.util import find_spec

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QPushButton, QWidget

from wavediff.app.ui.buttons import Popover
from wavediff.app.ui.labels import PathField
from wavediff.app.ui.layouts import in_row
from wavediff.app.ui.save_dialog import ask_file
from wavediff.app.ui.theme import Theme
from wavediff.core.jobs.cluster import TLS, Cluster
from wavediff.core.system import program

WIDTH_PX = 460
FILES = (("ca", "Certificate authority"), ("certificate", "Certificate"), ("key", "Private key"))
TRUST = "Use only a cluster that you trust: its operators can run programs under your account"


class TlsPopover(Popover):
    """Attributes: lines: path field of each file. asking: a file dialog is open, which hides the popover."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__("Files for TLS", WIDTH_PX, theme, parent)
        about = QLabel(f"PEM files for an address that begins with {TLS}. {TRUST}.", self, wordWrap=True)
        self.column.addWidget(about)
        self.lines: dict[str, PathField] = {}
        self.asking = False
        grid = QGridLayout()
        for row, (id_, name) in enumerate(FILES):
            line, choose = PathField(parent=self), QPushButton("File…", self)
            line.setAccessibleName(name)
            choose.setAccessibleName(f"Choose the file: {name}")
            choose.clicked.connect(lambda _, id_=id_: self._ask(id_))
            for column, widget in enumerate((QLabel(name, self), line, choose)):
                grid.addWidget(widget, row, column)
            self.lines[id_] = line
        self.column.addLayout(grid)

    def _ask(self, id_: str) -> None:
        self.asking = True
        path = ask_file(self.parentWidget(), "File for TLS", at=self.lines[id_].text())
        self.asking = False
        if path:
            self.lines[id_].setText(path)
        if self._anchor is not None:
            self.open_under(self._anchor)


class ClusterRow(QWidget):
    """Signals: chosen: a ``Cluster``; without an address: this computer."""

    chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.address, self.tls = QLineEdit(self), QPushButton("TLS…", self)
        self.files = TlsPopover(theme, self)
        self.address.setAccessibleName("Cluster")
        self.address.setMinimumWidth(60)
        self.tls.setToolTip("Files for a cluster that encrypts")
        lack = self.lack()
        self.address.setPlaceholderText(lack or "Cluster: this computer, or tcp://scheduler:8786")
        self.address.setToolTip(
            lack or f"Address of a Dask scheduler whose workers compute the pairs; empty: this computer. {TRUST}"
        )
        self.tls.hide()
        in_row((self.address, 1), self.tls, on=self, margin=0)
        self.address.textChanged.connect(lambda text: self.tls.setVisible(text.strip().startswith(TLS)))
        self.address.editingFinished.connect(self._choose)
        self.tls.clicked.connect(lambda: self.files.open_under(self.tls))
        self.files.closed.connect(self._choose)

    @staticmethod
    def lack() -> str:
        """Return why no cluster can be used, as a sentence, or an empty string."""
        return "" if find_spec("distributed") is not None else f"For a cluster: {program.lacks('distributed')}"

    def show_cluster(self, cluster: Cluster) -> None:
        """Show the chosen cluster, except while the address is edited."""
        self.address.setEnabled(bool(cluster.address) or not self.lack())  # what cannot be can still be taken away
        if not self.address.hasFocus():
            self.address.setText(cluster.address)
        for id_, line in self.files.lines.items():
            if not line.hasFocus():
                line.setText(getattr(cluster, id_))

    @Slot()
    def _choose(self) -> None:
        if self.files.asking:
            return
        files = {id_: line.text().strip() for id_, line in self.files.lines.items()}
        self.chosen.emit(Cluster(self.address.text().strip(), **files))
