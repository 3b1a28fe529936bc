"""Signatures as PtcRunner writes them, from text to validation, keys, tools and listings.

The rows are the tables and examples of PtcRunner's signature syntax that apply to Python.
"""

from __future__ import annotations

import datetime
import subprocess
import weakref
from typing import Any, Literal, TypedDict

import pytest

import typesig
from typesig.algebra import Keyword
from typesig.errors import TooDeep
from typesig.validation import normalize_keys

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
    # text, and its canonical form if it differs
    pytest.param(":string", "() -> :string", id="primitives :string"),
    pytest.param(":int", "() -> :int", id="primitives :int"),
    pytest.param(":float", "() -> :float", id="primitives :float"),
    pytest.param(":bool", "() -> :bool", id="primitives :bool"),
    pytest.param(":keyword", "() -> :keyword", id="primitives :keyword"),
    pytest.param(":any", "() -> :any", id="primitives :any"),
    pytest.param(
        "(query :string, limit :int) -> {count :int, items [{id :int}]}", None, id="overview",
    ),
    pytest.param("() -> {name :string, price :float}", None, id="basic structure, in full"),
    pytest.param("{name :string, price :float}", "() -> {name :string, price :float}", id="basic structure, output only"),
    pytest.param("[:int]", "() -> [:int]", id="lists [:int]"),
    pytest.param("[:string]", "() -> [:string]", id="lists [:string]"),
    pytest.param("[:any]", "() -> [:any]", id="lists [:any]"),
    pytest.param("[:map]", "() -> [:map]", id="lists [:map]"),
    pytest.param("[{id :int, name :string}]", "() -> [{id :int, name :string}]", id="lists of typed maps"),
    pytest.param("[:int] ; List of integers", "() -> [:int]", id="lists with a comment"),
    pytest.param("{id :int, name :string}", "() -> {id :int, name :string}", id="maps"),
    pytest.param("{customer {id :int, name :string}}", "() -> {customer {id :int, name :string}}", id="maps nested"),
    pytest.param(":map ; Any map (dynamic keys)", "() -> :map", id="maps :map"),
    pytest.param("{id :int, email :string?}", "() -> {id :int, email :string?}", id="optional fields"),
    pytest.param("(items [:any]) -> :bool", None, id="invalid names, the fix with [:any]"),
    pytest.param("(items [:string]) -> :bool", None, id="invalid names, the fix with [:string]"),
    pytest.param("(user {id :int, name :string}, limit :int) -> [{order_id :int}]", None, id="named parameters"),
    pytest.param("(user_id :int) -> {order_count :int, is_active :bool}", None, id="naming convention"),
    pytest.param(
        "{summary :string, count :int, _email_ids [:int]}", "() -> {summary :string, count :int, _email_ids [:int]}",
        id="firewalled fields",
    ),
    pytest.param("{answer :int}", "() -> {answer :int}", id="examples simple output"),
    pytest.param(
        "{name :string, price :float, in_stock :bool}", "() -> {name :string, price :float, in_stock :bool}",
        id="examples multiple fields",
    ),
    pytest.param("[{id :int, title :string}]", "() -> [{id :int, title :string}]", id="examples list output"),
    pytest.param("(user_id :int) -> {name :string, orders [:map]}", None, id="examples with inputs"),
    pytest.param(
        "(query :string, options {limit :int?, sort :string?}) ->\n"
        "{results [{id :int, score :float, metadata :map}], total :int}\n",
        "(query :string, options {limit :int?, sort :string?}) -> "
        "{results [{id :int, score :float, metadata :map}], total :int}",
        id="examples complex nested",
    ),
    pytest.param("{summary :string, _raw_data [:map]}", "() -> {summary :string, _raw_data [:map]}", id="examples firewalled data"),
    pytest.param("(id :int, name :string) -> :bool", None, id="input validation"),
    pytest.param("() -> {count :int, items [:string]}", None, id="output validation"),
    pytest.param("(user {profile {name :string}}) -> :bool", None, id="nested maps"),
    pytest.param("(user {name :string}, topic :string) -> {count :int}", None, id="placeholders"),
    pytest.param("(query :string, limit :int) -> [{id :int}]", None, id="calling tools search"),
    pytest.param("(url :string) -> {text :string}", None, id="calling tools fetch_page"),
    pytest.param("() -> {count :int}", None, id="calling tools get_count"),
    pytest.param("(query :string, limit :int) -> [{id :int, title :string}]", None, id="schema generation search"),
    pytest.param("(id :int) -> {name :string, email :string?}", None, id="schema generation get_user"),
    pytest.param(
        "{user {id :int, address {city :string, zip :string}}}", "() -> {user {id :int, address {city :string, zip :string}}}",
        id="summary nested",
    ),
    pytest.param("{count :int}", "() -> {count :int}", id="summary no inputs"),
    pytest.param("() -> :any", None, id="edge cases () -> :any"),
    pytest.param("{}", "() -> {}", id="edge cases {}"),
    pytest.param("[{}]", "() -> [{}]", id="edge cases [{}]"),
    pytest.param(
        "{user {profile {settings {theme {colors {primary :string}}}}}}",
        "() -> {user {profile {settings {theme {colors {primary :string}}}}}}",
        id="nesting, deep",
    ),
    pytest.param("{user {profile :map}}", "() -> {user {profile :map}}", id="nesting, flatter"),
    pytest.param(
        "(status :enum[pending active closed]) -> {ok :bool}",
        '(status :enum["pending" "active" "closed"]) -> {ok :bool}',
        id="enums",
    ),
    pytest.param("(value :string|:int) -> {result :any}", None, id="unions"),
    pytest.param("(page :int[>0], limit :int[1..100]) -> [{id :int}]", None, id="refinements"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "canonical"), AS_WRITTEN)
