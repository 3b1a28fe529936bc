"""The Python of the playground, which is an asset of the site and no part of the package."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PLAYGROUND = ROOT / "docs" / "assets" / "playground"

sys.path.append(str(PLAYGROUND))

from play import marks, page, pasted, rows, sent, texts  # noqa: E402

__all__ = ["marks", "page", "pasted", "rows", "sent", "texts"]

EXAMPLES: list[dict[str, Any]] = json.loads((PLAYGROUND / "examples.json").read_text("utf-8"))


class Asking:
    """A page that is asked with data, as its worker asks it with text."""

    def __init__(self) -> None:
        self._page = page.Page()

    def ask(self, do: str, **more: Any) -> Any:
        return json.loads(self._page.answer(json.dumps({"do": do, **more})))

    def open(self, source: str, kind: str = "guess", name: str = "") -> Any:
        return self.ask("open", source=source, kind=kind, name=name)

    def read(self, text: str, mode: str = "enabled", form: str = "signature", **more: Any) -> Any:
        return self.ask("read", sent=text, mode=mode, form=form, **more)

    def error(self, source: str, kind: str = "guess") -> tuple[str, str]:
        error = self.open(source, kind)["error"]
        return error["title"], error["text"]
