"""Checking values against types, and reading values from the text of a model.

In: a type or a signature, a value or a text, and a policy.  Out: an `outcome.Outcome`; `verdicts`
has the functions that other packages call.

- `check` defines the meaning; `generated` and `plan` are its fast paths.
- `repair` reads JSON with mistakes, and `stream` text that is still arriving.
- `issues` describes what is wrong; `outcome` shows it to a program, a person and a model.
- `policy` has the modes, `coercions` the conversions, `keys` the keys of records, `check_state` the
  findings of one check, `json_text` the reader of JSON, `plain_data` the writer of plain values.

To add a coercion, add its id to `coercions.CoercionId` and its row to `CONVERSIONS` or `SWITCHES`;
to add a mode, a row of `policy.MODES`; a repair, a row of `policy.REPAIRS`; a kind of issue, its
sentence in `issues.SENTENCES`.  This module loads a part when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.validation.keys import normalize_keys as normalize_keys

#: Each public name, and the module that defines it.
_HOMES = {"normalize_keys": "typesig.validation.keys"}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
