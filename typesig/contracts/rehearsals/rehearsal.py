"""Rehearse typical mistakes of models in calls of tools, without running functions.

Each mistake is made in arguments that conform, in the spelling of each provider, and read as
`handle` reads it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never, get_args

from typesig.algebra.nodes import ANY, Enum, Record
from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature
from typesig.algebra.traversal import iter_types
from typesig.calls.protocols import ToolLike, ToolsByName
from typesig.contracts.rehearsals.mistakes import CHANGES, MISTAKES, MistakePlace
from typesig.errors import TypesigError, format_value
from typesig.extraction.callables.warnings import get_exception_message
from typesig.limits.contracts import MAX_REHEARSED, SPOILED_ARGUMENTS
from typesig.providers.projection.projection import Projection
from typesig.providers.projection.tool_projection import ProjectedTool
from typesig.providers.registry.provider import SPELLING_NAMES, OtherName, ProviderName
from typesig.providers.vendors.registry import find_spelling, find_vendor
from typesig.relations.conformance import Judge
from typesig.relations.sampling.drawing import Drawer
from typesig.relations.sampling.samples import near_misses, samples
from typesig.relations.step_budget import NoSample, Work
from typesig.tools.tool import Tool
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.plain_data import to_plain
from typesig.validation.policy import ModeName, Policy

# --- Generate arguments from a tool's types: conforming ones and near misses ---


def make_argument_signature(tool: ToolLike) -> Signature:
    """Signature whose result is the named arguments that a model sends to *tool*."""
    # A firewalled name, at any depth, is refused in what a model sends.
    signature = redact(tool.signature)
    needed = tool.needs
    params = tuple([field for field in signature.params if field.name not in needed])
    # Other names are dropped, unless the function takes them.
    extra = signature.extra if tool.binding.takes_any or signature.extra != ANY else None
    return Signature((), Record(params, extra), signature.names)


def draw_conforming(tool: ToolLike, seed: int, count: int) -> list[Any]:
    """Draw up to *count* different arguments, as JSON data, that *tool* accepts.

    Raises `NoSample` if none are found.
    """
    return [to_plain(each) for each in samples(make_argument_signature(tool), seed, count)]


def draw_near_misses(tool: ToolLike, seed: int, count: int) -> list[Any]:
    """Draw up to *count* different arguments, as JSON data, that *tool* just refuses.

    There are none if no arguments are found.  Null is not one of them: it stands for no arguments.
    """
    try:
        found = near_misses(make_argument_signature(tool), seed, count, json=True)
    except NoSample:
        return []
    return [each for each in found if each is not None]


def draw_arguments(whole: Signature, rng: Random) -> Any:
    """Draw a value of the result type of *whole*, as JSON data; may raise `NoSample`."""
    drawer = Drawer(whole.definitions, rng, judge=Judge(whole.definitions, Work()))
    return to_plain(drawer.draw_value(whole.returns))


#: What becomes of a call with a mistake: it is refused; mended, with warnings; read as other values
#: than were meant, with warnings; or let through without a warning.
Fate: TypeAlias = Literal["mended", "changed", "refused", "let_through"]

FATES: tuple[Fate, ...] = get_args(Fate)


class RehearsedCall(NamedTuple):
    """A tool call with one mistake, and its fate: refused, mended, changed or accepted.

    #: mistake: the name of its row; arguments: what was sent, text or data; told: the first issue
    """

    mistake: str
    fate: Fate
    arguments: Any
    told: str


class RehearsalRow(NamedTuple):
    """Rehearsed calls of one tool in the format of one provider.

    #: skipped: why there are none, or empty; fitting: how many mistakes left arguments that conform
    """

    tool: str
    provider: ProviderName
    sent: tuple[RehearsedCall, ...] = ()
    fitting: int = 0
    skipped: str = ""

    def count_fate(self, fate: Fate) -> int:
        """Number of calls with *fate*."""
        return sum(each.fate == fate for each in self.sent)

    def mistakes(self, fate: Fate) -> dict[str, RehearsedCall]:
        """Map the mistakes that led to *fate* to their first calls."""
        found: dict[str, RehearsedCall] = {}
        for each in self.sent:
            if each.fate == fate:
                found.setdefault(each.mistake, each)
        return found


class Rehearsal(NamedTuple):
    """Report of a rehearsal, with a row per tool and provider.

    #: seed: that of the arguments; rows: one for each tool and provider
    #: warnings: what was left out of the tools, and why
    """

    seed: int
    rows: tuple[RehearsalRow, ...]
    warnings: tuple[str, ...] = ()

    @property
    def let_through(self) -> int:
        """Number of calls with mistakes that were accepted without a warning."""
        return sum(row.count_fate("let_through") for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "seed": self.seed,
            "rows": [_row_to_data(row) for row in self.rows],
            "warnings": list(self.warnings),
        }

    def text(self) -> str:
        """Report as a table, followed by the calls that were accepted or changed."""
        heads = ("tool", "provider", "calls", "mended", "changed", "refused", "let through")
        lines: list[tuple[str, ...]] = [heads]
        for row in self.rows:
            counts = [len(row.sent), *map(row.count_fate, FATES)]
            cells = ["-"] * len(counts) if row.skipped else map(str, counts)
            lines.append((row.tool, row.provider, *cells))
        width = [max(len(line[at]) for line in lines) for at in range(len(heads))]
        # Numbers are padded on the left.
        out = [
            "  ".join(
                [
                    cell.ljust(size) if at < 2 else cell.rjust(size)
                    for at, (cell, size) in enumerate(zip(line, width, strict=True))
                ]
            ).rstrip()
            for line in lines
        ]
        out += [f"{row.tool}, {row.provider}: {row.skipped}" for row in self.rows if row.skipped]
        for fate in ("let_through", "changed"):
            out += _write_section(fate, self.rows)
        return "\n".join([*out, f"seed {self.seed}"])


def _write_section(fate: Fate, rows: Iterable[RehearsalRow]) -> list[str]:
    """Write lines about the calls with *fate*, one per tool and mistake."""
    found: dict[tuple[str, str], tuple[RehearsedCall, list[str]]] = {}
    for row in rows:
        for name, sent in row.mistakes(fate).items():
            found.setdefault((row.tool, name), (sent, []))[1].append(row.provider)
    if not found:
        return []
    lines = ["", _HEADINGS[fate]]
    for (tool, name), (sent, providers) in found.items():
        told = f" ({sent.told})" if sent.told else ""
        lines.append(
            f"- {tool}, {name} ({', '.join(providers)}): {_write_arguments(sent.arguments)}{told}"
        )
    return lines


_HEADINGS: dict[Fate, str] = {
    "let_through": "Let through without a warning:",
    "changed": "Read as other values than were meant, with a warning:",
}


def _write_arguments(arguments: Any) -> str:
    """Write *arguments* as JSON, cut to 100 characters."""
    text = json.dumps(arguments, ensure_ascii=False)
    return text if len(text) <= 100 else text[:99] + "…"


def _row_to_data(row: RehearsalRow) -> dict[str, Any]:
    """Convert *row* to a dict for JSON."""
    data: dict[str, Any] = {"tool": row.tool, "provider": row.provider}
    if row.skipped:
        return {**data, "skipped": row.skipped}
    data.update(calls=len(row.sent), fitting=row.fitting)
    for fate in FATES:
        mistakes = row.mistakes(fate)
        data[fate] = {
            "calls": row.count_fate(fate),
            "mistakes": {
                name: {"sent": sent.arguments, "told": sent.told} for name, sent in mistakes.items()
            },
        }
    return data


def rehearse(
    tools: ToolsByName,
    providers: Iterable[ProviderName | OtherName] = SPELLING_NAMES,
    *,
    seed: int = 0,
    strict: bool = False,
    mode: ModeName | Policy | None = None,
) -> Rehearsal:
    """Report how *tools* handle typical mistakes of models; no function runs.

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
        raise TypesigError(f"seed is an int, not {format_value(seed)}")
    left = MAX_REHEARSED
    rows: list[RehearsalRow] = []
    for vendor in {find_vendor(each).name: find_vendor(each) for each in providers}.values():
        options = {"strict": True} if strict and vendor.has_strict else {}
        projection = Projection(tools, vendor.profile_of(options))
        found = {made.tool.name: made for made in projection.tools.values()}
        for name in tools.names:
            row = RehearsalRow(name, vendor.name, skipped=f"only {MAX_REHEARSED:,} calls are sent")
            if name not in found:
                row = RehearsalRow(name, vendor.name, skipped=_explain_omission(projection, name))
            elif left > 0:
                row = _make_row(projection, found[name], seed, mode)
            left -= len(row.sent)
            rows.append(row)
    order = {name: at for at, name in enumerate(tools.names)}
    rows.sort(key=lambda row: order[row.tool])
    return Rehearsal(seed, tuple(rows), tuple(map(str, tools.warnings)))


