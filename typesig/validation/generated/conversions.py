"""Source code that converts a scalar that does not conform, or notes its error."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NamedTuple

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import INT, Enum, Field, Maybe, Refinement, Scalar, Type
from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import Kind
from typesig.limits import MAX_DIGITS
from typesig.sentinels import ABSENT
from typesig.validation.check.check import Compiler
from typesig.validation.check.scalar_checks import (
    ENUM_GUESSES,
    allows_other_format,
    get_active_conversions,
    needs_warning,
)
from typesig.validation.check_state import CheckState, Finding
from typesig.validation.coercions import REFUSED, Conversion
from typesig.validation.generated.conditions import Place, build_condition
from typesig.validation.generated.verdict_source import VerdictFunction
from typesig.validation.issues.excerpt import describe_type
from typesig.validation.outcome.check_context import FindingSite, Site
from typesig.validation.policy import Policy


class Step(NamedTuple):
    """One step on the path to a part.

    #: key: the name of the field, or None for an index; variable: the variable of the index
    #: hidden: whether the field is firewalled
    #: lacking: the name of the site of the field if it may be `ABSENT`, or empty
    """

    key: str | None
    variable: str = ""
    hidden: bool = False
    lacking: str = ""


#: The steps from the whole value to a part.
Path = tuple[Step, ...]

#: Writes lines that put what is made of a part, an expression, into a copy of what holds the part.
Store = Callable[[str], None]


class Part(NamedTuple):
    """A part of the value, which is checked and converted in place.

    #: type: of the whole place; path: the steps to it, none to the whole value
    #: is_item: whether a list holds it
    """

    type: Type
    place: Place
    path: Path
    store: Store
    is_item: bool

    def make_site(self) -> Site:
        """Make the site of the findings of the part's checker."""
        check = self.place.compiler.place_checker(self.type, self.is_item)
        names = tuple([step.key for step in self.path])
        return Site(check, names, _count_hidden_steps(self.path))

    @property
    def indices(self) -> str:
        """The indices on the path to the part, as further arguments."""
        return "".join([f", {step.variable}" for step in self.path if step.key is None])


def write_part_check(f: VerdictFunction, p: Part) -> None:
    """Write lines that pass the part *p* to its checker, or the whole value if *p* is that."""
    if not p.path or f.notes_once:
        f.refuse()
        return
    x, made = p.place.name, f.new_variable()
    f.asks = f.counts.has_any = f.counts.leaves = True
    f.add(
        "run = run or PartCheckState(x0, about)",
        f"{made} = run.check_part({f.program.bind(FindingSite(p.make_site()))}, {x}, "
        f"notes, faults{p.indices})",
    )
    with f.open_block(f"if {made} is not {x}:"):
        p.store(made)


#: Each int up to this one, and its negative, is equal to a float.
_EXACT = 2**53


