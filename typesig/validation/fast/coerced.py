"""The source that coerces plain parts in one pass, or leaves the whole value to the check.

Text of a number, and what else becomes a scalar by a row of the policy, is converted where it
stands; only the maps and lists around it are copied.  A warning is noted as its site, the value and
the indices on the way to it; `typesig.validation.notes` makes issues of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import ANY, INT, Field, List, Maybe, Record, Refined, Scalar, Type
from typesig.limits import MAX_DIGITS
from typesig.validation.coercions import REFUSED, Coercion
from typesig.validation.fast import answers, shapes
from typesig.validation.fast.conditions import condition, rewrites
from typesig.validation.fast.source import Function, Place, Test
from typesig.validation.notes import Site
from typesig.validation.policy import Policy
from typesig.validation.scalars import active, warned


class Step(NamedTuple):
    """One step on the way to a part.

    #: key: the name of the field, or None for an index; index: the variable that holds that
    #: hidden: whether the field is firewalled
    """

    key: str | None
    index: str = ""
    hidden: bool = False


#: The steps from the whole value to a part.
Path = tuple[Step, ...]

#: Writes lines that put what is made of a part, an expression, into a copy of what holds the part.
Store = Callable[[str], None]

#: Each int up to this one, and its negative, is equal to a float.
_EXACT = 2**53

#: How many optional fields for one key of a map are looked at one by one.
_MANY = 4


def has_lists(t: Type) -> bool:
    """Tell whether there may be several notes of one site of *t*."""
    t = bare(t)
    match t:
        case List():
            return True
        case Record(fields):
            return any(has_lists(field.type) for field in fields)
        case Maybe(inner):
            return has_lists(inner)
        case _:
            return False


def coerces(t: Type, place: Place) -> bool:
    """Tell whether there is a part of *t* that is converted where it stands."""
    t = bare(t)
    match t:
        case List(item):
            return coerces(item, place)
        case Record(fields):
            return _is_plain(t, place.compiler.policy) and any(
                coerces(field.type, place) for field in fields
            )
        case Maybe(inner) if not isinstance(bare(inner), Scalar | Refined):
            return coerces(inner, place)
        case _:
            return _ways(t, place) is not None


def whole(f: Function, t: Type, place: Place) -> str:
    """Write lines for the whole value; return the variable that holds what is made of it."""
    inner, x = bare(t), place.name
    if isinstance(inner, Record):
        f.require([(Test(f"type({x}) is not dict"), x)])
        return _record(f, inner, place, ())
    made = f.variable()
    f.line(f"{made} = {x}")
    part(f, t, place, (), lambda text: f.line(f"{made} = {text}"), False)
    return made


def part(f: Function, t: Type, place: Place, path: Path, store: Store, is_item: bool) -> None:
    """Write lines that judge and convert the part of *t* in the variable of *place*."""
    f.program.count()
    inner, x = bare(t), place.name
    test = condition(t, place, f.program)
    if test is not None:
        if test.text and not _converted(f, t, test, place, path, store, is_item):
            f.require([(test, x)])
        return
    if f.is_full or not coerces(inner, place):
        shapes.judge(f, t, place)
        return
    match inner:
        case Maybe(of):
            with f.block(f"if {x} is not None:"):
                part(f, of, place, path, store, is_item)
        case List(item):
            f.require([(Test(f"type({x}) is not list"), x)])
            made = _items(f, item, place, path)
            with f.block(f"if {made} is not {x}:"):
                store(made)
        case Record():
            f.require([(Test(f"type({x}) is not dict"), x)])
            made = _record(f, inner, place, path)
            with f.block(f"if {made} is not {x}:"):
                store(made)
        case _:
            raise AssertionError(inner)  # pragma: no cover - `coerces` is asked first


def _items(f: Function, item: Type, place: Place, path: Path) -> str:
    """Write lines for a list; return the variable that holds what is made of it."""
    x, made, index, each = place.name, f.variable(), f.variable(), f.variable()
    f.visit(x)
    f.line(f"{made} = {x}")
    f.line(f"{index} = -1")
    with f.block(f"for {each} in {x}:"):
        f.line(f"{index} += 1")
        store = _stored(f, x, made, index)
        part(f, item, place.at(each), (*path, Step(None, index)), store, True)
    return made


def _stored(f: Function, x: str, made: str, key: str) -> Store:
    """Return what puts a part at *key* into *made*, a copy of the list or map *x*."""

    def store(text: str) -> None:
        with f.block(f"if {made} is {x}:"):
            f.line(f"{made} = {x}.copy()")
        f.line(f"{made}[{key}] = {text}")

    return store


def _is_plain(t: Record, policy: Policy) -> bool:
    if t.extra not in (ANY, None) or t.matching:
        return False
    return not (policy.firewall and any(field.firewalled for field in t.fields))


def _record(f: Function, t: Record, place: Place, path: Path) -> str:
    """Write lines for a record; return the variable that holds what is made of it."""
    policy, x, made = place.compiler.policy, place.name, f.variable()
    fills = {field.name for field in t.fields if policy.defaults and field.default is not None}
    needed = [field for field in t.fields if field.required or field.name in fills]
    optional = [field for field in t.fields if field not in needed]
    count = f"{len(needed)}"
    held = {field.name: f.variable() for field in t.fields}
    for field in needed:
        f.line(f"{held[field.name]} = {x}[{f.program.key(field.name)}]")
    if len(optional) > _MANY:
        with f.block(f"if {_MANY} * (len({x}) + 1) < {len(optional)}:"):
            f.refuse("None")
    if optional:
        count, start = f.variable(), count
        f.line(f"{count} = {start}")
    judged = _together(f, needed, held, place)
    f.line(f"{made} = {x}")
    for field in t.fields:
        key, name = f.program.key(field.name), held[field.name]
        _unless_left_out(f, field, name, key if field in optional else "", fills, place)
        inner = place.at(name)
        steps = (*path, Step(field.name, hidden=field.firewalled))
        store = _stored(f, x, made, key)
        if field in optional:
            with f.block(f"if {key} in {x}:"):
                f.line(f"{name} = {x}[{key}]")
                f.line(f"{count} += 1")
                part(f, field.type, inner, steps, store, False)
        elif field.name not in judged:
            part(f, field.type, inner, steps, store, False)
    known = ""
    if t.extra == ANY and policy.extras == "keep":
        judge = answers.undeclared(place.compiler.plan(t), frozenset())
        known = f" and {f.program.bound(judge)}({x}) is not True"
    with f.block(f"if len({x}) != {count}{known}:"):
        f.refuse("None")
    return made


def _unless_left_out(
    f: Function, field: Field, name: str, key: str, fills: set[str], place: Place
) -> None:
    """Write lines that leave a map to the check in which a null may count as absent."""
    policy = place.compiler.policy
    is_left_out = "absent_from_null" in policy.coercions and not field.required
    if (field.name in fills or is_left_out) and not isinstance(bare(field.type), Maybe):
        text = f"{place.name}.get({key}, 0)" if key else name
        with f.block(f"if {text} is None:"):
            f.refuse("None")


def _together(f: Function, needed: list[Field], held: dict[str, str], place: Place) -> set[str]:
    """Write lines that judge the fields of which nothing is made; return their names."""
    tests: dict[str, tuple[Test, str]] = {}
    for field in needed:
        inner = place.at(held[field.name])
        test = condition(field.type, inner, f.program)
        if test is not None and _ways(field.type, inner) is None:
            f.program.count()
            tests[field.name] = test, inner.name
    f.require([*tests.values()])
    return {*tests}


class _Ways(NamedTuple):
    """How other values become the scalar of a place.

    #: quiet: makes it of an int without a warning, or None; read: makes it of text, or None
    #: warns: whether there is a warning of what is read
    """

    quiet: Callable[[Any], Any] | None
    read: Callable[[Any], Any] | None
    warns: bool


def _ways(t: Type, place: Place) -> _Ways | None:
    """Return how values become the scalar of *t*, or None if it is none or nothing does."""
    t = bare(t)
    t = bare(t.inner) if isinstance(t, Maybe) else t
    policy = place.compiler.policy
    if isinstance(t, Refined):
        if rewrites(t.constraints, policy):
            return None
        t = bare(t.inner)
    if not isinstance(t, Scalar) or (t.name == "datetime" and policy.naive_datetime is not None):
        return None
    if t.name in ("any", "string", "nil", "map"):
        return None
    rows = active(policy, t.name)
    texts: list[Coercion] = rows.get("string", [])
    flags = {warned(row, policy) for row in texts}
    if len(flags) > 1:
        return None
    ints = [row.apply for row in rows.get("int", []) if t.name == "float"]
    if not texts and not ints:
        return None
    read = _reading([row.apply for row in texts]) if texts else None
    return _Ways(ints[0] if ints else None, read, flags == {True})


def _reading(ways: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Return the function from a value to what the first of *ways* makes of it if it is text."""

    def read(value: Any) -> Any:
        if type(value) is str:
            for apply in ways:
                made = apply(value)
                if made is not REFUSED:
                    return made
        return REFUSED

    return read


