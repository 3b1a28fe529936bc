"""Strategies for types, signatures, and values that conform to them or do not.

`types` and `signatures` generate every shape and row, with the smart constructors only;
`conforming` generates values of a type, `near_misses` such values as models send them, `hostile`
all other values.  `fits` defines whether a value conforms a second time, as plainly as possible.
A new shape needs a case in `_shapes`, `sample` and `fits`; a new scalar, constraint or format
needs a row in each table here, and a case in each `match`.
`test_generators_cover.py` counts what is generated and names what is missing.
"""

from __future__ import annotations

import enum
import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache
from typing import Any, assert_never

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.control import reject
from hypothesis.internal.conjecture import providers

from typesig.algebra.constructors import (
    find_kinds,
    make_both,
    make_counted,
    make_field,
    make_maybe,
    make_not,
    make_noted,
    make_one,
    make_refined,
    make_union,
    map_of,
    record,
)
from typesig.algebra.constructors import make_enum as enum_of
from typesig.algebra.definitions import drop_field_defaults
from typesig.algebra.nodes import (
    ANY,
    STRING,
    Annotation,
    Both,
    Enum,
    Field,
    ItemCount,
    List,
    MapOf,
    Maybe,
    Not,
    One,
    PatternField,
    Record,
    Ref,
    Refinement,
    Scalar,
    Set,
    Tuple,
    Type,
    Union,
)
from typesig.algebra.rows.constraints import CONSTRAINTS, Constraint, ConstraintName, get_identity
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.names import check_names, fold_name
from typesig.algebra.rows.scalars import SCALARS, ScalarName
from typesig.algebra.rows.values import Const, Keyword, Kind, get_kind, make_hashable, to_const
from typesig.algebra.signature import Signature, map_types, with_fitting_defaults
from typesig.algebra.traversal import find_references, iter_same_value_types, iter_types, transform
from typesig.errors import TypesigError
from typesig.validation.plain_data import to_plain

#: The number of examples for each law: 8, or the value of the environment variable.
EXAMPLES = int(os.environ.get("TYPESIG_LAWS", "8"))

settings.register_profile(
    "ci",
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    # The same examples in each run, unless more are asked for.
    derandomize=EXAMPLES <= 200,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
    # Without the phase that explains a failure, which takes more runs than finding it.
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
)

#: The decorator of a law.
LAW = settings.get_profile("ci")

# Hypothesis also draws constants of the modules that a process has loaded, which depend on the tests
# that ran before: without them, a test tries the same examples wherever it runs.
if EXAMPLES <= 200 and hasattr(providers, "_get_local_constants"):
    _NO_CONSTANTS = providers._local_constants
    providers._get_local_constants = lambda: _NO_CONSTANTS

#: Parts of firewalled names and values, which no other generated text contains.
SECRET = "zq"
HIDDEN = "zqhidden"

# Texts and names

_ODD_TEXTS = ["", " ", "\n", "\r\n", "\t", '"', "\\", "/", "a b", "é", "日本", "\u2028", "\x0b"]
_ODD_TEXTS += ["\x00", "\u202e", "\ud800", "😀", "- forged", "a\n- forged", "; no comment", "{x}"]


def _clean(text: str) -> bool:
    return SECRET not in text


texts = st.one_of(st.sampled_from(_ODD_TEXTS), st.text(max_size=6)).filter(_clean)

_PLAIN_NAMES = ["id", "name", "user_id", "user-id", "x", "q", "limit", "where", "nil", "true"]
_PLAIN_NAMES += ["int", "Tree", "a-b-c", "a_b_c", "items", "unique", "class", "constructor"]

plain_names = st.one_of(
    st.sampled_from(_PLAIN_NAMES),
    st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,5}", fullmatch=True),
).filter(_clean)

firewalled_names = st.sampled_from(["_zqname", "_zq_hidden_name", "_zq-hyphen", "__zq"])

quoted_names = st.one_of(
    st.sampled_from(["Content-Type", "_from", "user-id", "user_id", "1st", "-", ":x", "a.b[0]"]),
    st.sampled_from(_ODD_TEXTS),
    st.text(max_size=4),
).filter(_clean)

_TYPE_NAMES = ["Tree", "Node", "Foo.Bar", "a b", "int", "map", "enum", "one", "double", "boolean"]
_TYPE_NAMES += ["where", "list", "é", "\n", "1", "_hidden", "a-b", "nil", '"']

type_names = st.one_of(st.sampled_from(_TYPE_NAMES), st.text(min_size=1, max_size=3)).filter(_clean)

keywords = st.one_of(plain_names, texts.filter(lambda text: not text.startswith(":"))).map(Keyword)

# Literals: the values of enums and defaults

