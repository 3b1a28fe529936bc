"""Losses as lines: each, or summed up where they are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from typesig.algebra.loss import Loss, LossKind
from typesig.cli.inputs.output import complain

#: How many sums are shown, and how many losses are always shown one by one.
_SUMS, _FEW = 8, 3


def lines_of_losses(losses: Sequence[Loss], verbose: bool) -> list[str]:
    """Return *losses* on a line each, or how many there are of each sort unless *verbose*.

    >>> lines_of_losses([Loss("omitted", (f"t{n}",), "the default", "no") for n in range(5)], False)
    ['the default (omitted): 5 in 5 tools, first t0']
    """
    if verbose or len(losses) <= _FEW:
        return [f"{loss} ({loss.kind})" for loss in losses]
    sorts: Counter[tuple[str, LossKind]] = Counter((each.what, each.kind) for each in losses)
    lines = []
    for (what, kind), times in sorts.most_common(_SUMS):
        places = [each.path for each in losses if (each.what, each.kind) == (what, kind)]
        tools = len({path[:1] for path in places})
        count = f"{times} in {tools} tool{'' if tools == 1 else 's'}"
        lines.append(f"{what} ({kind}): {count}, first {'.'.join(places[0])}")
    if len(sorts) > _SUMS:
        others = sum(times for _, times in sorts.most_common()[_SUMS:])
        lines.append(f"{len(sorts) - _SUMS} other sorts: {others}")
    return lines


def complain_of_losses(losses: Sequence[Loss], verbose: bool) -> None:
    """Print the lines of *losses*, and how each of them is shown if they are summed up."""
    lines = lines_of_losses(losses, verbose)
    complain(lines, "lost")
    if len(lines) < len(losses):
        complain(f"-v shows each of these {len(losses)} losses")
