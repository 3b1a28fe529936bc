"""Vendor options of definitions besides schemas, and the vendor's own tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from typesig.algebra.loss import Loss
from typesig.algebra.rows.builtin import as_builtin
from typesig.errors import TypesigError, format_value
from typesig.providers.projection.results import write_plain_schema
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.registry.provider import make_legal_names
from typesig.providers.registry.vendor import EXTRA_NAMES, ExtraName, Profile
from typesig.sentinels import NOTHING
from typesig.validation.issues.suggestions import SuggestionQuery, SuggestionSearch

#: The caller that is a program which OpenAI runs.
_PROGRAM = "programmatic"


class Extras(NamedTuple):
    """The optional parts of tool definitions besides schemas; see `ToolOptions`.

    #: examples, callers: by the names of tools; deferred: the names of tools
    #: server_tools: definitions of the vendor's own tools
    #: eager, unawaited: the names of tools; cache: the marker behind which definitions are cached
    #: namespaces: descriptions of groups of tools by prefix
    """

    examples: Mapping[str, Sequence[Mapping[str, Any]]] = NOTHING
    deferred: tuple[str, ...] = ()
    callers: Mapping[str, Sequence[str]] = NOTHING
    server_tools: tuple[dict[str, Any], ...] = ()
    eager: tuple[str, ...] = ()
    unawaited: tuple[str, ...] = ()
    cache: Mapping[str, Any] | None = None
    namespaces: Mapping[str, str] = NOTHING

    def add_to(self, made: ProjectedTool, profile: Profile) -> ProjectedTool:
        """Add the extras of the tool that *made* projects, such as examples, to *made*.

        Raises `TypesigError` for an example that does not fit.
        """
        name = made.tool.name
        more: dict[str, Any] = {}
        if name in self.examples:
            more["input_examples"] = [_encode_example(made, each) for each in self.examples[name]]
        if name in self.deferred:
            more["defer_loading"] = True
        if name in self.callers:
            more["allowed_callers"] = list(self.callers[name])
        if name in self.eager:
            more["eager_input_streaming"] = True
        if name in self.unawaited:
            more["async"] = True
        losses: list[Loss] = []
        if _PROGRAM in self.callers.get(name, ()) and profile.provider == "openai":
            # "the JSON value encoded in string outputs", in the SDK's types; programs read it.
            more["output_schema"] = write_plain_schema(profile, made.tool.signature, losses)
        if not more:
            return made
        definition = {**made.definition, **more}
        below = [loss.below(name) for loss in dict.fromkeys(losses)]
        return replace(made, definition=definition, losses=(*made.losses, *below))

    def arrange(self, tools: Iterable[ProjectedTool]) -> tuple[dict[str, Any], ...]:
        """Definitions of *tools* in their groups, then those of server tools."""
        listed: list[dict[str, Any]] = []
        groups: dict[str, list[dict[str, Any]]] = {}
        for made in tools:
            prefix, _, name = made.tool.name.rpartition(".")
            if prefix not in self.namespaces:
                listed.append(made.definition)
                continue
            if prefix not in groups:
                groups[prefix] = []
                told = {"description": self.namespaces[prefix], "tools": groups[prefix]}
                listed.append({"type": "namespace", "name": prefix, **told})
            groups[prefix].append({**made.definition, "name": name})
        listed += self.server_tools
        if self.cache is not None and listed:
            # A marker caches all that stands before it, too.
            listed[-1] = {**listed[-1], "cache_control": dict(self.cache)}
        return tuple(listed)


def _encode_example(made: ProjectedTool, example: object) -> Any:
    """Convert the arguments *example* to the form that a model sends."""
    if not isinstance(example, Mapping):
        raise TypesigError(
            f"an example of {made.tool.name} is a dict of arguments, not {format_value(example)}"
        )
    sent = made.encode_arguments(as_builtin(dict(example)))
    found = made.read(sent, "strict")
    told = [*found.errors, *found.warnings]
    if told:
        issues = "; ".join(map(str, told))
        raise TypesigError(f"an example of {made.tool.name} does not fit: {issues}")
    return sent


#: Definitions with their schemas alone.
NO_EXTRAS = Extras()


def split_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[ExtraName, Any]]:
    """Split *options* into profile options and extras."""
    extras: dict[ExtraName, Any] = {name: options[name] for name in EXTRA_NAMES if name in options}
    return {k: v for k, v in options.items() if k not in extras}, extras


def read_extras(profile: Profile, options: Mapping[ExtraName, Any], names: Sequence[str]) -> Extras:
    """Read the extras in *options*, for tools with *names*.

    Raises `TypesigError` for an option that *profile* lacks, an unknown tool, and a wrong value.
    """
    for name in options:
        if name not in profile.extras:
            there = [each for each in EXTRA_NAMES if each in profile.extras]
            others = f"; there are {', '.join(there)}" if there else ""
            raise TypesigError(f"{profile.title} has no option {name}{others}")
    examples = _read_lists_by_name("input_examples", options.get("input_examples", {}), names)
    callers = options.get("allowed_callers", {})
    if not isinstance(callers, Mapping):
        callers = dict.fromkeys(names, callers)
    callers = _read_lists_by_name("allowed_callers", callers, names)
    if not all(isinstance(each, str) for listed in callers.values() for each in listed):
        raise TypesigError("allowed_callers are texts, such as code_execution_20260521")
    return Extras(
        examples,
        _read_chosen("defer_loading", options, names),
        callers,
        _check_server_tools(options.get("server_tools", ())),
        _read_chosen("eager_input_streaming", options, names),
        _read_chosen("async_tools", options, names),
        _read_cache(options.get("cache_control", False)),
        _read_namespaces(profile, options.get("namespaces", {}), names),
    )


def _read_chosen(
    option: ExtraName, options: Mapping[ExtraName, Any], names: Sequence[str]
) -> tuple[str, ...]:
    """Read *option*, a bool for all of *names* or a list of some."""
    given = options.get(option, False)
    if isinstance(given, bool):
        given = names if given else ()
    return _check_known(option, given, names)


def _read_cache(given: Any) -> Mapping[str, Any] | None:
    """Read the cache marker *given*, a bool or the vendor's own mapping."""
    if isinstance(given, bool):
        return {"type": "ephemeral"} if given else None
    if not isinstance(given, Mapping):
        raise TypesigError(
            'cache_control is True or what the vendor takes, such as {"type": "ephemeral"}, not '
            f"{format_value(given)}"
        )
    return dict(given)


