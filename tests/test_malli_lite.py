"""Seed 000 (Malli-lite): its tables and examples, in shorthand and in Malli.

Not here, by table, with the reason:

- "Schema Generation for Prompts", second listing: `:malli-schema` is prose, no type (notation.md);
  that it is refused is a row below.
- "Programmatic Schema Construction": PTC-Lisp runtime.
- "Why Malli?", "Why Keep Shorthand?", "Implementation Modules": nothing to check.
- "Not Supported (v1)": recursion and references are supported here (notation.md, section 1), a row
  below; multi-schemas and custom validators are refused, rows below; generators have no counterpart.
- "Schema Inference", "Custom Validators": decision 35.
"""

from __future__ import annotations

from typing import Any

import pytest

import typesig
from typesig import Keyword


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


def parsed(text: str) -> str:
    return typesig.render(text)


# What a value is worth to a type: "Primitive Types", its examples and what must not pass.

CONFORMING = [
    pytest.param(":string", "hello", id="000 primitives :string"),
    pytest.param(":string", "", id="000 primitives :string empty"),
    pytest.param(":int", 42, id="000 primitives :int"),
    pytest.param(":int", -1, id="000 primitives :int negative"),
    pytest.param(":int", 0, id="000 primitives :int zero"),
    pytest.param(":double", 3.14, id="000 primitives :double"),
    pytest.param(":double", -0.5, id="000 primitives :double negative"),
    pytest.param(":boolean", True, id="000 primitives :boolean true"),
    pytest.param(":boolean", False, id="000 primitives :boolean false"),
    pytest.param(":keyword", Keyword("pending"), id="000 primitives :keyword pending"),
    pytest.param(":keyword", Keyword("active"), id="000 primitives :keyword active"),
    pytest.param(":any", {"anything": [1, None]}, id="000 primitives :any"),
    pytest.param(":any", None, id="000 primitives :any nil"),
    pytest.param(":nil", None, id="000 primitives :nil"),
    pytest.param("[:int]", [1, 2], id="000 collections vector"),
    pytest.param("[:string]", ["a"], id="000 collections sequential"),
    pytest.param("#{:keyword}", {Keyword("a"), Keyword("b")}, id="000 collections set"),
    pytest.param("{id :int}", {"id": 1}, id="000 collections map"),
    pytest.param(":map[:string :int]", {"a": 1, "b": 2}, id="000 collections map-of"),
    pytest.param("[:string, :int]", ["a", 1], id="000 collections tuple"),
    pytest.param(':enum["low" "medium" "high"]', "medium", id="000 composites enum"),
    pytest.param(":string|:int", "a", id="000 composites or, first"),
    pytest.param(":string|:int", 1, id="000 composites or, second"),
    pytest.param(":int[>0]", 1, id="000 composites and"),
    pytest.param(":string?", None, id="000 composites maybe nil"),
    pytest.param(":string?", "a", id="000 composites maybe"),
    pytest.param("[:string, :int]", ["a", 1], id="000 composites cat"),
    pytest.param(":int[>0]", 1, id="000 refinements >"),
    pytest.param(":int[<100]", 99, id="000 refinements <"),
    pytest.param(":int[>=1]", 1, id="000 refinements >="),
    pytest.param(":int[<=10]", 10, id="000 refinements <="),
    pytest.param(":string[/^[A-Z]/]", "Alice", id="000 refinements re"),
    pytest.param(":int|:nil", None, id="000 Malli directly, union with nil"),
]


@pytest.mark.parametrize(("shorthand", "value"), CONFORMING)
def test_the_seeds_examples_conform_to_their_type(shorthand: str, value: object) -> None:
    outcome = typesig.parse(shorthand).validate_output(value)

    assert [] == lines(outcome.errors)
    assert value == outcome.result