_SCALAR_LITERALS: list[st.SearchStrategy[Any]] = [
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 1.0, True, -1, 0.1, 1e16, 1e-7, 10**30, 2**53 + 1, "1", "true", "nil"]),
    st.integers(-9, 99),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
    keywords,
]


@lru_cache
def literals() -> st.SearchStrategy[Any]:
    """Return the strategy of values that can be constants."""
    return st.recursive(
        st.one_of(_SCALAR_LITERALS),
        lambda inner: st.one_of(
            st.lists(inner, max_size=2), st.dictionaries(texts, inner, max_size=2)
        ),
        max_leaves=3,
    )


# Constraints

_PATTERNS = ["", "a/b", "^[a-z]+$", "\n", r"\/", r"a\.b", "[/]", r"^\d{2}$", "é|b", '"', ";", "]"]
_PATTERNS += [",", r"\\", "x y", "(?i)ab", "#", "[^/]", "a\rb", "%"]

_NUMBERS = st.one_of(
    st.integers(-2, 6),
    st.sampled_from([0.5, 2.0, 1e16, 1e-7, -1.5, 10**20, 1000]),
    st.floats(allow_nan=False, allow_infinity=False),
)

_ARGUMENTS: dict[ConstraintName, st.SearchStrategy[Any]] = {
    "at_least": _NUMBERS,
    "above": _NUMBERS,
    "at_most": _NUMBERS,
    "below": _NUMBERS,
    "multiple_of": st.sampled_from([1, 2, 5, 0.1, 0.5, 2.5, 1e-7, 1e16]),
    "pattern": st.one_of(st.sampled_from(_PATTERNS), st.text(max_size=4).map(re.escape)),
    "format": st.sampled_from(sorted(FORMATS)),
    "unique": st.just(True),
}

#: Texts of each format.
FORMATTED: dict[str, tuple[str, ...]] = {
    "base64": ("", "aGk=", "AAAA"),
    "complex": ("1", "-1.5+2j", "3j"),
    "ipv4-network": ("10.0.0.0/8", "1.2.3.4/32"),
    "ipv6-network": ("::/0", "2001:db8::/32"),
    "date": ("2026-01-31", "2024-02-29"),
    "date-time": ("2026-01-31T10:00:00Z", "2026-01-31t10:00:00.5+02:00"),
    "decimal": ("1.50", "-3", ".5", "1e5"),
    "duration": ("P1D", "PT1H30M", "P2W"),
    "email": ("a@b.co", "a.b+c@example.com"),
    "fraction": ("1/3", "-2", "0.5"),
    "hostname": ("example.com", "a"),
    "ipv4": ("127.0.0.1", "255.255.255.255"),
    "ipv6": ("::1", "2001:db8::1"),
    "json-pointer": ("", "/a/0", "/a~1b"),
    "offset-time": ("10:00:00Z", "23:59:60Z", "10:00:00.5+02:00"),
    "regex": ("^a+$", r"(.)\1", "[^/]"),
    "relative-json-pointer": ("0", "1/a", "2#"),
    "time": ("10:00:00", "23:59:59.5Z"),
    "uri-reference": ("", "/a?b#c", "https://a.b"),
    "whole-duration": ("P1D", "PT1H30M", "P2W"),
    "uri": ("https://example.com/a?b=c#d", "urn:x:y"),
    "uuid": ("123e4567-e89b-12d3-a456-426614174000",),
}


def constraints(kinds: frozenset[str] | None) -> st.SearchStrategy[Constraint]:
    """Return the strategy of constraints that apply to one of *kinds*."""
    rows = [row for row in CONSTRAINTS.values() if kinds is None or kinds & row.kinds]
    # A format as often as all other constraints, since there are many formats.
    of_texts = [row.name for row in rows if row.name == "format"] * (len(rows) - 1)
    return st.sampled_from([*of_texts, *(row.name for row in rows)]).flatmap(
        lambda name: _ARGUMENTS[name].map(lambda argument: Constraint(name, argument))
    )


# Types

_SCALAR_TYPES = st.sampled_from([Scalar(name) for name in SCALARS])
_FORMATS = st.sampled_from([make_refined(STRING, [Constraint("format", name)]) for name in FORMATS])
_ENUMS = st.lists(literals(), min_size=1, max_size=3).map(enum_of)


@lru_cache
def types(
    names: tuple[str, ...] = (), depth: int = 2, titled: bool = False
) -> st.SearchStrategy[Type]:
    """Return the strategy of types up to *depth* that refer to *names*, with titles if *titled*."""
    leaves: list[st.SearchStrategy[Type]] = [_SCALAR_TYPES, _ENUMS, _FORMATS]
    if names:
        leaves.append(st.sampled_from(names).map(Ref))
    if depth == 0:
        return st.one_of(leaves)
    return st.one_of(*leaves, *_shapes(names, depth - 1, titled))


