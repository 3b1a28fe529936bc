"""Generated source: lines, bound constants, and compilation with a cache.

Text of a source comes from this package only.  Values enter it as constants, under names that are
counted.  For a key or an attribute stands a text that is counted, too, and is replaced in the
compiled code: no text of others is ever compiled, and sources of one form share their code.

A line is written once and never changed.  What must be known of a source before a line of it can be
written is a constant that is set at the end, or a line that is written `later`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import CodeType, MappingProxyType
from typing import Any

#: The characters of a source whose code is kept.
_SHARED = 4_000

#: The length of an expression that is made longer.
_MOST_TEXT = 2_000

_numbers = itertools.count(1)


class Constants:
    """Constants, and placeholders for names, of one generated source.

    #: namespace: what the source sees by name
    """

    __slots__ = ("_named", "_stands", "namespace")

    def __init__(self, namespace: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.namespace: dict[str, Any] = dict(namespace)
        self._named: dict[str, str] = {}
        self._stands: dict[str, str] = {}

    def bind(self, value: Any) -> str:
        """Add the constant *value* to the namespace, and return its name there.

        >>> constants = Constants()
        >>> constants.bind("anything"), constants.bind([])
        ('C0', 'C1')
        """
        name = f"C{len(self.namespace)}"
        self.namespace[name] = value
        return name

    def name(self, name: str) -> str:
        """Return the placeholder for the attribute or argument *name*.

        >>> Constants().name("class")
        'k0_'
        """
        stand = self._stands.get(name)
        if stand is None:
            stand = self._stands[name] = f"k{len(self._named)}_"
            self._named[stand] = name
        return stand

    def bind_key(self, name: str) -> str:
        """Return a string literal as placeholder for the dict key *name*.

        >>> Constants().bind_key("it's")
        "'k0_'"
        """
        return f"'{self.name(name)}'"

    def compile_function(self, source: str, name: str) -> Any:
        """Compile *source*, and return the function *name* that it defines.

        >>> constants = Constants()
        >>> key = constants.bind_key("it's")
        >>> constants.compile_function(f"def read(x): return x[{key}]", "read")({"it's": 3})
        3
        """
        code = compile_source(source) if len(source) <= _SHARED else _compile(source)
        # Tracebacks and debuggers ask the loader of a namespace for the source.
        self.namespace.update(__name__=code.co_filename, __loader__=_Loader(source))
        exec(_replace_names(code, self._named), self.namespace)
        return self.namespace[name]


class Lines:
    """Builder of the source lines of a generated function.

    #: level: of indentation, at present; loops: how many the next line is in

    >>> lines = Lines()
    >>> with lines.open_block("if x:"):
    ...     lines.add(f"return {lines.constants.bind(3)}")
    >>> with lines.open_block("else:"):
    ...     pass
    >>> lines.finish()
    ['    if x:', '        return C0', '    else:', '        pass']
    >>> lines.compile_function("def read(x):", "read")(True)
    3
    """

    __slots__ = ("_guard", "_lines", "constants", "level", "loops")

    def __init__(self, constants: Constants | None = None, level: int = 1) -> None:
        self._lines: list[str | Callable[[], Iterable[str]]] = []
        # A test and what is done if it is true, which are not added yet.
        self._guard: tuple[str, str] | None = None
        self.constants = Constants() if constants is None else constants
        self.level = level
        self.loops = 0

    def __len__(self) -> int:
        self._flush_block()
        return len(self._lines)

    def add(self, *lines: str) -> None:
        """Add *lines* at the present level of indentation."""
        self._flush_block()
        indent = "    " * self.level
        self._lines += [indent + line for line in lines]

    def guard(self, test: str, then: str) -> None:
        """Add an `if` statement that runs *then*, such as a return, if *test* is true.

        Tests directly behind each other are one: source is compiled by the line.

        >>> lines = Lines()
        >>> lines.guard("x < 0", "return None")
        >>> lines.guard("x > 9", "return None")
        >>> lines.finish()
        ['    if x < 0 or x > 9:', '        return None']
        """
        held = self._guard
        if held is not None and held[1] == then and len(held[0]) < _MOST_TEXT:
            self._guard = f"{held[0]} or {test}", then
            return
        self._flush_block()
        self._guard = test, then

    def _flush_block(self) -> None:
        """Write the pending guard, if any, as an `if` statement."""
        if self._guard is not None:
            (test, then), self._guard = self._guard, None
            self.add(f"if {test}:", f"    {then}")

    def add_at_end(self, write: Callable[[], Iterable[str]]) -> None:
        """Add the lines of *write* at the end, at the current indentation."""
        self._flush_block()
        indent = "    " * self.level
        self._lines.append(lambda: [indent + line for line in write()])

    def open_block(self, head: str, is_loop: bool | None = None) -> _Block:
        """Add *head*, and indent the lines of its block, as a loop if *head* is `for`."""
        self.add(head)
        return _Block(self, head.startswith("for ") if is_loop is None else is_loop)

    def finish(self) -> list[str]:
        """Return all lines, including the deferred lines of `add_at_end`."""
        self._flush_block()
        out: list[str] = []
        for line in self._lines:
            if isinstance(line, str):
                out.append(line)
            else:
                out += line()
        return out

    def compile_function(self, head: str, name: str) -> Any:
        """Return the function *name* with the *head* and these lines."""
        return self.constants.compile_function("\n".join([head, *self.finish()]), name)


class _Block:
    """Indents the lines that are added within it."""

    __slots__ = ("_is_loop", "_lines", "_start")

    def __init__(self, lines: Lines, is_loop: bool) -> None:
        self._lines = lines
        self._is_loop = is_loop
        self._start = len(lines)

    def __enter__(self) -> None:
        self._lines.level += 1
        self._lines.loops += self._is_loop

    def __exit__(self, *_: object) -> None:
        if len(self._lines) == self._start:
            self._lines.add("pass")
        self._lines.level -= 1
        self._lines.loops -= self._is_loop


class _Loader:
    """Source loader for tracebacks and debuggers."""

    __slots__ = ("_source",)

    def __init__(self, source: str) -> None:
        self._source = source

    def get_source(self, _name: str) -> str:
        """Return the source of the generated code."""
        return self._source


def _compile(source: str) -> CodeType:
    """Compile *source* under a unique file name that tracebacks can look up."""
    # The name of the file is not in angle brackets, so that tracebacks ask the loader for it.
    return compile(source, f"typesig generated {next(_numbers)}", "exec")


@lru_cache(maxsize=512)
def compile_source(source: str) -> CodeType:
    """Compile *source*, or reuse the code of an equal source."""
    return _compile(source)


def _replace_names(code: CodeType, named: Mapping[str, str]) -> CodeType:
    """Copy *code* with the keys and names of *named* in place of placeholders."""
    parts = tuple([_with_name(part, named) for part in code.co_consts])
    names = tuple([named.get(name, name) for name in code.co_names])
    return code.replace(co_consts=parts, co_names=names)


def _with_name(part: Any, named: Mapping[str, str]) -> Any:
    """Rename names in *part*, a constant of a code object, by the mapping *named*."""
    if isinstance(part, str):
        return named.get(part, part)
    if isinstance(part, CodeType):
        return _replace_names(part, named)
    if isinstance(part, tuple):
        # The names of arguments in a call.
        return tuple([_with_name(each, named) for each in part])
    return part
