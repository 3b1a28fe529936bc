"""The quick ways of reading hints and docstrings return what the long ways return.

`long_ways` switches the quick ones off; the type table and generated functions are read both ways.
"""

from __future__ import annotations

import datetime
import enum
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict, Union

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extraction.docstrings.test_docstrings import ROWS as DOCSTRINGS
from tests.extraction.docstrings.test_simple_docs import LEFT, PIECES, QUICK
from tests.generators import EXAMPLES, LAW
from tests.type_table.table import RETURNED, TAKEN
from typesig import extract, notations, tool
from typesig.algebra.constructors import record
from typesig.algebra.nodes import INT, Field
from typesig.errors import ExtractionError, TypesigError
from typesig.extraction.callables import callables, scopes
from typesig.extraction.callables.callables import read_callee
from typesig.extraction.callables.hint_resolver import HintScope
from typesig.extraction.callables.options import OPTIONS, Options
from typesig.extraction.docstrings import docs, simple_docs
from typesig.extraction.extract import extract_callee
from typesig.extraction.hints import common_hints
from typesig.extraction.hints import record_hints as records
from typesig.extraction.hints.common_hints import find_common
from typesig.extraction.hints.context import Findings
from typesig.extraction.libraries import libraries
from typesig.extraction.readers import make_context
from typesig.limits import MAX_HINT_DEPTH, MAX_HINTS
from typesig.notations import registry
from typesig.notations.json_schema import writer as rendering
from typesig.notations.shorthand import writer


@contextmanager
def long_ways() -> Iterator[None]:
    """Read hints, docstrings and callables, and write schemas, without the quick ways."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(common_hints, "find_common", lambda hint: None)
        patched.setattr(docs, "read_simple", lambda text: None)
        patched.setattr(callables, "_is_plain", lambda target: False)
        patched.setattr(scopes, "_is_outermost", lambda function: False)
        patched.setattr(rendering, "is_written_straight", lambda t: False)
        clear_caches()
        yield
    clear_caches()


def clear_caches() -> None:
    docs._read.cache_clear()
    rendering._kept.cache_clear()


def seen(target: Any, options: Options) -> Any:
    """Return all that extraction tells about *target*; decoders are compared by the type table."""
    try:
        found, plan = extract_callee(read_callee(target), options)
    except TypesigError as error:
        return type(error), str(error)
    params = [
        (p.name, p.kind, p.decode is None, p.nil, p.optional, p.injected, type(p.default))
        for p in plan.params
    ]
    rest = plan.returns is None, plan.encode is None, plan.pair, plan.exact, plan.abstract
    signature = found.signature
    written = None
    if signature is not None:
        schemas = signature.input_schema(), signature.to_json_schema()
        written = repr(signature), signature.secrets, schemas, [list(s) for s in schemas]
    return found, params, rest, set(plan.bounds), written


def both_ways(target: Any, options: Options = Options()) -> tuple[Any, Any]:  # noqa: B008
    with long_ways():
        slow = seen(target, options)
    return slow, seen(target, options)


def test_the_quick_ways_read_the_type_table_as_the_long_ways_do() -> None:
    targets = [(row.target, row.options) for row in TAKEN]
    targets += [(row.make(row.gives[0][0] if row.gives else None), row.options) for row in RETURNED]
    rows = [
        (target, Options(**{n: v for n, v in options.items() if n in OPTIONS}))
        for target, options in targets
    ]
    with long_ways():
        slow = [seen(*row) for row in rows]
    quick = [seen(*row) for row in rows]

    assert [] == [row for row, a, b in zip(rows, slow, quick, strict=True) if a != b]


# generated functions


class Color(enum.Enum):
    RED = "red"
    BLUE = 2


class Unset:
    """The class of a default that says that nothing was given."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()
