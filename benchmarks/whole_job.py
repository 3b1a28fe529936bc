"""The whole job: from what a model sent to what Python, or the model, reads; every result is read.

Each case is what a user writes, in one line, with public names only; the others are the same job
with the libraries that do a part of it.  CPU time, the smallest of several rounds in which all take
turns; a ratio is the time of typesig divided by that of the other: below 1 typesig is faster.

- check: `validate_output(d).value`, `validate_input(d).value` and `validate_and_coerce(d).value` on
  the workloads of `validation.py`; *value, twice* reads the value of one outcome two times
- read: `contract(T).read(text).result` and `.value`
- call: `tool.call(text).text()`, from JSON text to JSON text, and `acall`
- handle: the answer of a model with 1, 4 or 32 calls, to the messages that go back
- tell: `feedback()` of a wrong call, `report()`, and the listing of 100 tools, which have no peer

    python -m pip install pydantic msgspec jsonschema-rs fastjsonschema
    python benchmarks/whole_job.py             # all groups; two minutes
    python benchmarks/whole_job.py call read   # some

The peers of a call are pydantic's `validate_call` of the text's data (`pydantic_core.from_json`)
and `TypeAdapter.dump_json`, which do not check the result; `json` is `json.loads`, the function,
and `json.dumps`, without any check.  That, and *by hand*, the same checks as source written for
one type (`by_hand.py`), are the floor of what can be had in Python alone.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from typing_extensions import TypedDict

from benchmarks import by_hand
from benchmarks.tables import Cell, Table, markdown
from benchmarks.validation import WORKS, Work, signature_of
from benchmarks.validation_peers import PEERS, installed, source_for, version_of
from typesig import Toolset, contract, parse, tool

Run = Callable[[], Any]
#: The ways to do one job, by name; `OURS` is the first.
Ways = dict[str, Run]

OURS = "typesig"
BY_HAND = "by hand"
PACKAGES = ("pydantic", "msgspec", "jsonschema-rs", "fastjsonschema")
ROUNDS = 9
#: The CPU seconds of one way in one round.
LONGEST = 0.04


@dataclass
class Row:
    id: int
    title: str
    score: float
    tags: list[str]


class RowDict(TypedDict):
    id: int
    title: str
    score: float
    tags: list[str]


class Small(TypedDict):
    id: int
    name: str


@dataclass
class Point:
    x: int
    y: float
    tags: list[str]


def rows_of(count: int) -> list[dict[str, Any]]:
    return [
        {"id": n, "title": f"row {n}", "score": n / 7, "tags": ["a", "bb", "ccc"]}
        for n in range(count)
    ]


ROWS = rows_of(1_000)
OBJECTS = [Row(**row) for row in ROWS]


def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


def move(point: Point, by: int) -> Point:
    """Move a point."""
    return Point(point.x + by, point.y, point.tags)


def find(query: str) -> RowDict:
    """Find a row."""
    return {"id": 1, "title": query, "score": 0.5, "tags": ["a"]}


def dataclasses(count: int) -> list[Row]:
    """Return rows."""
    return OBJECTS[:count]


def dictionaries(count: int) -> list[dict[str, Any]]:
    """Return rows."""
    return ROWS[:count]


def typed_dicts(count: int) -> list[RowDict]:
    """Return rows."""
    return ROWS[:count]  # type: ignore[return-value]


async def later(a: int) -> int:
    """Return a number."""
    return a


#: A function, and what a model sends to it.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "scalars": (add, {"a": 1}),
    "a record out": (find, {"query": "budget"}),
    "a dataclass in and out": (move, {"point": {"x": 1, "y": 2.5, "tags": ["a"]}, "by": 1}),
    "1,000 dataclasses out": (dataclasses, {"count": 1000}),
    "1,000 TypedDicts out": (typed_dicts, {"count": 1000}),
    "1,000 dicts out": (dictionaries, {"count": 1000}),
}


#: The checks by hand of the arguments and of the result of a function.
HANDS: dict[Any, tuple[by_hand.Check, by_hand.Check]] = {
    add: (by_hand.numbers, by_hand.number),
    find: (by_hand.words, by_hand.row),
    move: (by_hand.moved(Point), by_hand.of_point),
}


def adapter_of(hint: Any) -> Any:
    return importlib.import_module("pydantic").TypeAdapter(hint)


def is_installed(package: str) -> bool:
    return version_of(package) is not None


def check_ways(work: Work) -> Ways:
    """Return the ways to check one value and to read what is made of it."""
    value, signature = work.value(), signature_of(work.hint())
    if work.mode == "wrong":
        ways: Ways = {OURS: lambda: signature.validate_output(value).errors}
    elif work.mode == "coerced":
        ways = {OURS: lambda: signature.validate_and_coerce(value).value}
    else:
        ways = {OURS: lambda: signature.validate_output(value).value}

        def twice() -> Any:
            outcome = signature.validate_output(value)
            return outcome.value, outcome.value

        ways["typesig, value twice"] = twice
        if type(value) is dict:
            named = parse(f"({signature.render().partition('-> {')[2][:-1]}) -> :any")
            assert named.validate_input(value).value == value
            ways["typesig, validate_input"] = lambda: named.validate_input(value).value
    shown = ("pydantic strict", "pydantic lax", "msgspec TypedDict", "jsonschema-rs")
    for peer in PEERS:
        if peer.name not in (*shown, "fastjsonschema") or not is_installed(peer.package):
            continue
        if work.mode in peer.modes and (peer.all_errors or not work.many):
            check = peer.make(source_for(peer, work.hint()), work.mode)
            ways[peer.name] = lambda check=check: check(value)  # type: ignore[misc]
    return ways


def check_jobs() -> dict[str, Ways]:
    found = {name: check_ways(work) for name, work in WORKS.items()}
    for name, ways in found.items():
        check, value = by_hand.CHECKS[name], WORKS[name].value()
        ways[BY_HAND] = lambda check=check, value=value: check(value)  # type: ignore[misc]
    return found


def read_ways(
    hint: Any, text: str, least: by_hand.Check | None = None, has_msgspec: bool = True
) -> Ways:
    made = contract(hint)
    ways: Ways = {
        OURS: lambda: made.read(text).result,
        "typesig, value": lambda: made.read(text).value,
    }
    if is_installed("pydantic"):
        validate = adapter_of(hint).validate_json
        ways["pydantic validate_json"] = lambda: validate(text)
    if has_msgspec and is_installed("msgspec"):
        decode = importlib.import_module("msgspec").json.Decoder(hint).decode
        ways["msgspec decode"] = lambda: decode(text)
    if least is not None:
        ways[BY_HAND] = lambda: least(text)
    return ways


def read_jobs() -> dict[str, Ways]:
    found = {
        "a small TypedDict": read_ways(
            Small, '{"id": 42, "name": "Alice"}', by_hand.of_text(by_hand.person)
        ),
        "a dataclass": read_ways(
            Point, '{"x": 1, "y": 2.5, "tags": ["a"]}', by_hand.of_text(by_hand.point, Point)
        ),
        "1,000 dataclasses": read_ways(list[Row], json.dumps(ROWS), by_hand.rows_of_text(Row)),
        "1,000 TypedDicts": read_ways(
            list[RowDict], json.dumps(ROWS), by_hand.of_text(by_hand.table)
        ),
    }
    if is_installed("pydantic"):
        pydantic = importlib.import_module("pydantic")
        inner = pydantic.create_model("Inner", id=(int, ...), tags=(list[str], ...))
        outer = pydantic.create_model("Outer", name=(str, ...), parts=(list[inner], ...))
        data = {"name": "x", "parts": [{"id": n, "tags": ["a", "b"]} for n in range(10)]}
        found["a nested model"] = read_ways(outer, json.dumps(data), has_msgspec=False)
    return found


def by_pydantic(function: Any) -> Callable[[str], str]:
    """Return the loop that users write: the text's data, the call, and the text of the result."""
    from typing import get_type_hints

    pydantic, core = map(importlib.import_module, ("pydantic", "pydantic_core"))
    call, read = pydantic.validate_call(function), core.from_json
    dump = adapter_of(get_type_hints(function)["return"]).dump_json
    return lambda text: dump(call(**read(text))).decode()  # type: ignore[no-any-return]


