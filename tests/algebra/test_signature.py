"""The algebra: values that are refused, canonical forms, constraints, formats, walks, signatures."""

from __future__ import annotations

import copy
import datetime
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import typesig
from typesig import Signature, TypesigError
from typesig.algebra import Keyword
from typesig.algebra.constructors import (
    find_kinds,
    get_description,
    make_both,
    make_enum,
    make_field,
    make_maybe,
    make_noted,
    make_one,
    make_refined,
    make_union,
    map_of,
    record,
)
from typesig.algebra.definitions import Definition
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.nodes import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    KEYWORD,
    MAP,
    NIL,
    STRING,
    Annotation,
    Both,
    Enum,
    Field,
    List,
    MapOf,
    Maybe,
    Not,
    One,
    Record,
    Ref,
    Refinement,
    Set,
    Tuple,
    Union,
)
from typesig.algebra.rows.constraints import (
    CONSTRAINTS,
    Constraint,
    get_identity,
    is_unique,
    sort_constraints,
)
from typesig.algebra.rows.formats import FORMATS
from typesig.algebra.rows.values import Const, HashableMap, get_kind, make_hashable, to_const
from typesig.algebra.signature import join_signatures, make_type_signature, map_types
from typesig.algebra.traversal import (
    allows_nil,
    find_references,
    fold,
    get_children,
    iter_same_value_types,
    iter_types,
    rebuild,
    transform,
)
from typesig.errors import TooDeep, Unsupported
from typesig.limits import MAX_CHAIN, MAX_DEPTH, MAX_DIGITS
from typesig.notations import NOTATIONS
from typesig.notations.texts.notation import Notation

AT_LEAST_1 = Constraint("at_least", 1)


# what is refused


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Tuple((INT,)), "a tuple has two or more positions; write [:T] for a list"),
        (lambda: Enum(()), "an enum has one value or more"),
        (lambda: make_enum([]), "an enum has one value or more"),
        (lambda: Union((INT,)), "two or more types are needed here"),
        (lambda: One((INT,)), "two or more types are needed here"),
        (lambda: Both(()), "two or more types are needed here"),
        (lambda: make_union([]), "a union has one type or more"),
        (lambda: make_both([]), "an intersection has one type or more"),
        (lambda: make_one([]), "two or more types are needed here"),
        (lambda: Ref(""), "the name of a type cannot be empty"),
        (lambda: Record((Field("a", INT), Field("a", STRING))), "the name 'a' occurs twice"),
        (
            lambda: Record((Field("a_b", INT), Field("a-b", INT))),
            "'a_b' and 'a-b' are one name here, since hyphen and underscore are the same; quote "
            "one to keep it exactly",
        ),
        (lambda: Signature([Field("a", INT)] * 2, INT), "the name 'a' occurs twice"),
        (lambda: Signature([], Ref("Row")), "the type :Row is not defined"),
        (lambda: Signature([Field("a", List(Ref("Row")))], INT), "the type :Row is not defined"),
        (lambda: Signature([], INT, {"Row": Ref("Cell")}), "the type :Cell is not defined"),
        (lambda: Signature([], INT, extra=Ref("Row")), "the type :Row is not defined"),
        (
            lambda: Signature([], INT, {"Row": make_union([Ref("Row"), INT])}),
            "the type :Row is defined only by itself; put a list, a map or a record in between",
        ),
        (lambda: Keyword(":ok"), "a keyword's text has no colon: write Keyword('ok')"),
        (lambda: make_refined(BOOL, [AT_LEAST_1]), "a range does not apply to bool"),
        (
            lambda: make_refined(make_union([NIL, BOOL]), [Constraint("pattern", "a")]),
            "a pattern does not apply to bool or nil",
        ),
        (
            lambda: make_refined(Both((INT, STRING)), [AT_LEAST_1]),
            "a range does not apply to a type without values",
        ),
    ],
)  # fmt: skip
def test_a_meaningless_part_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypesigError) as caught:
        make()

    assert message == str(caught.value)


