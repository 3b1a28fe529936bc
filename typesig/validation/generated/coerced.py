"""The source for values that do not conform, or are coerced: what the check does, in one pass.

Text of a number, and what else becomes a scalar by a row of the policy, is converted where it
stands; only the maps and lists around it are copied.  A warning or an error is noted as its site,
the value and the indices on the way to it; `typesig.validation.outcome.check_context` makes issues
of these.  Any other part that does not conform is given to its check, and no other part is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial

from typesig.algebra import nodes
from typesig.algebra.constructors import strip_annotations
from typesig.algebra.traversal import iter_distinct_parts
from typesig.validation.generated import predicate_answers
from typesig.validation.generated.conditions import condition
from typesig.validation.generated.conversions import Part, Step, ask, lacking_site, mended, partly
from typesig.validation.generated.function_texts import VerdictFunction
from typesig.validation.generated.source import Place, Test

#: How many optional fields for one key of a map are looked at one by one.
_MANY = 4

#: The items of a long list after which notes beyond the limit are dropped.
CHUNK = 1_000


def has_lists(t: nodes.Type) -> bool:
    """Whether there may be several notes of one site of *t*."""
    return any(isinstance(part, nodes.List) for part in iter_distinct_parts([t]))


def is_plain(t: nodes.Type, place: Place) -> bool:
    """Whether the parts of a value of *t* are looked at one by one."""
    t = _of_values(t)
    if isinstance(t, nodes.Record):
        hides = place.compiler.policy.firewall and any(field.firewalled for field in t.fields)
        return t.extra in (nodes.ANY, None) and not t.matching and not hides
    return isinstance(t, nodes.List)


def _of_values(t: nodes.Type) -> nodes.Type:
    """Return the type of the values of *t* other than null."""
    while isinstance(t := strip_annotations(t), nodes.Maybe):
        t = t.inner
    return t


def whole(f: VerdictFunction, t: nodes.Type, place: Place) -> str:
    """Write lines for the whole value; return the variable that holds what is made of it."""
    made = f.variable()
    f.add(f"{made} = {place.name}")
    part(f, Part(t, place, (), lambda text: f.add(f"{made} = {text}"), False))
    return made


def rest(f: VerdictFunction, item: nodes.Type, place: Place) -> str:
    """Write lines for the items of a list from the index `at` on; see `whole`."""
    x = place.name
    f.resumes = f.counts.leaves = True
    f.require([(Test(f"type({x}) is not list"), x)])
    f.visit(x)
    return _items(f, item, Part(nodes.ANY, place, (), _never_stored, False), f.variable(), True)


def _never_stored(text: str) -> None:
    raise AssertionError(text)  # pragma: no cover - the whole value is what is made


@contextmanager
def _chunks(f: VerdictFunction, x: str) -> Iterator[str]:
    """Write the loop over chunks of the list in *x*; yield text of the items and of their start.

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


def part(f: VerdictFunction, p: Part) -> None:
    """Write lines that judge and convert the part *p*."""
    f.program.count()
    inner, x = _of_values(p.type), p.place.name
    test = condition(p.type, p.place, f.program)
    if test is not None:
        if test.text:
            with f.open_block(f"if {test.text}:"):
                mended(f, p)
        return
    if f.is_full or not is_plain(p.type, p.place):
        with _attempt(f, p):
            f.judge(p.type, p.place)
        return
    is_optional = isinstance(strip_annotations(p.type), nodes.Maybe)
    with f.open_block(f"if {x} is not None:") if is_optional else nullcontext():
        if isinstance(inner, nodes.Record):
            _record(f, inner, p)
            return
        assert isinstance(inner, nodes.List)
        with f.open_block(f"if type({x}) is not list:"):
            ask(f, p)
        with f.open_block("else:"):
            _list(f, inner.item, p)


@contextmanager
def _attempt(f: VerdictFunction, p: Part) -> Iterator[None]:
    """Write what is within so that the part *p* is given to its check where that refuses it."""
    above = f.refusals.item
    f.refusals.item = "raise KeyError" if p.path else above
    with f.open_block("try:") if p.path else nullcontext():
        yield
    f.refusals.item = above
    if p.path:
        with f.open_block("except KeyError:"):
            ask(f, p)