FAILING = [
    pytest.param(":string", 1, "expected string, got int 1", id="000 primitives :string"),
    pytest.param(":int", "42", 'expected int, got string "42"', id="000 primitives :int"),
    pytest.param(":int", True, "expected int, got bool true", id="000 primitives :int is no boolean"),
    pytest.param(":double", "3.14", 'expected float, got string "3.14"', id="000 primitives :double"),
    pytest.param(":boolean", 1, "expected bool, got int 1", id="000 primitives :boolean"),
    # decision 10: plain text is no keyword in output.
    pytest.param(":keyword", "pending", 'expected keyword, got string "pending"', id="000 primitives :keyword"),
    pytest.param(":nil", 0, "expected nil, got int 0", id="000 primitives :nil"),
    pytest.param("[:int]", [1, "b"], '[1]: expected int, got string "b"', id="000 collections vector"),
    pytest.param("[:string]", "a", 'expected list, got string "a"', id="000 collections sequential"),
    pytest.param("#{:keyword}", [Keyword("a")], "expected set, got list [:a]", id="000 collections set"),
    pytest.param("{id :int}", [], "expected map, got list []", id="000 collections map"),
    pytest.param(":map[:string :int]", {"a": "x"}, 'a: expected int, got string "x"', id="000 collections map-of"),
    pytest.param("[:string, :int]", ["a"], "expected 2 items, got 1", id="000 collections tuple"),
    pytest.param(
        ':enum["low" "medium" "high"]', "mid", 'expected one of ["low", "medium", "high"], got "mid"',
        id="000 composites enum",
    ),
    pytest.param(":string|:int", None, "expected string|int, got nil", id="000 composites or"),
    pytest.param(":int[>0]", 0, "expected int[>0], got int 0", id="000 composites and"),
    pytest.param(":string?", 1, "expected string, got int 1", id="000 composites maybe"),
    pytest.param(":int[>0]", 0, "expected int[>0], got int 0", id="000 refinements >"),
    pytest.param(":int[<100]", 100, "expected int[<100], got int 100", id="000 refinements <"),
    pytest.param(":int[>=1]", 0, "expected int[1..], got int 0", id="000 refinements >="),
    pytest.param(":int[<=10]", 11, "expected int[..10], got int 11", id="000 refinements <="),
    pytest.param(
        ":string[/^[A-Z]/]", "alice", 'expected string[/^[A-Z]/], got string "alice"',
        id="000 refinements re",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "value", "message"), FAILING)
def test_what_is_of_another_type_is_an_error(shorthand: str, value: object, message: str) -> None:
    assert [message] == lines(typesig.parse(shorthand).validate_output(value).errors)


