"""The compact notation: what is dropped, names that are all exact, layout, losses and mistakes."""

from __future__ import annotations

import pytest

import typesig
from typesig.algebra.constructors import make_enum, make_field, make_noted, record
from typesig.algebra.nodes import INT, STRING, Annotation, Field
from typesig.algebra.rows.scalars import SCALARS
from typesig.algebra.signature import Signature
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge, Unsupported
from typesig.notations import compact, convert


def written(text: str) -> str:
    """Return the shorthand *text* in the compact notation; it reads back equal."""
    s = typesig.parse(text)
    out = typesig.render(s, "compact")

    assert s == typesig.parse(out, "compact")
    return str(out)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        # No colon before scalars and map, no blanks around a default, no unknown result.
        ("(a :int?) -> :any", "(a int?)"),
        ("(a :int = 10) -> :any?", "(a int=10) -> any?"),
        ("() -> :any", "()"),
        ("(m :map, n :map[:int]) -> :any", "(m map, n map[int])"),
        ("(t [:T]) -> :T where T = :int", "(t [:T]) -> :T where T=int"),
        ('() -> (:any "words")', "() -> any ; words"),
        # string is dropped where it is unrefined, not nullable and not in a union.
        ("(note :string) -> :any", "(note)"),
        ("(note? :string) -> :any", "(note?)"),
        ("(note :string?) -> :any", "(note string?)"),
        ("(note :string|:nil) -> :any", "(note string|nil)"),
        ("(note :string|:int) -> :any", "(note string|int)"),
        ("(note :string[1..]) -> :any", "(note string[1..])"),
        ('(note :string = "x") -> :string', '(note="x") -> string'),
        ("(notes [:string]) -> :any", "(notes [string])"),
        # Enums are words in brackets, or values with commas.
        ("(a :enum[low high]) -> :any", "(a [low high])"),
        ("(a :enum[in-progress _x]) -> :any", "(a [in-progress _x])"),
        ('(a :enum["a b" "c"]) -> :any', '(a ["a b","c"])'),
        ("(a :enum[low]) -> :any", '(a ["low"])'),
        ("(a :enum[Low high]) -> :any", '(a ["Low","high"])'),
        ('(a :enum["true" "b"]) -> :any', '(a ["true","b"])'),
        ('(a :enum["map" "b"]) -> :any', '(a ["map","b"])'),
        ('(a :enum["1" "b"]) -> :any', '(a ["1","b"])'),
        ("(a :enum[1 2.5 true x]) -> :any", '(a [1,2.5,true,"x"])'),
        ("(a :enum[:x :y]) -> :any", "(a enum[:x,:y])"),
        ('(a :enum[nil [1] {"b": 2}]) -> :any', '(a enum[nil,[1],{"b": 2}])'),
        ("(a [:enum[low high]]) -> :any", "(a [[low high]])"),
        ("(a :enum[low high]?) -> :any", "(a [low high]?)"),
        # A name of a type that has a meaning without colon is quoted.
        ('() -> :"not" where "not" = :int', '() -> :"not" where not=int'),
    ],
)  # fmt: skip
def test_what_others_write_is_left_out(text: str, out: str) -> None:
    assert out == written(text)


@pytest.mark.parametrize("name", [*SCALARS, "enum", "one", "not", "where", "true", "nil", "null"])
def test_any_word_is_a_name(name: str) -> None:
    assert f"({name} {{{name} int}})" == written(f"({name} {{{name} :int}}) -> :any")


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ('("max_rows" :int = 10) -> :any', "=(max_rows int=10)"),
        ('("_from" :string, to :string) -> :any', "=(_from, to)"),
        ('(a {"b-c" :int}, "d e" :int) -> :any', '=(a {b-c int}, "d e" int)'),
        ('() -> :T where T = {"a_b" :int}', "=() -> :T where T={a_b int}"),
        ('(** {"a_b" :int}) -> :any', "=(** {a_b int})"),
        # Exact and plain names stand mixed.
        ('("a_b" :int, c_d :int) -> :any', '("a_b" int, c_d int)'),
        ('("a_b" :int) -> {c-d :int}', '("a_b" int) -> {c-d int}'),
        # Names without hyphen and underscore are the same either way.
        ('("a b" :int, c :int) -> :any', '("a b" int, c int)'),
    ],
)
def test_a_mark_tells_that_all_names_are_exact(text: str, out: str) -> None:
    assert out == written(text)