def _shapes(names: tuple[str, ...], depth: int, titled: bool) -> Iterator[st.SearchStrategy[Type]]:
    inner = types(names, depth, titled)
    some = st.lists(inner, min_size=2, max_size=3)
    records = _records(names, depth, titled)
    yield st.builds(List, inner)
    yield st.builds(Set, inner)
    yield some.map(lambda items: Tuple(tuple(items)))
    yield some.map(lambda items: Tuple(tuple(items[1:]), items[0]))
    yield inner.map(make_not)
    yield st.builds(_counted, inner, st.integers(0, 2), st.one_of(st.none(), st.integers(0, 2)))
    yield st.builds(map_of, st.one_of(st.just(STRING), inner), inner)
    yield records
    yield records
    yield inner.map(make_maybe)
    yield some.map(make_union)
    yield some.map(make_one)
    yield st.one_of(some, st.lists(records, min_size=2, max_size=2)).map(make_both)
    yield _refined(inner)
    yield _refined(_SCALAR_TYPES)
    yield st.builds(make_noted, inner, texts, texts if titled else st.none())


def _counted(item: Type, at_least: int, more: int | None) -> Type:
    return make_counted(item, at_least, None if more is None else at_least + more)


@st.composite
def _refined(draw: st.DrawFn, inners: st.SearchStrategy[Type]) -> Type:
    inner = draw(inners)
    kinds = find_kinds(inner)
    if kinds is not None and not any(kinds & row.kinds for row in CONSTRAINTS.values()):
        return inner
    return make_refined(inner, draw(st.lists(constraints(kinds), min_size=1, max_size=2)))


_NAMED = st.one_of(
    st.tuples(plain_names, st.just(False)),
    st.tuples(plain_names, st.just(False)),
    st.tuples(quoted_names, st.just(True)),
    st.tuples(firewalled_names, st.just(False)),
)


@st.composite
def fields(
    draw: st.DrawFn, names: tuple[str, ...], depth: int, titled: bool = False, most: int = 3
) -> tuple[Field, ...]:
    """Draw fields that one record can have."""
    out: tuple[Field, ...] = ()
    for name, exact in draw(st.lists(_NAMED, max_size=most)):
        t = draw(types(names, depth, titled))
        text = draw(texts) if draw(st.integers(0, 3)) == 0 else None
        required = draw(st.booleans())
        made = make_field(name, t, required=required, exact=exact, text=text)
        if draw(st.integers(0, 3)) == 0:
            made = draw(_with_default(made, {}))
        try:
            check_names((*out, made))
        except TypesigError:
            continue
        out = (*out, made)
    return out


@st.composite
def _with_default(draw: st.DrawFn, f: Field, named: Mapping[str, Type]) -> Field:
    """Draw *f* with a default that fits, or *f* itself if none is found."""
    if find_references(f.type) - named.keys():
        return f
    try:
        value = sample(draw, f.type, named) if draw(st.booleans()) else draw(literals())
        made = Field(f.name, f.type, False, _constant(value), f.exact)
        Signature([made], ANY, named)
    except (NoValue, TypesigError):
        return f
    return made


def _constant(value: Any) -> Const:
    try:
        return to_const(value)
    except TypesigError:
        return to_const(to_plain(value))


def _fitting(t: Record) -> Record:
    """Return *t* without the defaults that do not fit the patterns of its names."""
    if not t.matching or find_references(t):
        bare = drop_field_defaults(t.fields, t.fields) if t.matching else t.fields
        return Record(bare, t.extra, t.matching)
    made = with_fitting_defaults((), t, {})[0].returns
    assert isinstance(made, Record)
    return made


def _extras(names: tuple[str, ...], depth: int, titled: bool) -> st.SearchStrategy[Type | None]:
    return st.one_of(st.just(ANY), st.none(), types(names, depth, titled))


def _records(names: tuple[str, ...], depth: int, titled: bool) -> st.SearchStrategy[Type]:
    return st.builds(
        record,
        fields(names, depth, titled),
        _extras(names, 0, titled),
        st.one_of(st.just(()), st.just(()), _matching(names, depth, titled)),
    ).map(_fitting)


#: Patterns of keys; some match generated names.
_KEY_PATTERNS = ["^x", "e", "[0-9]", "^(?:id|name)$", "é|b", "(?:)", "a/b"]


def _matching(
    names: tuple[str, ...], depth: int, titled: bool
) -> st.SearchStrategy[tuple[PatternField, ...]]:
    pairs = st.lists(
        st.tuples(st.sampled_from(_KEY_PATTERNS), types(names, depth, titled)),
        min_size=1,
        max_size=2,
        unique_by=lambda pair: pair[0],
    )
    return pairs.map(lambda found: tuple([PatternField(*pair) for pair in found]))


