"""Generated code switched off as a whole: everything takes the careful way."""

from __future__ import annotations

from typing import Any

import pytest

from typesig import json_backends
from typesig.calls.generated import fast_path
from typesig.extraction.onepass import plan_reader
from typesig.extraction.onepass.pydantic_delegate import PydanticDelegate
from typesig.json_backends import UNREAD
from typesig.providers.projection import messages
from typesig.providers.projection.call_handler import FastAnswers
from typesig.tools.answers import contract
from typesig.validation import verdicts
from typesig.validation.generated.program import Shortcut
from typesig.validation.plan import operations


def switch_off(patch: pytest.MonkeyPatch) -> None:
    """Close the doors of the rooms of generated code: each says that it knows nothing."""
    patch.setattr(json_backends, "find_loaded_codec", _nothing)
    patch.setattr(fast_path.FastPath, "_generate", _nothing)
    for each in (operations, plan_reader, contract):
        name = "COLD_CALLS" if each is operations else "_COLD_CALLS"
        patch.setattr(each, name, float("inf"))
    patch.setattr(PydanticDelegate, "is_known", lambda _: False)
    patch.setattr(PydanticDelegate, "read", lambda *_: UNREAD)
    patch.setattr(Shortcut, "passes", lambda *_: False)
    patch.setattr(messages, "read_calls_fast", _nothing)
    patch.setattr(FastAnswers, "_read_calls", _nothing)
    patch.setattr(verdicts._VerdictCache, "find_verdict", _nothing)


def _nothing(*_: Any, **__: Any) -> None:
    return None