def _converted(
    f: Function, t: Type, test: Test, place: Place, path: Path, store: Store, is_item: bool
) -> bool:
    """Write lines that convert a scalar that does not conform; return whether any does."""
    ways = _ways(t, place)
    if ways is None:
        return False
    x, program, made = place.name, f.program, f.variable()
    refused = program.bound(REFUSED)
    scalar = bare(t)
    scalar = bare(scalar.inner) if isinstance(scalar, Maybe) else scalar
    limits = condition(t, place.at(made), program) if isinstance(scalar, Refined) else None
    scalar = bare(scalar.inner) if isinstance(scalar, Refined) else scalar

    def finish(is_noted: bool) -> None:
        with f.block(f"if {made} is {refused}:"):
            f.refuse("None")
        if limits is not None:
            with f.block(f"if {limits.text}:"):
                f.refuse("None")
        if is_noted:
            _note(f, program.bound(_site(t, place, path, is_item)), x, path)
        store(made)

    with f.block(f"if {test.text}:"):
        if ways.quiet is not None:
            with f.block(f"if type({x}) is int:"):
                exact = f"-{_EXACT} <= {x} <= {_EXACT}"
                f.line(f"{made} = float({x}) if {exact} else {program.bound(ways.quiet)}({x})")
                finish(False)
            if ways.read is None:
                with f.block("else:"):
                    f.refuse("None")
                return True
        assert ways.read is not None
        read = f"{made} = {program.bound(ways.read)}({x})"
        if scalar == INT:
            _digits(f, x, made, read)
            finish(ways.warns)
        elif ways.quiet is None:
            f.line(read)
            finish(ways.warns)
        else:
            with f.block("else:"):
                f.line(read)
                finish(ways.warns)
    return True


