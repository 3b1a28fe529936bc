"""What is told of a program before it runs, and what is not."""

from __future__ import annotations

import pickle
import sys
import types
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

import pytest

from typesig import Toolset, TypesigError, tool, tools_of
from typesig.algebra import nodes
from typesig.algebra.signature import make_type_signature
from typesig.limits.programs import MAX_PROGRAM, MAX_PROGRAM_DEPTH, MAX_PROGRAM_QUESTIONS
from typesig.programs import Flaw
from typesig.programs.checks.arguments import Judge
from typesig.programs.checks.known_values import ShapeIndex
from typesig.validation.policy import Policy


class Line(TypedDict):
    amount: int


class Order(TypedDict):
    id: int
    title: str
    note: NotRequired[str]
    lines: list[Line]


def search(query: str, limit: int = 10) -> list[Order]:
    """Search for orders."""
    return []


def fetch(id: int) -> Order | None:
    return None


def pair(at: datetime | None = None) -> tuple[int, str]:
    return 1, "a"


def save(order: Order, tags: list[str], names: dict[str, int] | None = None) -> None: ...


@tool
def other(**given: int) -> dict[str, int]:
    return given


def table() -> dict[str, list[int]]:
    return {}


@tool("() -> :Odd where Odd = {kind :enum[a b], many [:any], next? :Odd, loop :any, ** :int}")
def odd(): ...


CODE = tools_of([search, fetch, pair, save, other, table, odd]).code()
AWAITED = CODE.tools.code(awaited=True)