def test_a_signature_is_written_in_its_canonical_form(written: str, canonical: str | None) -> None:
    canonical = written if canonical is None else canonical

    assert canonical == typesig.render(written)
    assert canonical == str(typesig.parse(written))
    assert typesig.parse(written) == typesig.parse(canonical)


@pytest.mark.parametrize(
    ("output", "whole"),
    [
        pytest.param("{name :string, price :float}", "() -> {name :string, price :float}", id="basic structure"),
        pytest.param("{count :int}", "() -> {count :int}", id="summary shorthand"),
        pytest.param(":any", "() -> :any", id="edge cases :any"),
    ],
)  # fmt: skip
def test_an_output_type_is_a_signature_without_parameters(output: str, whole: str) -> None:
    assert typesig.parse(whole) == typesig.parse(output)


def test_brackets_may_nest_up_to_the_limit() -> None:
    deep, deeper = "[" * 100 + ":int" + "]" * 100, "[" * 1000 + ":int" + "]" * 1000

    assert f"() -> {deep}" == typesig.render(deep)
    with pytest.raises(TooDeep):
        typesig.parse(deeper)


# Values.

CONFORMING = [
    pytest.param(":string", "hello", id="primitives :string"),
    pytest.param(":string", "", id="primitives :string empty"),
    pytest.param(":int", 42, id="primitives :int 42"),
    pytest.param(":int", -1, id="primitives :int -1"),
    pytest.param(":int", 0, id="primitives :int 0"),
    pytest.param(":float", 3.14, id="primitives :float 3.14"),
    pytest.param(":float", -0.5, id="primitives :float -0.5"),
    pytest.param(":bool", True, id="primitives :bool true"),
    pytest.param(":bool", False, id="primitives :bool false"),
    pytest.param(":keyword", Keyword("pending"), id="primitives :keyword :pending"),
    pytest.param(":keyword", Keyword("active"), id="primitives :keyword :active"),
    pytest.param(":any", [1, "a", None], id="primitives :any"),
    pytest.param("[:map]", [{"a": 1}, {}], id="lists [:map]"),
    pytest.param("[{id :int, name :string}]", [{"id": 1, "name": "a"}], id="lists of typed maps"),
    pytest.param("{customer {id :int, name :string}}", {"customer": {"id": 1, "name": "a"}}, id="maps nested"),
    pytest.param(":map", {"any": {"key": 1}}, id="maps :map"),
    pytest.param("{id :int, email :string?}", {"id": 1, "email": None}, id="optional fields nil"),
    pytest.param("{id :int, email :string?}", {"id": 1}, id="optional fields omitted"),
    pytest.param("{answer :int}", {"answer": 42}, id="examples simple output"),
    pytest.param(
        "{name :string, price :float, in_stock :bool}", {"name": "Widget", "price": 99.99, "in_stock": True},
        id="examples multiple fields",
    ),
    pytest.param(
        "[{id :int, title :string}]", [{"id": 1, "title": "First"}, {"id": 2, "title": "Second"}],
        id="examples list output",
    ),
    pytest.param("{name :string, orders [:map]}", {"name": "Alice", "orders": [{"id": 1}]}, id="examples with inputs"),
    pytest.param(
        "{results [{id :int, score :float, metadata :map}], total :int}",
        {"results": [{"id": 1, "score": 0.5, "metadata": {"a": 1}}], "total": 1},
        id="examples complex nested",
    ),
    pytest.param("{summary :string, _raw_data [:map]}", {"summary": "...", "_raw_data": [{}]}, id="examples firewalled data"),
    pytest.param("{count :int, items [:string]}", {"count": 5, "items": ["a", "b"]}, id="output validation"),
    pytest.param(":any", object, id="edge cases :any, no validation"),
    pytest.param("{}", {}, id="edge cases {} empty"),
    pytest.param("{}", {"any": 1}, id="edge cases {} no required fields"),
    pytest.param("[:any]", [1, "a", None, {}], id="edge cases [:any]"),
    pytest.param("[{}]", [{}, {"a": 1}], id="edge cases [{}]"),
    pytest.param(
        "{user {id :int, address {city :string, zip :string}}}",
        {"user": {"id": 1, "address": {"city": "Ulm", "zip": "89073"}}},
        id="summary nested",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "value"), CONFORMING)