def test_foreign_names_read_back_without_quotes() -> None:
    schema = {"type": "object", "properties": {"max_results": {"type": "integer", "default": 10}}}
    s = typesig.from_json_schema(schema, {})
    text = typesig.render(s, "compact")

    assert "=(max_results int=10)" == text
    back = typesig.parse(text, "compact")
    assert s == back
    assert back.params[0].exact


def test_a_text_with_the_mark_does_not_change_how_the_next_is_read() -> None:
    assert typesig.parse("=(x_y int)", "compact").params[0].exact
    assert not typesig.parse("(x_y int)", "compact").params[0].exact


def test_described_fields_stand_on_lines_of_their_own() -> None:
    text = written(
        '(query :string, limit :int = 10 "rows at most", lang? :string, page :int, '
        'where {id :int "the id", name :string} "which") -> [{id :int, title :string "its name"}] '
        '"found" where T = {x :int "an x"}'
    )

    assert (
        "(query,\n"
        " limit int=10, ; rows at most\n"
        " lang?, page int,\n"
        " where {\n"
        " id int, ; the id\n"
        " name} ; which\n"
        ") -> [{id int,\n"
        " title ; its name\n"
        "}] ; found\n"
        "where T={\n"
        " x int ; an x\n"
        "}"
    ) == text


@pytest.mark.parametrize(
    ("text", "out"),
    [
        (" two  blanks ", "(\n a int ;  two  blanks \n)"),
        ('"quotes" ; and ) -> [', '(\n a int ; "quotes" ; and ) -> [\n)'),
        ("a\ttab", '(a int "a\\ttab")'),
        ("no\u2028line\x85end", '(a int "no\\u2028line\\u0085end")'),
        ("\u202eleft", '(a int "\\u202eleft")'),
        ("\ud800", '(a int "\\ud800")'),
    ],
)
def test_a_description_reads_back_equal(text: str, out: str) -> None:
    s = Signature([make_field("a", make_noted(INT, text))], typesig.parse(":any").returns)

    assert (out, ()) == convert(s, "compact")
    assert s == typesig.parse(out, "compact")


def test_an_empty_description_is_no_description() -> None:
    s = typesig.parse("(a int, ;\n b int ; \n) -> int ;", "compact")

    assert "(a :int, b :int) -> :int" == typesig.render(s)
    described = Signature([Field("a", Annotation(INT, ""))], INT)
    assert "(a int) -> int" == typesig.render(described, "compact")


def losses(s: object) -> list[str]:
    return [str(loss) for loss in convert(s, "compact")[1]]


def test_line_ends_of_a_description_become_blanks_and_are_reported() -> None:
    text = r'(a :int "x\ny", b {c :int "x\r\ny", /^d/ :int "x\ry"}) -> [(:int "kept\nas it is")] "x\n\ny"'
    s = typesig.parse(text)

    assert (
        "(\n a int, ; x y\n b {\n c int, ; x y\n /^d/ int ; x y\n}) -> "
        '[(int "kept\\nas it is")] ; x  y'
    ) == typesig.render(s, "compact")
    why = "line breaks of a description: a description ends with its line; became blanks"
    assert [
        f"params.a: {why}",
        f"params.b.c: {why}",
        f"params.b./^d/: {why}",
        f"returns: {why}",
    ] == losses(s)


def test_line_ends_below_definitions_and_other_arguments_are_reported() -> None:
    s = typesig.parse(r'(** {a :int "x\ny"}) -> :T where T = {b :int "x\ny"}, U = (:int "x\ny")')

    why = "line breaks of a description: a description ends with its line; became blanks"
    assert [f"definitions.T.b: {why}", f"params.**.a: {why}"] == losses(s)
    shown = compact.make_expressible(s)
    assert shown == typesig.parse(typesig.render(s, "compact"), "compact")
    assert make_noted(INT, "x\ny") == shown.names["U"]


