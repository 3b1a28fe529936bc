"""How a row of the type table is judged, in the same way for every tool: by its schema.

`jsonschema` judges, asserting only the formats of JSON Schema.  A parameter passes if the schema
accepts every value that the row accepts and rejects every value that the row rejects; texts of the
row must also be in the schema, except for white space.  A result passes if the output schema
accepts the JSON that the tool writes for each right result and rejects that of each wrong one; a
wrong result that JSON cannot express must be refused by the call.

Tools may differ in these points:

- A tool may write a value in its own form, such as a NamedTuple as an array or bytes as text.  A
  value to accept counts as accepted if the schema accepts the form of the row, or the form in which
  the tool itself writes the object that the function should receive.
- A value to reject is therefore skipped if it is a form of the tool for another value: the tool
  reads it and writes the same again.  This applies only to the features in `SPELLED`, which have
  several forms; an `int` has only one.
- A tool may take the value of a single record parameter as the whole arguments object, `**kwargs`
  as an object below their name, or a list of positional arguments.  A row is judged in the first of
  these forms in which the schema accepts all values that it should.
- A function that asks for an abstract class may receive any equal object of that class.
- A wrong result is skipped if it is a form of the tool for a right one, or lacks only fields that
  have a default.
- Values that the host supplies are marked in the way of each tool (`peer_adapters`).  A tool
  without such a way fails.
- Names are judged only where a model must not see one.

`LEFT_OUT` lists features that are options or reports of typesig only, or that no schema can show.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import typing
from collections.abc import Callable, Iterable
from typing import Any

from peer_adapters import MARKER, NAME, TYPE, Made, Peer

#: The reasons why some features are not compared.
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
#: Features whose values have no form in JSON, so that each tool chooses one.
SPELLED = {
    *("bytes", "Decimal", "timedelta", "complex", "Fraction", "Pattern", "Path", "type[X]"),
    *("Flag", "IntFlag", "enums with unusual values", "mixed Literal", "other keys", "NamedTuple"),
    *("UUID", "IP addresses", "datetime", "date", "time", "Iterable of pairs"),
}
#: Features in which a name must not be shown.
HIDDEN = {
    *(MARKER, TYPE, NAME, "Callable (optional ones)", "functions"),
    *("optional parameters without a JSON form", "methods below decorators"),
    *("overloads with a hinted self", "singledispatchmethod"),
}

#: The verdicts on a row, the worst first.
MARKS = ("crash", "error", "none", "no schema", "both", "wide", "narrow", "shown", "text", "yes")


def judge_of(schema: Any) -> Any:
    """Return a function that tells whether a value conforms to *schema*."""
    import jsonschema

    cls = jsonschema.Draft202012Validator
    cls.check_schema(schema)
    return cls(schema, format_checker=cls.FORMAT_CHECKER).is_valid


def rows_of(peer: Peer, rows: Any) -> list[Any]:
    """Return the *rows* that are compared, with injected values marked in the way of *peer*."""
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
    """Tell whether *row* is for typesig only: it injects by name, or is already a tool."""
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
    """Return the verdict on the parameters of *row*: a mark, the reason, the received values."""
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
    """Return forms of the arguments: that of the row, and others that the schema may have."""
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
                    # An earlier argument is omitted, or the value is not a list.
                    return arguments
        return out

    by_place = made.schema.get("type") == "array"
    return [whole, *([below] if rest else []), *([listed] if by_place else [])]


def _sendable(peer: Peer, row: Any, form: Form, fits: Any) -> tuple[list[Any], list[Any]]:
    """Return the arguments for each value to accept, and those that the schema rejects."""
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
    """Return the arguments of one call, a wrong one if possible, and whether all were right."""
    from tests.type_table.rows import taken_out

    shown, wrong = "", ""
    for (_, expected), sent in zip(row.takes, sendable, strict=True):
        taken_out()
        # The body of the function and its result are not judged here.
        with contextlib.suppress(Exception):
            made.call(sent)
        got = taken_out()
        said = _name(got[0]) if got else "refused"
        shown = shown or said
        if not got or not _same(expected, got[0], row.hint):
            wrong = wrong or said
    return wrong or shown, not wrong


def _same(expected: Any, got: Any, hint: Any) -> bool:
    """Tell whether *got* equals the expected object, or an equal one of an abstract class."""
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
    """Return *value* with sorted keys, since a tool may use the order of the fields."""
    if type(value) is dict:
        keys = sorted(value, key=repr)
        return {key: _sorted(value[key]) for key in keys}
    if type(value) in (list, tuple):
        return type(value)(map(_sorted, value))
    return value


def _spelled(peer: Peer, row: Any, arguments: Any, expected: Any) -> Any:
    """Return *arguments* as *peer* itself writes the *expected* objects, or None."""
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
    """Tell whether *peer* reads *arguments* and writes the same again."""
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
    """Return the class name of *value*, and those of the items of a tuple."""
    if type(value) is tuple and len(value) <= 4:
        return f"({', '.join(map(_name, value))})"
    if value is None:
        return "None"
    return type(value).__name__


# results


def judged_result(peer: Peer, row: Any) -> dict[str, Any]:
    """Return the verdict on the result of *row*, and the JSON of the first right one."""
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
    # An empty list proves little.
    shown = next((text for text in texts if len(text) > 2), texts[0] if texts else "")
    return {"mark": mark, "why": "; ".join(why)[:400], "received": shown, "right": not narrow}


def _bad_is_refused(peer: Peer, row: Any, value: Any, good: list[Any]) -> bool:
    from tests.type_table.rows import Fresh

    made = peer.make(row.make(value), row)
    try:
        plain = peer.plain(value.make() if isinstance(value, Fresh) else value)
        json.dumps(plain, allow_nan=False)
    except Exception:
        # JSON cannot express it, so no schema can judge it.
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
    """Tell whether *plain* is a record that lacks only fields with a default."""
    if _no_hint(row) or peer.name == "typesig" or not isinstance(plain, dict | list):
        return False
    try:
        whole = peer.spelled(row.hint, peer.read(row.hint, plain))
    except Exception:
        return False
    if isinstance(plain, dict) and isinstance(whole, dict):
        return len(whole) > len(plain) and {**whole, **plain} == whole
    return isinstance(whole, list) and len(whole) > len(plain) and whole[: len(plain)] == plain
