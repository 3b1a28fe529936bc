"""A profile: the schema features of one form of a provider, as data for rewriting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

from typesig.algebra.rows.constraints import ConstraintName
from typesig.algebra.rows.values import ConstKind
from typesig.notations.json_schema.keywords import KEYWORDS, SPELLINGS, JsonKind
from typesig.notations.json_schema.writer import STANDARD, Style
from typesig.providers.rows.advice import Advice
from typesig.providers.rows.limits import LimitName
from typesig.providers.rows.names import NameRule
from typesig.providers.rows.provider import ProviderName


class ProfileOptions(TypedDict, total=False):
    """The options that select and adjust a provider's profile.

    #: api: of openai, "chat" or "responses"; of gemini, "parameters" or "json"
    #:     (`parametersJsonSchema`); of mcp, the version of the protocol
    #: strict: of openai and anthropic, whether the provider holds the model to the schema
    #: limits: numbers in place of those of the vendor's row, by name
    """

    api: str
    strict: bool
    limits: Mapping[str, int]


#: What definitions may have beside their schemas, and the vendor's own tools beside them.
ExtraName: TypeAlias = Literal[
    "input_examples", "defer_loading", "allowed_callers", "server_tools", "eager_input_streaming",
    "cache_control", "async_tools", "namespaces",
]  # fmt: skip

EXTRA_NAMES: tuple[ExtraName, ...] = get_args(ExtraName)


class ToolOptions(ProfileOptions, total=False):
    """The options for projections of toolsets, in addition to the profile's options.

    #: details: whether descriptions have all paragraphs of the docstrings, and not only the first
    #: input_examples: arguments for each of some tools, by name, as the tool takes them
    #: defer_loading: whether tools are told when a search finds them: all, or those named
    #: allowed_callers: who may call the tools, or, by name, each of some
    #: server_tools: definitions of tools that the vendor runs, sent as they are
    #: eager_input_streaming: whether arguments are streamed before they are whole: of all tools, or
    #:     of those named
    #: cache_control: whether the vendor caches the definitions: True, or its words for how long
    #: async_tools: which tools a model need not wait for: all, or those named
    #: namespaces: descriptions of groups of tools by prefix: that of `crm.find` is `crm`
    """

    details: bool
    input_examples: Mapping[str, Iterable[Mapping[str, Any]]]
    defer_loading: bool | Iterable[str]
    allowed_callers: Sequence[str] | Mapping[str, Sequence[str]]
    server_tools: Sequence[dict[str, Any]]
    eager_input_streaming: bool | Iterable[str]
    cache_control: bool | Mapping[str, Any]
    async_tools: bool | Iterable[str]
    namespaces: Mapping[str, str]


#: A constraint as it applies to one of JSON's kinds of values.
Applied: TypeAlias = tuple[ConstraintName, JsonKind]

#: Every keyword that JSON Schema has for a constraint, except for formats.
EVERY_KEYWORD: frozenset[Applied] = frozenset(
    (name, kind) for name, words in KEYWORDS.items() for kind in words if name != "format"
)

#: The names that JSON Schema has in `format`, where ours mean the same.
EVERY_FORMAT: frozenset[str] = frozenset(
    words["format"] for words in SPELLINGS.values() if "format" in words
)

#: The kinds of constants in enums.
EVERY_KIND: frozenset[ConstKind] = frozenset(get_args(ConstKind))
PRIMITIVES: frozenset[ConstKind] = frozenset({"bool", "int", "float", "string"})


class Profile(NamedTuple):
    """The schema features, names and limits that a provider takes in one API form.

    #: provider: its name; api: the form of definitions and messages, see `ProfileOptions`
    #: strict: whether the provider holds the model to the schema
    #: tool_names, property_names: the legal names; None for any
    #: closed: whether objects have declared properties only
    #: complete: whether every property is required
    #: typed: whether every schema names a type
    #: one_of, all_of, negations, tuples, key_patterns: whether there are such schemas; where there
    #:     are negations, and tuples, which are arrays without `items`, `contains` may count items
    #: references: whether there are named types; recursion: whether these may contain themselves
    #: defaults, titles: whether there are such keywords
    #: empty_objects: whether there are objects without properties, except for the arguments
    #: enums: the kinds of constants; mixed_enums: whether an enum may have several kinds
    #: empty_texts: whether "" may stand in an enum
    #: constraints: the keywords of constraints; formats: the names in `format`
    #: most_min_items: the highest `minItems`, None for any
    #: lookarounds: whether patterns may have lookarounds, back-references and word boundaries
    #: wide_integers: whether integers beyond 2^53 keep their digits
    #: style: how schemas are spelled; limits: the limits on counts and sizes
    #: results: what it is told of results: nothing, the schema of an object, or any schema
    #: originals: whether schemas of others that a tool was read from are sent as they are
    #: advice: what some of its models or endpoints refuse
    #: extras: what definitions may have beside their schemas
    """

    provider: ProviderName
    api: str
    strict: bool
    tool_names: NameRule | None
    limits: Mapping[LimitName, int] = {}
    property_names: NameRule | None = None
    closed: bool = False
    complete: bool = False
    typed: bool = False
    one_of: bool = True
    all_of: bool = True
    negations: bool = True
    tuples: bool = True
    key_patterns: bool = True
    references: bool = True
    recursion: bool = True
    defaults: bool = True
    titles: bool = False
    empty_objects: bool = True
    enums: frozenset[ConstKind] = EVERY_KIND
    mixed_enums: bool = True
    empty_texts: bool = True
    constraints: frozenset[Applied] = EVERY_KEYWORD
    formats: frozenset[str] = EVERY_FORMAT
    most_min_items: int | None = None
    lookarounds: bool = True
    wide_integers: bool = True
    style: Style = STANDARD
    results: Literal["untold", "object", "any"] = "untold"
    originals: bool = False
    advice: tuple[Advice, ...] = ()
    extras: frozenset[ExtraName] = frozenset()

    @property
    def title(self) -> str:
        """The profile in words, as in "openai chat, strict"."""
        return f"{self.provider} {self.api}".strip() + (", strict" if self.strict else "")


def get_keywords_without(*without: Applied) -> frozenset[Applied]:
    """Every keyword of constraints, except for *without*."""
    return EVERY_KEYWORD - frozenset(without)