def _list(f: VerdictFunction, item: nodes.Type, p: Part) -> None:
    """Write lines for a list; items that one expression decides are counted if one fails."""
    x, each = p.place.name, f.variable()
    test = condition(item, p.place.at(each), f.program)
    f.visit(x, test is not None)
    if test is not None and not test.text:
        return
    if test is None:
        _put(f, _items(f, item, p, each), p)
        return
    with f.open_block(f"for {each} in {x}:"), f.open_block(f"if {test.text}:"):
        _put(f, _items(f, item, p, each), p)
        f.add("break")


def _put(f: VerdictFunction, made: str, p: Part) -> None:
    """Write lines that store *made* if it is not the part *p* itself."""
    if made != p.place.name:
        with f.open_block(f"if {made} is not {p.place.name}:"):
            p.store(made)


def _items(f: VerdictFunction, item: nodes.Type, p: Part, each: str, is_rest: bool = False) -> str:
    """Write lines for each item of a list, or of its rest from the index `at` on.

    Returns the variable that holds what is made of it.
    """
    x, index = p.place.name, f.variable()
    copy = _Copy(f, x, True)
    chunks = _chunks(f, x) if is_rest else nullcontext(x)
    with chunks as items, f.open_block(f"for {index}, {each} in enumerate({items}):"):
        store = partial(copy.store, index)
        part(f, Part(item, p.place.at(each), (*p.path, Step(None, index)), store, True))
    return copy.made()


class _Copy:
    """A variable for the list or map in the variable *x*, or for a copy that has other parts."""

    def __init__(self, f: VerdictFunction, x: str, in_loop: bool) -> None:
        self._f = f
        self._in_loop = in_loop
        self._x = x
        self._made = f.variable()
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

    def made(self) -> str:
        """Return the variable that holds it: that of the original if there is no copy."""
        return self._made if self._is_used else self._x


def _record(f: VerdictFunction, t: nodes.Record, p: Part) -> None:
    """Write lines for a record: what leaves all of it to its check comes before its parts."""
    policy, x = p.place.compiler.policy, p.place.name
    fills = {field.name for field in t.fields if policy.defaults and field.default is not None}
    needed = [field for field in t.fields if field.required or field.name in fills]
    optional = [field for field in t.fields if field not in needed]
    held = {field.name: f.variable() for field in t.fields}
    copy = _Copy(f, x, False)
    with _attempt(f, p):
        f.require([(Test(f"type({x}) is not dict"), x)])
        lacking = _take(f, needed, fills, p, held)
        count = f"{len(needed)}"
        if len(optional) > _MANY:
            f.guard(f"{_MANY} * (len({x}) + 1) < {len(optional)}", f.refusals.of_part("None"))
        if optional:
            count, start = f.variable(), count
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
                f.guard(f"{held[field.name]} is None", f.refusals.of_part("None"))
        with f.open_block(f"if len({x}) > {count}:"):
            if t.extra != nodes.ANY or policy.extras != "keep":
                f.refuse("None")
            else:
                judge = predicate_answers.undeclared(p.place.compiler.plan(t), frozenset())
                f.leave(x, f"{f.program.bind(judge)}({x})")
        f.own_keys(x)
    with f.open_block("else:") if p.path else nullcontext():
        for field in t.fields:
            name = held[field.name]
            step = Step(field.name, hidden=field.firewalled, lacking=lacking.get(field.name, ""))
            store = partial(copy.store, f.program.bind_key(field.name))
            is_there = (
                nullcontext() if field in needed else f.open_block(f"if {name} is not absent:")
            )
            with is_there:
                inner = p.place.at(name)
                part(f, Part(field.type, inner, (*p.path, step), store, False))
        _put(f, copy.made(), p)


def _take(
    f: VerdictFunction, needed: list[nodes.Field], fills: set[str], p: Part, held: dict[str, str]
) -> dict[str, str]:
    """Write lines that put the values of *needed* into the variables *held*.

    Returns the names of the sites of fields of which it is noted if they are absent.
    """
    lacking: dict[str, str] = {}
    for field in needed:
        test = condition(field.type, p.place, f.program)
        is_told = p.place.compiler.policy.on_issue == "fail" and field.name not in fills
        if is_told and test is not None and test.text:
            lacking[field.name] = f.program.bind(lacking_site(field, p))
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
            f.add(f"{names}, = {f.program.bind(partly(parts, known))}({x})")
    return lacking