#: A program, and the message on it, or what is warned of, or nothing.
CASES: dict[str, str] = {
    "x = search('a')[0]\nx['titel']": 'there is no key "titel" (did you mean "title"?)',
    "x = search('a')[0]\nx['zzzzz']": 'there is no key "zzzzz"; there are "id", "title", "note", "lines"',
    "search('a')[0]['lines'][0]['amout']": 'there is no key "amout" (did you mean "amount"?)',
    "search('a')['id']": 'this is a list, which has no key "id"',
    "search('a')[0][1]": "this is a dict, whose keys are texts, not a number",
    "search('a')[0]['id'][0]": "this is a number, which has no keys",
    "search('a')[0]['title'][None]": "this is a text, which has no such key",
    "search('a')[0]['id'][1:]": "this is a number, which has no slices",
    "search('a')[0].lines": 'a dict has no attribute "lines"; write ["lines"]',
    "search('a').apend(1)": 'a list has no attribute "apend" (did you mean append?)',
    "for x in search('a')[0]['id']: pass": "this is a number, which has no items to go over",
    "a, b, c = pair()": "there are 2 values to unpack, and 3 names for them",
    "a, *b, c, d = pair()": "there are 2 values to unpack, and 4 names for them",
    "pair()[0] + pair()[1]": "a number + a text cannot be computed",
    "pair()[1] - 'a'": "a text - a text cannot be computed",
    "pair()[0] < 'a'": "a number and a text have no order",
    "pair()()": "",
    "x = pair()\nx()": "this is a list, which cannot be called",
    "serch('a')": 'there is no tool "serch" (did you mean search?)',
    "qqqq()": 'there is no tool "qqqq"; there are search, fetch, pair, save, other, table, odd',
    "tools.search('a')": "tools are called by their names: write search(…)",
    "x = 1\ny = xx": 'there is no name "xx" (did you mean x?)',
    "search(qery='a')": 'search has no parameter "qery" (did you mean query?)',
    "search('a', zzzz=1)": 'search has no parameter "zzzz"; it takes query, limit',
    "table(zzzz=1)": 'table has no parameter "zzzz" and takes none',
    "search('a', query='b')": "search is given query twice",
    "search('a', 1, 2)": "search takes 2 arguments, and this is one more",
    "search(limit=1)": "search needs query",
    "search(**{'query': 'a'}, limit=1)": "",
    "search(*['a'], 1)": "",
    "search('a', limit='many')": 'limit: expected int, got string "many"',
    "search('a', limit='5')": "",
    "search('a', limit=search('b'))": "limit: expected int, got a list",
    "fetch(search('a')[0]['title'])": "",
    "fetch(None)": "id: expected int, got nil",
    "fetch(search('a')[0].get('id'))": "id: this may be None, which is not int; check it first",
    "save({'id': 1, 'titel': pair()[1], 'lines': []}, [])": 'order lacks "title" (did you mean it by "titel"?)',
    "save({'id': pair(), 'title': 'a', 'lines': []}, [])": "order.id: expected int, got a list",
    "save(search('a')[0], tags=[pair(), *[1]])": "tags[]: expected string, got a list",
    "save({**{}}, tags=['a'], names={'a': 'x'})": 'names.a: expected int, got string "x"',
    "save(search('a')[0], [{'a': search}])": "tags[]: expected string, got a dict",
    "pair('2026-01-31T12:00:00Z')": "",
    "pair(at='soon')": 'at: expected datetime, got string "soon" (write it as YYYY-MM-DDTHH:MM:SSZ)',
    "await search('a')": "this is not a coroutine: omit await",
    "import asyncio\nasyncio.gather(search('a'), 1)": "calls do not wait here: write them one after the other, without gather",
    "list(map(search, ['a']))": "map calls this, which cannot wait for search; write a loop",
    "sorted([1], key=lambda x: fetch(x))": "a function of Python calls this, which cannot wait for fetch; write a loop",
    "sorted(search('a'), key=lambda x: x['titel'])": 'there is no key "titel" (did you mean "title"?)',
    "import requests": 'the sandbox has no module "requests"',
    "from maths import floor": 'the sandbox has no module "maths" (did you mean math?)',
    "from . import a": 'the sandbox has no module ""',
    "from math import *": "the sandbox imports no *",
    "del CODE": "the sandbox does not run del",
    "x = (1": "this is not Python: '(' was never closed",
    # what may fail
    "fetch(1)['id']": "this may be None, which has no keys; check it first",
    "search('a')[0]['note']": '"note" may be missing: write .get("note")',
    "search('a')[0].get('titel')": 'there is no key "titel" (did you mean "title"?)',
    "try:\n    search('a')['id']\nexcept TypeError:\n    pass": 'this is a list, which has no key "id"',
    # what is right, or not known
    "x = fetch(1)\nif x is not None:\n    x['id']": "",
    "x = fetch(1)\nif x is None or x['id'] > 1:\n    pass": "",
    "x = fetch(1)\nif not x:\n    raise ValueError('a') from None\nx['id']": "",
    "if (x := fetch(1)) is not None:\n    x['id']": "",
    "if (x := fetch(1)):\n    x['id']": "",
    "x = search('a')[0]\nif 'note' in x:\n    x['note'].upper()": "",
    "x = search('a')[0]\nif 'note' not in x:\n    pass\nelse:\n    x['note'].upper()": "",
    "x = search('a')[0]\nif x.get('note'):\n    x['note'].upper()": "",
    "x = search('a')[0]\nif x.get('note') is not None:\n    x['note'].upper()": "",
    "x = search('a')\nx['items'] if isinstance(x, dict) else x": "",
    "x = search('a')\nif type(x) == dict:\n    x['items']": "",
    "x = search('a')\nif 'items' in x:\n    x['items']": "",
    "x = search('a')\nmatch x:\n    case {'items': y} if y:\n        y.z\n    case [*a]:\n        a\n    case {**b}:\n        b\n    case c:\n        c": "",
    "for x in search('a'):\n    x['seen'] = 1\nx['seen'] + 1": "",
    "x = search('a')\nx.append({'own': 1})\nx[0]['own']": "",
    "x = search('a')\nx += [{'own': 1}]\nx[0]['own']": "",
    "x = search('a')[0]['id']\nx += 1\nx.upper()": 'a number has no attribute "upper"',
    "x = {}\nfor y in search('a'):\n    x.setdefault(y['id'], []).append(y)\nx[1].append(3)": "",
    "x = {}\nx[1] = search('a')\nx[1] += [{'own': 1}]\nsearch('a')[0]['own']": "",
    "x = {'a': 1}\nx.update({'b': 2}, c=3)\nx.update(x)\nx['b'] + x['c']": "",
    "x = search('a')[0]\nx.setdefault('own', 1)\nx['own']": "",
    "search('a')[0]['lines'].append(1)": "",
    "exec('search = 1')\nsearch('a')[0]['own']": "",
    "x = None\ndef f():\n    global x\n    x = search('a')\nf()\nx[0]": "",
    "def f():\n    n = 1\n    def g():\n        nonlocal n\n        n = 'a'\n    g()\n    return n + 'b'\nf()": "",
    "x = search('a')\ndef f():\n    return x[0]['titel']": 'there is no key "titel" (did you mean "title"?)',
    "x = 1\nx = search('a')\ndef f(y=x):\n    return x['titel']": "",
    "class A:\n    x = 1\n    def f(self):\n        return self.x\nA().f()": "",
    "x = None\nwhile x is None:\n    x = fetch(1)\n    if x:\n        break\n    continue\nelse:\n    x = 1": "",
    "try:\n    x = 1\nexcept ValueError as e:\n    str(e)\nelse:\n    x = 'a'\nfinally:\n    y = 2\nx.z": "",
    "return search('a')\n1['a']": "",
    "with open('a') as f:\n    f.read()\nwith open('b'):\n    pass": "",
    "assert fetch(1), f'{1:>{2}}'": "",
    "x: int = 1\ny: int\nx.bit_length()": "",
    "x = fetch(1) or {}\nx['a']": "",
    "not fetch(1)": "",
    "x = [1, 'a'][0]\nx.upper()": "",
    "x = (1, *[2])\nx[5]": "",
    "{1: 2}[1] + {'a': 1, **{}}['b']": "",
    "{'a-b': 1, 'a_b': 2}['x']": "",
    "{x['id']: x for x in search('a')}[1]": "",
    "[x async for x in y]": 'there is no name "y"',
    "(lambda x, *y, z=1, **k: x)(1)": "",
    "min(search('a'), key=lambda x: x['id'])['own']": "",
    "max(pair()[0], 2) + 1": "",
    "max([1, 2]) + 1": "",
    "for a, (b, c) in zip([1], [(1, 'a')]):\n    c.upper() + str(a + b)": "",
    "for i, x in enumerate(search('a')):\n    x['titel']": 'there is no key "titel" (did you mean "title"?)',
    "for k, v in search('a')[0].items():\n    k.upper(), v": "",
    "[k.upper() for k in search('a')[0].keys()] + [1 for v in search('a')[0].values()]": "",
    "for k, v in table().items():\n    k + 1": "a text + a number cannot be computed",
    "[v + 'a' for v in table().values()]": "a list + a text cannot be computed",
    "table()['a'][0] + 'a'": "a number + a text cannot be computed",
    "x = table()\nx['a'] = 'b'\nx['c'].upper() + x.get('a')": "",
    "[v for v in {}.values()]": "",
    "search('a')[0]['title'].split(',')[0].count('a').foo": 'a number has no attribute "foo"',
    "search('a')[0]['title'].encode().foo": "",
    "search('a')[0:1][0]['titel']": 'there is no key "titel" (did you mean "title"?)',
    "pair()[0:1][0].foo": "",
    "pair()[5 - 4].foo": 'a number or a text has no attribute "foo"',
    "len(1)": "this is a number, which has no items to go over",
    "x, y = 'ab'\nx.upper()": "",
    "[x, y] = search('a')\nx['titel']": 'there is no key "titel" (did you mean "title"?)',
    "s = search\ns(qery='a')": 'search has no parameter "qery" (did you mean query?)',
    "search\nsearch.x\nfetch['a']": "",
    "x = {}\nx.y = 1": "",
    "x = []\n(x := [1])\nx.append(1)": "",
    "yield_ = [*search('a')]\nyield_[0]['own']": "",
    "other(a=1, b='x')['a'] + 1": "",
    "print(*search('a'), sep='')": "",
    "-pair()[0]": "",
    "x = None\nx['a']": "this is None, which has no keys",
    "for x in None: pass": "this is None, which has no items to go over",
    "x = search('a') if pair() else 1\nx.foo": 'a list or a number has no attribute "foo"',
    "if pair():\n    x = 1\nelse:\n    x = 'a'\nx.foo": 'a number or a text has no attribute "foo"',
    "if pair():\n    return 1\nelse:\n    return 2\n": "",
    "if pair():\n    x = 1\nelse:\n    return 2\nx.foo": 'a number has no attribute "foo"',
    "x = search('a')[0]\nif x['id'] is None:\n    x = 1\n(1).real": "",
    "b'a' + b'b'": "",
    "def f():\n    try:\n        search('a')['x']\n    finally:\n        pass\ntry:\n    f()\nexcept TypeError:\n    pass": 'this is a list, which has no key "x"',
    "x = [1]\ny = x\nx[0] = {'a': 1}\ny[0]['a']": "",
    "save(search('a')[0], tags='a')": 'tags: expected list, got string "a"',
    "fetch(unknown_thing)": 'there is no name "unknown_thing"',
    "import math\nfetch(math.floor(2))": "",
    "sorted(search('a'), key=str)": "",
    "(lambda *, z: z)(z=1)": "",
    "x = search('a')\nx.search()": 'a list has no attribute "search"',
    "{}.get('a', default=1)": "",
    "import asyncio\nawait asyncio.sleep(0)": "",
    "[x for x in search('a') if x['titel']]": 'there is no key "titel" (did you mean "title"?)',
    "fetch(1) < fetch(1)": "a dict and a dict have no order",
    "if 'a' in table() or 1 in search('a'): pass": "",
    "table()['a'] = 1": "",
    "x = {}\nx['a'].update({'b': 1})": "",
    "def f():\n    return\nf()": "",
    "try:\n    pass\nexcept:\n    raise": "",
    "assert fetch(1)": "",
    "def f(*, a): pass\nf(a=1)": "",
    "match search('a'):\n    case []:\n        pass": "",
    "async def f():\n    async with x: pass": "the sandbox does not run async with",
    "x = search('a')[0]\ntry:\n    assert x['note'] is not None\nexcept ValueError:\n    pass": '"note" may be missing: write .get("note")',
    "search('a')[0]['title'][0].foo": 'a text has no attribute "foo"',
    "x = pair() if pair() else {'a': 1}\nx.get('a')": "",
    "x = search('a')[0]\nx['k'] = 1\n[v + 1 for v in x.values()]": "",
    "for c in 'ab':\n    c.foo": 'a text has no attribute "foo"',
    "a, *b = pair()\na.foo": 'a number or a text has no attribute "foo"',
    "2 * 3": "",
    "if 'a' in table():\n    pass\nx = search('a')\nif 1 in x:\n    pass": "",
    "fetch(pair())\nfetch(pair())": "id: expected int, got a list",
    "x = {}\nx['k'] = 1\n[v + 1 for v in search('a')[0].values()]": "",
    "for k in search('a')[0]:\n    k.foo": 'a text has no attribute "foo"',
    "odd()['more'].foo": 'a number has no attribute "foo"',
    "odd()['kind'].foo": 'a text has no attribute "foo"',
    "odd()['many'][0].foo": "",
    "odd()['next']['next']['kind'].foo": 'a text has no attribute "foo"',
    "odd()['loop'].foo": "",
    "@search\ndef f(): pass\nf()": "",
}  # fmt: skip


