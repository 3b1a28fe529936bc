"""The tool that a model meant by a name that differs from the declared one in spelling only.

A model writes `functions.getUser` or `get-user(id)` for `get_user`.  Such a name means a tool if
exactly one declared name is the same but for case and separators.  What is merely close is never
run.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typesig.validation.issues.issues import Issue

#: What separates the words of a name.
_SEPARATORS = str.maketrans("", "", "-_ ./:")

#: What some models write before each name, since the prompts of a vendor list tools below it.
_PREFIX = "functions."


def fold_name(name: str) -> str:
    """Remove case and separators from *name*.

    >>> fold_name("getUser") == fold_name("get-user")
    True
    """
    return name.translate(_SEPARATORS).casefold()


def find_name(name: object, known: Collection[str], refused: Iterable[str] = ()) -> str | None:
    """Find the one of *known* that *name* is spelled like; None without one, or with several.

    A name that may also be one of *refused* is None.

    >>> find_name("functions.getUser", ["get_user", "get_users"])
    'get_user'
    >>> find_name("get_user()", ["getUser", "get-user"])
    """
    if name in known:
        return str(name)
    if not isinstance(name, str):
        return None
    wanted = {fold_name(form) for form in _forms(name)} - {""}
    found = {each for each in (*known, *refused) if fold_name(each) in wanted}
    return found.pop() if len(found) == 1 and not found.isdisjoint(known) else None


def _forms(name: str) -> set[str]:
    """Return *name* as it is, and without the prefix and the parentheses that models add to it."""
    bare = name.strip()
    if bare.endswith(")") and "(" in bare:
        bare = bare.partition("(")[0]
    short = bare[len(_PREFIX) :] if bare.casefold().startswith(_PREFIX) else bare
    return {name, bare, short}


def respelled_issue(name: str, declared: str) -> Issue:
    """Build the warning that the tool *declared* was called as *name*."""
    from typesig.validation.issues.excerpt import text
    from typesig.validation.issues.issues import Issue

    return Issue("called", (), declared, text(name))
