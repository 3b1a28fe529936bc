"""What a notation is made of: the functions that read and write it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.algebra.signature import Signature


class Language(NamedTuple):
    """The functions of a notation.

    #: parse: what is written to a signature
    #: render: a signature to what is written, appending what could not be said to a list;
    #:     its third argument asks for the result type alone, options follow by name
    #: expressible: what reading back what is written gives, the signature itself where all can
    #:     be said; it takes the same options
    #: options: the names of what may be asked for, such as names of parameters
    """

    parse: Callable[[Any], Signature]
    render: Callable[..., Any]
    expressible: Callable[..., Signature]
    options: frozenset[str] = frozenset()
