"""Contract of one tool: types, texts and metadata that a lock records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from typesig.algebra.nodes import ANY
from typesig.algebra.signature import Signature, get_outer_types, map_types
from typesig.algebra.traversal import drop_annotations
from typesig.algebra.views.redaction import find_used_names
from typesig.calls.binding import Binding, get_host_names
from typesig.calls.protocols import ToolLike
from typesig.contracts.locks.keywords import find_unread_keywords
from typesig.contracts.locks.places import find_annotations, format_place
from typesig.contracts.locks.words import find_new_words, iter_data_texts, iter_signature_texts
from typesig.errors import TooLarge, TypesigError, format_value
from typesig.limits import MAX_TEXT
from typesig.notations.shorthand.writer import write_signature

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
        {} if original is not None else _get_param_kinds(binding),
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


def _get_param_kinds(binding: Binding) -> dict[str, str]:
    """Map positional-only and keyword-only parameters to their kind."""
    return {
        param.name: _KINDS[param.kind]
        for param in binding.host.params
        if param.kind in _KINDS and not param.injected
    }


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
