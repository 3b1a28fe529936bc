"""Issues: what a check found wrong, or coerced, as data.

An issue is data first (code, path, expected, got); its sentence is made from the row of its code
in `SENTENCES`.  To add a kind of issue, add a row there.
"""

from __future__ import annotations

from collections.abc import Iterable

from typesig.algebra.frozen import Frozen
from typesig.algebra.nodes import is_plain
from typesig.errors import TypesigError
from typesig.limits import MAX_EXCERPT
from typesig.validation.excerpt import FIREWALLED, text

#: The sentence of each code, of an issue's expected, got and hint.
SENTENCES: dict[str, str] = {
    "type": "expected {expected}, got {got}",
    "missing": "expected {expected}, got nil (missing)",
    "enum": "expected one of {expected}, got {got}",
    "refined": "expected {expected}, got {got}",
    "key": "keys are {expected}, got {got}",
    "extra": "unexpected key",
    "twice": "given twice, as {got}",
    "keys": "two keys stand for {got}",
    "duplicate": "expected unique items, got {got}",
    "length": "expected {expected} items, got {got}",
    "several": "fits {got} of {expected} alternatives, and must fit exactly one",
    "depth": "nested too deep: at most {expected} levels",
    "json": "{got}",
    "tool": "{got}",
    "call": "{got}",
    "host": "{got}",
    "cannot": "cannot coerce {got} to {expected}",
    "cannot_be": "cannot coerce {got} to one of {expected}",
    "coerced": "coerced {got} to {expected}",
    "absent": "nil taken as absent",
    "dropped": "unexpected key dropped",
    "naive": "{got} has no offset, so its text has none",
}


class Issue(Frozen):
    """One thing that a check found.

    #: code: what is wrong, a key of `SENTENCES`
    #: path: names and indices that lead to the value
    #: expected: what was asked for, as a model was shown it
    #: got: what was there, short and safe
    #: hint: what to do, or empty
    #: rule: the id of the coercion that gave this warning, or empty
    #: hidden: how many steps of the path a model may see, or -1 for all
    """

    __slots__ = ("code", "expected", "got", "hidden", "hint", "path", "rule")
    __match_args__ = ("code", "path", "expected", "got", "hint", "rule", "hidden")
    code: str
    path: tuple[str | int, ...]
    expected: str
    got: str
    hint: str
    rule: str
    hidden: int

    def __init__(
        self,
        code: str,
        path: tuple[str | int, ...] = (),
        expected: str = "",
        got: str = "",
        hint: str = "",
        rule: str = "",
        hidden: int = -1,
    ) -> None:
        self._fill(code, path, expected, got, hint, rule, hidden)

    @property
    def message(self) -> str:
        """The sentence without the path."""
        if self.hidden >= 0:
            return "what stands here was mended" if self.rule else "what stands here does not fit"
        sentence = SENTENCES[self.code].format(expected=self.expected, got=self.got)
        return f"{sentence} ({self.hint})" if self.hint and self.hidden < 0 else sentence

    def __str__(self) -> str:
        """Return the line of a report: the path, then the sentence."""
        if self.hidden < 0:
            where = path_text(self.path)
        else:
            shown = path_text(self.path[: self.hidden])
            where = f"{shown}.{FIREWALLED}" if shown else FIREWALLED
        return f"{where}: {self.message}" if where else self.message


_MOST_STEPS = 24


def path_text(path: Iterable[str | int]) -> str:
    """Return *path* as text, names that are not plain in quotes.

    >>> path_text(("results", 0, "a b", "id"))
    'results[0]["a b"].id'
    """
    out = ""
    path = tuple(path)
    if len(path) > _MOST_STEPS:
        # Both ends tell where it is; what lies between would fill the message.
        half = _MOST_STEPS // 2
        return path_text(path[:half]) + "…" + path_text(("", *path[-half:]))[4:]
    for step in path:
        if isinstance(step, int):
            out += f"[{step}]"
        elif is_plain(step) and len(step) <= MAX_EXCERPT:
            out += f".{step}" if out else step
        else:
            out += f"[{text(step)}]"
    return out


class ValidationError(TypesigError):
    """The value of an outcome that has errors was asked for.

    #: report: the text for the model; errors: the issues that it lists
    """

    def __init__(self, report: str, errors: tuple[Issue, ...] = ()) -> None:
        super().__init__(report, errors)
        self.report = report
        self.errors = errors

    def __str__(self) -> str:
        """Return the report."""
        return self.report
