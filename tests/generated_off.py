"""Generated code switched off as a whole: everything takes the careful way."""

from __future__ import annotations

from typing import Any

import pytest

from typesig import loaded_json
from typesig.calls.generated import quick
from typesig.extraction.onepass.fused import Fused
from typesig.extraction.onepass.handed import Handed
from typesig.providers.projection import handling, messages
from typesig.validation import verdicts
from typesig.validation.generated.program import Shortcut


def switch_off(patch: pytest.MonkeyPatch) -> None:
    """Close the doors of the rooms of generated code: each says that it knows nothing."""
    patch.setattr(loaded_json, "loaded_codec", _nothing)
    patch.setattr(quick, "quick_of", _nothing)
    patch.setattr(Fused, "read", _nothing)
    patch.setattr(Handed, "read", _nothing)
    patch.setattr(Shortcut, "passes", lambda *_: False)
    patch.setattr(messages, "usual_calls", _nothing)
    patch.setattr(handling, "answering", lambda _: _nothing)
    patch.setattr(verdicts._Use, "verdict_for", _nothing)


def _nothing(*_: Any, **__: Any) -> None:
    return None
