"""Malli and shorthand side by side: types, values, modes, coercion, reports, listings."""

from __future__ import annotations

from typing import Any

import pytest

import typesig
from typesig.algebra import Keyword
from typesig.errors import SignatureSyntaxError, Unsupported


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


def parsed(text: str) -> str:
    return typesig.render(text)


# A type, and a value that conforms to it.

CONFORMING = [
    pytest.param(":string", "hello", id="primitives :string"),
    pytest.param(":string", "", id="primitives :string empty"),
    pytest.param(":int", 42, id="primitives :int"),
    pytest.param(":int", -1, id="primitives :int negative"),
    pytest.param(":int", 0, id="primitives :int zero"),
    pytest.param(":double", 3.14, id="primitives :double"),
    pytest.param(":double", -0.5, id="primitives :double negative"),
    pytest.param(":boolean", True, id="primitives :boolean true"),
    pytest.param(":boolean", False, id="primitives :boolean false"),
    pytest.param(":keyword", Keyword("pending"), id="primitives :keyword pending"),
    pytest.param(":keyword", Keyword("active"), id="primitives :keyword active"),
    pytest.param(":any", {"anything": [1, None]}, id="primitives :any"),
    pytest.param(":any", None, id="primitives :any nil"),
    pytest.param(":nil", None, id="primitives :nil"),
    pytest.param("[:int]", [1, 2], id="collections vector"),
    pytest.param("[:string]", ["a"], id="collections sequential"),
    pytest.param("#{:keyword}", {Keyword("a"), Keyword("b")}, id="collections set"),
    pytest.param("{id :int}", {"id": 1}, id="collections map"),
    pytest.param(":map[:string :int]", {"a": 1, "b": 2}, id="collections map-of"),
    pytest.param("[:string, :int]", ["a", 1], id="collections tuple"),
    pytest.param(':enum["low" "medium" "high"]', "medium", id="composites enum"),
    pytest.param(":string|:int", "a", id="composites or, first"),
    pytest.param(":string|:int", 1, id="composites or, second"),
    pytest.param(":int[>0]", 1, id="composites and"),
    pytest.param(":string?", None, id="composites maybe nil"),
    pytest.param(":string?", "a", id="composites maybe"),
    pytest.param("[:string, :int]", ["a", 1], id="composites cat"),
    pytest.param(":int[>0]", 1, id="refinements >"),
    pytest.param(":int[<100]", 99, id="refinements <"),
    pytest.param(":int[>=1]", 1, id="refinements >="),
    pytest.param(":int[<=10]", 10, id="refinements <="),
    pytest.param(":string[/^[A-Z]/]", "Alice", id="refinements re"),
    pytest.param(":int|:nil", None, id="Malli directly, union with nil"),
]


@pytest.mark.parametrize(("shorthand", "value"), CONFORMING)
def test_a_value_conforms_to_its_type(shorthand: str, value: object) -> None:
    outcome = typesig.parse(shorthand).validate_output(value)

    assert [] == lines(outcome.errors)
    assert value == outcome.result


