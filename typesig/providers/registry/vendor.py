"""A vendor as one table entry, the profile of each of its forms, and types in their sent form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

from typesig.algebra.constructors import make_maybe, make_noted
from typesig.algebra.nodes import ANY, Annotation, Type
from typesig.algebra.rows.constraints import ConstraintName
from typesig.algebra.rows.values import ConstKind
from typesig.errors import TypesigError, format_value
from typesig.notations.json_schema.keywords import KEYWORDS, SPELLINGS, JsonKind
from typesig.notations.json_schema.writer import STANDARD, Style
from typesig.providers.registry.answers import CallFormat
from typesig.providers.registry.codecs import NullableCodec, OptionalCodec
from typesig.providers.registry.provider import (
    Advice,
    LimitName,
    LimitRow,
    NameRule,
    ProviderName,
    get_limits,
)

# --- A profile: the schema features of one form of a provider, as data for rewriting ---


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


# --- Sent types with their codecs, the places of types, and tools before formatting ---

Path = tuple[str, ...]


class TypePlace(NamedTuple):
    """The location of a type within a signature, with its nesting level.

    #: path: the path from the signature; level: how many objects there are around it
    #: exact: whether other types judge the same values, so that nulls must not be left out
    #: inside: the names whose definitions are written around it
    #: is_open: whether undeclared keys of an open record mean something here
    """

    path: Path
    level: int = 0
    exact: bool = False
    inside: frozenset[str] = frozenset()
    is_open: bool = False

    def add_steps(self, *steps: str) -> TypePlace:
        """Return the location of a part of this type, at the path *steps* below."""
        # Made for each part of a type, and faster than `_replace`.
        return _new_place(TypePlace, ((*self.path, *steps), *self[1:]))


_new_place: Callable[[Any, tuple[Any, ...]], TypePlace] = tuple.__new__


class SentType(NamedTuple):
    """The type that is sent in place of another, with its codec.

    #: nullable: whether null may be sent as a value
    """

    type: Type
    codec: OptionalCodec = None
    nullable: bool = False

    def parts(self) -> tuple[Type, str | None, str | None]:
        """Split the type into the bare type, the description and the title."""
        return _split_annotations(self.type)

    def append_description(self, text: str | None, title: str | None = None) -> SentType:
        """Append *text* to the description of *t*; use *title* as the title if not None."""
        return (
            self._replace(type=append_description(self.type, text, title))
            if text or title
            else self
        )

    def insert_description(self, text: str | None, title: str | None = None) -> SentType:
        """Insert *text* at the beginning of the description."""
        inner, held, held_title = _split_annotations(self.type)
        made = append_description(make_noted(inner, text, title or held_title), held)
        return self._replace(type=made)

    def allow_null(self) -> SentType:
        """Allow null besides the values of the type."""
        inner, text, title = _split_annotations(self.type)
        made = inner if inner == ANY else make_maybe(inner)
        codec = self.codec
        if codec is not None and not isinstance(codec, NullableCodec):
            codec = NullableCodec(codec)
        return SentType(make_noted(made, text, title), codec, True)


def _split_annotations(t: Type) -> tuple[Type, str | None, str | None]:
    """Split *t* into the bare type, its texts joined, and its title."""
    texts: list[str] = []
    title: str | None = None
    while isinstance(t, Annotation):
        texts += [t.text] if t.text else []
        title = title or t.title
        t = t.inner
    return t, "\n".join(texts) or None, title


def append_description(t: Type, text: str | None, title: str | None = None) -> Type:
    """Return *t* with one note: its description, with *text* behind it, and its title."""
    inner, held, old_title = _split_annotations(t)
    joined = " ".join([part for part in (held, text) if part])
    return make_noted(inner, joined or None, title or old_title)


class SentTool(NamedTuple):
    """The parts of a tool definition in sent form, before a provider formats them.

    #: parameters: the schema of its arguments; results: that of its result, or None
    #: beside: what others have in their definition of it, by key
    """

    name: str
    title: str | None
    description: str | None
    parameters: dict[str, Any]
    results: dict[str, Any] | None = None
    annotations: Mapping[str, Any] = {}
    beside: Mapping[str, Any] = {}


# --- A vendor: one table entry with everything specific to it ---


def return_unchanged(data: Any) -> Any:
    """Return *data*, a result that is sent unchanged."""
    return data


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """The definitions, formats and limits of a vendor, as a row of a table.

    #: name: the name that `project` takes; title: the name in tables
    #: definitions: what its definitions are, in words for the documentation
    #: profiles: what it takes, one for each pair of its forms and strictnesses, the usual one first
    #: strict_answers: whether response formats are strict unless asked otherwise
    #: limits: what it publishes of counts and sizes
    #: definition_of: returns the definition of a tool; format_of: the response format of a schema,
    #:     which has a name
    #: result_of: returns the result of a tool as it is sent; a named function, as tools are pickled
    #: calls: how it spells calls and their results
    """

    name: ProviderName
    title: str
    definitions: str
    profiles: tuple[Profile, ...]
    strict_answers: bool
    limits: tuple[LimitRow, ...]
    definition_of: Callable[[Profile, SentTool], dict[str, Any]]
    format_of: Callable[[Profile, str, dict[str, Any]], dict[str, Any]]
    result_of: Callable[[Any], Any]
    calls: CallFormat

    @property
    def apis(self) -> tuple[str, ...]:
        """The names of the vendor's API forms, the default first."""
        return tuple(dict.fromkeys(each.api for each in self.profiles))

    @property
    def has_strict(self) -> bool:
        """Whether the vendor has a mode that holds the model to the schema."""
        return any(each.strict for each in self.profiles)

    @property
    def refusing(self) -> frozenset[LimitName]:
        """The names of the limits beyond which the vendor refuses a tool."""
        return frozenset([row.name for row in self.limits if row.refuses])

    def derive(self, name: ProviderName, title: str, profiles: Iterable[Profile]) -> Vendor:
        """Make a vendor like this one with other *profiles*.

        What else differs is given to `dataclasses.replace`.  What definitions have beside their
        schemas is not taken over.
        """
        own = tuple([each._replace(provider=name, extras=frozenset()) for each in profiles])
        return replace(self, name=name, title=title, profiles=own)

    def profile_of(self, options: Mapping[str, Any]) -> Profile:
        """Get the profile of *options*, see `ProfileOptions`, with its limits.

        Raises `TypesigError` for an option or a value that the vendor lacks.
        """
        known = ["api", "strict", "limits"] if self.has_strict else ["api", "limits"]
        for name in options:
            if name not in known:
                raise TypesigError(
                    f"{self.name} has no option {format_value(name)}; there are {', '.join(known)}"
                )
        api = options.get("api", self.apis[0])
        if api not in self.apis:
            raise TypesigError(
                f"{self.name} has no api {format_value(api)}; there are {', '.join(self.apis)}"
            )
        strict = options.get("strict", False)
        if type(strict) is not bool:
            raise TypesigError(f"strict is True or False, not {format_value(strict)}")
        own = options.get("limits")
        if own is not None and not isinstance(own, Mapping):
            raise TypesigError(f"limits are numbers by name, not {format_value(own)}")
        [found] = [each for each in self.profiles if (each.api, each.strict) == (api, strict)]
        return found._replace(limits=get_limits(self.limits, strict, own))
