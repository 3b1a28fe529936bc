"""Reading what a model sent: data as it is, text as JSON, or mended as the policy allows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.nodes import INT, Enum, Record, Refinement, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import to_builtin
from typesig.algebra.traversal import iter_distinct_parts
from typesig.validation.check_state import READ
from typesig.validation.coercions import CoercionId
from typesig.validation.issues.issues import Issue
from typesig.validation.json_text import BadJson, NotJson, read_digits, read_json
from typesig.validation.plain_data import replace_written_floats
from typesig.validation.policy import Policy

if TYPE_CHECKING:
    from typesig.validation.repair.repair import Fits


class ReadResult(NamedTuple):
    """The decoded raw input of a model, with repair warnings or an error.

    #: data: the data; if there is an error, what was sent, as text if it was bytes
    #: warnings: those of repairs; error: why it cannot be read, or None
    #: fault: where in the text reading stopped, as an index, or `READ`
    #: written: whether there may be a `WrittenFloat` in the data
    #: fitting: the object that was found to fit the type, of which the data is made, or None
    """

    data: Any
    warnings: tuple[Issue, ...] = ()
    error: Issue | None = None
    fault: int = READ
    written: bool = False
    fitting: Any = None


def read_sent(
    sent: Any, what: str, t: Type, names: Mapping[str, Type], policy: Policy, fits: Fits
) -> ReadResult:
    """Decode the raw input *sent*; return the data, the repair warnings and any error.

    *what* begins the message, as in "the answer is"; *t* is the type that is wanted, with the types
    of its references, and *fits* tells whether data fits it.
    """
    if type(sent) is not str and not issubclass(type(sent), str | bytes):
        return ReadResult(sent)
    sent = sent if type(sent) is str else to_builtin(sent)
    keeps = wants_digits(t, names, policy)
    try:
        if not keeps:
            return ReadResult(read_json(sent))
        data, written = read_digits(sent)
        return ReadResult(data, written=written)
    except NotJson as error:
        message, at = str(error), error.at
    except BadJson as error:
        return ReadResult(sent, (), Issue("json", (), "", f"{what} {error}"), error.at)
    # Loaded only for text that is not JSON.
    from typesig.validation.repair.lone_json import find_target_types
    from typesig.validation.repair.repair import RepairError, repair_text

    text = sent.decode() if isinstance(sent, bytes) else sent
    try:
        made = repair_text(text, message, policy, find_target_types(t, names), fits)
    except RepairError as error:
        # The place in a fence, for example, says more than that of the fence.
        place = at if error.place is None else error.place
        return ReadResult(text, (), Issue("json", (), "", f"{what} {error}", error.hint), place)
    except BadJson as error:
        return ReadResult(text, (), Issue("json", (), "", f"{what} {error}"), at)
    data = made.data if keeps else replace_written_floats(made.data)
    return ReadResult(data, made.warnings, written=keeps, fitting=made.data)


def wants_digits(t: Type, names: Mapping[str, Type], policy: Policy) -> bool:
    """Whether reading a value of *t* under *policy* needs the original digits of floats."""
    if policy.on_issue == "skip" or policy.coercions.isdisjoint(_KEEPING):
        return False
    parts = [t]
    if isinstance(t, Record):
        # A record of arguments is made anew for each tool; its parts are known to the cache.
        parts = [*[each.type for each in t.fields], *[each.type for each in t.matching]]
        parts += [] if t.extra is None else [t.extra]
    if any(_wants_digits(part, policy) for part in parts):
        return True
    return bool(names) and any(_wants_digits(each, policy) for each in names.values())


#: The coercions of numbers that keep all digits.
_KEEPING: frozenset[CoercionId] = frozenset({"decimal_from_number", "int_from_whole_float"})


@lru_cache(maxsize=1024)
def _wants_digits(t: Type, policy: Policy) -> bool:
    """Whether a part of *t* under *policy* needs the original digits of numbers."""
    takes_decimals = "decimal_from_number" in policy.coercions
    takes_ints = "int_from_whole_float" in policy.coercions
    return any(
        (takes_decimals and isinstance(part, Refinement) and _DECIMAL in part.constraints)
        or (takes_ints and part == INT)
        or (takes_ints and isinstance(part, Enum) and any(v.kind == "int" for v in part.values))
        for part in iter_distinct_parts([t])
    )


_DECIMAL = Constraint("format", "decimal")
