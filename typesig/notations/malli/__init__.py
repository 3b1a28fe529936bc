"""Malli, the data-driven schemas of Clojure: as Python data, and as EDN text.

To read, `parsing` has a row for each form, which the `reader` reads, and `sequences` the forms of
sequences.  To write, `rendering` widens a type to what Malli can express (`widening`) and writes
it.  The names of types and the forms of constraints are rows in `names`, which also has how Python
data and EDN tell keywords from texts.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.notations.texts.notation import Notation


def parse(source: Any, lossy: bool = False) -> tuple[Signature, Losses]:
    """Return the signature of the Malli data or EDN text *source*, and its losses."""
    from typesig.notations.malli import parser

    return parser.parse(source, lossy)


def render(signature: Signature, lone: bool = False, named: bool = False) -> tuple[Any, Losses]:
    """Return *signature* as Malli data, or only its result if *lone*, and its losses.

    Parameters are written in `:cat`, without their names; if *named*, in `:catn`.
    """
    from typesig.notations.malli.names import PYTHON
    from typesig.notations.malli.writer import render_data

    return render_data(signature, PYTHON, lone, named)


def render_edn(signature: Signature, lone: bool = False, named: bool = False) -> tuple[str, Losses]:
    """Return *signature* as EDN text, or only its result if *lone*, and its losses."""
    from typesig.notations.edn import write
    from typesig.notations.malli.names import EDN
    from typesig.notations.malli.writer import render_data

    data, losses = render_data(signature, EDN, lone, named)
    return write(data), losses


def _make_expressible(is_edn: bool, signature: Signature, named: bool = False) -> Signature:
    """Return *signature* as parsing its Malli data or EDN text restores it."""
    from typesig.notations.malli.names import EDN, PYTHON
    from typesig.notations.malli.widening import widen_signature

    return widen_signature(signature, EDN if is_edn else PYTHON, named)[0]


_OPTIONS = frozenset({"named"})

NOTATION = Notation(
    "malli",
    [":=>", [":cat", ":int"], [":map", [":name", ":string"]]],
    render,
    parse,
    partial(_make_expressible, False),
    _OPTIONS,
    "json or text",
)

EDN_NOTATION = Notation(
    "edn",
    "[:=> [:cat :int] [:map [:name :string]]]",
    render_edn,
    parse,
    partial(_make_expressible, True),
    _OPTIONS,
)

__all__ = ["EDN_NOTATION", "NOTATION", "parse", "render", "render_edn"]
