"""A callable to its extraction: the signature, the texts, and how the host is reached."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from typesig.algebra.constructors import noted, text_of
from typesig.algebra.nodes import ANY, Field, List, Type
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import references
from typesig.errors import ExtractionError, TypesigError
from typesig.extraction import docstrings, pairs, records
from typesig.extraction.callables import Callee, callee_of
from typesig.extraction.hints import read
from typesig.extraction.plans import Decode, items
from typesig.extraction.reading import Options, Read, Reading
from typesig.extraction.records import MISSING, Part, field_of, marks
from typesig.extraction.resolve import HintScope
from typesig.extraction.texts import UNREAD
from typesig.extraction.warnings import HintWarning

_EMPTY = inspect.Parameter.empty
_VAR_KEYWORD = inspect.Parameter.VAR_KEYWORD


class HostParam(NamedTuple):
    """How one argument reaches the function.

    #: name: the parameter; kind: of `inspect.Parameter`
    #: decode: the algebra value to the host's; nil: whether absence is given as None
    #: optional: whether the function can do without it
    #: injected: whether the host supplies it and the model never sees it
    #: default: the function's own, or `inspect.Parameter.empty`
    """

    name: str
    kind: Any
    decode: Decode
    nil: bool
    optional: bool
    injected: bool
    default: Any = _EMPTY


class Extraction(NamedTuple):
    """What was found out about a callable.

    #: name: what it is called
    #: signature: what it takes and gives, None where there is no hint to go by
    #: description: the first paragraph of its docstring, or None; details: the other ones
    #: warnings: what the signature does not say as the function does
    #: params: how each argument reaches it
    #: returns: how an answer of the result's type is decoded
    #: exact: whether ints reach the function as they were sent, where a float is asked for
    #: abstract: whether the result may be any collection, a set too
    #: pair: whether the result is one of `("ok", value)` and `("error", reason)`
    """

    name: str
    signature: Signature | None
    description: str | None
    warnings: tuple[HintWarning, ...]
    params: tuple[HostParam, ...] = ()
    returns: Decode = None
    pair: bool = False
    exact: bool = False
    abstract: bool = False
    ptc_runner: bool = False
    details: str | None = None


def extract(
    callable: Callable[..., Any],
    *,
    strict: bool = False,
    profile: str = "python",
    optional: str = "loose",
    recursive: bool = False,
    max_depth: int = 3,
    injected: Iterable[Any] = (),
) -> Extraction:
    """Return name, signature, description and warnings of a callable.

    A hint that cannot be said becomes `:any` with a warning; *strict* makes warnings an
    `ExtractionError`.  *profile* "seed" gives seed 003's types, *optional* "exact" keeps `T | None`
    from being optional, *recursive* names types that refer to themselves, *max_depth* counts
    records within records, *injected* holds classes and names of parameters that the host supplies.

    >>> def area(width: float, height: float = 1.0) -> float:
    ...     "The area of a rectangle."
    >>> found = extract(area)
    >>> str(found.signature), found.description
    ('(width :float, height :float = 1.0) -> :float', 'The area of a rectangle.')
    """
    options = Options(strict, profile, optional, recursive, max_depth, tuple(injected)).checked()
    return extracted(callee_of(callable), options)


def extracted(callee: Callee, options: Options) -> Extraction:
    """Return the extraction of a callable that was taken apart."""
    reading = Reading(options, callee.scope)
    reading.owner = callee.owner
    reading.variables.append(callee.variables)
    doc = docstrings.read_docstring(callee.doc)
    if callee.params is None or not _hinted_at_all(callee, doc):
        return Extraction(callee.name, None, doc.text, (), details=doc.details)
    if callee.overloads > 1 and options.strict:
        raise ExtractionError(
            f"{callee.name} has {callee.overloads} overloads; give an explicit signature"
        )
    fields: list[Field] = []
    hosts: list[HostParam] = []
    extra: Type | None = ANY
    for param in callee.params:
        unpacked = _unpacked(reading, param) if param.kind is _VAR_KEYWORD else None
        if unpacked is not None:
            fields.extend(field for field, _ in unpacked)
            hosts.extend(host for _, host in unpacked)
            continue
        found = _param(reading, param, doc)
        if isinstance(found, Read):
            extra = found.type
            hosts.append(HostParam(param.name, param.kind, found.decode, False, True, False))
            continue
        field, host = found
        hosts.append(host)
        if field is not None:
            fields.append(field)
    returns, pair = _result(reading, callee, doc)
    _unknown_texts(reading, callee, doc)
    signature = _assembled(callee.name, fields, returns.type, reading, extra)
    if options.strict and reading.warnings:
        lines = "\n".join(f"- {warning}" for warning in reading.warnings)
        raise ExtractionError(f"{callee.name} cannot be extracted without loss:\n{lines}")
    return Extraction(
        callee.name,
        signature,
        doc.text,
        tuple(reading.warnings),
        tuple(hosts),
        returns.decode,
        pair,
        reading.exact,
        reading.abstract,
        options.profile == "ptc_runner",
        doc.details,
    )


def _hinted_at_all(callee: Callee, doc: docstrings.Doc) -> bool:
    # Without parameters there is nothing that a hint could be missing on.
    if not callee.params or callee.returns is not _EMPTY:
        return True
    return any(p.annotation is not _EMPTY or p.name in doc.types for p in callee.params)


def _written(reading: Reading, text: str) -> Any:
    """Return the hint that a docstring writes as *text*, with the words of docstrings at hand."""
    from typesig.extraction.documented import names_of_hints

    reading.documented = True
    return records.opened(
        text, HintScope(names_of_hints(), *reading.scope.spaces, module=reading.scope.module)
    )


def _assembled(
    name: str, fields: list[Field], returns: Type, reading: Reading, extra: Type | None
) -> Signature:
    asked = [*(field.type for field in fields), returns, *([] if extra is None else [extra])]
    try:
        return Signature(fields, returns, _used(reading.definitions, asked), extra)
    except TypesigError as error:
        raise ExtractionError(f"{name}: {error}; or give an explicit signature") from None


def _used(known: dict[str, Type], asked: list[Type]) -> dict[str, Type]:
    """Return those of *known* that *asked* lead to: what became `:any` leaves others behind."""
    found: dict[str, Type] = {}
    while known and asked:
        for name in references(asked.pop()) & known.keys() - found.keys():
            found[name] = known[name]
            asked.append(known[name])
    return found


def _param(
    reading: Reading, param: inspect.Parameter, doc: docstrings.Doc
) -> tuple[Field | None, HostParam] | Read:
    """Return the field of a parameter and its host side, or what `**kwargs` take."""
    name, kind, hint, given = param.name, param.kind, param.annotation, param.default
    reading.documented = False
    if kind is _VAR_KEYWORD:
        with reading.at(f"**{name}"):
            held = Read(ANY) if hint is _EMPTY else read(reading, hint)
            return held._replace(type=noted(held.type, doc.params.get(name)))
    notes = None if hint is _EMPTY else marks(hint, reading.scope)
    if (notes is not None and notes.injected) or _supplied(reading, param):
        return None, HostParam(name, kind, None, False, given is not _EMPTY, True, given)
    hint = hint if hint is not _EMPTY else _hinted(reading, param, doc)
    if given is not _EMPTY and _is_callable(reading, hint):
        # A model has no function to send: the default holds, or what the host gives.
        return None, HostParam(name, kind, None, False, True, True, given)
    if kind is inspect.Parameter.VAR_POSITIONAL and (spread := _spread(reading, hint)):
        with reading.at(f"*{name}"):
            whole = read(reading, spread)
        t = noted(whole.type, doc.params.get(name))
        # `*args: *tuple[int, ...]` is `*args: int`, which may be none.
        free = isinstance(whole.type, List)
        host = HostParam(name, kind, whole.decode, False, free, False)
        return Field(name, t, not free), host
    if kind is inspect.Parameter.VAR_POSITIONAL:
        with reading.at(f"*{name}"):
            item = read(reading, hint)
        t = noted(List(item.type), doc.params.get(name))
        return Field(name, t, False), HostParam(name, kind, items(item.decode), False, True, False)
    default = MISSING if given is _EMPTY else given
    # In a dataclass's signature it stands for a default that is made anew.
    made = type(default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"
    shown = MISSING if made else default
    part = Part(name, hint, True, shown, made, text=doc.params.get(name))
    field, plan = field_of(reading, part, notes)
    optional = default is not MISSING
    host = HostParam(name, kind, plan.decode, plan.nil, optional, False, given)
    return field, host


def _supplied(reading: Reading, param: inspect.Parameter) -> bool:
    """Tell whether the options say, by its name or its class, that the host supplies *param*."""
    injected = reading.options.injected
    if not injected or param.name in injected:
        return bool(injected)
    hint = records.opened(param.annotation, reading.scope)
    branches = typing.get_args(hint) or (hint,)
    return any(branch is given for branch in branches for given in injected)


def _is_callable(reading: Reading, hint: Any) -> bool:
    hint = records.opened(hint, reading.scope)
    if isinstance(hint, type):
        return hint is Callable
    origin = typing.get_origin(hint)
    branches = hint.__args__ if origin in (typing.Union, types.UnionType) else (hint,)
    kinds = [b for b in branches if b is not type(None) and b is not None]
    return bool(kinds) and all((typing.get_origin(kind) or kind) is Callable for kind in kinds)


def _spread(reading: Reading, hint: Any) -> Any:
    """Return the tuple that `*args: *tuple[A, B]` takes (PEP 646), None where *hint* is another."""
    if isinstance(hint, str):
        if not hint.lstrip().startswith("*"):
            return None
        hint = records.opened(hint.lstrip()[1:], reading.scope)
        return hint if typing.get_origin(hint) is tuple else None
    if getattr(hint, "__unpacked__", False):
        return typing.get_origin(hint)[typing.get_args(hint)]
    return None


def _unpacked(reading: Reading, param: inspect.Parameter) -> list[tuple[Field, HostParam]] | None:
    """Return the parameters that `**kwargs: Unpack[TD]` stands for (PEP 692), or None."""
    with reading.at(f"**{param.name}"):
        found = records.unpacked(reading, param.annotation)
    if found is None:
        return None
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        (field, HostParam(field.name, kind, plan.decode, plan.nil, not field.required, False))
        for field, plan in found
    ]


def _hinted(reading: Reading, param: inspect.Parameter, doc: docstrings.Doc) -> Any:
    """Return the hint of *param*, which has none of its own."""
    if param.name in doc.types:
        return _written(reading, doc.types[param.name])
    with reading.at(param.name):
        reading.warn("", "it has no hint, so it became :any", "write one, or Any")
    return Any


def _result(reading: Reading, callee: Callee, doc: docstrings.Doc) -> tuple[Read, bool]:
    """Return the result's type, and whether it is an ok/error pair."""
    reading.output, reading.documented = True, False
    hint, pair = callee.returns, False
    with reading.at("returns"):
        if hint is _EMPTY and doc.returned is not None:
            found = read(reading, _written(reading, doc.returned))
        elif hint is _EMPTY:
            found = Read(ANY)
        else:
            branches = pairs.branches_of(hint, reading.scope)
            pair = branches is not None
            found = read(reading, hint) if branches is None else pairs.pair(reading, *branches)
    if doc.returns is not None and text_of(found.type) is None:
        found = Read(noted(found.type, doc.returns), found.decode, found.nil)
    return found, pair


def _unknown_texts(reading: Reading, callee: Callee, doc: docstrings.Doc) -> None:
    for text in doc.unread:
        reading.warn(text, *UNREAD)
    if not docstrings.unknown_params(doc, callee.names):
        return
    params = callee.params or ()
    if any(param.kind is _VAR_KEYWORD for param in params):
        return
    known = {param.name for param in params} | {"self", "cls"} | callee.names
    for name in docstrings.unknown_params(doc, known):
        with reading.at(name):
            reading.warn("", "the docstring speaks of it, and there is no such parameter",
                         "take it out, or mend its name")  # fmt: skip