@pytest.mark.parametrize(
    ("name", "argument", "message"),
    [
        ("at_least", "3", "a bound must be a number, not '3'"),
        ("at_most", True, "a bound must be a number, not True"),
        ("above", None, "a bound must be a number, not None"),
        ("below", [1], "a bound must be a number, not [1]"),
        ("multiple_of", 0, "a step must be a number above 0, not 0"),
        ("multiple_of", -1, "a step must be a number above 0, not -1"),
        ("multiple_of", "2", "a step must be a number above 0, not '2'"),
        ("pattern", 1, "a pattern must be text, not 1"),
        ("pattern", "(", "the pattern /(/ is not a regular expression: "),
        ("format", "emial", "there is no format 'emial'; did you mean email?"),
        ("format", "zzz", "there is no format 'zzz'; known are base64, complex, date"),
        ("unique", False, "unique takes no argument"),
        ("at_least", float("nan"), "JSON has no form for nan"),
    ],
)
def test_a_constraint_refuses_a_meaningless_argument(
    name: str, argument: object, message: str
) -> None:
    with pytest.raises(TypesigError) as caught:
        Constraint(name, argument)

    assert str(caught.value).startswith(message)


def test_a_type_may_nest_up_to_the_limit() -> None:
    t: Any = INT
    for _ in range(MAX_DEPTH - t.depth):
        t = List(t)

    assert MAX_DEPTH == t.depth
    with pytest.raises(TooDeep, match=f"a type may nest {MAX_DEPTH} levels"):
        List(t)


def test_a_chain_of_names_has_a_limit() -> None:
    chain: dict[str, Any] = {f"T{n}": Ref(f"T{n + 1}") for n in range(MAX_CHAIN + 2)}

    with pytest.raises(TooDeep, match=f"a name may lead to a name {MAX_CHAIN} times, :T"):
        Signature([], INT, {**chain, f"T{len(chain)}": INT})


# canonical forms


@pytest.mark.parametrize(
    ("expected", "made"),
    [
        (make_maybe(INT), make_maybe(make_maybe(INT))),
        (NIL, make_maybe(NIL)),
        (NIL, make_union([NIL])),
        (INT, make_union([INT, INT])),
        (make_maybe(INT), make_union([INT, NIL])),
        (make_maybe(Union((INT, STRING))), make_union([make_maybe(INT), STRING])),
        (Union((INT, STRING, BOOL)), make_union([Union((INT, STRING)), BOOL])),
        (INT, make_both([INT, INT])),
        (Both((INT, STRING, BOOL)), make_both([Both((INT, STRING)), BOOL])),
        (INT, make_one([INT])),
        (MAP, map_of(STRING, ANY)),
        (MapOf(INT, ANY), map_of(INT, ANY)),
        (INT, make_refined(INT, [])),
        (
            Refinement(INT, (AT_LEAST_1, Constraint("at_most", 5))),
            make_refined(make_refined(INT, [Constraint("at_most", 5)]), [AT_LEAST_1]),
        ),
        (INT, make_noted(INT, "", "")),
        (Annotation(INT, "a", "T"), make_noted(make_noted(INT, "a"), None, "T")),
        (Annotation(INT, "a", "T"), make_noted(make_noted(INT, None, "T"), "a")),
        (Annotation(Annotation(INT, "a", "T"), "b"), make_noted(make_noted(INT, "a", "T"), "b")),
        (Enum((to_const(1), to_const(1.0), to_const(True))), make_enum([1, 1.0, True, 1])),
        (Field("a", make_maybe(INT), False), make_field("a", make_maybe(INT), default=None)),
        (
            Field("a", make_noted(make_maybe(INT), "words"), False),
            make_field("a", make_maybe(INT), default=None, text="words"),
        ),
    ],
)  # fmt: skip
def test_equivalent_types_have_one_canonical_form(expected: object, made: object) -> None:
    assert expected == made


