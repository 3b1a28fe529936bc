"""Messages in the shape of the value, for `Outcome.tree`.

A map has messages by key, a list by index; the messages of a value are a list of texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typesig.limits import MAX_PADDED
from typesig.validation.issues.excerpt import FIREWALLED
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.words import Words

#: The key of the messages of a map or list itself, beside those of its entries.
OWN = ":messages"


class _TreeNode:
    """The error messages at one path of a value, and its child nodes.

    #: own: the messages of the place itself
    #: below: the places in it, by key, or by index as text; listed: whether all are indices
    #: last: the last index; form: the place as data, set after the forms of the places in it
    """

    __slots__ = ("below", "form", "last", "listed", "own")

    def __init__(self) -> None:
        self.own: list[str] = []
        self.below: dict[str, _TreeNode] = {}
        self.listed = True
        self.last = -1
        self.form: Any = None

    def settle(self) -> None:
        """Set `form`, the node as data, from its messages or its child nodes."""
        if not self.below:
            self.form = self.own
        elif self.listed and self.last < MAX_PADDED:
            found = [self.below.get(str(index)) for index in range(self.last + 1)]
            self.form = [None if place is None else place.form for place in found]
        else:
            self.form = {key: place.form for key, place in self.below.items()}


def build_tree(issues: Iterable[Issue], words: Words) -> Any:
    """Arrange the messages of *issues* in the shape of the value; None without issues.

    They are in *words*.
    """
    root = _TreeNode()
    places = [root]

    def within(place: _TreeNode, step: str | int) -> _TreeNode:
        known = place.below.get(str(step))
        if known is None:
            known = place.below[str(step)] = _TreeNode()
            places.append(known)
        if isinstance(step, int):
            place.last = max(place.last, step)
        else:
            place.listed = False
        return known

    for issue in issues:
        place = root
        # As in a report, the path ends at the firewalled name.
        hidden = issue.hidden >= 0
        for step in (*issue.path[: issue.hidden], FIREWALLED) if hidden else issue.path:
            place = within(place, step)
        place.own.append(issue._write_message(words))
    for place in places:
        if place.own and place.below:
            # A key of the value with this name shares the list, so that no message is lost.
            within(place, OWN).own[:0] = place.own
            place.own = []
    for place in reversed(places):
        place.settle()
    return root.form or None
