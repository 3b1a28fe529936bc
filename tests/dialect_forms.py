"""Dialects that stand for all others where only their form matters."""

from __future__ import annotations

import pytest

from typesig.providers.dialects.registry import DIALECTS

#: One dialect of each form, and of each way to set marks.
FORMS = (
    "hermes", "mistral-json", "llama-json", "xlam", "mistral", "kimi-k2", "qwen3-coder", "glm-4.5",
    "step3", "pythonic", "functiongemma", "harmony",
)  # fmt: skip

EACH_FORM = pytest.mark.parametrize("row", [DIALECTS[name] for name in FORMS], ids=FORMS)
