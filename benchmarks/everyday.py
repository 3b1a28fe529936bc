"""Everyday types and signatures beside pydantic and msgspec: every cell, the worst ones first.

    python -m pip install pydantic msgspec instructor toolschema
    python benchmarks/everyday.py                   # all groups, some minutes
    python benchmarks/everyday.py read result       # some
    python benchmarks/everyday.py --alone           # typesig does not use what is loaded
    python benchmarks/everyday.py --only datetime   # rows whose name has this text
    python benchmarks/everyday.py --against benchmarks/figures.json   # fails if it became slower

CPU time, the smallest of several rounds in which all take turns; a cell is the time of typesig
divided by that of the other: below 1 typesig is faster.  Values are read.

- read: `contract(T).read(text).result` of one value and of 100, beside `validate_json`; *first* is
  a new contract and four readings, beside a new `TypeAdapter` and four; before either, a model of
  pydantic builds its schema, as it does when it is defined
- result: `tool.call({}).text()` of a tool that returns one value, and 100, beside the strict check
  of the result and `dump_json`; *first* is a new tool and three calls, beside a new `TypeAdapter`,
  `validate_call`, and three
- call: `call(text).text()` of a signature, beside `validate_call` of the text's data and
  `dump_json`; *handle* is the answer of a model with one call, beside the loop that users write,
  *handle 4* that with four, and *strict* one call of strict definitions, where null
  stands for what was left out, and a list of pairs for a map; *first* is a new tool and three calls
- await: `ahandle` of 1, 4 and 32 calls of a coroutine function, beside awaiting them by hand
- fenced: an answer in a code fence and in prose, beside instructor's extractor and pydantic
- define: 1,000 functions to definitions for OpenAI, beside toolschema

`--against` compares with figures that `figures.py` has saved: the exit status is 1 if the ratios of
a group grew by a fifth, in their geometric mean; a single cell may differ that much by itself.

pydantic and msgspec are loaded, since they are the peers: typesig then reads and writes JSON with
them where the text is the same.  `--alone` forbids it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import msgspec
import pydantic
import pydantic_core

from benchmarks.everyday_calls import CALLS
from benchmarks.everyday_types import KINDS, Item, Kind
from benchmarks.figure_pages import loaded
from benchmarks.tables import Cell, Table, markdown
from typesig import Toolset, contract, json_backends, tool, tools_of

Run = Callable[[], Any]

ROUNDS = 7
#: How much slower the cells of a group may become, relative to the saved figures.
MOST_GROWTH = 1.2
#: The CPU seconds of one way in one round.
LONGEST = 0.02


def timed(run: Run, repeat: int) -> float:
    start = time.process_time()
    for _ in range(repeat):
        run()
    return (time.process_time() - start) / repeat


def ratio(ours: Run, peer: Run) -> float:
    """Return the smallest CPU time of *ours* divided by that of *peer*; they take turns."""
    best, counts = [float("inf")] * 2, []
    for run in (ours, peer):
        for _ in range(6):
            run()
        once = max(timed(run, 3), 1e-7)
        counts.append(max(1, min(20_000, int(LONGEST / once))))
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for place, run in enumerate((ours, peer)):
                best[place] = min(best[place], timed(run, counts[place]))
    finally:
        gc.enable()
    return best[0] / best[1]


def sized(kind: Kind) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name of a column, a hint, and the value of it, for one and for 100 values."""
    yield "1", kind.hint, kind.make(1)
    yield "100", list[kind.hint], [kind.make(n) for n in range(100)]  # type: ignore[name-defined]


def text_of(hint: Any, value: Any) -> str:
    """Return the JSON text of *value*, which pydantic reads, too."""
    text: str = tool(returning(hint, value), recursive=True).call({}).text()
    assert pydantic.TypeAdapter(hint).validate_json(text) == value
    return text


def read_cells(kind: Kind) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for size, hint, value in sized(kind):
        cells |= read_once(size, hint, text_of(hint, value), value)
    hint, text = kind.hint, text_of(kind.hint, kind.make(1))

    def first() -> None:
        define(hint)
        made = contract(hint, recursive=True)
        for _ in range(4):
            made.read(text).result  # noqa: B018

    def peer() -> None:
        define(hint)
        adapter = pydantic.TypeAdapter(hint)
        for _ in range(4):
            adapter.validate_json(text)

    return {**cells, "first": ratio(first, peer)}


