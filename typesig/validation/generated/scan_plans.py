"""Plans for scanning JSON text of a known type whose keys are all declared.

A text has a colon for each key.  If a value conforms and has as many declared keys as its text has
colons, no key is duplicate and none is unknown.  Any other text is left to the slow path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple, TypeAlias, cast

from typesig import json_backends
from typesig.algebra import nodes
from typesig.algebra.rows.frozen import NAMES
from typesig.algebra.traversal import get_children, get_declared_parts, iter_distinct_parts
from typesig.codegen import Constants, Lines
from typesig.limits import MAX_DIGITS, MAX_VALUE_DEPTH
from typesig.validation.generated.unchanged_outcomes import has_plain_values
from typesig.validation.json_text import (
    SCAN,
    SCAN_DIGITS,
    count_keys,
    has_deep_value,
    has_long_number,
    has_other_keys,
)

#: The characters of a text that is read as it is; a longer one is not read twice.
MAX_SCAN_TEXT = 1_000_000

#: The characters of a text from which a library that is loaded reads it faster.
_LONG = 100

#: The characters of a text that is read without one: where Python's own limit of digits is switched
#: off, an integer of so many takes 40 ms, and ten times as many take a hundred times as long.
_MOST_SCANNED = 100_000

#: Returns the value in a text from an index on, and the index where it ends; may raise anything.
Scan: TypeAlias = Callable[[str, int], tuple[Any, int]]


class ScanPlan(NamedTuple):
    """Expressions that scan a value of one type from text, in generated source.

    #: scanned: an expression of the value in a text, and of the index where it ends; below 0 if it
    #:     is not taken, of which no method is called then
    #: differs: an expression that is true if the text has other keys than a conforming value, or
    #:     one twice; empty if no text of such a value has keys
    """

    scanned: str
    differs: str


def plan_scan(
    t: nodes.Type,
    x: str,
    text: str,
    keeps_digits: bool,
    constants: Constants,
    decoded: nodes.Type | None = None,
    to_objects: bool = False,
) -> ScanPlan | None:
    """Plan how the value *x* of *t* is scanned from *text*, both variables.

    *keeps_digits* is whether numbers keep digits that their floats lack; *decoded* is the type of
    the decoded value, if not *t*; *to_objects* is whether the value is decoded to Python objects,
    so that it need not be plain.  Returns None if a text may have parts that *t* does not type.
    """
    # What conforms has floats only where floats are wanted, for which their digits do not matter.
    whole = t if decoded is None else decoded
    weighs = keeps_digits and (_weighs_floats(whole) or (to_objects and reads_digits(t)))
    if to_objects:
        if weighs and _has_untyped_numbers(t):
            return None
        keys = _write_key_count(t, x, constants, count()) or f"{constants.bind(count_keys)}({x})"
    else:
        keys = (_write_key_count(t, x, constants, count()) if has_plain_values(t) else None) or ""
    if not keys:
        return None
    differs = write_key_test(text, keys, constants)
    if keys == "0" and not any(map(_may_have_keys, iter_distinct_parts([t]))):
        # No text of such a value has a key.
        differs = ""
    scan, bound = SCAN_DIGITS if weighs else SCAN, constants.bind
    scanned = f"{bound(scan)}({text}, 0)"
    if not weighs:
        scanned += f" if len({text}) < {_LONG} else {bound(_scan_long)}({text}, 0)"
    test = write_text_test(text, constants)
    if whole.flags & NAMES or _has_any_data(whole):
        # Of other types, no value is deeper than the type.
        is_deep = f"len({text}) > {MAX_VALUE_DEPTH} and {bound(has_deep_value)}({text})"
        test += f" and not ({is_deep})"
    scanned = f"({scanned}) if {test} else (None, -1)"
    return ScanPlan(scanned, differs)


def build_text_test(
    t: nodes.Type, judge: Callable[[Any], bool], keeps_digits: bool
) -> Callable[[bytes], bool] | None:
    """Build a fast test of JSON texts; False means that validity is unknown.

    *judge* is that of values of *t*, for which it is true; for *keeps_digits* see `plan_scan`.
    Returns None if no code is written for *t*.
    """
    out = Lines(Constants({"judge": judge}))
    read = plan_scan(t, "data", "text", keeps_digits, out.constants)
    if read is None:
        return None
    with out.open_block("try:"):
        # A line has its end, and the text is no string if it is not UTF-8.
        out.add("text = line.decode().rstrip(' \\t\\r\\n')", f"data, end = {read.scanned}")
        out.add(f"return end == len(text) and judge(data) and not ({read.differs or False})")
    # The text is no JSON, or a field is absent.
    with out.open_block("except Exception:"):
        out.add("return False")
    test: Callable[[bytes], bool] = out.compile_function("def test(line, len=len):", "test")
    return test


def write_text_test(text: str, constants: Constants) -> str:
    """Expression that is true if the variable *text* is a text that may be scanned.

    It has no numbers of more than `MAX_DIGITS` characters.
    """
    has_long = f"len({text}) > {MAX_DIGITS} and {constants.bind(has_long_number)}({text})"
    return f"type({text}) is str and len({text}) < {MAX_SCAN_TEXT} and not ({has_long})"


def write_key_test(text: str, keys: str, constants: Constants) -> str:
    """Expression that is true if *text* may have more keys than the expression *keys*."""
    is_more = constants.bind(has_other_keys)
    if keys == "0":
        return f"':' in {text} and '{{' in {text} and {is_more}({text}, 0)"
    return f"{text}.count(':') != {keys} and {is_more}({text}, {keys})"


def _scan_long(text: str, at: int) -> tuple[Any, int]:
    """Scan *text* by a loaded JSON library that keeps numbers, or else by `SCAN`."""
    codec, scan = json_backends.find_loaded_codec(), cast("Scan", SCAN)
    if codec is not None and codec.keeps_numbers:
        return codec.loads(text), len(text)
    return scan(text, at) if len(text) < _MOST_SCANNED else (None, -1)


def _has_any_data(t: nodes.Type) -> bool:
    return any(part in (nodes.ANY, nodes.MAP) for part in iter_distinct_parts([t]))


def _may_have_keys(t: nodes.Type) -> bool:
    """Whether a value of *t*, without its parts, may have keys that are not counted."""
    is_constant = isinstance(t, nodes.Enum) and any(v.kind in ("list", "map") for v in t.values)
    return is_constant or isinstance(t, nodes.Record)


def _weighs_floats(t: nodes.Type) -> bool:
    """Whether *t* has a constraint or union that depends on the digits of a float."""
    return any(
        isinstance(part, nodes.Refinement | nodes.Union) and _takes_floats(part)
        for part in iter_distinct_parts([t])
    )


def _takes_floats(t: nodes.Type) -> bool:
    parts = get_children(t) if isinstance(t, nodes.Through | nodes.Union) else ()
    return t == nodes.FLOAT or any(map(_takes_floats, parts))


def _write_key_count(
    t: nodes.Type, x: str, constants: Constants, numbers: Iterator[int]
) -> str | None:
    """Expression of the number of keys of the value *x* of *t*; None if it is too long."""
    match t:
        case nodes.Maybe(inner):
            below = _write_key_count(inner, x, constants, numbers)
            return below if below in ("0", None) else f"(0 if {x} is None else {below})"
        case nodes.Annotation(inner) | nodes.Refinement(inner):
            return _write_key_count(inner, x, constants, numbers)
        case nodes.List(item):
            return _write_item_key_count(item, x, constants, numbers)
        case nodes.MapOf(_, value):
            below = _write_item_key_count(value, f"{x}.values()", constants, numbers)
            return below if below is None else f"(len({x}) + {below})"
        case nodes.Record(fields):
            return _write_field_key_count(fields, x, constants, numbers)
        case nodes.Tuple(items, rest):
            parts = items if rest is None else (*items, rest)
            return (
                "0"
                if all(_write_key_count(part, x, constants, numbers) == "0" for part in parts)
                else None
            )
        case nodes.Set(item):
            return "0" if _write_key_count(item, x, constants, numbers) == "0" else None
        case nodes.Union(members):
            return _write_union_key_count(members, x, constants, numbers)
        case nodes.Leaf() if t not in (nodes.ANY, nodes.MAP):
            return "0"
        case _:
            return f"{constants.bind(count_keys)}({x})"


def _write_union_key_count(
    members: tuple[nodes.Type, ...], x: str, constants: Constants, numbers: Iterator[int]
) -> str:
    """Expression of the number of keys of the value *x* of one of *members*."""
    keys = [_write_key_count(member, x, constants, numbers) for member in members]
    if all(each == "0" for each in keys):
        return "0"
    are_flat = all(
        isinstance(member, nodes.Record)
        and all(_write_key_count(f.type, x, constants, numbers) == "0" for f in member.fields)
        for member in members
    )
    return f"len({x})" if are_flat else f"{constants.bind(count_keys)}({x})"


def _has_untyped_numbers(t: nodes.Type) -> bool:
    """Whether a value of *t* may contain numbers that *t* does not type."""
    parts = iter_distinct_parts([t], get_declared_parts)
    return any(part in (nodes.ANY, nodes.MAP) or isinstance(part, nodes.Ref) for part in parts)


def reads_digits(t: nodes.Type) -> bool:
    """Whether text in a value of *t* may be made of the digits of a number."""
    return any(
        isinstance(part, nodes.Refinement) and any(c.name == "format" for c in part.constraints)
        for part in iter_distinct_parts([t])
    )


def _write_item_key_count(
    item: nodes.Type, parts: str, constants: Constants, numbers: Iterator[int]
) -> str | None:
    """Expression of the number of keys of all *parts*, values of *item*."""
    each = f"k{next(numbers)}"
    below = _write_key_count(item, each, constants, numbers)
    if below is None or below.isdecimal():
        return below if below in ("0", None) else f"{below} * len({parts})"
    return f"sum([{below} for {each} in {parts}])"


def _write_field_key_count(
    fields: tuple[nodes.Field, ...], x: str, constants: Constants, numbers: Iterator[int]
) -> str | None:
    """Expression of the number of keys of the record *x*, nested ones included."""
    total, terms = 0, list[str]()
    for field in fields:
        key = constants.bind_key(field.name)
        below = _write_key_count(field.type, f"{x}[{key}]", constants, numbers)
        if below is None:
            return None
        # A model need not send what it cannot see.
        if not field.required or field.firewalled:
            terms.append(
                f"({key} in {x})" if below == "0" else f"(1 + {below} if {key} in {x} else 0)"
            )
        elif below.isdecimal():
            total += 1 + int(below)
        else:
            total += 1
            terms.append(below)
    if sum(map(len, terms)) > _MOST_TEXT:
        return None
    return (
        " + ".join([f"{total}", *terms]) if not terms else f"({' + '.join([f'{total}', *terms])})"
    )


#: The characters of an expression.
_MOST_TEXT = 2_000
