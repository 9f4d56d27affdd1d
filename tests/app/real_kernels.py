"""Fixtures of tests in which the kernels compute, in a window with room for all panels."""

import pytest


@pytest.fixture
def fake_kernels():
    """None: the real ones compute."""


@pytest.fixture
def window(window):
    window.resize(1400, 860)
    return window
