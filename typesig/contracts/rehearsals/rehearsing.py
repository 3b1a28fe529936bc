"""A rehearsal: a careless model calls tools with mistakes, and no function runs.

Each mistake is made in arguments that conform, in the spelling of each provider, and read as
`handle` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never, get_args

from typesig.algebra.nodes import Enum
from typesig.algebra.traversal import walk
from typesig.calls.called import CalledByName
from typesig.contract_limits import MAX_REHEARSED, SPOILED_ARGUMENTS
from typesig.contracts.rehearsals.changing import CHANGES, MISTAKES, Place
from typesig.contracts.rehearsals.conforming import arguments_of
from typesig.errors import TypesigError, short
from typesig.providers.projection.projected import Projected
from typesig.providers.projection.projection import Projection
from typesig.providers.rows.provider import SPELLING_NAMES, OtherName, ProviderName
from typesig.providers.vendors.vendors import spelling_of, vendor_of
from typesig.relations.limits.step_budget import NoSample
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.policy import ModeName, Policy

#: What becomes of a call with a mistake: it is refused; mended, with warnings; read as other values
#: than were meant, with warnings; or let through without a warning.
Fate: TypeAlias = Literal["mended", "changed", "refused", "let_through"]

FATES: tuple[Fate, ...] = get_args(Fate)


class Sent(NamedTuple):
    """One call with a mistake, and what became of it.

    #: mistake: the name of its row; arguments: what was sent, text or data; told: the first issue
    """

    mistake: str
    fate: Fate
    arguments: Any
    told: str


class Row(NamedTuple):
    """The calls of one tool by one provider.

    #: skipped: why there are none, or empty; fitting: how many mistakes left arguments that conform
    """

    tool: str
    provider: ProviderName
    sent: tuple[Sent, ...] = ()
    fitting: int = 0
    skipped: str = ""

    def times(self, fate: Fate) -> int:
        """Return how many calls had *fate*."""
        return sum(each.fate == fate for each in self.sent)

    def mistakes(self, fate: Fate) -> dict[str, Sent]:
        """Return the mistakes of which a call had *fate*, each with the first such call."""
        found: dict[str, Sent] = {}
        for each in self.sent:
            if each.fate == fate:
                found.setdefault(each.mistake, each)
        return found


class Rehearsal(NamedTuple):
    """The report of a rehearsal.

    #: seed: that of the arguments; rows: one for each tool and provider
    #: warnings: what was left out of the tools, and why
    """

    seed: int
    rows: tuple[Row, ...]
    warnings: tuple[str, ...] = ()

    @property
    def let_through(self) -> int:
        """How many calls with mistakes were taken without a warning."""
        return sum(row.times("let_through") for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "seed": self.seed,
            "rows": [_row_data(row) for row in self.rows],
            "warnings": list(self.warnings),
        }

    def text(self) -> str:
        """Return the report as a table, and below it what was let through and changed."""
        heads = ("tool", "provider", "calls", "mended", "changed", "refused", "let through")
        lines: list[tuple[str, ...]] = [heads]
        for row in self.rows:
            counts = [len(row.sent), *map(row.times, FATES)]
            cells = ["-"] * len(counts) if row.skipped else map(str, counts)
            lines.append((row.tool, row.provider, *cells))
        width = [max(len(line[at]) for line in lines) for at in range(len(heads))]
        out = ["  ".join(_cells(line, width)).rstrip() for line in lines]
        out += [f"{row.tool}, {row.provider}: {row.skipped}" for row in self.rows if row.skipped]
        for fate in ("let_through", "changed"):
            out += _section(fate, self.rows)
        return "\n".join([*out, f"seed {self.seed}"])


def _cells(line: tuple[str, ...], width: list[int]) -> Iterator[str]:
    for at, cell in enumerate(line):
        yield cell.ljust(width[at]) if at < 2 else cell.rjust(width[at])


def _section(fate: Fate, rows: Iterable[Row]) -> list[str]:
    """Return the lines about the calls of *fate*: each mistake of a tool once."""
    found: dict[tuple[str, str], tuple[Sent, list[str]]] = {}
    for row in rows:
        for name, sent in row.mistakes(fate).items():
            found.setdefault((row.tool, name), (sent, []))[1].append(row.provider)
    if not found:
        return []
    lines = ["", _HEADINGS[fate]]
    for (tool, name), (sent, providers) in found.items():
        told = f" ({sent.told})" if sent.told else ""
        lines.append(f"- {tool}, {name} ({', '.join(providers)}): {_shown(sent.arguments)}{told}")
    return lines


_HEADINGS: dict[Fate, str] = {
    "let_through": "Let through without a warning:",
    "changed": "Read as other values than were meant, with a warning:",
}


def _shown(arguments: Any) -> str:
    text = json.dumps(arguments, ensure_ascii=False)
    return text if len(text) <= 100 else text[:99] + "…"


def _row_data(row: Row) -> dict[str, Any]:
    data: dict[str, Any] = {"tool": row.tool, "provider": row.provider}
    if row.skipped:
        return {**data, "skipped": row.skipped}
    data.update(calls=len(row.sent), fitting=row.fitting)
    for fate in FATES:
        mistakes = row.mistakes(fate)
        data[fate] = {
            "calls": row.times(fate),
            "mistakes": {
                name: {"sent": sent.arguments, "told": sent.told} for name, sent in mistakes.items()
            },
        }
    return data


def rehearse(
    tools: CalledByName,
    providers: Iterable[ProviderName | OtherName] = SPELLING_NAMES,
    *,
    seed: int = 0,
    strict: bool = False,
    mode: ModeName | Policy | None = None,
) -> Rehearsal:
    """Return what becomes of the calls that a careless model makes of *tools*; no function runs.

    Arguments are drawn from *seed*, and each mistake is made in each of them.  With *strict*, the
    definitions are those of a provider's strict mode, if it has one; *mode* is by default that of
    the tools.  Raises `TypesigError` for an unknown provider.

    >>> from typesig import tools_of
    >>> def double(n: int) -> int:
    ...     return 2 * n
    >>> rehearse(tools_of([double]), ["gemini"]).let_through
    0
    """
    if type(seed) is not int:
        raise TypesigError(f"seed is an int, not {short(seed)}")
    left = MAX_REHEARSED
    rows: list[Row] = []
    for vendor in {vendor_of(each).name: vendor_of(each) for each in providers}.values():
        options = {"strict": True} if strict and vendor.has_strict else {}
        projection = Projection(tools, vendor.profile_of(options))
        found = {made.tool.name: made for made in projection.tools.values()}
        for name in tools.names:
            row = Row(name, vendor.name, skipped=f"only {MAX_REHEARSED:,} calls are sent")
            if name not in found:
                row = Row(name, vendor.name, skipped=_why_left_out(projection, name))
            elif left > 0:
                row = _row(projection, found[name], seed, mode)
            left -= len(row.sent)
            rows.append(row)
    order = {name: at for at, name in enumerate(tools.names)}
    rows.sort(key=lambda row: order[row.tool])
    return Rehearsal(seed, tuple(rows), tuple(map(str, tools.warnings)))


def _why_left_out(projection: Projection, name: str) -> str:
    found = [str(loss) for loss in projection.losses if loss.path == (name,)]
    return found[0] if found else "it has no definition"


def _row(projection: Projection, one: Projected, seed: int, mode: ModeName | Policy | None) -> Row:
    """Return the calls of *one*, each mistake made in each of its arguments."""
    provider = projection.provider
    try:
        drawn = arguments_of(one.tool, seed, SPOILED_ARGUMENTS)
    except NoSample as error:
        return Row(one.tool.name, provider, skipped=str(error))
    sent: list[Sent] = []
    fitting = 0
    place = _place_of(one)
    for arguments in drawn:
        whole = one.encode_arguments(arguments)
        meant = _read(projection, one, whole, mode)
        for name, spoilt in _mistakes(whole, place):
            # In Python, true is equal to 1 and 1.0.
            if repr(spoilt) == repr(whole):
                continue
            exact = _read(projection, one, spoilt, "strict")
            if exact.ok and not exact.warnings:
                fitting += 1
                continue
            outcome = _read(projection, one, spoilt, mode)
            sent.append(Sent(name, _fate(outcome, meant), spoilt, _told(outcome)))
    return Row(one.tool.name, provider, tuple(sent), fitting)


def _place_of(one: Projected) -> Place:
    shown = one.shown
    wholes = [field.type for field in shown.params] + list(shown.names.values())
    enums = [part for whole in wholes for part in walk(whole) if isinstance(part, Enum)]
    choices = {const.value for each in enums for const in each.values if type(const.value) is str}
    return Place(one.name, tuple([field.name for field in shown.params]), frozenset(choices))


def _mistakes(whole: Any, place: Place) -> Iterator[tuple[str, Any]]:
    """Yield each mistake made in the arguments *whole*, by name."""
    for name, spoil in MISTAKES.items():
        yield name, spoil(whole)
    for name, change in CHANGES.items():
        yield name, change(whole, place)


def _read(
    projection: Projection, one: Projected, arguments: Any, mode: ModeName | Policy | None
) -> Outcome[Any]:
    """Return the outcome of reading *arguments* from the provider's message; nothing is called."""
    message = call_of(projection.provider, projection.profile.api, one.name, arguments)
    [call] = vendor_of(projection.provider).calls.read(message)
    return one.read(call.arguments, mode)


def _fate(outcome: Outcome[Any], meant: Outcome[Any]) -> Fate:
    if not outcome.ok:
        return "refused"
    if not outcome.warnings:
        return "let_through"
    is_same = meant.ok and outcome.for_model() == meant.for_model()
    return "mended" if is_same else "changed"


def _told(outcome: Outcome[Any]) -> str:
    return str((*outcome.errors, *outcome.warnings, "")[0])


def call_of(provider: ProviderName, api: str, name: str, arguments: Any) -> Any:
    """Return a call as *provider* spells it; OpenAI's arguments are text."""
    text = arguments if isinstance(arguments, str | bytes) else json.dumps(arguments)
    spelling = spelling_of(vendor_of(provider))
    match spelling:
        case "openai":
            if api == "responses":
                return {"type": "function_call", "call_id": "c", "name": name, "arguments": text}
            return [{"id": "c", "function": {"name": name, "arguments": text}}]
        case "anthropic":
            return {"type": "tool_use", "id": "c", "name": name, "input": arguments}
        case "gemini":
            return {"functionCall": {"id": "c", "name": name, "args": arguments}}
        case "mcp":
            return {"name": name, "arguments": arguments}
        case _:
            assert_never(spelling)