def read_once(size: str, hint: Any, text: str, value: Any) -> dict[str, Cell]:
    adapter, made = pydantic.TypeAdapter(hint), contract(hint, recursive=True)
    assert made.read(text).result == value, hint

    def ours() -> Any:
        return made.read(text).result

    cells: dict[str, Cell] = {size: ratio(ours, lambda: adapter.validate_json(text))}
    try:
        decode = msgspec.json.Decoder(hint).decode
        decode(text)
    except Exception:
        # It knows no unions of classes, and no models.
        return {**cells, f"{size} / msgspec": None}
    return {**cells, f"{size} / msgspec": ratio(ours, lambda: decode(text))}


def returning(hint: Any, value: Any) -> Callable[[], Any]:
    def give() -> Any:
        return value

    give.__annotations__["return"] = hint
    return give


def define(hint: Any) -> None:
    """Build the schema of *hint* if that is a model of pydantic, as each definition of one does."""
    if isinstance(hint, type) and issubclass(hint, pydantic.BaseModel):
        hint.model_rebuild(force=True)


def result_cells(kind: Kind) -> dict[str, Cell]:
    cells: dict[str, Cell] = {
        size: result_once(hint, returning(hint, value)) for size, hint, value in sized(kind)
    }
    give = returning(kind.hint, kind.make(1))

    def first() -> None:
        define(kind.hint)
        made = tool(give, recursive=True)
        for _ in range(3):
            made.call({}).text()

    def peer() -> None:
        define(kind.hint)
        call, adapter = pydantic.validate_call(give), pydantic.TypeAdapter(kind.hint)
        for _ in range(3):
            adapter.dump_json(adapter.validate_python(call(), strict=True))

    return {**cells, "first": ratio(first, peer)}


def result_once(hint: Any, give: Run) -> Cell:
    made, adapter = tool(give, recursive=True), pydantic.TypeAdapter(hint)
    assert made.call({}).ok, made.call({}).report()
    return ratio(
        lambda: made.call({}).text(),
        lambda: adapter.dump_json(adapter.validate_python(give(), strict=True)),
    )


def message_of(name: str, sent: str, count: int = 1) -> dict[str, Any]:
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": sent}}
        for n in range(count)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def hinted(function: Any) -> Any:
    from typing import get_type_hints

    return get_type_hints(function, include_extras=True)["return"]


def loop_of(call: Callable[[str], str], name: str) -> Callable[[Any], list[dict[str, Any]]]:
    """Return the loop over the calls of a message that users write."""
    tools = {name: call}

    def loop(message: Any) -> list[dict[str, Any]]:
        out = []
        for each in message["tool_calls"]:
            asked = each["function"]
            content = tools[asked["name"]](asked["arguments"])
            out.append({"role": "tool", "tool_call_id": each["id"], "content": content})
        return out

    return loop


