"""Foreign texts for models and terminals, without invisible characters."""

from __future__ import annotations

from typing import Any, TypeAlias

from typesig.algebra.rows.builtin import as_data
from typesig.errors import Unsupported
from typesig.notations.texts.quoting import CONTROLS, HIDING, JOINERS, list_codes

_HIDDEN: dict[int, None] = dict.fromkeys(list_codes(HIDING))
_UNSEEN: dict[int, str | None] = {
    **_HIDDEN,
    **dict.fromkeys(list_codes(CONTROLS)),
    **dict.fromkeys(list_codes(JOINERS)),
    **dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}"),
    0x2028: "\n",
    0x2029: "\n",
}

#: Keywords whose values are texts for readers; `x-` keywords may be anything.
_TEXTS = ("title", "description", "$comment")

#: Keywords whose values are data, not schemas.
_DATA = ("const", "default", "enum", "example", "examples")

#: Keywords whose values are schemas by name.
_NAMED = (
    "$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties",
)  # fmt: skip


def strip_invisible(text: str) -> str:
    r"""Return *text* without control, zero-width, tag and bidirectional characters.

    Line breaks and tabs stay; lone surrogates become replacement characters.

    >>> strip_invisible("Adds\u200b two \x1b[1mnumbers\U000e0041.")
    'Adds two [1mnumbers.'
    """
    return text if text.isascii() and text.isprintable() else text.translate(_UNSEEN)


def strip_invisible_line(text: str) -> str:
    """Remove invisible characters from *text*, and join its lines into one."""
    return " ".join(strip_invisible(text).split())


def is_hiding(text: str) -> bool:
    """Whether *text* has invisible characters, apart from joiners and controls."""
    return not text.isascii() and text.translate(_HIDDEN) != text


def is_plain_name(name: str) -> bool:
    """Whether all characters of *name* are visible."""
    return strip_invisible(name) == name and "\n" not in name and "\t" not in name


class RawTexts(dict[tuple[str, ...], str]):
    """Original texts, by path, that have invisible characters."""

    def strip(self, text: str, at: tuple[str, ...]) -> str:
        """Strip invisible characters from *text*; store the original under *at*."""
        shown = strip_invisible(text)
        if shown != text:
            self[at] = text
        return shown


#: Copies of definitions by the `id` of each, which is kept with them.
Copies: TypeAlias = dict[int, tuple[Any, Any]]


def strip_schema(
    schema: Any,
    raw: RawTexts | None = None,
    at: tuple[str, ...] = (),
    copies: Copies | None = None,
) -> Any:
    """Copy the JSON Schema *schema* without invisible characters in its texts.

    Those that were not are kept in *raw*; their places begin with *at*.  A name or a value cannot
    be changed without changing what the schema means: raises `Unsupported` with the place of one
    that hides something.  *copies* has the copies of definitions that several schemas share, JSON
    data already, and gets more.
    """
    raw = RawTexts() if raw is None else raw
    copying = _SchemaCopier(raw, at)
    if copies is None or not isinstance(schema, dict) or not isinstance(schema.get("$defs"), dict):
        return copying.copy(as_data(schema), (), "schema")
    rest = {key: each for key, each in schema.items() if key != "$defs"}
    out = copying.copy(as_data(rest), (), "schema")
    out["$defs"] = {}
    for name, each in schema["$defs"].items():
        known = copies.get(id(each))
        if known is None:
            count = len(raw)
            checked = copying.copy({name: each}, ("$defs",), "names")
            known = each, checked[name]
            if len(raw) == count:
                # Where texts are shown in another way, their places belong to each schema.
                copies[id(each)] = known
        out["$defs"][name] = known[1]
    return out


class _SchemaCopier:
    """Copies a JSON Schema without invisible characters in titles and descriptions."""

    def __init__(self, raw: RawTexts, root: tuple[str, ...]) -> None:
        self._raw = raw
        self._root = root

    def copy(self, part: Any, at: tuple[str, ...], role: str) -> Any:
        """Copy *part*; *role* is "schema", "names" (schemas by name) or "data"."""
        if isinstance(part, str):
            if is_hiding(part):
                raise _make_refusal(at, "the value")
            return part
        if isinstance(part, list):
            return [self.copy(each, (*at, str(i)), role) for i, each in enumerate(part)]
        if not isinstance(part, dict):
            return part
        out = {}
        for key, each in part.items():
            below = (*at, strip_invisible_line(str(key)))
            if not is_plain_name(str(key)):
                raise _make_refusal(below, "the name")
            if role == "schema" and key in _TEXTS and isinstance(each, str):
                out[key] = self._raw.strip(each, (*self._root, *below))
            else:
                out[key] = self.copy(each, below, _get_role_below(role, key))
        return out


def _get_role_below(role: str, key: str) -> str:
    """Return the role of the value at *key* in a part with *role*."""
    if role == "data" or (role == "schema" and key in _DATA):
        return "data"
    return "names" if role == "schema" and key in _NAMED else "schema"


def _make_refusal(at: tuple[str, ...], what: str) -> Unsupported:
    """Build the error that the value or name at the path *at* has invisible characters."""
    return Unsupported(f"{what} has characters that are not seen", at)
