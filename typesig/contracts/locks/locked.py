"""The contract of one tool, as a lock keeps it: all that a model or a host is told of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from typesig.algebra.nodes import ANY
from typesig.algebra.signature import Signature, mapped, outer_types
from typesig.algebra.traversal import without_notes
from typesig.algebra.views.redaction import used
from typesig.calls.binding import Binding, names_from_host
from typesig.calls.called import Called
from typesig.contracts.locks.keywords import keywords_in
from typesig.contracts.locks.places import noted_in, place_of
from typesig.contracts.locks.words import find_new_words, iter_data_texts, iter_signature_texts
from typesig.errors import TooLarge, TypesigError, short
from typesig.limits import MAX_TEXT
from typesig.notations.shorthand.writer import signature_text

#: How a parameter is given that Python code cannot give as it likes.
_KINDS = {"POSITIONAL_ONLY": "positional", "KEYWORD_ONLY": "keyword"}

#: Hexadecimal digits of a fingerprint.
_DIGITS = 16


class ToolContract(NamedTuple):
    """What a tool takes and returns, and what is told of it.

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
        """The fingerprint of what the tool takes."""
        unread = {at: why for at, why in self.unread.items() if not at.startswith("returns")}
        return _fingerprint([input_text(self.signature), self.hidden, self.kinds, unread])

    @property
    def output(self) -> str:
        """The fingerprint of what the tool returns."""
        unread = {at: why for at, why in self.unread.items() if at.startswith("returns")}
        return _fingerprint([output_text(self.signature), unread])

    @property
    def texts(self) -> str:
        """The fingerprint of what is told of the tool."""
        told = [self.description, self.title, self.notes, self.titles, self.annotations]
        others = [each for each in (self.raw, self.words) if each]
        return _fingerprint([*told, self.secrets, self.keywords, *others])

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


def input_text(signature: Signature) -> str:
    """Return what *signature* takes, as canonical text."""
    return signature_text(_only(signature, input=True), described=False)


def output_text(signature: Signature) -> str:
    """Return what *signature* returns, as canonical text."""
    return signature_text(_only(signature, input=False), described=False)


def _only(signature: Signature, input: bool) -> Signature:
    """Return *signature* with its parameters only, or with its result only."""
    params = signature.params if input else ()
    extra = signature.extra if input else ANY
    returns = ANY if input else signature.returns
    return _tidy(Signature(params, returns, signature.definitions, extra))


def _tidy(signature: Signature) -> Signature:
    """Return *signature* without the definitions that it does not use."""
    names = signature.names
    kept = used(names, outer_types(signature))
    if len(kept) == len(names):
        return signature
    definitions = {name: t for name, t in names.items() if name in kept}
    return Signature(signature.params, signature.returns, definitions, signature.extra)


def _fingerprint(parts: list[Any]) -> str:
    """Return a hash of *parts*, JSON data, the same in every process."""
    text = json_of(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def json_of(data: Any) -> str:
    """Return *data* as canonical JSON text."""
    return json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def contract_of(tool: Called) -> ToolContract:
    """Return the contract of *tool*.

    Raises `TypesigError` for annotations that are not JSON, and `TooLarge` for a signature that
    could not be read back.
    """
    noted = noted_in(tool.signature)
    bare = bare_signature(tool.signature)
    if len(signature_text(bare)) > MAX_TEXT:
        why = f"the signature of {short(tool.name)} has more than {MAX_TEXT} characters"
        raise TooLarge(f"{why}, so it cannot be kept")
    binding = tool.binding
    original = binding.original
    keywords: dict[str, Any] = {}
    unread: dict[str, str] = {}
    if original is not None:
        for root, schema in (("params", original.input), ("returns", original.output)):
            keywords.update(keywords_in(schema, root))
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
        _json_data(tool.name, "annotations", dict(tool.annotations)),
        {name: not can_do_without for name, can_do_without in names_from_host(binding).items()},
        {} if original is not None else _kinds(binding),
        tuple(sorted(tool.signature.secrets | binding.host.secrets)),
        _json_data(tool.name, "schemas", keywords),
        unread,
        {} if original is None else {place_of(at): text for at, text in original.raw.items()},
    )
    return made if original is None else made._replace(words=find_new_words(original, made.strings))


def bare_signature(signature: Signature) -> Signature:
    """Return *signature* as a contract keeps it: without notes and without unused types."""
    bare = mapped(signature, without_notes)
    return _tidy(Signature(bare.params, bare.returns, bare.definitions, bare.extra))


def _kinds(binding: Binding) -> dict[str, str]:
    return {
        param.name: _KINDS[param.kind]
        for param in binding.host.params
        if param.kind in _KINDS and not param.injected
    }


def _json_data(name: str, what: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return *data* as it is read back from a lock."""
    try:
        found: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        why = f"the {what} of {name} are not JSON, so they cannot be kept: {short(str(error))}"
        raise TypesigError(why) from None
    return found
