"""Write the tables of `docs/reference/hints.md` from the results of extraction, schemas and calls.

    python -m tests.type_table.page

rewrites them between the marks `<!-- table: NAME -->` and `<!-- end -->`; a test compares the page
with the text that would be written.  The hints refer to the classes in the first blocks of the page.
To add a hint, add a `Line`.
"""

from __future__ import annotations

import json
import re
import sys
import types
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.type_table.refusals import REFUSALS, seen
from typesig import tool

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "hints.md"


class Line(NamedTuple):
    """One hint of the page.

    #: hint: its Python source
    #: sends: JSON texts that a model may send; returns: Python expressions that may be returned
    #: also: hints with the same type
    """

    hint: str
    sends: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


_SCALARS = (
    Line("str", ('"a"',), ('"a"',), ("LiteralString",)),
    Line("int", ("1", '"1"'), ("1",), ("SupportsInt", "SupportsIndex")),
    Line("float", ("1.5", "1", '"1.5"'), ("1.5", "1")),
    Line("SupportsFloat", ("1",), ("1.5",)),
    Line("bool", ("true", '"true"'), ("True",), ("TypeGuard[int]", "TypeIs[int]")),
    Line("None", ("null",), ("None",)),
    Line("int | float", ("1", "1.5"), ("1", "1.5")),
    Line("Any", ("[1]", "null"), ('"a"', "None"), ("object",)),
    Line("Keyword", ('"low"',), ('Keyword("low")', "Shade.DARK")),
    Line("ModuleType", ('"json"',), ("json",)),
    Line(
        "datetime",
        ('"2027-01-31T10:00:00+01:00"',),
        ("datetime(2027, 1, 31, 10, tzinfo=UTC)", "datetime(2027, 1, 31, 10)"),
    ),
    Line("date", ('"2027-01-31"',), ("date(2027, 1, 31)",)),
    Line("time", ('"10:00:00"', '"10:00:00Z"'), ("time(10)",)),
    Line("timedelta", ('"P1DT2H"',), ("timedelta(days=1, hours=2)",)),
    Line("UUID", (f'"{"0" * 8}-0000-4000-8000-{"0" * 12}"',), ("UUID(int=0)",)),
    Line("Decimal", ('"1.50"', "1.5"), ('Decimal("1.50")',)),
    Line("Fraction", ('"1/3"', '"0.5"'), ("Fraction(1, 3)",)),
    Line("complex", ('"1.5-2j"',), ("1.5 - 2j",)),
    Line("bytes", ('"aGk="',), ('b"hi"',)),
    Line("bytearray", ('"aGk="',), ('bytearray(b"hi")',)),
    Line("memoryview", ('"aGk="',), ('memoryview(b"hi")',)),
    Line("Path", ('"a/b"',), ('Path("a/b")', '"a/b"'), ("PosixPath", "WindowsPath")),
    Line("PurePath", ('"a/b"',), ('PurePath("a/b")',), ("PurePosixPath", "PureWindowsPath")),
    Line("PathLike[str]", ('"a/b"',), ('Path("a/b")',)),
    Line("IPv4Address", ('"10.0.0.1"',), ('IPv4Address("10.0.0.1")',)),
    Line("IPv6Address", ('"::1"',), ('IPv6Address("::1")',)),
    Line("IPv4Network", ('"10.0.0.0/8"',), ('IPv4Network("10.0.0.0/8")',)),
    Line("IPv4Interface", ('"10.0.0.1/8"',), ('IPv4Interface("10.0.0.1/8")',)),
    Line("IPv6Network", ('"2001:db8::/32"',), ('IPv6Network("2001:db8::/32")',)),
    Line("IPv6Interface", ('"2001:db8::1/32"',), ('IPv6Interface("2001:db8::1/32")',)),
    Line("ZoneInfo", ('"UTC"',), ('ZoneInfo("UTC")',)),
    Line("Pattern[str]", ('"a+"',), ('re.compile("a+")',), ("Pattern",)),
    Line("Never", (), (), ("NoReturn",)),
)

