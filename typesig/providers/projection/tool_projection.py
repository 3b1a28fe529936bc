"""One tool projected for a provider: its definition, and how its calls are read and run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import NIL, Record, Type
from typesig.algebra.redaction import redact_types
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.rows.values import to_builtin
from typesig.algebra.signature import Signature
from typesig.calls.binding import get_host_names
from typesig.calls.call import read_arguments, read_as_sent
from typesig.calls.protocols import ToolLike, rename_tool
from typesig.notations.json_schema.widening import make_expressible_types
from typesig.notations.json_schema.writer import write_document as schema_of_types
from typesig.notations.json_schema.writer import write_shown_fields
from typesig.providers.projection import budgets, results
from typesig.providers.registry.calls import DecodingState
from typesig.providers.registry.codecs import (
    OptionalCodec,
    decode_data,
    decode_value,
    encode_value,
)
from typesig.providers.registry.decode_operations import make_sent_form
from typesig.providers.registry.provider import LimitName
from typesig.providers.registry.vendor import Profile, SentTool, Vendor
from typesig.providers.rewriting.descriptions import is_sent_unchanged, replace_surrogates
from typesig.providers.rewriting.record_codecs import close_if_empty
from typesig.providers.rewriting.shape_rewriter import RewrittenDocument, rewrite_document
from typesig.validation.check.check import compile_argument_checker
from typesig.validation.check_state import CheckState, Subject, split_findings
from typesig.validation.coercions import CoercionId
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.outcome import Outcome, apply_words
from typesig.validation.policy import ModeName, Policy, get_first_policy
from typesig.validation.verdicts import run_checker

if TYPE_CHECKING:
    from typesig.calls.binding import Binding


@dataclass(frozen=True)
class ProjectedTool:
    """The projection of a tool: its definition and its form for a provider.

    #: tool: the tool; name: its name in the definition, which the provider's calls have
    #: definition: the provider's definition; losses: what it does not say as the signature does
    #: schema, description: the schema of the arguments and the text within the definition
    #: mode: that of its calls, by which text that is no JSON is mended
    #: result: how results travel
    #: document: the rewritten type of the arguments, or None if it is made when it is needed
    """

    tool: ToolLike
    name: str
    definition: dict[str, Any]
    losses: tuple[Loss, ...]
    schema: dict[str, Any]
    description: str
    profile: Profile
    mode: ModeName | Policy | None
    result: results.ResultForm
    document: RewrittenDocument | None

    def __reduce__(self) -> tuple[Any, ...]:
        # A tool is pickled by its name, which is not that of the one that is called.
        return ProjectedTool, tuple([getattr(self, each.name) for each in fields(self)])

    @cached_property
    def _rewritten(self) -> RewrittenDocument:
        """The rewritten type of the arguments."""
        return self.document or _rewrite_arguments(self.profile, self.tool, [])

    @property
    def codec(self) -> OptionalCodec:
        """How arguments travel."""
        return self._rewritten.codec

    @property
    def names(self) -> Mapping[str, Type]:
        """The definitions of `arguments`, by name."""
        return self._rewritten.names

    @cached_property
    def arguments(self) -> Record:
        """The type of the arguments that the model is shown."""
        return results.to_record(self._rewritten.type)

    @cached_property
    def counts(self) -> Mapping[LimitName, int]:
        """The numbers of the parts of the definition that a provider limits."""
        found = budgets.count_parts(self.arguments, self.names, self.definition)
        return {**found, "description": len(self.description)}

    def get_count(self, limit: LimitName) -> int:
        """The number of the parts under *limit*; the usual limit needs no counting."""
        return len(self.description) if limit == "description" else self.counts[limit]

    @cached_property
    def shown(self) -> Signature:
        """The arguments as the model is shown them."""
        return Signature(self.arguments.fields, NIL, self.names, self.arguments.extra)

    @cached_property
    def called(self) -> ToolLike:
        """The tool by the name that the model knows, which takes what the model sends."""
        one, name, codec = self.tool, self.name, self.codec
        if codec is None:
            return one if one.name == name else rename_tool(one, name)
        return rename_tool(one, name, make_sent_form(self.shown, codec))

    @cached_property
    def needs(self) -> Mapping[str, bool]:
        """Names of what its host supplies, each with whether the tool can do without it."""
        return get_host_names(self.tool.binding)

    @property
    def is_async(self) -> bool:
        """Whether its function is a coroutine function."""
        return self.tool.is_async

    def decode(self, arguments: Any) -> Any:
        """Convert the *arguments* of a call, JSON text or data, to the tool's form.

        What does not have the form of the definition is returned as it is, so that the tool's check
        tells what is wrong with it.  Raises nothing.  What was mended is told by `read` and `call`.
        """
        if self.codec is None:
            return arguments
        policy = get_first_policy(self.mode)
        read = read_as_sent(self.called.binding, arguments, policy, CheckState(policy.max_issues))
        if read.error is not None or not issubclass(type(read.data), dict):
            return arguments
        return decode_data(self.codec, read.data, None, policy)

    def read(
        self,
        arguments: object,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
    ) -> Outcome[dict[str, Any]]:
        """Read and check the *arguments* of a call, JSON text or data.

        They are mended, decoded, coerced and checked; nothing is called. *mode* is by default that
        of the tool's calls. *ledger* counts repairs and refusals.
        """
        binding = self.called.binding
        outcome = read_arguments(binding, arguments, get_first_policy(mode, self.mode))
        note_in(ledger, outcome.errors, outcome.warnings, binding.signature, binding.name)
        return apply_words(outcome, JSON_SCHEMA)

    def call(
        self,
        arguments: object,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[Any]:
        """Call the tool with the *arguments* that a model sent; see `Tool.call`.

        The tool takes what it needs of *given*.
        """
        own, mode = self._select_given(given), self.mode if mode is None else mode
        made = self.called.call(arguments, given=own, mode=mode, ledger=ledger)
        return apply_words(made, JSON_SCHEMA)

    async def acall(
        self,
        arguments: object,
        *,
        given: Mapping[str, Any] | None = None,
        mode: ModeName | Policy | None = None,
        ledger: Ledger | None = None,
    ) -> Outcome[Any]:
        """Like `call`, for coroutine functions too; see `Tool.acall`."""
        own, mode = self._select_given(given), self.mode if mode is None else mode
        made = await self.called.acall(arguments, given=own, mode=mode, ledger=ledger)
        return apply_words(made, JSON_SCHEMA)

    def _select_given(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        """Select the *given* values that the tool needs."""
        if not given:
            return {}
        return {name: value for name, value in given.items() if name in self.needs}

    def feedback(
        self, arguments: object, outcome: Outcome[Any], mode: ModeName | Policy | None = None
    ) -> str:
        """Write feedback on *outcome* in the names and the form of *arguments*.

        *mode* is that of the call.  An outcome without errors has no feedback.
        """
        kinds = ("renamed", "rewritten")
        # The path of a loss begins with the tool; the loss of its name has no more than that.
        if not any(loss.kind in kinds and len(loss.path) > 1 for loss in self.losses):
            return outcome.feedback()
        policy = get_first_policy(mode, self.mode)
        binding, shown, codec = self.called.binding, self.shown, self.codec
        return write_feedback_as_sent(binding, shown, codec, arguments, outcome, policy)

    def encode_arguments(self, arguments: Any) -> Any:
        """Convert the tool's *arguments*, JSON data, to the form of a call."""
        return encode_value(self.codec, as_builtin(arguments))

    def encode(self, result: Any) -> Any:
        """Convert *result*, an outcome without errors or JSON data, to the sent form.

        Raises `ValidationError` for an outcome with errors.
        """
        return self.result.encode(result)


