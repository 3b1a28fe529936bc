"""The exceptions that typesig raises.

A mistake of the developer (a bad signature, an unknown type, a tool that cannot be described)
raises a subclass of `TypesigError`.  A mistake in *data* does not raise: it is an issue of an
outcome.
"""

from __future__ import annotations

from typesig.limits import MAX_EXCERPT, MAX_MESSAGE, MAX_SHOWN


def format_message(text: str, limit: int | None = MAX_MESSAGE) -> str:
    r"""Escape and shorten *text* for an error message.

    The middle of a long text is left out, and that of each long word in it, since a message begins
    with the place and ends with what to do.  Line breaks and tabs stay.

    >>> format_message("a\x1bb"), len(format_message(f"there is no {'a' * 9000}; write b"))
    ('a\\x1bb', 140)
    """
    if limit is not None and len(text) > MAX_SHOWN:
        import re

        # A name that somebody sent; only messages that are too long are worth the search.
        text = re.sub(r"\S++", lambda word: _cut(word[0], 2 * MAX_EXCERPT), text)
    if not text.isprintable():
        lines = text.replace("\r\n", "\n")
        text = "".join(
            [c if c.isprintable() or c in "\n\t" else escape_code_point(ord(c)) for c in lines]
        )
    return text if limit is None else _cut(text, limit)


def escape_code_point(code: int) -> str:
    """Return the escape of a code point in Python's spelling."""
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def format_value(value: object, limit: int = MAX_EXCERPT) -> str:
    """Return the `repr` of *value* for a message, cut if it is long; never raises.

    >>> format_value("name"), format_value("a" * 100, 8), format_value(10**5000)
    ("'name'", "'aaaa…aaa'", 'an int of 16610 bits')
    """
    if type(value) is str:
        return repr(_cut(value, limit))
    try:
        if isinstance(value, int) and value.bit_length() > 2_000:
            # Python may refuse to write an integer of more than 640 digits.
            return f"an int of {value.bit_length()} bits"
        return _cut(str.__str__(repr(value)), limit)
    except Exception:
        # An object of others, whose methods may raise anything.
        return f"a value of {type(value).__name__}"


def _cut(text: str, limit: int) -> str:
    """Shorten *text* to *limit* characters by an ellipsis in the middle."""
    half = limit // 2
    return text if len(text) <= limit else f"{text[:half]}…{text[len(text) - half + 1 :]}"


class TypesigError(Exception):
    """Error caused by a developer's mistake, with place, problem and remedy.

    The text of the error is bounded and printable, even if it quotes long or unprintable text.
    Other errors of typesig are subclasses of it.

    #: code: the kind of mistake, a word that does not change between versions

    >>> import typesig
    >>> try:
    ...     typesig.parse(":int").validate(1, mode="loose")
    ... except TypesigError as error:
    ...     print(error)
    there is no mode 'loose'; there are enabled, lenient, warn_only, strict, json, disabled
    """

    __module__ = "typesig"  # where users import it from, and what a traceback shows
    code: str = "misuse"

    def __str__(self) -> str:
        """Return the message; see `format_message`."""
        return format_message(self._format_message())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(format_value, self.args))})"

    def _format_message(self) -> str:
        """Return the unshortened, unescaped message; subclasses override it."""
        return super().__str__()


#: The code of a syntax error that has no code of its own.
INVALID_SYNTAX = "invalid_syntax"


class SignatureSyntaxError(TypesigError):
    """Error for a text that is not a valid signature.

    #: message: the mistake and what to write instead
    #: line, column: the place, counted from 1; text: the line; width: the characters of the mistake
    #: code: the kind of mistake, a word that does not change between versions

    >>> import typesig
    >>> try:
    ...     typesig.parse("(a :itn) -> :int")
    ... except SignatureSyntaxError as error:
    ...     print(error.line, error.column, error.message)
    1 4 there is no type ":itn"; did you mean :int?
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

    def _format_message(self) -> str:
        """Return the message and the line with the mistake."""
        shown, at = cut_window(self.text, self.column - 1)
        carets = "^" * max(1, min(self.width, len(shown) - at))
        return (
            f"cannot parse this signature, line {self.line} column {self.column}\n"
            f"  {shown}\n"
            f"  {' ' * at}{carets}\n"
            f"  {self.message}"
        )


def cut_window(text: str, at: int, before: int = 50, after: int = 50) -> tuple[str, int]:
    """Cut *text* around the index *at* to terminal width; return the new index, too."""
    start = max(0, at - before) if len(text) > before + after else 0
    stop = min(len(text), at + after) if len(text) > before + after else len(text)
    head, tail = ("…" if start else ""), ("…" if stop < len(text) else "")
    # A tab or a control character would misplace the carets.
    shown = "".join(c if c.isprintable() else " " for c in text[start:stop])
    return head + shown + tail, at - start + len(head)


class ExtractionError(TypesigError):
    """Error for a callable that has no valid signature.

    #: reason: what is wrong; remedy: what to do, or empty

    >>> raise ExtractionError("f has no type hints", "write -> int")
    Traceback (most recent call last):
    ...
    typesig.errors.ExtractionError: f has no type hints; write -> int
    """

    code = "no_signature"

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason, remedy)
        self.reason = reason
        self.remedy = remedy

    def _format_message(self) -> str:
        """Return the reason and the remedy."""
        return f"{self.reason}; {self.remedy}" if self.remedy else self.reason


class Unsupported(TypesigError):
    """Error for a type that a notation cannot express.

    #: path: the place in the type; shape: the type at that place
    #: why: the reason, if the message contains the place already; or empty

    >>> str(Unsupported("a set has no form here", ("params", "tags")))
    'params.tags: a set has no form here'
    """

    code = "unsupported"

    def __init__(
        self, message: str, path: tuple[str, ...] = (), shape: str = "", why: str = ""
    ) -> None:
        super().__init__(message, path, shape, why)
        self.why = why
        self.message = message
        self.path = path
        self.shape = shape

    def _format_message(self) -> str:
        """Return the place and the message."""
        if self.why or not self.path:
            return self.message
        return f"{'.'.join(self.path)}: {self.message}"


class TooDeep(TypesigError):
    """Error for a value or type that is nested deeper than a limit.

    >>> import typesig
    >>> typesig.parse("[" * 200 + ":int" + "]" * 200)
    Traceback (most recent call last):
    ...
    typesig.errors.TooDeep: a type may nest 128 levels, this one has more
    """

    code = "too_deep"


class TooLarge(TypesigError):
    """Error for a value, type or text that is larger than a limit.

    >>> import typesig
    >>> typesig.parse(":int" + " " * 250_000)
    Traceback (most recent call last):
    ...
    typesig.errors.TooLarge: a signature may have 250000 characters, this one has 250004
    """

    code = "too_large"
