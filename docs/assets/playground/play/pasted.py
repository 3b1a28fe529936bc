"""What is pasted: a function, a type, a schema or a signature, as tools and contracts.

A source has a kind, of `KINDS`.  To read another notation, add its row to `READ_AS`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import re
import sys
import traceback
import types
import typing
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import typesig
from play.rows import Thing
from play.texts import MAX_TEXT, cut
from typesig.algebra.loss import Loss
from typesig.errors import TooLarge, TypesigError, format_value
from typesig.extraction.callables.warnings import HintWarning
from typesig.notations.texts.notation import NotationName
from typesig.tools.collection import collect_tools
from typesig.tools.foreign.definitions import holds_definitions, tools_of_definitions
from typesig.validation.json_text import BadJson, read_json

#: Characters of what is pasted.  `TooLarge` is raised.
MAX_SOURCE = 100_000

#: Functions and types of what is pasted that can be chosen.  The others are left out, and counted.
MAX_NAMES = 200

#: The module that pasted Python becomes, and its file in tracebacks.
MODULE, FILE = "pasted", "<pasted>"

#: The notations by the kinds of source that they read; `python` and `json` are read otherwise.
READ_AS: dict[str, NotationName] = {
    "shorthand": "shorthand",
    "compact": "compact",
    "malli": "malli",
    "gram": "gram",
    "gram_path": "gram_path",
}
KINDS = ("guess", "python", "json", *READ_AS)

#: How a source begins that is EDN of Malli: shorthand has no such words in brackets.
_MALLI = re.compile(
    r"\[\s*:(?:=>|->|map|map-of|vector|sequential|set|tuple|maybe|enum|and|or|orn|not|schema|function"
    r"|fn|re|multi|merge|cat|catn|=|>|<|>=|<=|not=|any|nil|string|int|double|boolean|keyword)\s"
)
_JSON = re.compile(r"\{\s*+(?:\"|\}\Z)|\[\s*+\{\s*+\"")
_PYTHON = re.compile(
    r"^(?:(?:async|def|class|import|from|type)[ \t]|(?:while|for|if|with|try)\b[^\n]*:|@\w"
    r"|[^\W\d]\w*+[ \t]*+(?::[^=\n]++)?=(?!>))",
    re.MULTILINE,
)


def guess_kind(source: str) -> str:
    """Return the kind of *source*, by how it begins.

    An object, or a list of objects, with a name in double quotes is JSON.  Another bracket, or a
    colon, begins a signature: the words of Malli and the arrows of gram are theirs, and all else is
    shorthand.  What begins otherwise, and has a line that begins as those of Python do, is Python.

    >>> [guess_kind(text) for text in ("(n :int) -> :int", '{"type": "integer"}', "def f(): ...")]
    ['shorthand', 'json', 'python']
    """
    text = source.strip()
    if _JSON.match(text):
        return "json"
    if _MALLI.match(text):
        return "malli"
    if not text.startswith(("(", "[", "{", ":", "#{")) and _PYTHON.search(text):
        return "python"
    if "-->" in text:
        return "gram"
    return "gram_path" if "==>" in text else "shorthand"


def modules_in(source: str) -> list[str]:
    r"""Return the names of the modules that the Python text *source* imports, without their parts.

    >>> modules_in("import json, os.path\nfrom pydantic.types import conint\n")
    ['json', 'os', 'pydantic']
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return sorted(found)


class Mistake(Exception):
    """A mistake in pasted Python: its type, its traceback as text, and its line and message."""

    def __init__(self, title: str, text: str, line: int | None = None, message: str = "") -> None:
        super().__init__(title, text)
        self.title, self.text, self.line, self.message = title, text, line, message


class Opened(NamedTuple):
    """What is pasted, as far as it can be chosen from.

    #: kind: what it was read as; chosen: what there is, by name; printed: what its code printed
    #: warnings: what was left out; losses: what reading it lost
    #: unnamed: how many names are left out
    """

    kind: str
    chosen: dict[str, Thing]
    warnings: tuple[HintWarning, ...] = ()
    losses: tuple[Loss, ...] = ()
    printed: str = ""
    unnamed: int = 0


def opened(kind: str, source: str) -> Opened:
    """Return what *source* has, which is of a *kind* of `KINDS`.

    Raises `TypesigError` if that is nothing, and `Mistake` for an exception of pasted Python.
    """
    if len(source) > MAX_SOURCE:
        raise TooLarge(f"the text may have {MAX_SOURCE:,} characters, this has {len(source):,}")
    if not source.strip():
        raise TypesigError(
            "there is nothing here: paste a function, a type, a schema or a signature"
        )
    if kind not in KINDS:
        raise TypesigError(f"unknown kind {format_value(kind)}; the kinds are {', '.join(KINDS)}")
    kind = guess_kind(source) if kind == "guess" else kind
    if kind == "python":
        return _opened_python(source)
    if kind == "json":
        return _opened_json(source)
    given: Any = source
    if kind == "malli" and source.lstrip().startswith('["'):
        given = _json(source)
    return _opened_signature(kind, typesig.parse(given, READ_AS[kind]))


def _opened_signature(kind: str, signature: typesig.Signature) -> Opened:
    """Return *signature* as a tool with nothing behind it, or as an answer if it has no params."""
    if signature.params:
        made = typesig.tool(signature, name="tool")(_nothing)
        return Opened(kind, {"tool": made}, losses=signature.losses)
    return Opened(kind, {"answer": typesig.contract(signature)}, losses=signature.losses)


