"""One tool as a provider takes it, and the way back from its calls."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from typesig.algebra.loss import Loss
from typesig.algebra.nodes import NIL
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.frozen import HIDDEN
from typesig.algebra.rows.values import exact
from typesig.algebra.signature import Signature
from typesig.algebra.views.redaction import redacted_types
from typesig.calls.binding import SentForm, names_from_host
from typesig.calls.call import read_arguments, read_as_sent
from typesig.calls.called import Called, renamed
from typesig.notations.json_schema.writing.widening import expressible_types
from typesig.notations.json_schema.writing.writer import document_of as schema_of_types
from typesig.providers.projection import budgets, results
from typesig.providers.rewriting.describing import sendable
from typesig.providers.rewriting.record_codecs import closed_if_empty
from typesig.providers.rewriting.rewriting import Document, document_of
from typesig.providers.rows.codecs import Coding, data_decoded, decoded, encoded
from typesig.providers.rows.faults import Decoding
from typesig.providers.rows.limits import LimitName
from typesig.providers.rows.profile import Profile
from typesig.providers.rows.vendor import Vendor
from typesig.providers.rows.wire import WireTool
from typesig.validation.check.check import compiled_arguments
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.outcome import Outcome, worded
from typesig.validation.rows.coercions import CoercionId
from typesig.validation.rows.policy import ModeName, Policy, first_policy
from typesig.validation.rows.run import Run, settled
from typesig.validation.rows.subject import Subject
from typesig.validation.verdicts import walked

if TYPE_CHECKING:
    from typesig.algebra.signature import Signature
    from typesig.calls.binding import Binding


class Projected(NamedTuple):
    """One tool as a provider takes it.

    #: tool: the tool; name: its name in the definition, which the provider's calls have
    #: definition: the provider's definition; losses: what it does not say as the signature does
    #: schema: the schema of the arguments within the definition
    #: counts: what is counted against limits
    #: codec: how arguments travel; result: how results do
    #: mode: that of its calls, by which text that is no JSON is mended
    #: shown: the arguments as the model is shown them
    #: needs: what its host supplies, each with whether the tool can do without it
    #: is_async: whether its function is a coroutine function
    #: called: the tool by the name that the model knows, which takes what the model sends
    """

    tool: Called
    name: str
    definition: dict[str, Any]
    losses: tuple[Loss, ...]
    schema: dict[str, Any]
    counts: Mapping[LimitName, int]
    codec: Coding
    mode: ModeName | Policy | None
    result: results.ResultForm
    shown: Signature
    needs: Mapping[str, bool]
    is_async: bool
    called: Called

    def __reduce__(self) -> tuple[Any, ...]:
        # A tool is pickled by its name, which is not that of the one that is called.
        parts = self._asdict()
        del parts["called"]
        return _whole, (parts,)

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
        return worded(outcome, JSON_SCHEMA)

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
        made = self.called.call(arguments, given=own, mode=mode, ledger=ledger)
        return worded(made, JSON_SCHEMA)

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
        made = await self.called.acall(arguments, given=own, mode=mode, ledger=ledger)
        return worded(made, JSON_SCHEMA)

    def _of_host(self, given: Mapping[str, Any] | None) -> dict[str, Any]:
        if not given:
            return {}
        return {name: value for name, value in given.items() if name in self.needs}

    def feedback(
        self, arguments: object, outcome: Outcome[Any], mode: ModeName | Policy | None = None
    ) -> str:
        """Return the feedback on the *outcome* of a call with *arguments*, in the form of these.

        *mode* is that of the call.  An outcome without errors has no feedback.
        """
        kinds = ("renamed", "rewritten")
        # The path of a loss begins with the tool; the loss of its name has no more than that.
        if not any(loss.kind in kinds and len(loss.path) > 1 for loss in self.losses):
            return outcome.feedback()
        policy = first_policy(mode, self.mode)
        binding, shown, codec = self.called.binding, self.shown, self.codec
        return feedback_as_sent(binding, shown, codec, arguments, outcome, policy)

    def encode_arguments(self, arguments: Any) -> Any:
        """Return *arguments*, JSON data that the tool takes, as a call has them: for a history."""
        return encoded(self.codec, as_builtin(arguments))

    def encode(self, result: Any) -> Any:
        """Return a result, an outcome without errors or JSON data, as JSON data that is sent.

        Raises `ValidationError` for an outcome with errors.
        """
        return self.result.encode(result)


def projected(
    vendor: Vendor, profile: Profile, one: Called, name: str, mode: ModeName | Policy | None
) -> Projected:
    """Return the tool *one* by the legal *name*; *mode* is that of its toolset.

    Raises `TypesigError` if the vendor has no form for it.
    """
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
    record = results.as_record(found.type)
    shown = Signature(record.fields, NIL, found.names, record.extra)
    return Projected(
        one,
        name,
        definition,
        below,
        schema,
        counts,
        found.codec,
        mode if one.mode is None else one.mode,
        result,
        shown,
        names_from_host(one.binding),
        one.is_async,
        _called(one, name, found.codec, shown),
    )


def _whole(parts: dict[str, Any]) -> Projected:
    """Return the projected tool of its *parts*, but for what is called."""
    called = _called(parts["tool"], parts["name"], parts["codec"], parts["shown"])
    return Projected(**parts, called=called)


def _called(one: Called, name: str, codec: Coding, shown: Signature) -> Called:
    """Return *one* by *name*, which takes what the model sends: *shown*, by *codec*."""
    if codec is None:
        return one if one.name == name else renamed(one, name)
    return renamed(one, name, SentForm(shown, partial(data_decoded, codec)))


def _arguments(
    profile: Profile, one: Called, losses: list[Loss]
) -> tuple[Document, dict[str, Any]]:
    """Return the arguments of *one* as *profile* takes them, and their schema.

    Some take the schema of others as it is.
    """
    original = one.binding.original
    if original is not None and profile.originals and results.has_object(original.input):
        found = _rewritten(profile, one, [])
        return found._replace(codec=None, losses=()), original.input
    if original is not None:
        losses += [loss for loss in original.losses if loss.path[:1] == ("input",)]
    found = _rewritten(profile, one, losses)
    return found, schema_of_types(found.type, found.names, profile.style)


def _rewritten(profile: Profile, one: Called, losses: list[Loss]) -> Document:
    place, signature = "params", one.signature
    # An explicit signature, which is open unless it says otherwise, names what it takes.
    takes_any = one.binding.takes_any and not one.binding.explicit
    t, names = redacted_types(signature.arguments, signature.names, losses, (place,))
    if profile.closed and not one.binding.explicit:
        t, names = closed_if_empty(t, names)
    t, names = expressible_types(t, names, losses, (place,))
    return document_of(profile, results.as_record(t), names, place, takes_any)


def feedback_as_sent(
    binding: Binding,
    shown: Signature,
    codec: Coding,
    sent: object,
    outcome: Outcome[Any],
    policy: Policy,
) -> str:
    """Return the feedback on *outcome*, of a call of the tool of *binding* with what was *sent*.

    *shown* has its arguments as the model is shown them, and *codec* decodes them.

    Where values have another form in the definition and they do not fit the type of that form, or
    have something twice, the feedback is by that type.  Otherwise, or if they cannot be read, or
    have private parts, which only the tool knows, it is that of the tool, whose type says the most.
    """
    if outcome.stage != "input" or _has_private(binding):
        return outcome.feedback()
    run = Run(policy.max_issues)
    read = read_as_sent(binding, sent, policy, run)
    if read.error is not None or not issubclass(type(read.data), dict):
        return outcome.feedback()
    data = as_builtin(exact(read.data))
    find_faults(codec, data, run, policy)
    undeclared = policy.for_call().extras
    undeclared = "keep" if binding.takes_any and undeclared == "drop" else undeclared
    check = compiled_arguments(shown, policy, undeclared, binding.takes_any)
    walked(check, data, run)
    errors, warnings = settled(run.found, policy, "input")
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


def find_faults(codec: Coding, data: Any, run: Run, policy: Policy) -> None:
    """Add to *run* what *data* has twice, at its places in what was sent."""
    how = Decoding([], _DATA in policy.coercions, policy._reads_near)
    try:
        decoded(codec, data, how)
    except RecursionError:
        # The check tells it.
        return
    for fault in how.faults or ():
        # What is read from text, the check tells too.
        if fault.code != "parsed":
            run.add(fault.found(fault.sent))


_DATA: CoercionId = "data_from_string"


def _has_private(binding: Binding) -> bool:
    """Return whether arguments have firewalled parts or secrets."""
    signature = binding.signature
    if binding.host.secrets or signature.secrets - {""}:
        return True
    types = (signature.arguments, *[each.type for each in signature.definitions])
    return any(t.flags & HIDDEN for t in types)
