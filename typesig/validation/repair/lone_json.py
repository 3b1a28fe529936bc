"""Texts with one JSON value in them: where the value stands, without a search."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import List, Record, Set, Type
from typesig.algebra.rows.names import fold_name
from typesig.algebra.traversal import iter_same_value_types
from typesig.limits import MAX_JSON, MAX_VALUE_DEPTH
from typesig.validation.issues.issues import Issue
from typesig.validation.policy import REPAIRS, RepairId
from typesig.validation.repair.framing import (
    BEFORE,
    BLANK,
    CLOSED_THOUGHT,
    CLOSING,
    JSON_BEGINS,
    KEY_BEFORE,
    MARK,
    NO_VALUE,
    REMARKS,
    THOUGHT,
    is_denial,
)
from typesig.validation.repair.lenient_json import FENCE, PARENTHESES
from typesig.validation.repair.lenient_text import QUOTES
from typesig.validation.tables import Tables

# --- What a type wants of a text in which its value is searched for ---


class TargetTypes(NamedTuple):
    """The types that the value of a text may have, with references resolved."""

    types: tuple[nodes.Type, ...]
    names: Mapping[str, nodes.Type]

    @property
    def text(self) -> bool:
        """Whether any string is a valid value."""
        return nodes.STRING in self.types

    @property
    def lists(self) -> bool:
        """Whether a list is a valid value."""
        return any(
            isinstance(t, nodes.List | nodes.Set | nodes.Tuple | nodes.ItemCount)
            for t in self.types
        )

    def get_tables(self) -> Tables:
        """Return the tables that the types allow: lists of records, or fields of such."""
        lists: dict[str, frozenset[str]] = {}
        for f in self._get_declared_fields():
            columns = find_target_types(f.type, self.names)._get_columns()
            if columns:
                lists[f.name] = columns
        return Tables(self._get_columns(), lists)

    def _get_columns(self) -> frozenset[str]:
        """Return the field names of the records in lists of the types."""
        lists = [t for t in self.types if isinstance(t, nodes.List | nodes.Set)]
        return frozenset(
            [
                f.name
                for t in lists
                for f in find_target_types(t.item, self.names)._get_declared_fields()
            ]
        )

    def _get_declared_fields(self) -> list[nodes.Field]:
        """Get the fields of all record types, except firewalled fields."""
        records = [t for t in self.types if isinstance(t, nodes.Record)]
        return [f for t in records for f in t.fields if not f.firewalled]

    def has_known_key(self, data: Any) -> bool:
        """Whether the map *data* has a declared key, if only records accept maps."""
        if isinstance(data, list) and data:
            lists = [t for t in self.types if isinstance(t, nodes.List | nodes.Set)]
            inner = [find_target_types(t.item, self.names) for t in lists]
            return not inner or any(each.has_known_key(data[0]) for each in inner)
        records = [t for t in self.types if isinstance(t, nodes.Record)]
        if not isinstance(data, dict) or any(not t.fields for t in records):
            return True
        keys = {fold_name(str(key)).casefold() for key in data}
        declared = {fold_name(f.name).casefold() for t in records for f in t.fields}
        return not records or not keys.isdisjoint(declared)

    def is_full(self, data: Any) -> bool:
        """Whether *data* has all fields or items of the only type that accepts it."""
        if isinstance(data, list):
            [*tuples] = [t for t in self.types if _accepts_kind(t, list)]
            lone = tuples[0] if len(tuples) == 1 else None
            return (
                isinstance(lone, nodes.Tuple) and lone.rest is None and len(data) == len(lone.items)
            )
        records = [t for t in self.types if _accepts_kind(t, dict)]
        record = records[0] if len(records) == 1 else None
        if not isinstance(record, nodes.Record) or record.matching or not record.fields:
            return False
        keys = {fold_name(str(key)) for key in data}
        return record.extra in (None, nodes.ANY) and all(
            field.firewalled or field.key in keys for field in record.fields
        )

    def get_words(self) -> dict[str, Any]:
        """Return the booleans and enum strings of the types by lower-case word."""
        values: list[Any] = [True, False] if nodes.BOOL in self.types else []
        for t in self.types:
            if isinstance(t, nodes.Enum):
                values.extend(each.value for each in t.values if isinstance(each.value, str))
        out: dict[str, Any] = {}
        for value in values:
            word = str(value).casefold()
            # Two values that differ only in the case of letters are told apart by neither.
            out[word] = value if out.get(word, value) == value else None
        return {word: value for word, value in out.items() if value is not None}


def _accepts_kind(t: nodes.Type, kind: type) -> bool:
    """Whether *t* may accept values of *kind*, which is `list` or `dict`."""
    if isinstance(t, nodes.Scalar):
        return t == nodes.ANY or (t.name == "map" and kind is dict)
    if isinstance(t, nodes.Record | nodes.MapOf):
        return kind is dict
    if isinstance(t, nodes.Enum):
        return False
    return kind is list or isinstance(t, nodes.Not)


def find_target_types(t: nodes.Type, names: Mapping[str, nodes.Type]) -> TargetTypes:
    """Find the types that a value of *t* may have; *names* resolves references."""
    parts = iter_same_value_types(t, names)
    kinds = nodes.Leaf | nodes.Container | nodes.Not
    return TargetTypes(tuple([part for part in parts if isinstance(part, kinds)]), names)


# --- Texts with one JSON value in them: where the value stands, without a search ---
# Most answers that are not JSON alone are one list or object with a code fence, prose or reasoning
# around it.  `find_lone_json` tells where it begins and ends, and which repairs it takes; the text
# between is then read as JSON alone is.  It finds what `CandidateSearch` finds, or nothing: a text
# of any other form is left to the search, and so is one whose brackets hold no JSON.

#: What a text begins with that may be a value as a whole, or be wrapped in another way.
_VALUE_BEGINS = frozenset((*QUOTES, *"+-.")) - {"`"}

#: What stands behind a value that has an end: nothing, or no sign that it goes on.
_ENDED = re.compile(r"\s*+(?:\Z|[^\s,:\"/#…}\].]|\.(?!\.\.))")
#: Every mark has one of these.
_SIGN = re.compile(r"[<\[\]{}`~#/]")
_TICKS = re.compile(r"`++|~++")
_TICKS_BEGIN = frozenset("`~")
_ONLY_TICKS = re.compile(r"\s*+[`~]*+\s*+\Z")
#: The lists within each other in which names are looked for.
_MOST_LISTS = 3
_FIRST_KEY = re.compile(r'\[?\s*+\{\s*+"([^"\\]*+)"')


class LoneJson(NamedTuple):
    """A list or object that is the only value of a text.

    #: text: its JSON text; repairs: those that take it out of the text, by id, with their places
    #: says_more: whether there is prose that is no comment
    """

    text: str
    repairs: dict[RepairId, int]
    says_more: bool


class LoneTargets(NamedTuple):
    """What `TargetTypes` tells of the values of texts, once for each type.

    #: text: whether any string is a valid value; tables: those that a text may be
    #: keys, item_keys: one of them is in a value that is meant, or in its first item; None if any
    #:     value is
    """

    text: bool
    tables: Tables
    keys: frozenset[str] | None
    item_keys: frozenset[str] | None

    def may_take(self, lone: LoneJson, source: str) -> bool:
        """Whether *lone* is the value that is meant in *source*, and no other reading counts."""
        # The first line may be that of a table.
        head = source.strip("\r\n").partition("\n")[0]
        cell = head.partition(",")[0].removesuffix("\r")
        is_table = cell in self.tables.items or cell in self.tables.lists
        if is_table or (self.text and "prose" in lone.repairs):
            return False
        keys = self.keys if lone.text[0] == "{" else self.item_keys
        if not lone.says_more or keys is None:
            return True
        found = _FIRST_KEY.match(lone.text)
        return found is not None and found[1] in keys


@lru_cache(maxsize=256)
def get_lone_targets(t: Type, definitions: tuple[Definition, ...]) -> LoneTargets:
    """Return what is wanted of texts for *t*, whose references are to *definitions*; cached."""
    wanted = find_target_types(t, {each.name: each.type for each in definitions})
    keys, item_keys = _find_keys(wanted), _find_item_keys(wanted, _MOST_LISTS)
    return LoneTargets(wanted.text, wanted.get_tables(), keys, item_keys)


def _find_keys(wanted: TargetTypes) -> frozenset[str] | None:
    """Return the names of the fields of *wanted*, None if it may be a map without any."""
    records = [each for each in wanted.types if isinstance(each, Record)]
    if not all(each.fields for each in records) or not records:
        return None
    return frozenset(field.name for each in records for field in each.fields)


def _find_item_keys(wanted: TargetTypes, most: int) -> frozenset[str] | None:
    """Return the names of the fields of items of *wanted*, None if any item may be meant.

    *most* is the number of lists within each other that are looked into.
    """
    lists = [each for each in wanted.types if isinstance(each, List | Set)]
    keys: frozenset[str] = frozenset()
    for each in lists if most else ():
        item = find_target_types(each.item, wanted.names)
        found = _find_keys(item)
        if found is None and _find_item_keys(item, most - 1) is None:
            return None
        keys |= found or frozenset()
    return keys if lists else None


def find_lone_json(source: str) -> LoneJson | None:
    """Return the list or object in *source*, None if there may be other values or repairs.

    Its text is not read: it is the value if it is JSON.

    >>> find_lone_json('Here it is: {"a": 1}. Done.')
    LoneJson(text='{"a": 1}', repairs={'prose': 0}, says_more=True)
    >>> find_lone_json('{"a": 1} or [2]')
    """
    if len(source) > MAX_JSON or source.startswith("\ufeff"):
        return None
    repairs: dict[RepairId, int] = {}
    at = 0
    if _may_close_thought(source):
        first = THOUGHT.search(source)
        if first is not None and (first[1] or first[2]) and not JSON_BEGINS.match(source):
            # What came before belongs to the thoughts.
            repairs["reasoning"], at = 0, first.end()
    begin = BLANK.match(source, at).end()  # type: ignore[union-attr]  # may be empty
    char = source[begin : begin + 1]
    if (
        char in _VALUE_BEGINS
        or char.isdigit()
        or ("(" in source and PARENTHESES.match(source, begin))
    ):
        return None
    fence = FENCE.match(source, begin) if char in _TICKS_BEGIN else None
    if fence is not None and source[fence.end() : fence.end() + 1] in CLOSING:
        end = _find_end(source, fence.end())
        if _ONLY_TICKS.match(source, end):
            repairs["code_fence"] = begin
            return _make_lone(source, at, fence.end(), end, repairs, False)
    mark = _find_mark(source, at)
    if mark is not None and mark.lastgroup == "thought" and mark.start() == begin:
        closed = CLOSED_THOUGHT.search(source, mark.end())
        if closed is None:
            return None
        repairs.setdefault("reasoning", begin)
        at = closed.end()
        mark = _find_mark(source, at)
    return None if mark is None else _read_mark(source, at, mark, repairs)


def _may_close_thought(text: str) -> bool:
    """Whether there may be the end of reasoning in *text*."""
    # One character is found in a fraction of the time that two take.
    return "/" in text and ("</" in text or "[/" in text)


def _find_mark(source: str, at: int) -> re.Match[str] | None:
    """Return the first mark of *source* from *at* on, as `MARK.search` does."""
    sign = _SIGN.search(source, at)
    if sign is None:
        return None
    place = sign.start()
    if sign[0] in _TICKS_BEGIN:
        place = max(at, source.rfind("\n", 0, place) + 1)
    # Of the other signs, some are no marks, or the marks begin with the blanks before them.
    return MARK.match(source, place) or MARK.search(source, at)


def _read_mark(
    source: str, at: int, mark: re.Match[str], repairs: dict[RepairId, int]
) -> LoneJson | None:
    """Return the value that *mark* begins behind the prose from *at*, if it is the only one."""
    if mark.lastgroup == "open":
        start = mark.start()
        if not _is_value(source, at, start):
            return None
        end = rest = _find_end(source, start)
    elif mark.lastgroup == "fence":
        start = BLANK.match(source, mark.end()).end()  # type: ignore[union-attr]  # may be empty
        if source[start : start + 1] not in CLOSING:
            return None
        end = _find_end(source, start)
        found = _TICKS.match(source, BLANK.match(source, end).end())  # type: ignore[union-attr]
        if found is None or not found[0].startswith(mark["ticks"]):
            return None
        repairs["code_fence"], rest = mark.start(), found.end()
    else:
        return None
    if not _ENDED.match(source, end) or _find_mark(source, rest):
        return None
    before, says_more = source[at : mark.start()], False
    if before and not before.isspace():
        if is_denial(before):
            return None
        repairs["prose"] = at
        says_more = REMARKS.fullmatch(before) is None
    if rest < len(source) and not source[rest:].isspace():
        repairs.setdefault("prose", rest)
        says_more = says_more or REMARKS.fullmatch(source, rest) is None
    return _make_lone(source, mark.start(), start, end, repairs, says_more)


def _is_value(source: str, at: int, start: int) -> bool:
    """Whether the bracket at *start*, with prose from *at* before it, is no note and no part."""
    before = source[max(at, start - BEFORE) : start]
    if source[start] == "[" and (before[-1:].isalnum() or before[-1:] in (")", "]", "_")):
        return False
    if NO_VALUE.match(source, start):
        return False
    return not (('"' in before or "”" in before) and KEY_BEFORE.search(before))


def _find_end(source: str, start: int) -> int:
    """Return where the value ends whose bracket stands at *start*: behind the last such bracket."""
    return source.rfind(CLOSING[source[start]], start) + 1


def _make_lone(
    source: str, before: int, start: int, end: int, repairs: dict[RepairId, int], says_more: bool
) -> LoneJson | None:
    """Make the value from *start* to *end*, None if a limit or a tag may make a difference."""
    if end <= start:
        return None
    text = source[start:end]
    if _may_close_thought(text) and CLOSED_THOUGHT.search(text):
        return None
    return None if _may_seem_deep(source, before) else LoneJson(text, repairs, says_more)


def _may_seem_deep(source: str, before: int) -> bool:
    """Whether the text up to *before* may make brackets count that do not nest, or hide some."""
    head = source[:before]
    quotes, opened = head.count('"'), head.count("[") + head.count("{")
    if not quotes:
        is_even = opened <= min(head.count("]") + head.count("}"), MAX_VALUE_DEPTH)
    else:
        is_even = not (opened or quotes % 2 or "\\" in head)
    return not is_even and source.count("[") + source.count("{") > MAX_VALUE_DEPTH


def make_warnings(source: str, repairs: dict[RepairId, int]) -> tuple[Issue, ...]:
    """Make the warnings of *repairs* of the text *source*, sorted by position."""
    items = repairs.items()
    return tuple(
        make_warning(name, write_place(source, place))
        for name, place in (items if len(items) == 1 else sorted(items, key=lambda x: (x[1], x[0])))
    )


@lru_cache(maxsize=256)
def make_warning(name: RepairId, place: str) -> Issue:
    """Make the warning that *name* was repaired at *place*; cached."""
    return Issue("mended", (), "", REPAIRS[name].warning, place, name)


def write_place(source: str, place: int) -> str:
    """Write the line and column of the index *place* in the text *source*."""
    if place == 0:
        return "line 1 column 1"
    line = source.count("\n", 0, place) + 1
    return f"line {line} column {place - source.rfind(chr(10), 0, place)}"
