"""Contract of one tool: types, texts and metadata that a lock records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import ANY
from typesig.algebra.redaction import find_used_names
from typesig.algebra.signature import Signature, get_outer_types, map_types
from typesig.algebra.traversal import drop_annotations, get_children, rebuild
from typesig.calls.binding import Original, get_host_names
from typesig.calls.protocols import ToolLike
from typesig.contracts.places import find_annotations, iter_steps_into, iter_texts
from typesig.errors import TooLarge, TypesigError, format_value
from typesig.limits import MAX_TEXT
from typesig.limits.contracts import MAX_CONTRACT_PLACES
from typesig.notations.json_schema.dialects import DIALECTS
from typesig.notations.json_schema.keywords import BY_NAME, NOT_ASSERTED
from typesig.notations.json_schema.reader import KEYWORDS
from typesig.notations.json_schema.references import WITH_LIST, WITH_NAMES, WITH_SCHEMA
from typesig.notations.shorthand.writer import write_signature
from typesig.relations.proofs.differences import Path, format_place

# --- Keywords in foreign JSON schemas that typesig does not read, by place ---
# A signature does not have them: `contentEncoding` and `examples` are annotations in JSON Schema.
# They are compared as texts.

#: The keywords of a family of rules; any other belongs to the family `keyword`.
FAMILIES: dict[str, str] = {
    "contentEncoding": "content",
    "contentMediaType": "content",
    "contentSchema": "content",
    "deprecated": "deprecated",
    "example": "examples",
    "examples": "examples",
}

#: Keywords that only tell how the schema is written.
_STRUCTURE = frozenset({"$anchor", "$dynamicAnchor", "$id", "$schema", "$vocabulary", "id"})


def find_unread_keywords(schema: Any, root: str) -> dict[str, Any]:
    """Find the keywords of *schema* that typesig ignores, by place below *root*.

    >>> schema = {"properties": {"a": {"type": "string", "examples": ["x"]}}}
    >>> find_unread_keywords(schema, "params")
    {'params.properties.a.examples': ['x']}
    """
    out: dict[str, Any] = {}
    left = MAX_CONTRACT_PLACES
    pending: list[tuple[Path, Any]] = [((root,), schema)]
    while pending:
        path, part = pending.pop()
        left -= 1
        if left < 0:
            raise TooLarge(f"a contract has {MAX_CONTRACT_PLACES} places, this one has more")
        if not isinstance(part, dict):
            continue
        for word, value in part.items():
            at = (*path, str(word))
            inner = list(_iter_inner(at, word, value))
            pending += inner
            if word == "format":
                is_note = isinstance(value, str) and value not in BY_NAME
            else:
                is_note = word == "$comment" or (word not in KEYWORDS and word not in _STRUCTURE)
            if not inner and is_note:
                out[format_place(at)] = value
    return out


def _iter_inner(at: Path, word: str, value: Any) -> Iterator[tuple[Path, Any]]:
    """Yield the subschemas in the *value* of keyword *word*, with their places."""
    if word in WITH_SCHEMA and isinstance(value, dict) and word != "contentSchema":
        yield at, value
    elif word in WITH_LIST and isinstance(value, list):
        for count, each in enumerate(value):
            yield (*at, str(count)), each
    elif word in WITH_NAMES and isinstance(value, dict):
        for name, each in value.items():
            yield (*at, str(name)), each


# --- Strings of a tool that may reach a model: names, values, patterns, schema texts ---
# A pin compares them as a set, so that a text which no rule of the diff describes is noticed as
# well.

_ADDRESSES = [f"{head}://{name}" for name in DIALECTS for head in ("http", "https")]
_DRAFTS = [f"{address}{end}" for address in _ADDRESSES for end in ("", "#")]

#: Strings of schemas that have a fixed meaning, and so carry no text.
_FIXED = frozenset({
    *KEYWORDS, *FAMILIES, *BY_NAME, *NOT_ASSERTED, "array", "boolean", "integer", "null", "number",
    "object", "string", "", "#", *_DRAFTS,
})  # fmt: skip

_POINTER = "#/"


def iter_signature_texts(signature: Signature) -> Iterator[str]:
    """Yield the names, values, patterns and formats in a bare *signature*."""
    yield from signature.names
    yield from _iter_field_texts(signature.params)
    pending = [*get_outer_types(signature), *signature.names.values()]
    left = MAX_CONTRACT_PLACES
    while pending:
        left -= 1
        if left < 0:
            raise TooLarge(f"a contract has {MAX_CONTRACT_PLACES} places, this one has more")
        t = pending.pop()
        pending += get_children(t)
        match t:
            case nodes.Record():
                yield from _iter_field_texts(t.fields)
                yield from (each.pattern for each in t.matching)
            case nodes.Enum():
                for value in t.values:
                    yield from iter_texts(value)
            case nodes.Refinement():
                for each in t.constraints:
                    yield from iter_texts(each.argument)
            case _:
                pass


def _iter_field_texts(fields: Iterable[nodes.Field]) -> Iterator[str]:
    """Yield the names of visible *fields* and the texts in all defaults."""
    for field in fields:
        # Fields that are hidden from models do not count.
        yield from () if field.firewalled else (field.name,)
        if field.default is not None:
            yield from iter_texts(field.default)


def find_new_words(original: Original, known: frozenset[str]) -> tuple[str, ...]:
    """List the strings of the foreign definition *original* not in *known*, sorted.

    Keywords and other strings with a fixed meaning are left out.
    """
    found: set[str] = set()
    for part in (original.input, original.output, dict(original.beside)):
        for text in iter_texts(part):
            # A reference consists of names that stand elsewhere, too.
            found.update(text[2:].split("/") if text.startswith(_POINTER) else (text,))
    found -= known
    found -= _FIXED
    return tuple(sorted(found))


def iter_data_texts(*data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the strings in the values of the mappings *data*."""
    for each in data:
        for value in each.values():
            yield from iter_texts(value)