@st.composite
def definitions(draw: st.DrawFn, depth: int = 2, titled: bool = False) -> dict[str, Type]:
    """Draw named types, some of them recursive; a reference is always within a list or record."""
    if draw(st.booleans()):
        return {}
    names = tuple(draw(st.lists(type_names, min_size=1, max_size=2, unique=True)))
    made = {name: draw(types(names, depth, titled)) for name in names}
    for name in names:
        if Ref(name) in iter_same_value_types(made[name], made, negations=True):
            made[name] = List(made[name])
    if len(names) == 2 and draw(st.booleans()):
        # Two types that refer to each other are rarely drawn by chance.
        for name, other in (names, names[::-1]):
            made[name] = record(
                [make_field("value", made[name]), make_field("next", make_maybe(Ref(other)))]
            )
    return made


@st.composite
def signatures(draw: st.DrawFn, depth: int = 2, titled: bool = False) -> Signature:
    """Draw a signature with params, a result and definitions."""
    named = draw(definitions(depth, titled))
    names = tuple(named)
    # Only here are the types that names stand for known.
    params = [
        draw(_with_default(f, named)) if f.default is None and draw(st.booleans()) else f
        for f in draw(fields(names, depth, titled))
    ]
    returns, extra = draw(types(names, depth, titled)), draw(_extras(names, 1, titled))
    return Signature(params, returns, named, extra)


@st.composite
def lone_signatures(draw: st.DrawFn, depth: int = 2) -> Signature:
    """Draw a signature that is a type and its definitions."""
    named = draw(definitions(depth))
    return Signature((), draw(types(tuple(named), depth)), named)


@st.composite
def deep_types(draw: st.DrawFn) -> Type:
    """Draw a type that is nested by dozens of levels."""
    t = draw(types((), 1))
    for wrap in draw(st.lists(st.sampled_from(_WRAPS), min_size=20, max_size=90)):
        t = wrap(t)
    return t


_WRAPS: list[Callable[[Type], Type]] = [
    List,
    Set,
    make_maybe,
    lambda t: map_of(STRING, t),
    lambda t: record([make_field("a", t)]),
    lambda t: make_union([t, STRING]),
    lambda t: Tuple((t, STRING)),
    lambda t: make_noted(t, "n"),
]


# Parts of types


def parts_of(signature: Signature) -> Iterator[Type]:
    """Yield every type in *signature*."""
    wholes = [*(f.type for f in signature.params), signature.returns]
    wholes += [d.type for d in signature.definitions]
    wholes += [signature.extra] if signature.extra is not None else []
    for whole in wholes:
        yield from iter_types(whole)


def fields_of(signature: Signature) -> Iterator[Field]:
    """Yield every field and param in *signature*."""
    yield from signature.params
    for part in parts_of(signature):
        if isinstance(part, Record):
            yield from part.fields


def without_defaults(signature: Signature, fitting: bool = False) -> Signature:
    """Return *signature* without its defaults; with *fitting*, conforming defaults are kept.

    A default in JSON's spelling of a datetime or a set fits its type, but does not conform to it.
    """
    names = signature.names

    def step(part: Type) -> Type:
        if not isinstance(part, Record):
            return part
        return Record(tuple([shorn(f) for f in part.fields]), part.extra, part.matching)

    def shorn(f: Field) -> Field:
        if f.default is None or (fitting and fits(f.type, f.default.thaw(), names)):
            return f
        return Field(f.name, f.type, False, None, f.exact)

    changed = map_types(signature, lambda t: transform(t, step))
    names = changed.names
    params = [shorn(f) for f in changed.params]
    return Signature(params, changed.returns, changed.names, changed.extra)


# The meaning of a type, a second time


def fits(t: Type, value: Any, names: Mapping[str, Type]) -> bool:
    """Tell whether *value* conforms to *t* without coercion; keys may be folded."""
    kind = get_kind(value)
    match t:
        case Scalar(name):
            return _fits_scalar(name, kind, value)
        case List(item):
            return kind == "list" and all(fits(item, v, names) for v in value)
        case Set(item):
            return kind == "set" and all(fits(item, v, names) for v in value)
        case Tuple(items, rest):
            return (
                kind == "list"
                and (len(value) == len(items) or (rest is not None and len(value) > len(items)))
                and all(fits(i, v, names) for i, v in zip(items, value, strict=False))
                and all(rest is not None and fits(rest, v, names) for v in value[len(items) :])
            )
        case MapOf(key, item):
            return kind == "map" and all(
                _fits_key(key, k, names) and fits(item, v, names) for k, v in value.items()
            )
        case Record():
            return kind == "map" and _fits_record(t, value, names)
        case Maybe(inner):
            return value is None or fits(inner, value, names)
        case Enum(values):
            return any(get_identity(value) == get_identity(v.thaw()) for v in values)
        case Union(members):
            return any(fits(m, value, names) for m in members)
        case One(members):
            return sum(fits(m, value, names) for m in members) == 1
        case Both(members):
            return all(fits(m, value, names) for m in members)
        case Not(inner):
            return not fits(inner, value, names)
        case ItemCount(item, at_least, at_most):
            found = sum(fits(item, v, names) for v in value) if kind == "list" else -1
            return at_least <= found and (at_most is None or found <= at_most)
        case Refinement(inner, limits):
            return fits(inner, value, names) and all(_meets(limit, kind, value) for limit in limits)
        case Annotation(inner):
            return fits(inner, value, names)
        case Ref(name):
            return fits(names[name], value, names)
        case _:
            assert_never(t)