def project_tool(
    vendor: Vendor, profile: Profile, one: ToolLike, name: str, mode: ModeName | Policy | None
) -> ProjectedTool:
    """Project the tool *one* under the legal *name*; *mode* is that of its toolset.

    Raises `TypesigError` if the vendor has no form for it.
    """
    losses: list[Loss] = []
    if name != one.name:
        losses.append(Loss("renamed", (), "the name", f"{profile.title} does not take it", name))
    found, schema = _project_arguments(profile, one, losses)
    original = one.binding.original
    result = results.make_result_form(vendor, profile, one.signature, losses, original)
    described = None if one.description is None else replace_surrogates(one.description)
    title = None if one.title is None else replace_surrogates(one.title)
    beside = {} if original is None else original.beside
    made = SentTool(name, title, described, schema, result.schema, one.annotations, beside)
    losses += () if found is None else found.losses
    return ProjectedTool(
        one,
        name,
        vendor.definition_of(profile, made),
        tuple([loss.below(one.name) for loss in dict.fromkeys(losses)]),
        schema,
        described or "",
        profile,
        mode if one.mode is None else one.mode,
        result,
        found,
    )


def _project_arguments(
    profile: Profile, one: ToolLike, losses: list[Loss]
) -> tuple[RewrittenDocument | None, dict[str, Any]]:
    """Project the arguments of *one* for *profile*, with their schema.

    Some take the schema of others as it is.  Most arguments are not rewritten: there is no document
    of them until one is needed.
    """
    original = one.binding.original
    if original is not None and profile.originals and results.has_object(original.input):
        found = _rewrite_arguments(profile, one, [])
        return found._replace(codec=None, losses=()), original.input
    if original is not None:
        losses += [loss for loss in original.losses if loss.path[:1] == ("input",)]
    if is_sent_unchanged(profile, one.signature):
        return None, write_shown_fields(one.signature.params, one.signature.extra, closing=False)
    found = _rewrite_arguments(profile, one, losses)
    return found, schema_of_types(found.type, found.names, profile.style)


