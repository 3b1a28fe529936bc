"""Arguments of a call that Gemini streams in parts: each part has a path and a value."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeAlias

from typesig.algebra.rows.builtin import as_builtin
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_VALUE_DEPTH
from typesig.providers.registry.calls import TextPieces, as_items, get_member
from typesig.sentinels import ABSENT

#: The name of a member, or the index of an item.
Step: TypeAlias = str | int

#: The members of a part of an answer, of a call, and of one of its values, in both spellings.
CALL = ("function_call", "functionCall")
PARTS = ("partial_args", "partialArgs")
GOES_ON = ("will_continue", "willContinue")
_PATH = ("json_path", "jsonPath")
_NULL = ("null_value", "nullValue")
_VALUES: Mapping[tuple[str, str], tuple[type, ...]] = {
    ("string_value", "stringValue"): (str,),
    ("number_value", "numberValue"): (int, float),
    ("bool_value", "boolValue"): (bool,),
    _NULL: (str,),
}

#: One step of a path: a name behind a dot, an index, or a name in quotes.
_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]'"*\s]+)|\[(?P<index>[0-9]{1,9})\]"""
    r"""|\[(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\]"""
)


class StreamedCall:
    """A tool call of Gemini whose arguments arrive in parts.

    While more is expected, the call says that it will continue, so that it is not run.

    #: part: the part of the answer that has the call
    #: call: what has arrived; its texts are `TextPieces`
    #: _growing: the paths of the values that go on
    """

    __slots__ = ("_growing", "call", "part")

    def __init__(self, part: dict[str, Any], call: dict[str, Any]) -> None:
        """Begin with *part* and its *call*, which become the whole of them."""
        first = dict(call)
        call.clear()
        self.part, self.call = part, call
        self._growing = set[tuple[Step, ...]]()
        self.add({}, first)

    def accepts_part(self, more: Mapping[str, Any]) -> bool:
        """Whether *more* continues this call and is not a call of its own."""
        if not any(more.values()):
            # The end of a call, which may have ended before.
            return True
        same = [more.get(key) in (None, "", self.call.get(key)) for key in ("name", "id")]
        return all(same) and bool(get_member(self.call, *GOES_ON))

    def add(self, part: Mapping[str, Any], more: Mapping[str, Any]) -> None:
        """Add *more*, a piece of the call, and *part*, the answer part around it."""
        self.part |= {k: v for k, v in part.items() if k not in CALL and v is not None}
        arguments = self.call.setdefault("args", {})
        for key, value in more.items():
            if key == "args":
                if not isinstance(value, dict | None):
                    raise _make_path_error("$", "it is not an object")
                arguments |= value or {}
            elif key not in (*PARTS, *GOES_ON) and value not in (None, ""):
                self.call[key] = value
        for part in as_items(get_member(more, *PARTS)):
            self._put_part(arguments, part)
        self.call.pop(GOES_ON[0], None)
        if self._growing or get_member(more, *GOES_ON):
            self.call[GOES_ON[0]] = True

    def _put_part(self, arguments: dict[str, Any], part: object) -> None:
        """Put the value of *part* at its path, or append it to the text there."""
        text = get_member(part, *_PATH)
        goes_on = bool(get_member(part, *GOES_ON))
        path = _parse_path(text)
        within: Any = arguments
        for step, following in pairwise(path):
            inner = _get_at(within, step, text)
            if inner is ABSENT:
                inner = _set_at(within, step, [] if isinstance(following, int) else {})
            within = inner
        old, new = _get_at(within, path[-1], text), _read_value(part, text, goes_on)
        if old is ABSENT:
            if new is ABSENT:
                raise _make_path_error(text, "it has no value")
            _set_at(within, path[-1], TextPieces([new]) if isinstance(new, str) else new)
        elif isinstance(old, TextPieces) and isinstance(new, str):
            if new and path not in self._growing:
                raise _make_path_error(text, "it goes on after its end")
            old.append(new)
        elif new is not ABSENT:
            raise _make_path_error(text, "it has another value already")
        (self._growing.add if goes_on else self._growing.discard)(path)


def is_call_part(call: object) -> bool:
    """Whether *call* is an incomplete piece of a streamed call."""
    return bool(get_member(call, *GOES_ON)) or bool(get_member(call, *PARTS))


