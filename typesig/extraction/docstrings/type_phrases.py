"""Types in the prose of docstrings: `{'a', 'b'} or None`, `array_like, shape (n,)`.

Such a type becomes the text of a hint, which is resolved like any other.  A phrase that is not
understood is kept in quotes, so that only that part of the hint is lost and the warning shows it.
To add a word, add it to `_SPELLED`; a phrase is a row of `_PHRASES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from keyword import iskeyword
from typing import Any

from typesig.limits import MAX_DOCUMENTED, MAX_DOCUMENTED_DEPTH

_NUMBER = "int | float"
_ARRAY = "bool | int | float | list"

#: The texts of hints, with the words that docstrings use for them, in lower case and singular.
_SPELLED: dict[str, tuple[str, ...]] = {
    "Any": ("any", "anything"),
    _ARRAY: ("array-like", "array like", "array_like", "arraylike"),
    "bool": ("boolean", "bool"),
    "Callable": ("callable", "callback", "func", "function"),
    "Collection": ("collection", "container", "iterable container"),
    "complex": ("complex", "complex number"),
    "str": ("data-type", "dtype", "file name", "file path", "filename", "filepath", "path object",
            "path-like", "path-like object", "str", "string", "text"),
    "date": ("date", "datetime.date"),
    "datetime": ("datetime", "datetime.datetime"),
    "timedelta": ("datetime.timedelta", "timedelta"),
    "dict": ("dict", "dict-like", "dictionary", "dictionarie", "mapping"),
    "float": ("double", "float"),
    "frozenset": ("frozenset",),
    "Iterator": ("generator", "iterator"),
    "Hashable": ("column label", "column name", "hashable", "hashable object", "label"),
    "int": ("int", "integer"),
    "Iterable": ("iterable",),
    "list": ("list", "list-like"),
    "None": ("none", "nonetype"),
    _NUMBER: ("number", "numeric", "real", "real number", "scalar"),
    "object": ("object",),
    "Path": ("pathlib.path",),
    "Sequence": ("sequence",),
    "set": ("set",),
    "tuple": ("tuple",),
}  # fmt: skip

#: The hint of each word.
WORDS = {word: hint for hint, words in _SPELLED.items() for word in words}

#: The modules of the names in these hints, which take precedence over the names in scope.
_NAMES = {
    "Any": "typing", "Callable": "collections.abc", "Collection": "collections.abc",
    "Hashable": "collections.abc", "Iterable": "collections.abc", "Iterator": "collections.abc",
    "Literal": "typing_extensions", "Optional": "typing", "Path": "pathlib",
    "Sequence": "collections.abc", "bool": "builtins", "bytes": "builtins", "complex": "builtins",
    "date": "datetime", "datetime": "datetime", "dict": "builtins", "float": "builtins",
    "frozenset": "builtins", "int": "builtins", "list": "builtins", "object": "builtins",
    "set": "builtins", "str": "builtins", "timedelta": "datetime", "tuple": "builtins",
}  # fmt: skip


@cache
def get_hint_namespace() -> dict[str, Any]:
    """Return the namespace in which the hints that `parse_type` writes are evaluated."""
    from importlib import import_module
    from typing import Annotated, TypeVar

    from typesig.algebra.rows.constraints import Constraint

    number = TypeVar("number")
    found = {name: getattr(import_module(home), name) for name, home in _NAMES.items()}
    found["Positive"] = Annotated[number, Constraint("above", 0)]  # pyright: ignore[reportGeneralTypeIssues]
    found["NonNegative"] = Annotated[number, Constraint("at_least", 0)]  # pyright: ignore[reportGeneralTypeIssues]
    return found


_QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")
_ROLE = re.compile(r":[\w:]+:`~?\.?([^`<]*)(?:<[^`]*>)?`|(?:\b[CL]\{|`+)~?([^`{}]*)(?:\}|`+)")
#: Matches the end of a type that states that the argument is optional, or its default.
_TAIL = re.compile(
    r"(?:^|[\s,;(]+)(?:(?:optional|keyword[- ]only|defaults?)\b(?!\[)|=\s*None\b).*$|[\s.;,:]+$",
    re.IGNORECASE | re.DOTALL,
)
#: Matches a remark after a comma that does not change the type.
_ASIDE = re.compile(
    r"(?:of )?(?:shape|length|len|size|dtype|ndim)\b|compatible|with |see |same |in |must|if |"
    r"\(|\d-?d|\d dim|positional|keyword|required|real[- ]valued|not ",
    re.IGNORECASE,
)
_SHAPE = re.compile(r"\([\w\s.,+*/-]*\)\s+(?=\S)|\d-?d(?:imensional)?\s+|[nm]-?d\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the|single|python)\s+", re.IGNORECASE)
_INSTANCE = re.compile(r"\s+(?:instances?|objects?)$")
_LITERAL = re.compile(r"""'[^'\\]*'|"[^"\\]*"|[+-]?\d+|True|False""")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def parse_type(written: str | None) -> str | None:
    """Convert the type *written* in a docstring to a hint as text; None if it is empty.

    >>> parse_type("list of string, optional"), parse_type("{'x', 'y'} or None, default 'x'")
    ('list[str]', "Literal['x', 'y'] | None")
    >>> parse_type("array_like, shape (n,)"), parse_type("int or NetworkX graph")
    ('bool | int | float | list', "int | 'NetworkX graph'")
    """
    if not written:
        return None
    text = " ".join(written.translate(_QUOTES).split())
    text = _ROLE.sub(lambda found: (found[1] or found[2]).strip(), text)
    while tail := _TAIL.search(_hide_nested(text)):
        text = text[: tail.start()]
    if not text:
        return None
    if len(text) > MAX_DOCUMENTED:
        return _quote_phrase(text)
    return _parse_union(text, 0)


