"""Malli data and EDN text to signatures."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from typesig.algebra.defaults import UnfitDefault
from typesig.algebra.loss import Loss, Losses
from typesig.algebra.rows.pattern_budget import bounded_patterns
from typesig.algebra.signature import Signature, lone
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge, TypesigError, Unsupported
from typesig.limits import MAX_DEPTH
from typesig.notations.malli import sequences
from typesig.notations.malli.forms import FORMS
from typesig.notations.malli.reader import Reader
from typesig.notations.malli.spelling import EDN, PYTHON


def parse(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature of Malli data, or of its EDN text, and its losses.

    Raises `Unsupported` with the place and a remedy, `TooDeep`, `TooLarge`; for text also
    `SignatureSyntaxError`.
    """
    return _parse_text(source, lossy) if _is_text(source) else read_source(source, lossy)


def _is_text(source: object) -> bool:
    # A `Keyword` is a str too, and a form of its own.
    return isinstance(source, str) and type(source) is str


@lru_cache(maxsize=1024)
def _parse_text(source: str, lossy: bool) -> tuple[Signature, Losses]:
    return read_source(source, lossy)


@bounded_patterns()
def read_source(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature that *source* describes, and its losses.

    *source* is data (lists or tuples, dicts; a keyword is text with a leading colon, or a
    `Keyword`), or EDN text.  A form that cannot be read raises `Unsupported` with its place and
    what to write instead; if *lossy*, it is widened to anything.  The losses are the widened forms,
    and whatever does not constrain values (properties with a namespace, names of branches).
    Raises `TooDeep`, `TooLarge`.

    >>> signature, losses = read_source([":=>", [":cat", ":string"], [":orn", [":id", ":int"]]])
    >>> str(signature), [loss.kind for loss in losses]
    ('(arg1 :string) -> :int', ['omitted'])
    """
    losses: list[Loss] = []
    reader, data = _make_reader(source, lossy, losses)
    try:
        if sequences.is_function(reader, data):
            found = sequences.read_function(reader, data)
        else:
            t = reader.read_type(data)
            found = lone(t, reader.definitions)
    except RecursionError:
        limit = f"a type may nest {MAX_DEPTH} levels"
        raise TooDeep(f"{limit}, and this is more than the stack leaves room for") from None
    except (SignatureSyntaxError, TooDeep, TooLarge, Unsupported):
        raise
    except UnfitDefault as error:
        raise reader.at_default(error) from None
    except TypesigError as error:
        raise Unsupported(str(error)) from None
    return found, tuple(losses)


def _make_reader(source: Any, lossy: bool, losses: list[Loss]) -> tuple[Reader, Any]:
    spelling = PYTHON
    if _is_text(source):
        from typesig.notations.edn import read

        spelling, source = EDN, read(source)
    return Reader(spelling, FORMS, lossy, losses), source


def is_function(source: Any) -> bool:
    """Tell whether *source* describes a function, rather than only a type."""
    return sequences.is_function(*_make_reader(source, False, []))