def test_a_value_conforms_to_its_type(shorthand: str, value: object) -> None:
    outcome = typesig.parse(shorthand).validate_output(value)

    assert [] == lines(outcome.errors)
    assert value is outcome.result


FAILING = [
    pytest.param("{}", [], "expected map, got list []", id="edge cases {} must be a map"),
    pytest.param("[{}]", [1], "[0]: expected map, got int 1", id="edge cases [{}]"),
    pytest.param("[:any]", {}, "expected list, got map {}", id="edge cases [:any]"),
    pytest.param("{id :int, email :string?}", {"email": None}, "id: expected int, got nil (missing)", id="optional fields, the other one"),
    pytest.param("{count :int, items [:string]}", {"count": 5, "items": [1]}, "items[0]: expected string, got int 1", id="output validation"),
    pytest.param("{answer :int}", {"answer": "42"}, 'answer: expected int, got string "42"', id="coercion, never in output"),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "value", "message"), FAILING)
def test_a_value_of_another_type_is_an_error(shorthand: str, value: object, message: str) -> None:
    assert [message] == lines(typesig.parse(shorthand).validate_output(value).errors)


COERCIONS = [
    pytest.param("42", ":int", 42, ['v: coerced string "42" to int'], id='001 coercion "42"'),
    pytest.param("3.14", ":float", 3.14, ['v: coerced string "3.14" to float'], id='001 coercion "3.14"'),
    pytest.param("true", ":bool", True, ['v: coerced string "true" to bool'], id='001 coercion "true"'),
    pytest.param(42, ":float", 42.0, [], id="coercion 42 is silent"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "to", "made", "warnings"), COERCIONS)
def test_inputs_are_coerced_as_the_table_says(
    value: object, to: str, made: object, warnings: list[str]
) -> None:
    outcome = typesig.parse(f"(v {to}) -> :any").validate_input({"v": value})

    assert (made, type(made)) == (outcome.value["v"], type(outcome.value["v"]))
    assert warnings == lines(outcome.warnings)


