"""Constants, constraints and types as text, the same in shorthand and in the compact notation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from typing import ClassVar, assert_never

from typesig.algebra import nodes
from typesig.algebra.nodes import ItemCount
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.names import is_plain
from typesig.algebra.rows.values import Const
from typesig.notations.texts.quoting import quote

# --- Constants and constraints as text, the same in shorthand and in the compact notation ---


def write_literal(value: Const, in_json: bool = False) -> str:
    """Write the constant *value* as JSON, with nil and keywords unless *in_json*."""
    match value.kind:
        case "string":
            return quote(value.value)
        case "nil":
            return "null" if in_json else "nil"
        case "bool":
            return "true" if value.value else "false"
        case "keyword":
            name = str(value.value)
            return quote(name) if in_json else f":{name if is_plain(name) else quote(name)}"
        case "list":
            return f"[{', '.join(write_literal(item, in_json) for item in value.value)}]"
        case "map":
            pairs = (f"{quote(p.name)}: {write_literal(p.const, in_json)}" for p in value.value)
            return f"{{{', '.join(pairs)}}}"
        case "int" | "float":
            return repr(value.value)
        case kind:
            assert_never(kind)


def write_constraints(constraints: Sequence[Constraint]) -> str:
    """Return constraints as text, without the brackets of a refinement."""
    found = {c.name: c.argument.value for c in constraints}
    out: list[str] = []
    for constraint in constraints:
        argument = constraint.argument.value
        match constraint.name:
            case "at_least":
                high = found.get("at_most")
                # The reader refuses a range whose ends are swapped: both are written separately.
                upper = "" if high is None or argument > high else repr(high)
                out.append(f"{argument!r}..{upper}")
            case "at_most":
                low = found.get("at_least")
                if low is None or low > argument:
                    out.append(f"..{argument!r}")
            case "above":
                out.append(f">{argument!r}")
            case "below":
                out.append(f"<{argument!r}")
            case "multiple_of":
                out.append(f"%{argument!r}")
            case "pattern":
                out.append(f"/{escape_slashes(argument)}/")
            case "format":
                out.append(argument)
            case "unique":
                out.append("unique")
            case name:
                assert_never(name)
    return ", ".join(out)


def count_text(t: ItemCount) -> str:
    """Write the bounds of the item count *t* as a range: `2..3`, `2..` or `..3`."""
    low = t.at_least or ("" if t.at_most is not None else 0)
    return f"{low}..{'' if t.at_most is None else t.at_most}"


def escape_slashes(pattern: str) -> str:
    """Escape the slashes of *pattern* that are not escaped yet."""
    out, at = [], 0
    while at < len(pattern):
        pair = pattern[at : at + 2] if pattern[at] == "\\" else pattern[at]
        out.append("\\/" if pair == "/" else pair)
        at += len(pair)
    return "".join(out)


# --- Types as text, in the forms that shorthand and the compact notation have in common ---

# How tightly a form binds.  A form in a place that asks for more is put in parentheses.
UNION, _BOTH, _POSTFIX, _ATOM = range(4)


class TypeTexts(ABC):
    """Base class of the writers of types as text in shorthand and compact.

    #: sign: what the names of scalars and of other forms begin with
    #: reserved: the names that a reference to a definition must quote
    """

    __slots__ = ()
    sign: ClassVar[str]
    reserved: ClassVar[Container[str]]

    @abstractmethod
    def record_text(self, t: nodes.Record) -> str:
        """Write the record type *t* as text."""

    @abstractmethod
    def write_enum(self, values: Sequence[Const]) -> str:
        """Write the enum of the constants *values* as text."""

    def write_at(self, t: nodes.Type, place: int) -> str:
        """Write *t* as text, in parentheses if it binds looser than *place* demands."""
        binding, text = self.write_form(t)
        return text if binding >= place else f"({text})"

    def write_form(self, t: nodes.Type) -> tuple[int, str]:
        """Return the binding strength of the text of *t*, and the text."""
        if isinstance(t, nodes.Scalar):
            # Most types are scalars, and `match` takes several times as long.
            return _ATOM, self.sign + t.name
        match t:
            case nodes.List(item):
                return _ATOM, f"[{self.write_form(item)[1]}]"
            case nodes.Set(item):
                return _ATOM, f"#{{{self.write_at(item, UNION)}}}"
            case nodes.Tuple(items, rest):
                texts = [self.write_at(item, UNION) for item in items]
                texts += [] if rest is None else [f"** {self.write_at(rest, UNION)}"]
                return _ATOM, f"[{', '.join(texts)}]"
            case nodes.MapOf(key, value):
                first = "" if key == nodes.STRING else self.write_at(key, UNION) + " "
                return _ATOM, f"{self.sign}map[{first}{self.write_at(value, UNION)}]"
            case nodes.Record():
                return _ATOM, self.record_text(t)
            case nodes.Maybe(inner):
                # The inner type never ends in a "?" itself: a maybe is never within a maybe.
                binding, form = self.write_form(inner)
                if binding < _ATOM and binding < _choose_refined_binding(inner):
                    form = f"({form})"
                return _POSTFIX, f"{form}?"
            case nodes.Enum(values):
                return _ATOM, self.write_enum(values)
            case nodes.Union(members):
                return UNION, "|".join(self.write_at(member, _BOTH) for member in members)
            case nodes.One(members):
                return (
                    _ATOM,
                    f"{self.sign}one[{', '.join(self.write_at(m, UNION) for m in members)}]",
                )
            case nodes.Both(members):
                return _BOTH, " & ".join(self.write_at(member, _POSTFIX) for member in members)
            case nodes.Not(inner):
                return _ATOM, f"{self.sign}not[{self.write_at(inner, UNION)}]"
            case nodes.ItemCount(item):
                return _ATOM, f"{self.sign}count[{count_text(t)} {self.write_at(item, UNION)}]"
            case nodes.Refinement(inner, constraints):
                return _POSTFIX, f"{self.write_at(inner, _ATOM)}[{write_constraints(constraints)}]"
            case nodes.Annotation(inner, text):
                if text is None:
                    return self.write_form(inner)
                return _ATOM, f"({self.write_at(inner, UNION)} {quote(text)})"
            case nodes.Ref(name):
                return _ATOM, f":{quote_unless_plain(name, self.reserved)}"
            case _:
                assert_never(t)


def _choose_refined_binding(inner: nodes.Type) -> int:
    """Return the binding below which the type *inner* needs parentheses before `?`."""
    while isinstance(inner, nodes.Annotation) and inner.text is None:
        inner = inner.inner
    return _POSTFIX if isinstance(inner, nodes.Refinement) else _ATOM


def quote_unless_plain(name: str, reserved: Container[str] = ()) -> str:
    """Return *name*, in quotes unless it is plain and not one of *reserved*."""
    return name if is_plain(name) and name not in reserved else quote(name)
