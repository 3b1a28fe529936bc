"""TypeScript and Python stubs: what they say of each shape, in types or in comments."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given

import typesig
from tests.generators import LAW, deep_types
from typesig.algebra import nodes
from typesig.algebra.nodes import Annotation, Field, Type
from typesig.algebra.signature import Signature
from typesig.notations import convert

CASES = [
('(e :one[:int, :string], f :not[{a :int[1..] "x // y"}], g {a :int}|:string & {b :int}, h [:int|:nil]) -> #{:keyword}', 'type int = number // a whole number\ntype keyword = string // a word\ntype Tool = (args: {\n e: int | string, // exactly one of the types\n f: any, // not {a: int}, a: 1..; x // y\n g: {a: int} | string & {b: int}, h: (int | null)[]}) => keyword[] // unique', 'class F(TypedDict):\n a: int # 1..; x // y\nclass G(TypedDict):\n a: int\nclass G2(TypedDict):\n b: int\ndef tool(\n e: int | str, # exactly one of the types\n f: Any, # not F\n g: G | str, # and G2\n h: list[int | None]) -> set[str]: ...'),
('(** :int[1..]) -> :map[:int (:float "share")]', 'type int = number // a whole number\ntype Tool = () => Record<string, number> // other arguments are int, 1..; share, keys are int', 'def tool(\n **others: int # 1..\n) -> dict[int, float]: ... # share'),
('(a :int = 1, from :string, "x y" (:any "inner")  = [1, {"k": nil}] "outer\\n text", "__debug__" :bool|:nil = true, opt? :int)! -> {/^\\u2028a/ {b :int "words"}, ** :string}', 'type int = number // a whole number\ntype Tool = (args: {\n a?: int, // default 1\n from: string,\n "x y"?: any, // default [1, {"k": null}]; outer text; inner\n __debug__?: boolean | null, // default true\n opt?: int}) => {} // no other arguments; keys that match /^\\u2028a/ are {b: int}, b: words, other keys are string', 'class Value(TypedDict):\n b: int # words\ndef tool(*, a: int = 1,\n from_: str, # called "from"\n x_y: Any = [1, {"k": None}], # called "x y"; outer text; inner\n x___debug__: bool | None = True, # called "__debug__"\n opt: int = ...) -> dict[str, Any]: ... # no other arguments; keys that match /^\\u2028a/ are Value, other keys are str'),
('() -> {"class" :int? = 3 "n", "__x"? :enum[1.5 :a "b" nil]}!', 'type int = number // a whole number\ntype Tool = () => {\n class?: int | null, // default 3; n\n __x?: 1.5 | "a" | "b" | null} // no other keys', 'ToolResult = TypedDict("ToolResult", {\n "class": NotRequired[int | None], # default 3; n\n "__x": NotRequired[Literal["b", None] | float | str] # one of 1.5, :a, "b", nil\n}) # no other keys\ndef tool() -> ToolResult: ...'),
('(t [:string, ** {n :int}], e :enum[true [false, 1] {"a": true}], m :map[:enum["a"] :int]) -> {}', 'type int = number // a whole number\ntype Tool = (args: {t: [string, ...{n: int}[]], e: true | [false, 1] | {"a": true},\n m: Record<string, int> // keys are "a"\n}) => {}', 'class T(TypedDict):\n n: int\ndef tool(t: tuple[str, *tuple[T, ...]],\n e: Literal[True] | list[Any] | dict[str, Any], # one of true, [false, 1], {"a": true}\n m: dict[Literal["a"], int]) -> dict[str, Any]: ...'),
('(a (:string[email] "an address") "it") -> :Tree where Tree = {kids [:Tree]}, "x-y" = :enum["x"], "1" = ([:Tree] "some")', 'type Value1 = Tree[] // some\ntype Tree = {kids: Tree[]}\ntype XY = "x"\ntype Tool = (args: {\n a: string // email; it; an address\n}) => Tree', 'Value1: TypeAlias = list[Tree] # some\nclass Tree(TypedDict):\n kids: list[Tree]\nXY: TypeAlias = Literal["x"]\ndef tool(\n a: str # email; it; an address\n) -> Tree: ...'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "typescript", "python"), CASES)
def test_every_shape_is_said_in_a_type_or_in_a_comment(text, typescript, python):
    assert typescript == typesig.render(text, "typescript", lossy=True)
    assert python == typesig.render(text, "python", lossy=True)
    ast.parse(python)


@pytest.mark.parametrize("notation", ["typescript", "python"])
def test_titles_and_lines_of_descriptions_are_reported(notation):
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "title": "A", "description": "some\nlines"}},
    }
    signature = typesig.from_json_schema(schema, {})
    _, losses = convert(signature, notation)

    assert ["title 'A'", "the lines of a description"] == [loss.what for loss in losses]
    assert {("params", "a")} == {loss.path for loss in losses}
    assert "some lines" in typesig.render(signature, notation)


def test_what_hints_have_is_written_without_loss_in_python():
    signature = typesig.parse("(a [:int, :int], b :string?, c [:int] = [1]) -> :map[:datetime]")

    assert (
        "def tool(a: tuple[int, int], b: str | None = None, c: list[int] = [1])"
        " -> dict[str, datetime]: ...",
        (),
    ) == convert(signature, "python")


@pytest.mark.parametrize("notation", ["typescript", "python"])
def test_firewalled_names_are_left_out(notation):
    text, losses = convert("(a :string, _p :string) -> {_q :string, b :string}", notation)

    assert ["firewalled names"] == [loss.what for loss in losses]
    assert "_p" not in text
    assert "_q" not in text


def test_what_typescript_has_is_written_without_loss():
    assert (
        "type Tool = (args?: {a?: [number, string | null]}) => Record<string, boolean>",
        (),
    ) == convert("(a? [:float, :string?]) -> :map[:bool]", "typescript")


@LAW
@given(deep_types())
def test_a_deep_type_is_written(t: Type) -> None:
    assert typesig.render(t, "typescript", lossy=True).count("type Answer = ") == 1
    # Python's own parser refuses more than some levels of brackets.
    assert "Answer" in typesig.render(t, "python", lossy=True)


@pytest.mark.parametrize(
    ("field", "written"),
    [
        ("a [:int, :int] = [1, 2]", "\n a: tuple[int, int] = ... # default [1, 2]\n"),
        ("a :string|[:int, :int] = [1, 2]", "\n a: str | tuple[int, int] = ... # default [1, 2]\n"),
        ("a :map[[:int, :int]]? = {}", "a: dict[str, tuple[int, int]] | None = {}"),
        ("a #{:int} = [1]", "\n a: set[int] = ... # default [1]\n"),
        ("a [:datetime] = [\"2026-01-31T12:00:00Z\"]", "\n a: list[datetime] = ... # default [\"2026-01-31T12:00:00Z\"]\n"),
        ("a {b :int} = {\"b\": 1}", 'a: A = {"b": 1}'),
        ("a {b :int} = {\"b\": 1, \"c\": 2}", '\n a: A = ... # default {"b": 1, "c": 2}\n'),
        ("a :T = {\"b\": {\"c\": 2}}", '\n a: T = ... # default {"b": {"c": 2}}\n'),
        ("a :T = {\"b\": {}}", 'a: T = {"b": {}}'),
        ("a {} = {\"b\": 1}", 'a: dict[str, Any] = {"b": 1}'),
        ("a :not[:int] = [1]", "\n a: Any = [1] # not int\n"),
        ("a :one[[:int], :string] = [1]", "\n a: list[int] | str = [1] # exactly one of the types\n"),
        ("a {b :int} & {c :int} = {\"b\": 1, \"c\": 1}", '\n a: A = ... # and A2, default {"b": 1, "c": 1}\n'),
        ("a [(:int[1..] \"n\")] = [1]", "\n a: list[int] = [1] # 1.., n\n"),
        ("a :count[1..2 :int] = [1]", "\n a: list[Any] = [1] # 1..2 of int\n"),
    ],
)  # fmt: skip
def test_a_default_of_another_type_than_the_hint_is_told_in_a_comment(field, written):
    where = " where T = {b? :T}" if ":T" in field else ""
    text = typesig.render(f"({field}) -> :nil{where}", "python", lossy=True)

    assert f"def tool({written}) -> None: ..." == text[text.index("def tool(") :]


def test_a_default_in_a_comment_is_a_loss_and_the_text_is_python():
    text, losses = convert("(a [:int, :int] = [1, 2], b :int = 1) -> :nil", "python")

    assert ["the default"] == [loss.what for loss in losses]
    assert (
        "def tool(\n a: tuple[int, int] = ..., # default [1, 2]\n b: int = 1) -> None: ..." == text
    )
    ast.parse(text)


@pytest.mark.parametrize(
    ("text", "python", "typescript"),
    [
        ("type: ignore", "# - type: ignore", "// - type: ignore"),
        ("Mypy : ignore-errors", "# - Mypy : ignore-errors", "// - Mypy : ignore-errors"),
        ("of it # type: list[int]", "# of it # - type: list[int]", "// of it # type: list[int]"),
        ("@ts-ignore", "# - @ts-ignore", "// - @ts-ignore"),
        ("noqa", "# - noqa", "// - noqa"),
        ("types: many", "# types: many", "// types: many"),
    ],
)
def test_a_description_is_no_order_to_a_type_checker(
    text: str, python: str, typescript: str
) -> None:
    signature = Signature([Field("n", Annotation(nodes.INT, text))], nodes.INT)

    assert python in signature.render("python", lossy=True)
    assert typescript in signature.render("typescript", lossy=True)
