"""Types, coercions and modes: the tables of PtcRunner, an Elixir library, as Python hints.

The hint of a row is what a Python programmer writes for the Elixir type that its id names
(`String.t()` is `str`, `atom()` is `Keyword`, `{:ok, t}` is `tuple[Literal["ok"], T]`).  Each hint
is extracted twice: by default and with `profile="ptc_runner"`, which gives exactly PtcRunner's type.
"""

from __future__ import annotations

import datetime
import io
import socket
import subprocess
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, NewType, TypedDict, overload

import annotated_types
import pytest

import typesig
from typesig.algebra import Keyword


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


def taking(hint: Any) -> Any:
    """Return a function of one parameter with the hint *hint*."""

    def f(value):
        return value

    f.__annotations__ = {"value": hint, "return": hint}
    return f


class Typed(TypedDict):
    key: int


class Opaque:
    def __init__(self, *secret: Any) -> None:
        self.secret = secret


Result = tuple[Literal["ok"], int] | tuple[Literal["error"], str]

MAPPING = [
    # hint, type, type with profile="ptc_runner"
    pytest.param(str, ":string", ":string", id="primitives String.t()"),
    # JSON has no bytes: they are base64.
    pytest.param(bytes, ":string[base64]", ":string", id="primitives binary()"),
    pytest.param(int, ":int", ":int", id="primitives integer()"),
    pytest.param(
        Annotated[int, annotated_types.Ge(0)], ":int[0..]", ":int", id="primitives non_neg_integer()",
    ),
    pytest.param(
        Annotated[int, annotated_types.Gt(0)], ":int[>0]", ":int", id="primitives pos_integer()",
    ),
    pytest.param(float, ":float", ":float", id="primitives float()"),
    pytest.param(int | float, ":float", ":float", id="primitives number()"),
    pytest.param(bool, ":bool", ":bool", id="primitives boolean()"),
    pytest.param(Keyword, ":keyword", ":keyword", id="primitives atom()"),
    pytest.param(Any, ":any", ":any", id="primitives any()"),
    pytest.param(object, ":any", ":any", id="primitives term()"),
    pytest.param(list[int], "[:int]", "[:int]", id="collections list(t)"),
    pytest.param(Sequence[int], "[:int]", "[:int]", id="collections [t]"),
    pytest.param(dict, ":map", ":map", id="collections map()"),
    pytest.param(Typed, "{key :int}", "{key :int}", id="collections %{key: type}"),
    pytest.param(dict[str, int], ":map[:int]", ":map", id="collections %{optional(atom()) => t}"),
    pytest.param(dict[str, Any], ":map", ":map", id="collections keyword()"),
    pytest.param(Typed, "{key :int}", "{key :int}", id="collections keyword(t)"),
    pytest.param(datetime.datetime, ":datetime", ":string", id="special DateTime.t()"),
    pytest.param(datetime.date, ":string[date]", ":string", id="special Date.t()"),
    pytest.param(datetime.time, ":string[time]", ":string", id="special Time.t()"),
    # Python has one class for both kinds of datetime.
    pytest.param(datetime.datetime, ":datetime", ":string", id="special NaiveDateTime.t()"),
    pytest.param(int, ":int", ":int", id="special timeout()"),
    pytest.param(types.ModuleType, ":keyword", ":keyword", id="special module()"),
    pytest.param(int | None, ":int?", ":int?", id="results t | nil"),
    # PtcRunner has no type for sets.
    pytest.param(set[int], "#{:int}", "[:int]", id="unsupported MapSet.t()"),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "shorthand", "_narrow"), MAPPING)
def test_hints_map_to_types(hint: Any, shorthand: str, _narrow: str) -> None:
    from typesig import extract

    extraction = extract(taking(hint))

    assert f"(value {shorthand}) -> {shorthand}" == str(extraction.signature)
    assert [] == lines(extraction.warnings)


@pytest.mark.parametrize(("hint", "_shorthand", "narrow"), MAPPING)
def test_hints_map_to_ptc_runners_types_under_its_profile(
    hint: Any, _shorthand: str, narrow: str
) -> None:
    from typesig import extract

    extraction = extract(taking(hint), profile="ptc_runner")

    assert f"(value {narrow}) -> {narrow}" == str(extraction.signature)


