"""The outcome of a check or a call: a value or errors, and warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    NamedTuple,
    NoReturn,
    TypeVar,
    assert_never,
)

from typesig.algebra.frozen import set_part
from typesig.errors import TypesigError
from typesig.limits import MAX_REPORT, MAX_SHOWN
from typesig.validation.issues import Issue, ValidationError
from typesig.validation.plain import plain
from typesig.validation.subject import About, Stage, Subject

if TYPE_CHECKING:
    from typesig.validation.model_data import ModelData

T_co = TypeVar("T_co", covariant=True)


class Told(NamedTuple):
    """What an outcome tells besides its result, unless the check found nothing.

    #: plain: returns the value as plain data; None if it is the result
    """

    errors: tuple[Issue, ...]
    warnings: tuple[Issue, ...]
    stage: Stage
    rejected: Any
    unseen: int
    plain: Callable[[], Any] | None
    subject: Subject | None


class _Parts:
    """The parts of an outcome, while they are set.

    #: about: of an outcome of which nothing is told; told: of any other
    """

    __slots__ = ("_about", "_result", "_told")

    _about: About | None
    _result: Any
    _told: Told | None


#: The names of the parts of an outcome.
PARTS = _Parts.__slots__


class Outcome(_Parts, Generic[T_co]):
    """The outcome of a check or a call: a value or errors; either may have warnings.

    #: stage: input, call, output or answer
    #: errors, warnings: issues, at most `MAX_ISSUES` of each
    #: unseen: the number of further errors, or of further warnings if there are no errors
    #: rejected: the value that failed, so that a result of a tool is never lost
    """

    __slots__ = ()

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
    ) -> None:
        told = Told(tuple(errors), tuple(warnings), stage, rejected, unseen, plain, subject)
        set_part(self, "_result", result)
        set_part(self, "_about", None)
        set_part(self, "_told", told)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an outcome cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("an outcome cannot be changed")

    @property
    def errors(self) -> tuple[Issue, ...]:
        """The errors, at most `MAX_ISSUES`."""
        return () if self._told is None else self._told.errors

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """The warnings, at most `MAX_ISSUES`."""
        return () if self._told is None else self._told.warnings

    @property
    def stage(self) -> Stage:
        """What the outcome is of: input, call, output or answer."""
        if self._told is not None:
            return self._told.stage
        assert self._about is not None
        return self._about.stage

    @property
    def rejected(self) -> Any:
        """The value that failed, so that a result of a tool is never lost."""
        return None if self._told is None else self._told.rejected

    @property
    def unseen(self) -> int:
        """The number of further errors, or of further warnings if there are no errors."""
        return 0 if self._told is None else self._told.unseen

    @property
    def _subject(self) -> Subject | None:
        if self._told is not None:
            return self._told.subject
        assert self._about is not None
        return self._about.subject(self._result)

    @property
    def _plain(self) -> Callable[[], Any] | None:
        return partial(plain, self._result) if self._told is None else self._told.plain

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return not self.errors

    @property
    def value(self) -> Any:
        """The value as plain JSON data, for Python; raises `ValidationError` if there are errors.

        It has all that the tool returned, firewalled fields among it.  What a model may see is
        `for_model` and `text`.
        """
        self._raise()
        made = self._plain
        return self._result if made is None else made()

    @property
    def result(self) -> T_co:
        """The value as a Python object; raises `ValidationError` if there are errors."""
        self._raise()
        result: T_co = self._result
        return result

    def for_model(self, exact: bool = False) -> Any:
        """Return the value as JSON data that fits the schema which the model was shown.

        That is `Signature.to_json_schema`, *exact* or not.  Firewalled fields are left out
        whatever they hold; unless *exact*, so are undeclared keys of records that are shown
        closed, and nulls of optional fields; a list as the whole value is wrapped in `items`.
        Raises `ValidationError` if there are errors, `TypesigError` with the place for a value
        that has no JSON form, and `TooLarge` beyond `MAX_VALUES`.

        >>> import typesig
        >>> sig = typesig.parse("() -> {id :int, note :string?, _raw :any}")
        >>> sig.validate_output({"id": 1, "note": None, "_raw": object()}).for_model()
        {'id': 1}
        """
        found = self._model_data(exact)
        return {"items": found.data} if found.wrapped else found.data

    def text(self) -> str:
        """Return what a model reads: the value as compact JSON text, or the report of the errors.

        The value is that of `for_model`; a list is not wrapped.

        >>> import typesig
        >>> typesig.parse("[{_id :int, at :datetime}]").validate_output([]).text()
        '[]'
        """
        if self.errors:
            return self.report()
        import json

        data = self._model_data(False).data
        from typesig.notations.quoting import encodable

        return encodable(
            json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        )

    def left_out(self, exact: bool = False) -> tuple[Issue, ...]:
        """Return warnings about what `for_model` leaves out or replaces, other than hidden fields.

        These are undeclared keys of records that are shown closed, and numbers that JSON does not
        have.

        >>> import typesig
        >>> out = typesig.parse("{id :int}").validate_output({"id": 1, "extra": 2})
        >>> [str(warning) for warning in out.left_out()]
        ['extra: unexpected key left out of what the model sees']
        """
        return self._model_data(exact).warnings

    def _model_data(self, exact: bool) -> ModelData:
        self._raise()
        from typesig.validation.model_data import data_for_model

        return data_for_model(self._subject, self._result, exact)

    def _raise(self) -> None:
        if self.errors:
            raise ValidationError(self.report(), self.errors)

    def __bool__(self) -> NoReturn:
        raise TypesigError("an outcome is neither true nor false: write outcome.ok")

    def __repr__(self) -> str:
        if self.errors:
            return f"Outcome(errors={[str(e) for e in self.errors[:3]]!r})"
        warned = f", warnings={[str(w) for w in self.warnings[:3]]!r}" if self.warnings else ""
        return f"Outcome({self._shown()}{warned})"

    def _shown(self) -> str:
        if self._subject is None or not self._subject.secrets:
            return _shortened(self._result)
        from typesig.validation.echo import text_without_secrets

        return text_without_secrets(self._subject.value, self._subject, MAX_SHOWN)

    def __rich_repr__(self) -> Iterator[Any]:
        from typesig.validation.markup import parts_of_outcome

        yield from parts_of_outcome(self)

    def _repr_html_(self) -> str:
        from typesig.validation.markup import html_of_outcome

        return html_of_outcome(self)

    def __reduce__(self) -> tuple[Any, ...]:
        # The plain value is computed now, since the closure that computes it cannot be pickled.
        made = None if self.errors else self._plain
        plain = None if made is None else _Made(made())
        return _revived, (
            self._result,
            self.errors,
            self.warnings,
            self.stage,
            self.rejected,
            self.unseen,
            plain,
            self._subject,
        )

    def report(self) -> str:
        """Return errors and warnings as text for the model.

        The text does not show firewalled values; a last line counts issues beyond `MAX_REPORT`.
        Equal errors at paths that differ only in indices are one line.  An error of the tool, or in
        its result, comes without the warnings, which are of the arguments.
        """
        parts = []
        if self.errors:
            parts.append(_listed(heading_of(self.stage), self.errors, self.unseen))
        if self.warnings and not (self.errors and self.stage in ("call", "output")):
            unseen = 0 if self.errors else self.unseen
            read = "Answer" if self.stage == "answer" else "Tool"
            parts.append(_listed(f"{read} validation warnings:", self.warnings, unseen))
        return "\n\n".join(parts)

    def feedback(self, previous: Outcome[Any] | None = None) -> str:
        """Return what the model sent, with each error where it stands; empty if there are none.

        The value is written as JSON; an error is a comment at the end of the line, and a missing
        field a line of its own.  What fits no place is listed behind, and a last line shows what
        fits.  Firewalled parts and secrets are not shown; what has no error is cut first, so that
        the text has at most `MAX_FEEDBACK` characters.  An error that *previous* has too is told to
        be the same.  For an error of the tool, or in its result, only the errors are listed.
        Raises `TypesigError` if *previous* is no outcome.

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
        from typesig.validation.feedback import feedback_of

        return feedback_of(self, previous)

    def tree(self, *, warnings: bool = False) -> Any:
        """Return the messages of the errors in the shape of the value, or None if there are none.

        A map is a dict by key; a list is a list up to the last error, None for items without
        errors; the messages of a value are a list of texts.  A map or list that has messages of its
        own is a dict with these under `":messages"`.  A list with errors beyond `MAX_PADDED` items
        is a dict by index, as text.  With *warnings*, returns the warnings instead.
        The form is plain JSON data, after Malli's `humanize`, and shows no firewalled values.

        >>> import typesig
        >>> sig = typesig.parse("{name :string, tags [:string]}")
        >>> sig.validate_output({"name": 3, "tags": ["a", 7]}).tree()
        {'name': ['expected string, got int 3'], 'tags': [None, ['expected string, got int 7']]}
        """
        from typesig.validation.tree import tree_of

        return tree_of(self.warnings if warnings else self.errors)


