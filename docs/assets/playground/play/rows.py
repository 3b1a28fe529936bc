"""What is told of a tool or a contract: rows of notations, definitions and sizes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias, get_args

import typesig
from play.texts import cut, indented, json_text, lines, loss_lines, tried
from typesig.errors import TypesigError
from typesig.listings.entries import Style
from typesig.notations import NOTATIONS
from typesig.notations.texts.notation import NotationName
from typesig.providers.vendors.registry import VENDORS

#: What is shown: a tool, or what a model should answer.
Thing: TypeAlias = typesig.Tool[..., Any] | typesig.Contract[Any]


class Sent(NamedTuple):
    """A tool or a contract as a vendor takes it.

    #: title: what it is called on the page; form: the title of its profile; made: the projection
    #: definition: None if there is none; error: why there is no projection, or empty
    """

    title: str
    form: str = ""
    made: Any = None
    definition: dict[str, Any] | None = None
    error: str = ""


def sent_to_vendors(thing: Thing) -> Iterator[Sent]:
    """Yield *thing* as each vendor takes it, strict as well where the vendor has that."""
    for name, vendor in VENDORS.items():
        usual = vendor.strict_answers and isinstance(thing, typesig.Contract)
        for strict in dict.fromkeys([usual, vendor.has_strict]):
            options: Any = {"strict": strict} if vendor.has_strict else {}
            try:
                made, definition = _projected(thing, name, options)
            except TypesigError as error:
                yield Sent(vendor.title, error=str(error))
                continue
            form = made.profile.title
            yield Sent(vendor.title + form.removeprefix(name), form, made, definition)


def _projected(thing: Thing, provider: Any, options: Any) -> tuple[Any, dict[str, Any] | None]:
    if isinstance(thing, typesig.Contract):
        answer = thing.project(provider, **options)
        return answer, answer.definition
    made = typesig.Toolset([thing]).project(provider, **options)
    return made, next(iter(made.definitions), None)


def notation_row(thing: Thing, name: NotationName) -> dict[str, Any]:
    """Return *thing* in the notation called *name*."""
    notation, is_tool = NOTATIONS[name], isinstance(thing, typesig.Tool)
    options = {"named": True} if is_tool and "named" in notation.options else {}

    def write() -> dict[str, Any]:
        result, losses = notation.render(thing.signature, not is_tool, **options)
        text = result if isinstance(result, str) else json_text(result)
        return {"text": cut(text), "losses": loss_lines(losses)}

    return {"name": name, **tried(write)}


def definition_row(sent: Sent) -> dict[str, Any]:
    """Return a definition with what it does not say, and what the vendor's limits are for it."""
    if sent.error:
        return {"title": sent.title, "error": sent.error}
    return {
        "title": sent.title,
        "text": "" if sent.definition is None else cut(indented(sent.definition)),
        "losses": loss_lines(sent.made.losses),
        "findings": lines(sent.made.check()),
    }


def estimated(text: str) -> int:
    """Return about how many tokens *text* has: one for four characters.

    >>> estimated("(n :int)"), estimated("(n :int) "), estimated("")
    (2, 3, 0)
    """
    return -(-len(text) // 4)


def size_rows(thing: Thing) -> list[dict[str, Any]]:
    """Return the size of *thing* in each style of listing, and as definitions, a row for each."""
    rows = [
        {"name": style, **tried(lambda: _size_of_listing(thing, style))}  # noqa: B023
        for style in get_args(Style)
    ]
    for sent in sent_to_vendors(thing):
        if sent.definition is not None:
            text = json.dumps(sent.definition, ensure_ascii=False, separators=(",", ":"))
            rows.append({"name": f"{sent.title}, as JSON", **_size_of(text)})
    return rows


def _size_of(text: str) -> dict[str, Any]:
    return {"characters": len(text), "tokens": estimated(text)}


def _size_of_listing(thing: Thing, style: Style) -> dict[str, Any]:
    if isinstance(thing, typesig.Contract):
        return _size_of(thing.prompt(style))
    tools = typesig.Toolset([thing])
    # Without the heading, which a listing of many tools has once.
    parts, characters = tools.tokens(estimated, style).sums, tools.tokens(len, style).sums
    about = {"names": parts.names, "types": parts.types, "prose": parts.prose}
    return {"characters": characters.total, "tokens": parts.total, **about}