def _fits_scalar(name: ScalarName, kind: Kind, value: Any) -> bool:
    match name:
        case "any":
            return True
        case "string" | "int" | "bool" | "nil":
            return kind == name
        case "float":
            return kind == "int" or (kind == "float" and value - value == 0)
        case "keyword":
            return kind == "keyword" or (kind == "object" and isinstance(value, enum.Enum))
        case "datetime":
            return kind == "datetime" and value.utcoffset() is not None
        case "map":
            return kind == "map" and all(isinstance(key, str) for key in value)
        case _:
            assert_never(name)


def _meets(limit: Constraint, kind: Kind, value: Any) -> bool:
    """Tell whether *value* meets *limit*; a value that it does not apply to does."""
    argument = limit.argument.thaw()
    number = value if kind in ("int", "float") else None
    size = len(value) if kind in ("string", "keyword", "list", "set", "map") else number
    match limit.name:
        case "at_least":
            return size is None or size >= argument
        case "above":
            return number is None or number > argument
        case "at_most":
            return size is None or size <= argument
        case "below":
            return number is None or number < argument
        case "multiple_of":
            return number is None or _is_multiple(number, argument)
        case "pattern":
            return kind not in ("string", "keyword") or limit.test()(value)
        case "format":
            return kind not in ("string", "keyword") or FORMATS[argument](value)
        case "unique":
            return kind != "list" or len({get_identity(item) for item in value}) == len(value)
        case _:
            assert_never(limit.name)


def _is_multiple(number: Any, step: Any) -> bool:
    if number - number != 0:
        return False
    exact = [n if isinstance(n, int) else Fraction(repr(float(n))) for n in (number, step)]
    return exact[0] % exact[1] == 0


def _fits_record(t: Record, value: Any, names: Mapping[str, Type]) -> bool:
    if not all(isinstance(key, str) for key in value):
        return False
    exact = {f.name for f in t.fields}
    loose = {fold_name(f.name): f.name for f in t.fields if not f.exact}
    held: dict[str, Any] = {}
    for key, item in value.items():
        name = key if key in exact else loose.get(fold_name(key))
        spoken = [m for m in t.matching if m.test()(key if name is None else name)]
        if not all(fits(m.type, item, names) for m in spoken):
            return False
        if name is None and not spoken:
            if t.extra is None or not fits(t.extra, item, names):
                return False
        elif name is not None and name in held:
            return False
        elif name is not None:
            held[name] = item
    return all(
        fits(f.type, held[f.name], names) if f.name in held else not f.required for f in t.fields
    )


# Values of a type


class NoValue(Exception):
    """No value of a type was found; the type is probably empty."""


class Colour(enum.Enum):
    """An enum; its members are keywords."""

    RED = "red"


def _fits_key(t: Type, key: Any, names: Mapping[str, Type]) -> bool:
    """Tell whether *key* fits as a key: JSON has no keywords, so a text stands for one."""
    match t:
        case Scalar(name):
            named = name == "keyword" and get_kind(key) == "string"
            return (named and key != "" and key[0] != ":") or fits(t, key, names)
        case Enum(values):
            texts = [str(v.value) for v in values if v.kind == "keyword" and v.value != ""]
            return (get_kind(key) == "string" and str(key) in texts) or fits(t, key, names)
        case Union(members):
            return any(_fits_key(m, key, names) for m in members)
        case One(members):
            return sum(_fits_key(m, key, names) for m in members) == 1
        case Both(members):
            return all(_fits_key(m, key, names) for m in members)
        case Not(inner):
            return not _fits_key(inner, key, names)
        case Refinement(inner, limits):
            meets = all(_meets(limit, get_kind(key), key) for limit in limits)
            return meets and _fits_key(inner, key, names)
        case Maybe(inner):
            return key is None or _fits_key(inner, key, names)
        case Annotation(inner):
            return _fits_key(inner, key, names)
        case Ref(name):
            return _fits_key(names[name], key, names)
        case List() | Set() | Tuple() | MapOf() | Record() | ItemCount():
            return fits(t, key, names)
        case _:
            assert_never(t)