_COLLECTIONS = (
    Line("list[int]", ("[1]",), ("[1]", "(1,)", "iter([1])"), (
        "Sequence[int]", "MutableSequence[int]", "Reversible[int]",
    )),
    Line("Iterable[int]", ("[1]",), ("[1]", "{1}"), ("Collection[int]", "Container[int]")),
    Line("Iterator[int]", ("[1]",), ("iter([1])",)),
    Line("Generator[int, None, None]", (), ("(n for n in [1])",)),
    Line("AsyncIterator[int]", (), (), ("AsyncIterable[int]", "AsyncGenerator[int, None]")),
    Line("KeysView[str]", ('["a"]',), ('{"a": 1}.keys()',), ("ValuesView[str]",)),
    Line("ItemsView[str, int]", ('[["a", 1]]',), ('{"a": 1}.items()',)),
    Line("deque[int]", ("[1]",), ("deque([1])",)),
    Line("list", ('[1, "a"]',), ("[1]",)),
    Line("tuple[int, ...]", ("[1, 2]",), ("(1, 2)",)),
    Line("tuple[int, str]", ('[1, "a"]',), ('(1, "a")', '[1, "a"]')),
    Line("tuple[int]", ("[1]",), ("(1,)",)),
    Line("tuple[()]", ("[]",), ("()",)),
    Line("tuple[int, *tuple[str, ...]]", ('[1, "a", "b"]',), ("(1,)",)),
    Line("tuple[*tuple[str, ...], int]", ('["a", 1]',), ('("a", 1)',)),
    Line("tuple", ('[1, "a"]',), ("(1,)",)),
    Line("set[int]", ("[1]",), ("{1}", "frozenset({1})"), (
        "Set[int]", "MutableSet[int]", "AbstractSet[int]",
    )),
    Line("frozenset[int]", ("[1]",), ("frozenset({1})",)),
    Line("set[Point]", ('[{"x": 1}]',), ("{Point(1)}",)),
    Line("dict[str, Any]", ('{"a": 1}',), ('{"a": 1}',), ("dict",)),
    Line("dict[str, int]", ('{"a": 1}',), ('{"a": 1}',), ("Mapping[str, int]", "MutableMapping[str, int]")),
    Line("dict[int, str]", ('{"1": "a"}',), ('{1: "a"}',)),
    Line("dict[date, int]", ('{"2027-01-31": 1}',), ("{date(2027, 1, 31): 1}",)),
    Line("dict[tuple[int, str], int]", ('{"a": 1}',), ('{"a": 1}',)),
    Line("OrderedDict[str, int]", ('{"a": 1}',), ("OrderedDict(a=1)",)),
    Line("defaultdict[str, list[int]]", ('{"a": [1]}',), ('{"a": [1]}',)),
    Line("Counter[str]", ('{"a": 1}',), ("Counter(a=1)",)),
)  # fmt: skip

_RECORDS = (
    Line("Item", ('{"id": 1}', '{"id": 1, "more": 2}'), ('{"id": 1, "note": "n"}',)),
    Line("Closed", ('{"id": 1}',), ('{"id": 1}',)),
    Line("Extra", ('{"name": "a", "b": 2}',), ('{"name": "a", "b": 2}',)),
    Line("Point", ('{"x": 1}',), ("Point(1)",)),
    Line("Place", ('{"lat": 1.5}',), ("Place(1.5)",)),
    Line("Box[int]", ('{"content": 1}',), ("Box(1)",)),
    Line("Named", ('{"name": "a"}',), ("Person('a', 2)",)),
    Line("Order", ('{"id": 1, "unit": "kg"}',), ("Order(1)",)),
    Line("Model", ('{"sizeOf": 2}', '{"sizeOf": 2, "more": 3}'), ("Model(sizeOf=2)",)),
    Line("Strict", ('{"id": 1}',), ("Strict(id=1)",)),
    Line("Allowing", ('{"id": 1, "more": 2}',), ("Allowing(id=1, more=2)",)),
    Line("Ids", ("[1, 2]",), ("Ids([1])",)),
    Line("Put", ('{"kind": "put", "keyOf": "a"}',), ("Put('a')",)),
    Line("Pair", ("[1]", "[1, 2]"), ("Pair(1)",)),
    Line("Sparse", ('{"id": 1}',), ("Sparse(1)", "Sparse(1, 'b')")),
)

_CHOICES = (
    Line('Literal["a", 1]', ('"a"', "1", '"1"'), ('"a"', "1")),
    Line('Literal["a", None]', ('"a"', "null"), ('"a"', "None")),
    Line("Size", ("1",), ("Size.SMALL",)),
    Line("Odd", ('"PAIR"',), ("Odd.PAIR",)),
    Line("Access", ("3",), ("Access.READ | Access.WRITE",)),
    Line("int | str", ("1", '"1"'), ("1", '"a"')),
    Line("str | bytes", ('"aGk="',), ('"hi"',)),
    Line("int | None", ("1", "null"), ("1", "None"), ("Optional[int]",)),
    Line("type[Shape]", ('"Circle"',), ("Circle",)),
    Line(
        'tuple[Literal["ok"], int] | tuple[Literal["error"], str]',
        (),
        ('("ok", 1)', '("error", "odd")'),
    ),
)

