"""The source that coerces plain parts in one pass, or leaves the whole value to the check.

Text of a number, and what else becomes a scalar by a row of the policy, is converted where it
stands; only the maps and lists around it are copied.  A warning is noted as its site, the value and
the indices on the way to it; `typesig.validation.outcome.notes` makes issues of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import assert_never

from typesig.algebra import nodes
from typesig.algebra.constructors import bare
from typesig.validation.generated import predicate_answers
from typesig.validation.generated.conditions import condition
from typesig.validation.generated.conversions import (
    Path,
    Step,
    Store,
    is_exact,
    lacking_site,
    mended,
    partly,
)
from typesig.validation.generated.function_texts import Verdict
from typesig.validation.generated.source import Place, Test

#: How many optional fields for one key of a map are looked at one by one.
_MANY = 4

#: The items of a long list after which notes beyond the limit are dropped.
CHUNK = 1_000


def has_lists(t: nodes.Type) -> bool:
    """Tell whether there may be several notes of one site of *t*."""
    t = bare(t)
    match t:
        case nodes.List():
            return True
        case nodes.Record(fields):
            return any(has_lists(field.type) for field in fields)
        case nodes.Maybe(inner):
            return has_lists(inner)
        case (
            nodes.Scalar()
            | nodes.Enum()
            | nodes.Set()
            | nodes.Tuple()
            | nodes.MapOf()
            | nodes.Union()
            | nodes.One()
            | nodes.Both()
            | nodes.Not()
        ):
            return False
        case nodes.Counted() | nodes.Refined() | nodes.Noted() | nodes.Ref():
            return False
        case _:
            assert_never(t)


def is_plain(t: nodes.Type, place: Place) -> bool:
    """Tell whether the parts of a value of *t* are looked at one by one."""
    t = bare(t)
    match t:
        case nodes.List():
            return True
        case nodes.Record(fields, extra, matching):
            hides = place.compiler.policy.firewall and any(field.firewalled for field in fields)
            return extra in (nodes.ANY, None) and not matching and not hides
        case nodes.Maybe(inner):
            return is_plain(inner, place)
        case (
            nodes.Scalar()
            | nodes.Enum()
            | nodes.Set()
            | nodes.Tuple()
            | nodes.MapOf()
            | nodes.Union()
            | nodes.One()
            | nodes.Both()
            | nodes.Not()
        ):
            return False
        case nodes.Counted() | nodes.Refined() | nodes.Noted() | nodes.Ref():
            return False
        case _:
            assert_never(t)


def whole(f: Verdict, t: nodes.Type, place: Place) -> str:
    """Write lines for the whole value; return the variable that holds what is made of it."""
    inner, x = bare(t), place.name
    if isinstance(inner, nodes.Record):
        f.require([(Test(f"type({x}) is not dict"), x)])
        return _record(f, inner, place, ())
    made = f.variable()
    f.add(f"{made} = {x}")
    part(f, t, place, (), lambda text: f.add(f"{made} = {text}"), False)
    return made


def rest(f: Verdict, item: nodes.Type, place: Place) -> str:
    """Write lines for the items of a list from the index `at` on; see `whole`."""
    x = place.name
    f.resumes = f.counts.leaves = True
    f.require([(Test(f"type({x}) is not list"), x)])
    f.visit(x)
    if not is_exact(place.compiler.policy):
        return _items(f, item, place, (), f.variable(), True)
    # What is not noted here costs the check of its item only.
    each, index = f.variable(), f.variable()
    f.add(f"watch = Watch({x})")
    with _chunks(f, x) as items, f.block(f"for {index}, {each} in enumerate({items}):"):
        with f.block("try:"):
            f.refusals.item = "raise KeyError"
            path = (Step(None, index),)
            part(f, item, place.at(each), path, _never_stored, True)
            f.refusals.item = ""
        with f.block("except KeyError:"):
            f.add(f"visited, unseen = look({each}, {index}, faults, watch)")
            f.add("seen += visited")
            f.add("more_faults += unseen")
    return x


@contextmanager
def _chunks(f: Verdict, x: str) -> Iterator[str]:
    """Write the loop over chunks of the list in *x*; yield text of the items and of their start.

    The notes of a chunk are only counted behind it: a count for each would take as long as the
    note.
    """
    f.in_chunks = True
    f.add("room = True")
    # No loop of items: it is not counted as one.
    with f.block(f"for start in range(at, len({x}), {CHUNK}):", is_loop=False):
        yield f"{x}[start : start + {CHUNK}], start"
        for kept in ("notes", "faults"):
            with f.block(f"if len({kept}) > most:"):
                f.add(f"more_{kept} += len({kept}) - most")
                f.add(f"del {kept}[most:]")
        f.add("room = len(notes) < most")


def _never_stored(text: str) -> None:
    raise AssertionError(text)  # pragma: no cover - nothing is changed


def part(f: Verdict, t: nodes.Type, place: Place, path: Path, store: Store, is_item: bool) -> None:
    """Write lines that judge and convert the part of *t* in the variable of *place*."""
    f.program.count()
    inner, x = bare(t), place.name
    test = condition(t, place, f.program)
    if test is not None:
        if test.text:
            with f.block(f"if {test.text}:"):
                mended(f, t, place, path, store, is_item)
        return
    if f.is_full or not is_plain(inner, place):
        f.judge(t, place)
        return
    match inner:
        case nodes.Maybe(of):
            with f.block(f"if {x} is not None:"):
                part(f, of, place, path, store, is_item)
        case nodes.List(item):
            f.require([(Test(f"type({x}) is not list"), x)])
            _list(f, item, place, path, store)
        case nodes.Record():
            f.require([(Test(f"type({x}) is not dict"), x)])
            _put(f, _record(f, inner, place, path), x, store)
        case _:
            raise AssertionError(inner)  # pragma: no cover - `is_plain` is asked first


def _list(f: Verdict, item: nodes.Type, place: Place, path: Path, store: Store) -> None:
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
        f.add("break")


def _put(f: Verdict, made: str, x: str, store: Store) -> None:
    """Write lines that store *made* if it is not what was in *x*."""
    if made != x:
        with f.block(f"if {made} is not {x}:"):
            store(made)


def _items(
    f: Verdict, item: nodes.Type, place: Place, path: Path, each: str, is_rest: bool = False
) -> str:
    """Write lines for each item of a list, or of its rest from the index `at` on.

    Returns the variable that holds what is made of it.
    """
    x, index = place.name, f.variable()
    copy = _Copy(f, x, True)
    chunks = _chunks(f, x) if is_rest else nullcontext(x)
    with chunks as items, f.block(f"for {index}, {each} in enumerate({items}):"):
        store = partial(copy.store, index)
        part(f, item, place.at(each), (*path, Step(None, index)), store, True)
    return copy.made()


class _Copy:
    """A variable for the list or map in the variable *x*, or for a copy that has other parts."""

    def __init__(self, f: Verdict, x: str, in_loop: bool) -> None:
        self._f = f
        self._in_loop = in_loop
        self._x = x
        self._made = f.variable()
        self._is_used = False
        f.later(lambda: [f"{self._made} = {x}"] if self._is_used else [])

    def store(self, key: str, text: str) -> None:
        """Write lines that put *text* at *key* into the copy."""
        copied = f"{self._made} = {self._x}.copy()"
        if self._is_used or self._in_loop:
            with self._f.block(f"if {self._made} is {self._x}:"):
                self._f.add(copied)
        else:
            self._f.add(copied)
        self._is_used = True
        self._f.add(f"{self._made}[{key}] = {text}")

    def made(self) -> str:
        """Return the variable that holds it: that of the original if there is no copy."""
        return self._made if self._is_used else self._x


def _record(f: Verdict, t: nodes.Record, place: Place, path: Path) -> str:
    """Write lines for a record; return the variable that holds what is made of it."""
    policy, x = place.compiler.policy, place.name
    fills = {field.name for field in t.fields if policy.defaults and field.default is not None}
    needed = [field for field in t.fields if field.required or field.name in fills]
    names = {field.name for field in needed}
    optional = [field for field in t.fields if field.name not in names]
    count = f"{len(needed)}"
    held = {field.name: f.variable() for field in t.fields}
    lacking = _take(f, needed, fills, place, path, held)
    if len(optional) > _MANY:
        with f.block(f"if {_MANY} * (len({x}) + 1) < {len(optional)}:"):
            f.refuse("None")
    if optional:
        count, start = f.variable(), count
        f.add(f"{count} = {start}")
    copy = _Copy(f, x, False)
    for field in t.fields:
        key, name = f.program.key(field.name), held[field.name]
        is_needed = field.name in names
        _unless_left_out(f, field, name, "" if is_needed else key, fills, place)
        inner = place.at(name)
        lacks = lacking.get(field.name, "")
        steps = (*path, Step(field.name, hidden=field.firewalled, lacking=lacks))
        store = partial(copy.store, key)
        if not is_needed:
            with f.block(f"if {key} in {x}:"):
                f.add(f"{name} = {x}[{key}]")
                f.add(f"{count} += 1")
                part(f, field.type, inner, steps, store, False)
        else:
            part(f, field.type, inner, steps, store, False)
    with f.block(f"if len({x}) > {count}:"):
        if t.extra != nodes.ANY or policy.extras != "keep":
            f.refuse("None")
            return copy.made()
        judge = predicate_answers.undeclared(place.compiler.plan(t), frozenset())
        f.leave(x, f"{f.program.bound(judge)}({x})")
    return copy.made()


def _take(
    f: Verdict,
    needed: list[nodes.Field],
    fills: set[str],
    place: Place,
    path: Path,
    held: dict[str, str],
) -> dict[str, str]:
    """Write lines that put the values of *needed* into the variables *held*.

    Returns the names of the sites of fields of which it is noted if they are absent.
    """
    lacking: dict[str, str] = {}
    for field in needed:
        test = condition(field.type, place, f.program)
        is_told = place.compiler.policy.on_issue == "fail" and field.name not in fills
        if is_told and test is not None and test.text:
            lacking[field.name] = f.program.bound(lacking_site(field, place, path))
    block = f.block("try:") if lacking else nullcontext()
    with block:
        for field in needed:
            f.add(f"{held[field.name]} = {place.name}[{f.program.key(field.name)}]")
    if lacking:
        known = frozenset(held)
        parts = [(field.name, field.name in lacking) for field in needed]
        names = ", ".join([held[field.name] for field in needed])
        with f.block("except KeyError:"):
            f.add(f"{names}, = {f.program.bound(partly(parts, known))}({place.name})")
    return lacking


def _unless_left_out(
    f: Verdict, field: nodes.Field, name: str, key: str, fills: set[str], place: Place
) -> None:
    """Write lines that leave a map to the check in which a null may count as absent."""
    policy = place.compiler.policy
    is_left_out = "absent_from_null" in policy.coercions and not field.required
    if (field.name in fills or is_left_out) and not isinstance(bare(field.type), nodes.Maybe):
        text = f"{place.name}.get({key}, 0)" if key else name
        with f.block(f"if {text} is None:"):
            f.refuse("None")
