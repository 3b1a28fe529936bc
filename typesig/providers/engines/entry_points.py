"""The functions behind `project` of contracts and toolsets, and the table of the engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, Record, Type
from typesig.algebra.redaction import redact_types
from typesig.algebra.traversal import drop_annotations
from typesig.errors import TypesigError, format_value
from typesig.notations.json_schema.widening import make_expressible_types
from typesig.providers.dialects.rows import get_dialect
from typesig.providers.engines.constraint import Constraint
from typesig.providers.engines.engine import (
    CallChoice,
    Engine,
    EngineGrammar,
    RootType,
    ToolCalls,
)
from typesig.providers.engines.rows import GBNF, LARK, LLGUIDANCE, REGEX, XGRAMMAR
from typesig.providers.engines.trials import write_accepted
from typesig.providers.engines.write_bounds import OPTIONS, read_write_bounds
from typesig.providers.rows.provider import ENGINE_NAMES, EngineName

if TYPE_CHECKING:
    from typesig.algebra.signature import Signature
    from typesig.calls.protocols import ToolLike, ToolsByName


R = TypeVar("R")


def _get_engine(name: EngineName) -> Engine:
    """Return the engine called *name*."""
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


ENGINES: dict[EngineName, Engine] = {name: _get_engine(name) for name in ENGINE_NAMES}


def build_answer_constraint(
    name: EngineName, signature: Signature, read: Callable[[str], R], options: Mapping[str, Any]
) -> Constraint[R]:
    """Constraint of the engine *name* for the result of *signature*.

    *options* has the bounds and, for OpenAI, the `syntax`.  Raises `TypesigError` for any other.
    """
    check_options(name, options, (*(("syntax",) if name == LARK.name else ()), *OPTIONS))
    engine = get_syntax_engine(options) if name == LARK.name else ENGINES[name]
    losses: list[Loss] = []
    whole = _prepare_type(signature.returns, signature.names, losses, ("returns",))
    bounds = read_write_bounds(options)
    written = write_accepted(engine, whole.place, lambda each: each.of_answer(each, whole, bounds))
    return _make_constraint(name, written, losses, read)


def get_syntax_engine(options: Mapping[str, Any]) -> Engine:
    """Return the engine of OpenAI grammars for the `syntax` in *options*."""
    match options.get("syntax", "lark"):
        case "lark":
            return LARK
        case "regex":
            return REGEX
        case other:
            raise TypesigError(f"there is no syntax {format_value(other)}; there are lark, regex")


def build_tools_constraint(
    name: EngineName, tools: ToolsByName, read: Callable[..., R], options: Mapping[str, Any]
) -> Constraint[R]:
    """Constraint of the engine *name* for a text with calls of *tools*.

    *options* has the name of the `dialect` in which calls are spelt, by which *read* reads them,
    the choice of tools, and the bounds.  Raises `TypesigError` for other options and an unknown
    dialect, and `KeyError` for an unknown tool.
    """
    check_options(name, options, ("dialect", *CHOICE_OPTIONS, *OPTIONS))
    dialect = get_dialect(options.get("dialect", "hermes"))
    choice, parallel, chosen = read_choice(tools, options)
    losses: list[Loss] = []
    wholes = {one.name: build_arguments_type(one, losses) for one in chosen}
    calls = ToolCalls(wholes, dialect, read_write_bounds(options), choice, parallel)
    written = write_accepted(ENGINES[name], (), lambda each: each.of_tools(each, calls))
    return _make_constraint(name, written, losses, partial(read, dialect=dialect.name))


#: The options that say which tools a model calls.
CHOICE_OPTIONS = ("tool_choice", "parallel")


def read_choice(
    tools: ToolsByName, options: Mapping[str, Any]
) -> tuple[CallChoice, bool, list[ToolLike]]:
    """Read `tool_choice` and `parallel` of *options*, and the tools of *tools* that may be called.

    Raises `KeyError` for an unknown tool, and `TypesigError` for other values.
    """
    choice, parallel = options.get("tool_choice", "auto"), options.get("parallel", True)
    if type(parallel) is not bool:
        raise TypesigError(f"parallel is True or False, not {format_value(parallel)}")
    match choice:
        case "auto" | "required" | "none":
            return choice, parallel, list(tools)
        case str():
            return "required", parallel, [tools[choice]]
        case _:
            raise TypesigError(
                "tool_choice is 'auto', 'required', 'none' or the name of a tool, not "
                f"{format_value(choice)}"
            )


def build_arguments_type(one: ToolLike, losses: list[Loss]) -> RootType:
    """Build the argument type of the tool *one*; append the losses to *losses*.

    An undeclared argument that would only be left out is none of it.
    """
    t = one.signature.arguments
    takes_any = one.binding.takes_any and not one.binding.explicit
    if t.extra == ANY and not takes_any:
        t = Record(t.fields, None, t.matching)
    made = _prepare_type(t, one.signature.names, losses, (one.name, "params"))
    return made._replace(is_arguments=True)


def check_options(name: str, options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """Raise `TypesigError` for an option of the engine *name* that is none of *known*."""
    for option in options:
        if option not in known:
            there = f"there is {', '.join(known)}" if known else "it has none"
            raise TypesigError(f"{name} has no option {format_value(option)}; {there}")


def _prepare_type(
    t: Type, names: Mapping[str, Type], losses: list[Loss], place: tuple[str, ...]
) -> RootType:
    """Expressible form of *t*, without firewalled parts and annotations."""
    t, names = redact_types(t, names, losses, place)
    # Without its notes, a map of texts to anything is a scalar, which only widening takes.
    t, names = drop_annotations(t), {name: drop_annotations(each) for name, each in names.items()}
    return RootType(*make_expressible_types(t, names, losses, place), place)


def _make_constraint(
    name: EngineName, written: EngineGrammar, losses: list[Loss], read: Callable[[str], R]
) -> Constraint[R]:
    """Make a constraint from a *written* grammar; *read* reads the model's text."""
    found = tuple(dict.fromkeys([*losses, *written.losses]))
    return Constraint(name, written.syntax, written.grammar, found, read)
