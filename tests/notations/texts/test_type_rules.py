"""Negations, tuples with a rest, and patterns of keys: as text, in checks, and in messages."""

from __future__ import annotations

from typing import Any

import pytest

import typesig
from typesig import TypesigError, tool, tools_of
from typesig.algebra.constructors import make_not
from typesig.algebra.nodes import (
    INT,
    STRING,
    List,
    Not,
    PatternField,
    Record,
    Tuple,
)
from typesig.algebra.redaction import redact
from typesig.errors import SignatureSyntaxError, TooDeep
from typesig.listings import Template


def lines(issues: Any) -> list[str]:
    return [str(issue) for issue in issues]


# texts


@pytest.mark.parametrize(("read", "written"), [
    (":not[:int]", ":not[:int]"),
    (":not[ :int ]", ":not[:int]"),
    (":not[:int]?", ":not[:int]?"),
    (":not[:int?]", ":not[:int?]"),
    (":not[:not[:int]]", ":int"),
    (":not[:int][1..]", ":not[:int][1..]"),
    (':not[(:int "x")]', ':not[(:int "x")]'),
    (":not[:int|:string]", ":not[:int|:string]"),
    (":not[:int]|:string & :any", ":not[:int]|:string & :any"),
    ("{a :not[:int]?}", "{a :not[:int]?}"),
    ("[:int, ** :string]", "[:int, ** :string]"),
    ("[:int,** :string]", "[:int, ** :string]"),
    ("[:int, :float, ** :any]", "[:int, :float, ** :any]"),
    ('[:int, ** (:string "x")]', '[:int, ** (:string "x")]'),
    ("[:int, ** :int|:string][2..]", "[:int, ** :int|:string][2..]"),
    ("[:int, ** [:int, ** :int]]", "[:int, ** [:int, ** :int]]"),
    ("{/^x-/ :int}", "{/^x-/ :int}"),
    ("{id :int, /^x-/ :string}", "{id :int, /^x-/ :string}"),
    ("{id :int, /^x-/ :string, /y$/ :int?}!", "{id :int, /^x-/ :string, /y$/ :int?}!"),
    ("{/^x-/ :int, ** :any}", "{/^x-/ :int}"),
    ("{/^x-/ :int, ** :float}", "{/^x-/ :int, ** :float}"),
    ('{/^x-/ :int "words"}', '{/^x-/ :int "words"}'),
    (r"{/a\/b/ :int}", r"{/a\/b/ :int}"),
    ("{/^x-/ :int}[1..2]", "{/^x-/ :int}[1..2]"),
    ("(a {/^x-/ :int}) -> [:int, ** :not[:int]]", None),
])  # fmt: skip
def test_a_new_shape_is_read_and_written(read, written):
    s = typesig.parse(read)

    assert (written or read) == s.render().removeprefix("() -> ")
    assert s == typesig.parse(s.render())


@pytest.mark.parametrize(("text", "column", "message"), [
    (":not[:int, :string]", 10, ", is not allowed here; expected a closing ]"),
    (":not[not]", 6, "not is not a type; a type begins with a colon, as in :string"),
    (":not :int", 6, ":int is not allowed here; expected where or the end"),
    (":T where T = :not[:T]", 10, "the type :T is defined only by itself; put a list, a map or a record in between"),
    ("[:int, **]", 10, "] is not allowed here; expected a type such as :int"),
    ("[:int, ** :int, :string]", 15, ", is not allowed here; expected a closing ]"),
    ("[:int, ** :int, ** :int]", 15, ", is not allowed here; expected a closing ]"),
    ("{/a/}", 5, "} is not allowed here; expected a type such as :int"),
    ("{/a/? :int}", 5, "? is not allowed here; expected a type such as :int"),
    ("{/a/ :int = 5}", 11, "= is not allowed here; expected a text in double quotes, a comma or a closing }"),
    ("{/a/ :int, /a/ :string}", 12, "the pattern /a/ occurs twice"),
    ("{** :int, /a/ :int}", 9, ", is not allowed here; expected a closing }"),
    ("(/a/ :int) -> :any", 2, "only records have patterns of names; ** is the type of the other arguments"),
    ("(q :int, /a/ :int) -> :any", 10, "only records have patterns of names; ** is the type of the other arguments"),
])  # fmt: skip
def test_a_mistake_has_its_place_and_remedy(text, column, message):
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse(text)

    assert (1, column, message) == (caught.value.line, caught.value.column, caught.value.message)


