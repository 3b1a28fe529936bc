"""Constants and constraints as text, the same in shorthand and in the compact notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from typesig.algebra.nodes import ItemCount
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.names import is_plain
from typesig.algebra.rows.values import Const
from typesig.notations.texts.quoting import quote


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
