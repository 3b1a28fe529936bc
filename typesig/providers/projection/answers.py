"""Structured answers: a contract as a provider's response format, and answers read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar

from typesig.algebra.constructors import get_title, strip_annotations
from typesig.algebra.loss import Loss
from typesig.algebra.nodes import ANY, Record, Ref, Type
from typesig.algebra.redaction import redact_types
from typesig.algebra.rows.builtin import as_builtin
from typesig.algebra.rows.values import to_builtin
from typesig.algebra.signature import Signature, make_type_signature
from typesig.calls.binding import SentForm
from typesig.notations.json_schema.widening import make_expressible_types
from typesig.notations.json_schema.writer import write_document as schema_of_types
from typesig.notations.texts.quoting import Counter
from typesig.providers.projection import budgets
from typesig.providers.projection.budgets import LimitFinding
from typesig.providers.projection.results import (
    RESULT,
    add_description,
    is_object,
    to_record,
    wrap_in_record,
)
from typesig.providers.projection.tool_projection import find_faults
from typesig.providers.registry.codecs import OptionalCodec, UnwrapperCodec, encode_value
from typesig.providers.registry.decode_operations import make_sent_form
from typesig.providers.registry.provider import LimitName, ProviderName, make_legal_names
from typesig.providers.registry.vendor import Profile
from typesig.providers.rewriting.record_codecs import close_if_empty
from typesig.providers.rewriting.shape_rewriter import rewrite_document
from typesig.providers.vendors.registry import find_vendor
from typesig.validation.check.check import compile_checker
from typesig.validation.check_state import CheckState, Subject, split_findings
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.words import JSON_SCHEMA
from typesig.validation.outcome.outcome import Outcome, apply_words
from typesig.validation.policy import get_first_policy
from typesig.validation.repair.input_reader import read_sent
from typesig.validation.verdicts import run_checker

if TYPE_CHECKING:
    from typesig.calls.protocols import AnswerContract
    from typesig.validation.issues.ledger import Ledger
    from typesig.validation.policy import ModeName, Policy

#: Names and indices that lead to a value.
Path: TypeAlias = tuple[str | int, ...]

T = TypeVar("T")

#: The name of a response format, which some providers ask for, where the answer has no title.
NAME = "answer"


class AnswerProjection(Generic[T]):
    """The projection of a contract as a provider's response format.

    #: provider: the name of the provider; profile: what it takes
    #: definition: the response format; schema: the schema within it
    #: losses: what it does not say as the contract does; contract: the contract
    """

    __slots__ = (
        "_codec", "_counts", "_form", "contract", "definition", "losses", "profile", "provider",
        "schema",
    )  # fmt: skip
    provider: ProviderName
    profile: Profile
    definition: dict[str, Any]
    schema: dict[str, Any]
    losses: tuple[Loss, ...]
    contract: AnswerContract[T]
    _codec: OptionalCodec
    _counts: Mapping[LimitName, int]
    _form: SentForm

    def __init__(self, contract: AnswerContract[T], profile: Profile) -> None:
        losses: list[Loss] = []
        signature = contract.signature
        t, names = redact_types(signature.returns, signature.names, losses)
        if profile.closed and not contract._explicit:
            t, names = close_if_empty(t, names)
        t, names = make_expressible_types(t, names, losses)
        root = t
        while isinstance(strip_annotations(root), Ref):
            root = names[strip_annotations(root).name]  # type: ignore[union-attr]
        wrapper = _choose_wrapper(profile, root, signature)
        if wrapper is None:
            whole = to_record(strip_annotations(root))
        else:
            whole = wrap_in_record(t, wrapper)
        open_map = whole.extra == ANY and not whole.fields
        found = rewrite_document(profile, whole, names, "returns", open_map, closing=True)
        codec = found.codec if wrapper is None else UnwrapperCodec(wrapper, found.codec)
        sent = found.type if wrapper else add_description(profile, root, found.type)
        schema = schema_of_types(sent, found.names, profile.style)
        title = get_title(signature.returns) if wrapper is None else None
        name = make_legal_names([title or NAME], profile.tool_names)[title or NAME]
        definition = find_vendor(profile.provider).format_of(profile, name, schema)
        parts = {
            "provider": profile.provider,
            "profile": profile,
            "definition": definition,
            "schema": schema,
            "losses": tuple(dict.fromkeys([*losses, *found.losses])),
            "contract": contract,
            "_codec": codec,
            "_form": make_sent_form(make_type_signature(found.type, found.names), codec),
            "_counts": budgets.count_parts(found.type, found.names, definition),
        }
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a projection cannot be changed: make another one")

    def __reduce__(self) -> tuple[Any, ...]:
        return AnswerProjection, (self.contract, self.profile)

    def __repr__(self) -> str:
        return f"<answer for {self.profile.title}: {self.contract!r}>"

    def check(self, counter: Counter | None = None) -> tuple[LimitFinding, ...]:
        """Find exceeded limits and advice; with *counter*, also limits on tokens."""
        counts = dict(self._counts)
        if counter is not None:
            counts["tokens"] = budgets.count_tokens(self.definition, counter)
        limits = dict(self.profile.limits)
        limits.pop("tools", None)
        refusing = find_vendor(self.provider).refusing
        own = budgets.check_tool_limits(NAME, lambda each: counts.get(each, 0), limits, refusing)
        sent = self._form.signature
        advice = budgets.check_advice(NAME, self.profile.advice, sent.returns, sent.names)
        return (*own, *budgets.check_request_limits({NAME: counts}, limits), *advice)

    def _get_sent_form(self) -> tuple[SentForm | None, OptionalCodec]:
        """Return the form and the codec of sent answers, or None for each.

        Both are None if the contract reads them as they are.
        """
        codec = self._codec
        if isinstance(codec, UnwrapperCodec) and codec.name == "items" and codec.inner is None:
            return None, None
        return (None, None) if codec is None else (self._form, codec)

    def decode(self, answer: Any) -> Any:
        """Convert *answer*, JSON text or data, to the contract's form; raises nothing.

        What does not have the form of the schema is returned as it is.
        """
        data, policy = answer, get_first_policy(self.contract.mode)
        if isinstance(answer, str | bytes):
            t, names = self._form.signature.returns, self._form.signature.names
            read = read_sent(answer, "", t, names, policy, lambda data, _: data is not None)
            if read.error is not None:
                return answer
            data = read.data
        return self._form.decode(data, None, policy)

    def encode(self, value: Any) -> Any:
        """Convert *value*, JSON data that the contract accepts, to the sent form."""
        return encode_value(self._codec, value)

    def read(
        self, answer: object, mode: ModeName | Policy | None = None, *, ledger: Ledger | None = None
    ) -> Outcome[T]:
        """Return the outcome of reading an *answer*, JSON text or data; see `Contract.read`."""
        return apply_words(self.contract._read_as(answer, self._form, mode, ledger), JSON_SCHEMA)

    def _feed_back(
        self,
        answer: object,
        outcome: Outcome[Any],
        mode: ModeName | Policy | None,
        previous: Outcome[Any] | None = None,
    ) -> tuple[str, Outcome[Any]]:
        """Write feedback on *outcome*, with the paths and names of the sent schema.

        Also returns the outcome of that feedback: the *previous* one of the next.
        """
        found = self._outcome_as_sent(answer, outcome, get_first_policy(mode, self.contract.mode))
        return found.feedback(previous), found

    def _outcome_as_sent(
        self, answer: object, outcome: Outcome[Any], policy: Policy
    ) -> Outcome[Any]:
        """Convert *outcome* to the paths and names of the sent schema.

        It is *outcome* where values travel as they are, and where they have private parts.
        """
        subject, sent = outcome._subject, self._form.signature
        if self._codec is None or subject is None or subject.may_hide or outcome.stage != "answer":
            return outcome
        t, names = sent.returns, sent.names

        def is_accepted(data: Any, tried: Policy) -> bool:
            return not self._check_sent(data, tried)[0]

        read = read_sent(answer, "the answer is", t, names, policy, is_accepted)
        data = (
            read.data if read.error is not None else self._wrap(as_builtin(to_builtin(read.data)))
        )
        about = Subject(data, t, sent.definitions, policy, fault=read.fault)
        if read.error is not None:
            errors, unseen = [read.error], 0
        else:
            errors, unseen = self._check_sent(data, policy)
        if not errors:
            # Only the contract tells what is wrong, such as a validator of its hints.
            own, unseen = self._form.decode(data, None, policy), outcome.unseen
            below: Path = ()
            if isinstance(self._codec, UnwrapperCodec):
                own, below = {self._codec.name: own}, (self._codec.name,)
            errors = [
                _at_path(error, _find_shared_path(data, own, (*below, *error.path)))
                for error in outcome.errors
            ]
        found: Outcome[Any] = Outcome(stage="answer", errors=errors, unseen=unseen, subject=about)
        return apply_words(found, outcome._words)

    def _check_sent(self, data: Any, policy: Policy) -> tuple[list[Issue], int]:
        """Check *data* against the sent schema; return errors and the unseen count."""
        sent, run = self._form.signature, CheckState(policy.max_issues)
        find_faults(self._codec, data, run, policy)
        run_checker(compile_checker(sent.returns, sent.definitions, policy), data, run)
        return split_findings(run.found, policy, "answer")[0], run.unseen

    def _wrap(self, data: Any) -> Any:
        """Wrap a bare *data* as the schema does; objects stay unchanged."""
        if isinstance(self._codec, UnwrapperCodec) and not isinstance(data, dict):
            return {self._codec.name: data}
        return data


def _at_path(issue: Issue, path: Path) -> Issue:
    """Copy *issue* with its location replaced by *path*."""
    return Issue(issue.code, path, issue.expected, issue.got, issue.hint, issue.rule, issue.hidden)


def _find_shared_path(sent: Any, own: Any, path: tuple[Any, ...]) -> Path:
    """Find the longest prefix of *path* that exists in both *sent* and *own*."""
    for length, step in enumerate(path):
        if type(sent) is not type(own) or not isinstance(sent, dict | list):
            return path[:length]
        steps = [each if isinstance(each, dict) else range(len(each)) for each in (sent, own)]
        if any(step not in each for each in steps):
            return path[:length]
        sent, own = sent[step], own[step]
    return path


def _choose_wrapper(profile: Profile, root: Type, signature: Signature) -> str | None:
    """Choose the name of the field that wraps the answer; None for an object answer."""
    if signature.returns_list():
        return "items"
    t = strip_annotations(root)
    has_none = isinstance(t, Record) and not t.fields and not t.matching and t.extra is None
    return None if is_object(t) and (profile.empty_objects or not has_none) else RESULT


def project_answer(
    contract: AnswerContract[T], provider: str, options: Mapping[str, Any]
) -> AnswerProjection[T]:
    """Project *contract* for *provider*, with the profile of *options*."""
    vendor = find_vendor(provider)
    usual = {"strict": True} if vendor.strict_answers else {}
    return AnswerProjection(contract, vendor.profile_of({**usual, **options}))