def test_a_field_after_a_pattern_is_a_syntax_error():
    with pytest.raises(SignatureSyntaxError):
        typesig.parse("{/a/ :int, b :int}")


def test_an_invalid_pattern_of_keys_is_an_error():
    with pytest.raises(SignatureSyntaxError, match=r"the pattern /\(/") as caught:
        typesig.parse("{/(/ :int}")

    assert (1, 2, 3) == (caught.value.line, caught.value.column, caught.value.width)


# the algebra


def test_a_double_negation_is_the_type():
    assert make_not(make_not(INT)) == INT
    assert Not(INT) == make_not(INT)


def test_a_tuple_needs_two_positions_or_a_rest():
    with pytest.raises(TypesigError, match=r"a tuple has two or more positions"):
        Tuple((INT,))
    with pytest.raises(TypesigError, match=r"a tuple has two or more positions"):
        Tuple((), INT)

    assert Tuple((INT,), STRING).rest == STRING


def test_a_record_has_a_pattern_of_keys_only_once():
    with pytest.raises(TypesigError, match=r"the pattern /a/ occurs twice"):
        Record((), None, (PatternField("a", INT), PatternField("a", STRING)))


def test_a_pattern_of_keys_is_canonical():
    assert PatternField("a\nb", INT) == PatternField(r"a\nb", INT)


# checks

FOUND = [
    (":not[:string]", "x", ['expected not string, got string "x"']),
    (":not[:string]", 1, []),
    (":not[:string]", None, []),
    (":not[:int?]", None, ["expected not int, got nil"]),
    (":not[:any]", 1, ["expected not any, got int 1"]),
    (":not[{a :int}]", {"a": 1}, ['expected not map, got map {"a": 1}']),
    (":not[{a :int}]", {"a": "x"}, []),
    (":not[:float]", 1, ["expected not float, got int 1"]),
    (":not[[:int]]", [1, "x"], []),
    (":not[:enum[a b]]", "a", ['expected not one of ["a", "b"], got string "a"']),
    (":int & :not[:enum[3]]", 3, ["expected not one of [3], got int 3"]),
    (":not[:T] where T = {a :int}", {"a": 1}, ['expected not map, got map {"a": 1}']),
    (":not[:string]|:nil", "x", ['expected not string, got string "x"']),
    ("{a :not[:string]}", {"a": "x"}, ['a: expected not string, got string "x"']),
    ("{a :not[:string]}", {}, ["a: expected not string, got nil (missing)"]),
    ("{a? :not[:any]}", {"a": 1}, ["a: expected not any, got int 1"]),
    ("{a? :not[:any]}", {}, []),
    (":not[:string[3..]]", "ab", []),
    ("[:int, ** :string]", [1], []),
    ("[:int, ** :string]", [1, "a", "b"], []),
    ("[:int, ** :string]", (1, "a"), []),
    ("[:int, ** :string]", [], ["expected 1 or more items, got 0"]),
    ("[:int, :int, ** :string]", [1], ["expected 2 or more items, got 1"]),
    ("[:int, ** :string]", ["x"], ['[0]: expected int, got string "x"']),
    ("[:int, ** :string]", ["x", 1, "a", 2], ['[0]: expected int, got string "x"', "[1]: expected string, got int 1", "[3]: expected string, got int 2"]),
    ("[:int, ** :string]", {}, ["expected list, got map {}"]),
    ("[:int, ** {a :int}]", [1, {"a": "x"}], ['[1].a: expected int, got string "x"']),
    ("[:int, ** :int][..2]", [1, 2, 3], ["expected list[..2], got list [1, 2, 3]"]),
    ("[:int, ** :any][unique]", [1, 1], ["expected list[unique], got list [1, 1]"]),
    ("{/^x-/ :int}", {"x-a": 1, "x-": 2}, []),
    ("{/^x-/ :int}", {"x-a": "b"}, ['x-a: expected int, got string "b"']),
    ("{/^x-/ :int}", {"x-a b": "b"}, ['["x-a b"]: expected int, got string "b"']),
    ("{a :int, /^x-/ :int}!", {"a": 1, "x-b": 2, "b": 1}, ["b: unexpected key"]),
    ("{a :int, /^a/ :int[5..]}", {"a": 1}, ["a: expected int[5..], got int 1"]),
    ("{user_id :int, /^user/ :int[5..]}!", {"user-id": 1}, ["user_id: expected int[5..], got int 1"]),
    ("{/^x/ :int, /y$/ :string}", {"xy": 1}, ["xy: expected string, got int 1"]),
    ("{/^x/ {a :int}}", {"x1": {}}, ["x1.a: expected int, got nil (missing)"]),
    ("{/^x/ :int, ** :string}", {"x": 1, "y": 1}, ["y: expected string, got int 1"]),
    ("{/^x/ :int}", {1: 1}, ["keys are string, got int 1"]),
    ("{/^x/ :int}", [], ["expected map, got list []"]),
    ("{a :int, /^x/ :int}!", {"a": 1, "_x": 1}, ["_x: unexpected key"]),
    ("{/^x/ :int}[1..]", {}, ["expected map[1..], got map {}"]),
]  # fmt: skip