#: How a parameter is given that Python code cannot give as it likes.
_KINDS = {"POSITIONAL_ONLY": "positional", "KEYWORD_ONLY": "keyword"}

#: Hexadecimal digits of a fingerprint.
_DIGITS = 16


class ToolContract(NamedTuple):
    """Contract of one tool: its signature, texts and metadata, as a lock records them.

    #: signature: without descriptions and titles, and without the types that it does not use
    #: notes, titles: the descriptions and the titles within the signature, by place
    #: hidden: the parameters that the host supplies, each with whether the function needs it
    #: kinds: the parameters that Python code gives only by `positional` or only by `keyword`
    #: secrets: the names of fields with secrets
    #: keywords: annotations in the schemas of others, by place
    #: unread: what the signature does not express of those schemas, by place
    #: raw: the texts that others sent in another way than they are shown, by place
    #: words: the other strings of the definitions of others, such as those in `_meta`, sorted
    """

    name: str
    signature: Signature
    description: str | None = None
    title: str | None = None
    notes: Mapping[str, str] = {}
    titles: Mapping[str, str] = {}
    annotations: Mapping[str, Any] = {}
    hidden: Mapping[str, bool] = {}
    kinds: Mapping[str, str] = {}
    secrets: tuple[str, ...] = ()
    keywords: Mapping[str, Any] = {}
    unread: Mapping[str, str] = {}
    raw: Mapping[str, str] = {}
    words: tuple[str, ...] = ()

    @property
    def input(self) -> str:
        """Fingerprint of the parameters, including injected ones."""
        unread = {at: why for at, why in self.unread.items() if not at.startswith("returns")}
        return _make_fingerprint([write_input(self.signature), self.hidden, self.kinds, unread])

    @property
    def output(self) -> str:
        """Fingerprint of the result."""
        unread = {at: why for at, why in self.unread.items() if at.startswith("returns")}
        return _make_fingerprint([write_output(self.signature), unread])

    @property
    def texts(self) -> str:
        """Fingerprint of the texts and annotations."""
        told = [self.description, self.title, self.notes, self.titles, self.annotations]
        others = [each for each in (self.raw, self.words) if each]
        return _make_fingerprint([*told, self.secrets, self.keywords, *others])

    @property
    def strings(self) -> frozenset[str]:
        """All strings that may reach a model, but for the name."""
        texts = [self.description or "", self.title or "", *self.words]
        by_place = (self.notes, self.titles, self.annotations, self.keywords, self.raw)
        return frozenset(
            [
                *texts,
                *self.annotations,
                *iter_data_texts(*by_place),
                *iter_signature_texts(self.signature),
            ]
        )


def write_input(signature: Signature) -> str:
    """Write the parameters of *signature* as canonical text."""
    return write_signature(_keep_one_side(signature, input=True), described=False)


def write_output(signature: Signature) -> str:
    """Write the result of *signature* as canonical text."""
    return write_signature(_keep_one_side(signature, input=False), described=False)


def _keep_one_side(signature: Signature, input: bool) -> Signature:
    """Reduce *signature* to its parameters if *input*, else to its result."""
    params = signature.params if input else ()
    extra = signature.extra if input else ANY
    returns = ANY if input else signature.returns
    return _drop_unused_definitions(Signature(params, returns, signature.definitions, extra))


def _drop_unused_definitions(signature: Signature) -> Signature:
    """Drop the definitions that *signature* does not use."""
    names = signature.names
    kept = find_used_names(names, get_outer_types(signature))
    if len(kept) == len(names):
        return signature
    definitions = {name: t for name, t in names.items() if name in kept}
    return Signature(signature.params, signature.returns, definitions, signature.extra)


