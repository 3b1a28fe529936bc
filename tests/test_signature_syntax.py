"""Seed 001 (signature syntax): every table and example of it.

Not here, with the reason:

- "String Keys at Tool Boundary", WRONG and CORRECT function heads: Elixir patterns; what holds in
  Python (keys are plain text at every depth) is a row below.
- "Calling Tools from PTC-Lisp", `(tool/search :query "budget" :limit 10)`: the call without braces
  is PTC-Lisp's own; the map form, the positional mistake and the empty call are rows below.
- `(return {...})`, `data/_email_ids`, `step.return[...]`: PTC-Lisp and its runtime; the data itself
  is checked below.
- "See Also": links.
"""

from __future__ import annotations

import datetime
import subprocess
import weakref
from typing import Any, Literal, TypedDict

import pytest

import typesig
from typesig import Keyword
from typesig.errors import TooDeep

REPORT = """\
Tool validation errors:
- results[0].customer.id: expected int, got string "abc"
- results[2].amount: expected float, got nil

Tool validation warnings:
- limit: coerced string "10" to int"""


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


# Shorthand, read and written.

AS_WRITTEN = [
    # what the seed prints is canonical text, save the parameter list of a result alone
    pytest.param(":string", "() -> :string", id="001 primitives :string"),
    pytest.param(":int", "() -> :int", id="001 primitives :int"),
    pytest.param(":float", "() -> :float", id="001 primitives :float"),
    pytest.param(":bool", "() -> :bool", id="001 primitives :bool"),
    pytest.param(":keyword", "() -> :keyword", id="001 primitives :keyword"),
    pytest.param(":any", "() -> :any", id="001 primitives :any"),
    pytest.param(
        "(query :string, limit :int) -> {count :int, items [{id :int}]}", None, id="001 overview",
    ),
    pytest.param("() -> {name :string, price :float}", None, id="001 basic structure, in full"),
    pytest.param("{name :string, price :float}", "() -> {name :string, price :float}", id="001 basic structure, output only"),
    pytest.param("[:int]", "() -> [:int]", id="001 lists [:int]"),
    pytest.param("[:string]", "() -> [:string]", id="001 lists [:string]"),
    pytest.param("[:any]", "() -> [:any]", id="001 lists [:any]"),
    pytest.param("[:map]", "() -> [:map]", id="001 lists [:map]"),
    pytest.param("[{id :int, name :string}]", "() -> [{id :int, name :string}]", id="001 lists of typed maps"),
    pytest.param("[:int] ; List of integers", "() -> [:int]", id="001 lists with the seed's comment"),
    pytest.param("{id :int, name :string}", "() -> {id :int, name :string}", id="001 maps"),
    pytest.param("{customer {id :int, name :string}}", "() -> {customer {id :int, name :string}}", id="001 maps nested"),
    pytest.param(":map ; Any map (dynamic keys)", "() -> :map", id="001 maps :map"),
    pytest.param("{id :int, email :string?}", "() -> {id :int, email :string?}", id="001 optional fields"),
    pytest.param("(items [:any]) -> :bool", None, id="001 invalid names, the fix with [:any]"),
    pytest.param("(items [:string]) -> :bool", None, id="001 invalid names, the fix with [:string]"),
    pytest.param("(user {id :int, name :string}, limit :int) -> [{order_id :int}]", None, id="001 named parameters"),
    pytest.param("(user_id :int) -> {order_count :int, is_active :bool}", None, id="001 naming convention"),
    pytest.param(
        "{summary :string, count :int, _email_ids [:int]}", "() -> {summary :string, count :int, _email_ids [:int]}",
        id="001 firewalled fields",
    ),
    pytest.param("{answer :int}", "() -> {answer :int}", id="001 examples simple output"),
    pytest.param(
        "{name :string, price :float, in_stock :bool}", "() -> {name :string, price :float, in_stock :bool}",
        id="001 examples multiple fields",
    ),
    pytest.param("[{id :int, title :string}]", "() -> [{id :int, title :string}]", id="001 examples list output"),
    pytest.param("(user_id :int) -> {name :string, orders [:map]}", None, id="001 examples with inputs"),
    pytest.param(
        "(query :string, options {limit :int?, sort :string?}) ->\n"
        "{results [{id :int, score :float, metadata :map}], total :int}\n",
        "(query :string, options {limit :int?, sort :string?}) -> "
        "{results [{id :int, score :float, metadata :map}], total :int}",
        id="001 examples complex nested",
    ),
    pytest.param("{summary :string, _raw_data [:map]}", "() -> {summary :string, _raw_data [:map]}", id="001 examples firewalled data"),
    pytest.param("(id :int, name :string) -> :bool", None, id="001 input validation"),
    pytest.param("() -> {count :int, items [:string]}", None, id="001 output validation"),
    pytest.param("(user {profile {name :string}}) -> :bool", None, id="001 nested maps"),
    pytest.param("(user {name :string}, topic :string) -> {count :int}", None, id="001 placeholders"),
    pytest.param("(query :string, limit :int) -> [{id :int}]", None, id="001 calling tools search"),
    pytest.param("(url :string) -> {text :string}", None, id="001 calling tools fetch_page"),
    pytest.param("() -> {count :int}", None, id="001 calling tools get_count"),
    pytest.param("(query :string, limit :int) -> [{id :int, title :string}]", None, id="001 schema generation search"),
    pytest.param("(id :int) -> {name :string, email :string?}", None, id="001 schema generation get_user"),
    pytest.param(
        "{user {id :int, address {city :string, zip :string}}}", "() -> {user {id :int, address {city :string, zip :string}}}",
        id="001 summary nested",
    ),
    pytest.param("{count :int}", "() -> {count :int}", id="001 summary no inputs"),
    pytest.param("() -> :any", None, id="001 edge cases () -> :any"),
    pytest.param("{}", "() -> {}", id="001 edge cases {}"),
    pytest.param("[{}]", "() -> [{}]", id="001 edge cases [{}]"),
    pytest.param(
        "{user {profile {settings {theme {colors {primary :string}}}}}}",
        "() -> {user {profile {settings {theme {colors {primary :string}}}}}}",
        id="001 nesting, deep",
    ),
    pytest.param("{user {profile :map}}", "() -> {user {profile :map}}", id="001 nesting, flatter"),
    pytest.param("[{id :int, name :string}]", "() -> [{id :int, name :string}]", id="001 coercion in nested structures"),
    # decision 31: what the seed has for later is part of the language.
    pytest.param(
        "(status :enum[pending active closed]) -> {ok :bool}",
        '(status :enum["pending" "active" "closed"]) -> {ok :bool}',
        id="001 future enums",
    ),
    pytest.param("(value :string|:int) -> {result :any}", None, id="001 future unions"),
    pytest.param("(page :int[>0], limit :int[1..100]) -> [{id :int}]", None, id="001 future refinements"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "canonical"), AS_WRITTEN)
