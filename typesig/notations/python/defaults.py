"""Which defaults, as JSON, have the types of their hints: JSON has no tuples, sets or datetimes."""

from __future__ import annotations

from typesig.algebra import nodes
from typesig.algebra.constructors import maybe, union
from typesig.algebra.signature import Signature, with_fitting_defaults
from typesig.algebra.traversal import transform

_NEVER = nodes.Not(nodes.ANY)


def unhinted_defaults(signature: Signature) -> frozenset[str]:
    """Return the names of the parameters whose defaults are of other types than the hints.

    >>> from typesig import parse
    >>> sorted(unhinted_defaults(parse("(a [:int, :int] = [1, 2], b [:int] = [1, 2]) -> :any")))
    ['a']
    """
    given = [f for f in signature.params if f.default is not None]
    if all(f.default is None or f.default.kind not in ("list", "map") for f in given):
        return frozenset()
    params = [
        nodes.Field(f.name, transform(f.type, _hinted), False, f.default, True) for f in given
    ]
    names = {name: transform(t, _hinted) for name, t in signature.names.items()}
    _, unfit = with_fitting_defaults(params, nodes.ANY, names)
    return frozenset(field.name for field, _ in unfit)


def _hinted(t: nodes.Type) -> nodes.Type:
    """Return *t*, whose parts are done, as the type of the JSON values that its hint has."""
    match t:
        case nodes.Tuple() | nodes.Set() | nodes.Scalar("datetime"):
            return _NEVER
        case nodes.Record(fields) if fields:
            return nodes.Record(
                tuple([nodes.Field(f.name, f.type, f.required, None, True) for f in fields]), None
            )
        case nodes.Record():
            return nodes.Scalar("map")
        case nodes.Not():
            return nodes.ANY
        case nodes.Counted():
            return nodes.List(nodes.ANY)
        case nodes.Both(members):
            return members[0]
        case nodes.One(members) | nodes.Union(members):
            return union(members)
        case nodes.Maybe(inner):
            return maybe(inner)
        case nodes.Refined(inner) | nodes.Noted(inner):
            return inner
        case _:
            return t
