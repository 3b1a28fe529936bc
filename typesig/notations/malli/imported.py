"""Malli data and EDN text to signatures."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from typesig.algebra.loss import Loss, Losses
from typesig.algebra.signature import Signature, lone
from typesig.errors import SignatureSyntaxError, TooDeep, TooLarge, TypesigError, Unsupported
from typesig.limits import MAX_DEPTH
from typesig.notations.malli import sequences
from typesig.notations.malli.forms import FORMS
from typesig.notations.malli.reader import Reader
from typesig.notations.malli.spelling import EDN, PYTHON


def parse(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature of Malli data, or of its EDN text, and what was not read.

    Raises `Unsupported` with the place and a remedy, `TooDeep`, `TooLarge`; for text also
    `SignatureSyntaxError`.
    """
    return _text(source, lossy) if _is_text(source) else read_form(source, lossy)


def _is_text(source: object) -> bool:
    # A keyword is text too, and a form of its own.
    return isinstance(source, str) and type(source) is str


@lru_cache(maxsize=1024)
def _text(source: str, lossy: bool) -> tuple[Signature, Losses]:
    return read_form(source, lossy)


def read_form(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature that *source* describes, and what was not read of it.

    *source* is data (lists or tuples, dicts; a keyword is text with a leading colon, or a
    `Keyword`), or EDN text.  What cannot be read raises `Unsupported` with its place and what to
    write instead; with *lossy* it is widened to anything.  The losses are what was widened, and
    what says nothing of values (properties with a namespace, names of branches).
    Raises `TooDeep`, `TooLarge`.

    >>> signature, losses = read_form([":=>", [":cat", ":string"], [":orn", [":id", ":int"]]])
    >>> str(signature), [loss.kind for loss in losses]
    ('(arg1 :string) -> :int', ['omitted'])
    """
    losses: list[Loss] = []
    reader, data = _opened(source, lossy, losses)
    try:
        if sequences.is_function(reader, data):
            found = sequences.whole(reader, data)
        else:
            t = reader.read(data)
            found = lone(t, reader.definitions)
    except RecursionError:
        limit = f"a type may nest {MAX_DEPTH} levels"
        raise TooDeep(f"{limit}, and this is more than the stack leaves room for") from None
    except (SignatureSyntaxError, TooDeep, TooLarge, Unsupported):
        raise
    except TypesigError as error:
        raise Unsupported(str(error)) from None
    return found, tuple(losses)


def _opened(source: Any, lossy: bool, losses: list[Loss]) -> tuple[Reader, Any]:
    spelling = PYTHON
    if _is_text(source):
        from typesig.notations.edn import read

        spelling, source = EDN, read(source)
    return Reader(spelling, FORMS, lossy, losses), source


def is_function(source: Any) -> bool:
    """Tell whether *source* describes a function, not a type alone."""
    return sequences.is_function(*_opened(source, False, []))
