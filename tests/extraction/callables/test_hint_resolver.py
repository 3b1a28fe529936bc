"""Hints that are written as text: what they may contain, and the warnings if they are refused."""

from __future__ import annotations

import dataclasses
import enum
import logging
import sys
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, TypedDict

import pytest
import typing_extensions

import typesig
from typesig.errors import ExtractionError

_HEAD = """
import collections.abc, dataclasses, datetime, typing
import annotated_types as at, typing_extensions as te
from typing import *
"""


def type_and_warnings(hint: str) -> tuple[str, list[str]]:
    """Return the type of a parameter with the hint *hint*, as text, and the warnings."""
    space: dict[str, Any] = {"__name__": "hints_in_text"}
    exec(_HEAD + "def f(value, other: int) -> bool: ...", space)
    space["f"].__annotations__["value"] = hint
    found = typesig.extract(space["f"])
    text = str(found.signature)
    assert text.endswith(", other :int) -> :bool")
    shown = text.removeprefix("(value ").removesuffix(", other :int) -> :bool")
    return shown, [str(warning) for warning in found.warnings]


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("int", ":int"),
        ("  int ", ":int"),
        ("list['int']", "[:int]"),
        ("Literal['int', -1, 2.5, True]", ':enum["int" -1 2.5 true]'),
        ("Literal[-2.5]", ":enum[-2.5]"),
        ("typing.Optional['int']", ":int?"),
        ("'int' | None", ":int?"),
        ("datetime.date", ":string[date]"),
        ("collections.abc.Mapping[str, int]", ":map[:int]"),
        ("tuple[int, ...]", "[:int]"),
        ("Callable[[int], str] | int", ":int"),
        ("Annotated[int, at.Ge(-1)]", ":int[-1..]"),
        ("Annotated[int, at.Interval(ge=1, le=5)]", ":int[1..5]"),
        ("Annotated[int, (1, 2), [3], 'words']", ":int"),
        ("Annotated[Annotated['int', at.Ge(1)], at.Le(5)]", ":int[1..5]"),
    ],
)
def test_a_hint_in_text_means_what_it_would_mean_as_an_object(hint: str, expected: str) -> None:
    shown, _ = type_and_warnings(hint)

    assert expected == shown


@pytest.mark.parametrize(
    ("hint", "reason"),
    [
        ("Row", "the name Row is not defined in the scope of the hint"),
        ("datetime.dtae", "there is no dtae in datetime"),
        ("int.real.x", "there is no x in"),
        ("lambda: 0", "a hint cannot contain Lambda"),
        ("{int}", "a hint cannot contain Set"),
        ("int + str", "a hint cannot contain arithmetic"),
        ("Literal[~1]", "a hint cannot contain arithmetic"),
        ("Literal[-'a']", "a hint cannot contain arithmetic"),
        ("int[str]", "int takes no such arguments"),
        ("Optional[int, str]", "Optional takes no such arguments"),
        ("print(1)", "a hint in text can call only the constructors of known metadata"),
        ("(", "the text is not a hint"),
        ("", "the text is not a hint"),
        ("x = int", "the text is not a hint"),
        ("int\0", "the text is not a hint"),
        ("i" * 10_001, "the text of the hint is too long"),
        ("int" + ".real" * 900, "the text of the hint is nested too deeply"),
    ],
)
def test_a_text_that_is_not_a_hint_becomes_any_with_a_warning(hint: str, reason: str) -> None:
    shown, warnings = type_and_warnings(hint)

    # If its metadata cannot be constructed, the hint itself stays.
    assert (":int" if hint.startswith("Annotated[int") else ":any") == shown
    assert 1 == len(warnings)
    assert reason in warnings[0]


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("list[Row]", "[:any]"),
        ("dict[str, Row]", ":map"),
        ("Row | None", ":any?"),
        ("Annotated[Row, 'words']", ":any"),
        ("tuple[int, Row]", "[:int, :any]"),
    ],
)
def test_an_undefined_name_widens_only_its_part_of_the_hint(hint: str, expected: str) -> None:
    shown, warnings = type_and_warnings(hint)

    assert expected == shown
    assert ["the name Row is not defined in the scope of the hint"] == [
        w.split(": ")[-1].split(", so")[0] for w in warnings
    ]


def test_no_code_in_a_text_is_run() -> None:
    shown, warnings = type_and_warnings("__import__('os').system('echo run')")

    assert ":any" == shown
    assert 1 == len(warnings)


@pytest.fixture
def home() -> Iterator[types.ModuleType]:
    """Return a module with the base classes of classes that are defined elsewhere."""
    made = types.ModuleType("home_of_ancestors")
    sys.modules[made.__name__] = made
    exec(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from decimal import Decimal as Price\n"
        "from typing import NamedTuple, TypedDict\n"
        "@dataclass\nclass Base:\n    price: Price\n    owner: Nobody\n"
        "class Named(NamedTuple):\n    price: Price\n"
        "class Keys(TypedDict):\n    price: Price\n",
        vars(made),
    )
    yield made
    del sys.modules[made.__name__]