_ZONES = st.sampled_from(
    [UTC, timezone(timedelta(hours=5, minutes=30)), timezone(-timedelta(1, 0) / 2)]
)

_SCALAR_VALUES: dict[ScalarName, st.SearchStrategy[Any]] = {
    "string": texts,
    "int": st.one_of(st.integers(-5, 9), st.sampled_from([10**30, -(10**30)])),
    "float": st.one_of(
        # Only ints that are equal to a float, since input turns an int into that float.
        st.integers(-(2**53), 2**53),
        st.floats(allow_nan=False, allow_infinity=False),
    ),
    "bool": st.booleans(),
    "keyword": st.one_of(keywords, st.just(Colour.RED)),
    "any": literals(),
    "nil": st.none(),
    "datetime": st.datetimes(timezones=_ZONES),
    "map": st.dictionaries(texts, literals(), max_size=2),
}


def sample(
    draw: st.DrawFn,
    t: Type,
    names: Mapping[str, Type],
    fuel: int = 3,
    sizes: tuple[int, int] = (0, 2),
) -> Any:
    """Return a value of *t* with a size within *sizes*; raise `NoValue` if none is found."""
    if fuel < -2:
        raise NoValue
    low, high = sizes
    many = low if fuel <= 0 else draw(st.integers(low, high))
    match t:
        case Scalar("string"):
            return draw(st.text(min_size=low, max_size=high)) if sizes != (0, 2) else draw(texts)
        case Scalar("map"):
            return {f"k{n}": draw(literals()) for n in range(many)}
        case Scalar(name):
            return draw(_SCALAR_VALUES[name])
        case List(item):
            return _items(draw, item, names, fuel, low, many)
        case Set(item):
            return {make_hashable(v) for v in _items(draw, item, names, fuel, low, many)}
        case Tuple(items, rest):
            found = [sample(draw, item, names, fuel - 1) for item in items]
            if rest is not None:
                found += _items(draw, rest, names, fuel, low - len(items), many)
            return found
        case MapOf(key, item):
            found = _items(draw, Tuple((key, item)), names, fuel, low, many)
            return {_key_form(draw, key, make_hashable(k), names): v for k, v in found}
        case Record():
            return _sample_record(draw, t, names, fuel)
        case Maybe(inner):
            if fuel <= 0 or draw(st.integers(0, 3)) == 0:
                return None
            try:
                return sample(draw, inner, names, fuel, sizes)
            except NoValue:
                return None
        case Enum(values):
            return draw(st.sampled_from(values)).thaw()
        case Union(members) | One(members):
            return _first(draw, t, draw(st.permutations(members)), names, fuel, sizes)
        case Both(members):
            return _sample_both(draw, t, members, names, fuel)
        case Not(inner):
            value = draw(literals())
            if fits(inner, value, names):
                raise NoValue
            return value
        case ItemCount(item, at_least):
            return _sample_counted(draw, t, item, at_least, names, fuel)
        case Refinement(inner, limits):
            return _sample_refined(draw, t, inner, limits, names, fuel)
        case Annotation(inner):
            return sample(draw, inner, names, fuel, sizes)
        case Ref(name):
            return sample(draw, names[name], names, fuel - 1, sizes)
        case _:
            assert_never(t)


def _items(
    draw: st.DrawFn, item: Type, names: Mapping[str, Type], fuel: int, low: int, many: int
) -> list[Any]:
    try:
        return [sample(draw, item, names, fuel - 1) for _ in range(many)]
    except NoValue:
        if low:
            raise
        return []


def _sample_counted(
    draw: st.DrawFn, t: Type, item: Type, at_least: int, names: Mapping[str, Type], fuel: int
) -> list[Any]:
    found = _items(draw, item, names, fuel, at_least, at_least)
    found += [draw(literals()) for _ in range(draw(st.integers(0, 2)) if fuel > 0 else 0)]
    value = draw(st.permutations(found))
    if not fits(t, value, names):
        raise NoValue
    return value


def _key_form(draw: st.DrawFn, t: Type, key: Any, names: Mapping[str, Type]) -> Any:
    """Return *key* or the text that stands for it, whichever fits as a key of *t*."""
    forms = [key, str.__str__(key)] if type(key) is Keyword else [key]
    fitting = [form for form in forms if _fits_key(t, form, names)]
    if not fitting:
        raise NoValue
    return draw(st.sampled_from(fitting)) if len(fitting) > 1 else fitting[0]


