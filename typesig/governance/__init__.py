"""Calls that are governed: what may run, how long, how often, how many at once, and who is asked.

In: a call that a model made, and what runs it.  Out: an outcome, whatever became of the call.
`Governance` is the value that callers write; `pending` has decisions and the calls that wait for
a person; `turn` is one handling of a model's answer, and `spans` tells OpenTelemetry of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.governance.governance import Governance as Governance
    from typesig.governance.pending import Ask as Ask
    from typesig.governance.pending import Call as Call
    from typesig.governance.pending import Paused as Paused
    from typesig.governance.pending import PendingCalls as PendingCalls
    from typesig.governance.pending import Refuse as Refuse
    from typesig.governance.spans import Spans as Spans

#: Each public name, and the module that defines it.
_HOMES = {
    "Ask": "typesig.governance.pending",
    "Call": "typesig.governance.pending",
    "Governance": "typesig.governance.governance",
    "Paused": "typesig.governance.pending",
    "PendingCalls": "typesig.governance.pending",
    "Refuse": "typesig.governance.pending",
    "Spans": "typesig.governance.spans",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
