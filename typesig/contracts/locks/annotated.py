"""Signatures of contracts with descriptions and titles, for tools that need them."""

from __future__ import annotations

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import get_children, rebuild
from typesig.contracts.locks.contract import ToolContract
from typesig.contracts.locks.places import Path, format_place, iter_steps_into


def annotate_signature(contract: ToolContract) -> Signature:
    """Return the signature of *contract* with its descriptions and titles at their places.

    >>> from typesig import parse
    >>> from typesig.contracts.locks.places import find_annotations
    >>> bare = parse("(q? :string) -> [:int]")
    >>> one = annotate_signature(ToolContract("f", bare, notes={"params.q": "words"}))
    >>> find_annotations(one).descriptions
    {'params.q': 'words'}
    """
    signature = contract.signature

    def annotate_fields(path: Path, fields: tuple[nodes.Field, ...]) -> list[nodes.Field]:
        return [field.with_type(annotate((*path, field.name), field.type)) for field in fields]

    def annotate(path: Path, t: nodes.Type, is_same_place: bool = False) -> nodes.Type:
        if isinstance(t, nodes.Record):
            parts = [field.type for field in annotate_fields(path, t.fields)]
            parts += [annotate((*path, f"/{m.pattern}/"), m.type) for m in t.matching]
            parts += [] if t.extra is None else [annotate((*path, "**"), t.extra)]
        elif get_children(t):
            parts = [annotate((*path, *step), part, not step) for step, part in iter_steps_into(t)]
        else:
            parts = []
        made = rebuild(t, parts)
        text, title = (texts.get(format_place(path)) for texts in (contract.notes, contract.titles))
        if is_same_place or (text is None and title is None):
            return made
        return nodes.Annotation(made, text, title)

    definitions = tuple(
        Definition(each.name, annotate(("where", each.name), each.type))
        for each in signature.definitions
    )
    return Signature(
        tuple(annotate_fields(("params",), signature.params)),
        annotate(("returns",), signature.returns),
        definitions,
        None if signature.extra is None else annotate(("params", "**"), signature.extra),
    )
