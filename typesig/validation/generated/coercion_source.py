"""Source code that coerces values, or notes their errors, in one pass.

Values that become scalars by a conversion of the policy, such as the text of a number, are
converted in place; only the maps and lists around them are copied.  A warning or an error is noted
as its site, the value and the indices on the way to it; `typesig.validation.outcome.check_context`
makes issues of these.  Any other part that does not conform is passed to its checker.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.traversal import iter_distinct_parts
from typesig.validation.generated.conditions import Place, build_condition
from typesig.validation.generated.conversions import (
    Part,
    Step,
    make_missing_site,
    make_partial_getter,
    write_conversion,
    write_part_check,
)
from typesig.validation.generated.shapes import judge, write_untyped_keys
from typesig.validation.generated.source import count_parts
from typesig.validation.generated.verdict_source import VerdictFunction

#: How many optional fields for one key of a map are looked at one by one.
_MANY = 4

#: The items of a long list after which notes beyond the limit are dropped.
CHUNK = 1_000


def has_lists(t: nodes.Type) -> bool:
    """Whether one site of *t* may have several notes."""
    return any(isinstance(part, nodes.List) for part in iter_distinct_parts([t]))


def is_plain(t: nodes.Type, place: Place) -> bool:
    """Whether generated code checks the parts of a value of *t* one by one."""
    t = _strip_nullable(t)
    if isinstance(t, nodes.Record):
        hides = place.compiler.policy.firewall and any(field.firewalled for field in t.fields)
        return t.extra in (nodes.ANY, None) and not t.matching and not hides
    return isinstance(t, nodes.List)


def _strip_nullable(t: nodes.Type) -> nodes.Type:
    """Return *t* without annotations and null."""
    while isinstance(t := strip_annotations(t), nodes.Maybe):
        t = t.inner
    return t


def write_value(f: VerdictFunction, t: nodes.Type, place: Place) -> str:
    """Write lines that check and convert the whole value; return the variable of the result."""
    made = f.new_variable()
    f.add(f"{made} = {place.name}")
    write_part(f, Part(t, place, (), lambda text: f.add(f"{made} = {text}"), False))
    return made


def write_list_rest(f: VerdictFunction, item: nodes.Type, place: Place) -> str:
    """Write lines for the items of a list from the index `at` on; see `write_value`."""
    x = place.name
    f.resumes = f.counts.leaves = True
    f.require([f"type({x}) is not list"])
    f.visit(x, count_parts(item))
    return _write_items(
        f, item, Part(nodes.ANY, place, (), _refuse_store, False), f.new_variable(), True
    )


def _refuse_store(text: str) -> None:
    raise AssertionError(text)  # pragma: no cover - the whole value is what is made


@contextmanager
def _open_chunks(f: VerdictFunction, x: str) -> Iterator[str]:
    """Open a loop over chunks of the list in *x*; yield text of the items and of their start.

    The notes of a chunk are only counted behind it: a count for each would take as long as the
    note.
    """
    f.in_chunks = True
    f.add("room = True")
    # No loop of items: it is not counted as one.
    with f.open_block(f"for start in range(at, len({x}), {CHUNK}):", is_loop=False):
        yield f"{x}[start : start + {CHUNK}], start"
        for kept in ("notes", "faults"):
            with f.open_block(f"if len({kept}) > most:"):
                f.add(f"more_{kept} += len({kept}) - most")
                f.add(f"del {kept}[most:]")
        f.add("room = len(notes) < most")


def write_part(f: VerdictFunction, p: Part) -> None:
    """Write lines that judge and convert the part *p*."""
    f.program.count()
    inner, x = _strip_nullable(p.type), p.place.name
    test = build_condition(p.type, p.place, f.program)
    if test is not None:
        if test:
            with f.open_block(f"if {test}:"):
                write_conversion(f, p)
        return
    if f.is_full or not is_plain(p.type, p.place):
        with _open_attempt(f, p):
            judge(f, p.type, p.place)
        return
    is_optional = isinstance(strip_annotations(p.type), nodes.Maybe)
    with f.open_block(f"if {x} is not None:") if is_optional else nullcontext():
        if isinstance(inner, nodes.Record):
            _write_record(f, inner, p)
            return
        assert isinstance(inner, nodes.List)
        with f.open_block(f"if type({x}) is not list:"):
            write_part_check(f, p)
        with f.open_block("else:"):
            _write_list(f, inner.item, p)


@contextmanager
def _open_attempt(f: VerdictFunction, p: Part) -> Iterator[None]:
    """Open a block whose refusal of the part *p* leads to the checker of that part."""
    above = f.refusal
    f.refusal = "raise KeyError" if p.path else above
    with f.open_block("try:") if p.path else nullcontext():
        yield
    f.refusal = above
    if p.path:
        with f.open_block("except KeyError:"):
            write_part_check(f, p)


def _write_list(f: VerdictFunction, item: nodes.Type, p: Part) -> None:
    """Write lines for a list; its items are copied only if one does not conform."""
    x, each = p.place.name, f.new_variable()
    test = build_condition(item, p.place.with_name(each), f.program)
    f.visit(x, count_parts(item), test is not None)
    if test == "":
        return
    if test is None:
        _write_store(f, _write_items(f, item, p, each), p)
        return
    with f.open_block(f"for {each} in {x}:"), f.open_block(f"if {test}:"):
        _write_store(f, _write_items(f, item, p, each), p)
        f.add("break")


def _write_store(f: VerdictFunction, made: str, p: Part) -> None:
    """Write lines that store *made* if it differs from the part *p*."""
    if made != p.place.name:
        with f.open_block(f"if {made} is not {p.place.name}:"):
            p.store(made)


def _write_items(
    f: VerdictFunction, item: nodes.Type, p: Part, each: str, is_rest: bool = False
) -> str:
    """Write lines for each item of a list, or for its items from the index `at` on.

    Returns the variable that holds the result.
    """
    x, index = p.place.name, f.new_variable()
    copy = _CopyVariable(f, x, True)
    chunks = _open_chunks(f, x) if is_rest else nullcontext(x)
    with chunks as items, f.open_block(f"for {index}, {each} in enumerate({items}):"):
        store = partial(copy.store, index)
        write_part(
            f, Part(item, p.place.with_name(each), (*p.path, Step(None, index)), store, True)
        )
    return copy.get_name()


class _CopyVariable:
    """A variable for the list or map in the variable *x*, or for a changed copy of it."""

    def __init__(self, f: VerdictFunction, x: str, in_loop: bool) -> None:
        self._f = f
        self._in_loop = in_loop
        self._x = x
        self._made = f.new_variable()
        self._is_used = False
        f.add_at_end(lambda: [f"{self._made} = {x}"] if self._is_used else [])

    def store(self, key: str, text: str) -> None:
        """Write lines that put *text* at *key* into the copy."""
        copied = f"{self._made} = {self._x}.copy()"
        if self._is_used or self._in_loop:
            with self._f.open_block(f"if {self._made} is {self._x}:"):
                self._f.add(copied)
        else:
            self._f.add(copied)
        self._is_used = True
        self._f.add(f"{self._made}[{key}] = {text}")

    def get_name(self) -> str:
        """Return the variable of the copy, or of the original if nothing is stored."""
        return self._made if self._is_used else self._x


def _write_record(f: VerdictFunction, t: nodes.Record, p: Part) -> None:
    """Write lines for a record: first the tests that pass all of it to its checker."""
    policy, x = p.place.compiler.policy, p.place.name
    fills = {field.name for field in t.fields if policy.defaults and field.default is not None}
    needed = [field for field in t.fields if field.required or field.name in fills]
    optional = [field for field in t.fields if field not in needed]
    held = {field.name: f.new_variable() for field in t.fields}
    copy = _CopyVariable(f, x, False)
    with _open_attempt(f, p):
        f.require([f"type({x}) is not dict"])
        lacking = _write_required(f, needed, fills, p, held)
        count = f"{len(needed)}"
        if len(optional) > _MANY:
            f.require([f"{_MANY} * (len({x}) + 1) < {len(optional)}"])
        if optional:
            count, start = f.new_variable(), count
            f.add(f"{count} = {start}")
        for field in optional:
            key, name = f.program.bind_key(field.name), held[field.name]
            f.add(f"{name} = absent")
            with f.open_block(f"if {key} in {x}:"):
                f.add(f"{name} = {x}[{key}]", f"{count} += 1")
        for field in t.fields:
            # A null may count as absent.
            is_left_out = "absent_from_null" in policy.coercions and not field.required
            has_default = field.default is not None and policy.takes_nil_for_default
            if (has_default or is_left_out) and not isinstance(
                strip_annotations(field.type), nodes.Maybe
            ):
                f.require([f"{held[field.name]} is None"])
        with f.open_block(f"if len({x}) > {count}:"):
            if t.extra != nodes.ANY or policy.extras != "keep":
                f.refuse()
            else:
                write_untyped_keys(f, p.place.compiler.key_plan(t), frozenset(), x)
        f.note_key_classes(x)
    with f.open_block("else:") if p.path else nullcontext():
        for field in t.fields:
            name = held[field.name]
            step = Step(field.name, hidden=field.firewalled, lacking=lacking.get(field.name, ""))
            store = partial(copy.store, f.program.bind_key(field.name))
            is_there = (
                nullcontext() if field in needed else f.open_block(f"if {name} is not absent:")
            )
            with is_there:
                inner = p.place.with_name(name)
                write_part(f, Part(field.type, inner, (*p.path, step), store, False))
        _write_store(f, copy.get_name(), p)


def _write_required(
    f: VerdictFunction, needed: list[nodes.Field], fills: set[str], p: Part, held: dict[str, str]
) -> dict[str, str]:
    """Write lines that put the values of *needed* into the variables *held*.

    Returns, by field name, the variables of the sites at which absent fields are noted.
    """
    lacking: dict[str, str] = {}
    for field in needed:
        test = build_condition(field.type, p.place, f.program)
        is_told = p.place.compiler.policy.on_issue == "fail" and field.name not in fills
        if is_told and test:
            lacking[field.name] = f.program.bind(make_missing_site(field, p))
    block = f.open_block("try:") if lacking else nullcontext()
    x = p.place.name
    with block:
        for field in needed:
            f.add(f"{held[field.name]} = {x}[{f.program.bind_key(field.name)}]")
    if lacking:
        known = frozenset(held)
        parts = [(field.name, field.name in lacking) for field in needed]
        names = ", ".join([held[field.name] for field in needed])
        with f.open_block("except KeyError:"):
            f.add(f"{names}, = {f.program.bind(make_partial_getter(parts, known))}({x})")
    return lacking
