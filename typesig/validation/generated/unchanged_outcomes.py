"""Outcomes whose value is the checked object itself, unchanged plain data.

If a predicate finds only built-in classes in a value, keys included, and no undeclared keys,
nothing in it has to be rewritten.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.frozen import seal
from typesig.limits import MAX_GENERATED
from typesig.validation.check_state import Subject
from typesig.validation.outcome.check_context import CheckContext, Notes, PassthroughContext
from typesig.validation.outcome.constructors import ValidOutcome
from typesig.validation.outcome.outcome import Outcome

#: The scalars, and the kinds of constants of one enum, whose values are of one built-in class.
_SCALARS = frozenset({nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL, nodes.NIL})
_KINDS = ({"string"}, {"int"})


class UnchangedContext(PassthroughContext):
    """Context of outcomes whose value has built-in classes only, and declared keys."""

    def get_plain_value(self, result: Any, _notes: Notes | None) -> Any:
        """Return *result* unchanged."""
        return result

    def make_subject(self, value: Any) -> Subject:
        """Make the subject of the check of *value*, which is complete."""
        return super().make_subject(value)._replace(is_whole=True)


@seal
class UnchangedOutcome(ValidOutcome[Any]):
    """An outcome whose value is its result."""

    __slots__ = ()
    # A getter of C takes a third of the time of a method.
    value = property(attrgetter("_result"), doc=Outcome.value.__doc__)  # pyright: ignore[reportIncompatibleMethodOverride]


def make_unchanged_context(about: CheckContext) -> UnchangedContext | None:
    """Make the context of outcomes with plain values, or None if values may not be plain.

    It does if each value of it has built-in classes only, where there are no undeclared keys.
    Where errors are only warnings, an outcome may have any other value.
    """
    is_of_type = about.policy.on_issue == "fail"
    return UnchangedContext(*about) if is_of_type and has_plain_values(about.type) else None


def has_plain_values(t: nodes.Type) -> bool:
    """Whether values of *t* are plain if they have its classes and no undeclared keys."""
    pending, visited = [t], 0
    while pending:
        parts = _get_part_types(pending.pop())
        visited += 1
        # A type that shares its parts is longer than it looks.
        if parts is None or visited > MAX_GENERATED:
            return False
        pending.extend(parts)
    return True


def _get_part_types(t: nodes.Type) -> list[nodes.Type] | None:
    """Return the types of the parts of a value of *t*; None if it may have another class."""
    match t:
        case nodes.Scalar():
            return [] if t in _SCALARS else None
        case nodes.Enum(values):
            return [] if {value.kind for value in values} in _KINDS else None
        case (
            nodes.Maybe(inner)
            | nodes.Annotation(inner)
            | nodes.Refinement(inner)
            | nodes.List(inner)
        ):
            return [inner]
        case nodes.MapOf(key, value):
            return [value] if key == nodes.STRING else None
        case nodes.Tuple(items, rest):
            return [*items, *([] if rest is None else [rest])]
        case nodes.Union(members):
            # The branches of other unions have functions of their own.
            leaves = all(isinstance(member, nodes.Scalar | nodes.Enum) for member in members)
            return [*members] if leaves else None
        case nodes.Record(fields, extra, matching):
            is_closed = extra in (nodes.ANY, None) and not matching
            return [field.type for field in fields] if is_closed else None
        case (
            nodes.Set() | nodes.One() | nodes.Both() | nodes.Not() | nodes.ItemCount() | nodes.Ref()
        ):
            return None
        case _:
            assert_never(t)
