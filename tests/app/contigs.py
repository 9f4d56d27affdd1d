"""Contigs that were placed nowhere but in a test."""

from itertools import groupby

from wavediff.core.jobs.contigs import ContigsResult, NotPlaced, Placement
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock
from wavediff.core.kernels.contigs.run import relations


def border(at):
    return Border(at, at, at)


def placed(number, start, end, minus=False):
    """Contig ``number``, with no alignment, on letters ``[start, end)`` of A."""
    borders = (border(start), border(end)), (border(0), border(end - start))
    block = CollinearBlock(BlockKind.COLLINEAR, *borders, minus)
    return Placement(
        number, f"c{number}", end - start, minus=minus, a=borders[0], contig=(0, end - start), blocks=(block,)
    )


def result_of(n, places, others=(), circular=False):
    """The answer of contigs at ``places`` (start, end, minus) of ``n`` letters, then ``others`` of these lengths."""
    contigs = [placed(k, *place) for k, place in enumerate(places, 1)]
    order = sorted(range(len(contigs)), key=lambda k: (places[k][0], -places[k][1]))
    next_to = relations([places[k][:2] for k in order], [k + 1 for k in order], n, circular=circular)
    covered = [False] * n
    for start, end, _ in places:
        for at in range(start, end):
            covered[at % n] = True
    left = [
        Placement(len(contigs) + k, f"c{len(contigs) + k}", letters, NotPlaced.UNKNOWN)
        for k, letters in enumerate(others, 1)
    ]
    bare = [list(some) for none, some in groupby(range(n), key=lambda at: not covered[at]) if none]
    gaps = tuple((some[0], some[-1] + 1) for some in bare)
    return ContigsResult(n, circular, 16, 128, (*contigs, *left), tuple(order), next_to, sum(covered), gaps)