def test_the_seeds_signatures_are_written_as_the_seed_prints_them(
    written: str, canonical: str | None
) -> None:
    canonical = written if canonical is None else canonical

    assert canonical == typesig.render(written)
    assert canonical == str(typesig.parse(written))
    assert typesig.parse(written) == typesig.parse(canonical)


@pytest.mark.parametrize(
    ("alone", "whole"),
    [
        pytest.param("{name :string, price :float}", "() -> {name :string, price :float}", id="001 basic structure"),
        pytest.param("{count :int}", "() -> {count :int}", id="001 summary shorthand"),
        pytest.param(":any", "() -> :any", id="001 edge cases :any"),
    ],
)  # fmt: skip
def test_an_output_alone_is_a_signature_without_inputs(alone: str, whole: str) -> None:
    assert typesig.parse(whole) == typesig.parse(alone)


_LIST = "write [:any] for a list of anything, [:string] for a list of texts"

WRONG_NAMES = [
    pytest.param(":list", f'there is no type ":list"; {_LIST}', id="001 invalid names :list"),
    pytest.param("(items :list) -> :bool", f'there is no type ":list"; {_LIST}', id="001 invalid names, the seed's WRONG"),
    pytest.param(":array", f'there is no type ":array"; {_LIST}', id="001 invalid names :array"),
    # notation.md has tuples, so they are named beside the maps that the seed offers.
    pytest.param(":tuple", 'there is no type ":tuple"; write [:a, :b], or {name :a} for named values', id="001 invalid names :tuple"),
    pytest.param(":object", 'there is no type ":object"; write {field :type}, or :map for any map', id="001 invalid names :object"),
    pytest.param("(param1 :type, param2 :type) -> :any", 'there is no type ":type"', id="001 summary, :type is a placeholder"),
    pytest.param("() -> output_type", "output_type is no type; a type begins with a colon, as in :string", id="001 summary, output_type is a placeholder"),
    pytest.param("[]", "a list of what? write [:any] for a list of anything", id="001 edge cases []"),
    pytest.param("", "an empty text is no signature; write :any for anything", id="001 edge cases empty text"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "remedy"), WRONG_NAMES)
