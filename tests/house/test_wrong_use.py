"""What a developer passes by mistake is refused at once, with what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import pytest

from typesig import Policy, Toolset, TypesigError, contract, parse, tool, tools_of
from typesig.algebra.nodes import STRING, Annotation, Field, Ref
from typesig.notations import NOTATIONS


def f(a: int) -> int:
    return a


def _message(action: Callable[[], object]) -> str:
    with pytest.raises(TypesigError) as raised:
        action()
    return str(raised.value)


_TOOL = "tool takes a function or a signature, not"
_TOOLS = "tools_of takes a module, a class, an instance, or functions, not"
_CONTRACT = "contract takes a hint, a signature or a function, not"
_WRITE_TOOL = 'write @tool, or @tool("(id :int) -> :bool")'
_SCHEMA_TOOL = "for a JSON Schema, write @tool(from_json_schema(…, {}))"
_SCHEMA_CONTRACT = "for a JSON Schema, write contract(from_json_schema(…))"
_NAME = 'a letter or underscore, then letters, digits, "_", "-", "."'


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (lambda: tool(5), f"{_TOOL} int; {_WRITE_TOOL}"),
        (lambda: tool(True), f"{_TOOL} bool; {_WRITE_TOOL}"),
        (lambda: tool(b"x"), f"{_TOOL} bytes; {_WRITE_TOOL}"),
        (lambda: tool({"type": "object"}), f"{_TOOL} dict; {_SCHEMA_TOOL}"),
        (lambda: tool(description=3), 'the description of a tool is text, not int; write description="…"'),
        (lambda: tool(name=3), 'the name of a tool is text, not int; write name="…"'),
        (lambda: tool(title=b"x"), 'the title of a tool is text, not bytes; write title="…"'),
        (lambda: tool(annotations=3), 'the annotations of a tool are a dict, not int; write annotations={"readOnlyHint": True}'),
        (lambda: tool(name="")(f), f"'' cannot be the name of a tool: {_NAME}; write another name"),
        (lambda: tools_of(5), f"{_TOOLS} int; write tools_of([f, g])"),
        (lambda: tools_of(None), f"{_TOOLS} NoneType; write tools_of([f, g])"),
        (lambda: tools_of(b"x"), f"{_TOOLS} bytes; write tools_of([f, g])"),
        (lambda: tools_of({"f": f}), f"{_TOOLS} dict; write tools_of(tools.values())"),
        (lambda: tools_of(5, undecorated=True), f"{_TOOLS} int; write tools_of([f, g])"),
        (lambda: Toolset([f]), "a toolset has tools, not function; write tools_of([…])"),
        (lambda: Toolset(f), "a toolset has several tools, not function; write tools_of(…)"),
        (lambda: contract(5), f"{_CONTRACT} int; write a hint such as contract(list[int])"),
        (lambda: contract(1.5), f"{_CONTRACT} float; write a hint such as contract(list[int])"),
        (lambda: contract(...), f"{_CONTRACT} ellipsis; write a hint such as contract(list[int])"),
        (lambda: contract({"type": "integer"}), f"{_CONTRACT} dict; {_SCHEMA_CONTRACT}"),
        (lambda: parse(3), "a signature is text such as '(id :int) -> :bool', or Malli data, not int"),
        (lambda: parse(3, "shorthand"), "shorthand is text such as '(id :int) -> :bool', not int"),
        (lambda: parse([":int"], "shorthand"), "shorthand is text such as '(id :int) -> :bool', not list"),
        (lambda: parse(b":int", "shorthand"), "shorthand is text such as '(id :int) -> :bool', not bytes"),
        (lambda: parse(3, "compact"), "the compact notation is text such as '(id int) -> bool', not int"),
        (lambda: parse(3, "gram"), "gram is text such as '(id: Int) --> IO Bool', not int"),
        (lambda: parse(3, "malli"), "3: a type is a keyword, or a list that begins with one"),
        (lambda: parse(3, "json_schema"), "the root: a schema is an object, true or false"),
        (lambda: parse(":int", 5), f"there is no notation 5; there are {', '.join(NOTATIONS)}"),
        (lambda: Policy(extras=["keep"]), "there is no extras ['keep']; there are keep, reject, drop"),
        (lambda: Policy(on_issue={}), "there is no on_issue {}; there are fail, warn, skip"),
        (lambda: Policy(max_issues="3"), "max_issues is an int of at least 1, not '3'"),
        (lambda: Policy(max_issues=0), "max_issues is an int of at least 1, not 0"),
        (lambda: Policy(max_issues=True), "max_issues is an int of at least 1, not True"),
        (lambda: Policy(defaults=3), "defaults is True or False, not 3"),
        (lambda: Policy(decoding="no"), "decoding is True or False, not 'no'"),
        (lambda: Policy(firewall=None), "firewall is True or False, not None"),
        (lambda: Policy(coercions="bool_from_string"), "coercions are several ids, such as ['bool_from_string'], not 'bool_from_string'"),
        (lambda: Policy(coercions="x"), "coercions are several ids, such as ['int_from_string'], not 'x'"),
        (lambda: Policy(coercions=3), "coercions are several ids, such as ['int_from_string'], not 3"),
    ],
)  # fmt: skip
def test_wrong_use_is_refused_with_what_to_write(
    action: Callable[[], object], expected: str
) -> None:
    assert expected == _message(action)


@pytest.mark.parametrize(
    "action",
    [
        lambda: Policy(coercions=[["int_from_string"]]),
        lambda: Policy().on(["int_from_string"]),
        lambda: Policy().off(["int_from_string"]),
        lambda: Policy().on(3),
        lambda: Policy().off("nope"),
    ],
)
def test_an_unknown_coercion_is_refused_with_those_that_there_are(
    action: Callable[[], object],
) -> None:
    message = _message(action)

    assert message.startswith("there is no coercion ")
    assert "; there are int_from_string, " in message


def test_an_unknown_part_of_a_policy_is_refused_with_those_that_there_are() -> None:
    assert (
        "there is no part of a policy 'extra'; there are coercions, extras, on_issue, defaults, "
        "decoding, firewall, max_issues, naive_datetime, json_results, verbose, repairs, "
        "refuse_misspelt, tell_model"
    ) == _message(lambda: Policy().changed(extra="keep"))


@pytest.mark.parametrize("name", NOTATIONS)
@pytest.mark.parametrize(
    "source",
    [3, None, 3.5, b":int", {1}, object(), print, type, {"type": 3}, [3], ([],)],
    ids=lambda source: type(source).__name__,
)
def test_no_notation_takes_a_source_of_another_type(name: Any, source: Any) -> None:
    _message(lambda: parse(source, name))


@pytest.mark.parametrize("source", [None, int, list[int], int | None, "() -> :int", [":int"], f])
def test_right_use_of_contracts_is_not_refused(source: Any) -> None:
    assert contract(source).signature.params == ()


@pytest.mark.parametrize("signature", [None, "(a :int) -> :int", [":=>", [":cat", ":int"], ":int"]])
def test_right_use_of_tool_is_not_refused(signature: Any) -> None:
    assert "f" == tool(signature, name="f", title="F", annotations={})(f).name


@pytest.mark.parametrize("text", [3, b"x", ["a"]])
def test_a_docstring_that_is_no_text_is_no_description(text: Any) -> None:
    def count(item: str) -> int:
        return len(item)

    count.__doc__ = text

    assert "count(item :string) -> :int" == tool(count).prompt()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Annotation(STRING, 3), "a description is text, not int"),
        (lambda: Annotation(STRING, None, b"x"), "a title is text, not bytes"),
        (lambda: Field(3, STRING), "a name is text, not int"),
        (lambda: Ref(None), "the name of a type is text, not NoneType"),
    ],
)
def test_a_text_within_a_signature_is_text(make: Any, message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        make()

    assert message == str(raised.value)


def test_a_description_of_pydantic_that_is_no_text_is_left_out() -> None:
    pydantic = pytest.importorskip("pydantic")
    number = Annotated[int, pydantic.Field(description=3, ge=1)]
    size = Annotated[int, pydantic.Field(description="in metres")]
    model = pydantic.create_model(
        "Item",
        number=(int, pydantic.Field(description=3)),
        size=(int, pydantic.Field(description="in metres")),
    )

    def count(item, number, size):  # type: ignore[no-untyped-def]
        return 1

    count.__annotations__.update(item=model, number=number, size=size, **{"return": int})
    found = tool(count)

    shown = '(item {number :int, size :int "in metres"}, number :int[1..], size :int "in metres") -> :int'
    assert shown == found.signature.render()
    assert [
        f"{place}: its description is int, not str, so it is left out; write a str"
        for place in ("item.number", "number")
    ] == [str(warning) for warning in found.warnings]
