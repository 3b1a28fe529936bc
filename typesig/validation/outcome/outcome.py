"""The outcome of a check or a call: a value or errors, and warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from typesig.algebra.rows.frozen import seal, set_part
from typesig.errors import TypesigError
from typesig.limits import MAX_SHOWN
from typesig.validation.check_state import Stage, Subject
from typesig.validation.issues.issues import Issue, ValidationError
from typesig.validation.issues.words import SIGNATURE, WORDS, Words, WordsName, get_words
from typesig.validation.outcome.check_context import NOT_WHOLE, CheckContext, Notes, OutcomeDetails
from typesig.validation.outcome.passthrough import return_unchanged
from typesig.validation.outcome.reports import get_heading, list_issues, write_first_issues

if TYPE_CHECKING:
    from typesig.notations.texts.quoting import Counter
    from typesig.validation.outcome.model_data import ModelData
    from typesig.validation.outcome.truncation import TextStyle

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


#: What was checked, in a heading of warnings; else it is a call of a tool.
_CHECKED: dict[Stage, str] = {"answer": "Answer", "program": "Program", "run": "Program"}

#: The names of the parts of an outcome, without `_value`, which is set when it is first read.
PARTS = ("_about", "_result", "_told")


# A method for all attributes would make it take twice as long to make an outcome.
@seal
class Outcome(Generic[T_co]):
    """The outcome of a check or a call: a value or errors; either may have warnings.

    It is immutable, and neither true nor false: write `outcome.ok`.

    #: stage: input, call, output or answer
    #: errors, warnings: issues, at most `MAX_ISSUES` of each
    #: unseen: the number of further errors, or of further warnings if there are no errors
    #: rejected: the value that failed, so that a result of a tool is never lost

    >>> import typesig
    >>> out = typesig.parse("(n :int) -> :any").validate_input({"n": "3"})
    >>> out.ok, out.value, [str(warning) for warning in out.warnings]
    (True, {'n': 3}, ['n: coerced string "3" to int'])
    """

    __slots__ = (*PARTS, "_said", "_value")

    # Of an outcome that has nothing to tell, or only what generated source noted.
    _about: CheckContext | None
    _result: Any
    _told: OutcomeDetails | Notes | None
    _said: Words
    _value: Any

    def __init__(
        self,
        result: T_co | None = None,
        errors: Iterable[Issue] = (),
        warnings: Iterable[Issue] = (),
        stage: Stage = "input",
        *,
        rejected: Any = None,
        unseen: int = 0,
        plain: Callable[[], Any] | None = None,
        subject: Subject | None = None,
        noticed: tuple[Issue, ...] = (),
    ) -> None:
        known = tuple(errors), tuple(warnings)
        told = OutcomeDetails(
            lambda: known, bool(known[0]), stage, rejected, unseen, plain, subject
        )
        if noticed:
            told.noticed = noticed
        set_part(self, "_result", result)
        set_part(self, "_about", None)
        set_part(self, "_told", told)

    def _get_details(self) -> OutcomeDetails | None:
        """Return the details, built from notes on first use; None if there are none."""
        told = self._told
        if isinstance(told, tuple):
            assert self._about is not None
            told = self._about.make_details(self._result, told)
            told.words = getattr(self, "_said", SIGNATURE)
            set_part(self, "_told", told)
        return told

    @property
    def errors(self) -> tuple[Issue, ...]:
        """The errors, at most `MAX_ISSUES`."""
        told = self._told
        return () if told is None or isinstance(told, tuple) else told.errors

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """The warnings, at most `MAX_ISSUES`."""
        told = self._get_details()
        return () if told is None else told.warnings

    @property
    def stage(self) -> Stage:
        """The stage that was checked: input, call, output or answer."""
        told = self._get_details()
        if told is not None:
            return told.stage
        assert self._about is not None
        return self._about.stage

    @property
    def rejected(self) -> Any:
        """The value that failed the check, such as the result of a tool that ran."""
        told = self._get_details()
        return None if told is None else told.rejected

    @property
    def unseen(self) -> int:
        """The number of errors, or else of warnings, beyond `MAX_ISSUES`."""
        told = self._get_details()
        return 0 if told is None else told.unseen

    @property
    def _words(self) -> Words:
        """The vocabulary in which messages are written."""
        return getattr(self._get_details(), "words", SIGNATURE)

    @property
    def _subject(self) -> Subject | None:
        """Checked value with its type and policy, or None."""
        told = self._get_details()
        if told is not None:
            return told.subject
        assert self._about is not None
        return self._about.make_subject(self._result)

    @property
    def _noticed(self) -> tuple[Issue, ...]:
        """The warnings that a model reads in the notice of a result."""
        told = self._get_details()
        return () if told is None else told.noticed

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        told = self._told
        return told is None or isinstance(told, tuple) or not told.has_errors

    @property
    def value(self) -> Any:
        """The value as plain JSON data, for Python; raises `ValidationError` if there are errors.

        It contains everything that the tool returned, including firewalled fields. For a model, use
        `for_model` or `text`. Plain data is not copied; each access returns the same object.
        """
        try:
            return self._value
        except AttributeError:
            return self._make_value()

    def _make_value(self) -> Any:
        """Return the value as plain data, cached."""
        self._raise()
        told = self._told
        if told is None or isinstance(told, tuple):
            assert self._about is not None
            value = self._about.get_plain_value(self._result, told)
        else:
            value = self._result if told.plain is None else told.plain()
        set_part(self, "_value", value)
        return value

    @property
    def result(self) -> T_co:
        """The value as a Python object; raises `ValidationError` if there are errors."""
        self._raise()
        result: T_co = self._result
        return result

    def for_model(self, exact: bool = False) -> Any:
        """Return the value as JSON data that fits the schema for the model.

        That schema is `Signature.to_json_schema`, *exact* or not. Firewalled fields are always
        omitted. Unless *exact*, undeclared keys of closed records and nulls of optional fields are
        omitted too, and a top-level list is wrapped in `items`. Raises `ValidationError` if there
        are errors, `TypesigError` with the place for a value without a JSON form, and `TooLarge`
        beyond `MAX_VALUES`.

        >>> import typesig
        >>> sig = typesig.parse("() -> {id :int, note :string?, _raw :any}")
        >>> sig.validate_output({"id": 1, "note": None, "_raw": object()}).for_model()
        {'id': 1}
        """
        told = self._told
        if told is None or isinstance(told, tuple):
            assert self._about is not None
            data = self._about.make_model_data(self._result, told, exact)
            if data is not NOT_WHOLE:
                return data
        found = self._make_model_data(exact)
        return {"items": found.data} if found.wrapped else found.data

    def text(
        self, style: TextStyle = "json", *, budget: int | None = None, counter: Counter = len
    ) -> str:
        r"""Return the text for a model: the value as compact JSON, or the feedback.

        The value is that of `for_model`; a list is not wrapped. If a call has a `notice`, that is
        the last line. The *style* "table" writes the keys of a list of objects once, on a line
        above; "auto" uses the shorter form. A *budget*, in the unit of *counter*, truncates the
        value: lists keep their first items, strings keep their beginning, and a last line describes
        the omitted parts. Raises `TypesigError` for an invalid style, budget or counter, and
        `TooLarge` if that line does not fit.

        >>> import typesig
        >>> out = typesig.parse("[{_id :int, at :int}]").validate_output([{"_id": 1, "at": 2}])
        >>> out.text(), out.text("table")
        ('[{"at":2}]', 'at\n2')
        """
        if style != "json" or budget is not None:
            from typesig.validation.outcome.truncation import make_result_writer

            writer = make_result_writer(style, budget, counter).with_notice(self.notice)
            return (
                writer.write_text(self._make_model_data(False).data) if self.ok else self.feedback()
            )
        text = self._write_text()
        notice = "" if self._told is None else self.notice
        return f"{text}\n{notice}" if notice and self.ok else text

    def _write_text(self) -> str:
        """Write the value as compact JSON text, without a notice, or else the feedback."""
        told = self._told
        if told is None or isinstance(told, tuple):
            assert self._about is not None
            text = self._about.write_model_text(self._result, told)
            if text is not None:
                return text
        elif told.has_errors:
            return self.feedback()
        from typesig.notations.texts.quoting import write_compact_json

        return write_compact_json(self._make_model_data(False).data)

    @property
    def notice(self) -> str:
        """A line for the model about arguments that were dropped or guessed, or an empty text.

        It accompanies the result: at the end of `text` and `feedback`, and as a separate part in
        the messages of `handle`. `Policy(tell_model=False)` leaves it out.

        >>> import typesig
        >>> @typesig.tool
        ... def double(n: int) -> int:
        ...     return 2 * n
        >>> print(double.call({"n": 2, "fast": True}).text())
        4
        Warnings about this call: fast: unexpected key dropped
        """
        told = self._told
        if told is None:
            return ""
        if isinstance(told, tuple):
            assert self._about is not None
            if not self._about.may_notice(told):
                return ""
            notice = self._about.find_notice(told)
            if notice is not None:
                return notice
        known = self._get_details()
        assert known is not None
        if not known.noticed:
            return ""
        from typesig.validation.outcome.reports import write_notice

        return write_notice(known.noticed, known.words)

    @property
    def media(self) -> tuple[Any, ...]:
        """The images, audio and files of the result that a model may see, in order."""
        told = self._told
        if told is None or isinstance(told, tuple) or told.has_errors or told.subject is None:
            return ()
        if not (held := told.subject.media):
            return ()
        from typesig.validation.outcome.model_data import select_media

        return select_media(self._make_model_data(False).data, held)

    def left_out(self, exact: bool = False) -> tuple[Issue, ...]:
        """Warnings about parts that `for_model` omits or replaces, hidden fields aside.

        These are undeclared keys of closed records, and numbers without a JSON form.

        >>> import typesig
        >>> out = typesig.parse("{id :int}").validate_output({"id": 1, "extra": 2})
        >>> [str(warning) for warning in out.left_out()]
        ['extra: unexpected key left out of what the model sees']
        """
        return self._make_model_data(exact).warnings

    def _make_model_data(self, exact: bool) -> ModelData:
        """Make the data that a model sees; raise if there are errors."""
        self._raise()
        from typesig.validation.outcome.model_data import make_model_data

        return make_model_data(self._subject, self._result, exact)

    def _raise(self) -> None:
        """Raise `ValidationError` with the report if the outcome has errors."""
        if not self.ok:
            raise ValidationError(self.report(), self.errors)

    def __bool__(self) -> NoReturn:
        raise TypesigError("an outcome is neither true nor false: write outcome.ok")

    def __repr__(self) -> str:
        if self.errors:
            return f"Outcome(errors={write_first_issues(self.errors, self.unseen)})"
        warned = (
            f", warnings={write_first_issues(self.warnings, self.unseen)}" if self.warnings else ""
        )
        return f"Outcome({self._write_shown()}{warned})"

    def _write_shown(self) -> str:
        """Write a short repr of the result, without secrets."""
        if self._subject is None or not self._subject.secrets:
            from typesig.validation.issues.excerpt import shorten_repr

            return shorten_repr(self._result)
        from typesig.validation.outcome.annotated_input import write_without_secrets

        return write_without_secrets(self._subject.value, self._subject, MAX_SHOWN)

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.validation.outcome.outcome_markup import iter_outcome_parts, write_value

        value = write_value(self.value, self._subject) if self.ok else None
        yield from iter_outcome_parts(value, self.errors, self.warnings)

    def _repr_html_(self) -> str:
        """Write the outcome as HTML for notebooks: its value, or the input with its errors."""
        from typesig.validation.outcome.outcome_markup import write_outcome_html, write_value

        value = write_value(self.value, self._subject) if self.ok else None
        return write_outcome_html(value, self.report() if self.ok else self.feedback())

    def __reduce__(self) -> tuple[Any, ...]:
        # The plain value is computed now, since the closure that computes it cannot be pickled.
        made = partial(
            Outcome,
            stage=self.stage,
            rejected=self.rejected,
            unseen=self.unseen,
            plain=None if self.errors else partial(return_unchanged, self.value),
            subject=self._subject,
            noticed=self._noticed,
        )
        return made, (self._result, self.errors, self.warnings), self._words.name

    def __setstate__(self, words: WordsName) -> None:
        apply_words(self, WORDS[words])

    def report(self, *, words: WordsName | None = None) -> str:
        """Return errors and warnings as text for the model.

        The text does not show firewalled values; a last line counts issues beyond `MAX_REPORT`.
        Equal errors at paths that differ only in indices share a line. For an error of the tool or
        in its result, the report contains the `notice` instead of the warnings about the arguments.
        For *words* see `feedback`.
        """
        parts, said = [], get_words(words, self._words)
        if self.errors:
            parts.append(list_issues(get_heading(self.stage), self.errors, self.unseen, said))
        if self.warnings and not (self.errors and self.stage in ("call", "output")):
            unseen = 0 if self.errors else self.unseen
            read = _CHECKED.get(self.stage, "Tool")
            parts.append(list_issues(f"{read} validation warnings:", self.warnings, unseen, said))
        elif self._noticed:
            parts.append(self.notice)
        return "\n\n".join(parts)

    def feedback(
        self, previous: Outcome[Any] | None = None, *, words: WordsName | None = None
    ) -> str:
        """Return the raw input with each error at its place; empty without errors.

        The value is written as JSON; an error is a comment at the end of the line, and a missing
        field a line of its own. Errors without a place follow at the end, and a last line shows a
        valid form. Firewalled parts and secrets are not shown. Text above `MAX_FEEDBACK` characters
        is shortened; parts without errors are cut first. An error that is also in *previous* is
        marked as the same. For an error of the tool, or in its result, only the errors are listed.
        *words* is the notation that the model was shown, "signature" or "json_schema". The default
        is "json_schema", with words such as `null` and `object`, for an outcome from a projection,
        and "signature" otherwise. Raises `TypesigError` if *previous* is not an outcome, or *words*
        is unknown.

        >>> import typesig
        >>> sig = typesig.parse("(query :string, limit :int = 10) -> :any")
        >>> print(sig.validate_input({"limit": "many"}).feedback())
        Tool validation errors:
        {
          "limit": "many"  // expected int, got string "many"
          // missing: query :string
        }
        <BLANKLINE>
        Arguments that fit: (query :string, limit :int = 10)
        """
        if previous is not None and not isinstance(previous, Outcome):
            raise TypesigError(
                f"previous is the outcome of the call before, not {type(previous).__name__}"
            )
        told = self._get_details()
        if told is None or not told.has_errors:
            return ""
        said = get_words(words, told.words)
        from typesig.validation.outcome.feedback import write_feedback

        return write_feedback(told, () if previous is None else previous.errors, said)

    def tree(self, *, warnings: bool = False) -> Any:
        """Return the error messages in the shape of the value; None without errors.

        A map becomes a dict, and a list becomes a list up to the last error, with None for items
        without errors. The messages of a value are a list of strings. A map or list with messages
        of its own is a dict with these under `":messages"`. A list with errors beyond `MAX_PADDED`
        items is a dict with indices as text. With *warnings*, returns the warnings instead. The
        tree is plain JSON data, similar to Malli's `humanize`, and does not show firewalled values.

        >>> import typesig
        >>> sig = typesig.parse("{name :string, tags [:string]}")
        >>> sig.validate_output({"name": 3, "tags": ["a", 7]}).tree()
        {'name': ['expected string, got int 3'], 'tags': [None, ['expected string, got int 7']]}
        """
        from typesig.validation.outcome.reports import build_tree

        return build_tree(self.warnings if warnings else self.errors, self._words)


def apply_words(outcome: Outcome[Any], words: Words) -> Outcome[Any]:
    """Set the vocabulary of the messages of *outcome* to *words*, in place."""
    told = outcome._told
    if isinstance(told, tuple):
        # What the notes tell is made when it is read.
        set_part(outcome, "_said", words)
    elif told is not None:
        told.words = words
    return outcome
