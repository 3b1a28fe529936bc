"""Toolsets, right programs that use them, and what such a program reads: drawn by Hypothesis.

A right program is made of uses that fit the type of each value, and is then run in this process by
`exec`, which is how the tests know that it is right: its tools answer with drawn values.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st

from typesig import Tool, Toolset
from typesig.algebra import nodes
from typesig.algebra.constructors import make_maybe
from typesig.algebra.signature import Signature
from typesig.programs import Code
from typesig.relations import samples

_FIELDS = ["id", "title", "amount", "tags", "owner", "note", "state", "lines", "place"]

_LEAVES: list[nodes.Type] = [nodes.STRING, nodes.INT, nodes.FLOAT, nodes.BOOL]


@st.composite
def results(draw: st.DrawFn, depth: int = 2) -> nodes.Type:
    """Draw the type of a result: records with leaves, lists and records within."""
    if depth == 0:
        return draw(st.sampled_from(_LEAVES))
    kind = draw(st.sampled_from(["record", "record", "list", "leaf", "maybe"]))
    if kind == "leaf":
        return draw(st.sampled_from(_LEAVES))
    if kind == "list":
        return nodes.List(draw(results(depth - 1)))
    if kind == "maybe":
        return make_maybe(draw(records(depth - 1)))
    return draw(records(depth - 1))


@st.composite
def records(draw: st.DrawFn, depth: int = 1) -> nodes.Record:
    """Draw a record with some of the usual fields."""
    names = draw(st.lists(st.sampled_from(_FIELDS), min_size=2, max_size=4, unique=True))
    fields = [
        nodes.Field(name, draw(results(depth)), required=i == 0 or draw(st.booleans()))
        for i, name in enumerate(names)
    ]
    return nodes.Record(tuple(fields), nodes.ANY)


@st.composite
def params(draw: st.DrawFn) -> list[nodes.Field]:
    """Draw parameters: the required ones first."""
    names = draw(
        st.lists(st.sampled_from(["query", "count", "ids", "flag"]), unique=True, min_size=1)
    )
    types: dict[str, nodes.Type] = {
        "query": nodes.STRING,
        "count": nodes.INT,
        "ids": nodes.List(nodes.INT),
        "flag": nodes.BOOL,
    }
    required = draw(st.integers(1, len(names)))
    return [nodes.Field(n, types[n], required=i < required) for i, n in enumerate(names)]


_TOOL_NAMES = ["search", "fetch_order", "list_users", "count-rows"]


class World(NamedTuple):
    """A toolset whose tools answer with drawn values, which `answers` has by name."""

    code: Code
    answers: dict[str, list[Any]]


@st.composite
def worlds(draw: st.DrawFn, awaited: bool = False, returns: nodes.Type | None = None) -> World:
    """Draw tools; with *returns*, that is the result of the first of them."""
    tools: list[Tool[..., Any]] = []
    answers: dict[str, list[Any]] = {}
    count = draw(st.integers(1, 3))
    for i, name in enumerate(_TOOL_NAMES[:count]):
        result = returns if i == 0 and returns is not None else draw(results(3))
        signature = Signature(draw(params()), result, (), None)
        answers[name] = samples(signature, seed=draw(st.integers(0, 99)), count=4, json=True)
        tools.append(Tool(_answering(answers[name]), signature, name=name))
    return World(Toolset(tools).code(awaited=awaited), answers)


def _answering(values: list[Any]) -> Callable[..., Any]:
    turns = iter(range(10**9))

    def answer(**given: Any) -> Any:
        return json.loads(json.dumps(values[next(turns) % len(values)]))

    return answer


class Writing:
    """Writes lines of a program that uses values as their types allow."""

    def __init__(self, draw: st.DrawFn, code: Code) -> None:
        self.draw = draw
        self.code = code
        self.lines: list[str] = []
        self._count = 0
        self._depth = 0

    def name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def add(self, line: str) -> None:
        self.lines.append("    " * self._depth + line)

    def choose(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def call(self, called: str) -> str:
        """Return the text of a right call of the tool *called*."""
        callee = self.code.known.callees[called]
        given = []
        positional = self.draw(st.booleans())
        for name, field in callee.params.items():
            if not field.required and self.draw(st.booleans()):
                positional = False
                continue
            value = samples(Signature([], field.type), count=1, seed=self.draw(st.integers(0, 9)))[
                0
            ]
            given.append(f"{value!r}" if positional else f"{name}={value!r}")
        return f"{'await ' if self.code.awaited else ''}{called}({', '.join(given)})"

    def within(self, head: str, write: Callable[[], None]) -> None:
        """Write *write* below the line *head*."""
        self.add(head)
        self._depth += 1
        self.add("pass")
        write()
        self._depth -= 1

    def use(self, name: str, t: nodes.Type, fuel: int) -> None:
        """Write a use of *name*, a value of *t*."""
        if fuel == 0:
            self.add(f"used = {name}")
            return
        match t:
            case nodes.Maybe(inner):
                self._use_maybe(name, inner, fuel)
            case nodes.Record():
                self._use_record(name, t, fuel)
            case nodes.List(item):
                self._use_list(name, item, fuel)
            case nodes.Scalar("string"):
                self.add(self.choose(
                    f"{name}.upper().split()[:2]", f"{name} + '!'", f"len({name})", f"f'{{{name}}}'",
                    f"[c for c in {name}]", f"{name} < 'm'", f"{name}[:3].strip()",
                ))  # fmt: skip
            case nodes.Scalar("int" | "float" | "bool"):
                self.add(self.choose(
                    f"{name} + 1", f"{name} > 0", f"round({name})", f"{name} - 2 + 0.5", f"str({name})",
                    f"sum([{name}, 1])", f"max({name}, 3)",
                ))  # fmt: skip
            case _:
                raise AssertionError(t)

    def _use_maybe(self, name: str, inner: nodes.Type, fuel: int) -> None:
        def go_on() -> None:
            self.use(name, inner, fuel - 1)

        match self.choose("is", "truth", "not", "and", "assert", "try"):
            case "is":
                self.within(f"if {name} is not None:", go_on)
            case "truth":
                self.within(f"if {name}:", go_on)
            case "not":
                self.within(f"if {name} is None:", lambda: None)
                self.within("else:", go_on)
            case "and":
                self.add(f"{name} is not None and [{name}]")
            case "assert":
                self.within("try:", lambda: (self.add(f"assert {name} is not None"), go_on())[0])
                self.within("except AssertionError:", lambda: None)
            case _:
                self.within("try:", lambda: self.add(f"{name}['id'].foo"))
                self.within("except (KeyError, TypeError, AttributeError):", lambda: None)

    def _use_record(self, name: str, t: nodes.Record, fuel: int) -> None:
        field = self.draw(st.sampled_from(t.fields))
        key, new = repr(field.name), self.name()
        match self.choose("key", "key", "get", "in", "items", "store", "copy", "match", "keys"):
            case "key" if field.required:
                self.add(f"{new} = {name}[{key}]")
                self.use(new, field.type, fuel - 1)
            case "key" | "in":
                self.within(
                    f"if {key} in {name}:",
                    lambda: (
                        self.add(f"{new} = {name}[{key}]"),
                        self.use(new, field.type, fuel - 1),
                    )[0],
                )
            case "get":
                self.add(f"{new} = {name}.get({key})")
                is_nil = isinstance(field.type, nodes.Maybe)
                self.use(new, field.type if is_nil else nodes.Maybe(field.type), fuel - 1)
            case "items":
                self.within(
                    f"for key, {new} in {name}.items():",
                    lambda: self.add(f"[key.upper(), {new}, key + '!']"),
                )
            case "store":
                self.add(f"{name}['extra'] = 1")
                self.add(f"{new} = {name}['extra'] + 2")
                self.add(f"copied_{new} = dict({name})")
                self.add(f"copied_{new}[{key}] = 'other'")
                self.add(f"copied_{new}[{key}].upper()")
            case "copy":
                self.add(f"{new} = {{**{name}, 'further': [1]}}")
                self.add(f"{new}['further'][0] + 1")
            case "match":
                self.add(f"match {name}:")
                self.add(f"    case {{{key}: {new}}}:")
                self.add(f"        used = {new}")
            case _:
                self.add(f"sorted({name}.keys())[0].upper()")

    def _use_list(self, name: str, item: nodes.Type, fuel: int) -> None:
        new = self.name()

        def go_on() -> None:
            self.use(new, item, fuel - 1)

        match self.choose(
            "for", "for", "comp", "first", "sort", "grow", "function", "while", "zip"
        ):
            case "for":
                self.within(f"for {new} in {name}:", go_on)
            case "comp":
                self.add(f"{new} = [each for each in {name} if each is not None][:5]")
                self.add(f"len({new}) + 1")
            case "first":
                self.within(f"if {name}:", lambda: (self.add(f"{new} = {name}[0]"), go_on())[0])
            case "sort":
                self.add(f"{new} = sorted({name}, key=lambda each: str(each))")
                self.use(new, nodes.List(item), fuel - 1)
            case "grow":
                self.add(f"{new} = list({name})")
                self.add(f"{new}.append({{'own': 1}})")
                self.add(f"{new}[-1]['own'] + 1")
                self.add(f"{name}.append('text')")
                self.add(f"{name}[-1].upper()")
                self.add(f"{name}.pop()")
            case "function":
                self.within(f"def f_{new}(each):", lambda: self.add("return [each, each]"))
                self.add(f"[f_{new}(each)[1] for each in {name}]")
            case "while":
                self.add(f"{new} = None")
                self.within("while True:", lambda: (
                    self.within(f"if {new} is None:", lambda: self.add(f"{new} = 'text'")),
                    self.add(f"{new}.upper()"),
                    self.add("break"),
                )[0])  # fmt: skip
            case _:
                self.within(f"for place, {new} in enumerate({name}):", lambda: (
                    self.add("place + 1"), go_on())[0])  # fmt: skip


@st.composite
def programs(draw: st.DrawFn, code: Code) -> str:
    """Draw a right program that calls tools of *code*."""
    writing = Writing(draw, code)
    for called, callee in code.known.callees.items():
        name = writing.name()
        writing.add(f"{name} = {writing.call(called)}")
        signature = code.tools[callee.name].signature
        for _ in range(draw(st.integers(1, 2))):
            writing.use(name, signature.returns, draw(st.integers(1, 5)))
    return "\n".join(writing.lines)


def execute(program: str, world: World) -> None:
    """Run *program* here, where each call is answered with the data that a model would see."""

    def function(tool: Tool[..., Any], names: dict[str, str]) -> Callable[..., Any]:
        def called(*args: Any, **kwargs: Any) -> Any:
            given = {**dict(zip(names.values(), args, strict=False)), **kwargs}
            outcome = tool.call({names.get(name, name): value for name, value in given.items()})
            assert outcome.ok, outcome.report()
            return outcome._make_model_data(False).data

        return called

    scope: dict[str, Any] = {}
    for name, callee in world.code.known.callees.items():
        names = {one: field.name for one, field in callee.params.items()}
        scope[name] = function(world.code.tools[callee.name], names)
    exec(compile(program, "program", "exec"), scope)
