"""Malli, the data-driven schemas of Clojure: as Python data, and as EDN text (seed 000).

A type becomes its `image` first, which the `writer` writes; the `reader` reads `forms`, one row
each, and `sequences`.  What names mean is in `names`; how Python data and EDN tell keywords from
texts, in `spelling`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from typesig.algebra.loss import Loss
from typesig.algebra.signature import Signature, lone
from typesig.errors import (
    SignatureSyntaxError,
    TooDeep,
    TooLarge,
    TypesigError,
    Unsupported,
)
from typesig.limits import MAX_DEPTH
from typesig.notations.language import Language
from typesig.notations.malli import expressible as forms_of
from typesig.notations.malli import sequences
from typesig.notations.malli.forms import FORMS
from typesig.notations.malli.reader import Reader
from typesig.notations.malli.spelling import EDN, PYTHON, Spelling
from typesig.notations.malli.writer import Writer


def parse(source: Any) -> Signature:
    """Return the signature of Malli data, or of its EDN text.

    Raises `Unsupported` with the place and a remedy, `TooDeep`, `TooLarge`; for text also
    `SignatureSyntaxError`.
    """
    return _text(source) if _is_text(source) else from_malli(source)


def _is_text(source: object) -> bool:
    # A keyword is text too, and a form of its own.
    return isinstance(source, str) and type(source) is str


@lru_cache(maxsize=1024)
def _text(source: str) -> Signature:
    return from_malli(source)


def from_malli(source: Any, lossy: bool = False, losses: list[Loss] | None = None) -> Signature:
    """Return the signature that *source* describes, a type alone being one without parameters.

    *source* is data (lists or tuples, dicts; a keyword is text with a leading colon, or a
    `Keyword`), or EDN text.  What cannot be read raises `Unsupported` with its place and what to
    write instead; with *lossy* it is widened to anything.  What was widened, and what says nothing
    of values (properties with a name space, names of branches), is appended to *losses*.
    Raises `TooDeep`, `TooLarge`.

    >>> str(from_malli([":=>", [":cat", ":string"], [":vector", ":int"]]))
    '(arg1 :string) -> [:int]'
    >>> str(from_malli("[:map [:email {:optional true} [:maybe :string]]]"))
    '() -> {email :string?}'
    """
    reader, data = _opened(source, lossy, losses)
    try:
        if sequences.is_function(reader, data):
            return sequences.whole(reader, data)
        t = reader.read(data)
        return lone(t, reader.definitions)
    except RecursionError:
        limit = f"a type may nest {MAX_DEPTH} levels"
        raise TooDeep(f"{limit}, and this is more than the stack leaves room for") from None
    except (SignatureSyntaxError, TooDeep, TooLarge, Unsupported):
        raise
    except TypesigError as error:
        raise Unsupported(str(error)) from None


def _opened(source: Any, lossy: bool, losses: list[Loss] | None) -> tuple[Reader, Any]:
    spelling = PYTHON
    if _is_text(source):
        from typesig.notations.edn import read

        spelling, source = EDN, read(source)
    return Reader(spelling, FORMS, lossy, [] if losses is None else losses), source


def is_function(source: Any) -> bool:
    """Tell whether *source* describes a function, not a type alone."""
    return sequences.is_function(*_opened(source, False, None))


def expressible(signature: Signature, named: bool = False) -> Signature:
    """Return what reading *signature* back from Python data gives; *named* as in `render`."""
    return forms_of.expressible(signature, PYTHON, named).signature


def expressible_in_edn(signature: Signature, named: bool = False) -> Signature:
    """Return what reading *signature* back from EDN text gives; *named* as in `render`."""
    return forms_of.expressible(signature, EDN, named).signature


def render(
    signature: Signature, losses: list[Loss], lone: bool = False, named: bool = False
) -> Any:
    """Return *signature* as Malli data, its result alone where *lone*; append losses.

    Parameters stand in `:cat`, without their names (seed 000); with *named* in `:catn`.
    """
    return _written(signature, losses, lone, named, PYTHON)


def render_edn(
    signature: Signature, losses: list[Loss], lone: bool = False, named: bool = False
) -> str:
    """Return *signature* as EDN text, its result alone where *lone*; append losses."""
    from typesig.notations.edn import write

    return write(_written(signature, losses, lone, named, EDN))


def _written(
    signature: Signature, losses: list[Loss], alone: bool, named: bool, spelling: Spelling
) -> Any:
    if alone:
        signature = lone(signature.returns, signature.definitions)
    made, lost = forms_of.expressible(signature, spelling, named)
    losses.extend(lost)
    writer = Writer(spelling)
    if alone:
        return writer.registered(writer.of(made.returns), made)
    return writer.whole(made, named)


LANGUAGE = Language(parse, render, expressible, frozenset({"named"}))
EDN_LANGUAGE = Language(parse, render_edn, expressible_in_edn, frozenset({"named"}))

__all__ = ["EDN_LANGUAGE", "LANGUAGE", "from_malli", "is_function", "parse", "render"]
