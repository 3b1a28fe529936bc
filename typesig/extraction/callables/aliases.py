"""Named hints: `type X = …`, and names whose value may refer to them again."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable
from typing import Any

#: The most characters of a name that is made of a hint in text.
_LONGEST = 60


class TextHintName:
    """A hashable name for a hint in text, distinct from equal text in other scopes.

    #: key: what tells it apart from others; kept: the objects whose ids are in the key
    """

    __slots__ = ("__name__", "kept", "key")

    def __init__(self, text: str, *kept: Any) -> None:
        self.__name__ = make_name(text)
        self.key = (text, *map(id, kept))
        self.kept = kept

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.key == self.key

    def __hash__(self) -> int:
        return hash(self.key)


class Alias(TextHintName):
    """A name in a module whose value is evaluated on access, as in `type X = …`.

    The value may refer to the name again.

    #: params: its type parameters if it declares them, else those of its value are
    """

    # Without slots, since one cannot be called `__module__`.

    def __init__(
        self, name: str, module: Any, value: Callable[[], Any], params: tuple[Any, ...] = ()
    ) -> None:
        super().__init__(name, module)
        self.__module__ = module.__name__
        self._value = value
        self.params = params

    @property
    def __value__(self) -> Any:
        """The value of the name; raises `NameError` if a name in it is not defined."""
        return self._value()

    @property
    def __type_params__(self) -> tuple[Any, ...]:
        return self.params or tuple(getattr(self.__value__, "__parameters__", ()))

    def __repr__(self) -> str:
        return self.__name__

    def __call__(self) -> None:
        """Do nothing; typing accepts callables as types."""

    def __getitem__(self, arguments: Any) -> Any:
        generic: Any = types.GenericAlias
        return generic(self, arguments)


class GenericKey:
    """A hashable key for a generic class or alias with arguments, such as `Tree[int]`."""

    __slots__ = ("__name__", "arguments", "generic")

    def __init__(self, generic: Any, arguments: tuple[Any, ...]) -> None:
        self.__name__ = generic.__name__
        self.generic = generic
        self.arguments = arguments

    def __eq__(self, other: object) -> bool:
        is_same = isinstance(other, GenericKey) and self.generic == other.generic
        return is_same and self.arguments == other.arguments  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.generic, self.arguments))


def is_alias(hint: Any) -> bool:
    """Whether *hint* is a name with a value, such as `type X = …` makes."""
    return type(hint) is Alias or type(hint).__name__ == "TypeAliasType"


def get_generic(key: Any) -> Any:
    """Return the class or alias of *key*, without type arguments."""
    return key.generic if type(key) is GenericKey else key


def make_key(generic: Any, arguments: tuple[Any, ...]) -> Any:
    """Return a hashable key of *generic* with its type arguments."""
    return GenericKey(generic, arguments) if arguments else generic


def count_arguments(key: Any) -> int:
    """Count the hints in the type arguments of the generic class or alias *key*."""
    pending = [*key.arguments] if type(key) is GenericKey else []
    size = 0
    while pending:
        size += 1
        pending.extend(typing.get_args(pending.pop()))
    return size


def make_name(text: str) -> str:
    """Make an identifier for the hint *text*: `Item` for `shop.Item`.

    >>> make_name("shop.Item"), make_name("list[Item]")
    ('Item', 'list_Item')
    """
    last = text.strip().rpartition(".")[2]
    name = last if last.isidentifier() else "_".join(re.findall(r"[^\W\d]\w*", text))
    return name[:_LONGEST] or "Hint"
