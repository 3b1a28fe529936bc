"""A projection: the tools of a toolset as one provider takes them, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import NIL
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.signature import Signature
from typesig.algebra.views.redaction import redacted_types
from typesig.calls.binding import SentForm
from typesig.calls.call import read_arguments, read_as_sent
from typesig.errors import TypesigError
from typesig.notations.json_schema.writing.widening import expressible_types
from typesig.notations.json_schema.writing.writer import document_of as schema_of_types
from typesig.providers.projection import budgets, results
from typesig.providers.projection.advice import advice_for
from typesig.providers.projection.budgets import Finding, TokenCounter
from typesig.providers.rewriting.describing import sendable
from typesig.providers.rewriting.rewriting import Document, document_of
from typesig.providers.rows.codecs import Coding, data_decoded, encoded
from typesig.providers.rows.limits import REFUSING, LimitName
from typesig.providers.rows.names import legal_names
from typesig.providers.rows.profile import Profile, ProviderName
from typesig.providers.rows.wire import WireTool
from typesig.providers.vendors.vendors import Vendor, vendor_of
from typesig.tools.renaming import renamed
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.policy import ModeName, Policy, first_policy
from typesig.validation.rows.run import Run

if TYPE_CHECKING:
    from typesig.providers.projection.handling import OnException
    from typesig.tools.tool import Tool
    from typesig.tools.toolset import Toolset


class Projected(NamedTuple):
    """One tool as a provider takes it.

    #: tool: the tool; name: its name in the definition, which the provider's calls have
    #: definition: the provider's definition; losses: what it does not say as the signature does
    #: schema: the schema of the arguments within the definition
    #: counts: what is counted against limits
    #: codec: how arguments travel; result: how results do
    #: mode: that of its calls, by which text that is no JSON is mended
    #: shown: the arguments as the model is shown them
    #: called: the tool by the name that the model knows, which takes what the model sends
    """

    tool: Tool[..., Any]
    name: str
    definition: dict[str, Any]
    losses: tuple[Loss, ...]
    schema: dict[str, Any]
    counts: Mapping[LimitName, int]
    codec: Coding
    mode: ModeName | Policy | None
    result: results.ResultForm
    shown: Signature
    called: Tool[..., Any]

    def __reduce__(self) -> tuple[Any, ...]:
        # A tool is pickled by its name, which is not that of the one that is called.
        return _whole, self[:-1]

    def decode(self, arguments: Any) -> Any:
        """Return the *arguments* of a call, JSON text or data, as the tool takes them.

        What does not have the form of the definition is returned as it is, so that the tool's check
        tells what is wrong with it.  Raises nothing.  What was mended is told by `read` and `call`.
        """
        if self.codec is None:
            return arguments
        policy = first_policy(self.mode)
        read = read_as_sent(self.called.binding, arguments, policy, Run(policy.max_issues))
        if read.error is not None or not issubclass(type(read.data), dict):
            return arguments
        return data_decoded(self.codec, read.data, None, policy)

    def read(
        self,
        arguments: object,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
    ) -> Outcome[dict[str, Any]]:
        """Return the outcome of reading the *arguments* of a call, JSON text or data.

        They are mended, decoded, coerced and checked; nothing is called.  *mode* is by default that
        of the tool's calls.  What is mended and refused is counted in *ledger*.
        """
        binding = self.called.binding
        outcome = read_arguments(binding, arguments, first_policy(mode, self.mode))
        note_in(ledger, outcome.errors, outcome.warnings, binding.signature, binding.name)
        return outcome

    def call(
        self,
        arguments: object,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[Any]:
        """Return the outcome of a call with the *arguments* that a model sent; see `Tool.call`.

        The tool takes what it needs of *given*.
        """
        own, mode = self._of_host(given), self.mode if mode is None else mode
        return self.called.call(arguments, given=own, mode=mode, ledger=ledger)

    async def acall(
        self,
        arguments: object,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[Any]:
        """Return the same as `call`, for coroutine functions too; see `Tool.acall`."""
        own, mode = self._of_host(given), self.mode if mode is None else mode
        return await self.called.acall(arguments, given=own, mode=mode, ledger=ledger)

    def _of_host(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        if not given:
            return {}
        needs = self.tool.needs
        return {name: value for name, value in given.items() if name in needs}

    def feedback(
        self, arguments: object, outcome: Outcome[Any], mode: ModeName | Policy | None = None
    ) -> str:
        """Return the feedback on the *outcome* of a call with *arguments*, in the form of these.

        *mode* is that of the call.  An outcome without errors has no feedback.
        """
        from typesig.providers.projection.retelling import feedback_as_sent

        return feedback_as_sent(self, arguments, outcome, first_policy(mode, self.mode))

    def encode_arguments(self, arguments: Any) -> Any:
        """Return *arguments*, JSON data that the tool takes, as a call has them: for a history."""
        return encoded(self.codec, as_builtin(arguments))

    def encode(self, result: Any) -> Any:
        """Return a result, an outcome without errors or JSON data, as JSON data that is sent.

        Raises `ValidationError` for an outcome with errors.
        """
        return self.result.encode(result)


class Projection:
    """The tools of a toolset as a provider takes them.

    #: provider: the name of the provider; profile: what it takes
    #: definitions: the definitions, in the order of the tools; losses: what they do not say
    #: tools: the tools that have a definition, by their names in it
    #: toolset: all the tools, whose modes hold for calls

    >>> from typesig import tools_of
    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> tools_of([double]).project("gemini").definitions[0]["name"]
    'double'
    """

    __slots__ = ("_findings", "definitions", "losses", "profile", "provider", "tools", "toolset")
    provider: ProviderName
    profile: Profile
    definitions: tuple[dict[str, Any], ...]
    losses: tuple[Loss, ...]
    tools: Mapping[str, Projected]
    toolset: Toolset
    _findings: tuple[Finding, ...]

    def __init__(self, toolset: Toolset, profile: Profile) -> None:
        vendor = vendor_of(profile.provider)
        names = legal_names(toolset.names, profile.tool_names)
        tools: dict[str, Projected] = {}
        losses: list[Loss] = []
        findings: list[Finding] = []
        for one in toolset:
            made, found = _attempt(
                vendor, profile, one, names[one.name], toolset.modes.get(one.name)
            )
            findings += found
            if made is None:
                why = "; ".join(str(each) for each in found if each.is_left_out)
                losses.append(Loss("refused", (one.name,), "the tool", why, "no definition"))
                continue
            tools[made.name] = made
            losses += made.losses
        parts = {
            "provider": profile.provider,
            "profile": profile,
            "definitions": tuple([made.definition for made in tools.values()]),
            "losses": tuple(losses),
            "tools": MappingProxyType(tools),
            "toolset": toolset,
            "_findings": tuple(findings),
        }
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a projection cannot be changed: make another one")

    def __reduce__(self) -> tuple[Any, ...]:
        # Codecs of unions have closures, which cannot be pickled: the projection is made again.
        return Projection, (self.toolset, self.profile)

    def __repr__(self) -> str:
        return f"<projection for {self.profile.title}: {', '.join(self.tools)}>"

    def check(self, counter: TokenCounter | None = None) -> tuple[Finding, ...]:
        """Return the limits that are exceeded, the tools that are left out, and advice.

        With *counter*, which returns the number of tokens of a text, tokens are counted too.
        Raises `TypesigError` if it returns anything else.
        """
        limits = self.profile.limits
        counts: dict[str, Mapping[LimitName, int]] = {}
        for made in self.tools.values():
            counts[made.tool.name] = made.counts
            if counter is not None:
                tokens = budgets.tokens_of(made.definition, counter)
                counts[made.tool.name] = {**made.counts, "tokens": tokens}
        return (*self._findings, *budgets.excess_of_request(counts, limits))

    def handle(
        self,
        message: object,
        *,
        given: Mapping[str, Any] | None = None,
        on_exception: OnException | None = None,
        ledger: Ledger | None = None,
    ) -> list[dict[str, Any]]:
        """Return the messages that answer the calls in a model's answer, in the provider's form.

        *message* is what the provider's client returned, or a part of it, objects or plain dicts;
        *given* supplies injected and firewalled parameters by name, to all tools that take them.
        Whatever the model sent is answered.  An exception of a tool passes when the other calls
        have ended, unless *on_exception*, a function of the exception and the call, returns the
        text that the model reads instead.  What is mended and refused is counted in *ledger*.
        Raises `TypesigError` before any tool runs if *message* is no answer, *given* lacks
        something, or a tool is a coroutine function.
        """
        from typesig.providers.projection import handling

        return handling.handle(self, message, given=given, on_exception=on_exception, ledger=ledger)

    async def ahandle(
        self,
        message: object,
        *,
        given: Mapping[str, Any] | None = None,
        on_exception: OnException | None = None,
        ledger: Ledger | None = None,
    ) -> list[dict[str, Any]]:
        """Return the same as `handle`, for coroutine functions too; the calls run at once.

        Plain functions run in threads.  If the task is cancelled, so are the calls, and it ends
        when they have ended.
        """
        from typesig.providers.projection import handling

        return await handling.ahandle(
            self, message, given=given, on_exception=on_exception, ledger=ledger
        )


def project(toolset: Toolset, provider: str, options: Mapping[str, Any]) -> Projection:
    """Return *toolset* as *provider* takes it, by the profile of *options*."""
    return Projection(toolset, vendor_of(provider).profile_of(options))


def project_tool(one: Tool[..., Any], provider: str, options: Mapping[str, Any]) -> Projection:
    """Return the tool *one* alone as *provider* takes it, by the profile of *options*."""
    from typesig.tools.toolset import Toolset

    return project(Toolset([one]), provider, options)


def _attempt(
    vendor: Vendor,
    profile: Profile,
    one: Tool[..., Any],
    name: str,
    mode: ModeName | Policy | None,
) -> tuple[Projected | None, list[Finding]]:
    """Return the tool *one* by the legal *name*, or None; and what is wrong with it.

    *mode* is that of the toolset.
    """
    try:
        made = _projected(vendor, profile, one, name, mode)
    except (TypesigError, RecursionError) as error:
        why = "its types nest too deep" if isinstance(error, RecursionError) else str(error)
        text = f"{one.name}: {why}; the tool is left out"
        return None, [Finding(one.name, "refused", 0, 0, text, True, why)]
    refusing = REFUSING[profile.provider]
    found = budgets.excess_of_tool(one.name, made.counts, profile.limits, refusing)
    if any(each.is_left_out for each in found):
        return None, found
    shown = made.shown
    return made, [*found, *advice_for(one.name, profile, shown.arguments, shown.names)]


def _projected(
    vendor: Vendor,
    profile: Profile,
    one: Tool[..., Any],
    name: str,
    mode: ModeName | Policy | None,
) -> Projected:
    losses: list[Loss] = []
    if name != one.name:
        losses.append(Loss("renamed", (), "the name", f"{profile.title} does not take it", name))
    found, schema = _arguments(profile, one, losses)
    original = one.binding.original
    result = results.form_of(vendor, profile, one.signature, losses, original)
    described = None if one.description is None else sendable(one.description)
    title = None if one.title is None else sendable(one.title)
    beside = {} if original is None else original.beside
    made = WireTool(name, title, described, schema, result.schema, one.annotations, beside)
    definition = vendor.definition_of(profile, made)
    counts = budgets.counts_of(found.type, found.names, definition)
    counts["description"] = len(described or "")
    below = tuple([loss.below(one.name) for loss in dict.fromkeys([*losses, *found.losses])])
    codec, own = found.codec, mode if one.mode is None else one.mode
    record = results.as_record(found.type)
    shown = Signature(record.fields, NIL, found.names, record.extra)
    return _whole(one, name, definition, below, schema, counts, codec, own, result, shown)


def _whole(one: Tool[..., Any], name: str, *parts: Any) -> Projected:
    """Return the projected tool of its parts, but for what is called."""
    codec, shown = parts[Projected._fields.index("codec") - 2], parts[-1]
    return Projected._make((one, name, *parts, _called(one, name, codec, shown)))


def _called(one: Tool[..., Any], name: str, codec: Coding, shown: Signature) -> Tool[..., Any]:
    """Return *one* by *name*, which takes what the model sends: *shown*, by *codec*."""
    if codec is None:
        return one if one.name == name else renamed(one, name)
    return renamed(one, name, SentForm(shown, partial(data_decoded, codec)))


def _arguments(
    profile: Profile, one: Tool[..., Any], losses: list[Loss]
) -> tuple[Document, dict[str, Any]]:
    """Return the arguments of *one* as *profile* takes them, and their schema.

    MCP takes the schema of others as it is.
    """
    original = one.binding.original
    if original is not None and profile.provider == "mcp" and results.has_object(original.input):
        found = _rewritten(profile, one, [])
        return found._replace(codec=None, losses=()), original.input
    if original is not None:
        losses += [loss for loss in original.losses if loss.path[:1] == ("input",)]
    found = _rewritten(profile, one, losses)
    return found, schema_of_types(found.type, found.names, profile.style)


def _rewritten(profile: Profile, one: Tool[..., Any], losses: list[Loss]) -> Document:
    place, signature = "params", one.signature
    # An explicit signature, which is open unless it says otherwise, names what it takes.
    takes_any = one.binding.takes_any and not one.binding.explicit
    t, names = redacted_types(signature.arguments, signature.names, losses, (place,))
    t, names = expressible_types(t, names, losses, (place,))
    return document_of(profile, results.as_record(t), names, place, takes_any)


def lines_of_losses(losses: Iterable[Loss]) -> list[str]:
    """Return each of *losses* on a line, with its kind."""
    return [f"{loss.kind}: {loss}" for loss in losses]
