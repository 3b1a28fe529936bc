"""The source that coerces plain parts in one pass, or leaves the whole value to the check.

Text of a number, and what else becomes a scalar by a row of the policy, is converted where it
stands; only the maps and lists around it are copied.  A warning is noted as its site, the value and
the indices on the way to it; `typesig.validation.notes` makes issues of these.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple, assert_never

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import (
    ANY,
    INT,
    Both,
    Enum,
    Field,
    List,
    MapOf,
    Maybe,
    Not,
    Noted,
    One,
    Record,
    Ref,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.values import Kind
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

    #: key: the name of the field, or None for an index; variable: what holds that
    #: hidden: whether the field is firewalled
    """

    key: str | None
    variable: str = ""
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
        case Scalar() | Enum() | Set() | Tuple() | MapOf() | Union() | One() | Both() | Not():
            return False
        case Refined() | Noted() | Ref():
            return False
        case _:
            assert_never(t)


def is_plain(t: Type, place: Place) -> bool:
    """Tell whether the parts of a value of *t* are looked at one by one."""
    t = bare(t)
    match t:
        case List():
            return True
        case Record(fields, extra, matching):
            hides = place.compiler.policy.firewall and any(field.firewalled for field in fields)
            return extra in (ANY, None) and not matching and not hides
        case Maybe(inner):
            return is_plain(inner, place)
        case Scalar() | Enum() | Set() | Tuple() | MapOf() | Union() | One() | Both() | Not():
            return False
        case Refined() | Noted() | Ref():
            return False
        case _:
            assert_never(t)


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


def rest(f: Function, item: Type, place: Place) -> str:
    """Write lines for the items of a list from the index `at` on; see `whole`."""
    x = place.name
    f.resumes = f.leaves = True
    f.require([(Test(f"type({x}) is not list"), x)])
    f.visit(x)
    f.line(f"items = {x}[at:] if at else {x}")
    return _items(f, item, place, (), f.variable(), "items", ", at")


def part(f: Function, t: Type, place: Place, path: Path, store: Store, is_item: bool) -> None:
    """Write lines that judge and convert the part of *t* in the variable of *place*."""
    f.program.count()
    inner, x = bare(t), place.name
    test = condition(t, place, f.program)
    if test is not None:
        if test.text:
            with f.block(f"if {test.text}:"):
                _mended(f, t, place, path, store, is_item)
        return
    if f.is_full or not is_plain(inner, place):
        shapes.judge(f, t, place)
        return
    match inner:
        case Maybe(of):
            with f.block(f"if {x} is not None:"):
                part(f, of, place, path, store, is_item)
        case List(item):
            f.require([(Test(f"type({x}) is not list"), x)])
            _list(f, item, place, path, store)
        case Record():
            f.require([(Test(f"type({x}) is not dict"), x)])
            _put(f, _record(f, inner, place, path), x, store)
        case _:
            raise AssertionError(inner)  # pragma: no cover - `is_plain` is asked first


def _list(f: Function, item: Type, place: Place, path: Path, store: Store) -> None:
    """Write lines for a list; items that one expression decides are counted if one fails."""
    x, each = place.name, f.variable()
    test = condition(item, place.at(each), f.program)
    f.visit(x, test is not None)
    if test is not None and not test.text:
        return
    if test is None:
        _put(f, _items(f, item, place, path, each), x, store)
        return
    with f.block(f"for {each} in {x}:"), f.block(f"if {test.text}:"):
        _put(f, _items(f, item, place, path, each), x, store)
        f.line("break")


def _put(f: Function, made: str, x: str, store: Store) -> None:
    """Write lines that store *made* if it is not what was in *x*."""
    if made != x:
        with f.block(f"if {made} is not {x}:"):
            store(made)


def _items(
    f: Function, item: Type, place: Place, path: Path, each: str, source: str = "", start: str = ""
) -> str:
    """Write lines for each item of a list; return the variable that holds what is made of it.

    *source* has the items, and *start* is the text of a number behind a comma, if not of all.
    """
    x, index = place.name, f.variable()
    copy = _Copy(f, x, True)
    with f.block(f"for {index}, {each} in enumerate({source or x}{start}):"):
        store = partial(copy.store, index)
        part(f, item, place.at(each), (*path, Step(None, index)), store, True)
    return copy.made()


