"""Types as text, in the forms that shorthand and the compact notation have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from typing import ClassVar, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.names import is_plain
from typesig.algebra.rows.values import Const
from typesig.notations.texts.literals import constraints_text, count_text
from typesig.notations.texts.quoting import quoted

# How tightly a form binds.  A form in a place that asks for more is put in parentheses.
UNION, _BOTH, _POSTFIX, _ATOM = range(4)


class TypeTexts(ABC):
    """Writes types.

    #: sign: what the names of scalars and of other forms begin with
    #: reserved: the names that a reference to a definition must quote
    """

    __slots__ = ()
    sign: ClassVar[str]
    reserved: ClassVar[Container[str]]

    @abstractmethod
    def record_text(self, t: nodes.Record) -> str:
        """Return a record as text."""

    @abstractmethod
    def enum_text(self, values: Sequence[Const]) -> str:
        """Return an enum as text."""

    def at(self, t: nodes.Type, place: int) -> str:
        """Return *t* as text, in parentheses if it binds less tightly than *place* asks."""
        binding, text = self.form(t)
        return text if binding >= place else f"({text})"

    def form(self, t: nodes.Type) -> tuple[int, str]:
        """Return how tightly the form of *t* binds, and its text."""
        if isinstance(t, nodes.Scalar):
            # Most types are scalars, and `match` takes several times as long.
            return _ATOM, self.sign + t.name
        match t:
            case nodes.List(item):
                return _ATOM, f"[{self.form(item)[1]}]"
            case nodes.Set(item):
                return _ATOM, f"#{{{self.at(item, UNION)}}}"
            case nodes.Tuple(items, rest):
                texts = [self.at(item, UNION) for item in items]
                texts += [] if rest is None else [f"** {self.at(rest, UNION)}"]
                return _ATOM, f"[{', '.join(texts)}]"
            case nodes.MapOf(key, value):
                first = "" if key == nodes.STRING else self.at(key, UNION) + " "
                return _ATOM, f"{self.sign}map[{first}{self.at(value, UNION)}]"
            case nodes.Record():
                return _ATOM, self.record_text(t)
            case nodes.Maybe(inner):
                # The inner type never ends in a "?" itself: a maybe is never within a maybe.
                binding, form = self.form(inner)
                if binding < _ATOM and binding < _refined_or_atom(inner):
                    form = f"({form})"
                return _POSTFIX, f"{form}?"
            case nodes.Enum(values):
                return _ATOM, self.enum_text(values)
            case nodes.Union(members):
                return UNION, "|".join(self.at(member, _BOTH) for member in members)
            case nodes.One(members):
                return _ATOM, f"{self.sign}one[{', '.join(self.at(m, UNION) for m in members)}]"
            case nodes.Both(members):
                return _BOTH, " & ".join(self.at(member, _POSTFIX) for member in members)
            case nodes.Not(inner):
                return _ATOM, f"{self.sign}not[{self.at(inner, UNION)}]"
            case nodes.Counted(item):
                return _ATOM, f"{self.sign}count[{count_text(t)} {self.at(item, UNION)}]"
            case nodes.Refined(inner, constraints):
                return _POSTFIX, f"{self.at(inner, _ATOM)}[{constraints_text(constraints)}]"
            case nodes.Noted(inner, text):
                if text is None:
                    return self.form(inner)
                return _ATOM, f"({self.at(inner, UNION)} {quoted(text)})"
            case nodes.Ref(name):
                return _ATOM, f":{plain_or_quoted(name, self.reserved)}"
            case _:
                assert_never(t)


def _refined_or_atom(inner: nodes.Type) -> int:
    while isinstance(inner, nodes.Noted) and inner.text is None:
        inner = inner.inner
    return _POSTFIX if isinstance(inner, nodes.Refined) else _ATOM


def plain_or_quoted(name: str, reserved: Container[str] = ()) -> str:
    """Return *name*, in quotes unless it is plain and not one of *reserved*."""
    return name if is_plain(name) and name not in reserved else quoted(name)
