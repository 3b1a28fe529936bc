"""How a row of the type table is judged, for every tool alike: by the schema that it emits.

`jsonschema` judges, with the formats of JSON Schema asserted and no others.  A parameter holds
where the schema takes every value that the row accepts and refuses every value that it rejects;
where the row says texts, they must stand in the schema too, white space aside.  A result holds
where the output schema takes what each good result becomes, written as the tool writes it, and
refuses what each bad one would be; a bad one that JSON cannot say must be refused by the call.

What differs from one tool to another, and is right in each:

- A tool may spell a value its own way, say a NamedTuple as an array or bytes as text.  A value to
  accept counts as accepted where the schema takes the row's spelling, or the one that the tool
  itself writes for the object that the function should receive.
- So a value to reject is left out where it is that tool's right spelling of something: where the
  tool reads it and writes the same again.  That holds for the nouns of `SPELLED` alone, in which
  there is a choice; an `int` has none.
- A tool may take the value of a lone parameter that is a record as the whole of the arguments, an
  object of `**kwargs` below their name, or a list of arguments by place.  A row is judged in the
  first of these forms in which the schema takes all that it should.
- A function that asks for an abstract class may get any object of it that is equal.
- A wrong result is none where it is the tool's own spelling of a right one, or lacks only what has
  a default.
- What the host supplies is marked by each tool's own means (`peer_adapters`).  A tool without such
  a means does not hold.
- Which names are shown is judged only where a model must not see one.

`LEFT_OUT` are nouns that are options or reports of typesig alone, or that no schema can show.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import typing
from collections.abc import Callable, Iterable
from typing import Any

from peer_adapters import MARKER, NAME, TYPE, Made, Peer

#: Nouns that are not compared, by why.
LEFT_OUT = {
    'profile="ptc_runner"': "an option of typesig",
    "the :any default": "an option of typesig",
    "builtins with text signatures": "the row writes the signature itself",
    "builtins without text signatures": "the row writes the signature itself",
    "methods unbound": "the row binds it by an option of typesig",
    "recognised without importing their libraries": "no schema shows it",
    "text that is never evaluated": "no schema shows it",
    "types of docstrings marked in show": "no schema shows it",
    "text that is never lost silently": "no schema shows it",
    "__post_init__ errors become issues with a path": "no schema shows it",
}
#: Nouns whose values JSON has no form of its own for, so that a tool chooses one.
SPELLED = {
    *("bytes", "Decimal", "timedelta", "complex", "Fraction", "Pattern", "Path", "type[X]"),
    *("Flag", "IntFlag", "enums with unusual values", "mixed Literal", "other keys", "NamedTuple"),
    *("UUID", "IP addresses", "datetime", "date", "time", "Iterable of pairs"),
}
#: Nouns in which a name must not be shown.
HIDDEN = {MARKER, TYPE, NAME, "Callable (optional ones)", "functions"}

#: What became of a row, the worse first.
MARKS = ("crash", "error", "none", "no schema", "both", "wide", "narrow", "shown", "text", "yes")


def judge_of(schema: Any) -> Any:
    """Return what tells whether a value fits *schema*."""
    import jsonschema

    cls = jsonschema.Draft202012Validator
    cls.check_schema(schema)
    return cls(schema, format_checker=cls.FORMAT_CHECKER).is_valid


def rows_of(peer: Peer, rows: Any) -> list[Any]:
    """Return *rows* that are compared, with what the host supplies marked as *peer* does."""
    out = []
    for row in rows:
        if row.noun in LEFT_OUT:
            continue
        if row.noun in (MARKER, TYPE, NAME) and peer.name != "typesig":
            row = _supplied(peer, row)
        elif peer.name != "typesig" and _ours(row):
            row = None
        out.append(row)
    return out


def _ours(row: Any) -> bool:
    """Tell whether *row* is of no other tool: it gives by name, or is a tool of typesig already."""
    from typesig import Tool

    return bool(getattr(row, "given", None)) or isinstance(getattr(row, "target", None), Tool)


def _supplied(peer: Peer, row: Any) -> Any:
    from tests.type_table.rows import keep

    make = peer.injected.get(row.noun)
    if make is None:
        return row._replace(target=None)
    takes = (({"value": 1}, (1, True)), ({"value": 2}, (2, True)))
    return row._replace(target=make(keep), takes=takes, texts={})


# parameters


def judged_params(peer: Peer, row: Any) -> dict[str, Any]:
    """Return what became of the parameters of *row*: a mark, why, and what was received."""
    if row.target is None:
        return {"mark": "none", "why": "it has no means for this", "received": "", "right": False}
    try:
        made = peer.make(row.target, row)
        fits = judge_of(made.schema)
    except Exception as error:
        return _failed(error)
    tried = [(form, *_sendable(peer, row, form, fits)) for form in _forms(made, row)]
    form, sendable, narrow = min(tried, key=lambda each: len(each[2]) > 0)
    received, right = _taken(row, made, sendable)
    wide = [
        arguments
        for arguments in row.refuses
        if fits(form(arguments)) and not _right_there(peer, row, arguments)
    ]
    why = [f"refuses {value!r}" for value in narrow] + [f"accepts {value!r}" for value in wide]
    mark = "both" if narrow and wide else "narrow" if narrow else "wide" if wide else "yes"
    if mark == "yes" and row.noun in HIDDEN and row.shows is not None:
        names = tuple(made.schema.get("properties", {}))
        if names != row.shows:
            mark, why = "shown", [f"shows {names}"]
    if mark == "yes" and (missing := _missing_texts(made, row)):
        mark, why = "text", missing
    return {"mark": mark, "why": "; ".join(why)[:400], "received": received, "right": right}


def _failed(error: Exception) -> dict[str, Any]:
    lines = str(error).strip().splitlines() or [""]
    why = f"{type(error).__name__}: {lines[0]}"[:300]
    return {"mark": "error", "why": why, "received": "", "right": False}


Form = Callable[[Any], Any]


def _forms(made: Made, row: Any) -> list[Form]:
    """Return ways to send arguments: as the row has them, and others that the schema may have."""
    try:
        params = list(inspect.signature(row.target).parameters.values())
    except (TypeError, ValueError):
        params = []
    names = {param.name for param in params}
    rest = [param.name for param in params if param.kind is param.VAR_KEYWORD]

    def whole(arguments: Any) -> Any:
        if made.whole is None or not isinstance(arguments, dict):
            return arguments
        return arguments.get(made.whole, arguments)

    def below(arguments: Any) -> Any:
        named = {name: value for name, value in arguments.items() if name in names}
        return {**named, rest[0]: {k: v for k, v in arguments.items() if k not in names}}

    def listed(arguments: Any) -> Any:
        out: list[Any] = []
        for place, param in enumerate(params):
            if param.name in arguments:
                value = arguments[param.name]
                whole_list = param.kind is param.VAR_POSITIONAL and isinstance(value, list)
                out.extend(value if whole_list else [value])
                if len(out) <= place or (param.kind is param.VAR_POSITIONAL and not whole_list):
                    # A place before it is left out, or it is no list: this has no such form.
                    return arguments
        return out

    by_place = made.schema.get("type") == "array"
    return [whole, *([below] if rest else []), *([listed] if by_place else [])]


def _sendable(peer: Peer, row: Any, form: Form, fits: Any) -> tuple[list[Any], list[Any]]:
    """Return what is sent for each value to accept, and those that the schema refuses."""
    sendable, narrow = [], []
    for arguments, expected in row.takes:
        sent = form(arguments)
        if row.noun in SPELLED or not fits(sent):
            again = _spelled(peer, row, arguments, expected)
            if again is not None and fits(form(again)):
                sent = form(again)
        if not fits(sent):
            narrow.append(arguments)
        sendable.append(sent)
    return sendable, narrow


def _taken(row: Any, made: Made, sendable: list[Any]) -> tuple[str, bool]:
    """Return what one call received, a wrong one if there is one, and whether all were right."""
    from tests.type_table.rows import taken_out

    shown, wrong = "", ""
    for (_, expected), sent in zip(row.takes, sendable, strict=True):
        taken_out()
        # What the function does with it, and what becomes of its result, is not judged here.
        with contextlib.suppress(Exception):
            made.call(sent)
        got = taken_out()
        said = _name(got[0]) if got else "refused"
        shown = shown or said
        if not got or not _same(expected, got[0], row.hint):
            wrong = wrong or said
    return wrong or shown, not wrong


def _same(expected: Any, got: Any, hint: Any) -> bool:
    """Tell whether *got* is what the row expects, or as good an object of an abstract class."""
    from tests.type_table.rows import Like, _is

    if isinstance(expected, Like):
        return expected.test(got)
    if _is(_sorted(expected), _sorted(got)):
        return True
    origin = typing.get_origin(hint)
    if not inspect.isabstract(origin) or not isinstance(got, origin):
        return False
    return bool(
        got == expected or ((iter(got) is got or origin is Iterable) and [*got] == expected)
    )


def _sorted(value: Any) -> Any:
    """Return *value* with its keys in order: a tool may keep that of the fields."""
    if type(value) is dict:
        keys = sorted(value, key=repr)
        return {key: _sorted(value[key]) for key in keys}
    if type(value) in (list, tuple):
        return type(value)(map(_sorted, value))
    return value


def _spelled(peer: Peer, row: Any, arguments: Any, expected: Any) -> Any:
    """Return *arguments* as *peer* itself writes the objects of what is *expected*, or None."""
    from tests.type_table.rows import Like

    if isinstance(expected, Like) or peer.name == "typesig":
        return None
    try:
        if not _no_hint(row):
            return {"value": peer.spelled(row.hint, expected)}
        names = list(inspect.signature(row.target).parameters)
        values = dict(zip(names, expected if len(names) > 1 else (expected,), strict=True))
        hints = typing.get_type_hints(row.target, include_extras=True)
        return {name: peer.spelled(hints[name], values[name]) for name in arguments}
    except Exception:
        return None


def _no_hint(row: Any) -> bool:
    """Tell whether the function of *row* has more than one hint of its own."""
    from tests.type_table import rows

    return row.hint is None or row.hint is getattr(rows, "NO_HINT", None)


def _right_there(peer: Peer, row: Any, arguments: Any) -> bool:
    """Tell whether *arguments* are how *peer* itself spells what it reads from them."""
    if row.noun not in SPELLED or _no_hint(row) or peer.name == "typesig":
        return False
    try:
        value = arguments["value"]
        again = peer.spelled(row.hint, peer.read(row.hint, value))
    except Exception:
        return False
    return json.dumps(again) == json.dumps(value)


def _missing_texts(made: Made, row: Any) -> list[str]:
    from tests.type_table.rows import _description

    found = []
    for path, text in row.texts.items():
        if text is None or (not path and made.description is None):
            continue
        steps = path.removeprefix(f"{made.whole}.").split(".") if path else []
        told = _description(made.schema, steps) if path else made.description
        if _folded(text) not in _folded(told or ""):
            found.append(f"{path or 'the function'} is described as {told!r}")
    return found


def _folded(text: str) -> str:
    return " ".join(text.split())


def _name(value: Any) -> str:
    """Return the class of *value*, and those of what it holds in a tuple."""
    if type(value) is tuple and len(value) <= 4:
        return f"({', '.join(map(_name, value))})"
    if value is None:
        return "None"
    return type(value).__name__


# results


def judged_result(peer: Peer, row: Any) -> dict[str, Any]:
    """Return what became of the result of *row*, and what the first good one was written as."""
    nothing = {"mark": "no schema", "why": "", "received": "", "right": False}
    if not peer.outputs:
        return nothing
    narrow: list[Any] = []
    good: list[Any] = []
    for value, _ in row.gives:
        try:
            made = peer.make(row.make(value), row)
            if made.output is None:
                return nothing
            fits = judge_of(made.output)
        except Exception as error:
            return _failed(error)
        try:
            plain = made.returned()
            json.dumps(plain, allow_nan=False)
        except Exception as error:
            narrow.append(f"{value!r}: {_failed(error)['why']}")
            continue
        good.append(plain["result"] if made.wrapped else plain)
        if not fits(plain):
            narrow.append(f"{value!r} as {plain!r}")
    try:
        wide = [value for value in row.refuses if not _bad_is_refused(peer, row, value, good)]
    except Exception as error:
        return _failed(error)
    why = [f"refuses {text}" for text in narrow] + [f"accepts {value!r}" for value in wide]
    mark = "both" if narrow and wide else "narrow" if narrow else "wide" if wide else "yes"
    texts = [json.dumps(plain, ensure_ascii=False) for plain in good]
    # An empty list shows little.
    shown = next((text for text in texts if len(text) > 2), texts[0] if texts else "")
    return {"mark": mark, "why": "; ".join(why)[:400], "received": shown, "right": not narrow}


def _bad_is_refused(peer: Peer, row: Any, value: Any, good: list[Any]) -> bool:
    from tests.type_table.rows import Fresh

    made = peer.make(row.make(value), row)
    try:
        plain = peer.plain(value.make() if isinstance(value, Fresh) else value)
        json.dumps(plain, allow_nan=False)
    except Exception:
        # JSON cannot say it, so that no schema can judge it.
        try:
            json.dumps(made.returned(), allow_nan=False)
        except Exception:
            return True
        return False
    sent = {"result": plain} if made.wrapped else plain
    if made.output is not None and not judge_of(made.output)(sent):
        return True
    return plain in good or _right_there(peer, row, {"value": plain}) or _lacks(peer, row, plain)


def _lacks(peer: Peer, row: Any, plain: Any) -> bool:
    """Tell whether *plain* is a record that lacks only what has a default."""
    if _no_hint(row) or peer.name == "typesig" or not isinstance(plain, dict | list):
        return False
    try:
        whole = peer.spelled(row.hint, peer.read(row.hint, plain))
    except Exception:
        return False
    if isinstance(plain, dict) and isinstance(whole, dict):
        return len(whole) > len(plain) and {**whole, **plain} == whole
    return isinstance(whole, list) and len(whole) > len(plain) and whole[: len(plain)] == plain
