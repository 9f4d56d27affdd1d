"""Settings every test shares; must load on a machine with a GPU and no Qt, and the other way round."""

import gc
import os
import sys
from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

from tests import processes
from tests.depth import DEFAULT_EXAMPLES, drawn, mark
from tests.speeds import Speeds
from wavediff.core.jit import compile_cache
from wavediff.core.system.program import CHECKOUT_PACKAGE

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# What is tested is said in English with English numbers, wherever it is tested.
os.environ["LC_ALL"] = "C.UTF-8"
os.environ.pop("LANGUAGE", None)
# What is tested has no defaults of whoever tests it.
os.environ["WAVEDIFF_OPTIONS"] = "--no-defaults"
# The Python processes that tests start import this checkout too, whichever environment they run in.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(CHECKOUT_PACKAGE), os.environ.get("PYTHONPATH"))))
# Before any test imports numba; kernels compiled in one run of the tests are there for the next.
compile_cache.prepare()
# A busy machine is no fault: nothing that is generated has to be done within a time.
# In the continuous integration the same commit is tested with the same examples, each time; elsewhere with new ones.
settings.register_profile(
    "wavediff",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    max_examples=drawn(DEFAULT_EXAMPLES),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("wavediff")


def pytest_configure(config):
    """Register the plugin of the whole suite."""
    config.pluginmanager.register(Speeds(config), "speeds")


def pytest_collection():
    """Nothing of what is imported and collected is garbage: it is looked through neither then nor by each test."""
    gc.disable()
    import_module("wavediff.core.jit.quiet_numba")  # or the first short pairs of a process run on other kernels


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Before marks choose what runs."""
    mark(items)


@pytest.fixture(scope="session", autouse=True)
def _heed_signals():
    processes.heed_signals()


@pytest.fixture(autouse=True)
def _no_measured_rates():
    """An estimate or a choice of a device depends on no job of an earlier test, nor on how busy the machine was."""
    rates = sys.modules.get("wavediff.core.run.rates")
    if rates is not None:
        rates.forget()


@pytest.fixture
def spawn():
    """As ``processes.spawned``, until the end of the test."""
    with ExitStack() as stack:
        yield lambda *words, **options: stack.enter_context(processes.spawned(*words, **options))


if find_spec("pytestqt") is None:
    collect_ignore = ["app"]

    def pytest_addoption(parser):
        """Declare pytest-qt's settings in its absence, or --strict-config stops the run."""
        for name in ("qt_api", "qt_log_level_fail", "qt_log_ignore"):
            parser.addini(name, "unused without pytest-qt")
