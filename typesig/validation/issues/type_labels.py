"""Types as messages name them: short, in the words of the notation that the model was shown.

In those of signatures, a type is written in shorthand, without the colon.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.values import Const
from typesig.algebra.traversal import find_references
from typesig.limits import MAX_EXPECTED, MAX_EXPECTED_VALUES
from typesig.validation.issues.words import (
    KIND_PHRASES,
    SIGNATURE,
    Phrase,
    Words,
    make_scalar_phrase,
)


def describe_type(
    t: nodes.Type, definitions: Mapping[str, nodes.Type], known: dict[str, str] | None = None
) -> str:
    """Write a short label of the type *t* for messages, such as `int[1..100]`.

    *known* keeps the texts of names from one call to the next.
    """
    if type(t) is nodes.Scalar:
        return make_scalar_phrase(t.name)
    if type(t) is nodes.Record:
        return KIND_PHRASES["map"]
    text = _TypeWriter(definitions, {} if known is None else known, SIGNATURE).write_text(t)
    return Phrase(text, lambda words: _TypeWriter(definitions, {}, words).write_text(t))


class _TypeWriter:
    """Writer of type labels, which resolves names by *definitions*; *known* is a cache."""

    def __init__(
        self, definitions: Mapping[str, nodes.Type], known: dict[str, str], words: Words
    ) -> None:
        self._definitions = definitions
        self._known = known
        self._words = words
        # Those of the parts that several others share.
        self._parts: dict[int, str] = {}

    def write_text(self, t: nodes.Type) -> str:
        """Write the label of the type *t*, cut if it is long."""
        text = self._parts.get(id(t))
        if text is None:
            text = self._write_type(t)
            text = text if len(text) <= MAX_EXPECTED else text[: MAX_EXPECTED - 1] + "…"
            self._parts[id(t)] = text
        return text

    def _write_type(self, t: nodes.Type) -> str:
        """Write the label of the type *t* in the notation of the writer."""
        words = self._words
        match t:
            case nodes.Scalar(name):
                return words.scalars.get(name, name)
            case nodes.List() | nodes.Tuple():
                return words.kinds["list"]
            case nodes.Set():
                return words.kinds["set"]
            case nodes.MapOf() | nodes.Record():
                return words.kinds["map"]
            case nodes.Maybe(inner) | nodes.Annotation(inner):
                return self.write_text(inner)
            case nodes.Enum(values):
                return f"one of {_list_values(values, words)}"
            case nodes.Union(members) | nodes.One(members):
                return words.either.join(dict.fromkeys(map(self.write_text, members)))
            case nodes.Both(members):
                return words.both.join(dict.fromkeys(map(self.write_text, members)))
            case nodes.Not(inner):
                return f"not {self.write_text(inner)}"
            case nodes.ItemCount(item):
                # A type may count lists of its own: names stand for themselves.
                named = {name: name for name in find_references(item)}
                return words.counted(
                    t, _TypeWriter(self._definitions, named, words).write_text(item)
                )
            case nodes.Refinement(inner):
                return words.refined(t, self.write_text(inner), self._resolve_type(inner))
            case nodes.Ref(name):
                if name not in self._known:
                    self._known[name] = self.write_text(self._definitions[name])
                return self._known[name]
            case _:
                assert_never(t)

    def _resolve_type(self, t: nodes.Type) -> nodes.Type:
        """Return the type that *t* refers to, or *t* if it is not a reference."""
        while isinstance(t, nodes.Ref):
            t = self._definitions[t.name]
        return t


def write_values(values: tuple[Const, ...]) -> str:
    """Return the first values of an enum as a message lists them."""
    return Phrase(_list_values(values, SIGNATURE), partial(_list_values, values))


def _list_values(values: tuple[Const, ...], words: Words) -> str:
    """Write the enum *values* in the notation of *words*, shortened if too long."""
    texts = [words.literal(value) for value in values[:MAX_EXPECTED_VALUES]]
    texts += ["…"] if len(values) > MAX_EXPECTED_VALUES else []
    text = f"[{', '.join(texts)}]"
    return text if len(text) <= MAX_EXPECTED else text[: MAX_EXPECTED - 2] + "…]"
