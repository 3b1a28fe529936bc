"""One comparison of two types, for input or output: its changes and open questions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple, TypeVar

from typesig.algebra import nodes
from typesig.contracts.comparing.sides import Sides, Way
from typesig.contracts.locks.places import Path, format_place

#: Two types between which an example is looked for, and whether it may have undeclared names.
Pair = tuple[nodes.Type, nodes.Type, bool]


class Change(NamedTuple):
    """A change of a tool and its place, before a severity is assigned."""

    rule: str
    place: str
    old: str = ""
    new: str = ""
    why: str = ""
    pair: Pair | None = None


#: The arguments of a tool without parameters.
NO_ARGUMENTS = nodes.Record((), nodes.ANY)

_UNKNOWN = "neither a proof nor a value that no longer fits was found"


class TypeComparison:
    """Comparison of two input types or two output types, with the changes found.

    #: found: the changes; sound: whether parts that fit make wholes that fit, as far as was seen
    #: moves: the places of fields that have another name now, before and after
    #: seen: pairs of types that are compared, or were, which ends the comparison of recursive ones
    """

    def __init__(
        self,
        sides: Sides,
        way: Way,
        compare: Callable[[TypeComparison, Path, nodes.Type, nodes.Type], None],
    ) -> None:
        self.sides = sides
        self.way: Way = way
        self._compare = compare
        self.found: list[Change] = []
        self.sound = True
        self.moves: list[tuple[str, str]] = []
        self.seen: set[tuple[nodes.Type, nodes.Type]] = set()

    def add(
        self,
        path: Path,
        change: str,
        old: str = "",
        new: str = "",
        why: str = "",
        pair: Pair | None = None,
        of: str = "",
    ) -> None:
        """Report *change* at *path*, under the rule named by *of* or else the direction."""
        rule = f"{of or self.way}-{change}"
        self.found.append(Change(rule, format_place(path), old, new, why, pair))

    def compare_types(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Report the differences between *a* and *b*, at *path* in the new contract."""
        if a != b:
            self._compare(self, path, a, b)

    def fits(self, a: nodes.Type, b: nodes.Type) -> bool | None:
        """Whether the change from *a* to *b* breaks nothing; None if unknown."""
        return self.sides.fits(self.way, a, b)

    def report_whole(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Report one change from *a* to *b*: widened, narrowed, rewritten or changed."""
        self.report_move(path, a, b, "type", self.sides.text(a), self.sides.text(b))

    def report_move(
        self, path: Path, a: nodes.Type, b: nodes.Type, what: str, old: str, new: str
    ) -> None:
        """Report a part as widened, narrowed or changed, by the relation of *a* and *b*."""
        fits = self.fits(a, b)
        back = self.fits(b, a)
        is_input, why = self.way == "input", ""
        if fits and back:
            self.add(path, "type-rewritten", old, new)
            return
        if fits:
            change = f"{what}-{'widened' if is_input else 'narrowed'}"
        elif fits is None:
            change, why = f"{what}-{'unknown' if what == 'type' else 'changed'}", _UNKNOWN
        elif back:
            change = f"{what}-{'narrowed' if is_input else 'widened'}"
        else:
            change = f"{what}-changed"
        self.add(path, change, old, new, why, (a, b, False))

    def root(self, path: Path, a: nodes.Type, b: nodes.Type, breaks: bool) -> None:
        """Report a breaking change of the whole type unless a part already *breaks*.

        So the relation has the last word.
        """
        if a == b or breaks:
            return
        if self.way == "input" and a == NO_ARGUMENTS:
            # Other names may be given, but a model that knows none gives none.
            a = nodes.Record(())
        fits = self.fits(a, b)
        if fits is False or (fits is None and not self.sound):
            self.report_whole(path, a, b)


# --- Match the parts of an old contract with those of a new one ---

T = TypeVar("T")


def pair_unique(
    key: Callable[[T], Hashable], gone: Iterable[T], come: Iterable[T]
) -> list[tuple[T, T]]:
    """Match items of *gone* and *come* whose *key* is unique on both sides.

    What has None for a key is in no pair.

    >>> pair_unique(len, ["a", "bc", "de"], ["x", "yz"])
    [('a', 'x')]
    """
    olds, news = _group_by(key, gone), _group_by(key, come)
    return [
        (parts[0], news[each][0])
        for each, parts in olds.items()
        if each is not None and len(parts) == 1 and len(news.get(each, ())) == 1
    ]


def _group_by(key: Callable[[T], Hashable], parts: Iterable[T]) -> dict[Hashable, list[T]]:
    """Group *parts* into lists by the result of *key*."""
    out: dict[Hashable, list[T]] = {}
    for part in parts:
        out.setdefault(key(part), []).append(part)
    return out
