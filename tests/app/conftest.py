"""A session and a window whose LCS kernel is a fake; nothing touches the person's own settings."""

import pytest
import shiboken6
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from tests.app import fake_edit, fakes
from tests.late import make_late
from wavediff.app.compare.pair.pair_state import JobOptions
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.ui.settings_file import SettingsFile
from wavediff.app.ui.theme import Scheme, Theme
from wavediff.app.window.cache_tasks import GcTimer
from wavediff.app.window.main_window import MainWindow
from wavediff.app.window.session import Session
from wavediff.app.window.settings import Settings
from wavediff.core.jobs import KernelModules
from wavediff.core.methods.edit import EditJob
from wavediff.core.methods.lcs import LcsJob

LEAST_WAIT_MS = 300_000  # kernels may be compiled meanwhile
make_late()


class PatientBot(QtBot):
    """Waits as long as a busy machine may need: to end by its time is a failure, and never what is expected."""

    def waitUntil(self, callback, **options):
        super().waitUntil(callback, **_patient(options))

    def waitSignal(self, signal, **options):
        return super().waitSignal(signal, **_patient(options))

    def waitSignals(self, signals, **options):
        return super().waitSignals(signals, **_patient(options))

    def expect(self, signal, call, *args, **named):
        with self.waitSignal(signal):
            call(*args, **named)

    def waitExposed(self, widget, **options):
        return super().waitExposed(widget, **_patient(options))


def _patient(options):
    if options.get("raising") is False:  # it is waited for nothing to happen
        return options
    return {**options, "timeout": max(LEAST_WAIT_MS, options.get("timeout", 0))}


@pytest.fixture
def qtbot(qapp, request):
    return PatientBot(request)


@pytest.fixture(scope="package", autouse=True)
def garbage(qapp):
    """As in the program: the windows of one test do not end on a thread of the next."""
    garbage = GcTimer()
    yield garbage
    garbage.close()


def use_fakes(patch):
    fakes.Lcs.reset()
    fake_edit.Edit.reset()
    patch.setattr(LcsJob, "modules", KernelModules(cpu=fakes.HERE, gpu=None))
    patch.setattr(EditJob, "modules", KernelModules(cpu=fake_edit.HERE, gpu=None))


def session_of(folder):
    return Session(RecentPairs(SettingsFile(folder / "wavediff.ini")), JobOptions("lcs"))


@pytest.fixture
def fake_kernels(monkeypatch):
    use_fakes(monkeypatch)


@pytest.fixture
def released():
    """Owners of objects of Qt, which end after their threads."""
    owners = []
    yield owners
    release(*owners)


def release(*owners):
    """Delete all objects of Qt that have no parent: their connections hold the window, and Python cannot see that."""
    waiting, seen = list(owners), {}
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)
        elif type(each).__module__.startswith("wavediff.app") and id(each) not in seen:
            seen[id(each)] = each
            waiting.extend(getattr(each, "__dict__", {}).values())
    for each in seen.values():
        if isinstance(each, QObject) and shiboken6.isValid(each) and each.parent() is None:
            shiboken6.delete(each)


@pytest.fixture
def session(qtbot, tmp_path, fake_kernels, released):
    session = session_of(tmp_path)
    released.append(session)
    yield session
    qtbot.waitUntil(session.close)  # a thread that compiles ends when it has done so


@pytest.fixture
def notices(session):
    said = []
    session.noticed.connect(said.append)
    return said


@pytest.fixture
def theme(qtbot):
    return Theme(Scheme.LIGHT)


@pytest.fixture
def window(qtbot, session, theme, released):
    window = MainWindow(session, theme, Settings())
    if session in released:  # a session of another fixture ends after this
        released.append(window)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


@pytest.fixture
def write(tmp_path):
    def files(*texts):
        """Return files of letters (bytes): a.fa, and b.fa where there are two."""
        return [
            fakes.fasta(tmp_path / f"{name}.fa", (name, one.decode())) for name, one in zip("ab", texts, strict=False)
        ]

    return files


@pytest.fixture(scope="module")
def module_bot(qapp, request):
    return PatientBot(request)


@pytest.fixture(scope="module")
def module_window(module_bot, tmp_path_factory):
    """A window of all tests of a module, which leave it as they found it."""
    with pytest.MonkeyPatch.context() as patch:
        use_fakes(patch)
        session = session_of(tmp_path_factory.mktemp("window"))
        window = MainWindow(session, Theme(Scheme.LIGHT), Settings())
        window.show()
        module_bot.waitExposed(window)
        yield window
        window.close()
        module_bot.waitUntil(session.close)
        release(session, window)


@pytest.fixture
def pair(tmp_path):
    return (
        fakes.fasta(tmp_path / "one.fa", ("one first", "ACGTACGTAC")),
        fakes.fasta(tmp_path / "two.fa", ("two", "ACGTTCGTACGG")),
    )