def told(found: Any) -> str:
    """Return the sentence of the first flaw, or an empty text."""
    return "".join(flaw.message for flaw in [*found.errors, *found.warnings][:1])


@pytest.mark.parametrize("program", CASES)
def test_each_flaw_has_its_message(program: str) -> None:
    assert CASES[program] == told(CODE.check(program))


#: The same of programs that await calls.
AWAITED_CASES = {
    "x = await search('a')\nx[0]['titel']": 'there is no key "titel" (did you mean "title"?)',
    "search('a')[0]": "this is not awaited: write await search(…)",
    "x = search('a')\nx[0]": "this is not awaited: write await x",
    "[search('a')][0]": "",
    "(search('a') if 1 else search('b'))[0]": "this is not awaited: write await it",
    "a, b = search('a')": "this is not awaited: write await search(…)",
    "fetch(search('a'))": "this is not awaited: write await fetch(…)",
    "search('a')": "this is not awaited: write await search(…)",
    "return search('a')": "this is not awaited: write await search(…)",
    "async def f():\n    return search('a')\nawait f()": "",
    "async def f(): pass\nf()": "this is not awaited: write await f(…)",
    "import asyncio\na, b = await asyncio.gather(fetch(1), pair())\nb[1].foo": 'a text has no attribute "foo"',
    "from asyncio import gather\nx = await gather(*[fetch(1)], 2)\nx[0]['id']": "",
    "await (await search('a'))": "this is not a coroutine: omit await",
    "x = fetch(1) if 1 else pair()\nx": "",
    "(x for x in [fetch(1)])\n[fetch(x) for x in [1]]\n{'a': fetch(1)}\n(fetch(1), 2)": "",
}  # fmt: skip


