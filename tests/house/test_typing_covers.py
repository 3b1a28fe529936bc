"""What type checkers see is tested for each public name; the checkers run in the step lint."""

from __future__ import annotations

import re
from pathlib import Path

import typesig

FOLDER = Path(__file__).resolve().parents[1] / "typing"


def test_each_public_name_is_in_a_test_of_types() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    # Not the names that are only imported.
    used = re.sub(r"^from typesig import \([^)]*\)", "", texts, flags=re.MULTILINE)

    assert [] == [name for name in typesig.__all__ if not re.search(rf"\b{name}\b", used)]
