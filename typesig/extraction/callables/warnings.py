"""Warnings about hints that a signature cannot express, as data."""

from __future__ import annotations

import re
import typing
from collections.abc import Collection
from typing import Any, Literal, TypeAlias

from typesig.algebra.rows.frozen import Frozen
from typesig.errors import ExtractionError, TypesigError
from typesig.limits import MAX_ALIKE, MAX_HINT_DEPTH, MAX_WARNING, MAX_WRITTEN_HINTS

#: What became of it.  `any`: the hint is `:any`.  `unhinted`: there is no hint, so it is `:any`.
#: `partial`: a part of what the hint or the docstring says is not in the signature.
#: `inferred`: there is no hint, so the type is that of a docstring or a default.
#: `left_out`: a toolset does not have the callable.
WarningKind: TypeAlias = Literal["any", "unhinted", "partial", "inferred", "left_out"]

#: What the reason of a warning says at its end if the hint became `:any`.
BECAME_ANY = ", so it became :any"


class HintWarning(Frozen):
    """A warning about a hint, or a part of a hint, that the signature does not express.

    #: place: the parameter, "returns", or a path below one, such as "order.items"
    #: hint: the hint as text; reason: why it is not expressed; remedy: what to write instead
    #: kind: what became of it

    >>> str(HintWarning("x", "object", "it may be anything", "write Any", "any"))
    'x: object: it may be anything; write Any'
    """

    __slots__ = ("hint", "kind", "place", "reason", "remedy")
    __match_args__ = ("place", "hint", "reason", "remedy", "kind")
    place: str
    hint: str
    reason: str
    remedy: str
    kind: WarningKind

    def __init__(self, place: str, hint: str, reason: str, remedy: str, kind: WarningKind) -> None:
        self._fill(place, hint, reason, remedy, kind)

    def below(self, name: str) -> HintWarning:
        """Return this warning with *name* put in front of its path."""
        place = f"{name}.{self.place}" if self.place else name
        return HintWarning(place, self.hint, self.reason, self.remedy, self.kind)

    def of_branch(self) -> HintWarning:
        """Return this warning, reworded for a branch left out of a union."""
        reason = f"{self.reason.removesuffix(BECAME_ANY)}, so it is left out of the union"
        return HintWarning(self.place, self.hint, reason, self.remedy, "partial")

    def __str__(self) -> str:
        """Return the warning on one line."""
        place = f"{self.place}: " if self.place else ""
        hint = f"{self.hint}: " if self.hint else ""
        return f"{place}{hint}{self.reason}; {self.remedy}"


def group_warnings(warnings: Collection[HintWarning]) -> tuple[HintWarning, ...]:
    """Merge *warnings* about fields of records that have the same reason and remedy.

    It counts the places, and names the first hints.
    """
    if not warnings:
        return ()
    alike: dict[tuple[str, ...], list[HintWarning]] = {}
    for warning in warnings:
        # A function has few parameters, and each is named.
        alone = "" if "." in warning.place else warning.place or warning.hint
        key = (warning.reason, warning.remedy, warning.kind, alone)
        alike.setdefault(key, []).append(warning)
    return tuple(
        warning
        for group in alike.values()
        for warning in (group if len(group) <= MAX_ALIKE else [_merge_group(group)])
    )


def _merge_group(group: list[HintWarning]) -> HintWarning:
    """Merge *group*, warnings with the same reason and remedy, into one warning."""
    first = group[0]
    hints = list(dict.fromkeys(warning.hint for warning in group if warning.hint))
    shown = ", ".join([*hints[:MAX_ALIKE], *(["…"] if len(hints) > MAX_ALIKE else [])])
    more = f"{first.place} and {len(group) - 1} more places"
    return HintWarning(more, shown, first.reason, first.remedy, first.kind)


def format_hint(hint: object) -> str:
    """Return *hint* as code, in at most 80 characters.

    A hint with thousands of parts is cut before it is written, and one that cannot be written is
    named by its class.
    """
    try:
        text = _write_hint(hint)
    except Exception:
        text = get_class_name(type(hint))
    # The address in a repr differs from run to run.
    return shorten_line(re.sub(r" at 0x[0-9A-Fa-f]+", "", str.__str__(text)[:1_000]), 80)


def _write_hint(hint: Any) -> str:
    """Write *hint* as text for a warning, without the arguments of a long generic."""
    if isinstance(hint, str):
        return hint
    if isinstance(hint, type) and not hasattr(hint, "__args__"):
        return hint.__qualname__.rpartition("<locals>.")[2]
    if not _is_short(hint):
        form = typing.get_origin(hint)
        return f"{getattr(form, '__name__', None) or getattr(form, '_name', None)}[…]"
    return repr(hint).replace("typing.", "").replace("typing_extensions.", "")


def _is_short(hint: Any) -> bool:
    """Whether the hint *hint* has few nested type arguments, counting repeated ones."""
    level, count = list(typing.get_args(hint)), 0
    for _ in range(MAX_HINT_DEPTH):
        level = [part for each in level for part in typing.get_args(each)]
        count += len(level)
        if not level or count > MAX_WRITTEN_HINTS:
            return not level
    return False


def get_class_name(cls: type) -> str:
    """Return the real name of *cls*, bypassing its metaclass, cut to 80 characters."""
    return shorten_line(type.__dict__["__name__"].__get__(cls), 80)


def shorten_line(text: str, limit: int) -> str:
    """Return *text* on one line, in at most *limit* characters."""
    text = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def get_exception_message(error: BaseException) -> str:
    """Return the class name of *error* and the first line of its message."""
    try:
        said = str(error).partition("\n")[0]
    except Exception:
        said = ""
    return shorten_line(f"{get_class_name(type(error))}{said and ': '}{said}", MAX_WARNING)


class ReadGuard:
    """Context manager that turns exceptions while reading *target* to `ExtractionError`."""

    # A generator would take several times as long.
    __slots__ = ("_target",)

    def __init__(self, target: object) -> None:
        self._target = target

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, PASSED):
            raise make_read_error(self._target, error) from error


def make_read_error(target: object, error: Exception) -> ExtractionError:
    """Build the error for *target*, whose reading raised *error*."""
    reason = (
        f"{get_class_name(type(target))} cannot be read: it raises {get_exception_message(error)}"
    )
    return ExtractionError(reason, "correct it, or leave it out")


#: The errors of a reading that are raised as they are.
PASSED = (TypesigError, MemoryError)
