"""The canonical spelling of a pattern, which can be written between slashes on one line."""

from __future__ import annotations


def to_canonical_pattern(pattern: str) -> str:
    r"""Return *pattern* in its canonical spelling, without line ends and never empty.

    >>> to_canonical_pattern("a\nb"), to_canonical_pattern("")
    ('a\\nb', '(?:)')
    """
    out, at = [], 0
    while at < len(pattern):
        c = pattern[at]
        if c == "\\" and at + 1 < len(pattern):
            at += 1
            escaped = pattern[at]
            # An escaped slash or line end stands for the character itself.
            out.append("/" if escaped == "/" else _escape(escaped) or "\\" + escaped)
        else:
            out.append(_escape(c) or c)
        at += 1
    return "".join(out) or "(?:)"


def _escape(c: str) -> str:
    """Return the escape of *c* if it is not printable, else an empty text."""
    if c.isprintable():
        return ""
    if c in "\n\r":
        return "\\n" if c == "\n" else "\\r"
    return escape_code_point(ord(c))


def escape_code_point(code: int) -> str:
    """Return the escape of a code point in Python's spelling."""
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