FAILING = [
    pytest.param(":string", 1, "expected string, got int 1", id="primitives :string"),
    pytest.param(":int", "42", 'expected int, got string "42"', id="primitives :int"),
    pytest.param(":int", True, "expected int, got bool true", id="primitives :int is no boolean"),
    pytest.param(":double", "3.14", 'expected float, got string "3.14"', id="primitives :double"),
    pytest.param(":boolean", 1, "expected bool, got int 1", id="primitives :boolean"),
    # Plain text is not a keyword in output.
    pytest.param(":keyword", "pending", 'expected keyword, got string "pending"', id="primitives :keyword"),
    pytest.param(":nil", 0, "expected nil, got int 0", id="primitives :nil"),
    pytest.param("[:int]", [1, "b"], '[1]: expected int, got string "b"', id="collections vector"),
    pytest.param("[:string]", "a", 'expected list, got string "a"', id="collections sequential"),
    pytest.param("#{:keyword}", [Keyword("a")], "expected set, got list [:a]", id="collections set"),
    pytest.param("{id :int}", [], "expected map, got list []", id="collections map"),
    pytest.param(":map[:string :int]", {"a": "x"}, 'a: expected int, got string "x"', id="collections map-of"),
    pytest.param("[:string, :int]", ["a"], "expected 2 items, got 1", id="collections tuple"),
    pytest.param(
        ':enum["low" "medium" "high"]', "mid", 'expected one of ["low", "medium", "high"], got "mid"',
        id="composites enum",
    ),
    pytest.param(":string|:int", None, "expected string|int, got nil", id="composites or"),
    pytest.param(":int[>0]", 0, "expected int[>0], got int 0", id="composites and"),
    pytest.param(":string?", 1, "expected string, got int 1", id="composites maybe"),
    pytest.param(":int[>0]", 0, "expected int[>0], got int 0", id="refinements >"),
    pytest.param(":int[<100]", 100, "expected int[<100], got int 100", id="refinements <"),
    pytest.param(":int[>=1]", 0, "expected int[1..], got int 0", id="refinements >="),
    pytest.param(":int[<=10]", 11, "expected int[..10], got int 11", id="refinements <="),
    pytest.param(
        ":string[/^[A-Z]/]", "alice", 'expected string[/^[A-Z]/], got string "alice"',
        id="refinements re",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "value", "message"), FAILING)
def test_a_value_of_another_type_is_an_error(shorthand: str, value: object, message: str) -> None:
    assert [message] == lines(typesig.parse(shorthand).validate_output(value).errors)