@pytest.mark.parametrize("profile", ["python", "ptc_runner"])
def test_an_ok_error_pair_is_a_record_of_result_and_error(profile: str) -> None:
    from typesig import extract

    def f():
        return "ok", 1

    f.__annotations__ = {"return": Result}

    extraction = extract(f, profile=profile)

    assert "() -> {result :int, error :string?}" == str(extraction.signature)
    assert [] == lines(extraction.warnings)


def test_a_tuple_of_fixed_length_is_any_under_the_profile_ptc_runner_only() -> None:
    from typesig import extract

    pair = taking(tuple[int, str])

    assert "(value [:int, :string]) -> [:int, :string]" == str(extract(pair).signature)
    assert "(value :any) -> :any" == str(extract(pair, profile="ptc_runner").signature)


def test_a_bare_tuple_is_a_list_of_anything_with_a_warning() -> None:
    from typesig import extract

    extraction = extract(taking(tuple))

    assert "(value [:any]) -> [:any]" == str(extraction.signature)
    assert any("value" in line and "tuple" in line for line in lines(extraction.warnings))


UNSUPPORTED = [
    pytest.param(subprocess.Popen, "Popen", id="unsupported pid()"),
    pytest.param(weakref.ref, "ReferenceType", id="unsupported reference()"),
    pytest.param(socket.socket, "socket", id="unsupported port()"),
    pytest.param(io.TextIOWrapper, "TextIOWrapper", id="unsupported port() as a file"),
    pytest.param(Callable[[int], int], "Callable", id="unsupported fun()"),
    pytest.param(Opaque, "Opaque", id="unsupported opaque t()"),
]


@pytest.mark.parametrize(("hint", "name"), UNSUPPORTED)
@pytest.mark.parametrize("profile", ["python", "ptc_runner"])
def test_an_unsupported_hint_is_any_with_a_warning(profile: str, hint: Any, name: str) -> None:
    from typesig import extract

    extraction = extract(taking(hint), profile=profile)

    assert "(value :any) -> :any" == str(extraction.signature)
    assert any("value" in line and name in line for line in lines(extraction.warnings))


@pytest.mark.parametrize(("hint", "name"), UNSUPPORTED)
def test_an_unsupported_hint_is_an_error_in_strict_extraction(hint: Any, name: str) -> None:
    from typesig import extract
    from typesig.errors import ExtractionError

    with pytest.raises(ExtractionError) as raised:
        extract(taking(hint), strict=True)

    assert name in str(raised.value)
    assert "value" in str(raised.value)


EXAMPLES = [
    # type, JSON value, result
    pytest.param(":string", "hello", "hello", id="primitives String.t()"),
    pytest.param(":int", 42, 42, id="primitives integer() 42"),
    pytest.param(":int", -1, -1, id="primitives integer() -1"),
    pytest.param(":int[0..]", 0, 0, id="primitives non_neg_integer() 0"),
    pytest.param(":int[0..]", 42, 42, id="primitives non_neg_integer() 42"),
    pytest.param(":int[>0]", 1, 1, id="primitives pos_integer() 1"),
    pytest.param(":int[>0]", 42, 42, id="primitives pos_integer() 42"),
    pytest.param(":float", 3.14, 3.14, id="primitives float() 3.14"),
    pytest.param(":float", -0.5, -0.5, id="primitives float() -0.5"),
    pytest.param(":float", 42, 42.0, id="primitives number() 42"),
    pytest.param(":float", 3.14, 3.14, id="primitives number() 3.14"),
    pytest.param(":bool", True, True, id="primitives boolean() true"),
    pytest.param(":bool", False, False, id="primitives boolean() false"),
    pytest.param(":keyword", Keyword("pending"), Keyword("pending"), id="primitives atom()"),
    pytest.param(":any", {"x": None}, {"x": None}, id="primitives any()"),
    pytest.param("[:int]", [1, 2, 3], [1, 2, 3], id="collections list(t)"),
    pytest.param(":map", {}, {}, id="collections map()"),
    pytest.param("{key :int}", {"key": 1}, {"key": 1}, id="collections %{key: type}"),
    pytest.param(":map", {"any": "thing"}, {"any": "thing"}, id="collections dynamic keys"),
    pytest.param(":map", {"key": 1}, {"key": 1}, id="collections keyword()"),
    pytest.param("{:key :int}", {"key": 1}, {"key": 1}, id="collections keyword(t)"),
    pytest.param(":string", "2025-12-29T10:30:00Z", "2025-12-29T10:30:00Z", id="special DateTime.t()"),
    pytest.param(
        ":datetime", "2025-12-29T10:30:00Z", datetime.datetime(2025, 12, 29, 10, 30, tzinfo=datetime.UTC),
        id="special DateTime.t() as :datetime",
    ),
    pytest.param(":string[date]", "2025-12-29", "2025-12-29", id="special Date.t()"),
    pytest.param(":string[time]", "10:30:00", "10:30:00", id="special Time.t()"),
    pytest.param(":string", "2025-12-29T10:30:00", "2025-12-29T10:30:00", id="special NaiveDateTime.t()"),
    pytest.param(":int", 5000, 5000, id="special timeout() 5000"),
    pytest.param(":int", -1, -1, id="special timeout() infinity"),
    pytest.param(":keyword", "MyModule", Keyword("MyModule"), id="special module()"),
    pytest.param(
        "{result :int, error :string?}", {"result": 1, "error": None}, {"result": 1, "error": None},
        id="results {:ok, t} | {:error, e}",
    ),
    pytest.param(":int?", 1, 1, id="results t | nil, value"),
    pytest.param(":int?", None, None, id="results t | nil, null"),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "value", "read"), EXAMPLES)