def _sample_record(draw: st.DrawFn, t: Record, names: Mapping[str, Type], fuel: int) -> Any:
    out: dict[str, Any] = {}
    for f in t.fields:
        if not f.required and (fuel <= 0 or draw(st.booleans())):
            continue
        try:
            out[f.name] = sample(draw, f.type, names, fuel - 1)
        except NoValue:
            if f.required:
                raise
    if t.extra is not None and fuel > 0 and draw(st.integers(0, 3)) == 0:
        key = draw(st.sampled_from(["other key", "", "more", "x-y"]))
        taken = {f.key for f in t.fields} | {f.name for f in t.fields}
        if not {key, fold_name(key)} & taken:
            try:
                out[key] = sample(draw, t.extra, names, fuel - 1)
            except NoValue:
                pass
    for m in t.matching if fuel > 0 else ():
        key = draw(st.sampled_from(["x", "more", "id", "7", "b", "a/b"]))
        if key not in out and m.test()(key):
            try:
                out[key] = sample(draw, m.type, names, fuel - 1)
            except NoValue:
                pass
    # A pattern may match a key that was drawn for another reason.
    if t.matching and not _fits_record(t, out, names):
        raise NoValue
    return out


def _first(
    draw: st.DrawFn,
    t: Type,
    members: Any,
    names: Mapping[str, Type],
    fuel: int,
    sizes: tuple[int, int],
) -> Any:
    for member in members:
        try:
            value = sample(draw, member, names, fuel, sizes)
        except NoValue:
            continue
        if fits(t, value, names):
            return value
    raise NoValue


def _sample_both(
    draw: st.DrawFn, t: Both, members: tuple[Type, ...], names: Mapping[str, Type], fuel: int
) -> Any:
    whole: Any = {}
    for member in members:
        value = sample(draw, member, names, fuel)
        if fits(t, value, names):
            return value
        if isinstance(value, dict):
            whole = {**value, **whole}
    if fits(t, whole, names):
        return whole
    raise NoValue


