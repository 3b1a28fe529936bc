"""Contracts for answers: the requested type, and the reading of an answer."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Iterable, Iterator
from functools import partial as partial_of
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from typesig.algebra.rows.values import to_builtin
from typesig.algebra.signature import Signature, get_result_signature
from typesig.calls.binding import Binding, SentForm
from typesig.calls.decoding import (
    AnswerContext,
    UndecodedData,
    add_refusals,
    build_one_pass,
    decode_value,
    get_host_policy,
    refuse_coerced,
)
from typesig.calls.functions import check_mode, write_mode
from typesig.extraction.callables.warnings import HintWarning
from typesig.extraction.python_types.decoders import BadParts, find_bad_parts
from typesig.extraction.python_types.host_plan import HostPlan
from typesig.json_backends import UNREAD
from typesig.limits import MAX_VALUES
from typesig.notations.shorthand.writer import write_result
from typesig.tools.answers.ask_methods import AskMethods
from typesig.tools.answers.trials import Trials, decode_coerced, rename_keys, unwrap_items
from typesig.validation.check.check import compile_checker
from typesig.validation.check_state import READ, CheckState, Subject, split_findings
from typesig.validation.generated.program import get_shortcut
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.ledger import Ledger, note_in
from typesig.validation.json_text import BadJson, is_wrapped, read_digits, read_json
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.outcome.visibility import hide_private_values
from typesig.validation.plain_data import replace_written_floats, to_plain
from typesig.validation.policy import ModeName, Policy, get_first_policy
from typesig.validation.repair.input_reader import read_sent, wants_digits
from typesig.validation.verdicts import filling_policy, run_checker

if TYPE_CHECKING:
    from typing import Unpack

    from typesig.calls.generated.answer_readers import Reader
    from typesig.extraction.callables.options import HintKeywords
    from typesig.listings.entries import Style
    from typesig.providers.engines.engine import Constraint
    from typesig.providers.projection.answers import AnswerProjection
    from typesig.providers.registry.provider import (
        BoundOptions,
        EngineName,
        OtherName,
        ProviderName,
        Syntax,
    )
    from typesig.providers.registry.vendor import ProfileOptions
    from typesig.tools.streams.stream import Stream
    from typesig.validation.stream.part_shapes import StreamTarget
    from typesig.validation.stream.partial import Partial

T = TypeVar("T")

#: An answer that is not decoded.
_AS_IT_IS = HostPlan()

#: The policies for which a contract keeps what outcomes share.
_MOST_POLICIES = 8

#: The classes of data that is no text.
_DATA = frozenset({dict, list, int, float, bool, type(None)})


class Contract(AskMethods[T]):
    """A type that a model's answer must fit, with its prompt, its schema and its reader.

    #: signature: the answer's type, as the result of a signature without parameters
    #: warnings: what the type does not express as the hint does
    #: mode: that of readings without one, or None

    >>> import typesig
    >>> answer = typesig.contract(list[int])
    >>> print(answer.prompt(), answer.read("[1, 2]").value)
    Answer with JSON that fits: [:int] [1, 2]
    """

    __slots__ = (
        "_abouts", "_explicit", "_host", "_is_generated", "_names", "_policy", "_quick", "_reader",
        "_source", "_wrapped_reader", "mode", "signature", "warnings",
    )  # fmt: skip

    def __init__(
        self,
        signature: Signature,
        warnings: tuple[HintWarning, ...] = (),
        mode: ModeName | Policy | None = None,
        host: HostPlan = _AS_IT_IS,
        explicit: bool = True,
    ) -> None:
        """*host* tells how an answer is decoded; *explicit* is whether its type was written."""
        self._host, self._explicit = host, explicit
        self.signature = get_result_signature(signature)
        self.warnings = warnings
        self._names = self.signature.names
        # Data with other names, or secrets, is checked first.
        is_checked = bool(host.spellings or host.secrets)
        parts = self.signature.returns, self.signature.definitions
        self._quick = None if is_checked else build_one_pass(*parts, host.returns)
        self._reader: Reader | None = None
        self._is_generated = False
        self._wrapped_reader: Reader | None = None
        self._abouts: dict[Policy, AnswerContext] = {}
        self.mode: ModeName | Policy | None = check_mode(mode)
        self._policy = get_first_policy(mode)
        self._source: tuple[Callable[..., Contract[T]], Any, HintKeywords] | None = None

    def _with_mode(self, mode: ModeName | Policy | None) -> Contract[T]:
        """Copy the contract with *mode*; return it unchanged for None."""
        if mode is None:
            return self
        made = Contract[T](self.signature, self.warnings, mode, self._host, self._explicit)
        made._source = self._source
        return made

    def __reduce__(self) -> Any:
        # Decoders are closures, which cannot be pickled: the contract is made of its hint again.
        if self._source is None:
            host = self._host._replace(spellings=dict(self._host.spellings), bounds={})
            return Contract, (self.signature, self.warnings, self.mode, host, self._explicit)
        revive, hint, options = self._source
        return revive, (hint, options, self.mode)

    def __repr__(self) -> str:
        text = write_result(self.signature, described=False)
        return f"<contract {text}{write_mode(self.mode)}>"

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.tools.display import parts_of_contract

        yield from parts_of_contract(self)

    def _repr_html_(self) -> str:
        """Return the HTML of the contract for notebooks."""
        from typesig.tools.display import html_of_contract

        return html_of_contract(self)

    def prompt(self, style: Style = "signature", *, example: bool = False, seed: int = 0) -> str:
        """Text that asks the model for the answer.

        For *style* see `Toolset.listing`. With *example*, the text ends with a valid value, which
        is the same for each *seed*. Raises `TypesigError` for an unknown style, and its subclass
        `NoSample` if no example is found.

        >>> from typesig import contract
        >>> print(contract("{id :int, tags [:string]}").prompt("compact", example=True))
        Answer with JSON that fits: {id int, tags [string]}
        <BLANKLINE>
        For example: {"id": 7, "tags": ["true"]}
        """
        from typesig.listings.answer_prompt import write_answer_prompt

        return write_answer_prompt(self.signature, style, example, seed)

    def to_json_schema(self, exact: bool = False, inline: bool = False) -> dict[str, Any]:
        """Return the JSON Schema of the answer; see `Signature.to_json_schema`."""
        return self.signature.to_json_schema(exact, inline)

    @overload
    def project(
        self, provider: EngineName, *, syntax: Syntax = ..., **options: Unpack[BoundOptions]
    ) -> Constraint[Outcome[T]]: ...
    # The last one is what type checkers show for a misspelt provider.
    @overload
    def project(
        self, provider: ProviderName | OtherName, **options: Unpack[ProfileOptions]
    ) -> AnswerProjection[T]: ...
    def project(
        self, provider: ProviderName | OtherName | EngineName, **options: Any
    ) -> AnswerProjection[T] | Constraint[Outcome[T]]:
        """Return the answer's response format for *provider*, or an engine's constraint.

        For options see `Toolset.project`; OpenAI and Anthropic are strict here. For engines,
        *longest*, *digits*, *items* and *closed* bound the grammar; see `BoundOptions`.

        >>> from typesig import contract
        >>> made = contract("{n :int, note :string?}").project("openai")
        >>> made.definition["json_schema"]["schema"]["required"]
        ['n', 'note']
        >>> made.read('{"n": "3", "note": null}').value
        {'n': 3}
        """
        from typesig.providers.entry_points import project_answer

        return project_answer(self, self.read, provider, options)

    @overload
    def read(
        self,
        text: object,
        mode: ModeName | Policy | None = None,
        *,
        partial: Literal[False] = False,
        ledger: Ledger | None = None,
    ) -> Outcome[T]: ...
    @overload
    def read(
        self,
        text: object,
        mode: ModeName | Policy | None = None,
        *,
        partial: Literal[True],
        ledger: Ledger | None = None,
    ) -> Partial: ...
    def read(
        self,
        text: object,
        mode: ModeName | Policy | None = None,
        *,
        partial: bool = False,
        ledger: Ledger | None = None,
    ) -> Outcome[T] | Partial:
        """Return the outcome of reading a model's answer, JSON text or data.

        Text that is not valid JSON is repaired as the mode allows, with a warning for each repair,
        and `{"items": […]}` around a list is unwrapped. Then the answer is coerced, checked and
        decoded to an object of the hint. *mode* defaults to the mode of the contract. *ledger*
        counts repairs and refusals. With *partial*, the text may be truncated; the result is a
        `Partial` with the complete and the missing parts.
        """
        if mode is None and ledger is None and not partial and self._quick is not None:
            reader = self._reader or self._start_reader()
            known = reader(text)
            if known is None and self._wrapped_reader is not None:
                known = self._wrapped_reader(text)
            if known is not None:
                return known
        policy = self._policy if mode is None else get_first_policy(mode)
        outcome = self._read(text, policy)
        if partial:
            from typesig.tools.streams import stream

            part = stream.read_partly(text, self._make_growing(policy), outcome)
            self._note(ledger, part)
            return part
        self._note(ledger, outcome)
        return outcome

    def _start_reader(self) -> Reader:
        """Make the reader of texts: by closures at first, and by generated code from then on."""
        from typesig.calls.generated.answer_readers import start_reader

        assert self._quick is not None
        about = self._abouts.get(self._policy) or self._get_context(self._policy)
        coerce = partial_of(decode_coerced, about, self.signature, self._host, self._quick.read)
        self._reader = start_reader(self._quick, about, coerce, self._keep_generated)
        return self._reader

    def _keep_generated(self, reader: Reader) -> None:
        self._reader, self._is_generated = reader, True

    def _read_as(
        self, text: object, form: SentForm, mode: ModeName | Policy | None, ledger: Ledger | None
    ) -> Outcome[T]:
        """Read the answer *text* as `read` does, sent in the provider's *form*."""
        outcome = self._read(text, self._policy if mode is None else get_first_policy(mode), form)
        self._note(ledger, outcome)
        return outcome

    def stream(
        self,
        chunks: Iterable[str | None] | AsyncIterable[str | None] | None = None,
        mode: ModeName | Policy | None = None,
        *,
        ledger: Ledger | None = None,
    ) -> Stream[T]:
        """Build the stream that reads an answer from text *chunks*; see `Stream`.

        Pass *chunks*, or call `feed` with each chunk. For *mode* and *ledger* see `read`.

        >>> from typesig import contract
        >>> stream = contract(list[int]).stream(["[1", "2, 3", "4]"])
        >>> [part.value for part in stream]
        [[12], [12, 34], [12, 34]]
        """
        from typesig.tools.streams.stream import Stream

        policy = self._policy if mode is None else get_first_policy(mode)

        def finish(text: str) -> Outcome[T]:
            outcome = self._read(text, policy)
            self._note(ledger, outcome)
            return outcome

        return Stream(self._make_growing(policy), finish, chunks)

    def _stream_as(
        self,
        chunks: Any,
        form: SentForm | None,
        mode: ModeName | Policy | None,
        finish: Callable[[str], Outcome[T]],
    ) -> Stream[T]:
        """Build the stream of an answer that is sent in the provider's *form*.

        *finish* returns the outcome of the whole text.
        """
        from typesig.tools.streams.stream import Stream

        policy = self._policy if mode is None else get_first_policy(mode)
        return Stream(self._make_growing(policy, form), finish, chunks)

    def _note(self, ledger: Ledger | None, found: Outcome[T] | Partial) -> None:
        """Add the errors and warnings of *found* to *ledger*, if there is a ledger."""
        if ledger is not None:
            note_in(ledger, found.errors, found.warnings, self.signature)

    def _make_growing(self, policy: Policy, form: SentForm | None = None) -> StreamTarget:
        """Build the stream target for an answer that is read under *policy*."""
        from typesig.tools.streams.stream import make_growing_answer

        if form is not None:
            binding = Binding("answer", form.signature, _AS_IT_IS, self._explicit)
            return make_growing_answer(binding, policy, partial_of(self._make_outcome, form=form))
        binding = Binding("answer", self.signature, self._host, self._explicit)
        return make_growing_answer(binding, policy, self._make_outcome)

    def _read(self, text: object, policy: Policy, form: SentForm | None = None) -> Outcome[T]:
        """Read the answer *text* under *policy*; *form* is the form a provider got."""
        if type(text) is str and form is None:
            # What most answers are, without what only others need.
            about, written = self._abouts.get(policy) or self._get_context(policy), False
            if policy.on_issue == "fail" and policy.repairs and is_wrapped(text):
                known = self._read_lone(text, policy, about)
                if known is not None:
                    return known
            try:
                if about.keeps_digits:
                    data, written = read_digits(text)
                else:
                    data = read_json(text)
            except BadJson:
                pass
            else:
                return self._make_outcome(data, policy, (), None, len(text) <= MAX_VALUES, written)
        if type(text) in _DATA and form is None:
            return self._make_outcome(text, policy, ())
        signature = self.signature if form is None else form.signature
        text = text if type(text) is str else to_builtin(text)
        trials: Trials[T] = Trials(
            lambda data, tried: self._check_and_decode(
                data, tried, (), form, True, False, is_trial=True
            )
        )
        t, names = signature.returns, self._names if form is None else signature.names
        read = read_sent(text, "the answer is", t, names, policy, trials.fits)
        if read.error is not None:
            subject = self._make_subject(read.data, policy, read.fault)
            return Outcome(stage="answer", errors=[read.error], rejected=text, subject=subject)
        if read.fitting is not None:
            about = self._abouts.get(policy) or self._get_context(policy)
            known = trials.get_outcome(read, about.policy)
            if known is not None:
                return known
        # Each value of a text has a character or more.
        is_counted = type(text) in (str, bytes) and len(text) <= MAX_VALUES  # pyright: ignore[reportArgumentType]
        return self._make_outcome(read.data, policy, read.warnings, form, is_counted, read.written)

    def _read_lone(self, text: str, policy: Policy, about: AnswerContext) -> Outcome[T] | None:
        """Read the only JSON value in *text*; None if it does not conform or others may count."""
        from typesig.tools.answers.lone_answers import WrappedReader, read_lone

        if self._quick and self._is_generated and self._wrapped_reader is None:
            own = self._abouts.get(self._policy) or self._get_context(self._policy)
            self._wrapped_reader = WrappedReader(self._quick, own, self._policy).read
        return read_lone(text, policy, about, self._make_outcome, self._decode_valid)

    def _make_outcome(
        self,
        data: Any,
        policy: Policy,
        mended: Iterable[Issue],
        form: SentForm | None = None,
        is_counted: bool = False,
        written: bool = False,
    ) -> Outcome[T]:
        """Check and decode *data*, with the warnings *mended*, sent in *form* if that is not None.

        *is_counted* is whether it has at most `MAX_VALUES` places; for *written* see `ReadResult`.
        """
        if form is None and not written:
            known = self._decode_valid(data, policy, mended, is_counted)
            if known is not None:
                return known
            if self._quick and policy.on_issue == "fail":
                about = self._abouts.get(policy) or self._get_context(policy)
                parts = about, self.signature, self._host, self._quick.read
                coerced: Outcome[T] | None = decode_coerced(*parts, data, mended)
                if coerced is not None:
                    return coerced
        return self._check_and_decode(
            data, policy, mended, form, written, is_counted and form is None
        )

    def _decode_valid(
        self, data: Any, policy: Policy, mended: Iterable[Issue], is_counted: bool
    ) -> Outcome[T] | None:
        """Decode *data* in one pass; None if it is to be checked first; see `_make_outcome`."""
        if self._quick is None or policy.on_issue == "skip":
            return None
        about = self._abouts.get(policy) or self._get_context(policy)
        sent = unwrap_items(data, self.signature)
        found = self._quick.read(sent, about.policy, is_counted)
        if found is UNREAD:
            return None
        return about.make_outcome(found, sent, mended, is_counted and not mended)

    def _check_and_decode(
        self,
        data: Any,
        policy: Policy,
        mended: Iterable[Issue],
        form: SentForm | None,
        written: bool,
        is_text: bool,
        is_trial: bool = False,
    ) -> Outcome[T]:
        """Check and decode *data* without the quick reader; a trial decodes no bad data."""
        run = CheckState(policy.max_issues)
        if form is not None:
            data = form.decode(data, None if policy.on_issue == "skip" else run, policy)
        if policy.on_issue == "skip":
            data = data if form is None else replace_written_floats(data)
            subject = self._make_subject(data, policy)
            return Outcome[Any](data, (), mended, "answer", subject=subject)
        about, host = self._abouts.get(policy) or self._get_context(policy), self._host
        about_type = self.signature.returns, self.signature.definitions, about.policy
        sent = unwrap_items(data, self.signature)
        value = rename_keys(sent, host.spellings, self.signature)
        is_tried = form is None and isinstance(self._quick, UndecodedData)
        if is_tried or not get_shortcut(*about_type).passes(value):
            value = run_checker(compile_checker(*about_type), value, run)
        value = replace_written_floats(value) if written or form is not None else value
        refuse_coerced(run, host.strict)
        errors, warnings = split_findings(run.found, policy, "answer")
        made, bad, more = value, find_bad_parts(run, BadParts), 0
        if bad is not None and not (bad and is_trial):
            made, refusals = decode_value(
                host.returns, value, (), "the hint", host.secrets, is_text, bad
            )
            more = add_refusals(errors if policy.on_issue == "fail" else warnings, refusals, policy)
        if not (errors or warnings or more or is_trial or host.secrets):
            is_plain = is_text and value is data and not mended
            return about.make_outcome(made, value, mended, is_plain)
        errors, warnings = self._hide_private(errors), [*mended, *self._hide_private(warnings)]
        if errors:
            subject, unseen = self._make_subject(sent, about.policy), run.unseen + more
            return Outcome(
                None, errors, warnings, "answer", rejected=data, unseen=unseen, subject=subject
            )
        whole = about.fill(value)
        subject, unseen = self._make_subject(whole, about.policy), run.unseen_warnings + more
        kept: dict[str, Any] = {"unseen": unseen, "subject": subject}
        return Outcome(made, (), warnings, "answer", plain=lambda: to_plain(whole), **kept)

    def _hide_private(self, issues: list[Issue]) -> list[Issue]:
        """Hide the private values in *issues*."""
        return hide_private_values(issues, self.signature.returns, self._names, self._host.secrets)

    def _get_context(self, policy: Policy) -> AnswerContext:
        """Build the parts that all outcomes under *policy* share, cached."""
        t, names = self.signature.returns, self._names
        nested = get_host_policy(policy, self._explicit, self._host.exact)
        made = AnswerContext("answer", t, self.signature.definitions, nested)
        made.keeps_digits = wants_digits(t, names, policy)
        made.filling = filling_policy(t, names, policy, nested)
        if len(self._abouts) < _MOST_POLICIES:
            self._abouts[policy] = made
        return made

    def _make_subject(self, value: object, policy: Policy, fault: int = READ) -> Subject:
        """Build the `Subject` of an outcome: the checked *value* with its type."""
        parts = self.signature.returns, self.signature.definitions, policy
        return Subject(value, *parts, secrets=self._host.secrets, fault=fault)
