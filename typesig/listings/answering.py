"""The text that asks a model for an answer, in the styles of listings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, assert_never

from typesig.algebra.constructors import title_of
from typesig.algebra.nodes import ANY, Record, Type
from typesig.algebra.signature import Signature, mapped
from typesig.algebra.traversal import transform
from typesig.algebra.views.redaction import redacted
from typesig.listings.styles import checked_style
from typesig.listings.tiers import Style
from typesig.notations.shorthand.writer import lone_text
from typesig.notations.texts.comments import one_line
from typesig.notations.texts.quoting import printable
from typesig.relations.limits.step_budget import NoSample
from typesig.relations.sampling.samples import samples
from typesig.validation.rows.plain import plain


def answer_prompt(signature: Signature, style: Style, example: bool, seed: int) -> str:
    """Return the text that asks for the result of *signature*, with an *example* drawn by *seed*.

    Raises `TypesigError` for an unknown style, and `NoSample` if no example is found.
    """
    title = title_of(signature.returns)
    named = "" if title is None else f" for {one_line(title)}"
    asked = f"Answer with JSON{named} that fits{_type_in(checked_style(style), signature)}"
    return f"{asked}\n\nFor example: {_example(signature, seed)}" if example else asked


def _type_in(style: Style, signature: Signature) -> str:
    match style:
        case "signature":
            return f": {lone_text(redacted(signature))}"
        case "compact":
            return f": {_compact(signature)}"
        case "typescript":
            from typesig.notations import typescript

            return f" Answer:\n\n{typescript.render(signature, True)[0]}"
        case "python":
            from typesig.notations import python

            return f" Answer:\n\n{python.render(signature, True)[0]}"
        case _:
            assert_never(style)


def _compact(signature: Signature) -> str:
    from typesig.notations.compact.expressing import expressed
    from typesig.notations.compact.writer import kinds_of_names, signature_text

    shown, _ = expressed(signature)
    if shown.returns == ANY:
        return "any"
    # An answer has no parameters, and its names are exact for the model either way.
    text = signature_text(shown, kinds_of_names(shown) == {True})
    return text.removeprefix("() -> ")


def _example(signature: Signature, seed: int) -> str:
    """Return a value of the result as a model writes it: JSON on one line."""
    shown = redacted(signature)
    for value in _drawn(shown, seed):
        sent = plain(value)
        # Of a keyword without text, for one, JSON's spelling is not read.
        if shown.validate_and_coerce(sent).ok:
            return printable(json.dumps(sent, ensure_ascii=False))
    raise NoSample("no example of the answer was found; the type is probably empty")


def _drawn(shown: Signature, seed: int) -> Iterator[Any]:
    """Yield values of the result: first those without undeclared names."""
    for drawn in (mapped(shown, lambda t: transform(t, _closed)), shown):
        with suppress(NoSample):
            yield from samples(drawn, seed)


def _closed(t: Type) -> Type:
    if isinstance(t, Record) and t.fields and t.extra == ANY:
        return Record(t.fields, None, t.matching)
    return t
