"""Names of tools in the heads of calls, whose counter may not be set off."""

from __future__ import annotations

from collections.abc import Collection

from typesig.providers.dialects.dialect import Dialect, HeadForm

_DIGITS = "0123456789"
_BETWEEN = "_:."


def resolve_tool_name(name: str, dialect: Dialect, names: Collection[str]) -> str:
    """Find the tool of *names* that a counted *name* means, or return *name* itself.

    Models of such a family write `functions_add_1` and `functions.add1`, too.  A name that may mean
    several tools is returned as it is.

    >>> from typesig.providers.dialects.rows import DIALECTS
    >>> resolve_tool_name("functions_add_1", DIALECTS["kimi-k2"], ["add"])
    'add'
    """
    form = dialect.form
    if not isinstance(form, HeadForm) or not form.counter or name in names:
        return name
    bare = name.removeprefix(form.prefix.rstrip(_BETWEEN)).lstrip(_BETWEEN)
    found = {name, bare}
    for each in (name, bare):
        count = len(each) - len(each.rstrip(_DIGITS))
        parts = [each[:-size] for size in range(1, count + 1)]
        found |= {*parts, *[part.rstrip(_BETWEEN) for part in parts]}
    meant = [each for each in sorted(found) if each in names]
    return meant[0] if len(meant) == 1 else name
