"""Malli, the data-driven schemas of Clojure: as Python data, and as EDN text.

`imported` has what reads: the `reader` reads `forms`, one row each, and `sequences`.  `exported`
has what writes: a type becomes what Malli can express of it (`rewriting`), which the `writer`
writes.  What names mean is in `names`; how Python data and EDN tell keywords from texts, in
`spelling`.
"""

from __future__ import annotations

from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.notations.notation import Notation


def parse(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature of Malli data, or of its EDN text, and its losses."""
    from typesig.notations.malli import imported

    return imported.parse(source, lossy)


def render(signature: Signature, lone: bool = False, named: bool = False) -> tuple[Any, Losses]:
    """Return *signature* as Malli data, its result alone where *lone*, and its losses.

    Parameters stand in `:cat`, without their names; with *named* in `:catn`.
    """
    from typesig.notations.malli.exported import written
    from typesig.notations.malli.spelling import PYTHON

    return written(signature, PYTHON, lone, named)


def render_edn(signature: Signature, lone: bool = False, named: bool = False) -> tuple[str, Losses]:
    """Return *signature* as EDN text, its result alone where *lone*, and its losses."""
    from typesig.notations.edn import write
    from typesig.notations.malli.exported import written
    from typesig.notations.malli.spelling import EDN

    data, losses = written(signature, EDN, lone, named)
    return write(data), losses


def expressible(signature: Signature, named: bool = False) -> Signature:
    """Return what reading *signature* back from Python data gives; *named* as in `render`."""
    from typesig.notations.malli.rewriting import expressible_with_losses
    from typesig.notations.malli.spelling import PYTHON

    return expressible_with_losses(signature, PYTHON, named)[0]


def expressible_in_edn(signature: Signature, named: bool = False) -> Signature:
    """Return what reading *signature* back from EDN text gives; *named* as in `render`."""
    from typesig.notations.malli.rewriting import expressible_with_losses
    from typesig.notations.malli.spelling import EDN

    return expressible_with_losses(signature, EDN, named)[0]


_OPTIONS = frozenset({"named"})

NOTATION = Notation(
    "malli",
    [":=>", [":cat", ":int"], [":map", [":name", ":string"]]],
    render,
    parse,
    expressible,
    _OPTIONS,
)

EDN_NOTATION = Notation(
    "edn",
    "[:=> [:cat :int] [:map [:name :string]]]",
    render_edn,
    parse,
    expressible_in_edn,
    _OPTIONS,
)

__all__ = ["EDN_NOTATION", "NOTATION", "parse", "render", "render_edn"]
