"""Published limits of providers: one row each, with its date and page.

Vendors change these numbers, and some hold for one model only: any of them can be replaced, as in
`tools.project("openai", limits={"tools": 64})`.  To add a limit, add its name to `LimitName`, its
row to the vendor's, and what it counts to `budgets`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from typesig.errors import TypesigError, format_value

#: What is counted.  Of a request: `tools`, `optionals` (parameters that may be left out) and
#: `unions` (parameters of several types), `bytes` (of the definitions as JSON text) and `tokens`.
#: Of a tool: `levels` (objects within objects), `properties`, `enum_values`, `enum_text`
#: (characters of an enum of more than 250 texts), `schema_text` (characters of names and
#: constants) and `description` (characters).
LimitName: TypeAlias = Literal[
    "tools", "optionals", "unions", "bytes", "tokens", "levels", "properties", "enum_values",
    "enum_text", "schema_text", "description",
]  # fmt: skip

LIMIT_NAMES: tuple[LimitName, ...] = get_args(LimitName)


class LimitRow(NamedTuple):
    """A limit that a provider publishes, with its value and source.

    #: strict: whether it holds only where the provider holds the model to the schema
    #: refuses: whether the provider refuses a tool beyond it, so that the tool is left out
    #: date: the month in which the page was read
    """

    name: LimitName
    value: int
    strict: bool
    refuses: bool
    date: str
    page: str


def get_limits(
    rows: Iterable[LimitRow], strict: bool, own: Mapping[str, int] | None
) -> dict[LimitName, int]:
    """Limits of *rows*, overridden by the caller's *own* numbers."""
    found: dict[LimitName, int] = {row.name: row.value for row in rows if strict or not row.strict}
    for name, value in (own or {}).items():
        found[_check_name(name)] = _check_number(name, value)
    return found


def _check_name(name: Any) -> LimitName:
    """Return *name* if it is a limit's name; raise `TypesigError` otherwise."""
    for known in LIMIT_NAMES:
        if name == known:
            return known
    raise TypesigError(
        f"there is no limit {format_value(name)}; there are {', '.join(LIMIT_NAMES)}"
    )


def _check_number(name: str, value: Any) -> int:
    """Return *value* if it is a non-negative integer; *name* is the limit's name."""
    if type(value) is not int or value < 0:
        raise TypesigError(f"the limit {name} is a number of 0 or more, not {format_value(value)}")
    return value
