"""Coercions that apply to a whole place, such as JSON text that is sent for a list or map.

A place is the position of a value: the whole answer, a field or an item.  The members of a union
share one place, since only the whole type determines whether text is a value there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from typesig.algebra import nodes
from typesig.algebra.rows.values import Kind, get_kind, is_text, to_builtin
from typesig.algebra.traversal import allows_nil, iter_same_value_types
from typesig.validation.check_state import Checker, CheckState, Finding
from typesig.validation.coercions import CoercionId
from typesig.validation.issues.words import KIND_PHRASES
from typesig.validation.json_text import BadJson, read_digits
from typesig.validation.plain_data import replace_written_floats
from typesig.validation.policy import Policy

#: How often data is encoded as text: once by mistake, and once more by what sends it.
_LAYERS = 2

#: The kinds of data that have parts.
_WITH_PARTS = ("map", "list")


def takes_text(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Whether text may conform to a branch of *t*.

    The text of a datetime does not count, since it is the text of nothing else.
    """
    return any(map(_is_text_type, iter_same_value_types(t, names)))


def _is_text_type(t: nodes.Type) -> bool:
    match t:
        case nodes.Scalar(name):
            return name in ("string", "any", "keyword")
        case nodes.Enum(values):
            return any(value.kind in ("string", "keyword") for value in values)
        case nodes.Not():
            # Text is most of what it does not exclude.
            return True
        case nodes.Container() | nodes.Through():
            return False  # `iter_same_value_types` yields the parts of the latter
        case _:
            assert_never(t)


