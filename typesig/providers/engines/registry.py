"""The engines, one row each, and the functions behind `project` of contracts and toolsets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, Record, Type
from typesig.algebra.redaction import redact_types
from typesig.algebra.traversal import drop_annotations
from typesig.errors import TypesigError, format_value
from typesig.notations.json_schema.widening import make_expressible_types
from typesig.notations.json_schema.writer import STANDARD, Style
from typesig.patterns import to_raw_pattern, to_rust_pattern, to_whole_pattern
from typesig.providers.dialects.registry import get_dialect
from typesig.providers.engines.engine import (
    CallChoice,
    Constraint,
    Engine,
    EngineGrammar,
    RootType,
    SchemaSupport,
    ToolCalls,
    find_llguidance_refusal,
    write_accepted,
)
from typesig.providers.engines.lowering import write_answer_schema
from typesig.providers.engines.write_bounds import OPTIONS, read_write_bounds
from typesig.providers.grammars.builder import ENFORCED
from typesig.providers.grammars.grammars import write_answer_grammar, write_tools_grammar
from typesig.providers.registry.provider import EngineName

if TYPE_CHECKING:
    from typesig.algebra.signature import Signature
    from typesig.calls.protocols import ToolLike, ToolsByName


# --- The engines, one row each ---

_FOR_LLGUIDANCE = SchemaSupport(
    formats=dict.fromkeys(("duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"), ""),
    takes=lambda pattern: to_rust_pattern(pattern) is not None,
)
# What it refuses depends on the whole schema: a pattern of keys beside a declared key that leads
# back to the object, a pattern that no text of the length matches, an automaton that is too large.
_LESS = _FOR_LLGUIDANCE._replace(lengths_beside=False, many_patterns=False)
_WITHOUT_KEYS = _LESS._replace(key_patterns=False)
_WITHOUT_PATTERNS = _WITHOUT_KEYS._replace(takes=lambda _: False)
_WITHOUT_SIZES = _WITHOUT_PATTERNS._replace(lengths=False, most_size=255)

#: llguidance: JSON Schema, of which it enforces most, and refuses the rest.
LLGUIDANCE = Engine(
    name="llguidance",
    title="llguidance",
    source="llguidance 1.9.1, docs/json_schema.md",
    syntax="json_schema",
    calls="lark",
    enforces=_FOR_LLGUIDANCE,
    style=Style(falses=True, opening=True, pattern=to_rust_pattern),
    has_schemas=True,
    of_answer=write_answer_schema,
    of_tools=write_tools_grammar,
    weaker=(_LESS, _WITHOUT_KEYS, _WITHOUT_PATTERNS, _WITHOUT_SIZES),
    find_refusal=find_llguidance_refusal,
)

#: XGrammar: JSON Schema, of which it ignores what it does not enforce.
XGRAMMAR = Engine(
    name="xgrammar",
    title="XGrammar",
    source="XGrammar 0.2.8, compile_json_schema as it is by default",
    syntax="json_schema",
    calls="structural_tag",
    enforces=SchemaSupport(
        # Within a length or a pattern it takes no character that JSON writes as an escape.
        raw_length=255,
        formats=dict.fromkeys(
            ("duration", "ipv6", "json-pointer", "relative-json-pointer", "uuid"), ""
        )
        | {"email": "an address whose domain ends in two letters or more"},
        takes=lambda pattern: to_raw_pattern(pattern) is not None,
        narrows=lambda pattern: to_whole_pattern(pattern) is None,
        many_patterns=False,
        lengths_beside=False,
        open_patterns=False,
        forbidden=False,
        steps="integers",
        bounded_steps=False,
        long_constants=True,
    ),
    style=Style(opening=True, pattern=to_raw_pattern),
    has_schemas=True,
    of_answer=write_answer_schema,
    of_tools=write_tools_grammar,
)

#: llama.cpp: grammars in GBNF.
GBNF = Engine(
    name="gbnf",
    title="GBNF",
    source="github.com/ggml-org/llama.cpp, grammars/README.md",
    syntax="gbnf",
    calls="gbnf",
    enforces=ENFORCED,
    style=STANDARD,
    has_schemas=False,
    of_answer=write_answer_grammar,
    of_tools=write_tools_grammar,
)

#: OpenAI's custom tools: grammars in Lark, or regular expressions.
LARK = replace(
    GBNF,
    name="openai-grammar",
    title="OpenAI's grammars",
    source="github.com/openai/openai-cookbook, examples/gpt-5/gpt-5_new_params_and_tools.ipynb",
    syntax="lark",
    calls="lark",
)

REGEX = replace(LARK, syntax="regex")


# --- The functions behind `project` of contracts and toolsets ---

R = TypeVar("R")


ENGINES: dict[EngineName, Engine] = {each.name: each for each in (LLGUIDANCE, XGRAMMAR, GBNF, LARK)}


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