CANONICAL = [
    # shorthand as the seed writes it, and canonical text
    pytest.param(":string", "() -> :string", id="000 reference :string"),
    pytest.param(":int", "() -> :int", id="000 reference :int"),
    pytest.param(":float", "() -> :float", id="000 reference :float"),
    pytest.param(":bool", "() -> :bool", id="000 reference :bool"),
    pytest.param(":keyword", "() -> :keyword", id="000 reference :keyword"),
    pytest.param(":any", "() -> :any", id="000 reference :any"),
    pytest.param(":double", "() -> :float", id="000 reference :double is also read"),
    pytest.param(":boolean", "() -> :bool", id="000 reference :boolean is also read"),
    pytest.param("[:int]", "() -> [:int]", id="000 reference [:int]"),
    pytest.param("[:string]", "() -> [:string]", id="000 reference [:string]"),
    # decision 32: commas and no colon before a name are the written form.
    pytest.param("[{:id :int}]", "() -> [{id :int}]", id="000 reference [{:id :int}]"),
    pytest.param("{:id :int :name :string}", "() -> {id :int, name :string}", id="000 reference record"),
    pytest.param(":map", "() -> :map", id="000 reference :map"),
    pytest.param(":string?", "() -> :string?", id="000 reference :string?"),
    pytest.param("{:id :int :email :string?}", "() -> {id :int, email :string?}", id="000 reference optional field"),
    pytest.param("(a :int, b :string) -> :bool", "(a :int, b :string) -> :bool", id="000 reference function"),
    pytest.param("() -> {:count :int}", "() -> {count :int}", id="000 reference no parameters"),
    pytest.param("(query :string) -> {count :int}", "(query :string) -> {count :int}", id="000 examples simple"),
    pytest.param(
        "(user_id :int, limit :int) -> {items [{:id :int :name :string}]}",
        "(user_id :int, limit :int) -> {items [{id :int, name :string}]}",
        id="000 examples nested return",
    ),
    pytest.param("() -> {data :map, error :string?}", "() -> {data :map, error :string?}", id="000 examples optional return field"),
    pytest.param(
        "(query :string, limit :int) -> {count :int}", "(query :string, limit :int) -> {count :int}",
        id="000 overview schema flow",
    ),
    pytest.param(
        "(query :string) -> {count :int, items [{id :int}]}", "(query :string) -> {count :int, items [{id :int}]}",
        id="000 hybrid option 1",
    ),
    # Option 3 and "Using Malli directly" in shorthand: decision 31.
    pytest.param(
        '(query :string) -> {status :enum["pending" "active" "closed"], score :int[>0, <100]}',
        '(query :string) -> {status :enum["pending" "active" "closed"], score :int[>0, <100]}',
        id="000 hybrid option 3",
    ),
    pytest.param(
        "(query :string, limit :int) -> {count :int, _ids [:int]}", "(query :string, limit :int) -> {count :int, _ids [:int]}",
        id="000 API delegate",
    ),
    pytest.param(
        "(query :string) -> {count :int, _email_ids [:int]}", "(query :string) -> {count :int, _email_ids [:int]}",
        id="000 API as_tool",
    ),
    pytest.param(
        '(text :string) -> {priority :enum["low" "medium" "high" "critical"], confidence :float[0.0..1.0]}',
        '(text :string) -> {priority :enum["low" "medium" "high" "critical"], confidence :float[0.0..1.0]}',
        id="000 Malli directly, classify",
    ),
    pytest.param("(a :string) -> :int|:nil", "(a :string) -> :int?", id="000 Malli directly, union"),
    pytest.param("() -> {page :int[>0]}", "() -> {page :int[>0]}", id="000 Malli directly, constrained int"),
    pytest.param("(id :int, name :string) -> :bool", "(id :int, name :string) -> :bool", id="000 input validation"),
    pytest.param("() -> {:count :int :items [:string]}", "() -> {count :int, items [:string]}", id="000 output validation"),
    pytest.param(
        "(query :string, limit :int) -> [{id :int, title :string}]",
        "(query :string, limit :int) -> [{id :int, title :string}]",
        id="000 schema generation search",
    ),
    pytest.param(
        '(text :string) -> {category :enum["spam" "ham"], confidence :float}',
        '(text :string) -> {category :enum["spam" "ham"], confidence :float}',
        id="000 schema generation classify",
    ),
    pytest.param(
        "(id :int) -> {name :string, email :string?}", "(id :int) -> {name :string, email :string?}",
        id="000 schema generation get_user",
    ),
    # The shorthand of forms that the seed has in Malli alone: notation.md, section 1.
    pytest.param("#{:keyword}", "() -> #{:keyword}", id="000 collections set"),
    pytest.param(":map[:string :int]", "() -> :map[:int]", id="000 collections map-of"),
    pytest.param("[:string, :int]", "() -> [:string, :int]", id="000 collections tuple"),
    pytest.param("{count :int = 0}", "() -> {count :int = 0}", id="000 entries default"),
    pytest.param(':enum["low" "medium" "high"]', '() -> :enum["low" "medium" "high"]', id="000 composites enum"),
    pytest.param(":string|:int", "() -> :string|:int", id="000 composites or"),
    pytest.param(":int[>0]", "() -> :int[>0]", id="000 composites and"),
    pytest.param(":int[>=1]", "() -> :int[1..]", id="000 refinements >="),
    pytest.param(":int[<=10]", "() -> :int[..10]", id="000 refinements <="),
    pytest.param(":string[/^[A-Z]/]", "() -> :string[/^[A-Z]/]", id="000 refinements re"),
    pytest.param("(a :string) -> :int", "(a :string) -> :int", id="000 functions string to int"),
    pytest.param("(a :string, b :int) -> {result :boolean}", "(a :string, b :int) -> {result :bool}", id="000 functions to map"),
    pytest.param("() -> {timestamp :string}", "() -> {timestamp :string}", id="000 functions zero arguments"),
    pytest.param(
        ":node where node = {value :any, children [:node]}", "() -> :node where node = {value :any, children [:node]}",
        id="000 future recursive schemas",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("written", "canonical"), CANONICAL)
def test_the_seeds_shorthand_is_read_and_written_in_its_canonical_form(
    written: str, canonical: str
) -> None:
    assert canonical == parsed(written)
    assert canonical == str(typesig.parse(written))
    assert typesig.parse(written) == typesig.parse(canonical)


def test_a_result_alone_is_a_signature_without_parameters() -> None:
    alone = typesig.parse("{summary :string, count :int}")

    assert typesig.parse("() -> {summary :string, count :int}") == alone


MODES = [
    # mode, value, whether it passes, errors, warnings
    pytest.param("enabled", {"a": 1, "b": 2}, True, [], [], id="000 modes :enabled allows extra fields"),
    pytest.param("enabled", {"a": "x"}, False, ['a: expected int, got string "x"'], [], id="000 modes :enabled fails on errors"),
    pytest.param("warn_only", {"a": "x"}, True, [], ['a: expected int, got string "x"'], id="000 modes :warn_only continues"),
    pytest.param("warn_only", {"a": 1, "b": 2}, True, [], [], id="000 modes :warn_only allows extra fields"),
    pytest.param("disabled", {"a": "x", "b": 2}, True, [], [], id="000 modes :disabled skips all"),
    pytest.param("strict", {"a": 1}, True, [], [], id="000 modes :strict takes what fits"),
    pytest.param("strict", {"a": "x"}, False, ['a: expected int, got string "x"'], [], id="000 modes :strict fails on errors"),
    pytest.param("strict", {"a": 1, "b": 2}, False, ["b: unexpected key"], [], id="000 modes :strict rejects extra fields"),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "value", "ok", "errors", "warnings"), MODES)