def test_undeclared_keys_of_an_open_record_of_patterns_are_kept():
    assert typesig.parse("{/^x-/ :int}").accepts({"x-a": 1, "y": "z"})


@pytest.mark.parametrize(("text", "value", "found"), FOUND)
@pytest.mark.parametrize("mode", ["enabled", "strict"])
def test_a_result_is_checked_without_coercion(text, value, found, mode):
    outcome = typesig.parse(text).validate_output(value, mode)

    assert found == lines(outcome.errors)
    assert found or outcome.result is value


@pytest.mark.parametrize(("text", "sent", "result", "warnings"), [
    ("[:int, ** :int]", ["1", 2, "3"], [1, 2, 3], ['[0]: coerced string "1" to int', '[2]: coerced string "3" to int']),
    ("[:int, ** {a :bool}]", [1, {"a": "true"}], [1, {"a": True}], ['[1].a: coerced string "true" to bool']),
    ("{a :int, /^x-/ :int}", {"a": "1", "x-b": "2", "y": "3"}, {"a": 1, "x-b": 2, "y": "3"}, ['a: coerced string "1" to int', 'x-b: coerced string "2" to int']),
    ("{/^x-/ :int}!", {"x-b": "2"}, {"x-b": 2}, ['x-b: coerced string "2" to int']),
    ("{/^x-/ :int, ** :bool}", {"x-b": "2", "y": "false"}, {"x-b": 2, "y": False}, ['x-b: coerced string "2" to int', 'y: coerced string "false" to bool']),
    # A negation applies to the value as it was sent, before coercion.
    (":not[:int]", "3", "3", []),
    (":not[:int]|:int", "3", "3", []),
    (":not[:string]|:int", "3", 3, ['coerced string "3" to int']),
    ("{a :not[:int], b :int = 5}", {"a": "x"}, {"a": "x", "b": 5}, []),
])  # fmt: skip
def test_input_is_coerced(text, sent, result, warnings):
    outcome = typesig.parse(text).validate_and_coerce(sent)

    assert result == outcome.result
    assert warnings == lines(outcome.warnings)


@pytest.mark.parametrize(("text", "sent", "errors"), [
    (":not[:string]", "3", ['expected not string, got string "3"']),
    (":int & :not[:enum[3]]", "3", ["expected not one of [3], got int 3"]),
    ("[:int, ** :int]", ["1", "x"], ['[1]: expected int, got string "x"']),
    ("{/^x/ :int}!", {"x1": "1", "y": 2}, ["y: unexpected key"]),
])  # fmt: skip
def test_input_that_cannot_be_coerced_is_an_error(text, sent, errors):
    assert errors == lines(typesig.parse(text).validate_and_coerce(sent).errors)


def test_a_report_has_places_under_patterns_and_in_the_rest_of_a_tuple():
    s = typesig.parse("(a {/^x-/ {v :int}}, b [:int, ** :int]) -> :any")
    outcome = s.validate_input({"a": {"x-1": {"v": "q"}}, "b": ["1", "z"]})

    assert (
        "Tool validation errors:\n"
        '- a.x-1.v: expected int, got string "q"\n'
        '- b[1]: expected int, got string "z"\n'
        "\n"
        "Tool validation warnings:\n"
        '- b[0]: coerced string "1" to int' == outcome.report()
    )


# deep


@pytest.mark.parametrize(("opening", "closing"), [
    ("[:int, ** ", "]"), ("{/a/ ", "}"), (":not[[", "]]"),
])  # fmt: skip
def test_a_type_may_nest_up_to_the_limit(opening, closing):
    with pytest.raises(TooDeep, match="a type may nest 128 levels"):
        typesig.parse(opening * 128 + ":int" + closing * 128)

    levels = 127 // len(closing)
    s = typesig.parse(opening * levels + ":int" + closing * levels)

    assert s == typesig.parse(s.render())