def test_a_tool_call_with_a_quoted_number_succeeds_with_a_warning() -> None:
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
    pytest.param("enabled", {"a": "x"}, False, ['a: expected int, got string "x"'], [], id="modes :enabled fails on errors"),
    pytest.param("enabled", {"a": 1, "b": 2}, True, [], [], id="modes :enabled allows extra fields"),
    pytest.param("warn_only", {"a": "x"}, True, [], ['a: expected int, got string "x"'], id="modes :warn_only continues"),
    pytest.param("disabled", {"a": "x"}, True, [], [], id="modes :disabled skips all validation"),
    pytest.param("disabled", "no map at all", True, [], [], id="modes :disabled looks at nothing"),
    pytest.param("strict", {"a": "x"}, False, ['a: expected int, got string "x"'], [], id="modes :strict fails on errors"),
    pytest.param("strict", {"a": 1, "b": 2}, False, ["b: unexpected key"], [], id="modes :strict rejects extra fields"),
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


def test_a_report_lists_errors_and_warnings_with_their_places() -> None:
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
    pytest.param("order-count", "order_count", id="naming :order-count"),
    pytest.param("is-active", "is_active", id="naming :is-active"),
    pytest.param("user-id", "user_id", id="naming :user-id"),
]


@pytest.mark.parametrize(("written", "received"), FOLDED)
def test_a_hyphen_in_a_key_is_read_as_an_underscore(written: str, received: str) -> None:
    signature = typesig.parse(f"({received} :int) -> {{{received} :int}}")

    assert {received: 1} == signature.validate_input({written: 1}).value
    assert {received: 1} == signature.validate_input({written: 1}, mode="strict").value
    assert {received: 1} == signature.validate_output({written: 1}).value
    assert {received: 1} == normalize_keys({written: 1})


def test_a_result_with_hyphens_gets_the_names_of_the_signature() -> None:
    signature = typesig.parse("(user_id :int) -> {order_count :int, is_active :bool}")

    outcome = signature.validate_output({"order-count": 5, "is-active": True})

    assert {"order_count": 5, "is_active": True} == outcome.value


def test_keys_are_normalized_at_the_boundary() -> None:
    assert {"user_name": "Alice", "created_at": "2024-01-01"} == normalize_keys(
        {"user-name": "Alice", "created-at": "2024-01-01"}
    )


def test_keys_are_normalized_at_every_depth() -> None:
    assert {"user_a": [{"b_c": {"d_e": "f-g"}}]} == normalize_keys(
        {"user-a": [{"b-c": {"d-e": "f-g"}}]}
    )


def test_undeclared_keys_keep_their_hyphens() -> None:
    signature = typesig.parse("(user_id :int) -> :any")

    assert {"user_id": 1, "x-y": 2} == signature.validate_input({"user-id": 1, "x-y": 2}).value