@pytest.mark.parametrize("side", ["input", "output"])
def test_each_mode_does_what_its_row_says(
    side: str, mode: str, value: dict[str, object], ok: bool, errors: list[str], warnings: list[str]
) -> None:
    outcome = (
        typesig.parse("(a :int) -> :any").validate_input(value, mode=mode)
        if side == "input"
        else typesig.parse("{a :int}").validate_output(value, mode=mode)
    )

    assert ok == outcome.ok
    assert errors == lines(outcome.errors)
    assert warnings == lines(outcome.warnings)
    if ok:
        assert value == outcome.value


def test_enabled_is_the_default_mode() -> None:
    signature = typesig.parse("(a :int) -> {a :int}")

    assert lines(signature.validate_input({"a": "x"}, mode="enabled").errors) == lines(
        signature.validate_input({"a": "x"}).errors
    )
    assert lines(signature.validate_output({"a": "x"}, mode="enabled").errors) == lines(
        signature.validate_output({"a": "x"}).errors
    )


COERCIONS = [
    pytest.param("42", ":int", 42, ['v: coerced string "42" to int'], id="000 coercion string to :int"),
    pytest.param("3.14", ":double", 3.14, ['v: coerced string "3.14" to float'], id="000 coercion string to :double"),
    pytest.param("true", ":boolean", True, ['v: coerced string "true" to bool'], id="000 coercion string to :boolean"),
    pytest.param(42, ":double", 42.0, [], id="000 coercion 42 to :double is silent"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "to", "made", "warnings"), COERCIONS)
def test_inputs_are_coerced_as_the_table_says(
    value: object, to: str, made: object, warnings: list[str]
) -> None:
    outcome = typesig.parse(f"(v {to}) -> :any").validate_input({"v": value})

    assert (made, type(made)) == (outcome.value["v"], type(outcome.value["v"]))
    assert warnings == lines(outcome.warnings)


@pytest.mark.parametrize(
    ("value", "to", "message"),
    [
        pytest.param("42", ":int", 'expected int, got string "42"', id="000 coercion string to :int"),
        pytest.param("3.14", ":double", 'expected float, got string "3.14"', id="000 coercion string to :double"),
        pytest.param("true", ":boolean", 'expected bool, got string "true"', id="000 coercion string to :boolean"),
    ],
)  # fmt: skip
def test_outputs_are_not_coerced(value: object, to: str, message: str) -> None:
    assert [message] == lines(typesig.parse(to).validate_output(value).errors)


def test_an_int_is_left_an_int_where_a_result_is_a_float() -> None:
    # decision 6
    outcome = typesig.parse(":double").validate_output(42)

    assert ("42", True) == (repr(outcome.value), outcome.ok)


def test_a_tool_call_with_a_quoted_number_goes_on_with_a_warning() -> None:
    signature = typesig.parse("(id :int, name :string) -> :bool")

    outcome = signature.validate_input({"id": "42", "name": "Alice"})

    assert {"id": 42, "name": "Alice"} == outcome.value
    assert ['id: coerced string "42" to int'] == lines(outcome.warnings)


