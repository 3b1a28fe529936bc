"""The entries that take data from outside, each called with one hostile value in several places."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import typesig
from typesig import TypesigError, openapi
from typesig.listings import Template, render_data
from typesig.notations import convert
from typesig.tools.foreign.foreign import ForeignDefinition, foreign_tool
from typesig.validation import normalize_keys


@dataclasses.dataclass
class Data:
    a: int = 1
    b: list[str] = dataclasses.field(default_factory=list)
    c: Decimal | None = None
    d: datetime.date | None = None
    e: dict[str, float] | None = None


@typesig.tool
def hosting(
    x: list[set[float]] | dict[str, tuple[float, ...]] | None = None,
    a: int = 1,
    b: list[str] | None = None,
    c: Decimal | None = None,
    d: datetime.date | None = None,
    e: bytes | None = None,
    f: Data | None = None,
) -> Any:
    """Take values of hosts."""
    return x


@typesig.tool("(x :any, b [:string]?, s :string?, r {a :int}?) -> :any")
def anything(x: Any = None, **_others: Any) -> Any:
    return x


@typesig.tool("(counts :map[:int], y [:int, :string]) -> :any")
def count(counts: Any, y: Any) -> Any:
    return 1


BOTH = typesig.tools_of([anything, hosting])
STRICT = typesig.tools_of([count]).project("openai", strict=True).tools["count"]
CONTRACT = typesig.contract(Data)


def told(outcome: Any) -> None:
    """Use all that *outcome* tells."""
    repr(outcome), str(outcome), outcome.report(), outcome.tree(), outcome.feedback()
    for look in (lambda: outcome.value, outcome.text, outcome.for_model, outcome.left_out):
        each(look)


def each(*calls: Callable[[], object]) -> None:
    """Make all *calls*, of which each may refuse what it is given."""
    for call in calls:
        try:
            call()
        except TypesigError:
            pass


def of_default(value: Any) -> None:
    def take(x: Any = None, y: list[Any] = [], z: int = 1) -> None: ...  # noqa: B006

    take.__defaults__ = (value, value, value)
    tool = typesig.tool(take)
    tools = typesig.tools_of([tool])
    tool.prompt(), tool.signature.to_json_schema(), str(tool.signature), repr(tool.warnings)
    tools.listing().text(), tools.project("openai").definitions, told(tool.call({}))


def returning(value: Any, hint: Any) -> None:
    if isinstance(hint, str):
        tool = typesig.tool(hint, name="r")(lambda: value)
    else:
        made = lambda: Data(value, [value], value, value, {"a": value}) if hint is Data else value  # noqa: E731
        made.__annotations__ = {"return": hint}
        tool = typesig.tool(made, name="r")
    for _ in range(4):
        told(tool.call())


def operation(**parts: Any) -> Any:
    return {"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "a", **parts}}}}


def sent_to(provider: str, value: Any) -> list[Any]:
    """Return answers of a model that hold *value*, as *provider* spells them."""
    match provider:
        case "openai":
            calls = [
                {"id": "c", "function": {"name": "anything", "arguments": value}},
                {"id": "c", "function": value},
                {"id": "c", "function": {"name": value, "arguments": "{}"}},
            ]
            made: list[Any] = [{"role": "assistant", "tool_calls": [call]} for call in calls]
            made += [{"role": "assistant", "tool_calls": value}, {"choices": value}]
            return [*made, {"output": value}, {"role": value, "tool_calls": []}]
        case "anthropic":
            part = {"type": "tool_use", "id": "c", "name": "anything", "input": value}
            other = {"type": value, "id": value, "name": value, "input": {}}
            return [{"role": "assistant", "content": c} for c in ([part], [other], value)]
        case "gemini":
            part = {"function_call": {"name": "anything", "args": value}}
            return [{"role": "model", "parts": [part]}, {"candidates": value}]
        case _:
            call = {"name": "anything", "arguments": value}
            return [{"method": "tools/call", "params": call}, {**call, "name": value}]


def handled(provider: Any, value: Any) -> None:
    wire = BOTH.project(provider)
    for message in (value, [value], *sent_to(provider, value)):
        each(lambda message=message: wire.handle(message))  # type: ignore[misc]


def checked(text: str, value: Any) -> None:
    signature = typesig.parse(f"(x {text}) -> {text}")
    for sent in (value, [value], {"a": value}):
        for _ in range(2):
            told(signature.validate_input({"x": sent}))
            told(signature.validate_input({"x": sent}, "warn_only"))
            told(signature.validate_output(sent))
            told(signature.validate_and_coerce(sent, "lenient"))
            signature.accepts(sent)
        told(typesig.coerce(sent, text))


def projected(value: Any) -> None:
    pairs = {"counts": [{"key": value, "value": value}], "y": [value, value]}
    for sent in (value, {"counts": value, "y": value}, pairs):
        STRICT.decode(sent)
        STRICT.feedback(sent, STRICT.call(sent))
        STRICT.encode_arguments(sent)


KEYWORDS = (
    "$anchor", "$defs", "$id", "$ref", "$schema", "additionalProperties", "allOf", "anyOf",
    "const", "default", "dependencies", "description", "enum", "format", "if", "items", "maxItems",
    "minLength", "minimum", "multipleOf", "not", "pattern", "patternProperties", "prefixItems",
    "properties", "propertyNames", "required", "title", "type", "uniqueItems", "writeOnly",
)  # fmt: skip


def of_schema(value: Any) -> None:
    read = typesig.from_json_schema
    each(lambda: read(value), lambda: read({"properties": {"a": value}}, profile="ptc_runner"))
    each(
        lambda: typesig.from_json_schema(value, value),
        lambda: read({"$ref": "http://a/b"}, resources=value),
        lambda: read({"$ref": "http://a/b"}, resources={"http://a/b": value}),
        lambda: read({"required": [value]}),
        lambda: typesig.parse(value, "json_schema", lossy=True),
        lambda: read({"properties": {"a": {"default": value}}}).to_json_schema(),
    )
    for word in KEYWORDS:
        each(lambda word=word: read({word: value}, lossy=True))  # type: ignore[misc]


def of_malli(value: Any) -> None:
    sources = (
        value, [value], [value, ":int"], [":map", [":a", value]], [":map", [value, ":int"]],
        [":string", value], [":string", {"min": value}], [":enum", value, 1],
        [":map", [":a", {":default": value}, ":any"]], [":map", {"closed": value}, [":a", ":int"]],
        (":=>", value, ":int"), [":=>", [":cat", value], value], [":re", value], [":>", value],
    )  # fmt: skip
    for source in sources:
        each(lambda source=source: typesig.parse(source))  # type: ignore[misc]
        each(lambda source=source: typesig.parse(source, "malli", lossy=True))  # type: ignore[misc]


def of_text(value: Any) -> None:
    for notation in ("shorthand", "edn", "gram", "compact"):
        each(lambda notation=notation: typesig.parse(value, notation))  # type: ignore[misc]
    each(lambda: convert(value, "json_schema"), lambda: typesig.coerce(1, value))


def of_document(value: Any) -> None:
    words = ("parameters", "requestBody", "responses", "operationId", "summary", "tags")
    documents = [
        value,
        {"openapi": "3.0.0", "paths": value},
        {"openapi": value, "paths": {}},
        *[operation(**{word: value}) for word in words],
        operation(parameters=[{"name": "a", "in": "query", "schema": value}]),
        operation(parameters=[{"name": value, "in": value, "schema": {}}]),
    ]
    for document in documents:
        each(lambda document=document: openapi.tools_from(document))  # type: ignore[misc]


def of_foreign(value: Any) -> None:
    def call(**_given: Any) -> int:
        return 1

    schema = {"type": "object", "properties": {"a": value}}
    for given, result in (
        (value, value),
        (schema, {"type": value}),
        ({"description": value}, None),
    ):
        each(lambda g=given, r=result: foreign_tool(call, ForeignDefinition("a", g, r)).prompt())  # type: ignore[misc]


def rendered(value: Any) -> None:
    template = Template("{{x}} {{y.a}}", "(x :any, y :any) -> :any")
    each(
        lambda: template.render(value),
        lambda: template.render({"x": value, "y": {"a": value}}),
        lambda: template.render({"x": 1, "y": value}),
        lambda: render_data([value, {"a": value}]),
        lambda: render_data({"a": value}, typesig.parse("{a {b :int}}")),
        lambda: normalize_keys([{"a": value}]),
    )


def inferred(value: Any) -> None:
    options: Any = {"enums": 5, "maps": 3, "tuples": True, "formats": True}
    for sample in (value, [value], {"a": value}):
        each(lambda sample=sample: str(typesig.infer(sample, **options)))  # type: ignore[misc]


def called(value: Any) -> None:
    inner = {"a": value, "b": [value], "c": value, "d": value, "e": {"a": value}}
    for sent in (value, *[{name: value} for name in "xabcdef"], {"f": inner}, {"x": inner}):
        for mode in ("enabled", "enabled", "lenient", "disabled"):
            each(lambda sent=sent, mode=mode: told(hosting.call(sent, mode=mode)))  # type: ignore[misc]
    for _ in range(5):
        told(anything.call({"x": value}))
        told(anything.call({"x": [value], "b": [value], "s": value, "r": {"a": value}}))


def asked(value: Any) -> None:
    inner = {"a": value, "b": [value], "c": value, "d": value, "e": {"a": value}}
    for sent in (value, inner, [value]):
        for _ in range(3):
            told(CONTRACT.read(sent))
        told(CONTRACT.read(sent, "lenient"))


def as_key(value: Any) -> None:
    """Use *value* as the key of maps."""
    try:
        data = {value: 1, "a": 2}
    except Exception:
        # It cannot be a key.
        return
    signature = typesig.parse("(a :int) -> {a :int}")
    each(
        lambda: [told(signature.validate_input(data)) for _ in range(4)],
        lambda: [told(signature.validate_output(data)) for _ in range(4)],
        lambda: [told(hosting.call(data)) for _ in range(4)],
        lambda: typesig.infer(data),
        lambda: normalize_keys(data),
        lambda: render_data(data),
        lambda: typesig.from_json_schema(data, lossy=True),
        lambda: typesig.parse([":string", data]),
        lambda: openapi.tools_from({"openapi": "3.0.0", "paths": {}, **data}),
        lambda: BOTH.project("openai").handle(data),
    )


TYPES = (
    ":any", "[:any]", "[:int]|:string", "#{:int}", "[:int, :int]", ":map", "{a :int}!",
    "{a :any, b :int = 3}", "{a :int}|{b :int}", ":map[:int :any]", ":string[email]",
    ":string[/a/]", ":float[1..]", ":bool", ":datetime", ":keyword", ':enum["a" 1 2.5]',
    ":string[decimal]", ":one[:int :string]",
)  # fmt: skip

ENTRIES: dict[str, Callable[[Any], object]] = {
    "schemas": of_schema,
    "Malli data": of_malli,
    "text": of_text,
    "documents of OpenAPI": of_document,
    "tools of others": of_foreign,
    "defaults": of_default,
    "templates": rendered,
    "infer": inferred,
    "calls": called,
    "answers": asked,
    "keys": as_key,
    "projections": projected,
    **{
        f"handle {provider}": lambda value, provider=provider: handled(provider, value)
        for provider in ("openai", "anthropic", "gemini", "mcp")
    },
    **{
        f"results of {getattr(hint, '__name__', hint)}": (
            lambda value, hint=hint: returning(value, hint)
        )
        for hint in (":any", "[:int]", ":string", "{a :int}", ":float", Any, Data, dict[str, Any])
    },
    **{f"checks of {text}": lambda value, text=text: checked(text, value) for text in TYPES},
}
