"""The texts of generated functions: their parameters, and what stands around their lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from typesig.limits import MAX_FAST_CALLS, MAX_FRAMES, MAX_VALUES

if TYPE_CHECKING:
    from typesig.validation.generated.source import Function


def walk(f: Function) -> str:
    """Return the text of *f*, which also takes the state of a check."""
    text = "\n".join(f.lines)
    counted = ", left, calls" if f.program.counting else ""
    return f"def {f.name}(x0, run, found{counted}{_defaults(text)}):\n{text}"


def verdict(f: Function) -> str:
    """Return the text of *f*, which returns an outcome of what is made of the value."""
    notes = f.makes_of
    told, counts, start = "None", "", list[str]()
    if notes and f.notes_once:
        start, told = ["notes = faults = None"], "notes"
        counts = "len(notes or ()) // 2, faults, len(faults) // 2"
    elif notes:
        start = ["more_notes = more_faults = 0", "notes = []", "faults = []"]
        told = "(notes, len(notes) + more_notes) if notes else None"
        counts = "len(notes) + more_notes, faults, len(faults) + more_faults"
    counted = f"calls = [{MAX_FAST_CALLS}, {MAX_VALUES}, False]"
    counting = [f"left = {MAX_FRAMES}", counted] if f.program.counting and f.calls_others else []
    closing = f.end()
    begin = [*counting, *start]
    failing = (
        ["if faults:", f"    return failed(x0, about, notes or (), {counts})"] if notes else []
    )
    end = [
        *failing,
        "made = Passed()",
        f"made._result = {f.makes_of or 'x0'}",
        "made._about = about",
        f"made._told = {told}",
        "return made",
    ]
    lines = [
        *[f"    {line}" for line in begin],
        *f.start(),
        "    try:",
        *[line for line in f.lines if line],
        *closing,
        *[f"        {line}" for line in end],
        *(["    except KeyError:", f"        return {f.missing}"] if f.missing else []),
        "    except wrong:",
        f"        return {f.refusal}",
    ]
    text = "\n".join(lines)
    given = ", at, seen, loose" if f.resumes else ""
    return f"def {f.name}(x0{given}{_defaults(text, _OF_VERDICTS)}):\n{text}"


def predicate(f: Function) -> str:
    """Return the text of *f*, which answers for a value."""
    counting = f.program.counting
    missing = "0" if f.soft_keys else "False"
    counted = ["    calls[0] -= 1", "    if calls[0] < 0:", "        return None"]
    closing = f.end()
    body = [
        *(counted if counting else []),
        *f.start(),
        "    try:",
        *(f.lines or ["        pass"]),
        *closing,
    ]
    end = ["    except KeyError:", f"        return {missing}", "    return True"]
    text = "\n".join([*body, *end])
    head = f"def {f.name}(x0{', left, calls' if counting else ''}{_defaults(text)}):"
    return f"{head}\n{text}"


#: The texts of functions of other kinds than predicates.
TEXTS: dict[str, Callable[[Function], str]] = {"walk": walk, "verdict": verdict}


def _defaults(text: str, others: tuple[str, ...] = ()) -> str:
    """Return parameters for the names in *text* of each namespace and of *others*.

    Local names are found faster.
    """
    # One that is only a part of a longer word does no harm.
    return "".join([f", {name}={name}" for name in (*_NAMES, *others) if name in text])


#: The builtins that the source uses, and other names that are in each namespace.
_NAMES = (
    "type",
    "len",
    "str",
    "int",
    "float",
    "bool",
    "dict",
    "list",
    "tuple",
    "enumerate",
    "infinity",
    "minus_infinity",
)

#: Names in the namespace of a verdict.
_OF_VERDICTS = ("Passed", "about", "most", "small", "many")