def _hide_nested(text: str) -> str:
    """Replace each character of *text* inside quotes or brackets with an underscore."""
    out, closing, depth = [], "", 0
    for at, sign in enumerate(text):
        if closing:
            closing = "" if sign == closing else closing
            out.append("_")
        elif sign in "'\"" and text.find(sign, at + 1) > 0:
            closing = sign
            out.append("_")
        else:
            depth -= sign in ")]}" and depth > 0
            out.append(sign if depth == 0 else "_")
            depth += (
                sign in "([{" and text.find({"(": ")", "[": "]", "{": "}"}[text[at]], at + 1) > 0
            )
    return "".join(out)


def _split(text: str, by: str) -> list[str]:
    """Split *text* at the matches of *by* outside quotes and brackets."""
    parts, start = [], 0
    for found in re.finditer(by, _hide_nested(text)):
        parts.append(text[start : found.start()])
        start = found.end()
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


_OR = r"\s*,?\s+or\s+|\s*,?\s*\|\s*|(?<=\w)/(?=\w)"


def _parse_union(text: str, depth: int) -> str:
    """Convert docstring alternatives, such as `A or B`, `A, B, or C`, to a union hint."""
    if depth > MAX_DOCUMENTED_DEPTH:
        return _quote_phrase(text)
    kept: list[str] = []
    aside = False
    # A remark follows a comma or another remark.
    for chosen in _split(text, _OR):
        for place, part in enumerate(_split(chosen, r"\s*,\s*")):
            bound = _SIGNS.get(part.lower()) if place else None
            aside = bool(kept) and (
                bool(place and _ASIDE.match(part)) or (aside and not place and part[0] == "(")
            )
            if aside and part.startswith(("with ", "see ")):
                return " | ".join(_merge_literals(kept))
            if bound is not None:
                kept = [f"{bound}[{each}]" if each in _SIGNED else each for each in kept]
            elif not aside:
                hints = _split(_parse_atom(part, depth), r"\s*\|\s*")
                kept += [each for each in hints if each not in kept]
    return " | ".join(_merge_literals(kept)) or _quote_phrase(text)


def _merge_literals(parts: list[str]) -> list[str]:
    """Return *parts* with their literals merged, at the place of the first."""
    literals = [part[len("Literal[") : -1] for part in parts if part.startswith("Literal[")]
    if len(literals) < 2:
        return parts
    first = next(place for place, part in enumerate(parts) if part.startswith("Literal["))
    others = [part for part in parts if not part.startswith("Literal[")]
    return [*others[:first], f"Literal[{', '.join(literals)}]", *others[first:]]


#: Words for the sign of a number, and the name in `get_hint_namespace` of the constrained type.
_SIGNS = {
    "positive": "Positive", "strictly positive": "Positive", "> 0": "Positive",
    "non-negative": "NonNegative", "nonnegative": "NonNegative", ">= 0": "NonNegative",
}  # fmt: skip
_SIGNED = ("int", "float")


