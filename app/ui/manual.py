"""The manual in a dialog: the Markdown pages of README and ``resources/docs``, rendered by Qt."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QWidget

from wavediff.app.ui.dialogs import Standard, button_box
from wavediff.app.ui.layouts import in_column
from wavediff.core.system import program

OF_SPHINX = re.compile(r"^```\{(?:toctree|eval-rst)\}.*?^```$|\{download\}|\{code-block\}|^!\[[^\n]*\)$", re.M | re.S)
INCLUDE = re.compile(r"```\{include\} (\S+)")
LINK = re.compile(r"(?<!!)\[([^]]+)\]\((?!https?:|#)([^)#]+)[^)]*\)")


class ManualPages(QTextBrowser):
    """Browser of Markdown files; web links open in the system's browser."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, openExternalLinks=True)
        self.setAccessibleName("Page of the manual")
        self.sourceChanged.connect(self._scroll)

    def loadResource(self, kind: int, url: QUrl | str) -> object:
        """Return a page without Sphinx directives and pictures; links to other files become plain text."""
        if kind != QTextDocument.ResourceType.MarkdownResource:
            return super().loadResource(kind, url)
        url = QUrl(url)
        file = Path(url.toLocalFile())
        text = file.read_text(encoding="utf-8")
        if included := INCLUDE.match(text):
            return self.loadResource(kind, url.resolved(QUrl(included[1])))

        def linked(link: re.Match[str]) -> str:
            is_page = link[2].endswith(".md") and (file.parent / link[2]).exists()
            return link[0] if is_page else link[1]

        return LINK.sub(linked, OF_SPHINX.sub("", text))

    @Slot(QUrl)
    def _scroll(self, url: QUrl) -> None:
        """Scroll to the heading of a link's fragment: Qt's Markdown has no anchors."""
        block = self.document().begin()
        while block.isValid():
            words = re.sub(r"[^\w -]", "", block.text().lower()).replace(" ", "-")
            if block.blockFormat().headingLevel() and words == url.fragment():
                self.moveCursor(QTextCursor.MoveOperation.End)  # the heading is then at the top, not at the bottom
                self.setTextCursor(QTextCursor(block))
            block = block.next()


class ManualDialog(QDialog):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Manual")
        self.pages = pages = ManualPages(self)
        buttons = button_box(self, Standard.Close)
        steps = {
            "Contents": (pages.home, None),
            "Back": (pages.backward, pages.backwardAvailable),
            "Forward": (pages.forward, pages.forwardAvailable),
        }
        for text, (do, available) in steps.items():
            button = buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
            button.clicked.connect(do)
            if available is not None:
                button.setEnabled(False)
                available.connect(button.setEnabled)
        in_column((pages, 1), buttons, on=self)
        self.resize(820, 640)
        pages.setSource(QUrl.fromLocalFile(str(program.ROOT / "README.md")))