def test_a_json_value_is_read_as_its_type(shorthand: str, value: object, read: object) -> None:
    outcome = typesig.parse(shorthand).validate_and_coerce(value)

    assert [] == lines(outcome.errors)
    assert (read, type(read)) == (outcome.result, type(outcome.result))


COERCIONS = [
    # value, type, result, warnings of `coerce`, warnings of `validate_input`
    pytest.param("42", ":int", 42, ['coerced string "42" to integer'], ['v: coerced string "42" to int'], id='coercion "42" to :int'),
    pytest.param("3.14", ":float", 3.14, ['coerced string "3.14" to float'], ['v: coerced string "3.14" to float'], id='coercion "3.14" to :float'),
    pytest.param("-5", ":int", -5, ['coerced string "-5" to integer'], ['v: coerced string "-5" to int'], id='coercion "-5" to :int'),
    pytest.param("true", ":bool", True, ['coerced string "true" to boolean'], ['v: coerced string "true" to bool'], id='coercion "true" to :bool'),
    pytest.param("false", ":bool", False, ['coerced string "false" to boolean'], ['v: coerced string "false" to bool'], id='coercion "false" to :bool'),
    pytest.param(42, ":float", 42.0, [], [], id="coercion 42 to :float"),
    pytest.param(Keyword("atom"), ":string", "atom", ["coerced keyword :atom to string"], ["v: coerced keyword :atom to string"], id="coercion :atom to :string"),
    pytest.param("atom", ":keyword", Keyword("atom"), ['coerced string "atom" to keyword'], ['v: coerced string "atom" to keyword'], id='coercion "atom" to :keyword'),
]  # fmt: skip


@pytest.mark.parametrize(("value", "to", "read", "spoken", "_reported"), COERCIONS)
def test_a_bare_coerce_gives_the_value_and_its_warnings(
    value: object, to: str, read: object, spoken: list[str], _reported: list[str]
) -> None:
    outcome = typesig.coerce(value, to)

    assert (read, type(read)) == (outcome.result, type(outcome.result))
    assert spoken == lines(outcome.warnings)


@pytest.mark.parametrize(("value", "to", "read", "_spoken", "reported"), COERCIONS)
def test_validate_input_gives_the_value_and_its_warnings(
    value: object, to: str, read: object, _spoken: list[str], reported: list[str]
) -> None:
    outcome = typesig.parse(f"(v {to}) -> :any").validate_input({"v": value})

    assert (read, type(read)) == (outcome.result["v"], type(outcome.result["v"]))
    assert reported == lines(outcome.warnings)


REFUSED = [
    pytest.param(42.0, ":int", "cannot coerce float 42.0 to integer", "v: expected int, got float 42.0", id="coercion 42.0 to :int"),
    pytest.param("hello", ":int", 'cannot coerce string "hello" to integer', 'v: expected int, got string "hello"', id='coercion "hello" to :int'),
]  # fmt: skip


