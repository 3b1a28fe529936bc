"""The functions behind `project` of contracts and toolsets, and the table of the engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import Type
from typesig.algebra.traversal import without_notes
from typesig.algebra.views.redaction import redacted_types
from typesig.errors import TypesigError, Unsupported, short
from typesig.notations.json_schema.writing.widening import expressible_types
from typesig.providers.dialects.rows import dialect_of
from typesig.providers.engines.constraint import Constraint
from typesig.providers.engines.engine import Calls, Engine, Whole, Written
from typesig.providers.engines.rows.llguidance import LLGUIDANCE
from typesig.providers.engines.rows.xgrammar import XGRAMMAR
from typesig.providers.rows.provider import EngineName

if TYPE_CHECKING:
    from typesig.algebra.signature import Signature
    from typesig.calls.called import CalledByName

R = TypeVar("R")

ENGINES: dict[EngineName, Engine] = {"llguidance": LLGUIDANCE, "xgrammar": XGRAMMAR}


def engine_of(name: EngineName) -> Engine:
    """Return the row of the engine *name*; raise `Unsupported` if it has none."""
    if name not in ENGINES:
        raise Unsupported(f"nothing is written for {name}; there are {', '.join(ENGINES)}")
    return ENGINES[name]


def constraint_of_answer(
    name: EngineName,
    signature: Signature,
    read: Callable[[str], R],
    options: Mapping[str, Any],
) -> Constraint[R]:
    """Return what the engine *name* takes for the result of *signature*, which *read* reads.

    Raises `TypesigError` for any of *options*.
    """
    _check_options(name, options, ())
    engine = engine_of(name)
    losses: list[Loss] = []
    whole = _whole(signature.returns, signature.names, losses, ("returns",))
    return _made(name, engine.of_answer(engine, whole), losses, read)


def constraint_of_tools(
    name: EngineName,
    tools: CalledByName,
    read: Callable[..., R],
    options: Mapping[str, Any],
) -> Constraint[R]:
    """Return what the engine *name* takes for a text with calls of *tools*.

    *options* has the name of the `dialect` in which calls are spelt, by which *read* reads them.
    Raises `TypesigError` for other options, and for an unknown dialect.
    """
    _check_options(name, options, ("dialect",))
    dialect = dialect_of(options.get("dialect", "hermes"))
    losses: list[Loss] = []
    wholes = {
        one.name: _whole(one.signature.arguments, one.signature.names, losses, (one.name, "params"))
        for one in tools
    }
    engine = engine_of(name)
    written = engine.of_tools(engine, Calls(wholes, dialect))
    return _made(name, written, losses, partial(read, dialect=dialect.name))


def _check_options(name: str, options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for option in options:
        if option not in known:
            there = f"there is {', '.join(known)}" if known else "it has none"
            raise TypesigError(f"{name} has no option {short(option)}; {there}")


def _whole(t: Type, names: Mapping[str, Type], losses: list[Loss], place: tuple[str, ...]) -> Whole:
    """Return *t* as JSON has it, without what a model does not see and without notes."""
    t, names = redacted_types(t, names, losses, place)
    t, names = expressible_types(t, names, losses, place)
    return Whole(
        without_notes(t), {name: without_notes(each) for name, each in names.items()}, place
    )


def _made(
    name: EngineName, written: Written, losses: list[Loss], read: Callable[[str], R]
) -> Constraint[R]:
    found = tuple(dict.fromkeys([*losses, *written.losses]))
    return Constraint(name, written.syntax, written.grammar, found, read)