def by_json(function: Any) -> Callable[[str], str]:
    return lambda text: json.dumps(function(**json.loads(text)))


def call_ways(function: Any, arguments: dict[str, Any]) -> Ways:
    made, text = tool(function), json.dumps(arguments)
    ways: Ways = {OURS: lambda: made.call(text).text()}
    if is_installed("pydantic"):
        call = by_pydantic(function)
        ways["pydantic"] = lambda: call(text)
    if function not in (move, dataclasses):
        plain = by_json(function)
        ways["json"] = lambda: plain(text)
    if function in HANDS:
        least = by_hand.called(HANDS[function][0], function, HANDS[function][1])
        assert least(text) == made.call(text).text()
        ways[BY_HAND] = lambda: least(text)
    return ways


def awaited_ways() -> Ways:
    """Return the ways of a coroutine, each a loop of its own that is run to its end by hand."""
    made, text = tool(later), '{"a": 1}'

    def driven(start: Callable[[], Any]) -> Run:
        def run() -> Any:
            coroutine = start()
            try:
                coroutine.send(None)
            except StopIteration as end:
                return end.value
            raise AssertionError("it waits for something")

        return run

    async def ours() -> str:
        return (await made.acall(text)).text()

    ways: Ways = {OURS: driven(ours)}
    if is_installed("pydantic"):
        pydantic, core = map(importlib.import_module, ("pydantic", "pydantic_core"))
        call, dump = pydantic.validate_call(later), adapter_of(int).dump_json

        async def theirs() -> str:
            return dump(await call(**core.from_json(text))).decode()  # type: ignore[no-any-return]

        ways["pydantic"] = driven(theirs)
    return ways


