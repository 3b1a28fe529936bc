"""Results of foreign tools, cut at a depth: what is nested deeper is any map."""

from __future__ import annotations

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import MAP, Record, Ref, Type
from typesig.algebra.redaction import find_used_names
from typesig.algebra.signature import Signature, make_unique_name
from typesig.algebra.traversal import get_children, rebuild
from typesig.errors import TypesigError, format_value


def check_depth(depth: object) -> int | None:
    """Return *depth*; raise `TypesigError` if it is neither None nor a number of levels."""
    if depth is None or (type(depth) is int and depth >= 0):
        return depth
    raise TypesigError(
        f"depth is a number of levels of at least 0, or None, not {format_value(depth)}"
    )


def cut_result(signature: Signature, depth: int) -> tuple[Signature, list[Loss]]:
    """Limit the nested objects in the result of *signature* to *depth*; return the loss."""
    cutting = _DepthLimiter(signature)
    returns = cutting.cut(signature.returns, depth)
    if not cutting.count:
        return signature, []
    found = cutting.definitions
    named = {name: found[name] for name in found if name in find_used_names(found, [returns])}
    what = f"{cutting.count} objects within others"
    loss = Loss("widened", ("output",), what, f"they are deeper than depth={depth}", ":map")
    secrets, before = signature.secrets, signature.losses
    return Signature((), returns, named, secrets=secrets, losses=before), [loss]


class _DepthLimiter:
    """Limiter of nested objects in a signature's types, with named types by depth.

    #: count: how many objects became maps
    """

    def __init__(self, signature: Signature) -> None:
        self._names = signature.names
        self._known: dict[tuple[str, int], str] = {}
        self._taken = {*self._names}
        self.definitions: dict[str, Type] = {}
        self.count = 0

    def cut(self, t: Type, left: int) -> Type:
        """Limit the nested objects in *t* to *left* levels."""
        if isinstance(t, Ref):
            return Ref(self._name(t.name, left))
        if isinstance(t, Record):
            if not left:
                self.count += 1
                return MAP
            left -= 1
        inner = get_children(t)
        made = [self.cut(child, left) for child in inner]
        same = all(new is old for new, old in zip(made, inner, strict=True))
        return t if same else rebuild(t, made)

    def _name(self, name: str, left: int) -> str:
        """Define the type *name* cut to *left* levels; return its name."""
        known = self._known.get((name, left))
        if known is None:
            known = name
            if name in self.definitions:
                known = make_unique_name(name, self._taken)
                self._taken.add(known)
            self._known[name, left] = known
            # A type may refer to itself only inside a level, so this ends.
            self.definitions[known] = self._names[name]
            self.definitions[known] = self.cut(self._names[name], left)
        return known