def test_a_common_mistake_is_answered_with_what_to_write(written: str, remedy: str) -> None:
    with pytest.raises(typesig.SignatureSyntaxError) as raised:
        typesig.parse(written)

    assert remedy in raised.value.message


def test_brackets_may_nest_beyond_what_anyone_reads_up_to_a_stated_limit() -> None:
    # notation.md, section 2, sets a limit where the seed has none.
    deep, deeper = "[" * 100 + ":int" + "]" * 100, "[" * 1000 + ":int" + "]" * 1000

    assert f"() -> {deep}" == typesig.render(deep)
    with pytest.raises(TooDeep):
        typesig.parse(deeper)


# Values.

CONFORMING = [
    pytest.param(":string", "hello", id="001 primitives :string"),
    pytest.param(":string", "", id="001 primitives :string empty"),
    pytest.param(":int", 42, id="001 primitives :int 42"),
    pytest.param(":int", -1, id="001 primitives :int -1"),
    pytest.param(":int", 0, id="001 primitives :int 0"),
    pytest.param(":float", 3.14, id="001 primitives :float 3.14"),
    pytest.param(":float", -0.5, id="001 primitives :float -0.5"),
    pytest.param(":bool", True, id="001 primitives :bool true"),
    pytest.param(":bool", False, id="001 primitives :bool false"),
    pytest.param(":keyword", Keyword("pending"), id="001 primitives :keyword :pending"),
    pytest.param(":keyword", Keyword("active"), id="001 primitives :keyword :active"),
    pytest.param(":any", [1, "a", None], id="001 primitives :any"),
    pytest.param("[:map]", [{"a": 1}, {}], id="001 lists [:map]"),
    pytest.param("[{id :int, name :string}]", [{"id": 1, "name": "a"}], id="001 lists of typed maps"),
    pytest.param("{customer {id :int, name :string}}", {"customer": {"id": 1, "name": "a"}}, id="001 maps nested"),
    pytest.param(":map", {"any": {"key": 1}}, id="001 maps :map"),
    pytest.param("{id :int, email :string?}", {"id": 1, "email": None}, id="001 optional fields nil"),
    pytest.param("{id :int, email :string?}", {"id": 1}, id="001 optional fields omitted"),
    pytest.param("{answer :int}", {"answer": 42}, id="001 examples simple output"),
    pytest.param(
        "{name :string, price :float, in_stock :bool}", {"name": "Widget", "price": 99.99, "in_stock": True},
        id="001 examples multiple fields",
    ),
    pytest.param(
        "[{id :int, title :string}]", [{"id": 1, "title": "First"}, {"id": 2, "title": "Second"}],
        id="001 examples list output",
    ),
    pytest.param("{name :string, orders [:map]}", {"name": "Alice", "orders": [{"id": 1}]}, id="001 examples with inputs"),
    pytest.param(
        "{results [{id :int, score :float, metadata :map}], total :int}",
        {"results": [{"id": 1, "score": 0.5, "metadata": {"a": 1}}], "total": 1},
        id="001 examples complex nested",
    ),
    pytest.param("{summary :string, _raw_data [:map]}", {"summary": "...", "_raw_data": [{}]}, id="001 examples firewalled data"),
    pytest.param("{count :int, items [:string]}", {"count": 5, "items": ["a", "b"]}, id="001 output validation"),
    pytest.param(":any", object, id="001 edge cases :any, no validation"),
    pytest.param("{}", {}, id="001 edge cases {} empty"),
    pytest.param("{}", {"any": 1}, id="001 edge cases {} no required fields"),
    pytest.param("[:any]", [1, "a", None, {}], id="001 edge cases [:any]"),
    pytest.param("[{}]", [{}, {"a": 1}], id="001 edge cases [{}]"),
    pytest.param(
        "{user {id :int, address {city :string, zip :string}}}",
        {"user": {"id": 1, "address": {"city": "Ulm", "zip": "89073"}}},
        id="001 summary nested",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "value"), CONFORMING)
