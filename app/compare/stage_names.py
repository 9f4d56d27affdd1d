"""Names of the stages of a comparison in plain words; the table of timings has the kernels' own."""

from __future__ import annotations

from core.base.translate import tr, tr_noop

NAMES = {
    "allocate": tr_noop("memory"),
    "blocks": tr_noop("blocks"),
    "bound": tr_noop("upper bound"),
    "diagonals": tr_noop("diagonals"),
    "download": tr_noop("copying back"),
    "encode": tr_noop("letters"),
    "pack": tr_noop("letters"),
    "prepare": tr_noop("preparation"),
    "profile": tr_noop("scores of letters"),
    "screening": tr_noop("screening"),
    "seeds": tr_noop("common stretches"),
    "skipped": tr_noop("skipped blocks"),
    "small": tr_noop("small pair"),
    "split": tr_noop("halves"),
    "spot-check": tr_noop("check"),
    "subsequence": tr_noop("subsequence"),
    "ties": tr_noop("fewest gaps"),
    "traceback": tr_noop("traceback"),
    "upload": tr_noop("copying to the card"),
    "verify": tr_noop("check"),
}


def stage_name(kernels: str) -> str:
    """Return the name of a stage; ``kernels``: its kernels, joined by ``+``.

    >>> stage_name("blocks+verify")
    'blocks, check'
    """
    return ", ".join(dict.fromkeys(tr(NAMES.get(one, one)) for one in kernels.split("+")))