def _explain_omission(projection: Projection, name: str) -> str:
    """Explain why tool *name* has no definition in *projection*."""
    found = [str(loss) for loss in projection.losses if loss.path == (name,)]
    return found[0] if found else "it has no definition"


def _make_row(
    projection: Projection, one: ProjectedTool, seed: int, mode: ModeName | Policy | None
) -> RehearsalRow:
    """Rehearse tool *one*: make all mistakes in all of its drawn arguments."""
    provider = projection.provider
    try:
        drawn = draw_conforming(one.tool, seed, SPOILED_ARGUMENTS)
    except NoSample as error:
        return RehearsalRow(one.tool.name, provider, skipped=str(error))
    sent: list[RehearsedCall] = []
    fitting = 0
    place = _make_place(one)
    for arguments in drawn:
        whole = one.encode_arguments(arguments)
        meant = _read(projection, one, whole, mode)
        mistakes = [(name, spoil(whole)) for name, spoil in MISTAKES.items()]
        mistakes += [(name, change(whole, place)) for name, change in CHANGES.items()]
        for name, spoilt in mistakes:
            # In Python, true is equal to 1 and 1.0.
            if repr(spoilt) == repr(whole):
                continue
            exact = _read(projection, one, spoilt, "strict")
            if exact.ok and not exact.warnings:
                fitting += 1
                continue
            outcome = _read(projection, one, spoilt, mode)
            told = str((*outcome.errors, *outcome.warnings, "")[0])
            sent.append(RehearsedCall(name, _judge_fate(outcome, meant), spoilt, told))
    return RehearsalRow(one.tool.name, provider, tuple(sent), fitting)


