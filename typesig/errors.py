"""What typesig raises.

A mistake of the developer (a bad signature, an unknown type, a tool that cannot be described)
raises a subclass of `TypesigError`.
A mistake in *data* never raises: it comes back as issues of an outcome.
"""

from __future__ import annotations


class TypesigError(Exception):
    """A mistake of the developer: the message says where, what, and what to do."""


#: The code of a mistake that has none of its own.
INVALID_SYNTAX = "invalid_syntax"


class SignatureSyntaxError(TypesigError):
    """A text that is no signature.

    #: line and column count from 1; text is the faulty line; remedy says what to write.
    #: code: what kind of mistake it is, in a word that stays the same
    """

    def __init__(
        self,
        message: str,
        line: int,
        column: int,
        text: str,
        width: int = 1,
        code: str = INVALID_SYNTAX,
    ) -> None:
        super().__init__(message, line, column, text, width, code)
        self.message = message
        self.line = line
        self.column = column
        self.text = text
        self.width = width
        self.code = code

    def __str__(self) -> str:
        """Return the place, the line with a caret below it, and the remedy."""
        shown, at = _window(self.text, self.column - 1)
        carets = "^" * max(1, min(self.width, len(shown) - at))
        return (
            f"cannot parse this signature, line {self.line} column {self.column}\n"
            f"  {shown}\n"
            f"  {' ' * at}{carets}\n"
            f"  {self.message}"
        )


def _window(text: str, at: int, before: int = 50, after: int = 50) -> tuple[str, int]:
    """Return a part of *text* around *at* that fits a terminal, and where *at* is in it."""
    # A tab or a control character would move the caret away from its token.
    text = "".join(c if c.isprintable() else " " for c in text)
    start = max(0, at - before) if len(text) > before + after else 0
    stop = min(len(text), at + after) if len(text) > before + after else len(text)
    head, tail = ("…" if start else ""), ("…" if stop < len(text) else "")
    return head + text[start:stop] + tail, at - start + len(head)


class ExtractionError(TypesigError):
    """A callable that no signature can be made for."""


class Unsupported(TypesigError):
    """Something that a notation cannot say.

    #: path leads to the place in the type; shape is what stands there; why is the reason alone,
    #: where the message tells the place in a manner of its own
    """

    def __init__(
        self, message: str, path: tuple[str, ...] = (), shape: str = "", why: str = ""
    ) -> None:
        super().__init__(message, path, shape, why)
        self.why = why
        self.message = message
        self.path = path
        self.shape = shape

    def __str__(self) -> str:
        """Return the place and what cannot be said there."""
        if self.why or not self.path:
            return self.message
        return f"{'.'.join(self.path)}: {self.message}"


class TooDeep(TypesigError):
    """Something nested beyond the stated limit."""


class TooLarge(TypesigError):
    """Something longer, or with more parts, than the stated limit."""
