"""The classes of the commonest generic hints, which tell what a hint is faster than its origin."""

from __future__ import annotations

import types
import typing

#: The class of `Literal[…]`.
LITERAL = type(typing.Literal[0])
#: The classes of unions: of `Union[…]` and of `X | Y`, which are one from Python 3.14 on.
UNIONS = (type(typing.Union[int, str]), types.UnionType)  # noqa: UP007 - the other is the second
#: The classes of hints that cannot carry a mark: a class, and `list[T]`.
BARE = (type, types.GenericAlias)