def _nothing(**_: Any) -> Any:
    raise TypesigError("there is no function behind this signature")


def _json(source: str) -> Any:
    try:
        return read_json(source)
    except BadJson as error:
        raise TypesigError(f"this is not JSON: {error}") from None


def _opened_json(source: str) -> Opened:
    data = _json(source)
    if not isinstance(data, dict | list):
        raise TypesigError("a JSON Schema is an object, and a definition of a tool, too")
    if holds_definitions(data):
        tools = tools_of_definitions(data)
        return _limited("json", {one.name: one for one in tools}, tools.warnings)
    return _opened_signature("json", typesig.parse(data, "json_schema", lossy=True))


class Printed(io.TextIOBase):
    """A file that keeps the beginning of what is written to it."""

    def __init__(self) -> None:
        self._text = ""
        self._size = 0

    def write(self, text: str) -> int:
        """Return the number of characters of *text*, which is kept as far as it is shown."""
        self._size += len(text)
        self._text += text[: MAX_TEXT - len(self._text)]
        return len(text)

    def shown(self) -> str:
        """Return what was written, cut."""
        return cut(self._text, whole=self._size)


@contextlib.contextmanager
def printing() -> Iterator[Printed]:
    """Return what is printed while the context is open."""
    printed = Printed()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield printed


def _opened_python(source: str) -> Opened:
    """Return the tools, or else the functions, and the types that the code *source* defines."""
    module = types.ModuleType(MODULE)
    module.__file__ = FILE
    # Where hints are resolved, and where tracebacks find the lines.
    sys.modules[MODULE] = module
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    with printing() as printed:
        try:
            exec(compile(source, FILE, "exec", dont_inherit=True), module.__dict__)
        except BaseException as error:
            raise mistake_of(error) or Mistake(*_said(error)) from error
        chosen, warnings = _defined_in(module)
    found = _limited("python", chosen, warnings)
    return found._replace(printed=printed.shown())


def _defined_in(module: types.ModuleType) -> tuple[dict[str, Any], tuple[HintWarning, ...]]:
    """Return the tools or functions and the types of *module* by name, and what is left out."""
    functions = typesig.Tool, types.FunctionType
    tools = typesig.Toolset()
    if any(isinstance(each, functions) and _is_own(each) for each in vars(module).values()):
        decorated = collect_tools(module)
        tools = decorated if len(decorated) else collect_tools(module, undecorated=True)
    chosen: dict[str, Any] = {one.name: one for one in tools}
    for name, value in vars(module).items():
        if not name.startswith("_") and _is_type(value):
            chosen.setdefault(name, value)
    if not chosen and tools.warnings:
        raise TypesigError(str(tools.warnings[0]))
    if not chosen:
        raise TypesigError(
            "this defines no function with hints, and no class: begin with def, class or @tool"
        )
    return chosen, tools.warnings


def _is_own(value: object) -> bool:
    return getattr(value, "__module__", None) == MODULE


def _is_type(value: object) -> bool:
    if isinstance(value, type):
        return _is_own(value)
    return isinstance(value, (typesig.Contract, _ALIAS))


#: What `type X = …` makes; older Pythons do not have it.
_ALIAS: type = getattr(typing, "TypeAliasType", typesig.Contract)


def _limited(kind: str, chosen: dict[str, Any], warnings: Iterable[HintWarning]) -> Opened:
    """Return the first of *chosen*, with a contract of each that is no tool."""
    kept = {
        name: value if isinstance(value, typesig.Tool) else typesig.contract(value)
        for name, value in [*chosen.items()][:MAX_NAMES]
    }
    return Opened(kind, kept, tuple(warnings), unnamed=len(chosen) - len(kept))


def usual_name(found: Opened) -> str:
    """Return what is shown first: the first tool, or else the last type, which has the others."""
    tools = [name for name, one in found.chosen.items() if isinstance(one, typesig.Tool)]
    return tools[0] if tools else [*found.chosen][-1]


def _said(error: BaseException) -> tuple[str, str]:
    """Return the title and the text of *error*, whose own methods may raise."""
    try:
        text = "".join(traceback.format_exception_only(error))
    except Exception:
        text = type(error).__name__
    return type(error).__name__, cut(text.rstrip("\n"), 4_000)


#: What is added to the error of an import.
_HINT = (
    "This page has the standard library, pydantic, attrs and msgspec. Leave the import out, or "
    "install typesig and run your module there."
)


def mistake_of(error: BaseException) -> Mistake | None:
    """Return the mistake that *error* is if it came through pasted code, or is in its syntax."""
    title, said = _said(error)
    places, line = [], None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == FILE:
            where = "" if code.co_name == "<module>" else f", in {code.co_name}"
            line = trace.tb_lineno
            places.append(f"line {line}{where}")
        trace = trace.tb_next
    is_syntax = isinstance(error, SyntaxError) and error.filename == FILE
    if not places and not is_syntax:
        return None
    if len(places) > 10:
        places[5:-5] = ["…"]
    hint = [_HINT] if isinstance(error, ModuleNotFoundError) else []
    return Mistake(title, "\n".join([*places, said, *hint]), line, said)
