"""YAML parser for JSON-compatible data.

The library for YAML splits the text into events; what they mean is decided here.  So a text that
nests deep, has an alias within itself, or a tag of Python is refused before anything is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from typesig.errors import TooDeep, TooLarge, TypesigError, format_value
from typesig.lazy_imports import import_extra
from typesig.limits import MAX_DIGITS, MAX_VALUE_DEPTH
from typesig.limits.network import MAX_DOCUMENT_VALUES
from typesig.validation.json_text import BadJson, parse_float, parse_int

_TAG = "tag:yaml.org,2002:"

_NULLS = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_BOOLS = {
    word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")
}
_INT = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_SURROGATE = re.compile(r"[\ud800-\udfff]")

_DEEP = f"the document nests deeper than {MAX_VALUE_DEPTH}"

#: How far a key may reach in YAML (7.4.2), in characters.
_AHEAD = 1_000

#: Stands for a list or a map that has not ended, and for a scalar that its tag cannot have.
_NO_DATA = object()

#: Stands for the key `<<`, whose value is merged into the map.
_MERGE = object()


def read_yaml(text: str) -> Any:
    """Return the data of the YAML *text*, with the words of YAML 1.2 (10.3.2); keys are texts.

    Other words, `no`, `1_000` and dates among them, are texts.  Raises `TypesigError`, with the
    place, for what is not YAML, and for what JSON has no form for.
    """
    yaml = import_extra("yaml", "openapi", "a document in YAML")
    half = _SURROGATE.search(text)
    if half is not None:
        # The part in C would encode it.
        at = half.start()
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        what = f"the document is not YAML: U+{ord(half[0]):04X} is half of a character"
        raise TypesigError(f"{what}, at line {line} column {column}")
    reading = _EventReader(yaml)
    try:
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            reading.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        if mark is not None and _is_too_deep(text, mark.index):
            raise TooDeep(_DEEP) from None
        why = getattr(error, "problem", None) or error
        raise _make_error(f"the document is not YAML: {' '.join(str(why).split())}", mark) from None
    return reading.whole


def _is_too_deep(text: str, end: int) -> bool:
    """Whether *text* up to *end* nests collections deeper than the limit.

    The part in C stops at a depth of its own.  It looks a thousand characters ahead, so that it may
    do so before it has told of those that are open.
    """
    ahead = text[max(end - _AHEAD, 0) : end]
    return ahead.count("[") + ahead.count("{") > _AHEAD - MAX_VALUE_DEPTH


def _make_error(text: str, mark: Any) -> TypesigError:
    """Build an error of *text* with the line and column of the YAML *mark*, if any."""
    at = "" if mark is None else f", at line {mark.line + 1} column {mark.column + 1}"
    return TypesigError(text + at)


class _OpenCollection:
    """A list or map that is not complete yet.

    #: key: that of the value which is read next; None where a key is, or an item of a list
    #: merged: the maps whose keys it takes
    """

    __slots__ = ("anchor", "data", "key", "merged")

    def __init__(self, data: list[Any] | dict[str, Any], anchor: str | None) -> None:
        self.data = data
        self.anchor = anchor
        self.key: object = None
        self.merged: list[Any] = []


class _EventReader:
    """Builds data from the events of a YAML text.

    #: whole: the data of the document
    """

    def __init__(self, yaml: Any) -> None:
        self.whole: Any = None
        self._open: list[_OpenCollection] = []
        self._anchors: dict[str, Any] = {}
        self._documents = 0
        self._merged = 0
        self._takers: dict[type, Callable[[Any], None]] = {
            yaml.AliasEvent: self._add_alias,
            yaml.DocumentStartEvent: self._start_document,
            yaml.MappingEndEvent: self._end,
            yaml.MappingStartEvent: lambda event: self._begin(event, {}, "map"),
            yaml.ScalarEvent: self._add_scalar,
            yaml.SequenceEndEvent: self._end,
            yaml.SequenceStartEvent: lambda event: self._begin(event, [], "seq"),
        }
        self._passed = (yaml.StreamStartEvent, yaml.StreamEndEvent, yaml.DocumentEndEvent)

    def take(self, event: Any) -> None:
        """Process *event* of the YAML parser."""
        if not isinstance(event, self._passed):
            self._takers[type(event)](event)

    def _start_document(self, event: Any) -> None:
        """Count a document; raise if the text has more than a single document."""
        self._documents += 1
        if self._documents > 1:
            raise _make_error("the text has several documents of YAML", event.start_mark)

    def _begin(self, event: Any, data: list[Any] | dict[str, Any], tag: str) -> None:
        """Open a collection with the empty *data*, expecting the YAML *tag* or none."""
        if event.tag not in (None, "!", _TAG + tag):
            raise _make_error(f"the tag {format_value(event.tag)} is not read", event.start_mark)
        if self._is_at_key():
            raise _make_error("a key is a text, not a list or a map", event.start_mark)
        if len(self._open) >= MAX_VALUE_DEPTH:
            raise TooDeep(_DEEP)
        if event.anchor is not None:
            self._anchors[event.anchor] = _NO_DATA
        self._open.append(_OpenCollection(data, event.anchor))

    def _end(self, event: Any) -> None:
        """Close the innermost collection, apply its merge keys and add it to its parent."""
        ended = self._open.pop()
        data: Any = ended.data
        if ended.merged:
            self._merged += sum(map(len, ended.merged))
            if self._merged > MAX_DOCUMENT_VALUES:
                raise TooLarge(f"the document merges more than {MAX_DOCUMENT_VALUES} values")
            data = {}
            # The first of several has the last word, but for the map itself.
            for each in (*reversed(ended.merged), ended.data):
                data.update(each)
        self._add(data, ended.anchor, event)

    def _add_alias(self, event: Any) -> None:
        """Add the data of an anchor as a value, or as a key if it is text."""
        name = format_value(event.anchor)
        if event.anchor not in self._anchors:
            raise _make_error(f"there is no anchor {name}", event.start_mark)
        data = self._anchors[event.anchor]
        if data is _NO_DATA:
            raise _make_error(f"what the alias {name} stands for is not complete", event.start_mark)
        if not self._is_at_key():
            self._add(data, None, event)
        elif isinstance(data, str):
            self._set_key(data, event)
        else:
            raise _make_error(f"a key is a text, which the alias {name} is not", event.start_mark)

    def _add_scalar(self, event: Any) -> None:
        """Add the parsed scalar of *event* as a value, or its text as a key."""
        is_plain = event.tag is None and event.implicit[0]
        if self._is_at_key():
            if event.anchor is not None:
                self._anchors[event.anchor] = event.value
            if is_plain and event.value == "<<":
                self._open[-1].key = _MERGE
            else:
                self._set_key(event.value, event)
            return
        try:
            data = (
                _parse_plain_scalar(event.value)
                if is_plain
                else _parse_tagged_scalar(event.value, event.tag)
            )
        except BadJson as error:
            raise _make_error(f"the document is {error}", event.start_mark) from None
        if data is _NO_DATA:
            what = f"the tag {format_value(event.tag)} is not read here"
            raise _make_error(what, event.start_mark)
        self._add(data, event.anchor, event)

    def _is_at_key(self) -> bool:
        """Whether the next event is a key of the innermost map."""
        if not self._open:
            return False
        return isinstance(self._open[-1].data, dict) and self._open[-1].key is None

    def _set_key(self, key: str, event: Any) -> None:
        """Set *key* for the next value of the innermost map; raise on a duplicate."""
        if key in self._open[-1].data:
            raise _make_error(f"the key {format_value(key)} occurs twice", event.start_mark)
        self._open[-1].key = key

    def _add(self, data: Any, anchor: str | None, event: Any) -> None:
        """Add *data* to the innermost collection and remember it under *anchor*."""
        if anchor is not None:
            self._anchors[anchor] = data
        if not self._open:
            self.whole = data
            return
        place = self._open[-1]
        if isinstance(place.data, list):
            place.data.append(data)
        elif place.key is _MERGE:
            maps = data if isinstance(data, list) else [data]
            if not all(isinstance(each, dict) for each in maps):
                raise _make_error("<< merges a map, or a list of maps", event.start_mark)
            place.merged += maps
        else:
            place.data[str(place.key)] = data
        place.key = None


def _parse_plain_scalar(text: str) -> Any:
    """Value of *text*, a scalar without quotes and tags."""
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return parse_int(text)
    if _OTHER_BASE.fullmatch(text):
        # A text that is too long is refused by its length.
        return parse_int(str(int(text, 0)) if len(text) <= MAX_DIGITS else text)
    if _NO_NUMBER.fullmatch(text):
        raise BadJson(f"not readable: JSON has no form for {text}")
    return parse_float(text) if _FLOAT.fullmatch(text) else text


def _parse_tagged_scalar(text: str, tag: str | None) -> Any:
    """Value of *text* in quotes or with *tag*; `_NO_DATA` if JSON has no such type."""
    if tag in (None, "!", f"{_TAG}str"):
        return text
    data = _parse_plain_scalar(text)
    if tag == f"{_TAG}float" and type(data) is int:
        return parse_float(text)
    return data if tag == _TAG + _KINDS.get(type(data), "") else _NO_DATA


_KINDS: dict[type, str] = {type(None): "null", bool: "bool", int: "int", float: "float"}
