"""A parameter of a callable: one of `inspect`, or the same made faster for a plain function."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple, TypeAlias

EMPTY: Any = inspect.Parameter.empty


class PlainParam(NamedTuple):
    """A parameter of a plain function, with the attributes that `inspect.Parameter` has.

    #: kind: of `inspect.Parameter`; default, annotation: `inspect.Parameter.empty` if there is none
    """

    name: str
    kind: Any
    default: Any = EMPTY
    annotation: Any = EMPTY

    def replace(self, **parts: Any) -> PlainParam:
        """Return the same parameter with other *parts*."""
        return self._replace(**parts)


Param: TypeAlias = inspect.Parameter | PlainParam