def test_both_spellings_of_one_key_are_an_error_in_every_mode_that_checks() -> None:
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
            id="firewalled fields",
        ),
        pytest.param(
            "{summary :string, _raw_data [:map]}", "{summary :string}", "_raw_data",
            {"summary": "...", "_raw_data": [{}]},
            id="examples firewalled data",
        ),
    ],
)  # fmt: skip
def test_only_python_sees_firewalled_fields(
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
    pytest.param(str, ":string", id="type mapping String.t()"),
    pytest.param(int, ":int", id="type mapping integer()"),
    pytest.param(float, ":float", id="type mapping float()"),
    pytest.param(bool, ":bool", id="type mapping boolean()"),
    pytest.param(Keyword, ":keyword", id="type mapping atom()"),
    pytest.param(dict, ":map", id="type mapping map()"),
    pytest.param(list[int], "[:int]", id="type mapping list(t)"),
    pytest.param(Row, "{key :int}", id="type mapping %{key: type}"),
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


def test_a_union_of_ok_and_error_pairs_needs_no_explicit_signature() -> None:
    from typesig import extract

    def f():
        return "ok", 1

    f.__annotations__ = {"return": tuple[Literal["ok"], int] | tuple[Literal["error"], str]}

    assert "() -> {result :int, error :string?}" == str(extract(f).signature)


NEED_A_SIGNATURE = [
    pytest.param(subprocess.Popen, id="explicit signatures pid()"),
    pytest.param(weakref.ref, id="explicit signatures reference()"),
]


@pytest.mark.parametrize("hint", NEED_A_SIGNATURE)
def test_a_hint_without_a_json_form_is_any_with_a_warning_or_an_error_in_strict(hint: Any) -> None:
    from typesig import extract
    from typesig.errors import ExtractionError

    extraction = extract(taking(hint))

    assert "(value :any) -> :any" == str(extraction.signature)
    assert any("value" in str(w) and hint.__name__ in str(w) for w in extraction.warnings)
    with pytest.raises(ExtractionError):
        extract(taking(hint), strict=True)


def test_an_explicit_signature_replaces_missing_hints() -> None:
    from typesig import tool

    @tool("(pid :string) -> :bool")
    def alive(pid):
        return pid == "a"

    assert "(pid :string) -> :bool" == str(alive.signature)
    assert True is alive.call({"pid": "a"}).value


# Placeholders.

VALID_PLACEHOLDERS = [
    pytest.param("{{name}}", "(name :string) -> :any", {"name": "Ann"}, id="placeholders {{name}}"),
    pytest.param("{{user.name}}", "(user {name :string}) -> :any", {"user": {"name": "Ann"}}, id="placeholders {{user.name}}"),
    pytest.param(
        "{{user.address.city}}", "(user {address {city :string}}) -> :any", {"user": {"address": {"city": "Ann"}}},
        id="placeholders {{user.address.city}}",
    ),
    pytest.param("{{user-name}}", "(user_name :string) -> :any", {"user_name": "Ann"}, id="placeholders {{user-name}}"),
    pytest.param("{{user_name}}", "(user_name :string) -> :any", {"user_name": "Ann"}, id="placeholders {{user_name}}"),
    pytest.param("{{ name }}", "(name :string) -> :any", {"name": "Ann"}, id="placeholders {{ name }} is trimmed"),
    pytest.param("{{user.x.y}}", "(user :map) -> :any", {"user": {"x": {"y": "Ann"}}}, id="placeholders below :map"),
    pytest.param("{{user.x}}", "(user :any) -> :any", {"user": {"x": "Ann"}}, id="placeholders below :any"),
    pytest.param("{{_hidden}}", "(_hidden :string) -> :any", {"_hidden": "Ann"}, id="placeholders {{_hidden}}"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "signature", "values"), VALID_PLACEHOLDERS)
def test_valid_placeholders_are_filled(
    text: str, signature: str, values: dict[str, object]
) -> None:
    from typesig.listings import Template

    assert "Hi Ann." == Template(f"Hi {text}.", signature).render(values)


INVALID_PLACEHOLDERS = [
    pytest.param("{{123}}", id="placeholders {{123}}"),
    pytest.param("{{}}", id="placeholders {{}}"),
]


@pytest.mark.parametrize("text", INVALID_PLACEHOLDERS)
def test_invalid_placeholders_are_errors_that_show_them(text: str) -> None:
    from typesig import TypesigError
    from typesig.listings import Template, placeholders

    with pytest.raises(TypesigError) as raised:
        placeholders(text)
    with pytest.raises(TypesigError):
        Template(text, "(name :string) -> :any")

    assert text in str(raised.value)


def test_placeholders_are_checked_when_the_template_is_made() -> None:
    from typesig import TypesigError
    from typesig.listings import Template

    signature = "(user {name :string}, topic :string) -> {count :int}"

    template = Template("Find emails for {{user.name}} about {{topic}}", signature)

    assert "Find emails for Ann about tax" == template.render(
        {"user": {"name": "Ann"}, "topic": "tax"}
    )
    for wrong in ("{{subject}}", "{{user.mail}}", "{{topic.name}}"):
        with pytest.raises(TypesigError):
            Template(f"Find {wrong}", signature)


def test_a_template_lists_its_placeholders() -> None:
    from typesig.listings import placeholders

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
    pytest.param("search", {"query": "budget", "limit": 10}, [{"id": 6}], id="calling tools, map literal"),
    pytest.param("search", {"limit": 10, "query": "budget"}, [{"id": 6}], id="why named arguments, any order"),
    pytest.param("search", '{"query": "budget", "limit": 10}', [{"id": 6}], id="why named arguments, JSON"),
    pytest.param("fetch_page", {"url": "https://example.com"}, {"text": "https://example.com"}, id="calling tools, one parameter"),
    pytest.param("get_count", {}, {"count": 3}, id="calling tools, empty map"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "value"), CALLS)