@pytest.mark.parametrize(("text", "wrap"), [
    (":T where T = [:int, ** :T]", lambda value: [1, value]),
    (":T where T = {/^x/ :T}", lambda value: {"x": value}),
])  # fmt: skip
@pytest.mark.parametrize("mode", ["enabled", "strict"])
def test_a_value_that_is_too_deep_is_an_issue(text, wrap, mode):
    value = wrap({}) if "{" in text else [1]
    for _ in range(2000):
        value = wrap(value)
    s = typesig.parse(text)

    assert "nested too deep" in str(s.validate_output(value, mode).errors[0])
    assert "nested too deep" in str(s.validate_and_coerce(value, mode).errors[0])


def test_a_negation_of_a_recursive_type_is_checked():
    s = typesig.parse(":T where T = [:not[:T]]")

    assert s.accepts([])
    assert not s.accepts([[]])
    assert s.accepts([[[]]])
    assert typesig.parse(":not[[:not[:int]]]").accepts(["x", 1])


@pytest.mark.parametrize("mode", ["enabled", "strict"])
def test_a_value_too_deep_to_check_does_not_conform_to_a_negation(mode):
    value: Any = {}
    for _ in range(2000):
        value = {"x": value}

    assert not typesig.parse(":not[:T] where T = {x? :T}").validate_output(value, mode).ok


# what a model sees


@tool(
    "(a :not[:string], b {id :int, _h? :int, /^x-/ {_h? :int, v :int}}, c [:int, ** {_h? :int}])"
    " -> {/^x-/ {_s :int, v :int}}"
)
def probe(a, b, c):
    """Look."""
    return {"x-1": {"_s": 1, "v": 2}}


def test_a_listing_leaves_out_firewalled_names():
    shown = (
        "probe(a :not[:string], b {id :int, /^x-/ {v :int}}, c [:int, ** {}])"
        " -> {/^x-/ {v :int}}\n  Look."
    )

    assert f"## Tools you can call\n\n{shown}" == tools_of([probe]).prompt()


@pytest.mark.parametrize(("text", "shown"), [
    ("{_a :int, /^_/ {_b :int, c :int}, ** {_d :int}}", "{/^_/ {c :int}, ** {}}"),
    ("[{_a :int}, ** {_b :int, c :int}]", "[{}, ** {c :int}]"),
    (":not[{_a :int, b :int}]", ":any"),
])  # fmt: skip
def test_a_redacted_signature_has_no_firewalled_names_at_any_depth(text, shown):
    assert f"() -> {shown}" == redact(typesig.parse(text)).render()


@pytest.mark.parametrize(("arguments", "errors"), [
    ({"a": 1, "b": {"id": 1, "x-1": {"v": 2}}, "c": [1, {}]}, []),
    ({"a": 1, "b": {"id": 1, "_h": 2}, "c": [1]}, ["b._h: unexpected key"]),
    ({"a": 1, "b": {"id": 1, "x-1": {"v": 1, "_h": 4}}, "c": [1]}, ["b.x-1._h: unexpected key"]),
    ({"a": 1, "b": {"id": 1}, "c": [1, {"_h": 4}]}, ["c[1]._h: unexpected key"]),
    ({"a": "s", "b": {"id": 1}, "c": [1]}, ['a: expected not string, got string "s"']),
])  # fmt: skip
def test_a_model_may_not_send_firewalled_names(arguments, errors):
    assert errors == lines(probe.call(arguments).errors)


def test_the_result_of_a_tool_keeps_firewalled_names():
    outcome = probe.call({"a": 1, "b": {"id": 1}, "c": [1]})

    assert {"x-1": {"_s": 1, "v": 2}} == outcome.value


@pytest.mark.parametrize(("text", "signature"), [
    ("{{a.x-1.v}}", "(a {/^x-/ {v :int}}) -> :any"),
    ("{{a.x_1.v}}", "(a {/^x/ {v :int}}) -> :any"),
    ("{{a.b}}", "(a {b :int} & :not[{c :int}]) -> :any"),
    ("{{a.b}}", "(a {b :int, /^x/ :int}!) -> :any"),
])  # fmt: skip
def test_a_placeholder_may_be_a_key_that_matches_a_pattern(text, signature):
    assert text == Template(text, signature).text