def test_titles_are_lost_and_reported() -> None:
    s = Signature(
        [make_field("a", make_noted(INT, "words", "A"))],
        record([make_field("b", make_noted(INT, None, "B"))]),
    )

    assert "(\n a int ; words\n) -> {b int}" == typesig.render(s, "compact")
    assert [
        "params.a: title 'A': the compact notation has no titles; became nothing",
        "returns.b: title 'B': the compact notation has no titles; became nothing",
    ] == losses(s)


def test_firewalled_names_are_left_out_and_not_named() -> None:
    s = typesig.parse("(q :string, _key :string, x {_id :int, y :int}) -> [{_rank :int, z :int}]")

    assert "(q, x {y int}) -> [{z int}]" == typesig.render(s, "compact")
    why = "the compact notation is for models, which are not shown them; became nothing"
    assert [f"firewalled names: {why}"] == losses(s)


def test_keys_of_constants_are_no_names() -> None:
    assert '(a enum[{"_x": 1}])' == written('(a :enum[{"_x": 1}]) -> :any')


def test_a_constraint_that_a_firewalled_field_decides_is_a_loss() -> None:
    s = typesig.parse("(a [{id :int, _x :int}][unique]) -> :not[{_y :int}] where T = {_z :T}")

    with pytest.raises(Unsupported) as raised:
        typesig.render(s, "compact")
    assert "params.a: unique: a firewalled field could decide it" in str(raised.value)
    assert "(a [{id int}])" == typesig.render(s, "compact", lossy=True)
    why = "a firewalled field could decide it"
    assert [
        f"params.a: unique: {why}; became the type without it",
        f"returns: a negation: {why}; became any value",
    ] == losses(s)[1:]


def test_definitions_that_are_not_used_stay_where_nothing_is_firewalled() -> None:
    assert "() -> int where T=string" == written("() -> :int where T = :string")


