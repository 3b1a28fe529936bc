"""OpenAI's custom tools: each takes its arguments as text that follows a grammar.

The calls come back as those of functions do, and `handle` answers them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from typesig.algebra.loss import Loss
from typesig.calls.protocols import ToolLike, ToolsByName
from typesig.errors import TypesigError, Unsupported
from typesig.listings.entries import make_entry
from typesig.providers.engines.engine import CallChoice, Engine, WriteBounds
from typesig.providers.engines.registry import (
    CHOICE_OPTIONS,
    build_arguments_type,
    check_options,
    get_syntax_engine,
    read_choice,
)
from typesig.providers.engines.write_bounds import OPTIONS, read_write_bounds
from typesig.providers.projection import results
from typesig.providers.projection.budgets import LimitFinding
from typesig.providers.projection.projection import Projection, make_left_out_finding
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.rewriting.descriptions import replace_surrogates
from typesig.providers.rewriting.shape_rewriter import RewrittenDocument
from typesig.providers.vendors.openai import OPENAI
from typesig.validation.policy import ModeName, Policy

_INPUT = "The input is one JSON object with the arguments."


class CustomToolsProjection(Projection):
    """The projection of a toolset as OpenAI custom tools with grammars.

    #: syntax: the syntax of the grammars, `lark` or `regex`
    #: request: the arguments of a request: `tools` and, where they were chosen, `tool_choice` and
    #:     `parallel_tool_calls`

    >>> from typesig import tools_of
    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> made = tools_of([double]).project("openai-grammar", syntax="regex")
    >>> made.definitions[0]["type"], made.definitions[0]["format"]["syntax"]
    ('custom', 'regex')
    """

    __slots__ = ("_options", "request", "syntax")
    syntax: str
    request: dict[str, Any]
    _options: Mapping[str, Any]

    def __init__(self, toolset: ToolsByName, options: Mapping[str, Any]) -> None:
        engine, bounds = get_syntax_engine(options), read_write_bounds(options)
        choice, parallel, _ = read_choice(toolset, options)
        profile = OPENAI.profile_of({"api": "responses"})
        super().__init__(toolset, profile, attempt=partial(_try_projecting, engine, bounds))
        request: dict[str, Any] = {"tools": list(self.definitions)}
        if "tool_choice" in options:
            request["tool_choice"] = self._write_choice(choice, options["tool_choice"])
        if not parallel:
            request["parallel_tool_calls"] = False
        for name, part in {
            "syntax": engine.syntax,
            "request": request,
            "_options": options,
        }.items():
            object.__setattr__(self, name, part)

    def _write_choice(self, choice: CallChoice, name: str) -> CallChoice | dict[str, Any]:
        """Write the *choice* of the tool *name* as the API takes it; raise `Unsupported`."""
        if name == choice:
            return choice
        for made in self.tools.values():
            if made.tool.name == name:
                return {"type": "custom", "name": made.name}
        raise Unsupported(f"{name} has no grammar, so that no call of it can be required")

    def __reduce__(self) -> tuple[Any, ...]:
        return make_custom_tools, (self.toolset, self._options)

    def __repr__(self) -> str:
        return f"<custom tools for openai, {self.syntax}: {', '.join(self.tools)}>"


def make_custom_tools(toolset: ToolsByName, options: Mapping[str, Any]) -> CustomToolsProjection:
    """Project *toolset* as OpenAI custom tools, in the grammar `syntax` of *options*.

    *options* may have a choice of tools, and bounds.  Raises `TypesigError` for other options and
    an unknown syntax, and `KeyError` for an unknown tool.
    """
    check_options("openai-grammar", options, ("syntax", *CHOICE_OPTIONS, *OPTIONS))
    return CustomToolsProjection(toolset, options)


def _try_projecting(
    engine: Engine, bounds: WriteBounds, one: ToolLike, name: str, mode: ModeName | Policy | None
) -> tuple[ProjectedTool | str, list[LimitFinding]]:
    """Project a tool under *name*; on failure, return the error and a finding."""
    try:
        return _project_tool(engine, bounds, one, name, mode), []
    except TypesigError as error:
        return str(error), [make_left_out_finding(one, str(error))]


def _project_tool(
    engine: Engine, bounds: WriteBounds, one: ToolLike, name: str, mode: ModeName | Policy | None
) -> ProjectedTool:
    """Project the tool *one* under the legal *name*; *mode* is that of its toolset.

    Raises `TypesigError` if it has no grammar.
    """
    losses: list[Loss] = []
    profile = OPENAI.profile_of({"api": "responses"})
    if name != one.name:
        losses.append(Loss("renamed", (one.name,), "the name", "openai does not take it", name))
    whole = build_arguments_type(one, losses)
    written = engine.of_answer(engine, whole, bounds)
    described = make_entry(name, one.signature, one.description)
    text = replace_surrogates(f"{described}\n{_INPUT}")
    definition = {
        "type": "custom",
        "name": name,
        "description": text,
        "format": {"type": "grammar", "syntax": engine.syntax, "definition": written.grammar},
    }
    found = tuple(dict.fromkeys([*losses, *written.losses]))
    signature = one.signature
    return ProjectedTool(
        one,
        name,
        definition,
        found,
        {},
        text,
        profile,
        mode if one.mode is None else one.mode,
        results.make_result_form(OPENAI, profile, signature, []),
        RewrittenDocument(signature.arguments, signature.names, None, ()),
    )