def _parse_atom(text: str, depth: int) -> str:
    """Convert a docstring type without alternatives to a hint; quote it if unknown."""
    known = _look_up_word(text)
    plain = _ARTICLE.sub("", _INSTANCE.sub("", text), count=1)
    if known is not None or _look_up_word(plain) is not None:
        return known or str(_look_up_word(plain))
    if _LITERAL.fullmatch(text):
        return f"Literal[{text}]"
    for look, hint_from in _PHRASES:
        found = look.fullmatch(plain)
        hint = None if found is None else hint_from(found, depth + 1)
        if hint is not None:
            return hint
    return plain if _DOTTED.fullmatch(plain) and not iskeyword(plain) else _quote_phrase(text)


def _look_up_word(text: str) -> str | None:
    """Look up the hint for the type word *text*, singular or plural; None if unknown."""
    lower = text.lower()
    for each in (lower, lower.removesuffix("s")):
        # A capitalised word is usually a class of the package.
        if each in WORDS and (text[:1].islower() or each in _CAPITALS):
            return WORDS[each]
    return None


_CAPITALS = frozenset({
    "any", "arraylike", "boolean", "callable", "dict", "dictionary", "float", "function",
    "hashable", "int", "integer", "iterable", "iterator", "list", "mapping", "none", "nonetype",
    "number", "sequence", "set", "string", "tuple",
})  # fmt: skip


def _quote_phrase(text: str) -> str:
    """Return a phrase that is not a type as a quoted hint, which cannot be resolved."""
    return repr(re.sub(r"['\"\\]", "", text))


#: Matches names and phrases for objects that have no JSON form: a name in mixed case, `X-like`, and
#: nouns.  A phrase such as `random state` may be for a text or a number.
_OBJECT = re.compile(
    r"\b(?=\w*[a-z])\w*[A-Z]\w*[A-Z]\w*|(?:^|\.)[A-Z]\w*[a-z]\w*$|\w-like$|"
    r"\b(?i:buffer|connectable|connection|cursor|file|filesystem|handle|handler|instance|module|object|"
    r"session|socket|stream|tzinfo|workbook)s?$"
)


def names_object(phrase: str) -> bool:
    """Whether *phrase*, from a docstring, names an object without a JSON form.

    >>> names_object("NetworkX graph"), names_object("file-like object"), names_object("a colour")
    (True, True, False)
    """
    return _OBJECT.search(phrase.strip("'")) is not None


def _parse_choices(found: re.Match[str], depth: int) -> str | None:
    """Convert docstring choices such as `{'a', 'b'}` or `{0 or 'index'}` to a hint."""
    return _parse_union(found[1], depth) if found[1].strip() else None


def _parse_bounded(found: re.Match[str], _depth: int) -> str | None:
    """Make a hint from *found*, such as `positive int`; None if not a number type."""
    known = _look_up_word(found[2])
    return f"{_SIGNS[found[1].lower()]}[{known}]" if known in _SIGNED else None


def _parse_items(text: str, depth: int) -> str | None:
    """Convert the docstring item type *text* of a collection to a hint; None if unknown."""
    hint = _parse_union(text, depth)
    return None if re.search(r"['\"]", re.sub(r"Literal\[[^\]]*\]", "", hint)) else hint


#: The hint of each collection, made from the hint of its items.
_COLLECTIONS: dict[str, str] = {
    **{
        kind: kind + "[{}]"
        for kind in ("Collection", "Iterable", "Iterator", "Sequence", "frozenset", "list", "set")
    },
    "dict": "dict",
    "tuple": "tuple[{}, ...]",
    # The docstring does not state how deeply the lists are nested.
    _ARRAY: "{} | list",
}


def _parse_collection(found: re.Match[str], depth: int) -> str | None:
    """Make a hint from *found*, a match such as `list of int`; None if unknown."""
    kind = _look_up_word(found[1])
    if kind not in _COLLECTIONS:
        return None
    if kind == _ARRAY:
        return _COLLECTIONS[kind].format(_parse_items(found[2], depth) or "bool | int | float")
    return _COLLECTIONS[kind].format(_parse_union(found[2], depth))


def _parse_sized(found: re.Match[str], depth: int) -> str | None:
    """Make a tuple hint from *found*, such as `pair of int` or `list of 3 floats`."""
    item = _parse_items(found[2], depth)
    count = {"pair": 2, "two": 2, "three": 3}.get(found[1]) or int(found[1])
    fits = item is not None and 0 < count < 10
    return f"tuple[{', '.join([str(item)] * count)}]" if fits else "tuple"