def test_a_result_of_the_right_types_succeeds() -> None:
    signature = typesig.parse("() -> {:count :int :items [:string]}")

    outcome = signature.validate_output({"count": 5, "items": ["a", "b"]})

    assert {"count": 5, "items": ["a", "b"]} == outcome.value


def test_a_wrong_result_gives_the_error_that_the_model_corrects_itself_by() -> None:
    signature = typesig.parse("() -> {:count :int :items [:string]}")

    outcome = signature.validate_output({"count": "five", "items": ["a", "b"]})

    assert ['count: expected int, got string "five"'] == lines(outcome.errors)


def test_a_report_is_written_as_the_seed_prints_it() -> None:
    signature = typesig.parse(
        '(results [{customer {id :int}, amount :double}], status :enum["pending" "active"], '
        "limit :int) -> :any"
    )

    outcome = signature.validate_input(
        {
            "results": [
                {"customer": {"id": "abc"}, "amount": 1.0},
                {"customer": {"id": 1}, "amount": 2.0},
                {"customer": {"id": 2}, "amount": None},
            ],
            "status": "unknown",
            "limit": "10",
        }
    )

    # decision 3: the kinds are those of the shorthand, so float where the seed says double.
    assert (
        "Tool validation errors:\n"
        '- results[0].customer.id: expected int, got string "abc"\n'
        "- results[2].amount: expected float, got nil\n"
        '- status: expected one of ["pending", "active"], got "unknown"\n'
        "\n"
        "Tool validation warnings:\n"
        '- limit: coerced string "10" to int'
    ) == outcome.report()


ENTRIES = [
    pytest.param("{id :int}", {}, ["id: expected int, got nil (missing)"], None, id="000 entries required, absent"),
    pytest.param("{id :int}", {"id": None}, ["id: expected int, got nil"], None, id="000 entries required, nil"),
    pytest.param("{email :string?}", {}, [], {}, id="000 entries optional, absent"),
    pytest.param("{email :string?}", {"email": None}, [], {"email": None}, id="000 entries optional, nil"),
    pytest.param("{email :string?}", {"email": "a@b"}, [], {"email": "a@b"}, id="000 entries optional, there"),
    pytest.param("{count :int = 0}", {}, [], {"count": 0}, id="000 entries default, absent"),
    pytest.param("{count :int = 0}", {"count": None}, [], {"count": 0}, id="000 entries default, nil"),
    pytest.param("{count :int = 0}", {"count": 3}, [], {"count": 3}, id="000 entries default, there"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "value", "errors", "made"), ENTRIES)
def test_map_entries_are_required_optional_or_have_a_default(
    record: str, value: dict[str, object], errors: list[str], made: object
) -> None:
    outcome = typesig.parse(f"(v {record}) -> :any").validate_input({"v": value})

    assert [f"v.{error}" for error in errors] == lines(outcome.errors)
    if not errors:
        assert {"v": made} == outcome.value


def test_defaults_are_not_filled_into_results() -> None:
    # decision 19
    assert {} == typesig.parse("{count :int = 0}").validate_output({}).value


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"id": 1}, id="000 map keys, text"),
        pytest.param({Keyword("id"): 1}, id="000 map keys, keyword"),
    ],
)
def test_data_may_have_text_or_keyword_keys(data: dict[str, object]) -> None:
    outcome = typesig.parse("{id :int}").validate_output(data)

    assert {"id": 1} == outcome.value
    assert [str] == [type(key) for key in outcome.value]


NOT_TYPES = [
    pytest.param(
        "(data :map, schema :malli-schema) -> {valid :bool, errors [:string]}", ":malli-schema",
        id="000 schema generation :malli-schema",
    ),
    # decision 35
    pytest.param("() -> {contact :email}", 'there is no type ":email"; write :string[email]', id="000 future :email"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "said"), NOT_TYPES)
def test_names_of_the_seeds_prose_are_no_types(written: str, said: str) -> None:
    with pytest.raises(typesig.SignatureSyntaxError) as raised:
        typesig.parse(written)

    assert said in str(raised.value)


def test_a_recursive_type_checks_trees() -> None:
    # notation.md, section 1; the seed has it for later.
    tree = typesig.parse(":node where node = {value :any, children [:node]}")

    assert tree.accepts({"value": 1, "children": [{"value": 2, "children": []}]})
    assert ["children[0].children: expected list, got nil (missing)"] == lines(
        tree.validate_output({"value": 1, "children": [{"value": 2}]}).errors
    )


