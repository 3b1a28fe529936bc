"""What a model may send that was shown a schema: values to draw, and which of them fit it."""

from __future__ import annotations

from hypothesis import strategies as st

import typesig
from tests.generators import conforming, literals, near_misses
from tests.judge import CHECKER, JUDGE
from typesig.validation.coercions import REFUSED, parse_datetime
from typesig.validation.keys import get_near_form


def plain_json(value):
    """Tell whether *value* is JSON that every validator judges alike."""
    if isinstance(value, dict):
        return all(type(k) is str and "\n" not in k for k in value) and all(
            map(plain_json, value.values())
        )
    if isinstance(value, list):
        return all(map(plain_json, value))
    if type(value) is float:
        # For other validators an integral float is an int.
        return value - value == 0 and not value.is_integer()
    return value is None or (type(value) in (bool, int, str) and "\n" not in str(value))


def whole_floats(value):
    if isinstance(value, dict):
        return any(map(whole_floats, value.values()))
    if isinstance(value, list):
        return any(map(whole_floats, value))
    return type(value) is float and value.is_integer()


def constants(schema):
    if isinstance(schema, dict):
        return [
            v if k in ("const", "enum") else constants(v)
            for k, v in schema.items()
            if isinstance(v, dict | list) or k == "const"
        ]
    return [constants(v) for v in schema] if isinstance(schema, list) else None


def _names_of(schema):
    """Return the names of all properties in *schema*."""
    if isinstance(schema, list):
        return {name for part in schema for name in _names_of(part)}
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties", {})
    return {*own, *(name for part in schema.values() for name in _names_of(part))}


def _keys_of(value):
    if isinstance(value, list):
        return {key for part in value for key in _keys_of(part)}
    if not isinstance(value, dict):
        return set()
    return {*value, *(key for part in value.values() for key in _keys_of(part))}


def _respells(schema, value):
    """Tell whether a key is another spelling of a declared name, for which it stands."""
    names = _names_of(schema)
    near = set(map(get_near_form, names))
    return any(key not in names and get_near_form(key) in near for key in _keys_of(value))


def _read(value):
    """Return a key that two values share if they may be read as the same Python value."""
    if isinstance(value, list):
        return "list", tuple(map(_read, value))
    if isinstance(value, dict):
        return "map", frozenset((_read(key), _read(item)) for key, item in value.items())
    if not isinstance(value, str):
        return value
    moment = parse_datetime(value)
    if moment is not REFUSED:
        return moment
    try:
        return float(value)
    except ValueError:
        return value.lstrip(":")


def _has_more_in_json(value):
    """Tell whether JSON Schema tells more of *value* apart than Python does, or has more of it.

    Items, or keys, may be read as the same: 1 and true, "a" and ":a", an instant in two zones.
    A leap second is no datetime of Python.
    """
    if isinstance(value, str):
        return ":60" in value
    if not isinstance(value, list | dict):
        return False
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    return len(set(map(_read, value))) < len(value) or any(map(_has_more_in_json, parts))


def _with_colons(draw, value):
    if isinstance(value, list):
        return [_with_colons(draw, item) for item in value]
    if isinstance(value, dict):
        return {key: _with_colons(draw, item) for key, item in value.items()}
    return draw(st.sampled_from(["", ":", "::"])) + value if isinstance(value, str) else value


@st.composite
def sent(draw, schema):
    """Draw a value that *schema* accepts, or that is near to such a value.

    Integral floats are left out, by what is drawn and by `plain_json`: for a schema they are
    integers.  So is all that the reference of JSON Schema lists as refused on input.
    """
    read = typesig.from_json_schema(schema)
    value = draw(st.one_of(conforming(read.returns, read.names), literals()))
    if draw(st.integers(0, 3)) == 0:
        value = _with_colons(draw, value)
    return draw(near_misses(value)) if draw(st.booleans()) else value


def is_told(schema, value):
    """Tell whether *value* fits *schema*, and is not among the documented exceptions."""
    if not plain_json(value) or whole_floats(constants(schema)):
        return False
    if _respells(schema, value) or _has_more_in_json(value):
        return False
    return JUDGE(schema, format_checker=CHECKER).is_valid(value)


@st.composite
def as_floats(draw, value):
    """Return *value*, of whose integers some are written as floats, which are equal to them."""
    if isinstance(value, list):
        return [draw(as_floats(item)) for item in value]
    if isinstance(value, dict):
        return {key: draw(as_floats(item)) for key, item in value.items()}
    if type(value) is int and abs(value) < 10**15 and draw(st.booleans()):
        return float(value)
    return value
