"""A comparison of two types of one tool, one way: what is found, and what is still to be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from typesig.algebra import nodes
from typesig.contracts.comparing.sides import Sides, Way
from typesig.contracts.locks.places import Path, place_of

#: Two types between which an example is looked for, and whether it may have undeclared names.
Pair = tuple[nodes.Type, nodes.Type, bool]


class Found(NamedTuple):
    """A change at a place, before its severity is known."""

    rule: str
    place: str
    old: str = ""
    new: str = ""
    why: str = ""
    pair: Pair | None = None


#: The arguments of a tool without parameters.
NO_ARGUMENTS = nodes.Record((), nodes.ANY)

_UNKNOWN = "neither a proof nor a value that no longer fits was found"


class Walk:
    """A comparison of the types of two signatures, *way* input or output.

    #: found: the changes; sound: whether parts that fit make wholes that fit, as far as was seen
    #: moves: the places of fields that have another name now, before and after
    #: seen: pairs of types that are compared, or were, which ends the comparison of recursive ones
    """

    def __init__(
        self, sides: Sides, way: Way, compare: Callable[[Walk, Path, nodes.Type, nodes.Type], None]
    ) -> None:
        self.sides = sides
        self.way: Way = way
        self._compare = compare
        self.found: list[Found] = []
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
        """Report *change* at *path*: of types, a row of `TYPE_CHANGES`, or of what *of* says."""
        rule = f"{of or self.way}-{change}"
        self.found.append(Found(rule, place_of(path), old, new, why, pair))

    def types(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Report how *b*, at *path* in the new contract, differs from *a*."""
        if a != b:
            self._compare(self, path, a, b)

    def fits(self, a: nodes.Type, b: nodes.Type) -> bool | None:
        """Return whether the change from *a* to *b* breaks nothing."""
        return self.sides.fits(self.way, a, b)

    def whole(self, path: Path, a: nodes.Type, b: nodes.Type) -> None:
        """Report the change from *a* to *b* as one, by the relation between them."""
        self.moved(path, a, b, "type", self.sides.text(a), self.sides.text(b))

    def moved(
        self, path: Path, a: nodes.Type, b: nodes.Type, what: str, old: str, new: str
    ) -> None:
        """Report that *what* was widened, narrowed or changed, by the relation of two types."""
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
        """Compare *a* and *b* as wholes if no change that *breaks* was found in them.

        So the relation has the last word.
        """
        if a == b or breaks:
            return
        if self.way == "input" and a == NO_ARGUMENTS:
            # Other names may be given, but a model that knows none gives none.
            a = nodes.Record(())
        fits = self.fits(a, b)
        if fits is False or (fits is None and not self.sound):
            self.whole(path, a, b)