def _make_fingerprint(parts: list[Any]) -> str:
    """Hash *parts*, JSON data; equal in every process."""
    text = write_canonical_json(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def write_canonical_json(data: Any) -> str:
    """Write *data* as canonical JSON text."""
    return json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def make_contract(tool: ToolLike) -> ToolContract:
    """Build the contract of *tool*.

    Raises `TypesigError` for annotations that are not JSON, and `TooLarge` for a signature that
    could not be read back.
    """
    noted = find_annotations(tool.signature)
    bare = to_bare_signature(tool.signature)
    if len(write_signature(bare)) > MAX_TEXT:
        why = f"the signature of {format_value(tool.name)} has more than {MAX_TEXT} characters"
        raise TooLarge(f"{why}, so it cannot be kept")
    binding = tool.binding
    original = binding.original
    keywords: dict[str, Any] = {}
    unread: dict[str, str] = {}
    if original is not None:
        for root, schema in (("params", original.input), ("returns", original.output)):
            keywords.update(find_unread_keywords(schema, root))
        for loss in original.losses:
            head = "returns" if loss.path[:1] == ("output",) else "params"
            place = ".".join((head, *loss.path[1:]))
            told = f"{loss.what}: {loss.why}"
            unread[place] = f"{unread[place]}; {told}" if place in unread else told
    made = ToolContract(
        tool.name,
        bare,
        tool.description,
        tool.title,
        noted.descriptions,
        noted.titles,
        _check_json_data(tool.name, "annotations", dict(tool.annotations)),
        {name: not can_do_without for name, can_do_without in get_host_names(binding).items()},
        {}
        if original is not None
        else {
            param.name: _KINDS[param.kind]
            for param in binding.host.params
            if param.kind in _KINDS and not param.injected
        },
        tuple(sorted(tool.signature.secrets | binding.host.secrets)),
        _check_json_data(tool.name, "schemas", keywords),
        unread,
        {} if original is None else {format_place(at): text for at, text in original.raw.items()},
    )
    return made if original is None else made._replace(words=find_new_words(original, made.strings))


def to_bare_signature(signature: Signature) -> Signature:
    """Drop annotations and unused definitions from *signature*."""
    bare = map_types(signature, drop_annotations)
    return _drop_unused_definitions(
        Signature(bare.params, bare.returns, bare.definitions, bare.extra)
    )


def _check_json_data(name: str, what: str, data: dict[str, Any]) -> dict[str, Any]:
    """Convert *data* to plain JSON data; raise `TypesigError` if it is not JSON."""
    try:
        found: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        why = (
            f"the {what} of {name} are not JSON, so they cannot be kept: {format_value(str(error))}"
        )
        raise TypesigError(why) from None
    return found


# --- Signatures of contracts with descriptions and titles, for tools that need them ---


def annotate_signature(contract: ToolContract) -> Signature:
    """Return the signature of *contract* with its descriptions and titles at their places.

    >>> from typesig import parse
    >>> from typesig.contracts.places import find_annotations
    >>> bare = parse("(q? :string) -> [:int]")
    >>> one = annotate_signature(ToolContract("f", bare, notes={"params.q": "words"}))
    >>> find_annotations(one).descriptions
    {'params.q': 'words'}
    """
    signature = contract.signature

    def annotate_fields(path: Path, fields: tuple[nodes.Field, ...]) -> list[nodes.Field]:
        return [field.with_type(annotate((*path, field.name), field.type)) for field in fields]

    def annotate(path: Path, t: nodes.Type, is_same_place: bool = False) -> nodes.Type:
        if isinstance(t, nodes.Record):
            parts = [field.type for field in annotate_fields(path, t.fields)]
            parts += [annotate((*path, f"/{m.pattern}/"), m.type) for m in t.matching]
            parts += [] if t.extra is None else [annotate((*path, "**"), t.extra)]
        elif get_children(t):
            parts = [annotate((*path, *step), part, not step) for step, part in iter_steps_into(t)]
        else:
            parts = []
        made = rebuild(t, parts)
        text, title = (texts.get(format_place(path)) for texts in (contract.notes, contract.titles))
        if is_same_place or (text is None and title is None):
            return made
        return nodes.Annotation(made, text, title)

    definitions = tuple(
        Definition(each.name, annotate(("where", each.name), each.type))
        for each in signature.definitions
    )
    return Signature(
        tuple(annotate_fields(("params",), signature.params)),
        annotate(("returns",), signature.returns),
        definitions,
        None if signature.extra is None else annotate(("params", "**"), signature.extra),
    )