CORE = [
    pytest.param(lambda: typesig.parse("(id :int) -> :bool").params[0].name, "id", id="000 core parse"),
    pytest.param(lambda: typesig.parse(":int").validate(1).ok, True, id="000 core validate"),
    pytest.param(lambda: typesig.parse(":int").validate("1").ok, False, id="000 core validate does not coerce"),
    pytest.param(lambda: typesig.parse(":int").validate_and_coerce("1").value, 1, id="000 core validate_and_coerce"),
    pytest.param(lambda: typesig.parse(":int").validate_and_coerce("x").ok, False, id="000 core validate_and_coerce, error"),
    pytest.param(lambda: typesig.render(typesig.parse("(id :int)->:bool")), "(id :int) -> :bool", id="000 core render"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), CORE)
def test_the_core_functions_do_what_the_seed_says(call: Any, expected: object) -> None:
    assert expected == call()


def test_validate_and_coerce_warns_of_what_it_coerced() -> None:
    outcome = typesig.parse("[{id :int}]").validate_and_coerce([{"id": "7"}])

    assert [{"id": 7}] == outcome.value
    assert ['[0].id: coerced string "7" to int'] == lines(outcome.warnings)


def test_tools_are_listed_to_the_letter() -> None:
    from typesig import tool, tools_of

    @tool("(query :string, limit :int) -> [{id :int, title :string}]")
    def search(query, limit):
        """Search for items matching query."""

    @tool('(text :string) -> {category :enum["spam" "ham"], confidence :float}')
    def classify(text):
        """Classify text into categories."""

    @tool("(id :int) -> {name :string, email :string?}")
    def get_user(id):
        """Fetch user by ID. Email may be null."""

    assert (
        """\
## Tools you can call

search(query :string, limit :int) -> [{id :int, title :string}]
  Search for items matching query.

classify(text :string) -> {category :enum["spam" "ham"], confidence :float}
  Classify text into categories.

get_user(id :int) -> {name :string, email :string?}
  Fetch user by ID. Email may be null.
""".rstrip()
        == tools_of([search, classify, get_user]).prompt().rstrip()
    )


@pytest.mark.parametrize(
    ("signature", "shown"),
    [
        pytest.param(
            "(query :string, limit :int) -> {count :int, _ids [:int]}",
            "(query :string, limit :int) -> {count :int}",
            id="000 API delegate",
        ),
        pytest.param(
            "(query :string) -> {count :int, _email_ids [:int]}",
            "(query :string) -> {count :int}",
            id="000 API as_tool",
        ),
    ],
)
def test_firewalled_fields_are_left_out_of_the_listing(signature: str, shown: str) -> None:
    from typesig import tool, tools_of

    @tool(signature)
    def find(query, limit=10):
        """Find emails."""

    listing = tools_of([find]).prompt()

    assert f"find{shown}\n  Find emails." in listing
    assert "_ids" not in listing


# Malli: what each form of the seed is in shorthand, read from EDN text and from Python data.

