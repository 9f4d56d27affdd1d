"""What is compiled, or ready, for the time of a test: the one place that knows where the modules keep it."""

from wavediff.core.jit import background_compile, warmup


def nothing_ready(monkeypatch):
    """No kernel was called in this process."""
    monkeypatch.setattr(warmup, "_ready", {})


def none_ready_of(monkeypatch, kernel):
    """No kernel whose name begins so was called."""
    others = {key: name for key, name in warmup._ready.items() if not name.startswith(kernel)}
    monkeypatch.setattr(warmup, "_ready", others)


def at_work(monkeypatch, *compilers, cached=None):
    """Children compile; ``cached``: names that the cache held at the start, None: as it is."""
    monkeypatch.setattr(background_compile, "_ahead", compilers)
    if cached is not None:
        monkeypatch.setattr(background_compile, "_cached", frozenset(cached))


def ahead_now():
    return background_compile._ahead


def ready_names(compiler):
    """The set of names that a child has compiled, to be changed."""
    return compiler._ready