_AROUND = (
    Line('Annotated[int, Ge(1), "how many"]', ("1",), ("1",)),
    Line("Annotated[list[str], MaxLen(2)]", ('["a"]',), ('["a"]',)),
    Line("UserId", ("1",), ("1",)),
    Line("Table", ('{"a": [1]}',), ('{"a": [1]}',)),
    Line("Bound", ("1",), ("1",)),
    Line("Chosen", ("1", '"a"'), ("1",)),
    Line('"list[Point]"', ('[{"x": 1}]',), ("[Point(1)]",)),
)  # fmt: skip

SECTIONS: dict[str, tuple[Line, ...]] = {
    "scalars": _SCALARS,
    "collections": _COLLECTIONS,
    "records": _RECORDS,
    "choices": _CHOICES,
    "around": _AROUND,
}

#: Parameters, for the table on absent arguments and null.
_PARAMS = (
    "x: int",
    "x: int = 10",
    "x: int | None",
    "x: int | None = None",
    "x: int | None = 5",
    "x: int = None",
    "x: date = date.min",
    "x: Point = Point(1)",
    'x: float = float("inf")',
)


def names() -> dict[str, Any]:
    """Return the names that the blocks of the page define; interactive sessions are skipped."""
    text = PAGE.read_text(encoding="utf-8")
    module = types.ModuleType("page_of_hints")
    sys.modules[module.__name__] = module
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if ">>>" in block:
            continue
        exec(compile(block, str(PAGE), "exec"), vars(module))
    return vars(module)


def _taking(hint: Any, space: dict[str, Any], got: list[Any], **options: Any) -> Any:
    def f(value):  # type: ignore[no-untyped-def]
        got.append(value)

    f = types.FunctionType(f.__code__, space, "f", closure=f.__closure__)
    f.__annotations__ = {"value": hint, "return": None}
    return tool(**options)(f)


def _giving(hint: Any, space: dict[str, Any], value: Any = None, **options: Any) -> Any:
    def f():  # type: ignore[no-untyped-def]
        return value

    f = types.FunctionType(f.__code__, space, "f", closure=f.__closure__)
    f.__annotations__ = {"return": hint}
    return tool(**options)(f)


def _cell(text: str) -> str:
    """Return *text* as code in a table."""
    return "`" + text.replace("|", r"\|") + "`"


def _repr(value: object) -> str:
    if isinstance(value, OrderedDict):
        # The repr is different since Python 3.12.
        return f"OrderedDict({dict(value)})"
    return re.sub(r" at 0x[0-9A-Fa-f]+|page_of_hints\.", "", repr(value))


def _param_type(hint: Any, space: dict[str, Any], **options: Any) -> str:
    text = str(_taking(hint, space, [], **options).signature)
    return text.removeprefix("(value").removesuffix(") -> :nil").strip()


def _result_type(hint: Any, space: dict[str, Any]) -> str:
    return str(_giving(hint, space).signature).removeprefix("() -> ")


def _sent(line: Line, hint: Any, space: dict[str, Any]) -> Iterator[str]:
    for text in line.sends:
        got: list[Any] = []
        outcome = _taking(hint, space, got).call(f'{{"value": {text}}}')
        assert outcome.ok, (line.hint, text, outcome.errors)
        yield f"{_cell(text)} → {_cell(_repr(got[0]))}{_warned(outcome)}"


def _returned(line: Line, hint: Any, space: dict[str, Any]) -> Iterator[str]:
    for text in line.returns:
        outcome = _giving(hint, space, eval(text, space)).call({})
        assert outcome.ok, (line.hint, text, outcome.errors)
        yield f"{_cell(text)} → {_cell(json.dumps(outcome.value))}{_warned(outcome)}"


def _warned(outcome: Any) -> str:
    return " (warns)" if outcome.warnings else ""


def _row(line: Line, space: dict[str, Any]) -> str:
    hint = eval(line.hint, space)
    kind = _param_type(hint, space)
    said = _result_type(hint, space)
    for other in line.also:
        assert _param_type(eval(other, space), space) == kind, other
    shown = ", ".join(map(_cell, (line.hint, *line.also)))
    as_result = "" if kind in (said, f"? {said}") else f", as a result {_cell(said)}"
    kind = said if not line.sends and as_result else kind
    cells = [
        shown,
        _cell(kind) + ("" if kind == said else as_result) + _hedged(hint, space),
        ", ".join(_sent(line, hint, space)),
        ", ".join(_returned(line, hint, space)),
    ]
    return f"| {' | '.join(cells)} |"


