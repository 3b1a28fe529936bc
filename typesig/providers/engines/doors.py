"""The functions behind `project` of contracts and toolsets, and the table of the engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, Record, Type
from typesig.algebra.traversal import without_notes
from typesig.algebra.views.redaction import redacted_types
from typesig.errors import TypesigError, short
from typesig.notations.json_schema.writing.widening import expressible_types
from typesig.providers.dialects.rows import dialect_of
from typesig.providers.engines.constraint import Constraint
from typesig.providers.engines.engine import Calls, Engine, Whole, Written
from typesig.providers.engines.rows import GBNF, LARK, LLGUIDANCE, REGEX, XGRAMMAR
from typesig.providers.rows.provider import ENGINE_NAMES, EngineName

if TYPE_CHECKING:
    from typesig.algebra.signature import Signature
    from typesig.calls.called import Called, CalledByName

R = TypeVar("R")


def _row_of(name: EngineName) -> Engine:
    # Unlike a table, a match that lacks a name is refused by the type checker.
    match name:
        case "llguidance":
            return LLGUIDANCE
        case "xgrammar":
            return XGRAMMAR
        case "gbnf":
            return GBNF
        case "openai-grammar":
            return LARK
        case _:
            assert_never(name)


ENGINES: dict[EngineName, Engine] = {name: _row_of(name) for name in ENGINE_NAMES}


def constraint_of_answer(
    name: EngineName, signature: Signature, read: Callable[[str], R], options: Mapping[str, Any]
) -> Constraint[R]:
    """Return what the engine *name* takes for the result of *signature*, which *read* reads.

    *options* has, for OpenAI, the `syntax`.  Raises `TypesigError` for any other.
    """
    check_options(name, options, ("syntax",) if name == LARK.name else ())
    engine = syntax_row(options) if name == LARK.name else ENGINES[name]
    losses: list[Loss] = []
    whole = _whole(signature.returns, signature.names, losses, ("returns",))
    return _made(name, engine.of_answer(engine, whole), losses, read)


def syntax_row(options: Mapping[str, Any]) -> Engine:
    """Return the row of OpenAI's grammars in the `syntax` of *options*; raise `TypesigError`."""
    match options.get("syntax", "lark"):
        case "lark":
            return LARK
        case "regex":
            return REGEX
        case other:
            raise TypesigError(f"there is no syntax {short(other)}; there are lark, regex")


def constraint_of_tools(
    name: EngineName, tools: CalledByName, read: Callable[..., R], options: Mapping[str, Any]
) -> Constraint[R]:
    """Return what the engine *name* takes for a text with calls of *tools*.

    *options* has the name of the `dialect` in which calls are spelt, by which *read* reads them.
    Raises `TypesigError` for other options, and for an unknown dialect.
    """
    check_options(name, options, ("dialect",))
    dialect = dialect_of(options.get("dialect", "hermes"))
    losses: list[Loss] = []
    wholes = {one.name: whole_of_tool(one, losses) for one in tools}
    engine = ENGINES[name]
    written = engine.of_tools(engine, Calls(wholes, dialect))
    return _made(name, written, losses, partial(read, dialect=dialect.name))


def whole_of_tool(one: Called, losses: list[Loss]) -> Whole:
    """Return what a model may send to *one*; add to *losses* what is not said.

    An undeclared argument that would only be left out is none of it.
    """
    t = one.signature.arguments
    takes_any = one.binding.takes_any and not one.binding.explicit
    if t.extra == ANY and not takes_any:
        t = Record(t.fields, None, t.matching)
    return _whole(t, one.signature.names, losses, (one.name, "params"))


def check_options(name: str, options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """Raise `TypesigError` for an option of the engine *name* that is none of *known*."""
    for option in options:
        if option not in known:
            there = f"there is {', '.join(known)}" if known else "it has none"
            raise TypesigError(f"{name} has no option {short(option)}; {there}")


def _whole(t: Type, names: Mapping[str, Type], losses: list[Loss], place: tuple[str, ...]) -> Whole:
    """Return *t* as JSON has it, without what a model does not see and without notes."""
    t, names = redacted_types(t, names, losses, place)
    # Without its notes, a map of texts to anything is a scalar, which only widening takes.
    t, names = without_notes(t), {name: without_notes(each) for name, each in names.items()}
    return Whole(*expressible_types(t, names, losses, place), place)


def _made(
    name: EngineName, written: Written, losses: list[Loss], read: Callable[[str], R]
) -> Constraint[R]:
    found = tuple(dict.fromkeys([*losses, *written.losses]))
    return Constraint(name, written.syntax, written.grammar, found, read)