def _make_place(one: ProjectedTool) -> MistakePlace:
    """Collect the name, parameters and enum texts of tool *one* for the mistakes."""
    shown = one.shown
    wholes = [field.type for field in shown.params] + list(shown.names.values())
    enums = [part for whole in wholes for part in iter_types(whole) if isinstance(part, Enum)]
    choices = {const.value for each in enums for const in each.values if type(const.value) is str}
    return MistakePlace(one.name, tuple([field.name for field in shown.params]), frozenset(choices))


def _read(
    projection: Projection, one: ProjectedTool, arguments: Any, mode: ModeName | Policy | None
) -> Outcome[Any]:
    """Read *arguments* in the message format of the provider, without calling the tool."""
    message = call_of(projection.provider, projection.profile.api, one.name, arguments)
    [call] = find_vendor(projection.provider).calls.read(message)
    return one.read(call.arguments, mode)


def _judge_fate(outcome: Outcome[Any], meant: Outcome[Any]) -> Fate:
    """Classify a mistaken call by its *outcome*, compared with the outcome *meant*."""
    if not outcome.ok:
        return "refused"
    if not outcome.warnings:
        return "let_through"
    is_same = meant.ok and outcome.for_model() == meant.for_model()
    return "mended" if is_same else "changed"


def call_of(provider: ProviderName, api: str, name: str, arguments: Any) -> Any:
    """Build a tool call message in the format of *provider*, as a model sends it."""
    text = arguments if isinstance(arguments, str | bytes) else json.dumps(arguments)
    spelling = find_spelling(find_vendor(provider))
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


