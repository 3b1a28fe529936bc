"""Switches of the tests: without generated code, or without any fast form.

Without generated code, all runs by closures, as first calls do: of the operations of plans, of the
readers of answers, and of calls.  Without fast forms, everything is checked, decoded and called in
the careful way, which alone tells what each of them means.
"""

from __future__ import annotations

from typing import Any

import pytest

from typesig import json_backends
from typesig.calls.generated import answer_readers, fast_path
from typesig.extraction.onepass.pydantic_delegate import PydanticDelegate
from typesig.json_backends import UNREAD
from typesig.providers.projection import messages
from typesig.providers.projection.call_handler import FastAnswers
from typesig.providers.projection.call_reader_closures import make_reader
from typesig.providers.projection.call_readers import CallReader, get_call_reader
from typesig.tools.answers import contract
from typesig.validation import verdicts
from typesig.validation.generated.program import (
    Shortcut,
    get_argument_shortcut,
    get_shortcut,
)
from typesig.validation.plan.operations import Operation


def switch_off(patch: pytest.MonkeyPatch) -> None:
    """Have closures where code would be generated."""
    patch.setattr(Operation, "compile", lambda self, _state="": self.closure())
    patch.setattr(CallReader, "compile", lambda self: make_reader(self._rows))
    patch.setattr(fast_path.FastPath, "_generate", _nothing)
    patch.setattr(answer_readers, "_COLD_CALLS", float("inf"))
    patch.setattr(PydanticDelegate, "is_known", lambda _: False)
    patch.setattr(PydanticDelegate, "read", _read_by_others)
    patch.setattr(Shortcut, "passes", lambda *_: False)
    patch.setattr(verdicts._VerdictCache, "find_verdict", _nothing)


def switch_to_check(patch: pytest.MonkeyPatch) -> None:
    """Have nothing but the careful way."""
    switch_off(patch)
    patch.setattr(json_backends, "find_loaded_codec", _nothing)
    patch.setattr(contract.Contract, "_decode_valid", _nothing)
    patch.setattr(contract.Contract, "_start_reader", lambda _: _nothing)
    patch.setattr(messages, "read_calls_fast", _nothing)
    patch.setattr(FastAnswers, "_read_calls", _nothing)
    patch.setattr(fast_path, "make_fast_path", _nothing)


def forget_code() -> None:
    """Forget what is kept for all signatures, and may have generated code."""
    for kept in (get_shortcut, get_argument_shortcut, verdicts.get_cached_verdict, get_call_reader):
        kept.cache_clear()


def _read_by_others(self: PydanticDelegate, *parts: Any) -> Any:
    return UNREAD if self.others is None else self.others.read(*parts)


def _nothing(*_: Any, **__: Any) -> None:
    return None
