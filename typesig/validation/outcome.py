"""What a check or a call comes to: an outcome, with a value or errors, and warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, NoReturn, TypeVar

from typesig.algebra.frozen import set_part
from typesig.errors import TypesigError
from typesig.limits import MAX_REPORT
from typesig.validation.issues import Issue, ValidationError

T_co = TypeVar("T_co", covariant=True)


class Outcome(Generic[T_co]):
    """What came of a check or a call: a value, or errors; warnings with either.

    #: stage: input, call or output
    #: errors, warnings: issues, at most `MAX_ISSUES` each; unseen counts the other
    #:     errors, or the other warnings where there are no errors
    #: rejected: what failed, so that nothing a tool produced is lost
    """

    __slots__ = ("_plain", "_result", "errors", "rejected", "stage", "unseen", "warnings")

    _result: T_co | None
    _plain: Callable[[], Any] | None
    errors: tuple[Issue, ...]
    warnings: tuple[Issue, ...]
    stage: str
    rejected: Any
    unseen: int

    def __init__(
        self,
        result: T_co | None = None,
        errors: Iterable[Issue] = (),
        warnings: Iterable[Issue] = (),
        stage: str = "input",
        *,
        rejected: Any = None,
        unseen: int = 0,
        plain: Callable[[], Any] | None = None,
    ) -> None:
        set_part(self, "_result", result)
        set_part(self, "_plain", plain)
        set_part(self, "errors", tuple(errors))
        set_part(self, "warnings", tuple(warnings))
        set_part(self, "stage", stage)
        set_part(self, "rejected", rejected)
        set_part(self, "unseen", unseen)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("an outcome cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("an outcome cannot be changed")

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return not self.errors

    @property
    def value(self) -> Any:
        """Plain JSON data; raises `ValidationError` with the report where there are errors."""
        self._raise()
        return self._result if self._plain is None else self._plain()

    @property
    def result(self) -> T_co:
        """The Python object: what the function returned, or what was read; raises as `value`."""
        self._raise()
        return self._result  # type: ignore[return-value]

    def _raise(self) -> None:
        if self.errors:
            raise ValidationError(self.report(), self.errors)

    def __bool__(self) -> NoReturn:
        raise TypesigError("an outcome is neither true nor false: write outcome.ok")

    def __repr__(self) -> str:
        if self.errors:
            return f"Outcome(errors={[str(e) for e in self.errors[:3]]!r})"
        warned = f", warnings={[str(w) for w in self.warnings[:3]]!r}" if self.warnings else ""
        return f"Outcome({_shortened(self._result)}{warned})"

    def __reduce__(self) -> tuple[Any, ...]:
        # The plain value is made now: a function made by a check cannot be pickled.
        plain = None if self._plain is None or self.errors else _Made(self._plain())
        return _revived, (
            self._result,
            self.errors,
            self.warnings,
            self.stage,
            self.rejected,
            self.unseen,
            plain,
        )

    def report(self) -> str:
        """Return errors and warnings in the seeds' form, as text for the model.

        What is firewalled is not in it; after many lines stands how many more there are.
        """
        parts = []
        if self.stage == "output" and self.errors:
            parts.append("The tool ran; what it returned does not fit its signature.")
        if self.errors:
            heading = "Tool errors:" if self.stage == "call" else "Tool validation errors:"
            parts.append(_listed(heading, self.errors, self.unseen))
        if self.warnings:
            unseen = 0 if self.errors else self.unseen
            parts.append(_listed("Tool validation warnings:", self.warnings, unseen))
        return "\n\n".join(parts)

    def tree(self, *, warnings: bool = False) -> Any:
        """Return the messages of the errors in the shape of the value, None where there are none.

        A map is a dict by key; a list is a list with None where nothing is wrong, up to the last
        error; the messages of a place are a list of texts.  A map or list with messages of its
        own is a dict that has them under `":messages"`, and so is a list, its indices as text,
        whose errors go beyond `MAX_PADDED` items.  With *warnings*, those alone.
        The form is plain JSON data, after Malli's `humanize`; what is firewalled is not in it.

        >>> import typesig
        >>> sig = typesig.parse("{name :string, tags [:string]}")
        >>> sig.validate_output({"name": 3, "tags": ["a", 7]}).tree()
        {'name': ['expected string, got int 3'], 'tags': [None, ['expected string, got int 7']]}
        """
        from typesig.validation.tree import tree_of

        return tree_of(self.warnings if warnings else self.errors)


def _shortened(value: object) -> str:
    """Return the repr of *value*, bounded in depth and length."""
    from reprlib import Repr

    writer = Repr()
    writer.maxdict = writer.maxlist = writer.maxtuple = writer.maxset = writer.maxfrozenset = 20
    writer.maxstring = writer.maxlong = writer.maxother = 200
    return writer.repr(value)


class _Made:
    """A value that is there already, called for like one that is made later."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        return self.value


def _revived(
    result: Any, errors: Any, warnings: Any, stage: str, rejected: Any, unseen: int, plain: Any
) -> Outcome[Any]:
    return Outcome(result, errors, warnings, stage, rejected=rejected, unseen=unseen, plain=plain)


def _listed(heading: str, issues: tuple[Issue, ...], unseen: int) -> str:
    # A text of several lines stays within its own item.
    lines = [heading]
    lines += ["- " + "\n  ".join(str(issue).splitlines()) for issue in issues[:MAX_REPORT]]
    more = len(issues) - MAX_REPORT if len(issues) > MAX_REPORT else 0
    if more + unseen:
        lines.append(f"- … and {more + unseen} more")
    return "\n".join(lines)
