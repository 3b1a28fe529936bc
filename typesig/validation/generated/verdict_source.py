"""Source code of verdict functions: their parameters, counters and outcomes."""

from __future__ import annotations

from typesig.limits import MAX_FAST_CALLS, MAX_FRAMES, MAX_VALUES
from typesig.validation.generated.source import Function, Program


class VerdictFunction(Function):
    """A function that returns the outcome of the value or of its converted copy.

    #: made: the variable that holds the converted value, or empty if nothing is converted
    #: notes_once: whether each site is noted once at most: no list is on the way to any
    #: resumes: whether it continues a list whose first items another function checked
    #: in_chunks: whether the notes of its list are counted once for many items
    #: missing: what it returns if a map lacks a key, or empty
    #: asks: whether parts may be passed to their checkers; fails: whether an error fails the check
    """

    local_names = (
        *Function.local_names, "Passed", "about", "UnchangedOutcome", "kept", "most", "small",
        "many", "absent",
    )  # fmt: skip

    def __init__(self, program: Program, name: str) -> None:
        super().__init__(program, name)
        self.made = self.missing = ""
        self.notes_once = self.resumes = self.in_chunks = self.asks = False
        self.fails: bool = program.namespace["about"].policy.on_issue == "fail"
        if "kept" in program.namespace:
            self.odd = "odd"

    def parameters(self) -> str:
        """Return the text of the parameters."""
        return "x0, at, seen, loose, odd" if self.resumes else "x0"

    def start(self) -> list[str]:
        """Return the lines that initialize counters and notes."""
        calls = f"calls = [{MAX_FAST_CALLS}, {MAX_VALUES}, False]"
        counting = self.program.counting and self.calls_others
        noted = ["more_notes = more_faults = 0", "notes = []", "faults = []"]
        if self.notes_once:
            noted = ["notes = faults = ()"]
        return [
            *([f"left = {MAX_FRAMES}", calls] if counting else []),
            *(noted if self.made else []),
            *(["run = None"] if self.asks else []),
            *([] if self.resumes else self.write_counters()),
            *(["odd = False"] if self.odd and not self.resumes else []),
        ]

    def leave(self, name: str, share: int = 1) -> None:
        """Count the values in the map in *name*, and note that some keys are unknown."""
        super().leave(name, share)
        if self.odd:
            self.add(f"{self.odd} = True")

    def note_key_classes(self, name: str) -> None:
        """Write lines that note whether a key of the map *name* has another class than `str`."""
        if self.odd:
            # For few keys, a loop takes less than what is made to look at them in C.
            with self.open_block("else:"), self.open_block(f"for key in {name}:"):
                self.add("if type(key) is not str:", f"    {self.odd} = True")

    def close(self) -> None:
        """Write lines that return the outcome of a value that is not too large."""
        if self.asks:
            with self.open_block("if run is not None:"):
                self.add(
                    "seen += run.visited",
                    "loose = True",
                    "more_notes += run.unseen_warnings",
                    "more_faults += run.unseen",
                    *([f"{self.odd} = True"] if self.odd else []),
                )
        super().close()
        told = self._write_notes() if self.made else "None"
        # Other functions do not tell what is odd.
        if self.odd and not self.calls_others:
            with self.open_block("if not odd:"):
                self.add(*write_passed_lines(self.made or "x0", told, "UnchangedOutcome()", "kept"))
        self.add(*write_passed_lines(self.made or "x0", told))

    def _write_notes(self) -> str:
        """Write lines that return on errors; return the expression of the notes otherwise."""
        noted, failed, found = "len(notes)", "len(faults)", "notes and len(notes)"
        if not self.notes_once:
            noted, failed = f"{noted} + more_notes", f"{failed} + more_faults"
            found = f"faults and {noted} + more_faults"
        if self.fails:
            self.guard("faults", f"return failed(x0, about, notes, {noted}, faults, {failed})")
        else:
            # As many errors as warnings are kept, and here both are notes.
            self.guard(f"{found} > most", self.refusal)
        return f"(notes, {noted}) if notes else None"

    def end(self) -> None:
        """Write the exception handlers after the lines for the value."""
        if self.missing:
            with self.open_block("except KeyError:"):
                self.add(f"return {self.missing}")
        with self.open_block("except wrong:"):
            self.add(self.refusal)


def write_passed_lines(
    value: str, notes: str, made: str = "Passed()", about: str = "about"
) -> tuple[str, ...]:
    """Write the lines of `passed` for generated source, where a call would take too long.

    All are expressions; the source has what they name.
    """
    slots = ("_result", value), ("_about", about), ("_told", notes)
    return f"made = {made}", *[f"made.{name} = {text}" for name, text in slots], "return made"
