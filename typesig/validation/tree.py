"""Messages in the shape of the value that they are about: what `Outcome.tree` returns.

A map has messages by key, a list by index; where there are none below, a list of texts stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typesig.limits import MAX_PADDED
from typesig.validation.excerpt import FIREWALLED
from typesig.validation.issues import Issue

#: Where the messages of a map or list itself stand, beside those of what is in it.
OWN = ":messages"


class _Place:
    """What is said of one place.

    #: below: the places in it, by key, or by index as text; listed: whether all are indices
    #: form: the place as data, once the places in it have theirs
    """

    __slots__ = ("below", "form", "last", "listed", "own")

    def __init__(self) -> None:
        self.own: list[str] = []
        self.below: dict[str, _Place] = {}
        self.listed = True
        self.last = -1
        self.form: Any = None

    def settle(self) -> None:
        if not self.below:
            self.form = self.own
        elif self.listed and self.last < MAX_PADDED:
            found = [self.below.get(str(index)) for index in range(self.last + 1)]
            self.form = [None if place is None else place.form for place in found]
        else:
            self.form = {key: place.form for key, place in self.below.items()}


def tree_of(issues: Iterable[Issue]) -> Any:
    """Return the messages of *issues* in the shape of the value, None where there are none."""
    root = _Place()
    places = [root]

    def within(place: _Place, step: str | int) -> _Place:
        known = place.below.get(str(step))
        if known is None:
            known = place.below[str(step)] = _Place()
            places.append(known)
        if isinstance(step, int):
            place.last = max(place.last, step)
        else:
            place.listed = False
        return known

    for issue in issues:
        place = root
        # What is firewalled is told where a report tells it, and no further in.
        hidden = issue.hidden >= 0
        for step in (*issue.path[: issue.hidden], FIREWALLED) if hidden else issue.path:
            place = within(place, step)
        place.own.append(issue.message)
    for place in places:
        if place.own and place.below:
            # A key of that very name shares the list, so that nothing is lost.
            within(place, OWN).own[:0] = place.own
            place.own = []
    for place in reversed(places):
        place.settle()
    return root.form or None