def test_the_seeds_examples_conform_to_their_type(shorthand: str, value: object) -> None:
    outcome = typesig.parse(shorthand).validate_output(value)

    assert [] == lines(outcome.errors)
    assert value is outcome.result


FAILING = [
    pytest.param("{}", [], "expected map, got list []", id="001 edge cases {} must be a map"),
    pytest.param("[{}]", [1], "[0]: expected map, got int 1", id="001 edge cases [{}]"),
    pytest.param("[:any]", {}, "expected list, got map {}", id="001 edge cases [:any]"),
    pytest.param("{id :int, email :string?}", {"email": None}, "id: expected int, got nil (missing)", id="001 optional fields, the other one"),
    pytest.param("{count :int, items [:string]}", {"count": 5, "items": [1]}, "items[0]: expected string, got int 1", id="001 output validation"),
    pytest.param("{answer :int}", {"answer": "42"}, 'answer: expected int, got string "42"', id="001 coercion, never in output"),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "value", "message"), FAILING)
def test_what_is_of_another_type_is_an_error(shorthand: str, value: object, message: str) -> None:
    assert [message] == lines(typesig.parse(shorthand).validate_output(value).errors)


COERCIONS = [
    pytest.param("42", ":int", 42, ['v: coerced string "42" to int'], id='001 coercion "42"'),
    pytest.param("3.14", ":float", 3.14, ['v: coerced string "3.14" to float'], id='001 coercion "3.14"'),
    pytest.param("true", ":bool", True, ['v: coerced string "true" to bool'], id='001 coercion "true"'),
    pytest.param(42, ":float", 42.0, [], id="001 coercion 42 is silent"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "to", "made", "warnings"), COERCIONS)
def test_inputs_are_coerced_as_the_table_says(
    value: object, to: str, made: object, warnings: list[str]
) -> None:
    outcome = typesig.parse(f"(v {to}) -> :any").validate_input({"v": value})

    assert (made, type(made)) == (outcome.value["v"], type(outcome.value["v"]))
    assert warnings == lines(outcome.warnings)


def test_a_tool_call_with_a_quoted_number_goes_on_with_a_warning() -> None:
    signature = typesig.parse("(id :int, name :string) -> :bool")

    outcome = signature.validate_input({"id": "42", "name": "Alice"})

    assert {"id": 42, "name": "Alice"} == outcome.value
    assert ['id: coerced string "42" to int'] == lines(outcome.warnings)


def test_coercion_applies_to_nested_types() -> None:
    rows = [{"id": "42", "name": "Alice"}]

    asked = typesig.parse("(v [{id :int, name :string}]) -> :any").validate_input({"v": rows})
    answered = typesig.parse("[{id :int, name :string}]").validate_and_coerce(rows)

    assert {"v": [{"id": 42, "name": "Alice"}]} == asked.value
    assert ['v[0].id: coerced string "42" to int'] == lines(asked.warnings)
    assert [{"id": 42, "name": "Alice"}] == answered.value
    assert ['[0].id: coerced string "42" to int'] == lines(answered.warnings)


MODES = [
    pytest.param("enabled", {"a": "x"}, False, ['a: expected int, got string "x"'], [], id="001 modes :enabled fails on errors"),
    pytest.param("enabled", {"a": 1, "b": 2}, True, [], [], id="001 modes :enabled allows extra fields"),
    pytest.param("warn_only", {"a": "x"}, True, [], ['a: expected int, got string "x"'], id="001 modes :warn_only continues"),
    pytest.param("disabled", {"a": "x"}, True, [], [], id="001 modes :disabled skips all validation"),
    pytest.param("disabled", "no map at all", True, [], [], id="001 modes :disabled looks at nothing"),
    pytest.param("strict", {"a": "x"}, False, ['a: expected int, got string "x"'], [], id="001 modes :strict fails on errors"),
    pytest.param("strict", {"a": 1, "b": 2}, False, ["b: unexpected key"], [], id="001 modes :strict rejects extra fields"),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "value", "ok", "errors", "warnings"), MODES)
def test_each_mode_does_what_its_row_says(
    mode: str, value: object, ok: bool, errors: list[str], warnings: list[str]
) -> None:
    asked = typesig.parse("(a :int) -> :any").validate_input(value, mode=mode)
    answered = typesig.parse("{a :int}").validate_output(value, mode=mode)

    assert [ok, ok] == [asked.ok, answered.ok]
    assert [errors, errors] == [lines(asked.errors), lines(answered.errors)]
    assert [warnings, warnings] == [lines(asked.warnings), lines(answered.warnings)]