def _parse_path(path: object) -> tuple[Step, ...]:
    """Parse *path*, a JSON Path to one value, into steps."""
    steps: list[Step] = []
    if not isinstance(path, str) or not path.startswith("$") or len(path) == 1:
        raise _make_path_error(path, _NO_PATH)
    at = 1
    while at < len(path):
        found = _STEP.match(path, at)
        if found is None:
            raise _make_path_error(path, _NO_PATH)
        if len(steps) == MAX_VALUE_DEPTH:
            raise _make_path_error(path, f"it has more than {MAX_VALUE_DEPTH} steps")
        name, index, quoted = found.groups()
        steps.append(int(index) if index else name or _parse_quoted(quoted, path))
        at = found.end()
    return tuple(steps)


_NO_PATH = "it is not a path of names and indices, such as $.NAME[INDEX].NAME"


def _parse_quoted(quoted: str, path: str) -> str:
    """Parse the *quoted* key in a JSON *path*, in single or double quotes."""
    if quoted[0] == "'":
        inner = re.sub(r'\\.|"', lambda m: _IN_QUOTES.get(m[0], m[0]), quoted[1:-1])
        quoted = f'"{inner}"'
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        raise _make_path_error(path, _NO_PATH) from None


#: What JSON writes in its own quotes otherwise than a path in single quotes.
_IN_QUOTES: Mapping[str, str] = {"\\'": "'", '"': '\\"'}


def _get_at(within: Any, step: Step, path: str) -> Any:
    """Value in *within* at *step*, or `ABSENT`."""
    if type(within) is dict and isinstance(step, str):
        return within.get(step, ABSENT)
    if type(within) is not list or not isinstance(step, int):
        raise _make_path_error(path, "it leads through a value of another kind")
    if step > len(within):
        raise _make_path_error(path, "its index is beyond the end of the list")
    return within[step] if step < len(within) else ABSENT


def _set_at(within: Any, step: Step, value: Any) -> Any:
    """Put *value* in *within* at *step*, where there is nothing, and return it."""
    if isinstance(step, int):
        within.append(value)
    else:
        within[step] = value
    return value


def _read_value(part: object, path: str, goes_on: bool) -> Any:
    """Read the value of the argument piece *part*, or `ABSENT` if it has none."""
    found = [
        (names, kinds, value)
        for names, kinds in _VALUES.items()
        if (value := get_member(part, *names)) is not None
    ]
    if not found:
        # JSON writes the value of a null as null.
        has_null = isinstance(part, dict) and any(name in part for name in _NULL)
        return None if has_null and not goes_on else ABSENT
    names, kinds, value = found[0]
    if len(found) > 1 or type(value) not in kinds:
        raise _make_path_error(path, "its value has no known form")
    return None if names is _NULL else value


def _make_path_error(path: object, why: str) -> TypesigError:
    """Make the error for a streamed argument whose *path* cannot be applied."""
    return TypesigError(
        f"the stream has an argument that cannot be placed, {format_value(path)}: {why}; no "
        "tool was run: "
        "ask the model again"
    )


#: The integers that a float holds exactly.
_EXACT = 2**53


def use_integers(data: Any) -> Any:
    """Convert the whole numbers in *data* to integers: the API has only floats.

    What nests deeper than a check takes stays as it is, and so does data without any.
    """
    try:
        return _replace_whole_floats(data, 0)
    except _OtherClassError:
        return _replace_whole_floats(as_builtin(data), 0, is_exact=True)


def _replace_whole_floats(data: Any, depth: int, is_exact: bool = False) -> Any:
    """Replace the whole floats in *data*; raise if a part is of another class than JSON has.

    With *is_exact*, such a part stays as it is.
    """
    cls = type(data)
    if cls is float:
        return int(data) if abs(data) <= _EXACT and data.is_integer() else data
    if cls in _SCALARS or depth > MAX_VALUE_DEPTH:
        return data
    if cls is not dict and cls is not list:
        if is_exact:
            return data
        raise _OtherClassError
    made = data
    for key, item in data.items() if cls is dict else enumerate(data):
        if cls is dict and type(key) is not str and not is_exact:
            raise _OtherClassError
        if type(item) in _SCALARS:
            continue
        new = _replace_whole_floats(item, depth + 1, is_exact)
        if new is not item:
            made = data.copy() if made is data else made
            made[key] = new
    return made


#: The classes of data that has no parts and stays as it is.
_SCALARS = frozenset({str, int, bool, type(None)})


class _OtherClassError(Exception):
    """A part is of a subclass, which is converted first."""
