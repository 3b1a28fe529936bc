"""The rows of the type table, and how they are judged.

Both judges must agree: `jsonschema` with the exact schema, and the call.  A row that fails for now
gives the reason in `fails`; the test then expects a failure, so that a fix must remove the mark.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import types
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import jsonschema

import typesig
from typesig import Tool, tool
from typesig.algebra.constructors import make_noted
from typesig.algebra.nodes import Annotation, Type
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.signature import map_types
from typesig.algebra.traversal import transform
from typesig.notations.json_schema.keywords import BY_NAME

CHECKER = jsonschema.FormatChecker(formats=())
for _name, _ours in BY_NAME.items():
    CHECKER.checkers[_name] = (
        lambda value, test=FORMATS[_ours]: not isinstance(value, str) or test(value),
        (),
    )

_NONE: Mapping[str, Any] = MappingProxyType({})


class Like(NamedTuple):
    """A received object that is judged by *test*, not by equality; *text* describes it."""

    text: str
    test: Callable[[Any], bool]


#: The hint of a row whose function does not have exactly one.
NO_HINT = object()


class Row(NamedTuple):
    """A test of one parameter list, or of one hint of a parameter.

    #: noun: the feature of `nouns.PARAMS` that it tests
    #: target: the callable that becomes a tool; it passes its arguments to `keep`
    #: takes: named arguments to accept, each with the object that the function must receive
    #: refuses: named arguments to reject
    #: fails: why the row fails for now, or empty
    #: texts: descriptions in the schema by path, "value.x"; "" is that of the tool
    #: warns: a part of each warning, in order; None if they do not matter
    #: shows: the names that the schema must show, or None
    #: options, given: of `tool` and of the call; also the explicit "signature" of a builtin and
    #:     the "receiver" of an unbound method
    #: also: one more test of the tool, which returns the problems
    #: hint: the one hint of the row, if it has one
    #: shorthand: its type; ptc_runner: its type under `profile="ptc_runner"`, empty if it is the same
    """

    noun: str
    target: Any
    takes: tuple[tuple[Any, Any], ...]
    refuses: tuple[Any, ...]
    fails: str = ""
    texts: Mapping[str, str] = _NONE
    warns: tuple[str, ...] | None = ()
    shows: tuple[str, ...] | None = None
    options: Mapping[str, Any] = _NONE
    given: Mapping[str, Any] = _NONE
    also: Callable[[Any], list[str]] | None = None
    hint: Any = NO_HINT
    shorthand: str = ""
    ptc_runner: str = ""


class Result(NamedTuple):
    """A test of one hint of a result.

    #: noun: the feature of `nouns.RESULTS` that it tests
    #: make: makes the function that returns a value
    #: gives: objects to return, each with the plain JSON that it must become
    #: refuses: objects that must be refused
    #: fails: why the row fails for now, or empty
    #: paths: the path of each refusal, or None
    #: shorthand, ptc_runner: as of a `Row`
    """

    noun: str
    make: Callable[[Any], Any]
    gives: tuple[tuple[Any, Any], ...]
    refuses: tuple[Any, ...]
    fails: str = ""
    warns: tuple[str, ...] | None = ()
    options: Mapping[str, Any] = _NONE
    paths: tuple[tuple[str | int, ...], ...] | None = None
    hint: Any = NO_HINT
    shorthand: str = ""
    ptc_runner: str = ""


class Fresh(NamedTuple):
    """A result that is made for each call, since it can be read only once."""

    make: Callable[[], Any]


#: The arguments of a builtin cannot be kept.
BUILTIN = object()

_received: list[Any] = []


def keep(*values: Any) -> None:
    """Keep the arguments of a function, to be compared with its row."""
    _received.append(values[0] if len(values) == 1 else values)


def taken_out() -> list[Any]:
    """Return the arguments kept since the last call."""
    out = _received[:]
    _received.clear()
    return out


# making rows


def param(
    noun: str, hint: Any, takes: tuple[Any, ...], refuses: tuple[Any, ...], **more: Any
) -> Row:
    """Return the row of one parameter `value` of *hint*.

    An item of *takes* is a pair of the value sent and the object received; *space* contains the
    names of hints in text.
    """

    def f(value):  # type: ignore[no-untyped-def]
        keep(value)

    if (space := more.pop("space", None)) is not None:
        # Names in text are looked up in the globals of the function, which contain `keep` too.
        f = types.FunctionType(f.__code__, space, "f")
    f.__annotations__ = {"value": hint, "return": None}
    sent = tuple(({"value": value}, received) for value, received in takes)
    return Row(noun, f, sent, tuple({"value": value} for value in refuses), hint=hint, **more)


def same(*values: Any) -> tuple[tuple[Any, Any], ...]:
    """Return pairs of each of *values* as the value sent and the object received."""
    return tuple((value, value) for value in values)


def result(
    noun: str, hint: Any, gives: tuple[Any, ...], refuses: tuple[Any, ...], **more: Any
) -> Result:
    """Return the row of a plain function whose result is hinted *hint*."""

    def make(value: Any) -> Any:
        def f():  # type: ignore[no-untyped-def]
            return value.make() if isinstance(value, Fresh) else value

        f.__annotations__ = {"return": hint}
        return f

    return Result(noun, make, gives, refuses, hint=hint, **more)


# judging


def problems_of_params(row: Row) -> list[str]:
    """Return the problems with the parameters of *row*."""
    t = _made(row)
    schema = t.signature.input_schema(exact=True)
    found = [*_sound(t, schema), *_warned(t, row.warns), *_told(t, schema, row)]
    judge = jsonschema.Draft202012Validator(schema, format_checker=CHECKER)
    for arguments, expected in row.takes:
        if not judge.is_valid(arguments):
            found.append(f"the schema refuses {arguments}")
        outcome = _called(t, arguments, row)
        if outcome.stage == "input" and outcome.errors:
            found.append(f"the call refuses {arguments}: {_lines(outcome.errors)}")
        elif expected is BUILTIN and not outcome.errors:
            continue
        elif not _received or not _is(expected, _received[0]):
            shown = expected.text if isinstance(expected, Like) else repr(expected)
            found.append(f"received {_received!r} for {arguments}, not {shown}")
    for arguments in row.refuses:
        if judge.is_valid(arguments):
            found.append(f"the schema takes {arguments}")
        outcome = _called(t, arguments, row, mode="strict")
        if _received or outcome.stage != "input" or not outcome.errors:
            found.append(f"the call takes {arguments}")
    _received.clear()
    return found + (row.also(t) if row.also else [])


def problems_of_shorthand(row: Row | Result) -> list[str]:
    """Return where the type of the hint of *row* differs from that of the row."""
    found = []
    told = row.ptc_runner or row.shorthand
    for name, said in (("shorthand", row.shorthand), ("ptc_runner", told)):
        got = shorthand_of(row, "ptc_runner" if name == "ptc_runner" else None)
        if got != said:
            found.append(f"{name} is {got!r}, not {said!r}")
    return found


def shorthand_of(row: Row | Result, profile: str | None = None) -> str:
    """Return the type of the hint of *row*, under *profile* instead of that of the row."""
    options = {**row.options, **({} if profile is None else {"profile": profile})}
    if isinstance(row, Row):
        text = str(_made(row._replace(options=options)).signature)
        params, _, names = text.removeprefix("(value").partition(") -> :nil")
        return params.removeprefix(" ") + names
    value = (*(value for value, _ in row.gives), *row.refuses)[0]
    return str(tool(**options)(row.make(value)).signature).partition(" -> ")[2]


def _made(row: Row) -> Any:
    if isinstance(row.target, Tool):
        return row.target
    options = dict(row.options)
    signature, receiver = options.pop("signature", None), options.pop("receiver", None)
    t = tool(signature, **options)(row.target)
    return t if receiver is None else t.bound(receiver)


def problems_of_result(row: Result) -> list[str]:
    """Return the problems with the result of *row*."""
    found: list[str] = []
    for value, expected in row.gives:
        t = tool(**row.options)(row.make(value))
        schema = t.signature.to_json_schema(exact=True)
        found += [*_sound(t, schema), *_warned(t, row.warns)]
        outcome = _called(t, {})
        judge = jsonschema.Draft202012Validator(schema, format_checker=CHECKER)
        if outcome.errors:
            found.append(f"{value!r} is refused: {_lines(outcome.errors)}")
        elif not _is(expected, outcome.value):
            found.append(f"{value!r} became {outcome.value!r}, not {expected!r}")
        if not judge.is_valid(json.loads(json.dumps(expected))):
            found.append(f"the schema refuses {expected!r}")
    for index, value in enumerate(row.refuses):
        t = tool(**row.options)(row.make(value))
        outcome = _called(t, {})
        judge = jsonschema.Draft202012Validator(
            t.signature.to_json_schema(exact=True), format_checker=CHECKER
        )
        if not outcome.errors or outcome.stage != "output":
            found.append(f"{value!r} is taken")
        elif row.paths is not None and not _near(row.paths[index], outcome.errors[0].path):
            found.append(f"{value!r} is refused at {outcome.errors[0].path}")
        plain = _called(tool(_returning(value)), {})
        # A schema cannot judge an object without a JSON form.
        if plain.ok and judge.is_valid(plain.value):
            found.append(f"the schema takes {plain.value!r}")
    return found


def _near(expected: tuple[str | int, ...], path: tuple[str | int, ...]) -> bool:
    """Tell whether *path* is *expected* or goes on from it: the path of a cycle has no fixed end."""
    return path[: len(expected)] == expected and len(path) <= 2 * len(expected)


def _returning(value: Any) -> Any:
    def f() -> Any:
        return value.make() if isinstance(value, Fresh) else value

    return f


def _called(t: Any, arguments: Any, row: Row | None = None, mode: str = "enabled") -> Any:
    """Return the outcome of a call with *arguments* as JSON text; `keep` gets the arguments."""
    _received.clear()
    given = dict(row.given) if row is not None else None
    text = json.dumps(arguments)
    function = inspect.unwrap(t)
    later = t.is_async or inspect.isasyncgenfunction(function) or hasattr(function, "later")
    if later:
        return asyncio.run(t.acall(text, given=given, mode=mode))
    return t.call(text, given=given, mode=mode)


def _sound(t: Any, schema: Any) -> list[str]:
    """Return the problems with the notations of the signature of a tool."""
    jsonschema.Draft202012Validator.check_schema(schema)
    json.dumps(schema, allow_nan=False)
    text = t.signature.render()
    # Shorthand has no form for titles.
    shown = map_types(t.signature, lambda each: transform(each, _untitled))
    return [] if typesig.parse(text) == shown else [f"{text} does not read back"]


def _untitled(t: Type) -> Type:
    return make_noted(t.inner, t.text) if isinstance(t, Annotation) else t


def _warned(t: Any, expected: tuple[str, ...] | None) -> list[str]:
    if expected is None:
        return []
    shown = [str(warning) for warning in t.warnings]
    fits = len(shown) == len(expected) and all(a in b for a, b in zip(expected, shown, strict=True))
    return [] if fits else [f"the warnings are {shown}"]


def _told(t: Any, schema: Any, row: Row) -> list[str]:
    """Return the problems with the names and descriptions that the model sees."""
    found = []
    names = tuple(schema.get("properties", {}))
    if row.shows is not None and names != row.shows:
        found.append(f"the names shown are {names}")
    for path, text in row.texts.items():
        told = _description(schema, path.split(".")) if path else t.description
        if told != text:
            found.append(f"{path} is described as {told!r}")
    return found


def _description(schema: Any, path: list[str]) -> Any:
    inner = schema
    for step in path:
        if "$ref" in inner:
            inner = schema["$defs"][inner["$ref"].rpartition("/")[2]]
        inner = (
            inner.get("items", {}) if step == "[]" else inner.get("properties", {}).get(step, {})
        )
    return inner.get("description")


def _lines(issues: Any) -> str:
    return "; ".join(str(issue) for issue in issues)


def _is(expected: Any, got: Any) -> bool:
    """Tell whether *got* equals *expected*, with the same classes at every level."""
    if isinstance(expected, Like):
        return expected.test(got)
    if type(expected) is not type(got):
        return False
    if isinstance(expected, dict):
        return list(expected) == list(got) and all(
            _is(a, b) for a, b in zip(_flat(expected), _flat(got), strict=True)
        )
    if isinstance(expected, list | tuple):
        return len(expected) == len(got) and all(map(_is, expected, got))
    if isinstance(expected, set | frozenset):
        return bool(expected == got) and {*map(type, expected)} == {*map(type, got)}
    fields = getattr(type(expected), "__annotations__", None)
    if fields and hasattr(expected, next(iter(fields))):
        # Each field of a record is compared, since True == 1.
        names = [name for name in fields if hasattr(expected, name)]
        if not all(_is(getattr(expected, name), getattr(got, name)) for name in names):
            return False
    return bool(expected == got)


def _flat(data: Any) -> list[Any]:
    return [*data, *data.values()]