def _shortened(value: object) -> str:
    """Return the repr of *value*, bounded in depth and length."""
    from typesig.validation.shortened import shortened

    return shortened(value)


def passed(value: Any, about: About) -> Outcome[Any]:
    """Return the outcome of a check that found nothing in *value* and did not change it."""
    made: Any = _new(_Parts)
    made._result = value
    made._about = about
    made._told = None
    # Its class is set last: an outcome cannot be changed.
    made.__class__ = Outcome
    outcome: Outcome[Any] = made
    return outcome


def passing(
    judge: Callable[[Any], object], about: About, takes: Callable[[Any], bool] | None = None
) -> Callable[[object], Outcome[Any] | None]:
    """Return the function from a value to its outcome if *judge* returns True for it, else to None.

    *takes* tells whether a value is judged as it is.
    """

    def quick(value: object) -> Outcome[Any] | None:
        if takes is not None and not takes(value):
            return None
        try:
            if judge(value) is not True:
                return None
        except RecursionError:
            return None
        # The lines of `passed`: a call would take as long as they do.
        made: Any = _new(_Parts)
        made._result = value
        made._about = about
        made._told = None
        made.__class__ = Outcome
        outcome: Outcome[Any] = made
        return outcome

    return quick


_new = object.__new__


class _Made:
    """A function that returns a value computed before; it can be pickled."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        return self.value


def _revived(
    result: Any,
    errors: Any,
    warnings: Any,
    stage: Any,
    rejected: Any,
    unseen: int,
    plain: Any,
    subject: Any,
) -> Outcome[Any]:
    return Outcome(
        result,
        errors,
        warnings,
        stage,
        rejected=rejected,
        unseen=unseen,
        plain=plain,
        subject=subject,
    )


def heading_of(stage: Stage) -> str:
    """Return the line above the errors of *stage*."""
    match stage:
        case "input":
            return "Tool validation errors:"
        case "call":
            return "Tool errors:"
        case "output":
            ran = "The tool ran; what it returned does not fit its signature."
            return f"{ran}\n\nTool validation errors:"
        case "answer":
            return "Answer validation errors:"
        case _:
            assert_never(stage)


#: Equal issues that are listed one by one, so that each has its path.
_FEW = 3


def grouped(issues: tuple[Issue, ...]) -> list[list[Issue]]:
    """Return *issues* in order, those together that differ only in indices of their paths."""
    alike: dict[tuple[Any, ...], list[Issue]] = {}
    for issue in issues:
        names = tuple([None if isinstance(step, int) else step for step in issue.path])
        # Without the hints, which only the first issues have.
        key = (issue.code, issue.expected, issue.got, issue.rule, issue.hidden, names)
        alike.setdefault(key, []).append(issue)
    many = {id(group[0]): group for group in alike.values() if len(group) > _FEW}
    rest = {id(issue) for group in many.values() for issue in group[1:]}
    return [many.get(id(issue), [issue]) for issue in issues if id(issue) not in rest]


def _listed(heading: str, issues: tuple[Issue, ...], unseen: int) -> str:
    # The lines of a message are indented, so that they do not look like items.
    lines = [heading]
    groups = grouped(issues)
    for first, *others in groups[:MAX_REPORT]:
        also = f" (and in {len(others)} more places)" if others else ""
        lines.append("- " + "\n  ".join(f"{first}{also}".splitlines()))
    more = sum(map(len, groups[MAX_REPORT:]))
    if more + unseen:
        lines.append(f"- … and {more + unseen} more")
    return "\n".join(lines)
