"""Prompts that ask a model for an answer, in the styles of listings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, assert_never

from typesig.algebra.constructors import get_title
from typesig.algebra.nodes import ANY, Record, Type
from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature, map_types
from typesig.algebra.traversal import transform
from typesig.listings.entries import Style
from typesig.listings.styles import check_style
from typesig.notations.shorthand.writer import write_result
from typesig.notations.texts.comments import to_one_line
from typesig.notations.texts.quoting import escape_unprintable
from typesig.relations.sampling.samples import samples
from typesig.relations.step_budget import NoSample
from typesig.validation.plain_data import to_plain


def write_answer_prompt(signature: Signature, style: Style, example: bool, seed: int) -> str:
    """Prompt for the result of *signature*, with an *example* drawn from *seed*.

    Raises `TypesigError` for an unknown style, and `NoSample` if no example is found.
    """
    title = get_title(signature.returns)
    named = "" if title is None else f" for {to_one_line(title)}"
    asked = f"Answer with JSON{named} that fits{_write_type(check_style(style), signature)}"
    return f"{asked}\n\nFor example: {_write_example(signature, seed)}" if example else asked


def _write_type(style: Style, signature: Signature) -> str:
    """Write the answer type of *signature* in *style*, as the end of a prompt line."""
    match style:
        case "signature":
            return f": {write_result(redact(signature))}"
        case "compact":
            return f": {_write_compact_type(signature)}"
        case "call":
            from typesig.listings.call_style import write_answer_type

            return f":\n\n{write_answer_type(signature)}"
        case "typescript":
            from typesig.notations import typescript

            return f" Answer:\n\n{typescript.render(signature, True)[0]}"
        case "python":
            from typesig.notations import python

            return f" Answer:\n\n{python.render(signature, True)[0]}"
        case _:
            assert_never(style)


def _write_compact_type(signature: Signature) -> str:
    """Write the answer type of *signature* in compact notation."""
    from typesig.notations.compact.writer import expressed, find_name_kinds, write_signature

    shown, _ = expressed(signature)
    if shown.returns == ANY:
        return "any"
    # An answer has no parameters, and its names are exact for the model either way.
    text = write_signature(shown, find_name_kinds(shown) == {True})
    return text.removeprefix("() -> ")


def _write_example(signature: Signature, seed: int) -> str:
    """Write a sample answer for *signature* as one line of JSON."""
    shown = redact(signature)
    for value in _iter_samples(shown, seed):
        sent = to_plain(value)
        # Of a keyword without text, for one, JSON's spelling is not read.
        if shown.validate_and_coerce(sent).ok:
            return escape_unprintable(json.dumps(sent, ensure_ascii=False))
    raise NoSample("no example of the answer was found; the type is probably empty")


def _iter_samples(shown: Signature, seed: int) -> Iterator[Any]:
    """Yield sample answers of *shown*, first without undeclared fields."""
    for drawn in (map_types(shown, lambda t: transform(t, _close_record)), shown):
        with suppress(NoSample):
            yield from samples(drawn, seed)


def _close_record(t: Type) -> Type:
    """Forbid unknown fields in the record *t* if it allows any; keep other types."""
    if isinstance(t, Record) and t.fields and t.extra == ANY:
        return Record(t.fields, None, t.matching)
    return t