def _read_namespaces(profile: Profile, given: Any, names: Sequence[str]) -> dict[str, str]:
    """Read *given*, descriptions by prefix; refuse a prefix without tools or a legal name."""
    if not isinstance(given, Mapping) or not all(isinstance(text, str) for text in given.values()):
        raise TypesigError(f"namespaces are descriptions by prefix, not {format_value(given)}")
    prefixes = {name.rpartition(".")[0] for name in names}
    for prefix in given:
        inner = [name.rpartition(".")[2] for name in names if name.rpartition(".")[0] == prefix]
        if prefix not in prefixes or not prefix:
            raise TypesigError(f"namespaces: no tool has the prefix {format_value(prefix)}")
        legal = make_legal_names([prefix, *inner], profile.tool_names)
        if any(name != made for name, made in legal.items()):
            raise TypesigError(f"namespaces: {profile.title} does not take {format_value(prefix)}")
    return dict(given)


def _read_lists_by_name(
    option: ExtraName, given: Any, names: Sequence[str]
) -> dict[str, tuple[Any, ...]]:
    """Read *given*, a dict of lists by tool name; refuse names not in *names*."""
    if not isinstance(given, Mapping):
        raise TypesigError(f"{option} are lists by the names of tools, not {format_value(given)}")
    for name, listed in given.items():
        if isinstance(listed, str | Mapping) or not isinstance(listed, Iterable):
            raise TypesigError(f"{option} of {name} are a list, not {format_value(listed)}")
    return dict(zip(_check_known(option, given, names), map(tuple, given.values()), strict=True))


def _check_known(option: ExtraName, given: Any, names: Sequence[str]) -> tuple[str, ...]:
    """Return *given*, a list of tool names, as a tuple; refuse names not in *names*."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypesigError(f"{option} is True or names of tools, not {format_value(given)}")
    listed = tuple(given)
    known = {name: name for name in names}
    for name in listed:
        if name not in known:
            hint = SuggestionSearch().find_hint(SuggestionQuery(str(name), lambda: known))
            near = f" ({hint})" if hint else ""
            raise TypesigError(f"{option}: there is no tool {format_value(name)}{near}")
    return listed


def _check_server_tools(given: Any) -> tuple[dict[str, Any], ...]:
    """Return *given*, one definition or a list of definitions, as a tuple."""
    listed = tuple(given) if isinstance(given, list | tuple) else (given,)
    for each in listed:
        if not isinstance(each, dict):
            raise TypesigError(f"server_tools are definitions in a list, not {format_value(each)}")
    return listed


def check_names(extras: Extras, names: Iterable[str]) -> None:
    """Raise `TypesigError` if a server tool of *extras* has one of *names*."""
    taken = set(names)
    for each in extras.server_tools:
        if each.get("name") in taken:
            raise TypesigError(
                f"server_tools: {format_value(each['name'])} is the name of a tool, too"
            )