FORMS = [
    pytest.param(":string", ":string", id="000 primitives :string"),
    pytest.param(":int", ":int", id="000 primitives :int"),
    pytest.param(":double", ":float", id="000 primitives :double"),
    pytest.param(":boolean", ":bool", id="000 primitives :boolean"),
    pytest.param(":keyword", ":keyword", id="000 primitives :keyword"),
    pytest.param(":any", ":any", id="000 primitives :any"),
    pytest.param(":nil", ":nil", id="000 primitives :nil"),
    pytest.param("[:vector :int]", "[:int]", id="000 collections vector"),
    pytest.param("[:sequential :string]", "[:string]", id="000 collections sequential"),
    pytest.param("[:set :keyword]", "#{:keyword}", id="000 collections set"),
    pytest.param("[:map [:id :int]]", "{id :int}", id="000 collections map"),
    pytest.param("[:map-of :string :int]", ":map[:string :int]", id="000 collections map-of"),
    pytest.param("[:tuple :string :int]", "[:string, :int]", id="000 collections tuple"),
    pytest.param("[:map [:email {:optional true} [:maybe :string]]]", "{email :string?}", id="000 entries optional and nullable"),
    pytest.param("[:map [:count {:default 0} :int]]", "{count :int = 0}", id="000 entries default"),
    pytest.param('[:enum "low" "medium" "high"]', ':enum["low" "medium" "high"]', id="000 composites enum"),
    pytest.param("[:or :string :int]", ":string|:int", id="000 composites or"),
    pytest.param("[:and :int [:> 0]]", ":int[>0]", id="000 composites and"),
    pytest.param("[:maybe :string]", ":string?", id="000 composites maybe"),
    pytest.param("[:cat :string :int]", "[:string, :int]", id="000 composites cat"),
    pytest.param("[:=> [:cat :string] :int]", "(arg1 :string) -> :int", id="000 functions string to int"),
    pytest.param("[:=> [:cat :string :int] [:map [:result :boolean]]]", "(arg1 :string, arg2 :int) -> {result :bool}", id="000 functions to map"),
    pytest.param("[:=> [:cat] [:map [:timestamp :string]]]", "() -> {timestamp :string}", id="000 functions zero arguments"),
    pytest.param("[:and :int [:> 0]]", ":int[>0]", id="000 refinements >"),
    pytest.param("[:and :int [:< 100]]", ":int[<100]", id="000 refinements <"),
    pytest.param("[:and :int [:>= 1]]", ":int[1..]", id="000 refinements >="),
    pytest.param("[:and :int [:<= 10]]", ":int[..10]", id="000 refinements <="),
    pytest.param('[:and :string [:re "^[A-Z]"]]', ":string[/^[A-Z]/]", id="000 refinements re"),
    pytest.param("[:cat [:string] [:int]]", "[:string, :int]", id="000 overview params"),
    pytest.param("[:map [:count :int]]", "{count :int}", id="000 overview returns"),
    pytest.param(
        "[:=> [:cat :string] [:map [:count :int] [:items [:vector [:map [:id :int]]]]]]",
        "(arg1 :string) -> {count :int, items [{id :int}]}", id="000 hybrid option 2",
    ),
    pytest.param(
        '[:=> [:cat :string] [:map [:status [:enum "pending" "active" "closed"]] [:score [:and :int [:> 0] [:< 100]]]]]',
        '(arg1 :string) -> {status :enum["pending" "active" "closed"], score :int[>0, <100]}', id="000 hybrid option 3",
    ),
    pytest.param("[:map [:data [:map-of :keyword :any]] [:error {:optional true} :string]]", "{data :map, error? :string}", id="000 examples optional return field"),
    pytest.param(
        '[:=> [:cat :string] [:map [:priority [:enum "low" "medium" "high" "critical"]] [:confidence [:and :double [:>= 0.0] [:<= 1.0]]]]]',
        '(arg1 :string) -> {priority :enum["low" "medium" "high" "critical"], confidence :float[0.0..1.0]}', id="000 Malli directly, classify",
    ),
    pytest.param("[:=> [:cat :string] [:or :int :nil]]", "(arg1 :string) -> :int?", id="000 Malli directly, union"),
    pytest.param("[:=> [:cat] [:map [:page [:and :int [:> 0]]]]]", "() -> {page :int[>0]}", id="000 Malli directly, constrained int"),
    pytest.param("[:map [:field :string]]", "{field :string}", id="000 programmatic schema construction"),
    pytest.param(
        "[:schema {:registry {::node [:map [:value :any] [:children [:vector [:ref ::node]]]]}} ::node]",
        ":node where node = {value :any, children [:node]}", id="000 future recursive schemas",
    ),
    pytest.param("[:vector [:map [:id :int] [:name :string]]]", "[{id :int, name :string}]", id="000 future inference, its result"),
]  # fmt: skip


