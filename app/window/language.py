"""The language of the window, and how its numbers are written: those of the system."""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.ui.number_text import LOCALE
from core.base.translate import use_language


def speak() -> None:
    """Say what follows in a language of the system that has a catalogue, and write numbers as its locale does."""
    system = QLocale.system()
    # A locale without a language, as in a container, and one with digits of its own, which no text of ours has.
    locale = LOCALE if system.language() is QLocale.Language.C or system.zeroDigit() != "0" else system
    QLocale.setDefault(locale)  # for what Qt writes by itself
    languages = [name.replace("-", "_") for name in system.uiLanguages()]
    application = QApplication.instance()
    if use_language(languages, locale.groupSeparator(), locale.decimalPoint()) and application is not None:
        own = QTranslator(application)  # the buttons and dialogs of Qt
        if own.load(system, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            application.installTranslator(own)
