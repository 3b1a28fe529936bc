"""Laws of checked programs: no right one is refused, and planted mistakes are found."""

from __future__ import annotations

import ast
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW, signatures
from tests.programs.drawing import World, execute, programs, records, worlds
from typesig import Tool, Toolset, TypesigError, tool, tools_of
from typesig.algebra import nodes
from typesig.programs import Flaw


@LAW
@given(st.data())
def test_no_right_program_is_refused(data: st.DataObject) -> None:
    world = data.draw(worlds())
    program = data.draw(programs(world.code))
    execute(program, world)

    assert "" == world.code.check(program).feedback()


#: What is planted behind a right call, whose result `found` is a record with the first field {key},
#: which {field} is, or a list of numbers; and the kinds of flaws that tell of it.
MISTAKES: dict[str, tuple[str, set[str]]] = {
    "an unknown tool": ("serch_orders(query='a')", {"unknown_tool"}),
    "an unknown name": ("print(fund)", {"unknown_name"}),
    "an unknown argument": ("search({args}, limits=3)", {"unknown_argument"}),
    "a missing argument": ("search()", {"missing_argument"}),
    # What a function of the program returns is not known, so only a run tells.
    "an argument of another type": ("search({args_but_first}{first}=object_of)", set()),
    "a wrong literal": ("search({args_but_first}{first}={{'no': []}})", {"wrong_argument"}),
    "a result as a wrong argument": ("search({args_but_first}{first}=found)", {"wrong_argument"}),
    "a misspelt key": ("found['{key}x']", {"unknown_key"}),
    "an attribute for a key": ("found.{key}", {"unknown_attribute"}),
    "a number for a list": ("for each in found['number']:\n    pass", {"not_iterable"}),
    "a key of a number": ("found['number']['id']", {"not_indexable"}),
    "a number that is unpacked": ("a, b = found['number']", {"not_iterable"}),
    "a text plus a number": ("found['number'] + found['words']", {"wrong_operands"}),
    "a text before a number": ("found['number'] < found['words']", {"wrong_operands"}),
    "an await of what is there": ("await search({args})", {"needless_await"}),
    "a bracket that is not closed": ("found = (1", {"syntax"}),
    "a module that is not there": ("import requests", {"unknown_module"}),
    "syntax that does not run": ("del found", {"refused_syntax"}),
    "a tool for map": ("list(map(search, ['a']))", {"not_run_there"}),
    "a result that is called": ("found({args})", {"not_callable"}),
}


@st.composite
def planted(draw: st.DrawFn) -> tuple[World, str, dict[str, str]]:
    """Draw tools, a right program, and the parts of a mistake in it."""
    drawn = draw(records(1))
    others = tuple([field for field in drawn.fields if field.name not in ("number", "words")])
    fields = (nodes.Field("number", nodes.INT), nodes.Field("words", nodes.STRING))
    world = draw(worlds(returns=nodes.Record((*fields, *others), nodes.ANY)))
    callee = world.code.known.callees["search"]
    needed = {"query": "'a'", "count": "1", "ids": "[1]", "flag": "True"}
    given = {name: needed[name] for name, field in callee.params.items() if field.required}
    first = next(iter(callee.params))
    texts = {name: f"{name}={value}" for name, value in given.items()}
    parts = {
        "args": ", ".join(texts.values()),
        "first": first,
        "args_but_first": "".join(f"{text}, " for name, text in texts.items() if name != first),
        "key": others[0].name,
    }
    program = draw(programs(world.code))
    lines = [program, "def make():\n    return object()", "object_of = make()"]
    lines.append(f"found = search({parts['args']})")
    return world, "\n".join(lines), parts


@LAW
@given(drawn=planted())
def test_planted_mistakes_are_found_at_their_places(
    drawn: tuple[World, str, dict[str, str]],
) -> None:
    world, program, parts = drawn
    # A program that changes results, or stores such keys, may say nothing of them.
    probes = [f"found['{parts['key']}x']", "found['number'].no", "found['words'].no"]
    is_known = not any(world.code.check(f"{program}\n{probe}").ok for probe in probes)
    line = program.count("\n") + 2
    wrong: list[Any] = []
    for mistake, (text, kinds) in MISTAKES.items():
        outcome = world.code.check(f"{program}\n{text.format(**parts)}")
        found = {(each.kind, each.line) for each in outcome.errors if isinstance(each, Flaw)}
        if (is_known or kinds <= EVER) and found != {(kind, line) for kind in kinds}:
            wrong.append((mistake, found))

    assert [] == wrong


#: The kinds of flaws that depend on no result.
EVER = {
    "unknown_tool", "unknown_name", "unknown_argument", "missing_argument", "needless_await",
    "syntax", "unknown_module", "refused_syntax", "not_run_there",
}  # fmt: skip


@LAW
@given(st.data())
def test_a_call_that_is_not_awaited_is_found(data: st.DataObject) -> None:
    world = data.draw(worlds(awaited=True))
    called = next(iter(world.code.known.callees))
    program = data.draw(programs(world.code))
    call = program.partition(f"await {called}(")[2].partition("\n")[0]
    outcomes = [
        world.code.check(f"{program}\n{line}")
        for line in (f"{called}({call}", f"len({called}({call})", f"f'{{{called}}}'")
    ]

    assert "" == world.code.check(program).feedback()
    assert [["missing_await"], ["missing_await"], []] == [
        [flaw.kind for flaw in outcome.errors if isinstance(flaw, Flaw)] for outcome in outcomes
    ]


@LAW
@given(st.lists(signatures(), min_size=1, max_size=3), st.booleans())
def test_the_stub_of_any_tools_is_python(drawn: list[Any], awaited: bool) -> None:
    try:
        tools = [Tool(print, each, name=f"t{place}") for place, each in enumerate(drawn)]
    except TypesigError:
        return
    code = Toolset(tools).code(awaited=awaited)
    tree = ast.parse(code.prompt())
    kind = ast.AsyncFunctionDef if awaited else ast.FunctionDef

    assert [one.name for one in tools] == [n.name for n in tree.body if isinstance(n, kind)]


def test_a_list_is_a_tuple_in_the_stub_as_in_a_call() -> None:
    @tool
    def move(at: tuple[int, int], path: list[tuple[int, str]] | None = None) -> tuple[int, int]:
        return at

    code = tools_of([move]).code()

    taken = "path: list[tuple[int, str] | list[int | str]] | None = None"
    assert f"def move(at: tuple[int, int] | list[int], {taken})" in code.prompt()
    assert "-> tuple[int, int]" in code.prompt()
    assert code.check("move([1, 2])").ok