def test_a_report_is_written_as_the_seed_prints_it() -> None:
    signature = typesig.parse("(results [{customer {id :int}, amount :float}], limit :int) -> :any")

    outcome = signature.validate_input(
        {
            "results": [
                {"customer": {"id": "abc"}, "amount": 1.0},
                {"customer": {"id": 1}, "amount": 2.0},
                {"customer": {"id": 2}, "amount": None},
            ],
            "limit": "10",
        }
    )

    assert REPORT == outcome.report()


# Keys.

FOLDED = [
    pytest.param("order-count", "order_count", id="001 naming :order-count"),
    pytest.param("is-active", "is_active", id="001 naming :is-active"),
    pytest.param("user-id", "user_id", id="001 naming :user-id"),
]


@pytest.mark.parametrize(("written", "received"), FOLDED)
def test_a_hyphen_in_a_key_is_an_underscore(written: str, received: str) -> None:
    signature = typesig.parse(f"({received} :int) -> {{{received} :int}}")

    assert {received: 1} == signature.validate_input({written: 1}).value
    assert {received: 1} == signature.validate_input({written: 1}, mode="strict").value
    assert {received: 1} == signature.validate_output({written: 1}).value
    assert {received: 1} == typesig.normalize_keys({written: 1})


def test_the_seeds_return_with_hyphens_is_what_the_signature_says() -> None:
    signature = typesig.parse("(user_id :int) -> {order_count :int, is_active :bool}")

    outcome = signature.validate_output({"order-count": 5, "is-active": True})

    assert {"order_count": 5, "is_active": True} == outcome.value


def test_keys_are_normalized_at_the_boundary() -> None:
    assert {"user_name": "Alice", "created_at": "2024-01-01"} == typesig.normalize_keys(
        {"user-name": "Alice", "created-at": "2024-01-01"}
    )


def test_keys_are_normalized_at_every_depth() -> None:
    assert {"user_a": [{"b_c": {"d_e": "f-g"}}]} == typesig.normalize_keys(
        {"user-a": [{"b-c": {"d-e": "f-g"}}]}
    )


def test_undeclared_keys_keep_their_hyphens() -> None:
    # decision 16
    signature = typesig.parse("(user_id :int) -> :any")

    assert {"user_id": 1, "x-y": 2} == signature.validate_input({"user-id": 1, "x-y": 2}).value


def test_both_spellings_of_one_key_are_an_error_in_every_mode_that_checks() -> None:
    # decision 16
    signature = typesig.parse("(user_id :int) -> :any")
    both = {"user-id": 1, "user_id": 2}

    assert [['user_id: given twice, as "user-id" and "user_id"']] * 2 == [
        lines(signature.validate_input(both, mode=mode).errors) for mode in ("enabled", "strict")
    ]


def test_keys_are_plain_text_at_every_depth() -> None:
    signature = typesig.parse("(user {profile {name :string}}) -> :bool")
    key = Keyword

    value = signature.validate_input({key("user"): {key("profile"): {key("name"): "Alice"}}}).value

    assert {"user": {"profile": {"name": "Alice"}}} == value
    assert [str, str, str] == [
        *map(type, value),
        *map(type, value["user"]),
        *map(type, value["user"]["profile"]),
    ]


# Firewalled fields.


@pytest.mark.parametrize(
    ("returns", "shown", "hidden", "value"),
    [
        pytest.param(
            "{summary :string, count :int, _email_ids [:int]}", "{summary :string, count :int}", "_email_ids",
            {"summary": "s", "count": 1, "_email_ids": [1, 2]},
            id="001 firewalled fields",
        ),
        pytest.param(
            "{summary :string, _raw_data [:map]}", "{summary :string}", "_raw_data",
            {"summary": "...", "_raw_data": [{}]},
            id="001 examples firewalled data",
        ),
    ],
)  # fmt: skip
def test_firewalled_fields_are_for_python_alone(
    returns: str, shown: str, hidden: str, value: dict[str, object]
) -> None:
    from typesig import tool, tools_of

    @tool(f"() -> {returns}")
    def summarize():
        """Summarize."""
        return value

    listing = tools_of([summarize]).prompt()

    assert f"summarize() -> {shown}\n" in listing
    assert hidden not in listing
    assert value[hidden] == summarize.call({}).value[hidden]


