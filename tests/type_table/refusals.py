"""What extraction refuses, widens or hides on purpose, for a table of the page on hints.

Each row is run; the page shows what became of it, the reason and the remedy as the library words
them.  A test holds that every place of the library that warns has a row.  To add a warning, add the
row that shows it.
"""

from __future__ import annotations

import sys
import types
from typing import Any, NamedTuple

from typesig import tool, tools_of
from typesig.errors import ExtractionError
from typesig.extraction import Extraction, HintWarning
from typesig.extraction.callables.warnings import WarningKind


class Refusal(NamedTuple):
    """A form that does not become what it says.

    #: form: what the page shows; a part of *source*
    #: source: Python that defines `f`; it has the names of the page
    #: run: what is asked of `f`
    #: place: which of its warnings is shown
    """

    form: str
    source: str
    run: str = "extract(f)"
    place: int = -1


def _param(param: str, before: str = "", run: str = "extract(f)", form: str = "") -> Refusal:
    """Return the row of a function with the parameter *param*; the page shows it, or *form*."""
    return Refusal(form or param, f"{before}\ndef f({param}) -> None: ...", run)


def _result(hint: str, before: str = "", form: str = "") -> Refusal:
    return Refusal(form or f"-> {hint}", f"{before}\ndef f() -> {hint}: ...")


_BROKEN = """
class Odd(type):
    def __getattr__(cls, name):
        raise OSError("no")
"""
_ANY = """
class AnyAttribute:
    def __getattr__(self, name): return self
"""
_ODD = """
class Odd(dict):
    def __getattribute__(self, name): raise OSError("no")
    def __iter__(self): raise OSError("no")
    def items(self): raise OSError("no")
    def __len__(self): raise OSError("no")
    __class__ = property(lambda self: self.missing)  # def __class__(self): raise OSError
"""
_CALLABLE = """
class Odd:
    @property
    def __signature__(self): raise OSError("no")  # __signature__ raises
    def __call__(self, x: int) -> None: ...
f = Odd()
"""