def test_tools_take_named_arguments(name: str, arguments: object, value: object) -> None:
    assert value == made_tools().call(name, arguments).value


def test_a_tool_without_parameters_is_called_without_arguments() -> None:
    tools = made_tools()

    assert {"count": 3} == tools["get_count"].call().value
    assert {"count": 3} == tools["get_count"].call({}).value


POSITIONAL = [
    pytest.param(
        "search", ["budget", 10], 'expected named arguments such as {"query": …, "limit": …}, got list ["budget", 10]',
        id="calling tools, positional",
    ),
    pytest.param(
        "fetch_page", "https://example.com", 'expected named arguments such as {"url": …}, got string "https://example.com"',
        id="calling tools, the string directly",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "message"), POSITIONAL)
def test_the_error_for_positional_arguments_shows_the_named_form(
    name: str, arguments: object, message: str
) -> None:
    signature = {
        "search": "(query :string, limit :int) -> [{id :int}]",
        "fetch_page": "(url :string) -> {text :string}",
    }[name]

    assert [message] == lines(typesig.parse(signature).validate_input(arguments).errors)


def test_a_positional_call_of_a_tool_is_an_outcome_that_shows_the_named_form() -> None:
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


def test_tools_with_explicit_signatures_are_listed_exactly_so() -> None:
    from typesig import tool, tools_of

    @tool("(query :string, limit :int) -> [{id :int, title :string}]")
    def search(query, limit):
        """Search for items matching query."""

    @tool("(id :int) -> {name :string, email :string?}")
    def get_user(id):
        """Fetch user by ID. Email may be null."""

    assert LISTING == tools_of([search, get_user]).prompt().rstrip()


def test_typed_functions_are_listed_exactly_so() -> None:
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


# Enums, unions and refinements.

LATER = [
    pytest.param("(status :enum[pending active closed]) -> {ok :bool}", {"status": "active"}, [], id="enums"),
    pytest.param(
        "(status :enum[pending active closed]) -> {ok :bool}", {"status": "open"},
        ['status: expected one of ["pending", "active", "closed"], got "open"'],
        id="future enums, another value",
    ),
    pytest.param("(value :string|:int) -> {result :any}", {"value": 1}, [], id="future unions, int"),
    pytest.param("(value :string|:int) -> {result :any}", {"value": "1"}, [], id="future unions, string stays"),
    pytest.param(
        "(value :string|:int) -> {result :any}", {"value": []}, ["value: expected string|int, got list []"],
        id="future unions, neither",
    ),
    pytest.param("(page :int[>0], limit :int[1..100]) -> [{id :int}]", {"page": 1, "limit": 100}, [], id="refinements"),
    pytest.param(
        "(page :int[>0], limit :int[1..100]) -> [{id :int}]", {"page": 0, "limit": 500},
        ["page: expected int[>0], got int 0", "limit: expected int[1..100], got int 500"],
        id="future refinements, out of range",
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


def test_a_date_may_be_sent_as_text() -> None:
    signature = typesig.parse("(created_at :string[date], at :datetime?) -> :any")

    outcome = signature.validate_input({"created-at": "2024-01-01", "at": "2024-01-01T00:00:00Z"})

    assert datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC) == outcome.result["at"]
    assert {"created_at": "2024-01-01", "at": "2024-01-01T00:00:00Z"} == outcome.value


def test_a_default_of_nil_is_left_out_where_the_type_is_nullable_without_its_notes():
    signature = typesig.parse('(a (:int? "n")|:string = nil) -> :any')

    assert "nil" == signature.params[0].default.kind
    assert "(a (:int|:string)?) -> :any" == str(signature)


def test_a_signature_without_notation_is_parsed_once():
    text = "(a :int) -> :int"

    assert typesig.parse(text) is typesig.parse(text) is typesig.parse(text, "shorthand")


def test_a_text_without_a_notation_is_shorthand_where_losses_are_asked_for_too():
    signature = typesig.parse("() -> :int", lossy=True)

    assert "() -> :int" == str(signature)
    assert () == signature.losses