CANONICAL = [
    # shorthand as it may be written, and canonical text
    pytest.param(":string", "() -> :string", id="reference :string"),
    pytest.param(":int", "() -> :int", id="reference :int"),
    pytest.param(":float", "() -> :float", id="reference :float"),
    pytest.param(":bool", "() -> :bool", id="reference :bool"),
    pytest.param(":keyword", "() -> :keyword", id="reference :keyword"),
    pytest.param(":any", "() -> :any", id="reference :any"),
    pytest.param(":double", "() -> :float", id="reference :double is also read"),
    pytest.param(":boolean", "() -> :bool", id="reference :boolean is also read"),
    pytest.param("[:int]", "() -> [:int]", id="reference [:int]"),
    pytest.param("[:string]", "() -> [:string]", id="reference [:string]"),
    # Canonical text has commas, and no colon before a name.
    pytest.param("[{:id :int}]", "() -> [{id :int}]", id="reference [{:id :int}]"),
    pytest.param("{:id :int :name :string}", "() -> {id :int, name :string}", id="reference record"),
    pytest.param(":map", "() -> :map", id="reference :map"),
    pytest.param(":string?", "() -> :string?", id="reference :string?"),
    pytest.param("{:id :int :email :string?}", "() -> {id :int, email :string?}", id="reference optional field"),
    pytest.param("(a :int, b :string) -> :bool", "(a :int, b :string) -> :bool", id="reference function"),
    pytest.param("() -> {:count :int}", "() -> {count :int}", id="reference no parameters"),
    pytest.param("(query :string) -> {count :int}", "(query :string) -> {count :int}", id="examples simple"),
    pytest.param(
        "(user_id :int, limit :int) -> {items [{:id :int :name :string}]}",
        "(user_id :int, limit :int) -> {items [{id :int, name :string}]}",
        id="examples nested return",
    ),
    pytest.param("() -> {data :map, error :string?}", "() -> {data :map, error :string?}", id="examples optional return field"),
    pytest.param(
        "(query :string, limit :int) -> {count :int}", "(query :string, limit :int) -> {count :int}",
        id="overview schema flow",
    ),
    pytest.param(
        "(query :string) -> {count :int, items [{id :int}]}", "(query :string) -> {count :int, items [{id :int}]}",
        id="hybrid option 1",
    ),
    # Constraints and enums within signatures.
    pytest.param(
        '(query :string) -> {status :enum["pending" "active" "closed"], score :int[>0, <100]}',
        '(query :string) -> {status :enum["pending" "active" "closed"], score :int[>0, <100]}',
        id="hybrid option 3",
    ),
    pytest.param(
        "(query :string, limit :int) -> {count :int, _ids [:int]}", "(query :string, limit :int) -> {count :int, _ids [:int]}",
        id="API delegate",
    ),
    pytest.param(
        "(query :string) -> {count :int, _email_ids [:int]}", "(query :string) -> {count :int, _email_ids [:int]}",
        id="API as_tool",
    ),
    pytest.param(
        '(text :string) -> {priority :enum["low" "medium" "high" "critical"], confidence :float[0.0..1.0]}',
        '(text :string) -> {priority :enum["low" "medium" "high" "critical"], confidence :float[0.0..1.0]}',
        id="Malli directly, classify",
    ),
    pytest.param("(a :string) -> :int|:nil", "(a :string) -> :int?", id="Malli directly, union"),
    pytest.param("() -> {page :int[>0]}", "() -> {page :int[>0]}", id="Malli directly, constrained int"),
    pytest.param("(id :int, name :string) -> :bool", "(id :int, name :string) -> :bool", id="input validation"),
    pytest.param("() -> {:count :int :items [:string]}", "() -> {count :int, items [:string]}", id="output validation"),
    pytest.param(
        "(query :string, limit :int) -> [{id :int, title :string}]",
        "(query :string, limit :int) -> [{id :int, title :string}]",
        id="schema generation search",
    ),
    pytest.param(
        '(text :string) -> {category :enum["spam" "ham"], confidence :float}',
        '(text :string) -> {category :enum["spam" "ham"], confidence :float}',
        id="schema generation classify",
    ),
    pytest.param(
        "(id :int) -> {name :string, email :string?}", "(id :int) -> {name :string, email :string?}",
        id="schema generation get_user",
    ),
    # Forms that Malli has too.
    pytest.param("#{:keyword}", "() -> #{:keyword}", id="collections set"),
    pytest.param(":map[:string :int]", "() -> :map[:int]", id="collections map-of"),
    pytest.param("[:string, :int]", "() -> [:string, :int]", id="collections tuple"),
    pytest.param("{count :int = 0}", "() -> {count :int = 0}", id="entries default"),
    pytest.param(':enum["low" "medium" "high"]', '() -> :enum["low" "medium" "high"]', id="composites enum"),
    pytest.param(":string|:int", "() -> :string|:int", id="composites or"),
    pytest.param(":int[>0]", "() -> :int[>0]", id="composites and"),
    pytest.param(":int[>=1]", "() -> :int[1..]", id="refinements >="),
    pytest.param(":int[<=10]", "() -> :int[..10]", id="refinements <="),
    pytest.param(":string[/^[A-Z]/]", "() -> :string[/^[A-Z]/]", id="refinements re"),
    pytest.param("(a :string) -> :int", "(a :string) -> :int", id="functions string to int"),
    pytest.param("(a :string, b :int) -> {result :boolean}", "(a :string, b :int) -> {result :bool}", id="functions to map"),
    pytest.param("() -> {timestamp :string}", "() -> {timestamp :string}", id="functions zero arguments"),
    pytest.param(
        ":node where node = {value :any, children [:node]}", "() -> :node where node = {value :any, children [:node]}",
        id="future recursive schemas",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("written", "canonical"), CANONICAL)
def test_shorthand_is_written_in_its_canonical_form(written: str, canonical: str) -> None:
    assert canonical == parsed(written)
    assert canonical == str(typesig.parse(written))
    assert typesig.parse(written) == typesig.parse(canonical)


def test_a_lone_result_is_a_signature_without_parameters() -> None:
    lone = typesig.parse("{summary :string, count :int}")

    assert typesig.parse("() -> {summary :string, count :int}") == lone


MODES = [
    # mode, value, whether it passes, errors, warnings
    pytest.param("enabled", {"a": 1, "b": 2}, True, [], [], id="modes :enabled allows extra fields"),
    pytest.param("enabled", {"a": "x"}, False, ['a: expected int, got string "x"'], [], id="modes :enabled fails on errors"),
    pytest.param("warn_only", {"a": "x"}, True, [], ['a: expected int, got string "x"'], id="modes :warn_only continues"),
    pytest.param("warn_only", {"a": 1, "b": 2}, True, [], [], id="modes :warn_only allows extra fields"),
    pytest.param("disabled", {"a": "x", "b": 2}, True, [], [], id="modes :disabled skips all"),
    pytest.param("strict", {"a": 1}, True, [], [], id="modes :strict takes what fits"),
    pytest.param("strict", {"a": "x"}, False, ['a: expected int, got string "x"'], [], id="modes :strict fails on errors"),
    pytest.param("strict", {"a": 1, "b": 2}, False, ["b: unexpected key"], [], id="modes :strict rejects extra fields"),
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
    pytest.param("42", ":int", 42, ['v: coerced string "42" to int'], id="coercion string to :int"),
    pytest.param("3.14", ":double", 3.14, ['v: coerced string "3.14" to float'], id="coercion string to :double"),
    pytest.param("true", ":boolean", True, ['v: coerced string "true" to bool'], id="coercion string to :boolean"),
    pytest.param(42, ":double", 42.0, [], id="coercion 42 to :double is silent"),
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
        pytest.param("42", ":int", 'expected int, got string "42"', id="coercion string to :int"),
        pytest.param("3.14", ":double", 'expected float, got string "3.14"', id="coercion string to :double"),
        pytest.param("true", ":boolean", 'expected bool, got string "true"', id="coercion string to :boolean"),
    ],
)  # fmt: skip
def test_outputs_are_not_coerced(value: object, to: str, message: str) -> None:
    assert [message] == lines(typesig.parse(to).validate_output(value).errors)