MISTAKES = [
    ("", 1, "an empty text is not a signature; write () for no parameters and any result"),
    ("int", 1, "the text begins with the parameter list; write () -> before a type"),
    ("search(a int)", 1, "a signature has no name: leave it out, and begin with its ("),
    ("() ->", 6, "the result is missing; write its type, or leave out the arrow"),
    ("() => int", 4, "the arrow is written ->"),
    ("(a int b int)", 8, "a comma is missing before it"),
    ("(a int,)", 8, "remove the comma before it"),
    ("(a :int)", 4, "only the names of definitions have a colon: write int"),
    ("(a: int)", 3, "no colon stands after a name: write (name int)"),
    ("(a integer)", 4, "there is no type integer; write int"),
    ("(a list[int])", 4, "there is no type list; write [any] for a list of anything, [string] for a list of texts"),
    ("(a :list[int])", 4, "there is no type list; write [any] for a list of anything, [string] for a list of texts"),
    ("(a strng)", 4, "there is no type strng; did you mean string?"),
    ("(a email)", 4, "there is no type email; write string[email]"),
    ("(a :Tre) where Tree={x int}", 4, "there is no type Tre; did you mean :Tree?"),
    ("(a T) where T=int", 4, "there is no type T; a name of a definition has a colon: () -> :Name where Name=int"),
    ("(a [low])", 5, 'there is no type low; write one of string, int, float, bool, keyword, any, nil, datetime, map, or for an enum ["a"] or [a b]'),
    ('(a :"b c")', 4, 'there is no type "b c"; write one of string, int, float, bool, keyword, any, nil, datetime, map, or for an enum ["a"] or [a b]'),
    ("(a " + "b" * 500 + ")", 4, "there is no type " + "b" * 29 + '…; write one of string, int, float, bool, keyword, any, nil, datetime, map, or for an enum ["a"] or [a b]'),
    ("(a [int string])", 5, 'this word is written in quotes, with commas: ["int", "b"]'),
    ("(a [1, a])", 8, "the words of an enum stand without commas: [a b]"),
    ("(tags[int])", 6, "a blank stands before the bracket of a list or an enum"),
    ("(a int [1..5])", 8, "the bracket of a refinement directly follows the type: int[1..5]"),
    ("(a int?[1..])", 8, "the ? comes last: write int[1..5]?"),
    ("(a ??)", 5, "one ? is enough"),
    ("(a [])", 5, "a list of what? write [any] for a list of anything"),
    ("(a #{})", 6, "a set of what? write #{any} for a set of anything"),
    ("(a map[])", 8, "of what? write what it holds, as in map[int]"),
    ("(a one[int])", 11, "one takes two types or more, as in one[int, string]"),
    ("(a string[emial])", 11, 'there is no format "emial"; did you mean email?'),
    ("(a int[email])", 8, "a format does not apply to int"),
    ("(a map[1.., email])", 13, "a format does not apply to map"),
    ("(a int=x)", 8, 'a text is written in double quotes: write "x"'),
    ('(a int="x")', 8, 'the default of a does not fit its type: expected int, got string "x"; correct it, or leave it out'),
    ('(a="abc)', 4, "this text has no closing double quote"),
    ("(a='x')", 4, "texts are written in double quotes"),
    ("(** int, a)", 8, "** and its type come last: (id int, ** string)"),
    ("(a ** int)", 4, "other named arguments are written ** any, behind all others"),
    ("(a {/x/ int, b})", 14, "names come before patterns: {id int, /^x-/ string}"),
    ("(/x/ int)", 2, "only records have patterns of names; ** is the type of the other arguments"),
    ("(a {/x/ int, /x/ int})", 14, "the pattern /x/ occurs twice"),
    ("(a-b, a_b)", 7, "'a-b' and 'a_b' are one name here, since hyphen and underscore are the same; quote one to keep it exactly"),
    ("=(a, a)", 6, "the name 'a' occurs twice"),
    ("(a ; x)", 8, "the text ends too early; a description, after a ;, takes the rest of its line"),
    ("(a", 3, "the text ends too early; expected a name, a text in double quotes, an opening (, a comma, a closing ) or ="),
    ('(a "x" ; y\n)', 8, "it has a description already, in quotes"),
    ("(a [int ; x\n])", 9, "a ; stands after a field or the result, and begins its description"),
    ("(a # x\n)", 4, "a description begins with ; and ends with the line"),
    ("(a 5)", 4, "5 is not allowed here; expected a name, a text in double quotes, an opening (, a comma, a closing ) or ="),
    ("(a ~)", 4, '"~" means nothing here'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column", "message"), MISTAKES)
def test_a_mistake_is_shown_with_its_place_and_a_remedy(
    text: str, column: int, message: str
) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text, "compact")

    assert (message, 1, column) == (raised.value.message, raised.value.line, raised.value.column)


@pytest.mark.parametrize(
    "text",
    ["(a ; x\n b)", "(a ; x\n, b)", '(a ; x\n "b")', "(a ; x\n ** int)"],
)
def test_a_missing_comma_before_a_description_is_named(text: str) -> None:
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(text, "compact")

    said = "a comma stands before the description of a field that others follow: a int, ; words"
    assert said == raised.value.message
    assert 2 == raised.value.line


def test_the_limits_of_a_text_hold() -> None:
    with pytest.raises(TooLarge):
        typesig.parse("(" + " " * 10**6, "compact")
    with pytest.raises(TooDeep):
        typesig.parse("(a " + "[" * 400 + "]" * 400 + ")", "compact")
    # What stands in a description, a text or a pattern is no bracket.
    typesig.parse(f'(a="{"[" * 400}", ; {"[" * 400}\n b string[/{"a" * 9}\\[/])', "compact")


def test_a_near_name_is_not_looked_for_among_very_many() -> None:
    definitions = ", ".join(f"N{at}=int" for at in range(2_000))
    with pytest.raises(SignatureSyntaxError) as raised:
        typesig.parse(f"() -> :N19999 where {definitions}", "compact")

    assert "did you mean" not in raised.value.message


def test_an_enum_of_constants_without_a_form_of_their_own_is_read() -> None:
    s = typesig.parse("(a enum[a, b], c enum[null])", "compact")

    assert [make_enum(["a", "b"]), make_enum([None])] == [p.type for p in s.params]
    assert STRING == typesig.parse("(a)", "compact").params[0].type