class _Copy:
    """A variable for the list or map in the variable *x*, or for a copy that has other parts."""

    def __init__(self, f: Function, x: str, in_loop: bool) -> None:
        self._f = f
        self._in_loop = in_loop
        self._x = x
        self._made = f.variable()
        self._at = len(f.lines)
        self._is_used = False
        f.line(f"{self._made} = {x}")

    def store(self, key: str, text: str) -> None:
        """Write lines that put *text* at *key* into the copy."""
        copied = f"{self._made} = {self._x}.copy()"
        if self._is_used or self._in_loop:
            with self._f.block(f"if {self._made} is {self._x}:"):
                self._f.line(copied)
        else:
            self._f.line(copied)
        self._is_used = True
        self._f.line(f"{self._made}[{key}] = {text}")

    def made(self) -> str:
        """Return the variable that holds it: that of the original if there is no copy."""
        if self._is_used:
            return self._made
        self._f.lines[self._at] = ""
        return self._x


def _record(f: Function, t: Record, place: Place, path: Path) -> str:
    """Write lines for a record; return the variable that holds what is made of it."""
    policy, x = place.compiler.policy, place.name
    fills = {field.name for field in t.fields if policy.defaults and field.default is not None}
    needed = [field for field in t.fields if field.required or field.name in fills]
    names = {field.name for field in needed}
    optional = [field for field in t.fields if field.name not in names]
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
    copy = _Copy(f, x, False)
    for field in t.fields:
        key, name = f.program.key(field.name), held[field.name]
        is_needed = field.name in names
        _unless_left_out(f, field, name, "" if is_needed else key, fills, place)
        inner = place.at(name)
        steps = (*path, Step(field.name, hidden=field.firewalled))
        store = partial(copy.store, key)
        if not is_needed:
            with f.block(f"if {key} in {x}:"):
                f.line(f"{name} = {x}[{key}]")
                f.line(f"{count} += 1")
                part(f, field.type, inner, steps, store, False)
        else:
            part(f, field.type, inner, steps, store, False)
    with f.block(f"if len({x}) != {count}:"):
        if t.extra != ANY or policy.extras != "keep":
            f.refuse("None")
            return copy.made()
        judge = answers.undeclared(place.compiler.plan(t), frozenset())
        with f.block(f"if {f.program.bound(judge)}({x}) is not True:"):
            f.refuse("None")
        f.leave(x)
    return copy.made()


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


class _Ways(NamedTuple):
    """How other values become the scalar of a place.

    #: quiet: makes it of an int without a warning, or None; read: makes it of text, or None
    #: warns: whether there is a warning of what is read
    #: wrong: the classes whose other values have one error, which is not about a part of them
    """

    quiet: Callable[[Any], Any] | None
    read: Callable[[Any], Any] | None
    warns: bool
    wrong: frozenset[type]


#: The classes of values that cannot change, with their kinds.
_UNCHANGING: dict[type, Kind] = {
    str: "string",
    int: "int",
    float: "float",
    bool: "bool",
    type(None): "nil",
}


def _scalar_of(t: Type) -> tuple[Scalar | None, bool]:
    """Return the scalar of *t*, None if it is another type, and whether that is constrained."""
    t = bare(t)
    t = bare(t.inner) if isinstance(t, Maybe) else t
    is_refined = isinstance(t, Refined)
    t = bare(t.inner) if isinstance(t, Refined) else t
    return (t if isinstance(t, Scalar) else None), is_refined


def _ways(t: Type, place: Place, is_item: bool) -> _Ways:
    """Return how values become the scalar of *t*."""
    compiler = place.compiler
    policy = compiler.policy
    scalar, is_refined = _scalar_of(t)
    if scalar is None:
        return _ONLY_WRONG if is_exact(policy) and not is_refined else _NO_WAYS
    if scalar.name == "datetime" and policy.naive_datetime is not None:
        return _NO_WAYS
    rows = {} if is_refined and _is_rewritten(t, policy) else active(policy, scalar.name)
    texts: list[Coercion] = rows.get("string", [])
    flags = {warned(row, policy) for row in texts}
    quiet = [row.apply for row in rows.get("int", []) if scalar.name == "float"]
    if len(flags) > 1:
        return _NO_WAYS
    read = _reading([row.apply for row in texts]) if texts else None
    wrong = frozenset[type]()
    # What is read before the scalar sees the value may be no error.
    is_bare = not is_refined and compiler.place(t, is_item) is compiler.checker(t)
    if is_bare and policy.on_issue == "fail":
        known = {"string", *(["int"] if quiet else [])}
        open_ = rows.keys() - known
        wrong = frozenset(each for each, kind in _UNCHANGING.items() if kind not in open_)
    return _Ways(quiet[0] if quiet else None, read, flags == {True}, wrong)