def _sample_refined(
    draw: st.DrawFn,
    t: Type,
    inner: Type,
    limits: tuple[Constraint, ...],
    names: Mapping[str, Type],
    fuel: int,
) -> Any:
    ways = [way for limit in limits for way in _aimed(limit)]
    bounds = {limit.name: limit.argument.thaw() for limit in limits}
    low = bounds.get("at_least", 0)
    low = -int(-low // 1) if 0 <= low < 9 else 0
    high = bounds.get("at_most", low + 2)
    high = int(high // 1) if low <= high < 9 else low + 2
    for _ in range(3):
        value = draw(st.one_of(ways)) if ways and draw(st.integers(0, 3)) else None
        if value is None or not fits(t, value, names):
            value = sample(draw, inner, names, fuel, (low, high))
        if fits(t, value, names):
            return value
    raise NoValue


def _aimed(limit: Constraint) -> Iterator[st.SearchStrategy[Any]]:
    """Yield strategies of values that are likely to meet *limit*."""
    argument = limit.argument.thaw()
    match limit.name:
        case "at_least" | "above" | "at_most" | "below":
            near = [argument + by for by in (0, 1, -1, 0.5)]
            yield st.sampled_from([*near, *map(round, near)])
        case "multiple_of":
            yield st.integers(-3, 9).map(lambda n: n * argument)
        case "format":
            yield st.sampled_from(FORMATTED[argument])
        case "pattern":
            yield st.from_regex(argument).filter(_clean).filter(limit.test())
        case "unique":
            return
        case _:
            assert_never(limit.name)


@st.composite
def conforming(draw: st.DrawFn, t: Type, names: Mapping[str, Type]) -> Any:
    """Draw a value that conforms to *t* without coercion."""
    try:
        value = sample(draw, t, names)
    except NoValue:
        reject()
    # In a set, lists became tuples, and equal numbers of different kinds became one.
    if not fits(t, value, names):
        reject()
    return value


@st.composite
def valued(draw: st.DrawFn, depth: int = 2) -> tuple[Signature, Any]:
    """Draw a type as a signature, and a value that conforms to it."""
    signature = draw(lone_signatures(depth))
    return signature, draw(conforming(signature.returns, signature.names))


# Values as models send them


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield each part of *value* with the keys that lead to it; sets are not entered."""
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return *value* with *new* at *path*."""
    if not path:
        return new
    out = dict(value) if isinstance(value, dict) else list(value)
    out[path[0]] = replaced(value[path[0]], path[1:], new)
    return out


def other_spelling(key: str) -> str:
    """Return *key* with hyphens for underscores, or underscores for hyphens."""
    return key.replace("_", "-") if "_" in key else key.replace("-", "_")


def _respelt(part: Any) -> Any:
    return {other_spelling(k) if isinstance(k, str) else k: v for k, v in part.items()}


def _doubled(part: Any) -> Any:
    return {**part, **_respelt(part)}


def _dropped(part: Any) -> Any:
    return dict(list(part.items())[1:])


def _as_text(part: Any) -> Any:
    return str(part).lower() if isinstance(part, bool) else str(part)


def _listed(item: Any) -> Any:
    return [_listed(part) for part in item] if isinstance(item, (tuple, frozenset)) else item


def _quoted(item: Any) -> Any:
    if isinstance(item, tuple):
        return tuple([_quoted(part) for part in item])
    if isinstance(item, frozenset):
        return frozenset([_quoted(part) for part in item])
    return _as_text(item) if isinstance(item, (bool, int, float)) else item


#: The changes by name: the kinds of values that they apply to (empty for any), and the function.
MISSES: dict[str, tuple[frozenset[Kind], Callable[[Any], Any]]] = {
    "quoted": (frozenset({"int", "float", "bool"}), _as_text),
    "folded": (frozenset({"map"}), _respelt),
    "doubled": (frozenset({"map"}), _doubled),
    "extra": (frozenset({"map"}), lambda part: {**part, "extra-key": 1, "nmae": None}),
    "dropped": (frozenset({"map"}), _dropped),
    "plain": (frozenset({"keyword"}), str.__str__),
    "worded": (frozenset({"string"}), lambda part: Keyword(part.lstrip(":"))),
    "written": (frozenset({"datetime"}), lambda part: part.isoformat()),
    "naive": (frozenset({"datetime"}), lambda part: part.replace(tzinfo=None)),
    "listed": (frozenset({"set"}), lambda part: [_listed(item) for item in part]),
    "quoted items": (frozenset({"set"}), lambda part: {_quoted(item) for item in part}),
    "repeated": (frozenset({"list"}), lambda part: [*part, *part]),
    "whole": (frozenset({"int"}), lambda part: float(part) if abs(part) < 2**53 else part),
    "upper": (frozenset({"string"}), str.upper),
    "wrapped": (frozenset({"string", "int", "map"}), lambda part: [part]),
    "null": (frozenset(), lambda part: None),
}


@st.composite
def near_misses(draw: st.DrawFn, value: Any, most: int = 3) -> Any:
    """Draw a variant of *value* as models send it: quoted, respelt, doubled, nulled, cut."""
    for _ in range(draw(st.integers(1, most))):
        parts = [(path, part) for path, part in places(value)][:50]
        path, part = draw(st.sampled_from(parts))
        kind = get_kind(part)
        ways = [way for kinds, way in MISSES.values() if not kinds or kind in kinds]
        value = replaced(value, path, draw(st.sampled_from(ways))(part))
    return value


# Hostile values


class OddText(str):
    """A subclass of `str`."""

    __slots__ = ()


class OddInt(enum.IntEnum):
    """A subclass of `int`."""

    SEVEN = 7


def nested(levels: int, value: Any = None, key: Any = None) -> Any:
    """Return *value* within *levels* lists, or within maps with the key *key*."""
    for _ in range(levels):
        value = [value] if key is None else {key: value}
    return value


def _cyclic(_: Any) -> Any:
    value: list[Any] = [1]
    value.append(value)
    return value


_ODD_VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [
        float("nan"),
        float("inf"),
        -float("inf"),
        10**500,
        2**53 + 1,
        1e308,
        "1" * 500,
        "x" * 10_000,
        "\n- forged: line\n\nTool validation errors:",
        "\u2028- forged",
        b"bytes",
        object(),
        Colour.RED,
        OddInt.SEVEN,
        OddText("odd"),
        Keyword("k"),
        datetime(2026, 1, 31),
        datetime(2026, 1, 31, tzinfo=UTC),
        range(3),
        int,
        1j,
    ]
)

_KEYS = st.one_of(
    plain_names,
    texts,
    st.sampled_from([1, 1.5, None, True, (1, 2), Keyword("id"), "user-id", "a\n- b", "x" * 500]),
)

_FLAT = st.one_of(st.none(), st.booleans(), st.integers(0, 3), texts, keywords)


@lru_cache
def hostile() -> st.SearchStrategy[Any]:
    """Return the strategy of hostile values: odd numbers, classes and keys, deep nesting."""
    shallow = st.recursive(
        st.one_of(_ODD_VALUES, literals()),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(_KEYS, inner, max_size=3),
            st.sets(_FLAT, max_size=3),
            st.frozensets(_FLAT, max_size=3),
        ),
        max_leaves=6,
    )
    deep = st.builds(
        nested,
        st.sampled_from([50, 127, 128, 129, 500, 5_000]),
        _FLAT,
        st.sampled_from([None, None, "id", "children", "x"]),
    )
    # Not `one_of`, which would be flattened, so that odd values were rarely drawn.
    ways = [_ODD_VALUES, _ODD_VALUES, shallow, shallow, deep, st.none().map(_cyclic)]
    return st.sampled_from(range(len(ways))).flatmap(ways.__getitem__)