@pytest.mark.parametrize(("value", "to", "spoken", "reported"), REFUSED)
def test_a_value_that_cannot_be_coerced_is_an_error(
    value: object, to: str, spoken: str, reported: str
) -> None:
    bare = typesig.coerce(value, to)
    outcome = typesig.parse(f"(v {to}) -> :any").validate_input({"v": value})

    assert ([spoken], []) == (lines(bare.errors), lines(bare.warnings))
    assert ([reported], []) == (lines(outcome.errors), lines(outcome.warnings))


NEVER = [
    pytest.param("1_000", ":int", id="1_000"),
    pytest.param("0x10", ":int", id="0x10"),
    pytest.param("1e3", ":int", id="1e3"),
    pytest.param("42.0", ":int", id="42.0"),
    pytest.param("٤٢", ":int", id="Unicode digits"),
    pytest.param(" 42", ":int", id="blanks around an int"),
    pytest.param("", ":int", id="empty text"),
    pytest.param("9" * 401, ":int", id="too many digits"),
    pytest.param("3.14abc", ":float", id="3.14abc"),
    pytest.param("nan", ":float", id="nan"),
    pytest.param("Infinity", ":float", id="Infinity"),
    pytest.param("1e999", ":float", id="1e999"),
    pytest.param("1_0.0", ":float", id="1_0.0"),
    pytest.param("True", ":bool", id="True"),
    pytest.param("yes", ":bool", id="yes"),
    pytest.param("1", ":bool", id='"1"'),
    pytest.param(1, ":bool", id="1"),
    pytest.param(None, ":string", id="nil to :string"),
    pytest.param(True, ":string", id="true to :string"),
    pytest.param(True, ":int", id="true to :int"),
    pytest.param(42, ":string", id="42 to :string"),
    pytest.param(2**53 + 1, ":float", id="an int that no float is"),
    pytest.param("LOW", ":enum[low high]", id="letter case"),
]


@pytest.mark.parametrize(("value", "to"), NEVER)
def test_a_coercion_that_loses_or_guesses_never_happens(value: object, to: str) -> None:
    assert not typesig.coerce(value, to).ok


ALSO = [
    pytest.param("+5", ":int", 5, id="+5"),
    pytest.param(" 3.5\n", ":float", 3.5, id="blanks around a float"),
    pytest.param("+3.5", ":float", 3.5, id="+3.5"),
    pytest.param("1e3", ":float", 1000.0, id="1e3 for float"),
    pytest.param("3", ":enum[1 2 3]", 3, id='"3" for an enum of ints'),
    pytest.param("3", ":int|:string", "3", id="a branch that takes it unchanged"),
    pytest.param("3", ":int|:bool", 3, id="the first branch that coerces"),
    pytest.param("true", ":int|:bool", True, id="the branch that can"),
]


@pytest.mark.parametrize(("value", "to", "read"), ALSO)
def test_other_spellings_of_a_value_are_coerced(value: object, to: str, read: object) -> None:
    result = typesig.coerce(value, to).result

    assert (read, type(read)) == (result, type(result))


COERCION_MODES = [
    # mode, input outcome: (ok, value, errors, warnings), output outcome
    pytest.param(
        "enabled",
        (True, {"a": 4, "x": 1}, [], ['a: coerced string "4" to int']),
        (False, None, ['a: expected int, got string "4"'], []),
        id="coercion modes :enabled",
    ),
    pytest.param(
        "warn_only",
        (True, {"a": 4, "x": 1}, [], ['a: coerced string "4" to int']),
        (True, {"a": "4", "x": 1}, [], ['a: expected int, got string "4"']),
        id="coercion modes :warn_only",
    ),
    pytest.param(
        "strict",
        (False, None, ['a: expected int, got string "4"', "x: unexpected key"], []),
        (False, None, ['a: expected int, got string "4"', "x: unexpected key"], []),
        id="coercion modes :strict",
    ),
    pytest.param(
        "disabled",
        (True, {"a": "4", "x": 1}, [], []),
        (True, {"a": "4", "x": 1}, [], []),
        id="coercion modes :disabled",
    ),
]


def told(outcome: Any) -> tuple[bool, Any, list[str], list[str]]:
    value = outcome.value if outcome.ok else None
    return outcome.ok, value, lines(outcome.errors), lines(outcome.warnings)


@pytest.mark.parametrize(("mode", "asked", "answered"), COERCION_MODES)
def test_each_mode_coerces_and_checks_as_listed(mode: str, asked: Any, answered: Any) -> None:
    signature = typesig.parse("(a :int) -> {a :int}")
    data = {"a": "4", "x": 1}

    assert asked == told(signature.validate_input(data, mode=mode))
    assert answered == told(signature.validate_output(data, mode=mode))