_NO_WAYS = _Ways(None, None, False, frozenset())

#: Of a type that one expression decides, for policies that change nothing.
_ONLY_WRONG = _NO_WAYS._replace(wrong=frozenset(_UNCHANGING))


def is_exact(policy: Policy) -> bool:
    """Tell whether *policy* changes no value, and finds nothing but errors."""
    is_changing = policy.coercions or policy.decoding or policy.naive_datetime is not None
    return not is_changing and policy.on_issue == "fail"


def _is_rewritten(t: Type, policy: Policy) -> bool:
    t = bare(t)
    t = bare(t.inner) if isinstance(t, Maybe) else t
    return isinstance(t, Refined) and rewrites(t.constraints, policy)


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


def _mended(f: Function, t: Type, place: Place, path: Path, store: Store, is_item: bool) -> None:
    """Write lines that convert a scalar that does not conform, or note that it is wrong."""
    ways = _ways(t, place, is_item)
    x, program = place.name, f.program
    wrong = _site(t, place, path, is_item, False)
    if ways.quiet is None and ways.read is None:
        _wrong(f, ways, wrong, x, path)
        return
    made, refused = f.variable(), program.bound(REFUSED)
    scalar, is_refined = _scalar_of(t)
    limits = condition(t, place.at(made), program) if is_refined else None

    def finish(is_noted: bool) -> None:
        with f.block(f"if {made} is {refused}:"):
            _wrong(f, ways, wrong, x, path)
        with f.block("else:"):
            if limits is not None:
                with f.block(f"if {limits.text}:"):
                    f.refuse("None")
            if is_noted:
                site = program.bound(_site(t, place, path, is_item, True))
                _note(f, "note", site, x, path)
            store(made)

    if ways.quiet is not None:
        with f.block(f"if type({x}) is int:"):
            exact = f"-{_EXACT} <= {x} <= {_EXACT}"
            f.line(f"{made} = float({x}) if {exact} else {program.bound(ways.quiet)}({x})")
            finish(False)
    with f.block("else:") if ways.quiet is not None else nullcontext():
        if ways.read is None:
            _wrong(f, ways, wrong, x, path)
            return
        read = f"{made} = {program.bound(ways.read)}({x})"
        if scalar == INT:
            _digits(f, x, made, read, refused)
        else:
            f.line(read)
        finish(ways.warns)


def _wrong(f: Function, ways: _Ways, site: Site, x: str, path: Path) -> None:
    """Write lines that note the error about a value, if there is no doubt about it."""
    if not ways.wrong:
        f.refuse("None")
        return
    with f.block(f"if type({x}) in {f.program.bound(ways.wrong)}:"):
        _note(f, "fault", f.program.bound(site), x, path)
    with f.block("else:"):
        f.refuse("None")


def _digits(f: Function, x: str, made: str, read: str, refused: str) -> None:
    """Write lines that set *made* to what the text of digits *x* says, or else do *read*."""
    digits = f"{x}.isdigit() and {x}.isascii() and len({x}) <= {MAX_DIGITS}"
    with f.block(f"if type({x}) is not str:"):
        f.line(f"{made} = {refused}")
    if f.notes_once:
        # Most numbers in arguments are small; in long lists, more are not.
        with f.block(f"elif {x} in small:"):
            f.line(f"{made} = small[{x}]")
    with f.block(f"elif {digits}:"):
        f.line(f"{made} = int({x})")
    with f.block("else:"):
        f.line(read)


#: The texts of small numbers.
SMALL = {f"{number}": number for number in range(257)}


def _site(t: Type, place: Place, path: Path, is_item: bool, is_warning: bool) -> Site:
    hidden = [len(path) - at for at, step in enumerate(path) if step.hidden]
    check = place.compiler.place(t, is_item)
    names = tuple([step.key for step in path])
    hints = _scalar_of(t)[0] is None
    return Site(check, names, max(hidden, default=0), is_warning, hints)


def _note(f: Function, what: str, site: str, x: str, path: Path) -> None:
    """Write lines that note the value in *x*: a warning as a note, an error as a fault."""
    indices = "".join([f", {step.variable}" for step in path if step.key is None])
    note = f"({site}, {x}{indices})"
    if f.notes_once:
        # Several are rare.
        f.line(f"{what}s = (*{what}s, {note[1:-1]}) if {what}s else {note}")
        return
    with f.block(f"if len({what}s) < most:"):
        f.line(f"{what}s.append({note})")
    with f.block("else:"):
        f.line(f"more_{what}s += 1")
