"""Stand-ins for the clients of providers: they give prepared answers, one after the other.

With them the loops in `openai_loop`, `anthropic_loop` and `gemini_loop` run without a network.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


def objects(value: Any) -> Any:
    """Return JSON data as a client hands it on: objects with attributes.

    The arguments of calls stay data, as they do there.
    """
    if isinstance(value, list):
        return [objects(item) for item in value]
    if isinstance(value, dict):
        data = ("args", "input")
        return SimpleNamespace(**{k: v if k in data else objects(v) for k, v in value.items()})
    return value


class Scripted:
    """A client whose methods, whatever their names, return the next of the prepared answers.

    #: requests: what each call of a method was given
    """

    def __init__(self, *answers: dict[str, Any]) -> None:
        self._answers = iter(answers)
        self.requests: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Scripted:
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __call__(self, **request: Any) -> Any:
        self.requests.append(request)
        return objects(next(self._answers))