@pytest.mark.parametrize("program", AWAITED_CASES)
def test_each_flaw_of_an_awaited_call_has_its_message(program: str) -> None:
    assert AWAITED_CASES[program] == told(AWAITED.check(program))


def test_a_report_shows_the_line_with_carets_below_the_place() -> None:
    outcome = CODE.check("é = search('a')\nprint('é', é[0]['titel'])\n")

    assert (
        "Program errors; nothing was run:\n"
        '- line 2, column 17: there is no key "titel" (did you mean "title"?)\n'
        "    print('é', é[0]['titel'])\n"
        "                    ^^^^^^^"
    ) == outcome.report()
    assert outcome.report() == outcome.feedback()
    [flaw] = outcome.errors
    assert isinstance(flaw, Flaw)
    assert ("unknown_key", 2, 17, 7) == (flaw.kind, flaw.line, flaw.column, flaw.width)
    assert flaw == pickle.loads(pickle.dumps(flaw))
    assert outcome.rejected.startswith("é")


def test_a_right_program_is_the_value_and_warnings_have_a_heading() -> None:
    outcome = CODE.check("fetch(1)['id']")

    assert "fetch(1)['id']" == outcome.value
    assert outcome.report().startswith("Program validation warnings:\n- line 1, column 1: this may")