def test_the_tighter_of_two_bounds_is_kept_in_either_order() -> None:
    bounds = [("at_least", 1, 5), ("above", 1, 5), ("at_most", 5, 1), ("below", 5, 1)]

    for name, loose, tight in bounds:
        pair = [Constraint(name, loose), Constraint(name, tight)]
        assert (Constraint(name, tight),) == sort_constraints(pair)
        assert (Constraint(name, tight),) == sort_constraints(reversed(pair))


def test_different_patterns_are_both_kept_and_equal_ones_once() -> None:
    pair = Constraint("pattern", "a"), Constraint("pattern", "b")

    assert pair == sort_constraints([*pair, *pair])


def test_constraints_are_in_the_order_of_their_rows() -> None:
    given = [Constraint("unique", True), Constraint("at_most", 3), AT_LEAST_1]

    assert ["at_least", "at_most", "unique"] == [c.name for c in sort_constraints(given)]


def test_the_outermost_description_is_the_description() -> None:
    inner = make_noted(INT, "inner", "First")

    assert "inner" == get_description(make_noted(inner, None, "Second"))
    assert "outer" == get_description(make_noted(inner, "outer"))
    assert get_description(make_noted(INT, None, "Title")) is None
    assert get_description(INT) is None


@pytest.mark.parametrize(
    ("expected", "shorthand"),
    [
        ({"int"}, ":int"),
        (None, ":any"),
        ({"list"}, "[:int, :string]"),
        ({"set"}, "#{:int}"),
        ({"map"}, ":map[:int]"),
        ({"int", "nil"}, ":int?"),
        ({"string", "int"}, ':enum["a" 1]'),
        ({"int", "string"}, ":int|:string"),
        (None, ":int|:any"),
        ({"int"}, ":int & :any"),
        (None, ":any & :any[1..]"),
        (set(), ":int & :string"),
        ({"int"}, ":one[:int, :int]"),
        ({"int"}, '(:int "words")'),
        ({"int"}, ":int[1..]"),
    ],
)
def test_the_kinds_of_a_type_are_the_kinds_of_its_values(
    expected: set[str] | None, shorthand: str
) -> None:
    assert expected == find_kinds(typesig.parse(shorthand).returns)


class Moment(datetime.datetime):
    """A datetime of another class."""


def test_a_datetime_is_known_by_its_class() -> None:
    elsewhere = type("datetime", (), {})

    assert "datetime" == get_kind(datetime.datetime.min) == get_kind(Moment.min)
    assert "object" == get_kind(datetime.date.min) == get_kind(elsewhere())


def test_the_kinds_of_a_reference_are_unknown() -> None:
    assert find_kinds(Ref("Row")) is None


# what constraints mean


@pytest.mark.parametrize(
    ("name", "argument", "fits", "does_not"),
    [
        ("at_least", 2, [2, 2.5, "ab", [1, 2], {1, 2}, {"a": 1, "b": 2}], [1, 1.9, "a", [1]]),
        ("at_most", 2, [2, 1.5, "ab", [], {}], [3, 2.1, "abc", [1, 2, 3]]),
        ("above", 2, [3, 2.1], [2, 1]),
        ("below", 2, [1, 1.9], [2, 3]),
        ("multiple_of", 3, [0, 3, -6, 9.0], [1, 4.5]),
        ("multiple_of", 0.1, [0.3, 1, 0.7], [0.35, float("inf"), float("nan")]),
        ("pattern", "^a+$", ["a", "aa"], ["", "b", "ab"]),
        ("format", "date", ["2026-01-31"], ["2026-02-30"]),
        ("unique", True, [[], [1, "1"], [1, 1.0, True], [[1], [2]]], [[1, 1], [{"a": 1}] * 2]),
    ],
)
def test_a_constraint_accepts_and_rejects_its_samples(
    name: str, argument: object, fits: list[Any], does_not: list[Any]
) -> None:
    test = Constraint(name, argument).test()

    assert [True] * len(fits) == [test(value) for value in fits]
    assert [False] * len(does_not) == [test(value) for value in does_not]