def in_form(schema: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """Return *arguments* as a model that is held to the strict *schema* sends them.

    Null stands for what is left out, and a map is a list of pairs.
    """
    filled: dict[str, Any] = {}
    for name, part in schema["properties"].items():
        value = arguments.get(name)
        if isinstance(value, dict) and part.get("type") == "array":
            value = [{"key": key, "value": item} for key, item in value.items()]
        filled[name] = value
    return filled


def call_cells(function: Any, arguments: dict[str, Any]) -> dict[str, Cell]:
    name, sent = function.__name__, json.dumps(arguments)
    hint = hinted(function)
    checked, dump = pydantic.validate_call(function), pydantic.TypeAdapter(hint).dump_json
    read = pydantic_core.from_json

    def by_hand(text: str) -> str:
        return dump(checked(**read(text))).decode()

    made = tool(function)
    assert json.loads(made.call(sent).text()) == json.loads(by_hand(sent)), name
    loop = loop_of(by_hand, name)
    cells: dict[str, Cell] = {"call": ratio(lambda: made.call(sent).text(), lambda: by_hand(sent))}
    for column, profile in {"handle": {}, "strict": {"strict": True}}.items():
        wire = Toolset([made]).project("openai", **profile)
        schema = wire.definitions[0]["function"]["parameters"]
        told = message_of(name, json.dumps(in_form(schema, arguments) if profile else arguments))
        plain = message_of(name, sent)
        try:
            assert "rror" not in wire.handle(told)[0]["content"][:9], wire.handle(told)
        except Exception as error:
            print(f"{name} {column}: {error}", file=sys.stderr)
            cells[column] = None
            continue
        cells[column] = ratio(lambda: wire.handle(told), lambda: loop(plain))  # noqa: B023
    four = message_of(name, sent, 4)
    cells["handle 4"] = ratio(lambda: wire_of(made).handle(four), lambda: loop(four))

    def first() -> None:
        new = tool(function)
        for _ in range(3):
            new.call(sent).text()

    def first_peer() -> None:
        call, write = pydantic.validate_call(function), pydantic.TypeAdapter(hint).dump_json
        for _ in range(3):
            write(call(**read(sent)))

    cells["first"] = ratio(first, first_peer)
    return cells


_wires: dict[Any, Any] = {}


def wire_of(made: Any) -> Any:
    if made not in _wires:
        _wires[made] = Toolset([made]).project("openai")
    return _wires[made]


async def find(query: str, limit: int = 10) -> list[Item]:
    return [Item(n, query) for n in range(2)]


def await_cells(count: int) -> dict[str, Cell]:
    made, sent = tool(find), '{"query": "x", "limit": 3}'
    wire, message = Toolset([made]).project("openai"), message_of("find", sent, count)
    checked = pydantic.validate_call(find)
    dump = pydantic.TypeAdapter(list[Item]).dump_json

    async def answer(each: Any) -> dict[str, Any]:
        result = await checked(**pydantic_core.from_json(each["function"]["arguments"]))
        content = dump(result).decode()
        return {"role": "tool", "tool_call_id": each["id"], "content": content}

    async def by_hand() -> list[Any]:
        calls = message["tool_calls"]
        if len(calls) == 1:
            return [await answer(calls[0])]
        return await asyncio.gather(*map(answer, calls))

    loop = asyncio.new_event_loop()
    try:
        assert loop.run_until_complete(wire.ahandle(message))
        ours = lambda: loop.run_until_complete(wire.ahandle(message))  # noqa: E731
        return {"ahandle": ratio(ours, lambda: loop.run_until_complete(by_hand()))}
    finally:
        loop.close()


def fenced_cells(count: int) -> dict[str, Cell]:
    from instructor.v2.core.json import extract_json_from_codeblock

    made, adapter = contract(list[Item]), pydantic.TypeAdapter(list[Item])
    text = json.dumps([{"id": n, "title": f"row {n}", "level": 2} for n in range(count)])
    forms = {
        "alone": text,
        "in a fence": f"```json\n{text}\n```",
        "in prose": f"Here it is:\n{text}\nHope this helps.",
    }
    cells: dict[str, Cell] = {}
    for name, sent in forms.items():

        def peer() -> Any:
            return adapter.validate_json(extract_json_from_codeblock(sent))  # noqa: B023

        assert made.read(sent).result == peer()
        cells[name] = ratio(lambda: made.read(sent).result, peer)  # noqa: B023
    return cells


def define_cells() -> dict[str, Cell]:
    from toolschema import schema
    from toolschema.adapters.openai import to_openai

    # It knows no dates, decimals and sets.
    known = [each for each in CALLS if is_known(lambda each=each: schema(each))]  # type: ignore[misc]
    functions = [copied(known[n % len(known)], n) for n in range(1_000)]

    def ours() -> Any:
        return tools_of(functions).project("openai").definitions

    def peer() -> Any:
        return [to_openai(schema(each)) for each in functions]

    assert len(ours()) == len(peer()) == 1_000
    return {"1,000 functions": ratio(ours, peer)}


def is_known(run: Run) -> bool:
    try:
        run()
    except TypeError:
        return False
    return True


def copied(function: Any, number: int) -> Any:
    """Return a function like *function* with a name and a docstring of its own."""
    import types

    made = types.FunctionType(
        function.__code__, function.__globals__, f"{function.__name__}_{number}"
    )
    made.__defaults__, made.__annotations__ = function.__defaults__, dict(function.__annotations__)
    made.__doc__, made.__module__ = f"Do number {number}.", function.__module__
    return made


Rows = dict[str, Callable[[], dict[str, Cell]]]

GROUPS: dict[str, Callable[[], Rows]] = {
    "read": lambda: {name: lambda kind=kind: read_cells(kind) for name, kind in KINDS.items()},  # type: ignore[misc]
    "result": lambda: {name: lambda kind=kind: result_cells(kind) for name, kind in KINDS.items()},  # type: ignore[misc]
    "call": lambda: {
        function.__name__.replace("_", " "): lambda f=function, a=sent: call_cells(f, a)  # type: ignore[misc]
        for function, sent in CALLS.items()
    },
    "await": lambda: {f"{n} call{'s' * (n > 1)}": lambda n=n: await_cells(n) for n in (1, 4, 32)},  # type: ignore[misc]
    "fenced": lambda: {
        f"{n} row{'s' * (n > 1)}": lambda n=n: fenced_cells(n) for n in (1, 100, 1_000)
    },  # type: ignore[misc]
    "define": lambda: {"definitions": define_cells},
}


def measured(group: str, only: str = "", is_alone: bool = False) -> Table:
    """Return the cells of *group*, the row with the worst cell first.

    *is_alone* is whether typesig uses no library that is loaded.
    """
    find_loaded = json_backends.find_loaded_codec
    if is_alone:
        json_backends.find_loaded_codec = lambda: None
    try:
        rows = {name: run() for name, run in GROUPS[group]().items() if only in name}
    finally:
        json_backends.find_loaded_codec = find_loaded
    columns = list(dict.fromkeys(column for cells in rows.values() for column in cells))
    worst = sorted(
        rows, key=lambda name: -max(c for c in rows[name].values() if isinstance(c, float))
    )
    return Table(group, columns, {name: [rows[name].get(c) for c in columns] for name in worst})


def figures_of(table: Table) -> dict[str, list[float]]:
    """Return the cells of each row of *table* beside pydantic."""
    kept = [place for place, name in enumerate(table.columns) if "msgspec" not in name]
    return {
        name: [cell for place in kept if isinstance(cell := cells[place], float)]
        for name, cells in table.rows.items()
    }


def summarize(table: Table) -> list[Cell]:
    """Return the cells of one row of the table of `SUMMARY`."""
    rows = figures_of(table)
    figures = [cell for cells in rows.values() for cell in cells]
    worst = max(rows, key=lambda name: max(rows[name]))
    counts = [str(sum(each > bar for each in figures)) for bar in (2, 4, 6)]
    median = statistics.median(figures)
    return [str(len(figures)), median, max(figures), worst, *counts]


#: What is told of a group: its cells, and those above a bar.
SUMMARY = ["cells", "median", "worst", "of", "above 2", "above 4", "above 6"]


def find_growth(saved: Table, now: Table) -> float:
    """Return the geometric mean of the ratios of *now*, divided by those of *saved*."""
    before, after = figures_of(saved), figures_of(now)
    grown = [
        cell / known
        for name in after.keys() & before.keys()
        for known, cell in zip(before[name], after[name], strict=False)
    ]
    return statistics.geometric_mean(grown) if grown else 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description="Everyday types and signatures beside peers.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--alone", action="store_true", help="use no library that is loaded")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name has this text")
    parser.add_argument("--against", type=Path, metavar="FILE", help="saved figures to compare")
    asked = parser.parse_args()
    saved: dict[str, Table] = {}
    if asked.against:
        saved, _ = loaded(asked.against.read_text(encoding="utf-8"))
    unknown = set(asked.groups) - set(GROUPS)
    if unknown:
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    slower: list[str] = []
    for group in asked.groups or GROUPS:
        try:
            table = measured(group, asked.only, asked.alone)
        except ImportError as error:
            print(f"{group}: not measured, {error}\n")
            continue
        known = saved.get(f"everyday-{group}{'-alone' if asked.alone else ''}")
        growth = find_growth(known, table) if known else 1.0
        if growth > MOST_GROWTH:
            slower.append(f"{group} takes {growth:.2f} times as long as the saved figures tell")
        told = Table("", SUMMARY, {group: summarize(table)})
        print(markdown(table), markdown(told), sep="\n\n", end="\n\n", flush=True)
    print("\n".join(slower))
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