def test_firewalled_fields_are_checked_and_reported_without_name_and_value() -> None:
    signature = typesig.parse("{summary :string, _email_ids [:int]}")

    outcome = signature.validate_output({"summary": "s", "_email_ids": ["secret"]})

    assert ["<Firewalled>: this value does not conform"] == lines(outcome.errors)
    assert ("_email_ids", 0) == outcome.errors[0].path


def test_firewalled_parameters_are_supplied_by_python_and_refused_from_a_model() -> None:
    # decision 41
    from typesig import tool, tools_of

    @tool("(query :string, _db :any) -> :string")
    def search(query, _db):
        """Search."""
        return f"{query} in {_db}"

    refused = search.call({"query": "a", "_db": "theirs"}, given={"_db": "ours"})

    assert "a in ours" == search.call({"query": "a"}, given={"_db": "ours"}).value
    assert ["_db: unexpected key"] == lines(refused.errors)
    assert "search(query :string) -> :string\n" in tools_of([search]).prompt()


# Extraction.


class Row(TypedDict):
    key: int


TYPE_MAPPING = [
    pytest.param(str, ":string", id="001 type mapping String.t()"),
    pytest.param(int, ":int", id="001 type mapping integer()"),
    pytest.param(float, ":float", id="001 type mapping float()"),
    pytest.param(bool, ":bool", id="001 type mapping boolean()"),
    pytest.param(Keyword, ":keyword", id="001 type mapping atom()"),
    pytest.param(dict, ":map", id="001 type mapping map()"),
    pytest.param(list[int], "[:int]", id="001 type mapping list(t)"),
    pytest.param(Row, "{key :int}", id="001 type mapping %{key: type}"),
]  # fmt: skip


def taking(hint: Any) -> Any:
    def f(value):
        return value

    f.__annotations__ = {"value": hint, "return": hint}
    return f


@pytest.mark.parametrize(("hint", "shorthand"), TYPE_MAPPING)
def test_hints_map_to_types_as_the_table_says(hint: Any, shorthand: str) -> None:
    from typesig import extract

    extraction = extract(taking(hint))

    assert f"(value {shorthand}) -> {shorthand}" == str(extraction.signature)
    assert () == tuple(extraction.warnings)


def test_an_ok_error_pair_needs_no_explicit_signature() -> None:
    # "001 explicit signatures, {:ok, t} | {:error, term}"; decision 22: converted.
    from typesig import extract

    def f():
        return "ok", 1

    f.__annotations__ = {"return": tuple[Literal["ok"], int] | tuple[Literal["error"], str]}

    assert "() -> {result :int, error :string?}" == str(extract(f).signature)


NEED_A_SIGNATURE = [
    pytest.param(subprocess.Popen, id="001 explicit signatures pid()"),
    pytest.param(weakref.ref, id="001 explicit signatures reference()"),
]


@pytest.mark.parametrize("hint", NEED_A_SIGNATURE)
def test_what_json_has_no_form_for_is_any_with_a_warning_or_an_error_in_strict(hint: Any) -> None:
    # decision 23
    from typesig import ExtractionError, extract

    extraction = extract(taking(hint))

    assert "(value :any) -> :any" == str(extraction.signature)
    assert any("value" in str(w) and hint.__name__ in str(w) for w in extraction.warnings)
    with pytest.raises(ExtractionError):
        extract(taking(hint), strict=True)


def test_an_explicit_signature_stands_where_a_hint_says_nothing() -> None:
    from typesig import tool

    @tool("(pid :string) -> :bool")
    def alive(pid):
        return pid == "a"

    assert "(pid :string) -> :bool" == str(alive.signature)
    assert True is alive.call({"pid": "a"}).value


# Placeholders.