def test_an_error_over_several_lines_is_marked_to_the_end_of_the_first() -> None:
    [flaw] = CODE.check("search(\n  limit=1)").errors

    assert "line 1, column 1: search needs query\n  search(\n  ^^^^^^^" == str(flaw)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("a" * (MAX_PROGRAM + 1), f"the program has {MAX_PROGRAM + 1} characters, and may have 50000"),
        ("f" + "(" * 150 + ")" * 150, ""),
        ("[" * (MAX_PROGRAM_DEPTH + 2) + "]" * (MAX_PROGRAM_DEPTH + 2), "the program nests deeper"),
        ("-" * 20_000 + "1", ""),
        ("a\x00b", ""),
        ("x = " + "1" * 5_000, ""),
        ("", None),
    ],
)  # fmt: skip
def test_hostile_programs_are_refused_within_bounds(program: str, said: str | None) -> None:
    outcome = CODE.check(program)

    assert outcome.ok == (said is None)
    assert told(outcome).startswith(said or "")


def test_types_do_not_grow_with_what_is_written_out() -> None:
    program = "x = {'a': 1}\n" + "x = {'a': x, 'b': x, 'c': [x, (x, x)]}\n" * 1_000

    assert CODE.check(program + "x['b'].foo").ok


def test_many_flaws_are_counted() -> None:
    outcome = CODE.check("search()\n" * 1_005)

    assert (1_000, 5) == (len(outcome.errors), outcome.unseen)
    assert 1_000 == len(CODE.check("fetch(1)['id']\n" * 1_005).warnings)


def test_arguments_beyond_the_limit_of_questions_are_not_compared() -> None:
    fields = [f"x = {{'k{n}': pair()}}\nsave(x, [])" for n in range(MAX_PROGRAM_QUESTIONS + 1)]
    outcome = CODE.check("\n".join(fields))

    assert f"order was not compared: there are more than {MAX_PROGRAM_QUESTIONS} arguments" in [
        warning.message for warning in outcome.warnings
    ]


def test_a_program_that_is_no_text_is_a_mistake_of_the_developer() -> None:
    with pytest.raises(TypesigError, match=r"^a program is text, not bytes$"):
        CODE.check(b"")  # type: ignore[arg-type]


def test_wrong_options_are_told() -> None:
    with pytest.raises(
        TypesigError, match='programs are in "python" or "typescript", not \'perl\''
    ):
        CODE.tools.code("perl")  # type: ignore[arg-type]
    with pytest.raises(TypesigError, match="awaited is True or False, not 1"):
        CODE.tools.code(awaited=1)  # type: ignore[arg-type]