def test_an_int_in_a_result_stays_an_int_although_the_type_is_float() -> None:
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


def test_a_report_lists_errors_and_then_warnings() -> None:
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

    # Messages name the types as shorthand does: float, not double.
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
    pytest.param("{id :int}", {}, ["id: expected int, got nil (missing)"], None, id="entries required, absent"),
    pytest.param("{id :int}", {"id": None}, ["id: expected int, got nil"], None, id="entries required, nil"),
    pytest.param("{email :string?}", {}, [], {}, id="entries optional, absent"),
    pytest.param("{email :string?}", {"email": None}, [], {"email": None}, id="entries optional, nil"),
    pytest.param("{email :string?}", {"email": "a@b"}, [], {"email": "a@b"}, id="entries optional, there"),
    pytest.param("{count :int = 0}", {}, [], {"count": 0}, id="entries default, absent"),
    pytest.param("{count :int = 0}", {"count": None}, [], {"count": 0}, id="entries default, nil"),
    pytest.param("{count :int = 0}", {"count": 3}, [], {"count": 3}, id="entries default, there"),
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
    assert {} == typesig.parse("{count :int = 0}").validate_output({}).value


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({"id": 1}, id="map keys, text"),
        pytest.param({Keyword("id"): 1}, id="map keys, keyword"),
    ],
)
def test_data_may_have_text_or_keyword_keys(data: dict[str, object]) -> None:
    outcome = typesig.parse("{id :int}").validate_output(data)

    assert {"id": 1} == outcome.value
    assert [str] == [type(key) for key in outcome.value]


NOT_TYPES = [
    pytest.param(
        "(data :map, schema :malli-schema) -> {valid :bool, errors [:string]}", ":malli-schema",
        id=":malli-schema",
    ),
    pytest.param("() -> {contact :email}", 'there is no type ":email"; write :string[email]', id="future :email"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "said"), NOT_TYPES)