BEHAVIOR = [
    pytest.param("enabled", {"a": 1}, [], id="output, value matches type"),
    pytest.param("enabled", {"a": "1"}, ['a: expected int, got string "1"'], id="output, wrong primitive type"),
    pytest.param("enabled", {}, ["a: expected int, got nil (missing)"], id="output, missing required field"),
    pytest.param("enabled", {"a": 1, "c": 2}, [], id="output, extra field, :enabled"),
    pytest.param("strict", {"a": 1, "c": 2}, ["c: unexpected key"], id="output, extra field, :strict"),
    pytest.param("enabled", {"a": None}, ["a: expected int, got nil"], id="output, nil for required field"),
    pytest.param("enabled", {"a": 1, "b": None}, [], id="output, nil for optional field"),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "value", "errors"), BEHAVIOR)
def test_outputs_are_checked_without_coercion(
    mode: str, value: dict[str, object], errors: list[str]
) -> None:
    outcome = typesig.parse("{a :int, b :string?}").validate_output(value, mode=mode)

    assert errors == lines(outcome.errors)
    if not errors:
        assert value is outcome.value


def test_a_report_lists_errors_before_warnings_with_their_paths() -> None:
    signature = typesig.parse(
        "(results [{customer {id :int}, amount :float}], metadata {timestamp :string}, "
        "limit :int, user_id :int) -> :any"
    )

    outcome = signature.validate_input(
        {
            "results": [
                {"customer": {"id": "abc"}, "amount": 1.0},
                {"customer": {"id": 1}, "amount": 2.0},
                {"customer": {"id": 2}, "amount": None},
            ],
            "metadata": {"timestamp": 1703849400},
            "limit": "10",
            "user_id": "42",
        }
    )

    assert """\
Tool validation errors:
- results[0].customer.id: expected int, got string "abc"
- results[2].amount: expected float, got nil
- metadata.timestamp: expected string, got int 1703849400

Tool validation warnings:
- limit: coerced string "10" to int
- user_id: coerced string "42" to int""" == outcome.report()


# Extraction


@overload
def search(query: str) -> list[dict[str, Any]]: ...
@overload
def search(query: str, limit: int) -> list[dict[str, Any]]: ...
def search(query, limit=10):
    return [{"query": query}][:limit]


@overload
def either(key: int) -> int: ...
@overload
def either(key: str) -> str: ...
def either(key: int | str) -> int | str:
    return key


class User(TypedDict):
    id: int
    name: str


class D(TypedDict):
    x: int


class C(TypedDict):
    d: D


class B(TypedDict):
    c: C


class A(TypedDict):
    b: B


class Rows(TypedDict):
    rows: list[dict[str, C]]


class Node(TypedDict):
    value: int
    children: list[Node]


UserId = NewType("UserId", int)


def get_user(id: int) -> tuple[Literal["ok"], User] | tuple[Literal["error"], Keyword]:
    return ("error", Keyword("not_found")) if id < 0 else ("ok", {"id": id, "name": "Ann"})


def test_of_several_overloads_the_one_with_most_parameters_is_extracted() -> None:
    from typesig import extract

    assert "(query :string, limit :int = 10) -> [:map]" == str(extract(search).signature)


def test_of_overloads_with_as_many_parameters_the_implementation_is_extracted() -> None:
    from typesig import extract

    assert "(key :int|:string) -> :int|:string" == str(extract(either).signature)


def test_several_overloads_are_an_error_in_strict_extraction() -> None:
    from typesig import extract
    from typesig.errors import ExtractionError

    for function in (search, either):
        with pytest.raises(ExtractionError):
            extract(function, strict=True)


def test_an_explicit_signature_overrides_the_overloads() -> None:
    from typesig import tool

    explicit = tool("(query :string) -> [:map]")(search)

    assert "(query :string) -> [:map]" == str(explicit.signature)


@pytest.mark.parametrize("profile", ["python", "ptc_runner"])
def test_record_types_in_ok_error_pairs_are_expanded(profile: str) -> None:
    from typesig import extract

    extraction = extract(get_user, profile=profile)

    assert "(id :int) -> {result {id :int, name :string}, error :keyword?}" == str(
        extraction.signature
    )
    assert [] == lines(extraction.warnings)


