"""The source that converts a scalar that does not conform, or notes that it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NamedTuple

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import INT, Enum, Field, Maybe, Refined, Scalar, Type
from typesig.algebra.rows.values import Kind
from typesig.limits import MAX_DIGITS
from typesig.validation.check.check import Compiler
from typesig.validation.check.scalar_checks import ENUM_GUESSES, active, warned
from typesig.validation.generated.conditions import condition, rewrites
from typesig.validation.generated.function_texts import Verdict
from typesig.validation.generated.source import Place
from typesig.validation.issues.expected import expected
from typesig.validation.outcome.notes import Site
from typesig.validation.rows.coercions import REFUSED, Coercion
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.run import Found, Run


class Step(NamedTuple):
    """One step on the way to a part.

    #: key: the name of the field, or None for an index; variable: what holds that
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

#: Each int up to this one, and its negative, is equal to a float.
_EXACT = 2**53


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
        is_sure = is_exact(policy) and not is_refined
        return _ONLY_WRONG if is_sure else _ways_of_enum(t, compiler, is_item)
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
        # A text is never wrong where each is right.
        open_ |= {"string"} if scalar.name == "string" else set()
        wrong = frozenset(each for each, kind in _UNCHANGING.items() if kind not in open_)
    return _Ways(quiet[0] if quiet else None, read, flags == {True}, wrong)


def _ways_of_enum(t: Type, compiler: Compiler, is_item: bool) -> _Ways:
    """Return how values become one of the texts of *t*: none does that is sure to be wrong."""
    policy = compiler.policy
    t = bare(t)
    inner = bare(t.inner) if isinstance(t, Maybe) else t
    has_texts = isinstance(inner, Enum) and all(value.kind == "string" for value in inner.values)
    is_guessed = not policy.coercions.isdisjoint(ENUM_GUESSES)
    is_bare = compiler.place(t, is_item) is compiler.checker(t)
    if not has_texts or is_guessed or not is_bare or policy.on_issue != "fail":
        return _NO_WAYS
    read = active(policy, "string").keys()
    return _NO_WAYS._replace(
        wrong=frozenset([each for each, kind in _UNCHANGING.items() if kind not in read])
    )


_NO_WAYS = _Ways(None, None, False, frozenset())

#: Of a type that one expression decides, for policies that change nothing.
_ONLY_WRONG = _NO_WAYS._replace(wrong=frozenset(_UNCHANGING))


def is_exact(policy: Policy) -> bool:
    """Tell whether *policy* changes no value, and finds nothing but errors."""
    reads = policy.coercions or policy.decoding or policy.naive_datetime is not None
    changes = reads or policy.defaults or policy.extras == "drop"
    return not changes and policy.on_issue == "fail"


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


def mended(f: Verdict, t: Type, place: Place, path: Path, store: Store, is_item: bool) -> None:
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
            f.add(f"{made} = float({x}) if {exact} else {program.bound(ways.quiet)}({x})")
            finish(False)
    with f.block("else:") if ways.quiet is not None else nullcontext():
        if ways.read is None:
            _wrong(f, ways, wrong, x, path)
            return
        read = f"{made} = {program.bound(ways.read)}({x})"
        if scalar == INT:
            _digits(f, x, made, read, refused)
        else:
            f.add(read)
        finish(ways.warns)


def _wrong(f: Verdict, ways: _Ways, site: Site, x: str, path: Path) -> None:
    """Write lines that note the error about a value, if there is no doubt about it."""
    lacking = path[-1].lacking if path else ""
    found: list[tuple[str, str]] = []
    if ways.wrong:
        text = f"type({x}) in {f.program.bound(ways.wrong)}"
        if str in ways.wrong:
            # Text is what most wrong values are.
            text = f"type({x}) is str or {text}"
        found.append((text, f.program.bound(site)))
    if lacking:
        found.append((f"{x} is absent", lacking))
    for number, (text, name) in enumerate(found):
        with f.block(f"{'elif' if number else 'if'} {text}:"):
            _note(f, "fault", name, x, path)
    with f.block("else:") if found else nullcontext():
        f.refuse("None")


def _digits(f: Verdict, x: str, made: str, read: str, refused: str) -> None:
    """Write lines that set *made* to what the text of digits *x* says, or else do *read*."""
    digits = f"{x}.isdigit() and {x}.isascii() and len({x}) <= {MAX_DIGITS}"
    with f.block(f"if type({x}) is not str:"):
        f.add(f"{made} = {refused}")
    if f.notes_once:
        # Most numbers in arguments are small; in long lists, more are not.
        with f.block(f"elif {x} in small:"):
            f.add(f"{made} = small[{x}]")
    with f.block(f"elif {digits}:"):
        f.add(f"{made} = int({x})")
    with f.block("else:"):
        f.add(read)


#: The texts of small numbers.
SMALL = {f"{number}": number for number in range(257)}


def _hidden(path: Path) -> int:
    """Return the number of steps, from the inside, up to the outermost firewalled name."""
    return max([len(path) - at for at, step in enumerate(path) if step.hidden], default=0)


def _site(t: Type, place: Place, path: Path, is_item: bool, is_warning: bool) -> Site:
    check = place.compiler.place(t, is_item)
    names = tuple([step.key for step in path])
    return Site(check, names, _hidden(path), is_warning)


#: The value of a field that a map lacks.
ABSENT = object()


def lacking_site(field: Field, place: Place, path: Path) -> Site:
    """Return the site of *field* where a map lacks it."""
    compiler = place.compiler
    text = expected(field.type, compiler.names, compiler.said)

    def lack(value: Any, run: Run) -> Any:
        run.add(Found("missing", text))
        return value

    steps = (*path, Step(field.name, hidden=field.firewalled))
    return Site(lack, tuple([step.key for step in steps]), _hidden(steps), False)


def partly(
    fields: list[tuple[str, bool]], known: frozenset[str]
) -> Callable[[dict[Any, Any]], list[Any]]:
    """Return the function that returns the values of *fields* of a map that lacks some.

    A field may be `ABSENT` if its name has True beside it.  Raises `KeyError` if another is, or if
    there are keys that are not *known*, which may stand for one.
    """

    def values(data: dict[Any, Any]) -> list[Any]:
        if not data.keys() <= known:
            raise KeyError
        return [data.get(name, ABSENT) if may else data[name] for name, may in fields]

    return values


def _note(f: Verdict, what: str, site: str, x: str, path: Path) -> None:
    """Write lines that note the value in *x*: a warning as a note, an error as a fault."""
    indices = "".join([f", {step.variable}" for step in path if step.key is None])
    note = f"({site}, {x}{indices})"
    if f.notes_once:
        # Several are rare.
        f.add(f"{what}s = (*{what}s, {note[1:-1]}) if {what}s else {note}")
        return
    if f.in_chunks and what == "fault":
        f.add(f"faults.append({note})")
        return
    # A note is only made where it is kept: each item may have one.
    with f.block("if room:" if f.in_chunks else f"if len({what}s) < most:"):
        f.add(f"{what}s.append({note})")
    with f.block("else:"):
        f.add(f"more_{what}s += 1")