HINTS = (
    "int", "str", "float", "bool", "None", "Any", "object", "bytes", "list", "dict", "tuple",
    "list[int]", "list[list[float]]", "list[list[list[list[int]]]]", "list[None]", "list[Any]",
    "dict[str, int]", "dict[int, str]", "dict[str, Any]", "dict[str, list[bool]]", "set[str]",
    "tuple[int, str]", "Optional[str]", "Optional[float]", "int | None", "None | int",
    "Optional[Any]", "Optional[list[str]]", "Optional[Literal['a', 'b']]", "list[Optional[int]]",
    "Union[int, str]", "Union[int, float]", "Union[None, bool, str]", "Optional[Unset]",
    "Literal['a', 'b']", "Literal['b', 'a']", "Literal['a', 1]", "Literal[True]", "Literal[None]",
    "Literal['a', None]", "Literal['']", "list[Literal['a']]", "Annotated[int, 'the number']",
    "Annotated[Optional[str], 'the text']", "'int'", "'list[int]'", "'Missing'", "Color",
    "Optional[Color]", "datetime.date", "Optional[datetime.datetime]", "typing.List[int]",
    "typing.Dict[str, int]", "list[int, str]", "dict[str]", "type[int]", "Callable[[int], int]",
)  # fmt: skip
DEFAULTS = (
    "None", "1", "-1", "2**64", "10**5000", "0.5", "-0.0", "float('nan')", "float('inf')", "True",
    "False", "'a'", "'zz'", "''", "'\\ud800'", "[]", "[1]", "{}", "{'a': 1}", "()", "Color.RED",
    "UNSET", "int", "b'a'", "datetime.date(2026, 1, 2)", "OddText('a')", "OddInt(3)",
)  # fmt: skip


class OddText(str):
    """A text of a class of its own."""


class OddInt(int):
    """A number of a class of its own."""


SPACE = {
    **{n: globals()[n] for n in ("Color", "Unset", "UNSET", "OddText", "OddInt")},
    "Any": Any,
    "Optional": Optional,
    "Union": Union,
    "Literal": Literal,
    "typing": typing,
    "Annotated": Annotated,
    "datetime": datetime,
    "Callable": Callable,
    "dataclass": dataclass,
    "TypedDict": TypedDict,
    "NotRequired": NotRequired,
    "NamedTuple": NamedTuple,
    "field": field,
    "__name__": __name__,
}


def any_text(random: Random, names: list[str]) -> str:
    """Return a docstring that describes some of *names*, simple or not."""
    rows = [f"        {name}: the {name}" for name in names if random.random() < 0.8]
    rows += random.sample(
        ["        other: it", "            more of it", "        x (int): x", ""], 1
    )
    text = "Do a thing.\n\n" + random.choice(["", "    More of\n    it.\n\n"])
    text += (
        "    Args:\n" + "\n".join(rows) + random.choice(["", "\n\n    Returns:\n        It.\n    "])
    )
    return random.choice([text, "Do.", "", text, text])


def any_record(random: Random, name: str) -> str:
    """Return the source of a class of a record."""
    fields = [(f"f{n}", random.choice(HINTS)) for n in range(random.randint(1, 4))]
    fields.append(random.choice([("f-0", "int"), ("_own", "int"), ("last", "str")]))
    kind = random.choice(["dict", "functional", "data", "tuple"])
    if kind == "functional":
        entries = ", ".join(f"{n!r}: {h}" for n, h in fields)
        return f"{name} = TypedDict({name!r}, {{{entries}}}, total={random.random() < 0.5})"
    fields = [(n.replace("-", "_").lstrip("_"), h) for n, h in fields]
    doc = [repr(any_text(random, [n for n, _ in fields]))]
    if kind == "dict":
        lines = [
            f"{n}: {random.choice(['', 'NotRequired'])}[{h}]".replace(": [", ": (")
            for n, h in fields
        ]
        lines = [f"{line[:-1]})" if ": (" in line else line for line in lines]
        return f"class {name}(TypedDict):\n    " + "\n    ".join(doc + lines)
    if kind == "tuple":
        lines = [f"{n}: {h}" for n, h in fields]
        return f"class {name}(NamedTuple):\n    " + "\n    ".join(doc + lines)
    lines = [f"{n}: {h}" for n, h in fields[:2]]
    lines += [
        f"{n}: {h} = field(default_factory={random.choice(['list', 'UNSET.__repr__'])})"
        for n, h in fields[2:]
    ]
    return f"@dataclass\nclass {name}:\n    " + "\n    ".join(doc + lines)


def any_function(random: Random) -> Any:
    """Return a function with hints and defaults of any kind, and a docstring."""
    names = [f"p{n}" for n in range(random.randint(0, 5))]
    parts, is_behind = [], False
    for name in names:
        hint = random.choice([*HINTS, "Record", "Optional[Record]", "list[Record]"])
        is_behind = is_behind or random.random() < 0.4
        default = f" = {random.choice(DEFAULTS)}" if is_behind else ""
        parts.append(f"{name}: {hint}{default}" if random.random() < 0.9 else f"{name}{default}")
    if parts and random.random() < 0.3:
        parts.insert(random.randint(1, len(parts)), "/")
    if parts and random.random() < 0.3:
        parts.insert(random.randint(0, len(parts)), random.choice(["*", "*rest: int"]))
        if "/" in parts and parts.index("/") > next(i for i, p in enumerate(parts) if p[0] in "*/"):
            parts.remove("/")
        if parts[-1] == "*":
            parts.pop()
    if random.random() < 0.2:
        parts.append(random.choice(["**more: int", "**more"]))
    returns = random.choice([*HINTS, "Record", "list[Record]"])
    source = f"{any_record(random, 'Record')}\ndef f({', '.join(parts)}) -> {returns}:\n    pass\n"
    space = dict(SPACE)
    exec(source, space)
    space["f"].__doc__ = any_text(random, names)
    return space["f"]