REFUSALS: tuple[Refusal, ...] = (
    # parameters
    _param("x"),
    _param("x: Handle", "class Handle: ...", form='class Handle: ...'),
    _param("x: Logger", "from logging import Logger"),
    _param("x: Media", "from typesig import Media"),
    _param("x: Callable[[int], int]", "from collections.abc import Callable"),
    _param("x: type[int]"),
    _param("x: Logger | None = None", "from logging import Logger"),
    _param("x: T", 'T = TypeVar("T")', form='T = TypeVar("T")'),
    _param("x: Self", "from typing import Self"),
    _param('x: "Unknown"'),
    _param('x: "open(1)"'),
    _param("x: Empty", "class Empty(Enum): ...", form='class Empty(Enum): ...'),
    _param("x: Literal[1e400]"),
    _param("x: tuple"),
    _param("x: tuple[*tuple[str, ...], int]"),
    _param("x: set[dict[str, int]]"),
    _param("x: dict[tuple[int, str], int]"),
    _param("x: dict[str | None, int]"),
    _param('x: "Annotated[int, open(1)]"'),
    _param("x: Annotated[str, MultipleOf(2)]", "from annotated_types import MultipleOf"),
    _param("x: Annotated[date, MaxLen(2)]"),
    _param('x: Annotated[int, Field(pattern="a")]', "from pydantic import Field"),
    _param('x: Annotated[Decimal, Field(pattern="a")]', "from pydantic import Field"),
    _param('x: Annotated[int, Field(alias="y")]', "from pydantic import Field"),
    _param("x: Annotated[date, Meta(tz=True)]", "from msgspec import Meta"),
    Refusal("for _ in range(120): Deep = list[Deep]", "Deep = int\nfor _ in range(120): Deep = list[Deep]\ndef f(x: Deep): ..."),
    _param("x: Broken", _BROKEN + 'class Broken(metaclass=Odd): ...', form='raise OSError("no")'),
    _param("x: AnyAttribute()", _ANY, form="def __getattr__(self, name): return self"),
    _param("x: Annotated[int, Field(description=5)]", "from pydantic import Field"),
    # defaults
    _param("x: int = object()"),
    _param("x: list[Item] = [Odd()]", _ODD, form="def __class__(self): raise OSError"),
    _param('x: int = "a"'),
    _param("x: list[Item] = [{}]"),
    # records
    _param("x: Tree", "@dataclass\nclass Tree:\n    kids: 'list[Tree]'", form="kids: 'list[Tree]'"),
    _param("x: Alias", 'from typing_extensions import TypeAliasType\nAlias = TypeAliasType("Alias", "list[Alias]")', form='TypeAliasType("Alias", "list[Alias]")'),
    _param("x: Text", 'Text = list["Text"]', form='Text = list["Text"]'),
    _param("x: Loop", 'from typing_extensions import TypeAliasType\nLoop = TypeAliasType("Loop", "Loop | None")', run="extract(f, recursive=True)", form='TypeAliasType("Loop", "Loop | None")'),
    _param("x: Lost", 'from typing_extensions import TypeAliasType\nLost = TypeAliasType("Lost", "list[Gone]")', form='TypeAliasType("Lost", "list[Gone]")'),
    _param(
        "x: A",
        "class D(TypedDict):\n    e: int\nclass C(TypedDict):\n    d: D\n"
        "class B(TypedDict):\n    c: C\nclass A(TypedDict): b: B  # and c: C, and d: D",
        form="class A(TypedDict): b: B  # and c: C, and d: D",
    ),
    _param("x: Holding", "@dataclass\nclass Holding:\n    y: typesig.Injected[int]", form='y: typesig.Injected[int]'),
    _param(
        "x: Pathed",
        "class Pathed(pydantic.BaseModel):\n"
        '    y: int = pydantic.Field(0, validation_alias=pydantic.AliasPath("a", 0))', form='validation_alias=pydantic.AliasPath("a", 0)'),
    # hints of pydantic
    Refusal(
        "x: Annotated[Handle, AfterValidator(str)]",
        "from pydantic import AfterValidator\nclass Handle: ...\n"
        "def f(x: Annotated[Handle, AfterValidator(str)]) -> None: ...",
        # The class is told of last, as it is without the metadata.
        place=-2,
    ),
    _param("x: Annotated[int, WithJsonSchema({\"type\": 3})]", "from pydantic import WithJsonSchema"),
    _result(
        "Annotated[int, PlainSerializer(text)]",
        "from pydantic import PlainSerializer\ndef text(n): return str(n)",
    ),
    _result(
        "Drawn",
        "from typesig import Media\nclass Drawn(pydantic.BaseModel):\n"
        '    y: Annotated[bytes, Media("image/png")]\n'
        "    @pydantic.model_serializer\n    def written(self) -> dict[str, str]: ...",
        form="@pydantic.model_serializer",
    ),
    # results
    _result("Handle", "class Handle: ..."),
    _result("Hashable", "from collections.abc import Hashable"),
    _result('Annotated[str, Media("image/png")]', "from typesig import Media"),
    Refusal(
        "@contextmanager",
        "from contextlib import contextmanager\n@contextmanager\ndef f(x: int) -> Iterator[int]:\n"
        "    yield x",
    ),
    # docstrings
    Refusal("x (colour map): a map", 'def f(x):\n    """Do.\n\n    Args:\n        x (colour map): a map\n    """',),
    Refusal("y: text", 'def f(x: int) -> None:\n    """Do.\n\n    Args:\n        y: text\n    """'),
    Refusal("what is it", 'def f(x: int) -> None:\n    """Do.\n\n    Args:\n        what is it\n    """'),
    Refusal(
        "what is this",
        'class Told(TypedDict):\n    """A record.\n\n    Attributes:\n        what is this\n    """\n'
        "    y: int\ndef f(x: Told) -> None: ...",
    ),
    # the profile
    _param("x: tuple[int, str]", run='extract(f, profile="ptc_runner")'),
    _param("x: Annotated[int, Ge(1)]", run='extract(f, profile="ptc_runner")'),
    _param("x: Annotated[date, Ge(date.min)]", run='extract(f, profile="ptc_runner")'),
    # callables
    Refusal("def f(x, y)", "def f(x, y): ...", "tool(f).signature"),
    Refusal(
        "def f(x=5)",
        "def f(x=5): ...  # tools_of([f], undecorated=\"inferred\")",
        'tools_of([f], undecorated="inferred")',
    ),
    Refusal("extract(3)", "f = 3  # extract(3)"),
    Refusal("f.__doc__ = 5", "def f(x: int) -> None: ...\nf.__doc__ = 5"),
    Refusal("__signature__ raises", _CALLABLE, "extract(f)"),
    Refusal(
        "@overload",
        "from typing import overload\n@overload\ndef g(x: int) -> int: ...\n@overload\n"
        "def g(x: str) -> str: ...\ndef g(x): ...\nf = g",
        "extract(f, strict=True)",
    ),
    Refusal("tools_of([f, 3])", "def f(x: int) -> None: ...  # tools_of([f, 3])", "tools_of([f, 3])"),
)  # fmt: skip


class Seen(NamedTuple):
    """What became of a row: what happened, why, and what to write instead."""

    happens: str
    reason: str
    remedy: str


#: What the page says for each kind of warning.
HAPPENS: dict[WarningKind, str] = {
    "any": "`:any`, with a warning",
    "unhinted": "`:any`, with a warning",
    "partial": "without a part, with a warning",
    "inferred": "the type of its docstring or its default, with a warning",
    "left_out": "left out of the tools, with a warning",
}


def seen(row: Refusal, space: dict[str, Any]) -> Seen:
    """Return what becomes of *row*, with the names of the page in *space*."""
    module = types.ModuleType("refusals_of_the_page")
    sys.modules[module.__name__] = module
    vars(module).update({k: v for k, v in space.items() if not k.startswith("__")})
    vars(module).update(tool=tool, tools_of=tools_of)
    try:
        exec(compile(row.source, "refusals.py", "exec", dont_inherit=True), vars(module))
        found = eval(row.run, vars(module))
    except ExtractionError as error:
        return Seen("`ExtractionError`", error.reason, error.remedy)
    finally:
        del sys.modules[module.__name__]
    warning = found.warnings[row.place]
    if warning.kind == "partial" and isinstance(found, Extraction) and _is_hidden(found, warning):
        return Seen("hidden, with a warning", warning.reason, warning.remedy)
    return Seen(HAPPENS[warning.kind], warning.reason, warning.remedy)


def _is_hidden(found: Extraction, warning: HintWarning) -> bool:
    signature = found.signature
    return signature is not None and not signature.params and warning.place == "x"
