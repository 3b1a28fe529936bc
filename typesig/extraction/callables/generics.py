"""Generic classes and named hints: type variables, their values, and aliases."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable
from typing import Any

# --- Type variables of generic classes, and their values in subclasses ---

#: The class of `Literal[…]`.
LITERAL = type(typing.Literal[0])
#: The classes of unions: of `Union[…]` and of `X | Y`, which are one from Python 3.14 on.
UNIONS = (type(typing.Union[int, str]), types.UnionType)  # noqa: UP007 - the other is the second
#: The classes of hints that cannot carry a mark: a class, and `list[T]`.
BARE = (type, types.GenericAlias)


def is_variable(argument: Any) -> bool:
    """Whether *argument* is a type variable."""
    return type(argument).__name__ == "TypeVar"


def get_type_params(owner: Any) -> tuple[Any, ...]:
    """Return the type parameters of a class or a function, as PEP 695 writes them."""
    return _get_own_tuple(owner, "__type_params__")


def get_parameters(cls: Any) -> tuple[Any, ...]:
    """Return the type parameters of a generic class."""
    return _get_own_tuple(cls, "__parameters__") or get_type_params(cls)


def _get_own_tuple(owner: Any, name: str) -> tuple[Any, ...]:
    """Return the attribute *name* of *owner* if it is a tuple, else an empty tuple."""
    try:
        # On `types.FunctionType` it is the descriptor of an attribute of functions.
        found = getattr(owner, name, ())
    except Exception:
        # The metaclass of a stranger's class may raise anything.
        return ()
    return found if isinstance(found, tuple) else ()


def collect_inherited(
    cls: Any, known: dict[Any, Any], seen: set[tuple[int, ...]] | None = None
) -> dict[Any, Any]:
    """Add the type arguments that *cls* gives to its generic bases to *known*.

    *seen* has the bases with their arguments, by their ids, that were read already.
    """
    out = dict(known)
    seen = set() if seen is None else seen
    for base in getattr(cls, "__orig_bases__", ()):
        origin = typing.get_origin(base)
        if origin is None and not isinstance(base, type):
            continue
        params = get_parameters(origin)
        given = [substitute_variables(argument, out) for argument in typing.get_args(base)]
        bound = [out.get(a, a) if is_variable(a) else a for a in getattr(base, "__args__", ())]
        place = (id(origin or base), *map(id, bound))
        if place in seen:
            continue
        seen.add(place)
        if params and origin is not typing.Generic:
            out = {**collect_inherited(origin, _bind_variables(params, given), seen), **out}
        elif isinstance(base, type):
            out = {**collect_inherited(base, {}, seen), **out}
    return out


def find_variables(hint: Any, owner: Any) -> dict[Any, Any]:
    """Map the type variables of the base class *owner* to their types in *hint*.

    >>> from collections import UserList
    >>> find_variables(UserList, list)
    {}
    """
    cls = typing.get_origin(hint) or hint
    params = get_parameters(cls)
    return _find_in_bases(cls, dict(zip(params, typing.get_args(hint), strict=False)), owner)


def _find_in_bases(cls: Any, known: dict[Any, Any], owner: Any) -> dict[Any, Any]:
    """Map the variables of base *owner* to types, from *known* variables of *cls*."""
    if cls is owner:
        return known
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        origin = typing.get_origin(base) or base
        if isinstance(origin, type) and owner in origin.__mro__:
            given = [substitute_variables(argument, known) for argument in typing.get_args(base)]
            return _find_in_bases(origin, _bind_variables(get_parameters(origin), given), owner)
    return {}


def _bind_variables(params: Any, given: list[Any]) -> dict[Any, Any]:
    """Map the type variables *params* to the types *given*, omitting unbound variables."""
    # A variable that stands for a variable, possibly for itself, is not bound.
    return {p: a for p, a in zip(params, given, strict=False) if not is_variable(a)}


def substitute_variables(argument: Any, known: dict[Any, Any]) -> Any:
    """Return *argument* with its type variables replaced by their values."""
    if is_variable(argument):
        return known.get(argument, argument)
    inner: Any = argument
    params = () if isinstance(argument, type) else getattr(inner, "__parameters__", ())
    return inner[tuple(known.get(param, param) for param in params)] if params else argument


# --- Named hints: `type X = …`, and names whose value may refer to them again ---

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
