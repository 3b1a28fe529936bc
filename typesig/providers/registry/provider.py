"""The providers: their names, the names of tools they take, published limits, and advice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from string import ascii_letters
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

from typesig.algebra.nodes import Annotation, Maybe, Record, Ref, Refinement, Type, Union
from typesig.algebra.traversal import get_children, iter_types, substitute
from typesig.errors import TypesigError, format_value
from typesig.graphs import iter_components
from typesig.validation.issues.excerpt import quote_text

# --- The names of the providers, and of the engines of constrained decoding ---

ProviderName: TypeAlias = Literal[
    "openai", "anthropic", "gemini", "mcp", "mistral", "deepseek", "moonshot", "xai"
]

PROVIDER_NAMES: tuple[ProviderName, ...] = get_args(ProviderName)

#: Those that spell calls in a way of their own; the others do as one of these.
SpellingName: TypeAlias = Literal["openai", "anthropic", "gemini", "mcp"]

SPELLING_NAMES: tuple[SpellingName, ...] = get_args(SpellingName)

#: Names of models and of companies that stand for their provider, too.
OtherName: TypeAlias = Literal["claude", "google", "kimi", "grok"]

ALIASES: dict[OtherName, ProviderName] = {
    "claude": "anthropic",
    "google": "gemini",
    "kimi": "moonshot",
    "grok": "xai",
}

#: What holds a model to a grammar while it writes, where one serves it oneself.
DecoderName: TypeAlias = Literal["llguidance", "xgrammar", "gbnf"]

#: All that does so, that of OpenAI among them.
EngineName: TypeAlias = Literal["llguidance", "xgrammar", "gbnf", "openai-grammar"]

ENGINE_NAMES: tuple[EngineName, ...] = get_args(EngineName)


class BoundOptions(TypedDict, total=False):
    """The bounds of values in a grammar, for values whose type sets none; None is no bound.

    #: longest: the most characters of a text; digits: the most digits of a number, before its point
    #:     and behind it; items: the most items of a list or a map
    #: closed: whether objects with declared keys have no others, which they have not by default
    """

    longest: int | None
    digits: int | None
    items: int | None
    closed: bool


class CallOptions(BoundOptions, total=False):
    """The calls that a grammar lets a model write, and the bounds of their arguments.

    #: tool_choice: `auto`, with or without calls; `required`, calls without prose; `none`, no call;
    #:     or the name of the tool that is called, without prose
    #: parallel: whether there may be several calls, which there may by default
    """

    tool_choice: str
    parallel: bool


#: The syntaxes of OpenAI's grammars.
Syntax: TypeAlias = Literal["lark", "regex"]


# --- Published limits of providers: one row each, with its date and page ---
# Vendors change these numbers, and some hold for one model only: any of them can be replaced, as in
# `tools.project("openai", limits={"tools": 64})`.  To add a limit, add its name to `LimitName`, its
# row to the vendor's, and what it counts to `budgets`.

#: What is counted.  Of a request: `tools`, `optionals` (parameters that may be left out) and
#: `unions` (parameters of several types), `bytes` (of the definitions as JSON text) and `tokens`.
#: Of a tool: `levels` (objects within objects), `properties`, `enum_values`, `enum_text`
#: (characters of an enum of more than 250 texts), `schema_text` (characters of names and
#: constants) and `description` (characters).
LimitName: TypeAlias = Literal[
    "tools", "optionals", "unions", "bytes", "tokens", "levels", "properties", "enum_values",
    "enum_text", "schema_text", "description",
]  # fmt: skip

LIMIT_NAMES: tuple[LimitName, ...] = get_args(LimitName)


class LimitRow(NamedTuple):
    """A limit that a provider publishes, with its value and source.

    #: strict: whether it holds only where the provider holds the model to the schema
    #: refuses: whether the provider refuses a tool beyond it, so that the tool is left out
    #: date: the month in which the page was read
    """

    name: LimitName
    value: int
    strict: bool
    refuses: bool
    date: str
    page: str


def get_limits(
    rows: Iterable[LimitRow], strict: bool, own: Mapping[str, int] | None
) -> dict[LimitName, int]:
    """Limits of *rows*, overridden by the caller's *own* numbers."""
    found: dict[LimitName, int] = {row.name: row.value for row in rows if strict or not row.strict}
    for name, value in (own or {}).items():
        if type(value) is not int or value < 0:
            raise TypesigError(
                f"the limit {name} is a number of 0 or more, not {format_value(value)}"
            )
        found[_check_name(name)] = value
    return found


def _check_name(name: Any) -> LimitName:
    """Return *name* if it is a limit's name; raise `TypesigError` otherwise."""
    for known in LIMIT_NAMES:
        if name == known:
            return known
    raise TypesigError(
        f"there is no limit {format_value(name)}; there are {', '.join(LIMIT_NAMES)}"
    )


# --- Advice: features that some models or endpoints of a provider refuse ---
# A projection follows advice where that changes nothing for the model; the rest is told by `check`.
# A profile has its advice; the functions that find what is against it are here.

#: Returns what is against the advice in types that share definitions, in words, or None.
Finder = Callable[[Iterable[Type], Mapping[str, Type]], str | None]


class Advice(NamedTuple):
    """A piece of advice on schemas: a finder of violations and the refusing party.

    #: find: finds what is against it; refused: who refuses it
    #: date: the month in which the page was read
    """

    find: Finder
    refused: str
    date: str
    page: str


def find_first_key_clash(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find objects of one union that begin with the same key; return a message or None."""
    for union in _iter_unions(wholes):
        seen: set[str] = set()
        for member in union.members:
            while isinstance(member, Ref | Annotation | Refinement | Maybe):
                member = names[member.name] if isinstance(member, Ref) else member.inner
            if isinstance(member, Record) and member.fields:
                first = member.fields[0].name
                if first in seen:
                    return f"objects of one union begin with the same key {quote_text(first)}"
                seen.add(first)
    return None


def find_union(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find a union in the types *wholes*; return a message or None."""
    found = next(_iter_unions(wholes), None)
    return None if found is None else f"a union of {len(found.members)} types has no type itself"


def _iter_unions(wholes: Iterable[Type]) -> Iterator[Union]:
    """All unions in the types *wholes*, nested unions included."""
    return (part for whole in wholes for part in iter_types(whole) if isinstance(part, Union))


def find_required_cycle(wholes: Iterable[Type], names: Mapping[str, Type]) -> str | None:
    """Find a type that contains itself in required fields; return a message or None."""
    for found, leads_back in iter_components(
        {name: sorted(_find_required_names(t)) for name, t in names.items()}
    ):
        if leads_back:
            return f"the type {quote_text(min(found))} contains itself in what is required"
    return None


def _find_required_names(t: Type) -> set[str]:
    """Find the names that *t* refers to, other than in optional fields."""
    pending, found = [t], set[str]()
    while pending:
        part = pending.pop()
        if isinstance(part, Ref):
            found.add(part.name)
        elif isinstance(part, Record):
            pending += [field.type for field in part.fields if field.required]
            pending += [each.type for each in part.matching]
            pending += [] if part.extra is None else [part.extra]
        else:
            pending += get_children(part)
    return found


# --- Names that a provider takes: legal, unique, and independent of their order ---


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
