"""A call of one of several tools as a type, to render, check and project."""

from __future__ import annotations

from typesig.algebra import nodes
from typesig.algebra.constructors import make_enum, make_refined, make_union
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.signature import Signature, make_type_signature, make_unique_name
from typesig.algebra.traversal import transform
from typesig.calls.protocols import ToolLike, ToolsByName
from typesig.errors import TypesigError


def make_call_signature(tools: ToolsByName, parallel: bool) -> Signature:
    """Make the signature whose result is a call of one of *tools*, or of calls if *parallel*.

    Raises `TypesigError` if there are no tools.
    """
    if not len(tools):
        raise TypesigError("without tools, there is no call")
    names: dict[str, nodes.Type] = {}
    call = make_union([_make_call(one, names) for one in tools])
    whole = make_refined(nodes.List(call), [Constraint("at_least", 1)]) if parallel else call
    return make_type_signature(whole, names)


def _make_call(one: ToolLike, names: dict[str, nodes.Type]) -> nodes.Type:
    """Make the type of a call of the tool *one*; add its definitions to *names*."""
    own = one.signature.names
    new: dict[str, str] = {}
    if any(names.get(name, t) != t for name, t in own.items()):
        taken = {*names, *own}
        new = {name: make_unique_name(name, taken) for name in own if name in names}

    def rename(part: nodes.Type) -> nodes.Type:
        if isinstance(part, nodes.Ref) and part.name in new:
            return nodes.Ref(new[part.name])
        return part

    names.update({new.get(name, name): transform(t, rename) for name, t in own.items()})
    parts = {"name": make_enum([one.name]), "arguments": transform(one.signature.arguments, rename)}
    return nodes.Record(tuple([nodes.Field(name, t) for name, t in parts.items()]), None)