def test_a_name_that_is_not_a_type_is_refused(written: str, said: str) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(written)

    assert said in str(raised.value)


def test_a_recursive_type_checks_trees() -> None:
    tree = typesig.parse(":node where node = {value :any, children [:node]}")

    assert tree.accepts({"value": 1, "children": [{"value": 2, "children": []}]})
    assert ["children[0].children: expected list, got nil (missing)"] == lines(
        tree.validate_output({"value": 1, "children": [{"value": 2}]}).errors
    )


CORE = [
    pytest.param(lambda: typesig.parse("(id :int) -> :bool").params[0].name, "id", id="core parse"),
    pytest.param(lambda: typesig.parse(":int").validate(1).ok, True, id="core validate"),
    pytest.param(lambda: typesig.parse(":int").validate("1").ok, False, id="core validate does not coerce"),
    pytest.param(lambda: typesig.parse(":int").validate_and_coerce("1").value, 1, id="core validate_and_coerce"),
    pytest.param(lambda: typesig.parse(":int").validate_and_coerce("x").ok, False, id="core validate_and_coerce, error"),
    pytest.param(lambda: typesig.render(typesig.parse("(id :int)->:bool")), "(id :int) -> :bool", id="core render"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), CORE)
def test_the_core_functions_parse_validate_coerce_and_render(call: Any, expected: object) -> None:
    assert expected == call()


def test_validate_and_coerce_warns_about_coerced_values() -> None:
    outcome = typesig.parse("[{id :int}]").validate_and_coerce([{"id": "7"}])

    assert [{"id": 7}] == outcome.value
    assert ['[0].id: coerced string "7" to int'] == lines(outcome.warnings)


