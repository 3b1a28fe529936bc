"""OpenAI's custom tools: the input of each is text by a grammar, the JSON object of its arguments.

The calls come back as those of functions do, and `handle` answers them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import NIL
from typesig.algebra.signature import Signature
from typesig.calls.binding import names_from_host
from typesig.calls.called import Called, CalledByName, renamed
from typesig.errors import TypesigError
from typesig.listings.listing import make_entry
from typesig.providers.engines.doors import check_options, syntax_row, whole_of_tool
from typesig.providers.engines.engine import Engine
from typesig.providers.projection import results
from typesig.providers.projection.budgets import Finding
from typesig.providers.projection.projected import Projected
from typesig.providers.projection.projection import Projection, left_out
from typesig.providers.rewriting.describing import sendable
from typesig.providers.vendors.openai import OPENAI
from typesig.validation.rows.policy import ModeName, Policy

_INPUT = "The input is one JSON object with the arguments."


class CustomTools(Projection):
    """The tools of a toolset as custom tools of OpenAI's Responses, each with a grammar.

    #: syntax: the syntax of the grammars, `lark` or `regex`

    >>> from typesig import tools_of
    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> made = tools_of([double]).project("openai-grammar", syntax="regex")
    >>> made.definitions[0]["type"], made.definitions[0]["format"]["syntax"]
    ('custom', 'regex')
    """

    __slots__ = ("syntax",)
    syntax: str

    def __init__(self, toolset: CalledByName, engine: Engine) -> None:
        profile = OPENAI.profile_of({"api": "responses"})
        super().__init__(toolset, profile, attempt=partial(_attempt, engine))
        object.__setattr__(self, "syntax", engine.syntax)

    def __reduce__(self) -> tuple[Any, ...]:
        return custom_tools, (self.toolset, {"syntax": self.syntax})

    def __repr__(self) -> str:
        return f"<custom tools for openai, {self.syntax}: {', '.join(self.tools)}>"


def custom_tools(toolset: CalledByName, options: Mapping[str, Any]) -> CustomTools:
    """Return *toolset* as custom tools; *options* has the `syntax`.

    Raises `TypesigError` for other options, and for an unknown syntax.
    """
    check_options("openai-grammar", options, ("syntax",))
    return CustomTools(toolset, syntax_row(options))


def _attempt(
    engine: Engine, one: Called, name: str, mode: ModeName | Policy | None
) -> tuple[Projected | str, list[Finding]]:
    try:
        return _projected(engine, one, name, mode), []
    except TypesigError as error:
        return str(error), [left_out(one, str(error))]


def _projected(engine: Engine, one: Called, name: str, mode: ModeName | Policy | None) -> Projected:
    """Return the tool *one* by the legal *name*; *mode* is that of its toolset.

    Raises `TypesigError` if it has no grammar.
    """
    losses: list[Loss] = []
    profile = OPENAI.profile_of({"api": "responses"})
    if name != one.name:
        losses.append(Loss("renamed", (one.name,), "the name", "openai does not take it", name))
    whole = whole_of_tool(one, losses)
    written = engine.of_answer(engine, whole)
    described = make_entry(name, one.signature, one.description)
    definition = {
        "type": "custom",
        "name": name,
        "description": sendable(f"{described}\n{_INPUT}"),
        "format": {"type": "grammar", "syntax": engine.syntax, "definition": written.grammar},
    }
    found = tuple(dict.fromkeys([*losses, *written.losses]))
    shown = Signature(one.signature.params, NIL, one.signature.names, one.signature.extra)
    return Projected(
        one,
        name,
        definition,
        found,
        {},
        {"tools": 1, "description": len(definition["description"])},
        None,
        mode if one.mode is None else one.mode,
        results.form_of(OPENAI, profile, one.signature, []),
        shown,
        names_from_host(one.binding),
        one.is_async,
        one if one.name == name else renamed(one, name),
    )
