"""The names that stand for something of their own behind a colon, as in `:int` and `:enum[1 2]`."""

from __future__ import annotations

from typesig.algebra.rows.scalars import SCALARS, ScalarName

#: Other names of scalars, which are read and never written.
ALSO_READ: dict[str, ScalarName] = {"double": "float", "boolean": "bool"}

#: The names that a reference to a definition must quote.
RESERVED = frozenset({*SCALARS, *ALSO_READ, "enum", "one", "not", "count"})
