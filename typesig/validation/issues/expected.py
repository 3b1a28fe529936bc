"""Types as messages name them: in shorthand, short, without the colon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.values import Const
from typesig.algebra.traversal import references
from typesig.limits import MAX_EXPECTED, MAX_EXPECTED_VALUES
from typesig.notations.texts.literals import constraints_text, count_text, literal


def expected(
    t: nodes.Type, definitions: Mapping[str, nodes.Type], known: dict[str, str] | None = None
) -> str:
    """Return *t* as a message names it: `int`, `list`, `int[1..100]`, `string|int`.

    *known* keeps the texts of names from one call to the next.
    """
    if type(t) is nodes.Scalar:
        return t.name
    if type(t) is nodes.Record:
        return "map"
    return _text(t, definitions, {} if known is None else known, {})


def _text(
    t: nodes.Type,
    definitions: Mapping[str, nodes.Type],
    known: dict[str, str],
    parts: dict[int, str],
) -> str:
    """Return the text of *t*; *parts* has those of the parts that several others share."""
    text = parts.get(id(t))
    if text is None:
        text = _written(t, definitions, known, parts)
        text = text if len(text) <= MAX_EXPECTED else text[: MAX_EXPECTED - 1] + "…"
        parts[id(t)] = text
    return text


def _written(
    t: nodes.Type,
    definitions: Mapping[str, nodes.Type],
    known: dict[str, str],
    parts: dict[int, str],
) -> str:
    match t:
        case nodes.Scalar(name):
            return name
        case nodes.List() | nodes.Tuple():
            return "list"
        case nodes.Set():
            return "set"
        case nodes.MapOf() | nodes.Record():
            return "map"
        case nodes.Maybe(inner) | nodes.Noted(inner):
            return _text(inner, definitions, known, parts)
        case nodes.Enum(values):
            return f"one of {values_text(values)}"
        case nodes.Union(members) | nodes.One(members):
            texts = [_text(member, definitions, known, parts) for member in members]
            return "|".join(dict.fromkeys(texts))
        case nodes.Both(members):
            texts = [_text(member, definitions, known, parts) for member in members]
            return " & ".join(dict.fromkeys(texts))
        case nodes.Not(inner):
            return f"not {_text(inner, definitions, known, parts)}"
        case nodes.Counted(item):
            # A type may count lists of its own: names stand for themselves.
            named = {name: name for name in references(item)}
            return f"list[{count_text(t)} of {_text(item, definitions, named, {})}]"
        case nodes.Refined(inner, constraints):
            return f"{_text(inner, definitions, known, parts)}[{constraints_text(constraints)}]"
        case nodes.Ref(name):
            if name not in known:
                known[name] = _text(definitions[name], definitions, known, parts)
            return known[name]
        case _:
            assert_never(t)


def values_text(values: tuple[Const, ...]) -> str:
    """Return the first values of an enum as a message lists them."""
    texts = [literal(value) for value in values[:MAX_EXPECTED_VALUES]]
    texts += ["…"] if len(values) > MAX_EXPECTED_VALUES else []
    text = f"[{', '.join(texts)}]"
    return text if len(text) <= MAX_EXPECTED else text[: MAX_EXPECTED - 2] + "…]"