def test_tools_are_listed_with_their_signatures_and_descriptions() -> None:
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
            id="API delegate",
        ),
        pytest.param(
            "(query :string) -> {count :int, _email_ids [:int]}",
            "(query :string) -> {count :int}",
            id="API as_tool",
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


# Malli, and the same in shorthand; read from EDN text and from Python data.

FORMS = [
    pytest.param(":string", ":string", id="primitives :string"),
    pytest.param(":int", ":int", id="primitives :int"),
    pytest.param(":double", ":float", id="primitives :double"),
    pytest.param(":boolean", ":bool", id="primitives :boolean"),
    pytest.param(":keyword", ":keyword", id="primitives :keyword"),
    pytest.param(":any", ":any", id="primitives :any"),
    pytest.param(":nil", ":nil", id="primitives :nil"),
    pytest.param("[:vector :int]", "[:int]", id="collections vector"),
    pytest.param("[:sequential :string]", "[:string]", id="collections sequential"),
    pytest.param("[:set :keyword]", "#{:keyword}", id="collections set"),
    pytest.param("[:map [:id :int]]", "{id :int}", id="collections map"),
    pytest.param("[:map-of :string :int]", ":map[:string :int]", id="collections map-of"),
    pytest.param("[:tuple :string :int]", "[:string, :int]", id="collections tuple"),
    pytest.param("[:map [:email {:optional true} [:maybe :string]]]", "{email :string?}", id="entries optional and nullable"),
    pytest.param("[:map [:count {:default 0} :int]]", "{count :int = 0}", id="entries default"),
    pytest.param('[:enum "low" "medium" "high"]', ':enum["low" "medium" "high"]', id="composites enum"),
    pytest.param("[:or :string :int]", ":string|:int", id="composites or"),
    pytest.param("[:and :int [:> 0]]", ":int[>0]", id="composites and"),
    pytest.param("[:maybe :string]", ":string?", id="composites maybe"),
    pytest.param("[:cat :string :int]", "[:string, :int]", id="composites cat"),
    pytest.param("[:=> [:cat :string] :int]", "(arg1 :string) -> :int", id="functions string to int"),
    pytest.param("[:=> [:cat :string :int] [:map [:result :boolean]]]", "(arg1 :string, arg2 :int) -> {result :bool}", id="functions to map"),
    pytest.param("[:=> [:cat] [:map [:timestamp :string]]]", "() -> {timestamp :string}", id="functions zero arguments"),
    pytest.param("[:and :int [:> 0]]", ":int[>0]", id="refinements >"),
    pytest.param("[:and :int [:< 100]]", ":int[<100]", id="refinements <"),
    pytest.param("[:and :int [:>= 1]]", ":int[1..]", id="refinements >="),
    pytest.param("[:and :int [:<= 10]]", ":int[..10]", id="refinements <="),
    pytest.param('[:and :string [:re "^[A-Z]"]]', ":string[/^[A-Z]/]", id="refinements re"),
    pytest.param("[:cat [:string] [:int]]", "[:string, :int]", id="overview params"),
    pytest.param("[:map [:count :int]]", "{count :int}", id="overview returns"),
    pytest.param(
        "[:=> [:cat :string] [:map [:count :int] [:items [:vector [:map [:id :int]]]]]]",
        "(arg1 :string) -> {count :int, items [{id :int}]}", id="hybrid option 2",
    ),
    pytest.param(
        '[:=> [:cat :string] [:map [:status [:enum "pending" "active" "closed"]] [:score [:and :int [:> 0] [:< 100]]]]]',
        '(arg1 :string) -> {status :enum["pending" "active" "closed"], score :int[>0, <100]}', id="hybrid option 3",
    ),
    pytest.param("[:map [:data [:map-of :keyword :any]] [:error {:optional true} :string]]", "{data :map, error? :string}", id="examples optional return field"),
    pytest.param(
        '[:=> [:cat :string] [:map [:priority [:enum "low" "medium" "high" "critical"]] [:confidence [:and :double [:>= 0.0] [:<= 1.0]]]]]',
        '(arg1 :string) -> {priority :enum["low" "medium" "high" "critical"], confidence :float[0.0..1.0]}', id="Malli directly, classify",
    ),
    pytest.param("[:=> [:cat :string] [:or :int :nil]]", "(arg1 :string) -> :int?", id="Malli directly, union"),
    pytest.param("[:=> [:cat] [:map [:page [:and :int [:> 0]]]]]", "() -> {page :int[>0]}", id="Malli directly, constrained int"),
    pytest.param("[:map [:field :string]]", "{field :string}", id="programmatic schema construction"),
    pytest.param(
        "[:schema {:registry {::node [:map [:value :any] [:children [:vector [:ref ::node]]]]}} ::node]",
        ":node where node = {value :any, children [:node]}", id="future recursive schemas",
    ),
    pytest.param("[:vector [:map [:id :int] [:name :string]]]", "[{id :int, name :string}]", id="future inference, its result"),
]  # fmt: skip


def as_data(value: Any) -> Any:
    """Return a value read from EDN text as plain Python data."""
    if isinstance(value, Keyword):
        return f":{value}"
    if isinstance(value, list):
        return [as_data(item) for item in value]
    if isinstance(value, dict):
        return {as_data(key): as_data(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize(("malli", "shorthand"), FORMS)
def test_malli_is_read_from_text_and_from_data(malli: str, shorthand: str) -> None:
    from typesig.notations import edn

    assert typesig.parse(shorthand) == typesig.parse(malli, "edn")
    assert typesig.parse(shorthand) == typesig.parse(malli, "malli")
    assert typesig.parse(shorthand) == typesig.parse(as_data(edn.read(malli)), "malli")


TRANSPILED = [
    # shorthand, and the same in Malli
    pytest.param(":string", ":string", id="reference :string"),
    pytest.param(":int", ":int", id="reference :int"),
    pytest.param(":float", ":double", id="reference :float"),
    pytest.param(":bool", ":boolean", id="reference :bool"),
    pytest.param(":keyword", ":keyword", id="reference :keyword"),
    pytest.param(":any", ":any", id="reference :any"),
    pytest.param("[:int]", "[:vector :int]", id="reference [:int]"),
    pytest.param("[:string]", "[:vector :string]", id="reference [:string]"),
    pytest.param("[{:id :int}]", "[:vector [:map [:id :int]]]", id="reference [{:id :int}]"),
    pytest.param("{:id :int :name :string}", "[:map [:id :int] [:name :string]]", id="reference record"),
    pytest.param(":map", "[:map-of :keyword :any]", id="reference :map"),
    pytest.param(":string?", "[:maybe :string]", id="reference :string?"),
    pytest.param("{:id :int :email :string?}", "[:map [:id :int] [:email {:optional true} [:maybe :string]]]", id="reference optional field"),
    pytest.param("(a :int, b :string) -> :bool", "[:=> [:cat :int :string] :boolean]", id="reference function"),
    pytest.param("() -> {:count :int}", "[:=> [:cat] [:map [:count :int]]]", id="reference no parameters"),
    pytest.param("(query :string) -> {count :int}", "[:=> [:cat :string] [:map [:count :int]]]", id="examples simple"),
    pytest.param(
        "(user_id :int, limit :int) -> {items [{:id :int :name :string}]}",
        "[:=> [:cat :int :int] [:map [:items [:vector [:map [:id :int] [:name :string]]]]]]", id="examples nested return",
    ),
    # Nullable and optional stay two facts, so both are written.
    pytest.param(
        "() -> {data :map, error :string?}",
        "[:=> [:cat] [:map [:data [:map-of :keyword :any]] [:error {:optional true} [:maybe :string]]]]",
        id="examples optional return field",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("shorthand", "malli"), TRANSPILED)
def test_shorthand_is_written_as_malli(shorthand: str, malli: str) -> None:
    from typesig.notations import edn

    signature = typesig.parse(shorthand)
    # A signature is written as a function, a type as its form.
    asked: Any = signature if malli.startswith("[:=>") else signature.returns

    assert malli == typesig.render(asked, "edn")
    assert as_data(edn.read(malli)) == typesig.render(asked, "malli")


@pytest.mark.parametrize(
    ("malli", "value"),
    [
        pytest.param([":map", [":id", ":int"]], {"id": 1}, id="map keys, text"),
        pytest.param([":map", [":id", ":int"]], {Keyword("id"): 1}, id="map keys, keyword"),
        pytest.param([":map-of", ":keyword", ":any"], {"id": 1}, id="map keys, any map"),
        # An int conforms here; Malli's :double refuses it.
        pytest.param(":double", 1, id="primitives :double takes an int"),
    ],
)
def test_keys_and_ints_are_accepted_as_leniently_as_in_shorthand(malli: Any, value: object) -> None:
    assert typesig.parse(malli, "malli").accepts(value)


def test_the_core_functions_take_malli_data() -> None:
    sig = typesig.parse([":=>", [":cat", ":int"], [":map", [":name", ":string"]]])

    assert ["name: expected string, got int 3"] == lines(sig.validate_output({"name": 3}).errors)
    assert 42 == sig.validate_input({"arg1": "42"}).value["arg1"]
    assert "(arg1 :int) -> {name :string}" == sig.render()


@pytest.mark.parametrize(
    ("malli", "said"),
    [
        pytest.param([":multi", {":dispatch": "f"}, [":a", ":map"]], "only a keyword can be its dispatch", id="not supported, multi"),
        pytest.param([":fn", "odd?"], "it runs code", id="not supported, custom validators"),
        pytest.param(":malli-schema", "there is no such type", id=":malli-schema"),
        pytest.param(":email", 'write [:string {:format "email"}]', id="future :email"),
    ],
)  # fmt: skip
def test_a_form_of_malli_that_is_not_supported_is_refused(malli: Any, said: str) -> None:
    with pytest.raises(Unsupported) as raised:
        typesig.parse(malli, "malli")

    assert said in str(raised.value)
