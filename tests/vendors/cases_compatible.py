"""Cases for the rules of vendors that are like OpenAI."""

from __future__ import annotations

from tests.vendors.cases import Case, changes, parameter, request, root, tools

TEXT = {"type": "string"}
PREFIXES = {"mistral": "Mi", "deepseek": "D", "moonshot": "K", "xai": "X"}

OWN: dict[str, tuple[Case, ...]] = {
    "moonshot": (
        parameter("K-union", {"type": "string", "anyOf": [TEXT]}, {"anyOf": [TEXT]}),
        parameter(
            "K-items",
            {"type": "array", "items": [TEXT]},
            {"type": "array", "items": TEXT},
        ),
    ),
    "xai": (
        request(
            "X-count",
            tools(*[f"f{at}" for at in range(129)]),
            tools(*[f"f{at}" for at in range(128)]),
        ),
    ),
}


def _cases(vendor: str) -> tuple[Case, ...]:
    prefix = PREFIXES[vendor]
    return (
        changes(f"{prefix}-shape", {"returns": TEXT}, {}),
        changes(f"{prefix}-shape", {"description": 1}, {"description": "Look."}),
        request(f"{prefix}-unique", tools("a", "a"), tools("a", "b")),
        root(f"{prefix}-root", {"type": None}, {}),
        root(f"{prefix}-root", {"type": "string"}, {"type": "object"}),
        changes(f"{prefix}-strict", {"strict": True}, {"strict": False}),
        parameter(
            f"{prefix}-json", {"type": "number", "minimum": float("nan")}, {"type": "number"}
        ),
        *OWN.get(vendor, ()),
    )


CASES = {vendor: _cases(vendor) for vendor in PREFIXES}