def _hedged(hint: Any, space: dict[str, Any], **options: Any) -> str:
    return ", with a warning" if _taking(hint, space, [], **options).warnings else ""


def _table(lines: tuple[Line, ...], space: dict[str, Any]) -> str:
    head = "| hint | type | sent → the function gets | returned → JSON |\n|---|---|---|---|"
    return "\n".join([head, *(_row(line, space) for line in lines)])


def _schema(hint: Any, space: dict[str, Any]) -> str:
    schema = _taking(hint, space, []).signature.input_schema(exact=True)
    return json.dumps(schema["properties"]["value"], ensure_ascii=False)


def _taken() -> list[Line]:
    return [line for lines in SECTIONS.values() for line in lines if line.sends]


def _grouped(head: str, cells: Iterator[tuple[str, str]]) -> str:
    """Return a table in which hints with the same cells share a row."""
    rows: dict[str, list[str]] = {}
    for hint, rest in cells:
        rows.setdefault(rest, []).append(_cell(hint))
    return "\n".join([head, *(f"| {', '.join(hints)} | {rest} |" for rest, hints in rows.items())])


def _schemas(space: dict[str, Any]) -> str:
    cells = ((line.hint, _cell(_schema(eval(line.hint, space), space))) for line in _taken())
    return _grouped("| hint | JSON Schema |\n|---|---|", cells)


def _ptc_runner(space: dict[str, Any]) -> str:
    def cells() -> Iterator[tuple[str, str]]:
        for line in _taken():
            hint = eval(line.hint, space)
            kind, wider = _param_type(hint, space), _param_type(hint, space, profile="ptc_runner")
            if kind != wider:
                hedged = _hedged(hint, space, profile="ptc_runner")
                yield line.hint, f"{_cell(kind)} | {_cell(wider)}{hedged}"

    return _grouped('| hint | `"python"` | `"ptc_runner"` |\n|---|---|---|', cells())


def _defaults(space: dict[str, Any]) -> str:
    out = ["| parameter | becomes | left out | null |\n|---|---|---|---|"]
    for text in _PARAMS:
        got: list[Any] = []
        space = {**space, "keep": got.append}
        exec(f"def f({text}) -> None:\n    keep(x)", space)
        t = tool(space["f"])
        kind = str(t.signature).removeprefix("(").removesuffix(") -> :nil")
        warned = ", with a warning" if t.warnings else ""
        cells = []
        for arguments in ("{}", '{"x": null}'):
            outcome = t.call(arguments)
            cells.append(_cell(_repr(got.pop())) + _warned(outcome) if outcome.ok else "error")
        out.append(f"| {_cell(text)} | {_cell(kind)}{warned} | {' | '.join(cells)} |")
    return "\n".join(out)


def _refused(space: dict[str, Any]) -> str:
    out = ["| form | what happens | why | write instead |\n|---|---|---|---|"]
    for row in REFUSALS:
        happens, why, remedy = seen(row, space)
        options = re.search(r"[a-z_]+=[^)]+", row.run)
        form = _cell(row.form) + (f" with {_cell(options[0])}" if options else "")
        texts = [text.replace("|", r"\|").replace("*", r"\*") for text in (why, remedy)]
        out.append(f"| {form} | {happens} | {texts[0]} | {texts[1]} |")
    return "\n".join(out)


def table(name: str) -> str:
    """Return the table *name*, which only the site shows."""
    made = {"schemas": _schemas, "ptc_runner": _ptc_runner, "refusals": _refused}
    return made[name](names())


def written() -> str:
    """Return the page with its tables rewritten."""
    space = names()
    tables = {name: _table(lines, space) for name, lines in SECTIONS.items()}
    tables |= {"defaults": _defaults(space)}
    text = PAGE.read_text(encoding="utf-8")
    for name, table in tables.items():
        mark, end = f"<!-- table: {name} -->\n", "\n<!-- end -->"
        head, _, rest = text.partition(mark)
        assert end in rest, f"there is no mark {mark}"
        text = f"{head}{mark}{table}{end}{rest.partition(end)[2]}"
    return text


def hints() -> list[Any]:
    """Return every hint of the page."""
    space = names()
    lines = [line for lines in SECTIONS.values() for line in lines]
    return [eval(text, space) for line in lines for text in (line.hint, *line.also)]


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