def any_options(random: Random) -> Options:
    return random.choice(
        [
            Options(),
            Options(),
            Options(strict=True),
            Options(profile="ptc_runner"),
            Options(optional="exact"),
            Options(injected=("p1", Color)),
            Options(max_depth=1),
        ]
    )


@LAW
@given(st.integers(0, 2**32))
def test_the_quick_ways_read_any_function_as_the_long_ways_do(seed: int) -> None:
    random = Random(seed)
    for _ in range(max(2, EXAMPLES // 4)):
        slow, quick = both_ways(any_function(random), any_options(random))

        assert slow == quick


NAMES = ("a", "b_c", "über", "d-e", "_own", "order", "x y", "\U000e0001", '"')
FORMS = ("{}", "list[{}]", "Optional[{}]", "dict[str, {}]", "Union[{}, int]", "Union[{}, R0]")


def nested_record(random: Random) -> Any:
    """Return a record of records, some of which are dataclasses, within each other."""
    space: dict[str, Any] = {**SPACE, "R0": int}
    hints = [*HINTS, "Literal['a\\U000e0001b', 'c']"]
    count = random.randint(1, 6)
    for n in range(1, count + 1):
        fields = {}
        for name in random.sample(NAMES, random.randint(1, 5)):
            inner = random.choice(FORMS).format(f"R{random.randint(max(0, n - 2), n - 1)}")
            fields[name] = random.choice([random.choice(hints), inner, inner])
        kind = random.choice(["dict", "dict", "data"])
        if kind == "data":
            lines = [f"{name}: {hint}" for name, hint in fields.items() if name.isidentifier()]
            lines.append(
                f"last: int = {random.choice(['3', 'None', 'field(default_factory=list)'])}"
            )
            exec(f"@dataclass\nclass R{n}:\n    " + "\n    ".join(lines), space)
        else:
            made = {name: eval(hint, space) for name, hint in fields.items()}
            space[f"R{n}"] = TypedDict(f"R{n}", made, total=random.random() < 0.5)  # type: ignore[operator]
    return space[f"R{count}"]


@LAW
@given(st.integers(0, 2**32))
def test_bounds_of_the_length_of_records_tell_of_the_same_limits_as_their_texts(seed: int) -> None:
    random = Random(seed)
    count = Findings.count_record

    def count_by_text(self: Findings, t: Any, width: int, start: int) -> bool:
        assert width >= len(writer.write_type(t, described=False)) or width >= records.UNKNOWN
        return count(self, t, 10**9, start)

    for _ in range(max(2, EXAMPLES // 4)):
        hint, options = nested_record(random), any_options(random)._replace(max_depth=9)
        with pytest.MonkeyPatch.context() as patched:
            limit = random.choice([10, 60, 100, 200, 400, 20_000])
            patched.setattr("typesig.extraction.hints.context.MAX_SIGNATURE", limit)
            patched.setattr("typesig.extraction.hints.record_hints.MAX_SIGNATURE", limit)
            by_bound = read_alone(hint, options)
            patched.setattr(Findings, "count_record", count_by_text)
            by_text = read_alone(hint, options)

        assert by_text == by_bound


def read_alone(hint: Any, options: Options) -> Any:
    context = make_context(options, HintScope())
    found = context.read(hint)
    return found.type, context.findings.warnings, context.findings.full


def test_a_default_of_another_class_leaves_the_hint_as_it_is() -> None:
    def f(a: Any = UNSET, b: Any = UNSET, c: Any = Color.RED, d: Any = UNSET) -> None:
        pass

    # Not as text, as hints are in this module.
    f.__annotations__ = {"a": int | bytes, "b": int | None, "c": str, "d": int | str}

    slow, quick = both_ways(f)

    assert slow == quick
    assert ["a", "b", "d"] == [warning.place for warning in quick[0].warnings]


def test_defaults_of_hints_that_are_not_common_are_shown_as_the_long_way_shows_them() -> None:
    def f(a: Any = b"a", b: Any = None, c: Any = {}) -> None:  # noqa: B006
        pass

    f.__annotations__ = {"a": bytes, "b": datetime.date | None, "c": dict[int, str]}

    slow, quick = both_ways(f)

    assert slow == quick
    assert ["a", "b", "c"] == [field.name for field in quick[0].signature.params]


def test_a_default_of_a_literal_is_one_of_its_values_or_not_shown() -> None:
    def f(a: Any = "y", b: Any = "y", c: Any = None) -> None:
        pass

    f.__annotations__ = {"a": Literal["x", "y"], "b": Literal["x"], "c": Literal["x"]}

    slow, quick = both_ways(f)

    assert slow == quick
    assert '(a :enum["x" "y"] = "y", b? :enum["x"], c :enum["x"]?) -> :any' == str(
        quick[0].signature
    )
    assert ["b"] == [warning.place for warning in quick[0].warnings]


class Unsteady:
    """What is a hint, until it is asked for its class."""

    is_asked = False

    def __call__(self) -> None:
        pass

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        if self.is_asked:
            raise RuntimeError("no class")
        return Unsteady


def test_a_result_hint_that_raises_while_it_is_read_is_told_as_a_mistake() -> None:
    def f(a: int) -> Any:
        pass

    hint: Any = Unsteady()
    f.__annotations__["return"] = Union[hint, None]  # noqa: UP007
    hint.is_asked = True

    with pytest.raises(ExtractionError, match="Callee cannot be read: it raises RuntimeError: no"):
        extract(f)


def test_dataclasses_with_marks_are_read_by_the_row_of_their_marks() -> None:
    @dataclass
    class Marked:
        a: Annotated[int, "the a"]

    @dataclass
    class Named:
        a: int

    Marked.__metadata__ = ()  # type: ignore[attr-defined]
    Named.__supertype__ = str  # type: ignore[attr-defined]

    def f(a: Any, b: Any) -> Any:
        pass

    f.__annotations__ = {"a": Marked, "b": Named, "return": Named}

    slow, quick = both_ways(f)

    assert slow == quick
    assert ":string" == str(quick[0].signature).rpartition(" -> ")[2]


def test_overloads_that_cannot_be_read_are_as_if_there_were_none() -> None:
    @typing.overload
    def f(a: int) -> int: ...
    @typing.overload
    def f(a: str) -> str: ...
    def f(a: Any) -> Any:
        return a

    for overload in typing.get_overloads(f):
        overload.__signature__ = 3  # type: ignore[attr-defined]

    assert "(a :any) -> :any" == str(extract(f).signature)


def test_libraries_that_are_not_loaded_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pydantic", "cattrs"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    context = make_context(Options(), HintScope())

    libraries.warn_of_unused(context, Annotated[int, "text"])

    assert not libraries.is_read_by_pydantic(Color, None)
    assert not libraries.is_structured(Color, None)
    assert [] == context.findings.warnings


def test_the_table_of_notations_is_loaded_by_its_names_only() -> None:
    assert notations.NOTATIONS is registry.NOTATIONS
    assert not hasattr(notations, "absent")


# docstrings


@LAW
@given(st.integers(0, 2**32))
def test_a_simple_docstring_is_read_as_the_long_way_reads_it(seed: int) -> None:
    random = Random(seed)
    known = [*QUICK, *LEFT, *(row[0] for row in DOCSTRINGS), any_text(random, ["a", "b"])]
    more = [
        *PIECES,
        "\n\n",
        " \n",
        "    \n",
        " :",
        "::",
        "- a\n",
        "Raises:\n",
        "returns:\n",
        "Note:\n",
        "",
    ]
    for _ in range(EXAMPLES):
        text = random.choice(known)
        if random.random() < 0.5:
            text = text.replace("\n", "\n    ") + "\n    "
        for _ in range(random.randint(0, 3)):
            at = random.randint(0, len(text))
            text = text[:at] + random.choice(more) + text[at + random.randint(0, 2) :]
        quick = simple_docs.read_simple(text)
        if quick is not None and text.strip():
            with pytest.MonkeyPatch.context() as patched:
                docs._read.cache_clear()
                patched.setattr(docs, "read_simple", lambda text: None)
                slow = docs.read_docstring(text)
            docs._read.cache_clear()

            assert slow == docs.read_docstring(text)


SIMPLE = (
    "Do.",
    "  Do.  ",
    "Do.\n\nMore\nof it.\n\n\nEnd.",
    "\n    Do.\n\n    Note:\n        Mind it.\n    ",
    "Do.\n\n    Args:\n        x: the x\n          of it\n\n        y: the y\n\n    Returns:\n        It,\n        and more.\n    ",
    "Args:\n  x (int, optional): the x\n  *rest: others\nAttributes:\n\n  y: the y\nRaises:\n  OSError: never",
    "Do.\n\n    Returns:\n\n    Examples:\n        do()",
    "Do.\n\nArgs:\n    x:\n    y: the y\n    y: again",
)
NOT_SIMPLE = (
    ":param x: the x",
    "Do.\n\n    :param x: the x",
    "Do `it`.",
    "Do.\n\nArgs:\n    x the x",
    "Do.\n\nArgs:\n    x: the x\n  y: the y",
    "Do.\n\nArgs:\nx: the x",
    "Do.\n\nArgs:\n    x: the x\n\nMind it.",
    "Do.\n\nArgs:\n    x: the x\n\nArgs:\n    y: the y",
    "Do.\n\nargs:\n    x: the x",
    "Do.\n\n  Args:\n    x: the x\nMind it.",
    "Do.\n\nReturns:\n    int: the number",
    "Do.\n\tArgs:\n\t\tx: the x",
    "\n        Do.\n    Mind it.",
)


@pytest.mark.parametrize("text", SIMPLE)
def test_a_simple_docstring_is_read_in_one_pass(text: str) -> None:
    assert simple_docs.read_simple(text) is not None
    with long_ways():
        slow = docs.read_docstring(text)

    assert slow == docs.read_docstring(text)


@pytest.mark.parametrize("text", NOT_SIMPLE)
def test_another_docstring_is_left_to_the_long_way(text: str) -> None:
    assert simple_docs.read_simple(text) is None


# common hints


def test_common_hints_are_one_object_and_others_are_not_common() -> None:
    assert find_common(list[int]) is find_common(list[int])
    assert find_common(typing.Optional[str]) is find_common(str | None)  # noqa: UP045
    assert find_common(typing.Union[None, str]) is find_common(str | None)  # noqa: UP007
    assert find_common(Literal["a", "b"]) is not find_common(Literal["b", "a"])
    for hint in (list, dict, "int", None, Color, Literal["a", 1], int | str, dict[int, str]):
        assert find_common(hint) is None
    assert find_common(list[list[list[int]]]) is not None
    assert find_common(list[list[list[list[int]]]]) is None


def test_a_common_hint_counts_as_all_its_hints_and_respects_the_limits() -> None:
    context = make_context(Options(), HintScope())
    context.read(dict[str, list[int] | None])

    assert 6 == context.findings.hints

    context.findings.hints = MAX_HINTS - 1
    context.read(list[int])

    assert ["there are more than"] == [w.reason[:19] for w in context.findings.warnings]

    deep = make_context(Options(), HintScope())._replace(depth=MAX_HINT_DEPTH)
    deep.read(list[int])

    assert ["it nests too deep"] == [w.reason[:17] for w in deep.findings.warnings]


def test_the_text_of_a_field_within_records_that_is_beyond_the_limit_is_left_out() -> None:
    long = "a" * 30_000

    class kind(TypedDict):  # noqa: N801
        a: int
        b: int
        c: int

    kind.__doc__ = f"Do.\n\nArgs:\n    a: {long}\n    b: {long}\n    c: the c"

    def f() -> kind: ...

    slow, quick = both_ways(f)

    assert slow == quick
    assert "the texts of fields" in str(quick[0].warnings[0])


def test_the_texts_of_records_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_TEXTS", {})
    monkeypatch.setattr(writer, "_MOST_TEXTS", 2)
    records = [record([Field(f"f{n}", INT)]) for n in range(3)]
    records.append(record([Field("f" * 3_000, INT)]))

    texts = [writer.write_type(each) for each in records * 2]

    assert texts[:4] == texts[4:]
    assert ["{f0 :int}", "{f1 :int}", "{f2 :int}"] == texts[:3]
    assert {"{f1 :int}", "{f2 :int}"} == {text for _, text in writer._TEXTS.values()}


# tools


def test_a_tool_has_the_attributes_that_update_wrapper_gives() -> None:
    def f(a: int) -> int:
        "Do."
        return a

    made = tool(f)

    assert f is made.__wrapped__
    assert [f.__name__, f.__qualname__, f.__module__, f.__doc__, f.__annotations__] == [
        getattr(made, n)
        for n in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__")
    ]
