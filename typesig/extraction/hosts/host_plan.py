"""Call plans: how arguments are decoded for a function and its result is encoded."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.extraction.callables.params import EMPTY, ParamKind
from typesig.extraction.hosts.decoders import Decode
from typesig.extraction.hosts.encoders import Encode

if TYPE_CHECKING:
    from typesig.extraction.hosts.result_bounds import Bounds
    from typesig.extraction.hosts.spellings import Spellings


class HostParam(NamedTuple):
    """The plan to pass a single argument to a function.

    #: name: the parameter; kind: its own
    #: decode: the algebra value to the host's value
    #: nil: whether the function gets None if the argument is left out
    #: optional: whether the function can do without it
    #: injected: whether the host supplies it and the model never sees it
    #: default: the function's own, or `EMPTY`
    #: formless: whether it is injected only since its hint has no JSON form
    #: fill: makes the argument if it is left out and the function's own default is no argument
    #: supplied: the class of `HostSupplied` that its hint names, or None
    #: keeps_default: whether an argument that is left out gets the function's default, and not that
    #:     of the signature
    """

    name: str
    kind: ParamKind
    decode: Decode = None
    nil: bool = False
    optional: bool = False
    injected: bool = False
    default: Any = EMPTY
    formless: bool = False
    fill: Callable[[], Any] | None = None
    supplied: type | None = None
    keeps_default: bool = True


class HostPlan(NamedTuple):
    """The plan to call a function and to encode its result.

    #: params: how each argument reaches the function
    #: returns: how an answer of the result's type is decoded
    #: encode: where serializers stand in the result
    #: pair: whether the result is one of `("ok", value)` and `("error", reason)`
    #: exact: whether ints reach the function as they were sent, where a float is asked for
    #: abstract: whether the result may be any collection, a set too
    #: ptc_runner: whether the types are those of PtcRunner
    #: spellings: the other names that records take for their fields
    #: bounds: what checks the values of host types that have bounds
    #: secrets: the names of fields with secrets
    #: foreign: whether a server of others takes and returns the values; see `other_format`
    #: strict: the places in the arguments, by names, whose values are not coerced
    """

    params: tuple[HostParam, ...] = ()
    returns: Decode = None
    encode: Encode = None
    pair: bool = False
    exact: bool = False
    abstract: bool = False
    ptc_runner: bool = False
    spellings: Spellings = MappingProxyType({})
    bounds: Bounds = MappingProxyType({})
    secrets: frozenset[str] = frozenset()
    foreign: bool = False
    strict: frozenset[tuple[str, ...]] = frozenset()