def _digits(f: Function, x: str, made: str, read: str) -> None:
    """Write lines that set *made* to what the text of digits *x* says, or else do *read*."""
    f.program.namespace["small"] = _SMALL
    is_text = f"type({x}) is str"
    if f.notes_once:
        # Most numbers in arguments are small; in long lists, more are not.
        f.line(f"{made} = small.get({x}) if {is_text} else None")
        is_text = f"{made} is None and {is_text}"
    digits = f"{x}.isdigit() and {x}.isascii() and len({x}) <= {MAX_DIGITS}"
    with f.block(f"if {is_text} and {digits}:"):
        f.line(f"{made} = int({x})")
    with f.block(f"elif {made} is None:" if f.notes_once else "else:"):
        f.line(read)


#: The texts of small numbers.
_SMALL = {f"{number}": number for number in range(257)}


def _site(t: Type, place: Place, path: Path, is_item: bool) -> Site:
    hidden = [len(path) - at for at, step in enumerate(path) if step.hidden]
    check = place.compiler.place(t, is_item)
    return Site(check, tuple([step.key for step in path]), max(hidden, default=0))


def _note(f: Function, site: str, x: str, path: Path) -> None:
    indices = "".join([f", {step.index}" for step in path if step.key is None])
    note = f"({site}, {x}{indices})"
    if f.notes_once:
        f.line(f"notes += {note}")
        return
    f.line("noted += 1")
    with f.block("if noted <= most:"):
        f.line(f"notes.append({note})")
