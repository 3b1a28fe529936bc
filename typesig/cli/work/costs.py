"""What the parts of a listing cost, as `typesig list --tokens` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from typesig.cli.inputs.targets import object_of
from typesig.errors import TypesigError, message_text
from typesig.listings.choosing import Cost, Costs
from typesig.notations.texts.counters import Counter


def counter_of(name: str) -> Counter:
    """Return the counter that `--tokens` names, or raise `TypesigError`."""
    if name == "characters":
        return len
    if name == "bytes":
        return lambda text: len(text.encode("utf-8", "surrogatepass"))
    if ":" in name:
        found: Any = object_of(name)
        return found  # type: ignore[no-any-return]  # the library checks what it returns
    try:
        tiktoken = import_module("tiktoken")
    except ImportError:
        raise TypesigError(
            f"--tokens {name} is an encoding of tiktoken, which is not installed; write "
            "characters, bytes, or module:function for a function that returns the size of a text"
        ) from None
    try:
        encoding = tiktoken.get_encoding(name)
    except Exception as error:
        known = tiktoken.list_encoding_names()
        if name not in known:
            raise TypesigError(
                f"tiktoken has no encoding {name}; it has {', '.join(known)}"
            ) from None
        # A file that cannot be loaded: the package has many kinds of errors.
        why = " ".join(message_text(str(error)).split())
        raise TypesigError(f"tiktoken cannot load the encoding {name}: {why}") from None
    return lambda text: len(encoding.encode_ordinary(text))


def lines_of_costs(costs: Costs) -> Iterator[str]:
    """Yield the lines of a table: each tool, each type that tools share, and the sums."""
    rows = [*costs.tools, *[cost._replace(name=f":{cost.name}") for cost in costs.ahead]]
    sums = costs.sums._replace(name="all of them")
    width = max(len(row.name) for row in [*rows, sums])
    yield f"{'':{width}}{'names':>9}{'types':>9}{'prose':>9}{'total':>9}"
    for row in [*rows, sums]:
        yield _line(row, width)
    yield f"{'the heading and blank lines':{width + 27}}{costs.around:9}"
    yield f"{'the listing':{width + 27}}{costs.total:9}"


def _line(row: Cost, width: int) -> str:
    return f"{row.name:{width}}{row.names:9}{row.types:9}{row.prose:9}{row.total:9}"