def test_without_tools_there_are_none() -> None:
    assert 'there is no tool "x"; there are none' == told(Toolset().code().check("x()"))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="later Pythons read it")
def test_an_f_string_of_a_later_python_is_not_checked() -> None:
    outcome = CODE.check("f'{x['a']}'")

    assert outcome.ok
    assert "this Python cannot read the f-string, so the program was not checked" == told(outcome)


def test_the_stub_tells_plain_data() -> None:
    def book(
        at: datetime, tags: set[str], n: Annotated[list[int], "some"]
    ) -> tuple[datetime, int]: ...

    assert (
        "# Tools you can call\n\n"
        "def book(\n"
        " at: str, # such as 2026-01-31T12:00:00Z\n"
        " tags: list[str],\n"
        " n: list[int] # some\n"
        ") -> tuple[str, int]: ... # such as 2026-01-31T12:00:00Z"
    ) == tools_of([book]).code().prompt(legend=False)


def test_a_budget_is_kept() -> None:
    fitted = CODE.fit(len, 1_000, ranking=["fetch"])

    assert fitted.size == len(str(fitted)) <= 1_000
    assert "full" == fitted.tiers["fetch"]
    assert "def fetch" in str(fitted)
    assert "Code(fetch, pair)" == repr(CODE.select("fetch", "pair"))


def test_typescript_is_checked_for_names_alone() -> None:
    code = CODE.tools.code("typescript", awaited=True)
    program = (
        "// tools.no()\n/* tools.no() */ const x = await tools.search({query: `${tools.no()}`});\n"
        'const é = "tools.no\\"("; tools[\'serch\']({}); tools.fetsh(1); a.tools.no(); tools[0]\n'
        "x = 'broken\n$y = tools.zzz(/* "
    )
    outcome = code.check(program)

    assert [
        (2 + 1, 'there is no tool "serch" (did you mean search?)'),
        (3, 'there is no tool "fetsh" (did you mean fetch?)'),
        (5, 'there is no tool "zzz"; there are search, fetch, pair, save, other, table, odd'),
    ] == [(flaw.line, flaw.message) for flaw in outcome.errors if isinstance(flaw, Flaw)]
    assert code.prompt().startswith("// Functions that a TypeScript program can call, as in await")
    assert not code.check("x" * (MAX_PROGRAM + 1)).ok
    assert code.check("tools.search('unended").ok
    assert code.check("// at the end").ok
    assert code.check("tools.'x'").ok
    assert CODE.tools.code(awaited=True).prompt().count("async def ") == len(CODE.tools)


def test_a_text_that_is_no_unicode_and_one_that_is_too_deep_to_parse_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "syntax" == CODE.check("\ud800").errors[0].kind  # type: ignore[attr-defined]

    def fail(text: str) -> None:
        raise RecursionError

    monkeypatch.setattr("typesig.programs.checks.program_check.parse_syntax", fail)

    assert "depth" == CODE.check("1").errors[0].kind  # type: ignore[attr-defined]


def test_a_type_without_values_is_not_said_to_differ() -> None:
    nothing = nodes.Both((nodes.INT, nodes.STRING))

    assert not Judge({}).differs(nothing, make_type_signature(nodes.BOOL), Policy())


def test_the_sandbox_is_of_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    code = CODE.tools.code()
    monkeypatch.setitem(sys.modules, "pydantic_monty", None)
    with pytest.raises(
        TypesigError, match=r"running programs needs pydantic_monty, of its extra: pip"
    ):
        code.run("1")
    monkeypatch.setitem(sys.modules, "pydantic_monty", types.ModuleType("pydantic_monty"))

    assert "program" == code.run("x = (1").stage


def test_shapes_are_what_values_may_be() -> None:
    names: dict[str, nodes.Type] = {"Loop": nodes.Maybe(nodes.Ref("Loop"))}
    shapes = ShapeIndex(names)

    assert (nodes.INT,) == shapes.find_shapes(nodes.Annotation(nodes.INT, "some"))
    assert (nodes.List(nodes.ANY),) == shapes.find_shapes(nodes.ItemCount(nodes.INT, 1, None))
    assert (nodes.NIL,) == shapes.find_shapes(nodes.Ref("Loop"))