def has_parts(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Whether a value of *t* may be a list or a map."""
    return any(map(_has_parts, iter_same_value_types(t, names)))


def _has_parts(t: nodes.Type) -> bool:
    if isinstance(t, nodes.Scalar):
        return t.name == "map"
    return isinstance(t, nodes.Container)


def read_parts(text: str) -> Any:
    """Parse the JSON *text* of a list or map, encoded at most twice; None for other text.

    Its numbers are read by their own digits; see `typesig.validation.plain_data`.
    """
    data: Any = to_builtin(text)
    for _ in range(_LAYERS):
        if data.lstrip(" \t\r\n")[:1] not in ("{", "[", '"'):
            return None
        try:
            data, _ = read_digits(data)
        except BadJson:
            return None
        if get_kind(data) in _WITH_PARTS:
            return data
    return None


def make_place_check(
    t: nodes.Type,
    inner: Checker,
    names: Mapping[str, nodes.Type],
    policy: Policy,
    texts: dict[nodes.Type, bool],
    is_item: bool = False,
) -> Checker:
    """Make a checker that applies the coercions of a place under *policy* before *inner*.

    *texts* caches `takes_text` by type; *is_item* is whether the place is an item of a list.
    """
    coercions = policy.coercions
    if not coercions & _PLACE_COERCIONS:
        return inner
    # In a list, one bare value might as well be the whole inner list.
    if "list_from_item" in coercions and not is_item and _is_flat_list(t, names):
        inner = _wrap_lone_items(inner, _find_item_kinds(t, names))
    if "item_from_list" in coercions and not is_item and _is_scalar(t, names):
        inner = _unwrap_single_items(inner)
    if t not in texts:
        texts[t] = takes_text(t, names)
    if texts[t]:
        return inner
    if "nil_from_word" in coercions and allows_nil(t, names):
        inner = _read_nil_words(inner)
    return (
        _parse_json_texts(inner)
        if has_parts(t, names) and _DATA_FROM_STRING in coercions
        else inner
    )


_DATA_FROM_STRING: CoercionId = "data_from_string"
_PLACE_COERCIONS: frozenset[CoercionId] = frozenset(
    {_DATA_FROM_STRING, "nil_from_word", "list_from_item", "item_from_list"}
)

#: The words for null of other languages, which are sent as text.
_NIL_WORDS = ("null", "none", "None")


def _read_nil_words(inner: Checker) -> Checker:
    def check(value: Any, run: CheckState) -> Any:
        if is_text(value) and value in _NIL_WORDS and get_kind(value) == "string":
            run.add_coercion(KIND_PHRASES["nil"], value, "nil_from_word")
            return None
        return inner(value, run)

    return check


def _is_flat_list(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Whether *t* has exactly one branch of lists, whose items are not lists."""
    parts = list(iter_same_value_types(t, names))
    lists = [part for part in parts if isinstance(part, nodes.List)]
    others = nodes.Set | nodes.Tuple | nodes.One | nodes.Both | nodes.Not | nodes.ItemCount
    if len(lists) != 1 or any(isinstance(part, others) for part in parts):
        return False
    return not any(
        isinstance(part, nodes.List | nodes.Set | nodes.Tuple)
        for part in iter_same_value_types(lists[0].item, names)
    )


def _find_item_kinds(t: nodes.Type, names: Mapping[str, nodes.Type]) -> frozenset[Kind]:
    """Find the kinds of values that may be sent in place of a list with one item."""
    kinds: set[Kind] = {"string", "int", "float", "bool", "keyword", "datetime"}
    if not any(
        _has_parts(part) and not isinstance(part, nodes.List)
        for part in iter_same_value_types(t, names)
    ):
        # A map that another branch nearly takes is more likely to be meant for that.
        kinds.add("map")
    return frozenset(kinds)


def _wrap_lone_items(inner: Checker, kinds: frozenset[Kind]) -> Checker:
    """Make a checker that retries a value that *inner* refuses as the only item of a list."""

    def check(value: Any, run: CheckState) -> Any:
        if get_kind(value) not in kinds or _may_be_several(value):
            return inner(value, run)
        trial, wrapped = run.make_branch(), run.make_branch()
        made = inner(value, trial)
        if not trial.errors:
            run.take(trial)
            return made
        new = inner([value], wrapped)
        if wrapped.errors:
            run.take(trial)
            return made
        run.add_coercion(KIND_PHRASES["list"], value, "list_from_item")
        run.take(wrapped)
        return new

    return check


def _is_scalar(t: nodes.Type, names: Mapping[str, nodes.Type]) -> bool:
    """Whether each branch of *t* is a scalar, or an enum of scalars."""
    return all(map(_is_scalar_branch, iter_same_value_types(t, names)))


def _is_scalar_branch(t: nodes.Type) -> bool:
    match t:
        case nodes.Scalar(name):
            return name not in ("any", "map")
        case nodes.Enum(values):
            return not any(value.kind in _WITH_PARTS for value in values)
        case nodes.Not() | nodes.Container():
            return False
        case nodes.Through():
            return True  # `iter_same_value_types` yields its parts
        case _:
            assert_never(t)


def _unwrap_single_items(inner: Checker) -> Checker:
    """Make a checker that passes the only item of a list to *inner*, which accepts no lists."""

    def check(value: Any, run: CheckState) -> Any:
        if get_kind(value) != "list" or len(value) != 1 or value[0] is None:
            return inner(value, run)
        trial = run.make_branch()
        made = inner(value[0], trial)
        if trial.errors:
            return inner(value, run)
        run.add_coercion(KIND_PHRASES[get_kind(made)], value, "item_from_list")
        run.take(trial)
        return made

    return check


def _may_be_several(value: object) -> bool:
    """Whether *value* is blank text, or text that looks like several items or cut data."""
    if not is_text(value):
        return False
    return not value.strip() or value.lstrip()[0] in "[{" or any(mark in value for mark in ",;\n|")


_LISTS_AND_MAPS = frozenset({list, dict})


def _parse_json_texts(inner: Checker) -> Checker:
    """Make a checker that parses the JSON text of a list or map before *inner*."""

    def check(value: Any, run: CheckState) -> Any:
        if type(value) in _LISTS_AND_MAPS or not is_text(value) or get_kind(value) != "string":
            return inner(value, run)
        data = _read_once(value, run)
        if data is None:
            return inner(value, run)
        to = KIND_PHRASES[get_kind(data)]
        # Without an excerpt: a part of the text may be secret.
        run.add(Finding("parsed", to, rule="data_from_string", warning=True))
        return replace_written_floats(inner(data, run))

    return check


def _read_once(text: str, run: CheckState) -> Any:
    """Return `read_parts` of *text*, cached for all branches of a check.

    Their findings are cached by the identity of the value, which must be the same in all of them.
    """
    key = id(read_parts), id(text), 0
    known = run.memo.get(key)
    if known is None:
        known = run.memo[key] = text, read_parts(text), run
    return known[1]
