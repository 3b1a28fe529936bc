"""Which functions of a target are tools, and what objects of classes are in their results."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, NamedTuple

from typesig.cli.inputs.targets import load_object
from typesig.errors import TypesigError, format_value
from typesig.tools.collection import Undecorated, collect_tools
from typesig.tools.toolset import Toolset

#: The words for which functions are tools, in the arguments of a process.
_WORDS: dict[str, Undecorated] = {"tools": False, "all": True, "inferred": "inferred"}


class Functions(NamedTuple):
    """Options for selecting functions as tools and for result classes.

    #: undecorated: whether public functions are tools, and whether those without hints are
    #: results: `Class=attribute`, as a command is given them
    """

    undecorated: Undecorated = False
    results: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return bool(self.undecorated or self.results)

    def find_tools(self, target: Any) -> Toolset:
        """Return the tools of *target*, or a toolset without tools if there are none."""
        if not self.results:
            return collect_tools(target, self.undecorated)
        results = dict(_read_result_option(each, target) for each in self.results)
        return collect_tools(target, self.undecorated, results=results)

    def as_words(self) -> list[str]:
        """Write the options as arguments for another process; see `from_words`."""
        first = next(word for word, value in _WORDS.items() if value is self.undecorated)
        return [first, *self.results]

    @classmethod
    def from_words(cls, words: list[str]) -> Functions:
        """Restore the options from the arguments that `as_words` returned."""
        return cls(_WORDS[words[0]], tuple(words[1:]))


def _read_result_option(text: str, target: Any) -> tuple[type, str]:
    """Read `Class=attribute` of `--results`; a bare class is in the module of *target*."""
    name, _, attribute = text.partition("=")
    if not name or not attribute.isidentifier():
        raise TypesigError(f"--results takes Class=attribute, not {format_value(text)}")
    found = load_object(name) if ":" in name else _find_class(name, target)
    if not isinstance(found, type):
        raise TypesigError(f"--results takes a class, and {name} is none")
    return found, attribute


def _find_class(name: str, target: Any) -> Any:
    """Return the object called *name* in the module of *target*."""
    first = target[0] if isinstance(target, list) else target
    module = first
    if not isinstance(first, ModuleType):
        module = sys.modules.get(getattr(first, "__module__", None) or "")
    found = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        home = getattr(module, "__name__", "its module")
        raise TypesigError(
            f"there is no class {format_value(name)} in {home}; write module:Class=attribute"
        )
    return found
