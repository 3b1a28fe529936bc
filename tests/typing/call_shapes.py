"""What type checkers see of the calls that README and the pages show, beside those of tools.

As in `tool_types`, everything stands below functions, and nothing of it runs.  A test asks that each
public name is in one of the two.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Any, assert_type

import typesig
from typesig import (
    Contract,
    Dialect,
    Injected,
    Issue,
    Ledger,
    Media,
    Outcome,
    Partial,
    Policy,
    Projection,
    Signature,
    Stream,
    Toolset,
    TypesigError,
    ValidationError,
    Visible,
    coerce,
    contract,
    from_json_schema,
    infer,
    parse,
    render,
    tool,
    tools_of,
)
from typesig.contracts import Diff, Finding, Lock
from typesig.extraction import Extraction
from typesig.validation.issues.ledger import LedgerRow


def signatures() -> None:
    sig = parse("(id :int) -> {name :string}")

    assert_type(sig, Signature)
    assert_type(parse({"type": "array"}, "json_schema", lossy=True), Signature)
    assert_type(parse("[:vector :int]", notation="edn"), Signature)
    assert_type(render(sig), Any)
    assert_type(sig.render("gram", lossy=True), Any)
    assert_type(render(sig.returns, "json_schema"), Any)
    assert_type(from_json_schema({"type": "object"}, None, lossy=True), Signature)
    assert_type(infer({"a": 1}, {"a": 2}, enums=3, formats=True), Signature)
    assert_type(sig.input_schema(exact=True), dict[str, Any])
    assert_type(sig.to_json_schema(inline=True), dict[str, Any])
    assert_type(sig.returns_list(), bool)
    assert_type(sig.accepts(3), bool)
    assert_type(str(sig), str)
    parse("(id :int)", "mali")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    sig.render("grm")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    infer(1, enum=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def checks() -> None:
    sig = parse("(id :int) -> {name :string}")
    out = sig.validate_input({"id": "42"}, mode="strict", ledger=Ledger())

    assert_type(out, Outcome[Any])
    assert_type(sig.validate_output({"name": 3}, mode=Policy(extras="reject")), Outcome[Any])
    assert_type(sig.validate_and_coerce({}), Outcome[Any])
    assert_type(coerce("3", ":int"), Outcome[Any])
    assert_type(out.ok, bool)
    assert_type(out.errors, tuple[Issue, ...])
    assert_type([str(each) for each in out.warnings], list[str])
    assert_type(out.for_model(exact=True), Any)
    assert_type(out.text("table", budget=100), str)
    assert_type(out.report(words="json_schema"), str)
    assert_type(out.feedback(out), str)
    assert_type(out.tree(warnings=True), Any)
    assert_type(out.errors[0].path, tuple[str | int, ...])
    out.text("tabel")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    try:
        assert_type(out.value, Any)
    except ValidationError as error:
        raise TypesigError(str(error)) from None


def ledgers() -> None:
    ledger = Ledger()

    assert_type(ledger.rows(), tuple[LedgerRow, ...])
    assert_type(ledger.count("mended", tool="search"), int)
    assert_type(Ledger.from_json(ledger.to_json()), Ledger)
    ledger.count("fixed")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def projections() -> None:
    tools = tools_of("a.module", undecorated=True)
    wire = tools.project("openai", api="chat", strict=True)

    assert_type(wire, Projection)
    assert_type(tools.project("google"), Projection)
    assert_type(wire.definitions, tuple[Any, ...])
    assert_type(wire.handle({}, given={"db": 1}, ledger=Ledger()), list[Any])
    assert_type(wire.assembled([{}]), dict[str, Any])
    assert_type([str(each) for each in wire.check(len)], list[str])
    assert_type([each.kind == "omitted" for each in wire.losses], list[bool])
    wire.handle()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


async def loops(wire: Projection, tools: Toolset) -> None:
    assert_type(await wire.ahandle({}), list[Any])
    assert_type(await tools.acall("f", '{"a": 1}'), Outcome[Any])


def prompts_of_toolsets(tools: Toolset) -> None:
    assert_type(tools.prompt("compact", "signatures", types="shared", legend=True), str)
    assert_type(tools.listing(style="typescript").text(), str)
    assert_type(tools.search("orders", 3), Toolset)
    assert_type(tools.tokens(len).total, int)
    assert_type(tools.fit(len, 1_000).text, str)
    assert_type(tools.as_search(3).name, str)
    assert_type(tools.read("text", dialect="auto").calls[0].name, str)
    assert_type(tools.names, tuple[str, ...])
    assert_type(tools.pages(1_000).tools, Toolset)
    tools.prompt("short")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def contracts_over_time(tools: Toolset) -> None:
    lock = Lock.read(Path("tools.lock").read_text())
    found = typesig.contracts.diff(lock, tools, {"tool-added": "additive"})

    assert_type(found, Diff)
    assert_type(tools.diff(lock), Diff)
    assert_type(found.at_least("breaking"), tuple[Finding, ...])
    assert_type(Lock.of(tools).text(), str)
    assert_type(str(tools.chain()), str)
    assert_type(str(tools.check_chain("search", "fetch")), str)


def extractions() -> None:
    def f(a: int, db: Injected[dict[str, int]], shown: Annotated[str, Visible]) -> int:
        return db[shown] + a

    assert_type(typesig.extract(f, recursive=True), Extraction)
    assert_type(tool(f).call({"a": 1}, given={"db": {}}), Outcome[int])


def answers_that_arrive(chunks: Iterator[str], answer: Contract[list[int]]) -> None:
    stream = answer.stream(chunks)

    assert_type(stream, Stream[list[int]])
    for part in stream:
        assert_type(part, Partial)
        assert_type(part.value, Any)
    assert_type(stream.close(), Outcome[list[int]])
    assert_type(answer.prompt("compact", example=True), str)
    assert_type(answer.to_json_schema(), dict[str, Any])
    assert_type(contract(list[int]).read("[1]").result, list[int])


async def answers_that_arrive_later(chunks: AsyncIterator[str], answer: Contract[int]) -> None:
    async for part in answer.stream(chunks):
        assert_type(part, Partial)


def relations_between_types() -> None:
    relations = typesig.relations

    for one in relations.difference(parse(":int"), parse(":string")):
        assert_type(str(one), str)
    found = relations.Inference(formats=True)
    found.add({"a": 1})
    assert_type(found.signature(), Signature)
    assert_type(found.count, int)


async def tools_of_others() -> None:
    async with typesig.mcp.connect("a-server --all", timeout=3.0, lock="tools.lock") as session:
        assert_type(await typesig.mcp.tools_from(session, mode="strict"), Toolset)
    assert_type(typesig.openapi.tools_from({}, base="http://localhost", tags=["a"]), Toolset)
    async with typesig.mcp.connect(3) as session:  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        pass


async def served(tools: Toolset) -> None:
    made = typesig.mcp.server(tools, name="shop", given={"db": 1}, seconds=3.0)

    await made.serve_stdio()
    await made.serve_http("127.0.0.1", 8000, token="a" * 16)


def media_and_dialects() -> None:
    media = Media("image/png", b"", name="chart.png")

    assert_type(media.data, bytes | None)
    assert_type(parse("() -> :any").validate_output(media).media, tuple[Any, ...])
    assert_type(Dialect.from_template({"fields": {}}, "mine"), Dialect)
    Media(b"")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
