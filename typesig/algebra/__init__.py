"""What a type is.

`nodes` has the closed set of shapes, `constructors` their smart constructors, `traversal` the walks
over them, `signature` the whole; `redaction` and `naming` are views of it.  Scalars, constraints
and formats are rows of the tables in `rows`.  To add one, add its row;
`tests/house/test_totality.py` then names the tables of other packages that lack it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.algebra.loss import Loss as Loss
    from typesig.algebra.rows.values import Keyword as Keyword

#: Each public name, and the module that defines it.
_HOMES = {"Keyword": "typesig.algebra.rows.values", "Loss": "typesig.algebra.loss"}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