def call_jobs() -> dict[str, Ways]:
    found = {name: call_ways(*each) for name, each in CALLS.items()}
    found["a coroutine, acall"] = awaited_ways()
    return found


def openai_message(count: int) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call_{n}",
                "type": "function",
                "function": {"name": "find", "arguments": '{"query": "budget"}'},
            }
            for n in range(count)
        ],
    }


def anthropic_message(count: int) -> dict[str, Any]:
    calls = [
        {"type": "tool_use", "id": f"toolu_{n}", "name": "find", "input": {"query": "budget"}}
        for n in range(count)
    ]
    return {"role": "assistant", "stop_reason": "tool_use", "content": calls}


def gemini_message(count: int) -> dict[str, Any]:
    parts = [
        {"functionCall": {"id": f"{n}", "name": "find", "args": {"query": "budget"}}}
        for n in range(count)
    ]
    return {"candidates": [{"content": {"role": "model", "parts": parts}}]}


def hand_loop(provider: str, call: Any, adapter: Any) -> Callable[[Any], list[dict[str, Any]]]:
    """Return the loop over the calls of an answer that users write, with *call* and *adapter*."""
    tools = {"find": (call, adapter)}

    def openai(message: Any) -> list[dict[str, Any]]:
        out = []
        for each in message["tool_calls"]:
            call, adapter = tools[each["function"]["name"]]
            content = adapter.dump_json(call(**json.loads(each["function"]["arguments"]))).decode()
            out.append({"role": "tool", "tool_call_id": each["id"], "content": content})
        return out

    def anthropic(message: Any) -> list[dict[str, Any]]:
        out = []
        for each in message["content"]:
            if each["type"] == "tool_use":
                call, adapter = tools[each["name"]]
                content = adapter.dump_json(call(**each["input"])).decode()
                out.append({"type": "tool_result", "tool_use_id": each["id"], "content": content})
        return [{"role": "user", "content": out}]

    def gemini(message: Any) -> list[dict[str, Any]]:
        out = []
        for part in message["candidates"][0]["content"]["parts"]:
            each = part["functionCall"]
            call, adapter = tools[each["name"]]
            data = {"output": adapter.dump_python(call(**each["args"]), mode="json")}
            response = {"id": each["id"], "name": each["name"], "response": data}
            out.append({"functionResponse": response})
        return [{"role": "user", "parts": out}]

    return {"openai": openai, "anthropic": anthropic, "gemini": gemini}[provider]