@pytest.mark.parametrize("profile", ["python", "ptc_runner"])
def test_a_call_turns_ok_error_pairs_into_records(profile: str) -> None:
    from typesig import tool

    looked_up = tool(profile=profile)(get_user)

    assert {"id": 1, "name": "Ann"} == looked_up.call({"id": 1}).value["result"]
    assert "not_found" == looked_up.call({"id": -1}).value["error"]


EXPANSION = [
    pytest.param(D, {}, "{x :int}", False, id="expansion limits, one deep"),
    pytest.param(B, {}, "{c {d {x :int}}}", False, id="expansion limits, three deep"),
    pytest.param(A, {}, "{b {c {d :any}}}", True, id="expansion limits, four deep"),
    pytest.param(A, {"max_depth": 4}, "{b {c {d {x :int}}}}", False, id="expansion limits, the option"),
    pytest.param(A, {"max_depth": 1}, "{b :any}", True, id="expansion limits, the option below"),
    pytest.param(Rows, {}, "{rows [:map[{d {x :int}}]]}", False, id="expansion limits, containers do not count"),
    pytest.param(list[list[list[list[UserId]]]], {}, "[[[[:int]]]]", False, id="expansion limits, aliases of scalars do not count"),
    pytest.param(Opaque, {}, ":any", True, id="expansion limits, opaque types"),
    pytest.param(Node, {}, "{value :int, children [:any]}", True, id="expansion limits, self-reference"),
]  # fmt: skip


@pytest.mark.parametrize(("hint", "options", "shorthand", "warned"), EXPANSION)
def test_named_types_are_expanded_up_to_a_limit(
    hint: Any, options: dict[str, Any], shorthand: str, warned: bool
) -> None:
    from typesig import extract

    extraction = extract(taking(hint), **options)

    assert f"(value {shorthand}) -> {shorthand}" == str(extraction.signature)
    assert warned == bool(extraction.warnings)


@pytest.mark.parametrize(("hint", "options", "shorthand", "warned"), EXPANSION)
def test_named_types_are_expanded_up_to_a_limit_under_the_profile_ptc_runner(
    hint: Any, options: dict[str, Any], shorthand: str, warned: bool
) -> None:
    from typesig import extract

    # The profile has no type for the values of a dictionary.
    expected = "{rows [:map]}" if hint is Rows else shorthand

    extraction = extract(taking(hint), profile="ptc_runner", **options)

    assert f"(value {expected}) -> {expected}" == str(extraction.signature)
    assert warned == bool(extraction.warnings)


def test_a_self_referential_type_keeps_its_name_with_recursive() -> None:
    from typesig import extract

    extraction = extract(taking(Node), recursive=True)

    assert ("(value :Node) -> :Node where Node = {value :int, children [:Node]}") == str(
        extraction.signature
    )
    assert [] == lines(extraction.warnings)


def test_an_extraction_has_a_name_and_a_signature() -> None:
    from typesig import extract

    def search(query: str, limit: int) -> list[dict[str, Any]]:
        return [{"query": query}][:limit]

    extraction = extract(search)

    assert "search" == extraction.name
    assert "(query :string, limit :int) -> [:map]" == typesig.render(extraction.signature)


def test_a_whole_float_is_coerced_to_an_int_by_a_policy_that_turns_it_on() -> None:
    policy = typesig.Policy().on("int_from_whole_float")

    outcome = typesig.parse("(n :int) -> :any").validate_input({"n": 42.0}, mode=policy)

    assert ["n: coerced float 42.0 to int"] == lines(outcome.warnings)
    assert (42, int) == (outcome.value["n"], type(outcome.value["n"]))


@pytest.mark.parametrize(
    ("hint", "sent", "received"),
    [
        pytest.param(int | float, 3, int, id="primitives number(), an int"),
        pytest.param(int | float, 3.5, float, id="primitives number(), a float"),
        pytest.param(float, 3, float, id="primitives float(), an int"),
    ],
)
def test_a_function_receives_the_kind_of_number_of_its_hint(
    hint: Any, sent: object, received: type
) -> None:
    from typesig import tool

    seen: list[type] = []

    def f(value):
        seen.append(type(value))

    f.__annotations__ = {"value": hint, "return": None}
    tool(f).call({"value": sent})

    assert [received] == seen
