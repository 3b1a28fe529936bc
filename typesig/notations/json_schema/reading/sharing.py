"""Types that references lead to inside the schema itself, such as `#/properties/a`, told once.

Such a type stands where it is written, and again as the definition that the references need: here
the place refers to the definition, too.  What a scalar is, the references say themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import Maybe, Ref, Scalar, Type
from typesig.algebra.traversal import get_children, rebuild


def with_places_shared(
    whole: Type, definitions: Mapping[str, Type], names: Iterable[str]
) -> tuple[Type, dict[str, Type]]:
    """Replace types in *whole* that equal the definitions *names* by references.

    Its definitions are returned with it.

    A definition of *names* that is a scalar, nullable or not, is put in place of its references;
    of definitions that are equal the first is kept.  *whole* itself stays what it is.
    """
    told: dict[Type, str] = {}
    instead: dict[str, Type] = {}
    for name in names:
        t = definitions[name]
        if isinstance(t, Scalar) or (isinstance(t, Maybe) and isinstance(t.inner, Scalar)):
            instead[name] = t
        elif told.setdefault(t, name) != name:
            instead[name] = Ref(told[t])
    # A nullable field tells this itself, and a reference is one already.
    places = {
        t: name for t, name in told.items() if not isinstance(strip_annotations(t), Maybe | Ref)
    }

    def step(t: Type) -> Type:
        if isinstance(t, Ref):
            return instead.get(t.name, t)
        name = places.get(t)
        return Ref(name) if name is not None else below(t)

    def defined(t: Type) -> Type:
        return step(t) if isinstance(t, Ref) else below(t)

    def below(t: Type) -> Type:
        return rebuild(t, [step(child) for child in get_children(t)])

    kept = {name: defined(t) for name, t in definitions.items() if name not in instead}
    return defined(whole), kept
