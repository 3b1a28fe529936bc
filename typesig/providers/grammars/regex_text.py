"""Parts as regular expressions in Rust's spelling, which llguidance and OpenAI take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from typesig.errors import TooLarge, Unsupported
from typesig.limits.engines import MAX_REGEX
from typesig.patterns import Charset
from typesig.providers.grammars import shapes

_SPECIAL = frozenset("\\.+*?()|[]{}^$#&-~/")


def write_regex(part: shapes.Part, rules: Mapping[str, shapes.Part]) -> str:
    r"""Write *part* as a regular expression, with references expanded from *rules*.

    Raises `Unsupported` if it contains itself, and `TooLarge` if it is too long.

    >>> write_regex(shapes.Repeat(shapes.Literal("a.b"), 0, 1), {})
    '(?:a\\.b)?'
    """
    return _RegexWriter(rules).write_branches(part)


class _RegexWriter:
    """Writes parts as regular expressions, with references to rules expanded."""

    def __init__(self, rules: Mapping[str, shapes.Part]) -> None:
        self._rules = rules
        self._open: set[str] = set()
        self._known: dict[str, str] = {}
        self._left = MAX_REGEX

    def write_branches(self, part: shapes.Part) -> str:
        """Write *part* as a complete expression, without parentheses."""
        match part:
            case shapes.Terminal(inner):
                return self.write_branches(inner)
            case shapes.Reference(name):
                return self._write_named(name)
            case shapes.Choice(branches):
                filled = [
                    self._write_sequence(branch) for branch in branches if branch != shapes.EMPTY
                ]
                joined = "|".join(filled)
                return joined if len(filled) == len(branches) else f"(?:{joined})?"
            case _:
                return self._write_sequence(part)

    def _write_named(self, name: str) -> str:
        """Expression of the rule *name*; raise for recursion or excess length."""
        if name not in self._known:
            if name in self._open:
                raise Unsupported(
                    "a value that may contain values of its own kind has no regular expression; "
                    'write project("openai-grammar", syntax="lark")'
                )
            self._open.add(name)
            self._known[name] = self.write_branches(self._rules[name])
            self._open.discard(name)
        made = self._known[name]
        self._left -= len(made)
        if self._left < 0:
            raise TooLarge(
                f"the regular expression has more than {MAX_REGEX} characters; "
                'write project("openai-grammar", syntax="lark")'
            )
        return made

    def _write_sequence(self, part: shapes.Part) -> str:
        """Write *part* as a branch of a choice, without parentheses."""
        if isinstance(part, shapes.Sequence):
            return "".join([self._write_atom(each) for each in part.parts])
        return self._write_atom(part)

    def _write_atom(self, part: shapes.Part) -> str:
        """Write *part* so that it can be repeated, in parentheses if necessary."""
        match part:
            case shapes.Literal(text):
                return "".join(map(_escape, text))
            case shapes.Chars(ranges):
                return write_class(ranges)
            case shapes.Sequence() | shapes.Choice():
                return f"(?:{self.write_branches(part)})"
            case shapes.Repeat(inner, low, high):
                made = self.write_branches(inner)
                is_atom = isinstance(inner, shapes.Chars) or len(made) == 1
                return (made if is_atom else f"(?:{made})") + write_times(low, high)
            case shapes.Reference() | shapes.Terminal():
                made = self.write_branches(part)
                return f"(?:{made})" if "|" in made else made
            case shapes.Free(without, first, end):
                if without not in ((), (end,)) or first or end:
                    raise Unsupported("a regular expression does not tell what a text has not")
                return "(?s:.)*"
            case shapes.Schema():
                raise Unsupported("a regular expression has no parts of JSON Schema")
            case _:
                assert_never(part)


def write_times(low: int, high: int | None, brief: bool = True) -> str:
    """Write the quantifier for *low* to *high* repetitions, as in `{2,5}`."""
    match (low, high):
        case (0, 1):
            return "?"
        case (0, None):
            return "*"
        case (1, None):
            return "+"
        case (_, None):
            return f"{{{low},}}"
        case _:
            return f"{{{low}}}" if brief and low == high else f"{{{low},{high}}}"


def _escape(sign: str) -> str:
    """Escape a character, *sign*, for a regular expression."""
    if sign in _SPECIAL:
        return "\\" + sign
    return sign if sign.isprintable() else _write_code(ord(sign))


def _write_code(code: int) -> str:
    """Write a character's *code* point as an escape of Rust's regular expressions."""
    return f"\\x{{{code:x}}}"


def write_class(ranges: Charset) -> str:
    r"""Write the characters in *ranges* as a character class of regular expressions.

    >>> write_class(((0x30, 0x39), (0x41, 0x41))), write_class(((0, 0x10FFFF),))
    ('[0-9A]', '(?s:.)')
    """
    if ranges in (((0, 0x10FFFF),), ((0, 0xD7FF), (0xE000, 0x10FFFF))):
        return "(?s:.)"
    return write_ranges(ranges, _write_code)


def write_ranges(ranges: Charset, code: Callable[[int], str]) -> str:
    """Write *ranges* as a character class or a negated class, whichever is shorter.

    *code* writes a character that would mean something else.
    """

    def written(pairs: Charset) -> str:
        return "".join(["-".join(dict.fromkeys(map(sign, pair))) for pair in pairs])

    def sign(each: int) -> str:
        return chr(each) if chr(each) in _PLAIN else code(each)

    left = find_gaps(ranges)
    if ranges[-1][1] == 0x10FFFF and left and len(left) < len(ranges):
        return f"[^{written(left)}]"
    return f"[{written(ranges)}]"


def find_gaps(ranges: Charset) -> Charset:
    """Return the characters before and between *ranges*, but for surrogates.

    >>> find_gaps(((1, 5), (8, 0xD7FF), (0xE000, 0x10FFFF)))
    ((0, 0), (6, 7))
    """
    ends = [-1, *[end for pair in ranges for end in pair]]
    found = [(low + 1, high - 1) for low, high in zip(ends[::2], ends[1::2], strict=False)]
    return tuple([each for each in found if each[0] <= each[1] and each != (0xD800, 0xDFFF)])


#: The characters that mean nothing else in a class.
_PLAIN = frozenset(map(chr, range(0x21, 0x7F))) - frozenset('\\]^-[&~#"/')
