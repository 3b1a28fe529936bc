"""How the work of every public entry grows with what it is given: a row for each.

The inputs here are what people send, in growing sizes; the files `test_growth_*.py` have what nobody
should send.  The table of `docs/reference/limits.md` is written from these rows: after a change,
run `python -m tests.limits_page`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple

import typesig
from typesig import openapi, relations
from typesig.listings import Template, parse_listing, placeholders, render_data
from typesig.listings.styles import STYLES
from typesig.notations import NOTATIONS, convert, readable
from typesig.validation import normalize_keys


class Entry(NamedTuple):
    """An input of each size, the call, and in what its work is linear."""

    make: Callable[[int], Any]
    run: Callable[[Any], object]
    linear_in: str
    sizes: tuple[int, ...] = (8, 32, 128)


#: Where a call costs much more than a sample: at smaller sizes that cost would hide a square.
MANY = (128, 512, 2048)


def signature_text(size: int) -> str:
    """Return a signature with *size* parameters, result fields and named types."""
    params = ", ".join(f'a{n} :int[{n}..] = {n + 1} "number {n}"' for n in range(size))
    fields = ", ".join(f"b{n} [:T{n}]?" for n in range(size))
    names = ", ".join(f"T{n} = {{x :int, y :enum[a b {n}]}}" for n in range(size))
    return f"({params}) -> {{{fields}}} where {names}"


def signature(size: int) -> typesig.Signature:
    return typesig.parse(signature_text(size))


def operations(size: int) -> dict[str, Any]:
    """Return a document of OpenAPI with *size* operations."""
    text = {"type": "string"}
    paths = {
        f"/a{n}/{{id}}": {
            "post": {
                "operationId": f"a{n}",
                "parameters": [{"name": "id", "in": "path", "schema": text}],
                "requestBody": {
                    "content": {"application/json": {"schema": {"properties": {"b": text}}}}
                },
                "responses": {"200": {"content": {"application/json": {"schema": text}}}},
            }
        }
        for n in range(size)
    }
    return {"openapi": "3.0.0", "paths": paths}


def expressible_in(notation: Any) -> Callable[[int], typesig.Signature]:
    """Return a maker of signatures that *notation* can express without a loss."""

    def make(size: int) -> typesig.Signature:
        if not notation.startswith("gram"):
            return signature(size)
        params = ", ".join(f"a{n} [:string]" for n in range(size))
        fields = ", ".join(f"b{n} :int" for n in range(size))
        result = ":string" if notation == "gram_path" else f"{{{fields}}}"
        return typesig.parse(f"({params}) -> {result}")

    return make


def flat(size: int, last: str = ":int") -> typesig.Signature:
    """Return the type of a record with *size* fields, one of them of the type *last*."""
    fields = "".join(f"a{n} :int, " for n in range(size - 1))
    return typesig.parse(f"{{{fields}b {last}}}")


def written_in(notation: Any) -> Callable[[int], Any]:
    return lambda size: convert(expressible_in(notation)(size), notation)[0]


def rows(size: int) -> list[dict[str, Any]]:
    return [{"id": n, "tags": ["a", "b"], "at": "2026-01-31T10:00:00Z"} for n in range(size)]


ROWS = typesig.parse("() -> [{id :int, tags [:string], at :datetime, note :string?}]")
SENT = typesig.parse("(rows [{id :int, tags [:string], at :datetime, note :string?}]) -> :any")


def clumsy(size: int) -> dict[str, Any]:
    """Return arguments each of which is coerced or wrong."""
    return {"rows": [{"Id": str(n), "tags": [1], "at": "now", "extra": n} for n in range(size)]}


def schema(size: int) -> dict[str, Any]:
    return signature(size).to_json_schema(exact=True)


def function(size: int) -> Any:
    """Return a function with *size* parameters that have hints, defaults and descriptions."""
    params = ", ".join(f"a{n}: list[int] | None = None" for n in range(size))
    texts = "\n".join(f"        a{n}: the number {n} of them" for n in range(size))
    code = f'def f({params}) -> dict[str, int]:\n    """Do it.\n\n    Args:\n{texts}\n    """\n'
    made: dict[str, Any] = {}
    exec(code, made)
    return made["f"]


def module(size: int) -> types.ModuleType:
    made = types.ModuleType("many")
    for n in range(size):
        each = function(2)
        each.__name__ = each.__qualname__ = f"f{n}"
        each.__module__ = "many"
        setattr(made, f"f{n}", each)
    return made


def toolset(size: int) -> typesig.Toolset:
    return typesig.tools_of(module(size), undecorated=True)


def lone_tool(text: str) -> typesig.Toolset:
    return typesig.Toolset([typesig.tool(text, name="f")(lambda **given: None)])


@typesig.tool("(rows [{id :int}]) -> [{id :int, tags [:string]?}]")
def keep(rows):
    return rows


@typesig.tool
def media_tool(n: int) -> list[typesig.Media]:
    return [typesig.Media("image/png", b"png")] * n


@typesig.tool("(counts :map[:int]) -> :int")
def count(counts):
    return len(counts)


COUNT = typesig.tools_of([count]).project("openai", strict=True).tools["count"]


def pairs(size: int, distinct: int) -> Any:
    return {"counts": [{"key": f"k{n % distinct}", "value": n} for n in range(size)]}


def of_named_types(size: int) -> typesig.Toolset:
    """Return a tool of types that are each within the one before."""
    names = ", ".join(f"T{n} = {{a :int, b :T{n + 1}?}}!" for n in range(size))
    tool = typesig.tool(f"(p :T0) -> :nil where {names}, T{size} = {{a :int}}!", name="f")
    return typesig.Toolset([tool(lambda p: None)])


def kept(size: int) -> typesig.Outcome[Any]:
    return keep.call({"rows": rows(size)})


def failed(size: int) -> typesig.Outcome[Any]:
    return SENT.validate_input(clumsy(size))


WIRE = typesig.tools_of([keep]).project("openai", api="chat")
STRICT = typesig.tools_of([keep]).project("openai", strict=True)


def answer(size: int) -> dict[str, Any]:
    """Return an answer of a model with *size* calls: most fit, one does not, one is of no tool."""
    sent = [json.dumps({"rows": [{"id": str(n)}] * 3}) for n in range(size - 2)]
    asked = [("keep", text) for text in (*sent, '{"row": 1}')] + [("kep", "{}")]
    calls = [
        {"id": f"c{n}", "function": {"name": name, "arguments": text}}
        for n, (name, text) in enumerate(asked)
    ]
    return {"role": "assistant", "tool_calls": calls}


def template(size: int) -> str:
    return "".join(f"{n}: {{{{rows}}}} {{{{user.name}}}}\n" for n in range(size))


FILLED = "(rows [:int], user {name :string}) -> :any"


def inferred(samples: list[Any]) -> str:
    inference = relations.Inference()
    for sample in samples:
        inference.add(sample)
    return str(inference.signature())


def gathered(samples: list[Any]) -> str:
    """Infer from inferences of one sample each, as from other processes."""
    inference = relations.Inference()
    inference.add(samples[0])
    for sample in samples:
        other = relations.Inference()
        other.add(sample)
        assert inference.take(other)
    return str(inference.signature())


def saved_module(size: int) -> str:
    """Return the name of a module with *size* functions that can be imported."""
    made = module(size)
    made.__name__ = f"many_{size}"
    sys.modules[made.__name__] = made
    return made.__name__


def command(*arguments: str, sent: str = "") -> str:
    """Return what the command `typesig` prints."""
    from click.testing import CliRunner

    from typesig.cli.commands import typesig as group

    result = CliRunner().invoke(group, arguments, input=sent, catch_exceptions=False)
    assert result.output, result
    return result.output


def streamed(text: str) -> None:
    """Read *text* in pieces of one character, and look at what there is now and then."""
    stream = typesig.contract(ROWS).stream()
    for place, char in enumerate(text):
        part = stream.feed(char)
        if place % (len(text) // 4) == 0:
            part.report()
            assert part.value is None or part.missing
    assert stream.close().ok


def noted(size: int) -> typesig.Ledger:
    """Return a ledger with *size* rows."""
    ledger = typesig.Ledger()
    for n in range(size):
        ledger.note([typesig.Issue("type", (n,))], (), ROWS, f"tool_{n}")
    return ledger


#: What grows with a product, and with which: one factor is the type, or how deep it lets data be.
PRODUCTS: dict[str, str] = {
    "items of a union whose records differ neither in a constant field nor in a required key": (
        "the items times the branches"
    ),
    "maps that fit no record of a union": "the maps times the branches, up to `MAX_ISSUES` errors",
    "items of `:one` and of intersections": "the items times the members",
    "keys of a record with key patterns": "the distinct keys times the patterns",
    "errors in lists and maps": "the errors times the enclosing levels",
}

ENTRIES: dict[str, Entry] = {
    **{
        f"parse {name}": Entry(
            written_in(name), lambda text, name=name: typesig.parse(text, name), "the text"
        )
        for name in readable()
    },
    **{
        f"render {name}": Entry(
            expressible_in(name),
            lambda s, name=name: typesig.render(s, name, lossy=True),
            "the signature",
        )
        for name in NOTATIONS
    },
    "parse json_schema, lossy": Entry(
        schema, lambda s: typesig.parse(s, "json_schema", lossy=True), "the schema"
    ),
    "convert": Entry(signature, lambda s: convert(s, "json_schema"), "the signature"),
    "from_json_schema": Entry(schema, typesig.from_json_schema, "the schema"),
    "from_json_schema, with returns": Entry(
        lambda n: signature(n).input_schema(exact=True),
        lambda s: typesig.from_json_schema(s, {}),
        "the schema",
    ),
    "coerce": Entry(rows, lambda data: typesig.coerce(data, ROWS.returns), "the value"),
    "normalize_keys": Entry(lambda n: [{"user-id": 1}] * n, normalize_keys, "the value"),
    "render_data": Entry(rows, render_data, "the value"),
    "infer": Entry(rows, lambda data: typesig.infer(data), "the samples", MANY),
    "extract": Entry(function, typesig.extract, "the hints and the docstring"),
    "tool": Entry(function, lambda f: typesig.tool(f).signature, "the hints and the docstring"),
    "tools_of": Entry(module, lambda m: typesig.tools_of(m, undecorated=True), "the functions"),
    "contract": Entry(
        lambda n: tuple[(*[list[int]] * n,)],
        lambda hint: typesig.contract(hint).signature,
        "the hint",
    ),
    "placeholders": Entry(template, placeholders, "the text"),
    "Template": Entry(template, lambda text: Template(text, FILLED), "the text"),
    "Template.render": Entry(
        lambda n: Template(template(n), FILLED),
        lambda t: t.render({"rows": [1, 2], "user": {"name": "a"}}),
        "the text that is written",
    ),
    "Signature.render": Entry(signature, lambda s: s.render(), "the signature"),
    "Signature.to_json_schema": Entry(signature, lambda s: s.to_json_schema(), "the signature"),
    "Signature.input_schema": Entry(signature, lambda s: s.input_schema(), "the signature"),
    "Signature.returns_list": Entry(signature, lambda s: s.returns_list(), "the signature"),
    "Signature.schema_losses": Entry(signature, lambda s: s.schema_losses(), "the signature"),
    "Signature.accepts": Entry(rows, ROWS.accepts, "the value"),
    "Signature.validate_input": Entry(clumsy, SENT.validate_input, "the value"),
    "Signature.validate_output": Entry(rows, ROWS.validate_output, "the value"),
    "Signature.validate": Entry(rows, ROWS.validate, "the value"),
    "Signature.validate_and_coerce": Entry(rows, ROWS.validate_and_coerce, "the value"),
    "Outcome.for_model": Entry(
        kept, lambda o: (o.for_model(), o.for_model(exact=True)), "the value"
    ),
    "Outcome.text": Entry(kept, lambda o: o.text(), "the value"),
    "Outcome.text within a budget": Entry(
        kept, lambda o: o.text("auto", budget=300), "the value and the budget", MANY
    ),
    "Outcome.left_out": Entry(kept, lambda o: o.left_out(), "the value"),
    "Outcome.report": Entry(failed, lambda o: o.report(), "the messages that it shows"),
    "Outcome.feedback": Entry(
        failed, lambda o: o.feedback(o), "what was sent and the messages", (32, 128, 512)
    ),
    "Outcome.tree": Entry(failed, lambda o: o.tree(), "the messages"),
    "Contract.prompt": Entry(
        lambda n: typesig.contract(signature(n)),
        lambda c: [c.prompt(style) for style in STYLES],
        "the type",
    ),
    "Contract.to_json_schema": Entry(
        lambda n: typesig.contract(signature(n)), lambda c: c.to_json_schema(), "the type"
    ),
    "Contract.read a table": Entry(
        lambda n: typesig.contract(ROWS).read(rows(n)).text("table"),
        typesig.contract(ROWS).read,
        "the text",
        MANY,
    ),
    "Contract.read": Entry(
        lambda n: f"```json\n{json.dumps(rows(n))}\n```", typesig.contract(ROWS).read, "the text"
    ),
    "Contract.read partial": Entry(
        lambda n: f"```json\n{json.dumps(rows(n))}"[:-9],
        lambda text: typesig.contract(ROWS).read(text, partial=True).value,
        "the text",
    ),
    "Contract.stream": Entry(
        lambda n: [*json.dumps(rows(n))],
        lambda chunks: [part.closed for part in typesig.contract(ROWS).stream(chunks)],
        "the text, whatever the pieces are",
    ),
    "Stream.feed": Entry(
        lambda n: json.dumps(rows(n)), streamed, "the text, whatever the pieces are"
    ),
    "Stream.close": Entry(
        lambda n: json.dumps(rows(n)),
        lambda text: [*typesig.contract(ROWS).stream([text])],
        "the text",
    ),
    "Partial.report": Entry(
        lambda n: typesig.contract(signature(n)).read("{", partial=True),
        lambda part: part.report(),
        "what is there and the names of its records",
    ),
    "Ledger.note": Entry(noted, lambda ledger: noted(len(ledger)), "the issues"),
    "Ledger.rows": Entry(noted, lambda ledger: ledger.rows(), "the rows"),
    "Ledger.count": Entry(noted, lambda ledger: ledger.count("refused"), "the rows"),
    "Ledger.merge": Entry(noted, lambda ledger: typesig.Ledger().merge(ledger), "the rows"),
    "Ledger.to_json": Entry(
        noted, lambda ledger: typesig.Ledger.from_json(ledger.to_json()), "the rows"
    ),
    "Contract.ask": Entry(
        lambda n: iter(["x" * n, json.dumps([{"id": str(n)}] * n), json.dumps(rows(n))]),
        lambda texts: typesig.contract(ROWS).ask(lambda _: next(texts), "Ask."),
        "the texts and the attempts",
    ),
    "Contract.aask": Entry(
        lambda n: iter(["x" * n, json.dumps([{"id": str(n)}] * n), json.dumps(rows(n))]),
        lambda texts: asyncio.run(typesig.contract(ROWS).aask(lambda _: next(texts), "Ask.")),
        "the texts and the attempts",
    ),
    "Tool.bound": Entry(function, lambda f: typesig.tool(f).bound(object()), "nothing"),
    "Media": Entry(
        lambda n: {"n": n},
        lambda sent: media_tool.call(sent).media,
        "the media of a result",
        (8, 32, 96),
    ),
    "Tool.call": Entry(
        lambda n: json.dumps({"rows": rows(n)}), keep.call, "the arguments and the result"
    ),
    "Tool.acall": Entry(
        lambda n: json.dumps({"rows": rows(n)}),
        lambda sent: asyncio.run(keep.acall(sent)),
        "the arguments and the result",
    ),
    "Tool.stream": Entry(
        lambda n: [*json.dumps({"rows": rows(n)})],
        lambda chunks: [part.closed for part in keep.stream(chunks)],
        "the text, whatever the pieces are",
    ),
    "Tool.prompt": Entry(
        lambda n: typesig.tool(function(n)),
        lambda t: t.prompt(),
        "the signature and the description",
    ),
    "Tool.as_function": Entry(
        lambda n: typesig.tool(function(n)), lambda t: t.as_function(), "the signature"
    ),
    "Toolset.select": Entry(toolset, lambda tools: tools.select(*tools.names), "the tools"),
    "Toolset.prefixed": Entry(toolset, lambda tools: tools.prefixed("a"), "the tools"),
    "Toolset.call_signature": Entry(toolset, lambda tools: tools.call_signature(), "the tools"),
    "Toolset.listing": Entry(
        toolset,
        lambda tools: [tools.listing(style, types="shared").text() for style in STYLES],
        "the tools",
    ),
    "parse_listing": Entry(
        lambda n: toolset(n).prompt("compact", types="shared"), parse_listing, "the text"
    ),
    "Toolset.prompt": Entry(toolset, lambda tools: tools.prompt(), "the tools"),
    "Toolset.tokens": Entry(toolset, lambda tools: tools.tokens(len), "the tools"),
    "Toolset.fit": Entry(
        toolset,
        lambda tools: tools.fit(len, len(tools.prompt()) - 9, ranking=tools),
        "the tools",
    ),
    "Toolset.pages": Entry(
        lambda n: (toolset(2).pages(300), kept(n)),
        lambda made: made[0].text(made[1]),
        "the value and the budget",
        MANY,
    ),
    "Toolset.chain": Entry(toolset, lambda tools: tools.chain(), "the tools and their links"),
    "Toolset.code": Entry(toolset, lambda tools: tools.code().prompt(), "the tools"),
    "Toolset.check_chain": Entry(
        toolset, lambda tools: tools.check_chain(*tools.names[:8]), "the tools"
    ),
    "Toolset.search": Entry(
        lambda n: (toolset(n), " ".join(f"f{m}" for m in range(n))),
        lambda given: given[0].search(given[1]),
        "the tools and the query",
    ),
    "Toolset.as_search": Entry(
        toolset, lambda tools: tools.as_search().call({"query": "f0"}), "the tools and the query"
    ),
    "Toolset.diff": Entry(
        lambda n: (toolset(n), toolset(2 * n)),
        lambda pair: pair[0].diff(pair[1]),
        "the tools",
    ),
    "Toolset.diff of one tool": Entry(
        lambda n: (lone_tool(signature_text(n)), lone_tool(signature_text(n + 1))),
        lambda pair: pair[0].diff(pair[1]),
        "the two signatures, until the budget of a proof is spent",
        (8, 16, 32),
    ),
    "Toolset.call": Entry(
        toolset, lambda tools: tools.call("f0", {"a0": [1]}), "the arguments and the result"
    ),
    "Toolset.stream": Entry(
        toolset, lambda tools: tools.stream("f0", ['{"a0": ', "[1]}"]).close(), "the text"
    ),
    "Toolset.read": Entry(
        lambda n: (
            toolset(2),
            '<tool_call>{"name": "f0", "arguments": {"a0": [1]}}</tool_call>a' * n,
        ),
        lambda given: given[0].read(given[1]),
        "the text",
        (4, 16, 64),
    ),
    "Toolset.stream in a dialect": Entry(
        lambda n: (
            toolset(2),
            '<tool_call>{"name": "f0", "arguments": {"a0": [1]}}</tool_call>a' * n,
        ),
        lambda given: given[0].stream(chunks=given[1], dialect="hermes").close(),
        "the text",
        (4, 16, 64),
    ),
    "Toolset.project in a dialect": Entry(
        toolset,
        lambda tools: tools.project(dialect="harmony").prompt(),
        "the signatures and the descriptions",
    ),
    "Dialect of a response template": Entry(
        lambda n: {
            "fields": {
                "tool_calls": {
                    "open_pattern": "<" + "a" * n + ">(?P<fn>b)=",
                    "content": "json",
                    "transform": {"function": {"name": "{fn}", "arguments": "{content}"}},
                }
            }
        },
        typesig.Dialect.from_template,
        "the marks and the patterns",
    ),
    "Toolset.acall": Entry(
        toolset,
        lambda tools: asyncio.run(tools.acall("f0", {"a0": [1]})),
        "the arguments and the result",
    ),
    **{
        f"Toolset.project {name}": Entry(
            toolset,
            lambda tools, name=name: tools.project(name),
            "the signatures and the descriptions",
        )
        for name in ("openai", "anthropic", "gemini", "mcp")
    },
    "Toolset.project": Entry(
        lambda n: typesig.Toolset([typesig.tool(signature(n), name="f")(lambda **given: given)]),
        lambda tools: tools.project("openai", strict=True).check(),
        "the signatures and the descriptions",
    ),
    "Tool.project": Entry(
        function,
        lambda f: typesig.tool(f).project("gemini"),
        "the signatures and the descriptions",
    ),
    "Contract.project": Entry(
        lambda n: typesig.contract(signature(n)), lambda c: c.project("openai"), "the type"
    ),
    "Projected.decode": Entry(
        lambda n: json.dumps({"rows": rows(n)}), STRICT.tools["keep"].decode, "the arguments"
    ),
    "Projected.call": Entry(lambda n: pairs(n, n), COUNT.call, "the arguments"),
    "Projected.feedback": Entry(
        lambda n: (pairs(n, 2), COUNT.call(pairs(n, 2))),
        lambda parts: COUNT.feedback(*parts),
        "the arguments",
    ),
    "Toolset.project of named types": Entry(
        of_named_types,
        lambda tools: tools.project("anthropic", strict=True),
        "the named types",
    ),
    "Projection.check": Entry(
        lambda n: toolset(n).project("openai"), lambda wire: wire.check(), "the definitions"
    ),
    "Projection.handle": Entry(
        answer, lambda message: WIRE.handle(message), "the calls, their arguments and results"
    ),
    "Projection.assembled": Entry(
        lambda n: [
            *({"choices": [{"delta": {"content": "a" * 20}}]} for _ in range(n)),
            {"choices": [{"delta": {}, "finish_reason": "stop"}]},
        ],
        lambda events: WIRE.assembled(events),
        "the events",
    ),
    "Projection.ahandle": Entry(
        answer,
        lambda message: asyncio.run(WIRE.ahandle(message)),
        "the calls, their arguments and results",
    ),
    **{
        f"relations.{name}": Entry(
            lambda n: (flat(n), flat(n, ":float")),
            lambda pair, name=name: getattr(relations, name)(*pair),
            "the two types, until the budget of a proof is spent",
            (8, 16, 32),
        )
        for name in ("is_subtype", "equivalent", "disjoint")
    },
    "relations.counterexample": Entry(
        # Where there is one: the search for one that does not exist spends the budget.
        lambda n: (flat(n, ":string"), flat(n)),
        lambda pair: relations.counterexample(*pair),
        "the two types, until the budget of a proof is spent",
        (8, 16, 32),
    ),
    "openapi.tools_from": Entry(
        operations,
        openapi.tools_from,
        "the document; the schemas that an operation leads to count for it again",
        (8, 16, 32),
    ),
    "relations.difference": Entry(
        lambda n: (signature(n), signature(n + 1)),
        lambda pair: relations.difference(*pair),
        "the two signatures, until the budget of a proof is spent",
        (8, 16, 32),
    ),
    "relations.simplify": Entry(signature, relations.simplify, "the type", (8, 16, 32)),
    "relations.samples": Entry(signature, relations.samples, "the values that are drawn"),
    "relations.near_misses": Entry(signature, relations.near_misses, "the values that are drawn"),
    "relations.infer": Entry(rows, relations.infer, "the samples", MANY),
    "relations.Inference": Entry(rows, inferred, "the samples", MANY),
    "relations.Inference that takes others": Entry(rows, gathered, "the samples", (64, 256, 1024)),
    "typesig list": Entry(saved_module, lambda name: command("list", name), "the functions"),
    "typesig list --to": Entry(
        saved_module,
        lambda name: command("list", name, "--to", "anthropic"),
        "the functions",
    ),
    "typesig show": Entry(saved_module, lambda name: command("show", f"{name}:f0"), "one function"),
    "typesig check": Entry(
        lambda n: "\n".join(map(json.dumps, rows(n))),
        lambda lines: command("check", "{id :int, tags [:string], at :datetime}", sent=lines),
        "the lines",
        (64, 256, 1024),
    ),
    "typesig check, counting errors": Entry(
        lambda n: "\n".join(f'{{"id": "x{m}", "k{m}": 1}}' for m in range(n)),
        lambda lines: command("check", "{id :int}!", "--summary", sent=lines),
        "the lines",
        (64, 256, 1024),
    ),
    "typesig check of calls": Entry(
        lambda n: "\n".join(json.dumps(answer(4)) for _ in range(n)),
        lambda lines: command("check", "tests.growth_entries:keep", sent=lines),
        "the lines",
    ),
    "typesig call": Entry(
        lambda n: json.dumps({"rows": rows(n)}),
        lambda text: command("call", "tests.growth_entries:keep", text),
        "the arguments and the result",
    ),
    "typesig convert": Entry(
        signature_text, lambda text: command("convert", text, "--to", "json_schema"), "the text"
    ),
    "typesig lock": Entry(
        saved_module, lambda name: command("lock", name, "--all"), "the functions"
    ),
    "typesig diff": Entry(
        saved_module, lambda name: command("diff", name, name, "--all"), "the functions"
    ),
    "typesig graph": Entry(
        saved_module,
        lambda name: command("graph", name, "--to", "svg"),
        "the tools and their links",
    ),
    "typesig rehearse": Entry(
        saved_module, lambda name: command("rehearse", name, "--all"), "the functions"
    ),
    "typesig infer": Entry(
        lambda n: json.dumps(rows(n)),
        lambda text: command("infer", sent=text),
        "the samples",
        MANY,
    ),
}