def _rewrite_arguments(profile: Profile, one: ToolLike, losses: list[Loss]) -> RewrittenDocument:
    """Rewrite the argument type of a tool for *profile*; losses are appended."""
    place, signature = "params", one.signature
    # An explicit signature, which is open unless it says otherwise, names what it takes.
    takes_any = one.binding.takes_any and not one.binding.explicit
    t, names = redact_types(signature.arguments, signature.names, losses, (place,))
    if profile.closed and not one.binding.explicit:
        t, names = close_if_empty(t, names)
    t, names = make_expressible_types(t, names, losses, (place,))
    return rewrite_document(profile, results.to_record(t), names, place, takes_any)


def write_feedback_as_sent(
    binding: Binding,
    shown: Signature,
    codec: OptionalCodec,
    sent: object,
    outcome: Outcome[Any],
    policy: Policy,
) -> str:
    """Write feedback on *outcome* in the form of *sent*, the arguments of a call.

    *shown* has its arguments as the model is shown them, and *codec* decodes them.

    Where values have another form in the definition and they do not fit the type of that form, or
    have something twice, the feedback is by that type.  Otherwise, or if they cannot be read, or
    have private parts, which only the tool knows, it is that of the tool, whose type says the most.
    """
    if outcome.stage != "input" or _has_private(binding):
        return outcome.feedback()
    run = CheckState(policy.max_issues)
    read = read_as_sent(binding, sent, policy, run)
    if read.error is not None or not issubclass(type(read.data), dict):
        return outcome.feedback()
    data = as_builtin(to_builtin(read.data))
    find_faults(codec, data, run, policy)
    undeclared = policy.for_call().extras
    undeclared = "keep" if binding.takes_any and undeclared == "drop" else undeclared
    check = compile_argument_checker(shown, policy, undeclared, binding.takes_any)
    run_checker(check, data, run)
    errors, warnings = split_findings(run.found, policy, "input")
    if not errors:
        return outcome.feedback()
    told: Outcome[Any] = Outcome(
        stage="input",
        errors=errors,
        warnings=warnings,
        unseen=run.unseen,
        subject=Subject(data, shown.arguments, shown.definitions, policy, True, binding.name),
    )
    return told.feedback(words=outcome._words.name)


def find_faults(codec: OptionalCodec, data: Any, run: CheckState, policy: Policy) -> None:
    """Record the duplicate keys of *data* in *run*, at their paths in the sent form."""
    how = DecodingState([], _DATA in policy.coercions, policy._reads_near)
    try:
        decode_value(codec, data, how)
    except RecursionError:
        # The check tells it.
        return
    for fault in how.faults or ():
        # What is read from text, the check tells too.
        if fault.code != "parsed":
            run.add(fault.to_finding(fault.sent))


_DATA: CoercionId = "data_from_string"


def _has_private(binding: Binding) -> bool:
    """Whether arguments have firewalled parts or secrets."""
    signature = binding.signature
    if binding.host.secrets or signature.secrets - {""}:
        return True
    types = (signature.arguments, *[each.type for each in signature.definitions])
    return any(t.flags & HIDDEN for t in types)
