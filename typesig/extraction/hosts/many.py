"""Decoders in generated code, for records of which there are many.

The source depends only on the number of fields and on which of them are decoded; names, decoders
and the class come in as values.  So records of one form share their code, and no text of others is
ever compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from typesig.codegen import Lines

#: The fields of a record with generated code; compiling many takes long.
WIDEST = 200

#: The decoders of one record for different sets of absent fields.
VARIANTS = 16

#: The forms of a field: its value is the host's, a float, what its decoder makes, None as the field
#: is absent, or the host's or None.
KEPT, FLOAT, DECODED, NIL, KEPT_OR_NIL = "kfdno"


@lru_cache(maxsize=256)
def maker_of(forms: str) -> Callable[..., Callable[[Any], Any]]:
    """Return the function that makes a decoder of records whose fields have *forms*.

    It takes the class to build, the names, the decoders of the fields that have one, the decoder
    of records that lack a field or are refused, and what raises and gathers refusals.
    """
    places = range(len(forms))
    held = [place for place in places if forms[place] != NIL]
    decoded = [place for place in places if forms[place] == DECODED]
    out = Lines()
    out.add(f"{_listed('n', held)} = names")
    if decoded:
        out.add(f"{_listed('d', decoded)} = decoders")
    with out.block("def decode(value):"):
        _read(out, forms, held)
        _decode(out, decoded)
        given = ", ".join(f"v{place}" if place in held else "None" for place in places)
        with out.block("try:"):
            out.add(f"return build({given})")
        with out.block("except (TypeError, ValueError) as error:"):
            out.add("raise refused(error) from error")
    out.add("return decode")
    head = "def make(build, otherwise, refused, gathered, HostError, names, decoders):"
    make: Callable[..., Callable[[Any], Any]] = out.function(head, "make")
    return make


def _read(out: Lines, forms: str, held: list[int]) -> None:
    """Write lines that read the fields; field 2 has the name `n2` and the value `v2`."""
    needed = [place for place in held if forms[place] != KEPT_OR_NIL]
    _unless(out, f"type(value) is dict and len(value) >= {len(needed)}")
    out.add(*[f"v{place} = value.get(n{place})" for place in held if place not in needed])
    if needed:
        with out.block("try:"):
            out.add(*[f"v{place} = value[n{place}]" for place in needed])
        with out.block("except KeyError:"):
            out.add("return otherwise(value)")
    for place in held:
        if forms[place] == FLOAT:
            _unless(out, f"type(v{place}) is float")


def _unless(out: Lines, condition: str) -> None:
    with out.block(f"if not ({condition}):"):
        out.add("return otherwise(value)")


def _decode(out: Lines, decoded: list[int]) -> None:
    """Write lines that decode the fields *decoded*, each with the decoder `d2`."""
    if not decoded:
        return
    out.add("first = None")
    for place in decoded:
        with out.block("try:"):
            out.add(f"v{place} = d{place}(v{place})")
        with out.block("except HostError as error:"):
            out.add(f"first = gathered(first, error, n{place})")
    with out.block("if first is not None:"):
        out.add("raise first")


def _listed(letter: str, places: Iterable[int]) -> str:
    """Return the targets that a tuple is unpacked to."""
    return "".join(f"{letter}{place}, " for place in places).rstrip()
