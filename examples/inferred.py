"""Types inferred from the answers of an interface, on one line each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typesig

DATA = Path(__file__).parent / "data"


def answer(name: str) -> Any:
    """Return the content of a file of answers."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def rows(name: str) -> list[Any]:
    """Return the content of each line of a file of answers."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


ISSUES = typesig.infer(answer("issues.json"), enums=3, formats=True)

FORECAST = typesig.infer(answer("forecast.json"), maps=3, tuples=True, formats=True)

CHARGES = typesig.infer(*rows("charges.jsonl"))


def demo() -> None:
    """Print the type of each answer, and the errors in a changed answer."""
    for found in (ISSUES, FORECAST, CHARGES):
        print(typesig.render(found.returns))
    changed = rows("charges.jsonl")[0] | {"amount": "20.00", "paid": None}
    print(CHARGES.validate_output(changed).tree())


if __name__ == "__main__":
    demo()