class _ConversionPlan(NamedTuple):
    """Conversions of other values to the scalar of a place.

    #: quiet: converts an int without a warning, or None; read: converts text, or None
    #: warns: whether converted text has a warning
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


def _find_scalar(t: Type) -> tuple[Scalar | None, tuple[Constraint, ...]]:
    """Find the scalar of *t*, or None for another type, and its constraints."""
    t = strip_annotations(t)
    t = strip_annotations(t.inner) if isinstance(t, Maybe) else t
    constraints = t.constraints if isinstance(t, Refinement) else ()
    t = strip_annotations(t.inner) if isinstance(t, Refinement) else t
    return (t if isinstance(t, Scalar) else None), constraints


def _plan_conversions(p: Part) -> _ConversionPlan:
    """Plan the conversions to the scalar of *p*."""
    t, is_item, compiler = p.type, p.is_item, p.place.compiler
    policy = compiler.policy
    scalar, constraints = _find_scalar(t)
    if scalar is None:
        is_sure = is_exact(policy) and not constraints
        return _ONLY_WRONG if is_sure else _plan_enum_conversions(t, compiler, is_item)
    if scalar.name == "datetime" and policy.naive_datetime is not None:
        return _NO_CONVERSIONS
    rows = (
        {}
        if allows_other_format(constraints, policy)
        else get_active_conversions(policy, scalar.name)
    )
    texts: list[Conversion] = rows.get("string", [])
    flags = {needs_warning(row, policy) for row in texts}
    quiet = [row.apply for row in rows.get("int", []) if scalar.name == "float"]
    if len(flags) > 1:
        return _NO_CONVERSIONS
    read = _make_text_reader([row.apply for row in texts]) if texts else None
    wrong = frozenset[type]()
    # What is read before the scalar sees the value may be no error.
    is_bare = not constraints and _is_checked_first(t, compiler, is_item)
    if is_bare:
        known = {"string", *(["int"] if quiet else [])}
        open_ = rows.keys() - known
        # A text is never wrong where each is right.
        open_ |= {"string"} if scalar.name == "string" else set()
        wrong = frozenset(each for each, kind in _UNCHANGING.items() if kind not in open_)
    return _ConversionPlan(quiet[0] if quiet else None, read, flags == {True}, wrong)


def _is_checked_first(t: Type, compiler: Compiler, is_item: bool) -> bool:
    """Whether *t* has no coercion before its checker, except from a list."""
    compiler = compiler.with_policy(coercions=compiler.policy.off("item_from_list").coercions)
    return compiler.place_checker(t, is_item) is compiler.checker(t)


def _plan_enum_conversions(t: Type, compiler: Compiler, is_item: bool) -> _ConversionPlan:
    """Plan the conversions to the texts of *t*: none, but some classes are always errors."""
    policy = compiler.policy
    t = strip_annotations(t)
    inner = strip_annotations(t.inner) if isinstance(t, Maybe) else t
    has_texts = isinstance(inner, Enum) and all(value.kind == "string" for value in inner.values)
    is_guessed = not policy.coercions.isdisjoint(ENUM_GUESSES)
    is_bare = _is_checked_first(t, compiler, is_item)
    if not has_texts or is_guessed or not is_bare:
        return _NO_CONVERSIONS
    read = get_active_conversions(policy, "string").keys()
    return _NO_CONVERSIONS._replace(
        wrong=frozenset([each for each, kind in _UNCHANGING.items() if kind not in read])
    )


_NO_CONVERSIONS = _ConversionPlan(None, None, False, frozenset())

#: Of a type that one expression decides, for policies that change nothing.
_ONLY_WRONG = _NO_CONVERSIONS._replace(wrong=frozenset(_UNCHANGING))


def is_exact(policy: Policy) -> bool:
    """Whether *policy* changes no value, so that all findings are errors."""
    reads = policy.coercions or policy.decoding or policy.naive_datetime is not None
    return not reads and not policy.defaults and policy.extras != "drop"


def _make_text_reader(ways: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """Make the function that converts text by the first of *ways* that accepts it."""

    def read(value: Any) -> Any:
        if type(value) is str:
            for apply in ways:
                made = apply(value)
                if made is not REFUSED:
                    return made
        return REFUSED

    return read


def write_conversion(f: VerdictFunction, p: Part) -> None:
    """Write lines that convert a scalar that does not conform, or note its error."""
    ways = _plan_conversions(p)
    x, program = p.place.name, f.program
    if ways.quiet is None and ways.read is None:
        _write_error(f, ways, p)
        return
    made, refused = f.new_variable(), program.bind(REFUSED)
    scalar, constraints = _find_scalar(p.type)
    limits = build_condition(p.type, p.place.with_name(made), program) if constraints else None

    def finish(is_noted: bool) -> None:
        with f.open_block(f"if {made} is {refused}:"):
            _write_error(f, ways, p)
        if limits is not None:
            with f.open_block(f"elif {limits}:"):
                write_part_check(f, p)
        with f.open_block("else:"):
            if is_noted:
                _write_note(f, "note", f"{program.bind(p.make_site())}, {x}{p.indices}")
            p.store(made)

    if ways.quiet is not None:
        with f.open_block(f"if type({x}) is int:"):
            exact = f"-{_EXACT} <= {x} <= {_EXACT}"
            f.add(f"{made} = float({x}) if {exact} else {program.bind(ways.quiet)}({x})")
            finish(False)
    with f.open_block("else:") if ways.quiet is not None else nullcontext():
        if ways.read is None:
            _write_error(f, ways, p)
            return
        read = f"{made} = {program.bind(ways.read)}({x})"
        if scalar == INT:
            _write_digits(f, x, made, read, refused)
        else:
            f.add(read)
        finish(ways.warns)


def _write_error(f: VerdictFunction, ways: _ConversionPlan, p: Part) -> None:
    """Write lines that note the error of a value, or pass it to its checker if in doubt."""
    x, lacking = p.place.name, p.path[-1].lacking if p.path else ""
    found = list[tuple[str, str]]()
    if ways.wrong:
        text = f"type({x}) in {f.program.bind(ways.wrong)}"
        if str in ways.wrong:
            # Text is what most wrong values are.
            text = f"type({x}) is str or {text}"
        found.append((text, f"{f.program.bind(p.make_site())}, {x}{p.indices}"))
    if lacking:
        found.append((f"{x} is absent", f"{lacking}, {x}{p.indices}"))
    for number, (text, note) in enumerate(found):
        with f.open_block(f"{'elif' if number else 'if'} {text}:"):
            _write_note(f, "fault", note)
    with f.open_block("else:") if found else nullcontext():
        write_part_check(f, p)


def _write_digits(f: VerdictFunction, x: str, made: str, read: str, refused: str) -> None:
    """Write lines that set *made* to the integer in the text *x*, or else do *read*."""
    digits = f"{x}.isdigit() and {x}.isascii() and len({x}) <= {MAX_DIGITS}"
    with f.open_block(f"if type({x}) is not str:"):
        f.add(f"{made} = {refused}")
    if f.notes_once:
        # Most numbers in arguments are small; in long lists, more are not.
        with f.open_block(f"elif {x} in small:"):
            f.add(f"{made} = small[{x}]")
    with f.open_block(f"elif {digits}:"):
        f.add(f"{made} = int({x})")
    with f.open_block("else:"):
        f.add(read)


#: The texts of small numbers.
SMALL = {f"{number}": number for number in range(257)}


def _count_hidden_steps(path: Path) -> int:
    """Count the steps, from the inside, up to the outermost firewalled name."""
    return max([len(path) - at for at, step in enumerate(path) if step.hidden], default=0)


def make_missing_site(field: Field, p: Part) -> Site:
    """Make the site of *field* where the map *p* lacks it."""
    compiler = p.place.compiler
    text = describe_type(field.type, compiler.names, compiler.labels)

    def lack(value: Any, run: CheckState) -> Any:
        run.add(Finding("missing", text))
        return value

    steps = (*p.path, Step(field.name, hidden=field.firewalled))
    return Site(lack, tuple([step.key for step in steps]), _count_hidden_steps(steps))


def make_partial_getter(
    fields: list[tuple[str, bool]], known: frozenset[str]
) -> Callable[[dict[Any, Any]], list[Any]]:
    """Make the function that reads the values of *fields* from a map that lacks some.

    A field may be `ABSENT` if its name has True beside it.  Raises `KeyError` if another field is
    absent, or if there are keys that are not *known*, which may be other spellings of a name.
    """

    def get_values(data: dict[Any, Any]) -> list[Any]:
        if not data.keys() <= known:
            raise KeyError
        return [data.get(name, ABSENT) if may else data[name] for name, may in fields]

    return get_values


def _write_note(f: VerdictFunction, what: str, parts: str) -> None:
    """Write lines that keep a note with *parts*: a warning as a note, an error as a fault.

    Where errors do not fail, they are notes, too.
    """
    if f.notes_once:
        what = what if f.fails else "note"
        # Several are rare.
        f.add(f"{what}s += (({parts}),)")
    elif what == "fault" and (f.in_chunks or not f.fails):
        f.add(f"faults.append(({parts}))", *([] if f.fails else ["notes.append(faults[-1])"]))
    else:
        # A note is only made where it is kept: each item may have one.
        with f.open_block("if room:" if f.in_chunks else f"if len({what}s) < most:"):
            f.add(f"{what}s.append(({parts}))")
        with f.open_block("else:"):
            f.add(f"more_{what}s += 1")