def test_the_hint_of_an_inherited_field_is_resolved_in_the_module_of_its_class(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = types.ModuleType("home_of_descendants")
    monkeypatch.setitem(sys.modules, space.__name__, space)
    space.Base = home.Base  # type: ignore[attr-defined]
    exec(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Item(Base):\n    name: str\n",
        vars(space),
    )

    def f(item: Any) -> Any: ...

    f.__annotations__ = {"item": vars(space)["Item"]}
    found = typesig.extract(f)

    assert "(item {price :string[decimal], owner :any, name :string}) -> :any" == str(
        found.signature
    )
    assert 1 == len(found.warnings)
    assert "the name Nobody is not defined" in str(found.warnings[0])


def test_an_unpacked_tuple_stands_for_its_positions() -> None:
    assert (":int, :string", []) == (
        type_and_warnings("tuple[*tuple[int, str]]")[0][1:-1],
        type_and_warnings("int")[1],
    )


def test_an_unpacked_tuple_of_any_length_repeats_its_item() -> None:
    assert ("[:int, ** :string]", []) == type_and_warnings("tuple[int, *tuple[str, ...]]")


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("at.Lt(nobody)", "the name nobody is not defined in the scope of the hint"),
        ("at.Ge()", "its metadata cannot be constructed: "),
        ("at.Ge(1, 2, 3)", "its metadata cannot be constructed: "),
    ],
)
def test_metadata_that_cannot_be_read_is_left_out_and_the_hint_stays(
    written: str, reason: str
) -> None:
    shown, warnings = type_and_warnings(f"Annotated[int, {written}]")

    assert ":int" == shown
    assert 1 == len(warnings)
    assert f"the metadata {written} is left out: {reason}" in warnings[0]


@dataclasses.dataclass
class Branch:
    kids: list[Branch]


class Twig(TypedDict):
    kids: list[Twig]


def of_branches(roots: list[Branch]) -> dict[str, Twig]:
    return {"a": {"kids": [{"kids": []} for _ in roots]}}


def test_a_record_in_text_that_refers_to_itself_within_the_same_hint_keeps_its_name() -> None:
    found = typesig.extract(of_branches, recursive=True)

    assert found.warnings == ()
    assert str(found.signature) == (
        "(roots [:Branch]) -> :map[:Twig] where Branch = {kids [:Branch]}, Twig = {kids [:Twig]}"
    )
    outcome = typesig.tool(recursive=True)(of_branches).call({"roots": [{"kids": [{"kids": []}]}]})
    assert outcome.value == {"a": {"kids": [{"kids": []}]}}


def test_a_record_in_text_that_refers_to_itself_says_how_to_keep_it() -> None:
    (first, second) = typesig.extract(of_branches).warnings

    assert str(first) == (
        "roots.kids: Branch: it refers to itself, so it became :any; "
        "write recursive=True to keep it by name"
    )
    assert second.place == "returns.kids"


def test_local_records_in_text_that_refer_to_themselves_and_each_other_keep_their_names() -> None:
    @dataclasses.dataclass
    class Leaf:
        kids: list[Leaf]

    class Bud(TypedDict):
        kids: list[Bud]

    @dataclasses.dataclass
    class Left:
        other: list[Right]

    @dataclasses.dataclass
    class Right:
        other: list[Left]

    def take(a: list[Leaf], b: list[Bud], c: list[Left]) -> None: ...

    found = typesig.extract(take, recursive=True)

    assert found.warnings == ()
    assert str(found.signature) == (
        "(a [:Leaf], b [:Bud], c [:Left]) -> :nil where Bud = {kids [:Bud]}, Leaf = {kids [:Leaf]}, "
        "Left = {other [{other [:Left]}]}"
    )


