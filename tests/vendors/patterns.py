"""What a regular expression uses that a provider's engine lacks."""

from __future__ import annotations

import re

_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_BACK_REFERENCE = re.compile(r"[1-9]|k[<{']|g\{")


def parts(pattern: str) -> list[str]:
    """Return the constructs in *pattern* that some engines lack.

    They are `look-around`, `back-reference` and `word boundary`. Within a character class, and
    after a backslash, the same characters mean other things.
    """
    found: list[str] = []
    in_class = False
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            if not in_class:
                found += _escaped(pattern, at + 1)
            at += 2
            continue
        if in_class:
            in_class = pattern[at] != "]"
        elif pattern[at] == "[":
            in_class = True
            # A bracket that comes first stands for itself.
            at += 1 + (pattern[at + 1 : at + 2] == "^")
            if pattern[at : at + 1] != "]":
                continue
        elif pattern.startswith(_LOOKS, at):
            found.append("look-around")
        elif pattern.startswith("(?P=", at):
            found.append("back-reference")
        at += 1
    return found


def _escaped(pattern: str, at: int) -> list[str]:
    if pattern[at : at + 1] in ("b", "B"):
        return ["word boundary"]
    return ["back-reference"] if _BACK_REFERENCE.match(pattern, at) else []