def as_data(value: Any) -> Any:
    """Return what EDN text reads to as a Python developer writes it."""
    if isinstance(value, Keyword):
        return f":{value}"
    if isinstance(value, list):
        return [as_data(item) for item in value]
    if isinstance(value, dict):
        return {as_data(key): as_data(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize(("malli", "shorthand"), FORMS)
def test_the_seeds_malli_is_read_from_text_and_from_data(malli: str, shorthand: str) -> None:
    from typesig.notations import edn

    assert typesig.parse(shorthand) == typesig.parse(malli, "edn")
    assert typesig.parse(shorthand) == typesig.parse(malli, "malli")
    assert typesig.parse(shorthand) == typesig.parse(as_data(edn.read(malli)), "malli")


TRANSPILED = [
    # shorthand, and the Malli that the seed has for it
    pytest.param(":string", ":string", id="000 reference :string"),
    pytest.param(":int", ":int", id="000 reference :int"),
    pytest.param(":float", ":double", id="000 reference :float"),
    pytest.param(":bool", ":boolean", id="000 reference :bool"),
    pytest.param(":keyword", ":keyword", id="000 reference :keyword"),
    pytest.param(":any", ":any", id="000 reference :any"),
    pytest.param("[:int]", "[:vector :int]", id="000 reference [:int]"),
    pytest.param("[:string]", "[:vector :string]", id="000 reference [:string]"),
    pytest.param("[{:id :int}]", "[:vector [:map [:id :int]]]", id="000 reference [{:id :int}]"),
    pytest.param("{:id :int :name :string}", "[:map [:id :int] [:name :string]]", id="000 reference record"),
    pytest.param(":map", "[:map-of :keyword :any]", id="000 reference :map"),
    pytest.param(":string?", "[:maybe :string]", id="000 reference :string?"),
    pytest.param("{:id :int :email :string?}", "[:map [:id :int] [:email {:optional true} [:maybe :string]]]", id="000 reference optional field"),
    pytest.param("(a :int, b :string) -> :bool", "[:=> [:cat :int :string] :boolean]", id="000 reference function"),
    pytest.param("() -> {:count :int}", "[:=> [:cat] [:map [:count :int]]]", id="000 reference no parameters"),
    pytest.param("(query :string) -> {count :int}", "[:=> [:cat :string] [:map [:count :int]]]", id="000 examples simple"),
    pytest.param(
        "(user_id :int, limit :int) -> {items [{:id :int :name :string}]}",
        "[:=> [:cat :int :int] [:map [:items [:vector [:map [:id :int] [:name :string]]]]]]", id="000 examples nested return",
    ),
    # decision 38: nullable and optional stay two facts, so :maybe is written as in the table.
    pytest.param(
        "() -> {data :map, error :string?}",
        "[:=> [:cat] [:map [:data [:map-of :keyword :any]] [:error {:optional true} [:maybe :string]]]]",
        id="000 examples optional return field",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "malli"), TRANSPILED)
def test_shorthand_is_transpiled_to_the_seeds_malli(shorthand: str, malli: str) -> None:
    from typesig.notations import edn

    signature = typesig.parse(shorthand)
    # A type alone is asked for by its type: a signature is a function.
    asked: Any = signature if malli.startswith("[:=>") else signature.returns

    assert malli == typesig.render(asked, "edn")
    assert as_data(edn.read(malli)) == typesig.render(asked, "malli")


@pytest.mark.parametrize(
    ("malli", "value"),
    [
        pytest.param([":map", [":id", ":int"]], {"id": 1}, id="000 map keys, text"),
        pytest.param([":map", [":id", ":int"]], {Keyword("id"): 1}, id="000 map keys, keyword"),
        pytest.param([":map-of", ":keyword", ":any"], {"id": 1}, id="000 map keys, any map"),
        # decision 38: an int conforms where Malli's :double refuses it.
        pytest.param(":double", 1, id="000 primitives :double takes an int"),
    ],
)
def test_the_seeds_malli_is_lenient_where_the_seed_is(malli: Any, value: object) -> None:
    assert typesig.parse(malli, "malli").accepts(value)


def test_the_core_functions_take_malli_data() -> None:
    sig = typesig.parse([":=>", [":cat", ":int"], [":map", [":name", ":string"]]])

    assert ["name: expected string, got int 3"] == lines(sig.validate_output({"name": 3}).errors)
    assert 42 == sig.validate_input({"arg1": "42"}).value["arg1"]
    assert "(arg1 :int) -> {name :string}" == sig.render()


@pytest.mark.parametrize(
    ("malli", "said"),
    [
        pytest.param([":multi", {":dispatch": ":type"}], "its dispatch is code", id="000 not supported, multi"),
        pytest.param([":fn", "odd?"], "it runs code", id="000 not supported, custom validators"),
        pytest.param(":malli-schema", "there is no such type", id="000 schema generation :malli-schema"),
        pytest.param(":email", 'write [:string {:format "email"}]', id="000 future :email"),
    ],
)  # fmt: skip
def test_what_the_seed_leaves_out_of_malli_is_refused(malli: Any, said: str) -> None:
    with pytest.raises(typesig.Unsupported) as raised:
        typesig.parse(malli, "malli")

    assert said in str(raised.value)