@pytest.mark.parametrize(("text", "signature", "message"), [
    ("{{a.x-1.w}}", "(a {/^x-/ {v :int}}!) -> :any", "placeholder {{a.x-1.w}}: there is no w; there are v"),
    ("{{a.y}}", "(a {/^x-/ {v :int}}!) -> :any", "placeholder {{a.y}}: nothing is named below a; write {{a}}"),
    ("{{a.b}}", "(a [:int, ** {v :int}]) -> :any", "placeholder {{a.b}}: nothing is named below a; write {{a}}"),
    ("{{a.b}}", "(a :not[:string]) -> :any", "placeholder {{a.b}}: nothing is named below a; write {{a}}"),
    ("{{a.c}}", "(a {b :int}! & :not[{c :int}]) -> :any", "placeholder {{a.c}}: there is no c; there are b"),
])  # fmt: skip
def test_a_placeholder_that_nothing_provides_is_an_error(text, signature, message):
    with pytest.raises(TypesigError) as caught:
        Template(text, signature)

    assert message == str(caught.value)


def test_hints_of_tuples_with_a_rest_are_read():
    def f(a: tuple[int, *tuple[str, ...]]) -> tuple[int, *tuple[str, ...]]:
        return a

    made = tool(f)

    assert "(a [:int, ** :string]) -> [:int, ** :string]" == str(made.signature)
    assert [1, "x", "y"] == made.call({"a": ["1", "x", "y"]}).value
    assert List(INT) != made.signature.returns


def test_a_value_too_deep_to_check_conforms_to_no_alternative():
    s = typesig.parse(":one[:T, :int] where T = {x? :T}")
    value = {}
    for _ in range(300):
        value = {"x": value}

    assert not s.accepts(value)
    assert "nested too deep" in str(s.validate_output(value).errors[0])


def test_a_leap_second_conforms_to_the_format_but_is_not_a_datetime():
    text = "2016-12-31T23:59:60Z"

    assert typesig.parse(":string[date-time]").accepts(text)
    assert not typesig.coerce(text, ":datetime").ok


@pytest.mark.parametrize(
    ("text", "value"),
    [(":string & :int", "3"), (":any[..3] & :int", "12"), (":string & :float", "3")],
)
def test_one_coerced_value_must_conform_to_each_member_of_an_intersection(text, value):
    s = typesig.parse(text)

    assert not s.validate_and_coerce(value).ok


def test_equal_names_with_different_definitions_are_different():
    from typesig.algebra.signature import join_signatures

    a = typesig.parse("(x :T) -> :int where T = [:U], U = :int")
    b = typesig.parse("() -> :T where T = [:U], U = :string")

    assert "(x :T) -> :T2 where T = [:U], T2 = [:U2], U = :int, U2 = :string" == str(
        join_signatures(a, b)
    )


def test_the_remedy_for_a_comma_at_the_end_is_to_remove_it():
    with pytest.raises(SignatureSyntaxError) as caught:
        typesig.parse("{a :int,")

    assert caught.value.message.endswith(", or remove the comma")


def test_a_coerced_value_conforms_to_an_intersection():
    outcome = typesig.parse("{a :int} & {b :int}").validate_and_coerce({"a": "1", "b": "2"})

    assert {"a": 1, "b": 2} == outcome.value
    assert 2 == len(outcome.warnings)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (":not[:int] & :not[:string]", [1]),
        (":not[:int] & :not[:string]", {"a": 1}),
        (":not[{a :int}] & :not[{b :int}]", "x"),
        ("(:not[{a :int}]|{c :int}) & (:not[{b :int}]|{d :int})", "x"),
        ("(:not[{a :int}]|{c :int}) & (:not[{b :int}]|{d :int})", None),
        ("{a? :int}? & {b? :int}?", None),
    ],
)  # fmt: skip
def test_only_the_keys_that_records_of_an_intersection_leave_out_are_undeclared(text, value):
    signature = typesig.parse(f"() -> {text}")

    assert signature.validate_output(value, "strict").ok


def test_a_key_that_no_record_of_an_intersection_declares_is_refused_in_strict():
    signature = typesig.parse("() -> {a? :int}? & {b? :int}?")

    assert [("unexpected key", ("z",))] == [
        (issue.message, issue.path)
        for issue in signature.validate_output({"a": 1, "z": 2}, "strict").errors
    ]