def _parse_positions(found: re.Match[str], depth: int) -> str | None:
    """Make a tuple hint from *found*, such as `(int, str)`; None if not types."""
    items = [_parse_items(part, depth) for part in _split(found[1], r"\s*,\s*")]
    if (
        len(items) < 2
        or None in items
        or any(_DOTTED.fullmatch(i or "") and i not in _PLAIN for i in items)
    ):
        return None
    return f"tuple[{', '.join(map(str, items))}]"


_PLAIN = frozenset(each for word in WORDS.values() for each in word.split(" | "))


def _parse_keyed(found: re.Match[str], depth: int) -> str | None:
    """Make a dict hint from *found*, a match such as `dict of str to int`."""
    key, value = _parse_items(found[1], depth), _parse_items(found[2], depth)
    return "dict" if key is None or value is None else f"dict[{key}, {value}]"


def _parse_generic(found: re.Match[str], depth: int) -> str | None:
    """Make a hint from *found*, such as `list[int]` or `Optional[str]`, or None."""
    kind = _look_up_word(found[1])
    if kind == "dict" and len(pair := _split(found[2], r"\s*,\s*")) == 2:
        return f"dict[{_parse_union(pair[0], depth)}, {_parse_union(pair[1], depth)}]"
    if kind == "tuple":
        items = [
            _parse_union(part, depth) if part != "..." else part for part in _split(found[2], ",")
        ]
        return f"tuple[{', '.join(items)}]"
    if found[1] == "Literal":
        return found[0]
    if found[1] == "Optional":
        return f"{_parse_union(found[2], depth)} | None"
    if found[1] == "Union":
        return _parse_union(found[2], depth)
    item = _parse_union(found[2], depth)
    return _COLLECTIONS[kind].format(item) if kind in _COLLECTIONS and kind != "dict" else None


def _make_group_parser(group: int) -> Callable[[re.Match[str], int], str | None]:
    """Build the parser of a phrase whose type is the match group *group*."""

    def hint_from(found: re.Match[str], depth: int) -> str | None:
        hint = _parse_union(found[group], depth)
        return None if hint.startswith(("'", '"')) else hint

    return hint_from


_KIND = r"[A-Za-z_][\w.]*(?:[- ](?:like|container))?"

#: Phrases, each with the function that makes its hint; the first result that is not None counts.
_PHRASES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int], str | None]], ...] = tuple(
    (re.compile(look, re.IGNORECASE), hint_from)
    for look, hint_from in (
        (r"\{(.*)\}", _parse_choices),
        (r"(?:str|string)s?[:,]?\s*(?:in\s*)?[({\[]\s*((?:'[^']*'|\"[^\"]*\"|[\s,|]|or)+)[)}\]]",
         _parse_choices),
        (r"(\w+) \(([0-9])\)", lambda found, _depth: f"Literal[{found[2]}, '{found[1]}']"),
        (r"(positive|strictly positive|non-negative|nonnegative) (\w+)", _parse_bounded),
        (r"(?:dict|dictionary|mapping) of \{?([^{},:]+?)(?::| to )([^{}]+)\}?", _parse_keyed),
        (r"(?:dict|dictionary|mapping) (?:mapping|from) (.+) to (.+)", _parse_keyed),
        (r"(?:tuple|list|sequence) of (?:length )?(\d|two|three) (\w+)", _parse_sized),
        (r"(pair) of (.+)", _parse_sized),
        (r"(\d)-tuple(?: of (.+))?", lambda f, d: "tuple" if f[2] is None else _parse_sized(f, d)),
        (r"(?:tuple(?: of)? ?)?\((.+)\)(?: ?tuple)?", _parse_positions),
        (r"\[(.+)\]", lambda f, d: None if _parse_positions(f, d) is None else "list"),
        (rf"({_KIND})\[(.*)\]", _parse_generic),
        (rf"({_KIND}) (?:of|containing) (.+)", _parse_collection),
        (r"(?:callable|function)s?\s*\(?.*\)?.*", lambda _f, _d: "Callable"),
        (r"(?:int|integer|float|bool|boolean|real|complex|string|str) (arrays?[_ -]like)",
         _make_group_parser(1)),
        (rf"(?:{_SHAPE.pattern})(.+)", _make_group_parser(1)),
        (r"(datetime|date|timedelta)-like", _make_group_parser(1)),
        (r"(.*\w)\s*\(.*\)", _make_group_parser(1)),
    )
)  # fmt: skip