# --- Call one tool with conforming arguments, and report broken contracts ---


class TrialFailure(AssertionError):
    """A tool broke its contract; the message has the smallest failing arguments."""


class TrialFault(NamedTuple):
    """A call in which a tool broke its contract.

    #: arguments: what was sent; told: what happened; error: what the function raised, or None
    """

    arguments: Any
    told: str
    error: BaseException | None = None


class Trial:
    """Runner that calls one tool with conforming arguments and finds faults.

    #: calls: how many there were; reached: how many of them the function answered
    #: refused: arguments that its host types refused, though they conform, or None
    """

    def __init__(
        self, tool: Tool[..., Any], given: Mapping[str, Any], mode: ModeName | Policy | None
    ) -> None:
        self.tool = tool
        self.calls = 0
        self.reached = 0
        self.refused: TrialFault | None = None
        self._given = given
        self._mode: ModeName | Policy | None = mode

    def find_fault(self, arguments: Any) -> TrialFault | None:
        """Call the tool with *arguments*; return a fault or None, as for a `ToolError`."""
        self.calls += 1
        try:
            outcome = self._call(arguments)
        except (Exception, SystemExit) as error:
            # A stranger's function may raise anything.
            self.reached += 1
            told = f"raised {get_exception_message(error)}"
            return TrialFault(arguments, told, error.with_traceback(_trim_traceback(error)))
        if outcome.ok or outcome.stage == "call":
            self.reached += 1
            return None
        if outcome.stage == "input":
            self.refused = self.refused or TrialFault(arguments, _join_errors(outcome))
            return None
        self.reached += 1
        return TrialFault(
            arguments, f"returned what does not fit its result type: {_join_errors(outcome)}"
        )

    def _call(self, arguments: Any) -> Outcome[Any]:
        """Call the tool with a copy of *arguments*; async tools run in a new event loop."""
        # A copy, since a function may change what it is given.
        sent = json.loads(json.dumps(arguments))
        if not self.tool.is_async:
            return self.tool.call(sent, given=self._given, mode=self._mode)
        return asyncio.run(self.tool.acall(sent, given=self._given, mode=self._mode))


def _trim_traceback(error: BaseException) -> TracebackType | None:
    """Traceback of *error* without the frames of the library above the function."""
    at = error.__traceback__
    while at is not None and at.tb_frame.f_code.co_filename.startswith(_LIBRARY):
        at = at.tb_next
    return at or error.__traceback__


#: How the names of files begin whose places are above that of a function.
_LIBRARY = (str(Path(__file__).parents[2]), "typesig generated", str(Path(asyncio.__file__).parent))


def _join_errors(outcome: Outcome[Any]) -> str:
    """Write the errors of *outcome*, joined by semicolons."""
    return "; ".join(map(str, outcome.errors))


def choose_smallest(faults: Iterable[TrialFault]) -> TrialFault:
    """The fault whose arguments are shortest as JSON text."""
    return min(faults, key=lambda fault: len(write_arguments(fault.arguments)))


def search_by_samples(trial: Trial, seed: int, count: int) -> TrialFault | None:
    """The smallest fault of *trial* in *count* samples, or None."""
    try:
        drawn = draw_conforming(trial.tool, seed, count)
    except NoSample:
        return None
    faults = [fault for each in drawn if (fault := trial.find_fault(each))]
    return choose_smallest(faults) if faults else None


def write_arguments(arguments: Any) -> str:
    """Write *arguments* as JSON text."""
    return json.dumps(arguments, ensure_ascii=False, default=repr)