def test_every_constraint_has_samples() -> None:
    mark = next(
        m
        for m in test_a_constraint_accepts_and_rejects_its_samples.pytestmark
        if m.name == "parametrize"
    )

    assert set(CONSTRAINTS) == {row[0] for row in mark.args[1]}


def test_values_are_identical_only_if_their_json_is() -> None:
    assert is_unique([1, 1.0, True, "1", None, [1], {"a": 1}, {1}, {2}])
    assert not is_unique([{"a": [1, 2]}, {"a": [1, 2]}])
    assert not is_unique([{1, 2}, {2, 1}])


def test_an_unhashable_value_is_identical_only_to_itself() -> None:
    data = bytearray(b"a")

    assert get_identity(data) == get_identity(data)
    assert get_identity(data) != get_identity(bytearray(b"a"))


def test_the_comparison_of_a_list_inside_itself_ends() -> None:
    loop: list[Any] = []
    loop.append(loop)

    assert not is_unique([loop, loop])


# formats

FORMAT_SAMPLES = [
    # format, accepted, rejected
    ("base64", ["", "YQ==", "YWI=", "YWJj", "+/+/"], ["YQ", "YQ=", "Y Q=", "YQ==YQ==", "-_-_", "YQ==\n"]),
    ("date", ["2026-01-31", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2026-04-30"],
     ["2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "0000-01-01", "26-01-31", "2026-1-31", "20260131", "٢٠٢٦-01-31", "2026-01-31\n"]),
    ("date-time", ["2026-01-31T10:00:00Z", "2026-01-31t10:00:00z", "2026-01-31T10:00:00.123456789012+05:30", "2024-02-29T23:59:59-23:59", "2016-12-31T23:59:60Z"],
     ["2026-01-31T10:00:00", "2026-02-30T10:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T10:60:00Z", "2026-01-31T10:00:60Z", "2026-12-31T23:59:60+01:00", "2026-01-31T10:00:00+24:00", "2026-01-31T10:00:00+00:60", "2026-01-31T10:00Z", "2026-01-31", "2026-01-31T10:00:00.Z", "2026-01-31 10:00:00Z"]),
    ("decimal", ["0", "-1", "+1.5", ".5", "5.", "1e10", "1E-5", "007"],
     ["", ".", "1,5", "1_000", "NaN", "Infinity", "1e", "1e123456", "٣", " 1", "1" * (MAX_DIGITS + 1)]),
    ("duration", ["P1D", "P3DT4M", "PT1H2M3.5S", "-P1W", "P1DT1S", "PT0S"],
     ["P1Y", "P2M", "P1Y2M3D", "", "P", "PT", "P1DT", "1D", "P1H", "P1W2D", "PT1.5H", "p1d"]),
    ("email", ["a@b.co", "a.b+c@example.com", "x@localhost", "a" * 64 + "@b.co", '"a b"@c.co', r'"a\"@"@c.co', '""@b.co', "a@[127.0.0.1]", "a@[IPv6:::1]"],
     ["a", "@b.co", "a@", "a@b..co", ".a@b.co", "a.@b.co", "a b@c.co", "a@-b.co", "a" * 65 + "@b.co", "a@" + "b." * 130 + "co", '"a"b@c.co', '"a@c.co', '"é"@c.co', "a@[127.0.0.256]", "a@[::1]", "a@[IPv6:1]", "a@[127.0.0.1", "a@127.0.0.1]"]),
    ("fraction", ["1/3", "-2/4", "+3", "0.5", ".5", "7/010"],
     ["", "1/0", "1/", "/3", "1 / 3", "1/-3", "1/3/4", "1e5", "1.5/2", "٣/4", "nan"]),
    ("hostname", ["localhost", "example.com", "a-b.c", "1.example", "a" * 63 + ".de", "xn--bcher-kva.example", "XN--4gbwdl.xn--wgbh1c", "ab--cd"],
     ["", "-a", "a-", "a..b", "a_b", "a" * 64, "a.", "xn--X", "a.xn--abc", "xn--a", "xn--ASCII-", ".".join(["a" * 63] * 4)]),
    ("ipv4", ["0.0.0.0", "255.255.255.255", "192.168.1.10"],
     ["256.1.1.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.", "a.b.c.d", "1.2.3.٤"]),
    ("ipv6", ["::", "::1", "2001:db8::1", "::ffff:1.2.3.4"], ["", "1", ":::", "2001:db8::1::2", "fe80::1%eth0", "g::1"]),
    ("time", ["10:00:00", "23:59:59.5", "10:00:00Z", "10:00:00+05:30"],
     ["10:00", "24:00:00", "10:60:00", "10:00:60", "10:00:00+24:00", "1:00:00", "10:00:00.", "10:00:00 Z"]),
    ("complex", ["1", "-1.5", "3j", "-.5j", "1+2j", "1e3-2.5e1j"],
     ["", "j", "1+2", "1 + 2j", "(1+2j)", "1+j", "1e1000", "1+2j3"]),
    ("ipv4-network", ["0.0.0.0/0", "10.0.0.1/8", "255.255.255.255/32"],
     ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/08", "::/0", "10.0.0/8", "10.0.0.0/"]),
    ("ipv6-network", ["::/0", "2001:db8::/32", "::1/128", "1:2:3:4:5:6:7::/64", "::ffff:1.2.3.4/96"],
     ["::", "::/129", "::/-1", "10.0.0.0/8", "1::2::/8", "::/01", "fe80::1%eth0/64"]),
    ("json-pointer", ["", "/", "/a/0", "/a~1b~0", "//"], ["a", "/~", "/~2", "#/a"]),
    ("offset-time", ["10:00:00Z", "10:00:00.5+05:30", "23:59:60Z", "00:59:60+01:00", "22:59:60-01:00", "10:00:00.1234567890123Z"],
     ["10:00:00", "24:00:00Z", "10:00:60Z", "23:59:60+01:00", "10:00Z", "23:60:00Z"]),
    ("regex", ["", "^a+$", r"(.)\1", r"\p{L}", "x" * 20_000, r"(?<n>a)\k<n>[\b]", r"\bx\B", "(?i:a)", r"\p{Script=Greek}\p{scx=Grek}\P{Emoji}", "(" * 40 + ")" * 40], ["(a", "*", "[a", "a{2,1}", ")", r"\Z", r"\A", r"(a)\1(", "(?P<n>a)", "(?i)a", r"\U0010FFFF", r"\p{Nope}", r"[\1]"]),
    ("relative-json-pointer", ["0", "1/a", "10#", "0/a~1b"], ["", "/a", "01/a", "-1", "0##", "1a"]),
    ("uri-reference", ["", "#a", "a/b", "//h:1/p", "?q", "a:b", "/a:b", "https://[::1]:80/", "//u@[::1]", "//[v1.a:b]/"],
     ["a b", "\\", "1a:b", ":a", "#a#b", "a[0]", "http://[x]/", "%2", "http://[::1]x", "http://[1]/", "//[:1]", "//[]", "//[v1.]", "//[::1]a@b"]),
    ("whole-duration", ["P1D", "P1Y2M3DT4H5M6S", "P2W", "PT1H", "P1M", "PT5S"],
     ["", "P", "-P1D", "P1Y2D", "PT1.5S", "PT1H5S", "P1W1D", "P1DT", "PT"]),
    ("uri", ["https://example.com/a?b=c#d", "mailto:a@b.co", "urn:isbn:1", "a:%20", "http://[::1]/"],
     ["", "example.com", "//a", "1a:b", "a:b c", "a:%2", "a:%zz", "http://ä.de", "a:b\n"]),
    ("uuid", ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
     ["123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}", "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a456-426614174000\n"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "accepted", "rejected"), FORMAT_SAMPLES)
def test_a_format_accepts_and_rejects_its_samples(
    name: str, accepted: list[str], rejected: list[str]
) -> None:
    signature = typesig.parse(f":string[{name}]")

    assert [] == [text for text in accepted if not signature.accepts(text)]
    assert [] == [text for text in rejected if signature.accepts(text)]


def test_every_format_has_samples() -> None:
    assert set(FORMATS) == {row[0] for row in FORMAT_SAMPLES}


# immutability


FROZEN = [
    INT,
    Field("a", INT),
    Constraint("at_least", 1),
    to_const({"a": [1, None]}),
    Definition("Row", INT),
    typesig.parse("(id :int, tags [:Tag]) -> {name :string?}\nwhere Tag = :enum[:a :b]"),
]


@pytest.mark.parametrize("value", FROZEN, ids=lambda value: type(value).__name__)
def test_a_value_of_the_algebra_is_immutable(value: Any) -> None:
    name = value.__match_args__[0]

    with pytest.raises(AttributeError, match="cannot be changed: make another one"):
        setattr(value, name, "other")
    with pytest.raises(AttributeError, match="cannot be changed: make another one"):
        delattr(value, name)
    assert value is copy.copy(value)
    assert value is copy.deepcopy(value)


@pytest.mark.parametrize("value", FROZEN, ids=lambda value: type(value).__name__)
def test_a_value_of_the_algebra_survives_pickling(value: Any) -> None:
    again = pickle.loads(pickle.dumps(value))

    assert value == again
    assert hash(value) == hash(again)
    assert repr(value) == repr(again)


def test_values_of_two_classes_are_never_equal() -> None:
    assert List(INT) != Set(INT)
    assert Union((INT, STRING)) != One((INT, STRING))
    assert INT != "int"


def test_a_repr_names_the_class_and_its_parts() -> None:
    assert "List(Scalar('int'))" == repr(List(INT))


# constants


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (10**MAX_DIGITS, f"a number in a type may have {MAX_DIGITS} digits"),
        (float("inf"), "JSON has no form for inf"),
        ([float("nan")], "JSON has no form for nan"),
        ({1: 2}, "the keys of a constant map must be text"),
        ({"a": b"x"}, "JSON has no form for a value of bytes"),
        ({1, 2}, "JSON has no form for a value of set"),
        (datetime.datetime(2026, 1, 31), "JSON has no form for a value of datetime"),
    ],
)
def test_a_value_without_a_json_form_cannot_be_a_constant(value: object, message: str) -> None:
    with pytest.raises(TypesigError) as caught:
        to_const(value)

    assert message == str(caught.value)


def test_a_constant_cannot_contain_itself() -> None:
    loop: dict[str, Any] = {}
    loop["again"] = [loop]

    with pytest.raises(TypesigError, match="a constant cannot contain itself"):
        to_const(loop)


def test_a_constant_may_nest_up_to_the_limit() -> None:
    deep: list[Any] = []
    for _ in range(MAX_DEPTH):
        deep = [deep]

    with pytest.raises(TooDeep, match="a constant may nest 128 levels, this one has more"):
        to_const(deep)


def test_a_constant_may_contain_one_list_twice() -> None:
    shared = [1]

    assert [[1], [1]] == to_const([shared, shared]).thaw()


def test_constants_compare_by_kind_and_value() -> None:
    kinds = [to_const(value) for value in (1, 1.0, True, "1", Keyword("1"), None, [], {})]

    assert 8 == len(set(kinds))
    assert to_const(0.0) == to_const(-0.0)
    assert to_const({"a": 1, "b": 2}) == to_const({"b": 2, "a": 1})
    assert to_const(to_const(1)) == to_const(1)


def test_each_thaw_of_a_constant_is_a_new_value() -> None:
    fixed = to_const({"a": [1]})
    fixed.thaw()["a"].append(2)

    assert {"a": [1]} == fixed.thaw()
    assert isinstance(fixed, Const)


# walks

EVERY_SHAPE = [
    INT,
    List(INT),
    Set(INT),
    Tuple((INT, STRING)),
    MapOf(KEYWORD, INT),
    record([Field("a", INT)], STRING),
    record([Field("a", INT)], None),
    Maybe(INT),
    Enum((to_const(1),)),
    Union((INT, STRING)),
    One((INT, STRING)),
    Both((INT, STRING)),
    Refinement(INT, (AT_LEAST_1,)),
    Annotation(INT, "words", "Title"),
    Ref("Row"),
]


@pytest.mark.parametrize("t", EVERY_SHAPE, ids=lambda t: type(t).__name__)
def test_a_type_rebuilt_from_its_own_children_is_the_same_object(t: Any) -> None:
    assert rebuild(t, get_children(t)) is t
    assert t is transform(t, lambda part: part)


@pytest.mark.parametrize("t", EVERY_SHAPE, ids=lambda t: type(t).__name__)
def test_a_walk_reaches_every_part_of_a_type(t: Any) -> None:
    changed = transform(t, lambda part: FLOAT if part == INT else part)

    assert INT in list(iter_types(t)) or isinstance(t, Enum | Ref)
    assert INT not in list(iter_types(changed))
    assert [type(part) for part in iter_types(t)] == [type(part) for part in iter_types(changed)]


def test_a_fold_sees_leaves_first() -> None:
    t = record([Field("a", List(INT)), Field("b", STRING)])

    assert 5 == fold(t, lambda _, parts: 1 + sum(parts))  # the open record's :any counts
    assert frozenset({"Row"}) == find_references(List(make_maybe(Ref("Row"))))


def test_a_level_has_the_types_that_apply_to_the_same_value() -> None:
    names = {"Row": make_union([INT, Ref("Other")]), "Other": List(STRING)}

    seen = list(iter_same_value_types(make_maybe(Ref("Row")), names))

    assert List(STRING) in seen
    assert STRING not in seen
    assert [Ref("Nobody")] == list(iter_same_value_types(Ref("Nobody"), names))


@pytest.mark.parametrize(
    ("expected", "t"),
    [
        (True, NIL),
        (True, ANY),
        (False, INT),
        (False, List(ANY)),
        (True, make_maybe(INT)),
        (True, make_enum([None, 1])),
        (False, make_enum([1])),
        (True, Union((INT, make_enum([None])))),
        (True, One((INT, make_maybe(STRING)))),
        (False, One((make_maybe(INT), make_maybe(STRING)))),
        (True, Both((make_maybe(INT), ANY))),
        (False, Both((INT, ANY))),
        (True, Refinement(make_maybe(INT), (AT_LEAST_1,))),
        (True, make_noted(make_maybe(INT), "words")),
        (True, Ref("Nullable")),
        (False, Ref("Number")),
    ],
)
def test_a_type_admits_nil_or_does_not(expected: bool, t: Any) -> None:
    assert expected == allows_nil(t, {"Nullable": make_maybe(INT), "Number": INT})


# signatures


def test_joined_takes_parameters_from_one_signature_and_the_result_from_the_other() -> None:
    params = typesig.parse("(id :int, ** :string) -> :bool")
    returns = typesig.parse("(x :float) -> [:datetime]")

    assert "(id :int, ** :string) -> [:datetime]" == str(join_signatures(params, returns))


def test_joined_renames_a_definition_that_differs() -> None:
    params = typesig.parse(
        "(row :Row, old :Row2) -> :any where Row = {id :int}, Row2 = {id :string}"
    )
    returns = typesig.parse("() -> [:Row]\nwhere Row = {name :string, more [:Row]}")

    whole = join_signatures(params, returns)

    assert ["Row", "Row2", "Row3"] == list(whole.names)
    assert List(Ref("Row3")) == whole.returns
    assert params.names["Row"] == whole.names["Row"]
    assert frozenset({"Row3"}) == find_references(whole.names["Row3"])


def test_joined_keeps_one_name_for_equal_definitions() -> None:
    text = "(row :Row) -> [:Row]\nwhere Row = {id :int}"
    whole = join_signatures(typesig.parse(text), typesig.parse(text))

    assert typesig.parse(text) == whole


def test_mapped_applies_a_step_to_each_whole_type() -> None:
    signature = typesig.parse("(a :int, ** :int) -> :int\nwhere Row = :int")
    changed = map_types(signature, lambda t: STRING if t == INT else t)

    assert typesig.parse("(a :string, ** :string) -> :string\nwhere Row = :string") == changed


def test_mapped_leaves_a_closed_signature_closed() -> None:
    closed = typesig.parse("(a :int)! -> :int")

    assert closed.extra is None
    assert map_types(closed, make_maybe).extra is None


def test_the_order_of_definitions_does_not_matter() -> None:
    one_way = Signature([], Ref("A"), {"A": INT, "B": STRING})
    other = Signature([], Ref("A"), [Definition("B", STRING), Definition("A", INT)])

    assert one_way == other
    assert hash(one_way) == hash(other)


# notations


def test_a_type_is_accepted_in_place_of_a_signature() -> None:
    assert make_type_signature(List(INT)) == typesig.parse(List(INT))
    assert "[:int]" == typesig.render(List(INT))


def test_an_unknown_notation_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(TypesigError, match="there is no notation 'malli-lite'; there are shortha"):
        typesig.render(":int", "malli-lite")


def test_render_refuses_to_widen_unless_lossy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def render(signature: Signature, lone: bool) -> tuple[str, Losses]:
        return "(id int)", (Loss("widened", ("id",), "a range", "there are no ranges", ":int"),)

    monkeypatch.setitem(NOTATIONS, "plain", Notation("plain", "", render))

    with pytest.raises(Unsupported) as caught:
        typesig.render("(id :int[1..]) -> :any", "plain")

    assert "id: a range: there are no ranges" == str(caught.value)
    assert "(id int)" == typesig.render("(id :int[1..]) -> :any", "plain", lossy=True)


def test_a_negation_is_built_again_with_another_type() -> None:
    assert Not(STRING) == rebuild(Not(INT), (STRING,))


@pytest.mark.parametrize("inner", [Union((INT, STRING)), Maybe(List(INT))])
def test_bounds_of_a_type_with_a_title_stand_behind_parentheses(inner: Any) -> None:
    at_least = (Constraint("at_least", 1),)
    text = typesig.render(make_type_signature(Refinement(inner, at_least)))

    assert text.endswith(")[1..]")
    assert text == typesig.render(
        make_type_signature(Refinement(Annotation(inner, None, "a title"), at_least))
    )
    nullable = typesig.render(
        make_type_signature(Maybe(Annotation(Refinement(INT, at_least), None, "a title")))
    )
    assert typesig.render(make_type_signature(Maybe(Refinement(INT, at_least)))) == nullable


# values in a set


def test_a_value_in_a_set_equals_what_it_was_made_of() -> None:
    value = {"a": [1, {2}], "b": {"c": None}}
    made = make_hashable(value)

    assert {"a": (1, frozenset({2})), "b": {"c": None}} == made
    assert 1 == len({made, make_hashable(value), make_hashable(made)})
    assert "map" == get_kind(made)


def test_what_has_a_hash_or_is_no_data_stays_as_it_is() -> None:
    odd = [1, "a", None, Keyword("k"), object()]

    assert odd == [make_hashable(each) for each in odd]


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))]
)
def test_a_copy_of_a_map_in_a_set_is_such_a_map(copied: Callable[[Any], Any]) -> None:
    made = make_hashable({"a": [1]})

    assert (made, HashableMap) == (copied(made), type(copied(made)))


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.update(b=1),
        lambda m: m.pop("a"),
        lambda m: m.popitem(),
        lambda m: m.clear(),
        lambda m: m.setdefault("b", 1),
        lambda m: m.__setitem__("a", 2),
        lambda m: m.__delitem__("a"),
        lambda m: m.__ior__({"b": 1}),
    ],
)
def test_a_map_in_a_set_cannot_be_changed(change: Callable[[Any], Any]) -> None:
    made = HashableMap(a=1)
    with pytest.raises(TypeError, match=r"^a map in a set cannot be changed; change a copy, dict"):
        change(made)

    assert {"a": 1} == made
