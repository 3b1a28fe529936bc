"""Objects of others that raise, never end or are of wrong classes where extraction reads them."""

from __future__ import annotations

import datetime
import functools
import inspect
import typing
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from typing_extensions import Doc

from tests.growth import steps
from typesig import TypesigError, extract, tool, tools_of
from typesig.errors import ExtractionError


def plain(x: int = 1) -> int:
    """Return x."""
    return x


def boom(*args: Any) -> Any:
    raise ZeroDivisionError("boom")


class Itself:
    """An object that is every attribute of itself, and never ends."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any) -> Any:
        return self

    def __iter__(self) -> Any:
        return iter(int, 1)


class Wrapping:
    """A callable that wraps a new one each time."""

    @property
    def __wrapped__(self) -> Any:
        return Wrapping()

    def __call__(self) -> None: ...


class Text(str):
    """A text whose methods raise."""

    __slots__ = ()
    __hash__ = str.__hash__
    __eq__ = __len__ = __str__ = __contains__ = __iter__ = __getitem__ = boom  # type: ignore[assignment]
    strip = lstrip = splitlines = startswith = rpartition = expandtabs = boom  # type: ignore[assignment]
    isprintable = partition = lower = boom  # type: ignore[assignment]


def taking(hint: Any, default: Any = ..., doc: Any = None) -> Callable[..., Any]:
    def take(x): ...

    if default is not ...:
        take.__defaults__ = (default,)
    take.__annotations__ = {"x": hint, "return": int}
    take.__doc__ = doc
    return take


def changed(name: str, value: Any) -> Callable[..., Any]:
    def take(x: int) -> int: ...

    setattr(take, name, value)
    return take


def cyclic() -> Callable[..., Any]:
    made, other = taking(int), taking(int)
    made.__wrapped__, other.__wrapped__ = other, made  # type: ignore[attr-defined]
    return made


def wrapped(size: int) -> Any:
    made: Any = taking(int)
    for _ in range(size):
        made = functools.wraps(made)(lambda *args: None)
    return made


ATTRIBUTES = [
    "__annotations__",
    "__bool__",
    "__class__",
    "__closure__",
    "__code__",
    "__defaults__",
    "__dict__",
    "__doc__",
    "__eq__",
    "__func__",
    "__getattr__",
    "__getattribute__",
    "__globals__",
    "__hash__",
    "__iter__",
    "__kwdefaults__",
    "__len__",
    "__module__",
    "__name__",
    "__orig_class__",
    "__qualname__",
    "__repr__",
    "__self__",
    "__signature__",
    "__str__",
    "__text_signature__",
    "__type_params__",
    "__wrapped__",
    "dispatch",
    "func",
    "registry",
]
WRONG: dict[str, Any] = {
    "none": None, "five": 5, "empty": "", "list": [1], "object": object(), "endless": Itself(),
    "long": "x" * 1_000_000,
}  # fmt: skip


def objects() -> dict[str, Any]:
    out: dict[str, Any] = {
        "endless object": Itself(),
        "hint that is every attribute": taking(Itself()),
        "list of that": taking(list[Itself()]),  # type: ignore[misc]
        "default that is every attribute": taking(list, Itself()),
        "metadata that is every attribute": taking(typing.Annotated[int, Itself()]),
        "callable that wraps new ones": Wrapping(),
        "callables that wrap each other": cyclic(),
        "20,000 wrappers": wrapped(20_000),
        "partials": functools.reduce(lambda f, n: _marked(functools.partial(f)), range(900), plain),
        "static methods": functools.reduce(lambda f, n: staticmethod(f), range(300), plain),
        "text that raises as a docstring": changed("__doc__", Text("F.\n\nArgs:\n    x: the x")),
        "text that raises as a name": changed("__name__", Text("take")),
        "text that raises as a hint": taking(Text("int")),
        "text that raises beside a hint": taking(typing.Annotated[int, Text("an int")]),
        "mock": mock.Mock(),
        "magic mock": mock.MagicMock(),
        "mock with a specification": mock.create_autospec(plain),
        "hint that is a mock": taking(mock.MagicMock()),
        "default that is a mock": taking(int, mock.MagicMock()),
    }
    for name in ATTRIBUTES:
        raising = property(boom) if name.startswith("__") and name not in _METHODS else boom
        if name == "__qualname__":
            # A class has a text here; a function is asked below.
            continue
        cls = type("Raising", (), {"__call__": plain, name: raising})
        out[f"callable whose {name} raises"] = cls()
        out[f"hint whose {name} raises"] = taking(cls())
        out[f"default whose {name} raises"] = taking(int, cls())
        out[f"metadata whose {name} raises"] = _beside(cls())
        for what, value in WRONG.items():
            if (name, what) == ("__text_signature__", "endless"):
                # Python's own parser does not end.
                continue
            if name not in _METHODS:
                cls = type("Wrong", (), {"__call__": plain, name: value})
                out[f"callable whose {name} is {what}"] = cls()
            try:
                out[f"function whose {name} is {what}"] = changed(name, value)
            except (TypeError, AttributeError):
                continue
    return out


_METHODS = frozenset(
    [
        "__bool__",
        "__eq__",
        "__getattr__",
        "__getattribute__",
        "__hash__",
        "__iter__",
        "__len__",
        "__repr__",
        "__str__",
    ]
)


def _marked(target: Any) -> Any:
    target.mark = 1
    return target


def _beside(item: Any) -> Any:
    try:
        return taking(typing.Annotated[int, item])
    except ZeroDivisionError:
        return taking(int)


OBJECTS = objects()


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize(
    "read",
    [
        extract,
        lambda target: tools_of([target]),
        tools_of,
        lambda target: tool(target).prompt(),
    ],
    ids=["extract", "tools_of_one", "tools_of", "tool"],
)
def test_an_object_of_others_is_read_or_refused_within_few_steps_and_in_few_words(read, name):
    # Not a parameter itself: pytest would read it.
    target = OBJECTS[name]
    texts: list[str] = []

    def run() -> None:
        try:
            found = read(target)
        except TypesigError as error:
            texts.append(str(error))
        else:
            texts.extend(map(str, getattr(found, "warnings", ())))

    steps(run, 750_000)

    assert all(len(text) < 1_200 for text in texts)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: type("Raising", (), {"__call__": plain, "__signature__": property(boom)})(),
            "Raising cannot be read: it raises ZeroDivisionError: boom; correct it, or leave it out",
        ),
        (
            lambda: wrapped(2_000),
            "more than 1000 callables wrap each other; pass the innermost function",
        ),
        (Wrapping, "more than 1000 callables wrap each other; pass the innermost function"),
    ],
)
def test_a_callable_that_cannot_be_read_is_an_error_that_tells_why(make, text):
    with pytest.raises(ExtractionError) as caught:
        extract(make())

    assert text == str(caught.value)


class Placeless:
    """A callable that raises where it is asked for the module that it is of."""

    @property
    def __module__(self) -> str:  # type: ignore[override]
        raise ValueError("no module")

    def __call__(self, a: int) -> int:
        return a


def test_a_tool_whose_module_cannot_be_read_is_an_error_that_tells_why():
    with pytest.raises(ExtractionError) as caught:
        tool(Placeless())

    text = "Placeless cannot be read: it raises ValueError: no module; correct it, or leave it out"
    assert text == str(caught.value)


class Raising:
    """An object that raises where it is asked whether it has metadata."""

    @property
    def __metadata__(self) -> Any:
        raise ZeroDivisionError("boom" * 1_000)


class Unspeakable(Exception):
    __str__ = boom  # type: ignore[assignment]


class Silent:
    @property
    def __metadata__(self) -> Any:
        raise Unspeakable

    __repr__ = boom  # type: ignore[assignment]


class Day(datetime.date):
    """A default that raises where it is written."""

    isoformat = boom  # type: ignore[assignment]


class Undescribed:
    __signature__ = inspect.signature(plain)
    __doc__ = property(boom)  # type: ignore[assignment]
    __call__ = len  # type: ignore[assignment]


class Lengthless(list):  # type: ignore[type-arg]
    __len__ = boom  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("target", "shown", "warnings"),
    [
        (
            taking(Silent()),
            "(x :any) -> :int",
            [
                "x: reading it raises Unspeakable, so it became :any; "
                "correct it, or give an explicit signature"
            ],
        ),
        (
            taking(list[Silent()]),  # type: ignore[misc]
            "(x [:any]) -> :int",
            [
                "x: Silent: reading it raises Unspeakable, so it became :any; "
                "correct it, or give an explicit signature"
            ],
        ),
        (
            taking(list[Itself()]),  # type: ignore[misc]
            "(x [:any]) -> :int",
            [
                "x: <tests.house.test_hostile_objects.Itself object>: the hint has no JSON form, so it "
                "became :any; give an explicit signature"
            ],
        ),
        (
            taking(int, Day(2027, 1, 31)),
            "(x? :int) -> :int",
            [
                "x: int: the default is not shown: a part of it cannot be read: it raises "
                "ZeroDivisionError: boom; the function uses it where the model leaves the argument "
                "out"
            ],
        ),
        (
            changed("__doc__", 5),
            "(x :int) -> :int",
            ["its docstring is int, not str, so it is left out; write a str"],
        ),
        (
            Undescribed(),
            "(x :int = 1) -> :int",
            ["reading its docstring raises ZeroDivisionError: boom; correct it"],
        ),
        (
            taking(typing.Annotated[int, Doc(5)]),  # type: ignore[arg-type]
            "(x :int) -> :int",
            [
                "x: Annotated[int, Doc(5)]: the metadata Doc(5) is not understood and left out; "
                "write its bounds with annotated-types, or an explicit signature"
            ],
        ),
        (taking(Text("int")), "(x :int) -> :int", []),
        (changed("__doc__", Text("F.")), "(x :int) -> :int", []),
    ],
)
def test_what_cannot_be_read_costs_a_warning(target, shown, warnings):
    found = extract(target)

    assert (shown, warnings) == (
        str(found.signature),
        [str(warning) for warning in found.warnings],
    )


def test_arguments_of_any_number_whose_hint_cannot_be_read_are_any():
    def take(*args: Silent()) -> int: ...  # type: ignore[valid-type]

    take.__annotations__["args"] = Silent()

    assert "(args? [:any]) -> :int" == str(extract(take).signature)


def test_the_text_of_an_error_is_cut_in_a_warning():
    (warning,) = extract(taking(Raising())).warnings

    assert 500 == len(warning.reason)
    assert warning.reason.startswith("reading it raises ZeroDivisionError: boomboom")


def test_a_description_that_is_not_text_is_left_out_with_a_warning():
    pydantic = pytest.importorskip("pydantic")
    described = taking(typing.Annotated[int, pydantic.Field(description=5)])

    class Model(pydantic.BaseModel):
        a: int = pydantic.Field(description=5)

    for function, place in ((described, "x"), (taking(Model), "x.a")):
        assert [(place, "its description is int, not str, so it is left out")] == [
            (warning.place, warning.reason) for warning in extract(function).warnings
        ]
        assert "5" not in tool(function).prompt()


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError])
def test_an_error_that_is_not_of_the_object_passes(error):
    def interrupt(_self: object) -> Any:
        raise error

    interrupting = type("Interrupting", (), {"__metadata__": property(interrupt)})()
    reading = type("Reading", (), {"__call__": plain, "__signature__": property(interrupt)})()
    comparing = type("Comparing", (), {"__class__": property(interrupt)})()

    targets = (taking(interrupting), taking(list[interrupting]), reading, taking(int, comparing))
    for target in targets:
        with pytest.raises(error):
            extract(target)


def test_a_raising_default_of_any_class_is_kept_for_the_call_with_a_warning():
    found = extract(taking(list, Lengthless()))

    assert ["the default is not shown: a value of Lengthless has no JSON form"] == [
        warning.reason for warning in found.warnings
    ]


def test_an_iterable_of_functions_without_end_is_an_error():
    with pytest.raises(TypesigError, match="takes 100000 functions, this iterable has more"):
        tools_of(iter(int, 1))