VALID_PLACEHOLDERS = [
    pytest.param("{{name}}", "(name :string) -> :any", {"name": "Ann"}, id="001 placeholders {{name}}"),
    pytest.param("{{user.name}}", "(user {name :string}) -> :any", {"user": {"name": "Ann"}}, id="001 placeholders {{user.name}}"),
    pytest.param(
        "{{user.address.city}}", "(user {address {city :string}}) -> :any", {"user": {"address": {"city": "Ann"}}},
        id="001 placeholders {{user.address.city}}",
    ),
    pytest.param("{{user-name}}", "(user_name :string) -> :any", {"user_name": "Ann"}, id="001 placeholders {{user-name}}"),
    pytest.param("{{user_name}}", "(user_name :string) -> :any", {"user_name": "Ann"}, id="001 placeholders {{user_name}}"),
    pytest.param("{{ name }}", "(name :string) -> :any", {"name": "Ann"}, id="001 placeholders {{ name }} is trimmed"),
    # decision 42
    pytest.param("{{user.x.y}}", "(user :map) -> :any", {"user": {"x": {"y": "Ann"}}}, id="001 placeholders below :map"),
    pytest.param("{{user.x}}", "(user :any) -> :any", {"user": {"x": "Ann"}}, id="001 placeholders below :any"),
    pytest.param("{{_hidden}}", "(_hidden :string) -> :any", {"_hidden": "Ann"}, id="001 placeholders {{_hidden}}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "signature", "values"), VALID_PLACEHOLDERS)
def test_valid_placeholders_are_filled(
    text: str, signature: str, values: dict[str, object]
) -> None:
    from typesig import Template

    assert "Hi Ann." == Template(f"Hi {text}.", signature).render(values)


INVALID_PLACEHOLDERS = [
    pytest.param("{{123}}", id="001 placeholders {{123}}"),
    pytest.param("{{}}", id="001 placeholders {{}}"),
]


@pytest.mark.parametrize("text", INVALID_PLACEHOLDERS)
def test_invalid_placeholders_are_errors_that_show_them(text: str) -> None:
    from typesig import Template, TypesigError, placeholders

    with pytest.raises(TypesigError) as raised:
        placeholders(text)
    with pytest.raises(TypesigError):
        Template(text, "(name :string) -> :any")

    assert text in str(raised.value)


def test_placeholders_are_checked_when_the_template_is_made() -> None:
    from typesig import Template, TypesigError

    signature = "(user {name :string}, topic :string) -> {count :int}"

    template = Template("Find emails for {{user.name}} about {{topic}}", signature)

    assert "Find emails for Ann about tax" == template.render(
        {"user": {"name": "Ann"}, "topic": "tax"}
    )
    for wrong in ("{{subject}}", "{{user.mail}}", "{{topic.name}}"):
        with pytest.raises(TypesigError):
            Template(f"Find {wrong}", signature)


def test_the_placeholders_of_a_text_are_told() -> None:
    from typesig import placeholders

    found = placeholders("Find emails for {{user.name}} about {{ topic }}, {{user.name}}")

    assert (("user", "name"), ("topic",)) == found


# Calling tools.


def made_tools() -> Any:
    from typesig import tool, tools_of

    @tool("(query :string, limit :int) -> [{id :int}]")
    def search(query, limit):
        """Search for items matching query."""
        return [{"id": len(query)}][:limit]

    @tool("(url :string) -> {text :string}")
    def fetch_page(url):
        """Fetch a page."""
        return {"text": url}

    @tool("() -> {count :int}")
    def get_count():
        """Count."""
        return {"count": 3}

    return tools_of([search, fetch_page, get_count])


CALLS = [
    pytest.param("search", {"query": "budget", "limit": 10}, [{"id": 6}], id="001 calling tools, map literal"),
    pytest.param("search", {"limit": 10, "query": "budget"}, [{"id": 6}], id="001 why named arguments, any order"),
    pytest.param("search", '{"query": "budget", "limit": 10}', [{"id": 6}], id="001 why named arguments, JSON"),
    pytest.param("fetch_page", {"url": "https://example.com"}, {"text": "https://example.com"}, id="001 calling tools, one parameter"),
    pytest.param("get_count", {}, {"count": 3}, id="001 calling tools, empty map"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "value"), CALLS)
def test_tools_take_named_arguments(name: str, arguments: object, value: object) -> None:
    assert value == made_tools().call(name, arguments).value


def test_a_tool_without_parameters_is_called_without_arguments() -> None:
    tools = made_tools()

    # decision 5
    assert {"count": 3} == tools["get_count"].call().value
    assert {"count": 3} == tools["get_count"].call({}).value


POSITIONAL = [
    pytest.param(
        "search", ["budget", 10], 'expected named arguments such as {"query": …, "limit": …}, got list ["budget", 10]',
        id="001 calling tools, positional",
    ),
    pytest.param(
        "fetch_page", "https://example.com", 'expected named arguments such as {"url": …}, got string "https://example.com"',
        id="001 calling tools, the string directly",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "message"), POSITIONAL)
def test_positional_arguments_are_answered_with_the_named_form(
    name: str, arguments: object, message: str
) -> None:
    signature = {
        "search": "(query :string, limit :int) -> [{id :int}]",
        "fetch_page": "(url :string) -> {text :string}",
    }[name]

    assert [message] == lines(typesig.parse(signature).validate_input(arguments).errors)


def test_a_positional_call_of_a_tool_is_an_outcome_with_the_named_form() -> None:
    outcome = made_tools()["search"].call(["budget", 10])

    assert [
        'expected named arguments such as {"query": …, "limit": …}, got list ["budget", 10]'
    ] == lines(outcome.errors)


def test_adding_an_optional_parameter_breaks_no_call() -> None:
    signature = typesig.parse("(query :string, limit :int, sort :string?) -> :any")

    assert signature.validate_input({"query": "budget", "limit": 10}).ok


# The listing.


class Item(TypedDict):
    id: int
    title: str


class _Required(TypedDict):
    name: str


class User(_Required, total=False):
    email: str | None


LISTING = """\
## Tools you can call

search(query :string, limit :int) -> [{id :int, title :string}]
  Search for items matching query.

get_user(id :int) -> {name :string, email :string?}
  Fetch user by ID. Email may be null."""


def test_tools_with_explicit_signatures_are_listed_to_the_letter() -> None:
    from typesig import tool, tools_of

    @tool("(query :string, limit :int) -> [{id :int, title :string}]")
    def search(query, limit):
        """Search for items matching query."""

    @tool("(id :int) -> {name :string, email :string?}")
    def get_user(id):
        """Fetch user by ID. Email may be null."""

    assert LISTING == tools_of([search, get_user]).prompt().rstrip()


def test_typed_functions_are_listed_to_the_letter() -> None:
    from typesig import tool, tools_of

    @tool
    def search(query: str, limit: int) -> list[Item]:
        """Search for items matching query."""
        return []

    @tool
    def get_user(id: int) -> User:
        """Fetch user by ID. Email may be null."""
        return {"name": "a"}

    assert LISTING == tools_of([search, get_user]).prompt().rstrip()


# What later versions of the seed were to bring, decision 31.

LATER = [
    pytest.param("(status :enum[pending active closed]) -> {ok :bool}", {"status": "active"}, [], id="001 future enums"),
    pytest.param(
        "(status :enum[pending active closed]) -> {ok :bool}", {"status": "open"},
        ['status: expected one of ["pending", "active", "closed"], got "open"'],
        id="001 future enums, another value",
    ),
    pytest.param("(value :string|:int) -> {result :any}", {"value": 1}, [], id="001 future unions, int"),
    pytest.param("(value :string|:int) -> {result :any}", {"value": "1"}, [], id="001 future unions, string stays"),
    pytest.param(
        "(value :string|:int) -> {result :any}", {"value": []}, ["value: expected string|int, got list []"],
        id="001 future unions, neither",
    ),
    pytest.param("(page :int[>0], limit :int[1..100]) -> [{id :int}]", {"page": 1, "limit": 100}, [], id="001 future refinements"),
    pytest.param(
        "(page :int[>0], limit :int[1..100]) -> [{id :int}]", {"page": 0, "limit": 500},
        ["page: expected int[>0], got int 0", "limit: expected int[1..100], got int 500"],
        id="001 future refinements, out of range",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("signature", "arguments", "errors"), LATER)
def test_enums_unions_and_refinements_are_checked(
    signature: str, arguments: dict[str, object], errors: list[str]
) -> None:
    outcome = typesig.parse(signature).validate_input(arguments)

    assert errors == lines(outcome.errors)
    if not errors:
        assert arguments == outcome.value


def test_a_date_may_travel_as_text() -> None:
    # The created_at of "Key Normalization", with the type that notation.md has for it.
    signature = typesig.parse("(created_at :string[date], at :datetime?) -> :any")

    outcome = signature.validate_input({"created-at": "2024-01-01", "at": "2024-01-01T00:00:00Z"})

    assert datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC) == outcome.result["at"]
    assert {"created_at": "2024-01-01", "at": "2024-01-01T00:00:00Z"} == outcome.value
