"""Names that a provider takes: legal, unique, and independent of their order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from string import ascii_letters
from typing import NamedTuple

from typesig.algebra.nodes import Ref, Type
from typesig.algebra.traversal import substitute


class NameRule(NamedTuple):
    """A rule for legal names: allowed characters and maximum length.

    #: first: the characters that a name may begin with, the underscore or a letter among them
    #: rest: the others, the underscore and the digits among them; both are character classes
    #: length: how many characters a name may have
    """

    first: str
    rest: str
    length: int

    def allows(self, name: str) -> bool:
        """Whether *name* is legal under this rule."""
        # Not `$`, which a newline may follow.
        return len(name) <= self.length and _has_legal_characters(self, name)


def _has_legal_characters(rule: NameRule, name: str) -> bool:
    """Whether all characters of *name* are allowed by *rule*."""
    return re.fullmatch(f"[{rule.first}][{rule.rest}]*", name) is not None


_SURROGATE = re.compile("[\ud800-\udfff]")


def make_legal_names(names: Iterable[str], rule: NameRule | None) -> dict[str, str]:
    """Make a unique legal name for each of *names*; a legal name is unchanged.

    Illegal characters become underscores.  A name that is then equal to another, too long, or
    without a letter or digit, ends in a part of its hash.

    >>> rule = NameRule("A-Za-z_", "A-Za-z0-9_", 64)
    >>> make_legal_names(["a b", "a_b", "c d"], rule)
    {'a b': 'a_b_dfa58307', 'a_b': 'a_b', 'c d': 'c_d'}
    """
    given = list(dict.fromkeys(names))
    kept = {name for name in given if _is_legal(rule, name)}
    if len(kept) == len(given):
        return dict(zip(given, given, strict=True))
    found = {name: name for name in kept}
    pending = [name for name in given if name not in kept]
    taken = set(kept)
    size = 0
    while pending:
        made = {name: _make_candidate(rule, name, size) for name in pending}
        count = Counter(made.values())
        free = {
            name: candidate
            for name, candidate in made.items()
            if candidate is not None and candidate not in taken and count[candidate] == 1
        }
        found.update(free)
        taken.update(found.values())
        pending = [name for name in pending if name not in found]
        size += 8
    return {name: found[name] for name in given}


def use_legal_names(
    t: Type, names: Mapping[str, Type], rule: NameRule
) -> tuple[Type, Mapping[str, Type]]:
    """Rename the definitions *names*, and references in *t*, to legal names."""
    if not names:
        return t, names
    legal = make_legal_names(names, rule)
    refs: dict[str, Type] = {old: Ref(new) for old, new in legal.items() if old != new}
    if not refs:
        return t, names
    return substitute(t, refs), {legal[n]: substitute(each, refs) for n, each in names.items()}


def _is_legal(rule: NameRule | None, name: str) -> bool:
    """Whether *rule* allows *name*, and *name* has no surrogates."""
    if rule is not None and not rule.allows(name):
        return False
    return name.isascii() or _SURROGATE.search(name) is None


def _make_candidate(rule: NameRule | None, name: str, size: int) -> str | None:
    """Candidate for *name* with *size* digits of its hash, or None if too few."""
    text = _SURROGATE.sub("_", name)
    if rule is not None:
        text = re.sub(f"[^{rule.rest}]+", "_", text)
    has_sign = re.search("[A-Za-z0-9]", text) is not None
    if rule is not None and not re.match(f"[{rule.first}]", text):
        text = f"{_get_first_character(rule)}{text}"
    length = len(text) + 64 if rule is None else rule.length
    if size == 0:
        return text if len(text) <= length and has_sign else None
    # Beyond the digits of one hash, other digits of the same length.
    digits = sha256(f"{name}\0{size if size > 24 else ''}".encode(errors="surrogatepass"))
    suffix = digits.hexdigest()[: min(size, 24)]
    return f"{text[: length - len(suffix) - 1].rstrip('_')}_{suffix}"


def _get_first_character(rule: NameRule) -> str:
    """First character for names: an underscore if allowed, else a letter."""
    return next(each for each in f"_{ascii_letters}" if re.match(f"[{rule.first}]", each))