MESSAGES: dict[str, Callable[[int], dict[str, Any]]] = {
    "openai": openai_message,
    "anthropic": anthropic_message,
    "gemini": gemini_message,
}


def handle_ways(provider: Any, count: int) -> Ways:
    wire, message = Toolset([tool(find)]).project(provider), MESSAGES[provider](count)
    answered = wire.handle(message)
    assert "budget" in json.dumps(answered), answered
    ways: Ways = {OURS: lambda: wire.handle(message)}
    if is_installed("pydantic"):
        checked_call = importlib.import_module("pydantic").validate_call(find)
        loop = hand_loop(provider, checked_call, adapter_of(RowDict))
        ways["by hand with pydantic"] = lambda: loop(message)
    least = hand_loop(provider, by_hand.arguments(by_hand.words, find), by_hand.Written)
    assert json.dumps(least(message)) == json.dumps(answered)
    ways[BY_HAND] = lambda: least(message)
    return ways


def handle_jobs() -> dict[str, Ways]:
    return {
        f"{provider}, {count} call{'s' * (count > 1)}": handle_ways(provider, count)
        for provider in MESSAGES
        for count in (1, 4, 32)
    }


def tell_jobs() -> dict[str, Ways]:
    made, wrong = tool(move), '{"point": {"x": "many", "y": 2.5, "tags": ["a"]}, "by": 1}'
    tools = []
    for number in range(100):

        def each(query: str, limit: int = 10) -> list[str]:
            return [query] * limit

        each.__doc__ = f"Search collection {number}."
        tools.append(tool(each, name=f"search_{number}"))
    toolset = Toolset(tools)
    return {
        "feedback of a wrong call": {OURS: lambda: made.call(wrong).feedback()},
        "report of a wrong call": {OURS: lambda: made.call(wrong).report()},
        "a listing of 100 tools": {OURS: lambda: str(toolset.listing())},
    }


GROUPS: dict[str, Callable[[], dict[str, Ways]]] = {
    "check": check_jobs,
    "read": read_jobs,
    "call": call_jobs,
    "handle": handle_jobs,
    "tell": tell_jobs,
}


def timed(run: Run, repeat: int) -> float:
    start = time.process_time()
    for _ in range(repeat):
        run()
    return (time.process_time() - start) / repeat


def smallest(ways: Ways, rounds: int) -> dict[str, float]:
    """Return the smallest CPU seconds of each way; they take turns."""
    for run in ways.values():
        for _ in range(12):
            run()
    once = {name: timed(run, 2) for name, run in ways.items()}
    repeats = {
        name: max(1, min(5_000, int(LONGEST / max(took, 1e-7)))) for name, took in once.items()
    }
    best = dict.fromkeys(ways, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, run in ways.items():
                best[name] = min(best[name], timed(run, repeats[name]))
    finally:
        gc.enable()
    return best


def measured(group: str, rounds: int = ROUNDS) -> Table:
    """Return the figures of *group*: a row for each job, and a column for each other way."""
    found = {name: smallest(ways, rounds) for name, ways in GROUPS[group]().items()}
    others = list(dict.fromkeys(way for best in found.values() for way in best if way != OURS))
    own = [way for way in others if way.startswith(OURS)]
    peers = [way for way in others if way not in own]
    columns = [f"{OURS}, µs", *(f"{way}, µs" for way in own), *(f"/ {way}" for way in peers)]
    rows: dict[str, list[Cell]] = {}
    for name, best in found.items():
        times: list[Cell] = [best[way] * 1e6 if way in best else None for way in (OURS, *own)]
        rows[name] = times + [best[OURS] / best[way] if way in best else None for way in peers]
    return Table("", columns, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("groups", nargs="*", help=f"any of {', '.join(GROUPS)} (all)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of each ({ROUNDS})")
    asked = parser.parse_args()
    if unknown := [name for name in asked.groups if name not in GROUPS]:
        parser.error(f"no group {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    for group in asked.groups or GROUPS:
        print(f"{group}\n\n{markdown(measured(group, asked.rounds))}\n", flush=True)
    versions = installed(PACKAGES)
    told = ", ".join(f"{package} {version}" for package, version in versions.items())
    print(f"our time divided by the other's; Python {sys.version.split()[0]}, {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