class NotGiven:
    """A class whose instance says that nothing was given."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


class Formless:
    """A class without a JSON form."""


@dataclasses.dataclass
class Sparse:
    size: int | NotGiven = NOT_GIVEN


def test_the_class_of_a_sentinel_is_not_shown_and_the_function_gets_its_default() -> None:
    def f(
        a: str | NotGiven = NOT_GIVEN,
        b: int | NotGiven | None = NOT_GIVEN,
        c: list[str] | dict[str, int] | NotGiven = NOT_GIVEN,
        *,
        d: Sparse,
    ) -> list[str]:
        return [str(a), str(b), str(c), str(d.size)]

    made = typesig.tool(f)

    assert made.warnings == ()
    assert str(made.signature) == (
        "(a? :string, b :int?, c? [:string]|:map[:int], d {size? :int}) -> [:string]"
    )
    assert made.call({"d": {}}).value == ["NOT_GIVEN"] * 4
    sent = {"a": "x", "b": None, "c": ["y"], "d": {"size": 2}}
    assert made.call(sent).value == ["x", "None", "['y']", "2"]


def test_a_default_of_a_class_with_a_form_is_no_sentinel() -> None:
    def f(a: str | Sparse = Sparse(3)) -> None: ...  # noqa: B008

    assert str(typesig.extract(f).signature) == ('(a :string|{size? :int} = {"size": 3}) -> :nil')


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("list[Formless] | Formless", "[:any]"),
        ("list[list[Formless]] | Formless | set[Any]", "#{:any}"),
        ("list | Any", ":any"),
        ("dict[str, Any] | Any | None", ":any?"),
        ("dict[str, Formless] | Formless", ":map"),
        ("int | Formless", ":int"),
        ("list[int] | Formless", "[:int]"),
    ],
)
def test_a_union_with_any_has_no_collections_of_anything(hint: str, expected: str) -> None:
    def f(a: object) -> None: ...

    f.__annotations__["a"] = hint

    assert str(typesig.extract(f).signature) == f"(a {expected}) -> :nil"


@pytest.mark.parametrize(
    "hint",
    [
        logging.Logger,
        logging.Logger | None,
        typing.IO[str],
        typing.TextIO | None,
        Callable[[int], str],
        Callable | None,
        Formless,
        "Formless | None",
        Formless | logging.Logger | None,
    ],
)
def test_a_parameter_without_a_json_form_is_left_to_its_default(hint: object) -> None:
    made: list[object] = []

    def f(n: int, sink: object = None) -> int:
        made.append(sink)
        return n

    f.__annotations__["sink"] = hint
    made_tool = typesig.tool(f)

    assert str(made_tool.signature) == "(n :int) -> :int"
    (warning,) = made_tool.warnings
    assert warning.place == "sink"
    assert warning.reason == "the hint has no JSON form, so it is hidden and left to its default"
    assert warning.remedy == "write Injected[…], or an explicit signature"
    assert made_tool.call({"n": 1, "sink": "x"}).value == 1
    given = Formless()
    assert made_tool.call({"n": 1}, given={"sink": given}).value == 1
    assert made == [None, given]
    with pytest.raises(ExtractionError, match="sink: "):
        typesig.extract(f, strict=True)


@pytest.mark.parametrize("hint", ["Any", "object", "str | Formless", "list[Formless]", "NoSuch"])
def test_a_parameter_that_may_have_a_form_is_offered_with_its_default(hint: str) -> None:
    def f(n: int, sink: object = None) -> None: ...

    f.__annotations__["sink"] = hint

    assert "sink" in str(typesig.extract(f).signature)


def test_an_explicit_signature_gives_the_form_that_a_hint_does_not_have() -> None:
    @typesig.tool("(n :int, sink :string?) -> :string")
    def f(n: int, sink: Formless | None = None) -> str:
        return f"{n}{sink}"

    assert f.warnings == ()
    assert f.call({"n": 1, "sink": "x"}).value == "1x"
    assert f.call({"n": 1}).value == "1None"


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Mark:
    """Metadata whose repr has a memory address."""


@dataclasses.dataclass
class Settled:
    x: typing.Final = 3
    y: typing.Final[str] = "a"


def test_a_default_that_is_a_flag_is_shown() -> None:
    def f(access: Access = Access.READ | Access.WRITE) -> str:
        return str(access.value)

    assert str(typesig.extract(f).signature) == "(access :enum[0 1 2 3] = 3) -> :string"
    assert typesig.extract(f).warnings == ()
    assert typesig.tool(f).call({"access": 2}).value == "2"
    assert typesig.tool(f).call({}).value == "3"


@pytest.mark.parametrize(
    ("hint", "expected"),
    [("tuple[*Ts]", "[:any]"), ("tuple[int, *Ts]", "[:int, ** :any]")],
)
def test_an_unpacked_variable_stands_for_any_items(hint: str, expected: str) -> None:
    def f(t: object) -> str:
        return repr(t)

    f.__annotations__["t"] = hint

    assert str(typesig.extract(f).signature).startswith(f"(t {expected}")
    assert typesig.extract(f).warnings == ()
    assert typesig.tool(f).call({"t": [1, "a"]}).value == "(1, 'a')"


Ts = typing.TypeVarTuple("Ts")


def test_a_bare_final_has_the_class_of_its_default() -> None:
    def f(s: Settled) -> None: ...

    assert str(typesig.extract(f).signature) == '(s {x :int = 3, y :string = "a"}) -> :nil'


def test_the_default_of_a_variable_wins_over_its_bound() -> None:
    number = typing_extensions.TypeVar("number", bound=float, default=int)

    def f(x: object) -> None: ...

    f.__annotations__["x"] = number

    assert str(typesig.extract(f).signature) == "(x :int) -> :nil"


def test_a_warning_has_no_memory_address() -> None:
    def f(x: object) -> None: ...

    f.__annotations__["x"] = typing.Annotated[int, Mark()]
    (warning,) = typesig.extract(f).warnings

    assert " at 0x" not in str(warning)
    assert (
        "<tests.extraction.callables.test_hint_resolver.Mark object> is not understood"
        in warning.reason
    )


def test_types_of_epydoc_may_stand_in_its_markup() -> None:
    def f(x, y) -> None:  # type: ignore[no-untyped-def]
        """Do.

        @param x: the x
        @type x: C{int}
        @type y: L{str}
        """

    assert str(typesig.extract(f).signature).startswith("(x :int")
    assert "y :string" in str(typesig.extract(f).signature)
