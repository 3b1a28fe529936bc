"""Survey one package in its own process. Part of packages.py, which describes the counts."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import pkgutil
import re
import signal
import sys
import time
import traceback
import types
import typing
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from survey_effects import Effects
from survey_hints import asks_for_anything
from survey_walk import callables_of, modules_of

#: The limit of CPU seconds for one callable; the wall seconds after which it is interrupted.
SECONDS_EACH, SECONDS_MOST = 1.0, 20
#: The memory limit of a process in gigabytes.
MEMORY = 6


class TimedOut(BaseException):
    """Extraction that was interrupted."""


class Survey:
    """The counts of one package."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.counts: Counter[str] = Counter()
        self.failed_imports: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.reason_examples: dict[str, str] = {}
        self.hints: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.refused_examples: dict[str, str] = {}
        self.crashes: list[str] = []
        self.unread: list[str] = []
        self.silent: list[str] = []
        self.slow: list[tuple[float, str]] = []
        self.listing: list[dict[str, Any]] = []
        self.seconds = 0.0
        self.slowest = (0.0, "")

    def told(self) -> dict[str, Any]:
        """Return the counts as data."""
        known = {name: value for name, value in vars(self).items() if name != "effects"}
        seen = self.effects
        return {
            **known,
            "effects": seen.found,
            "reads": seen.reads,
            "imports": seen.imports,
            "parsed": seen.parsed,
        }

    def crash(self, place: str, doing: str) -> None:
        """Record the current exception."""
        self.crashes.append(f"{place} ({doing})\n{traceback.format_exc()}")

    def take(self, place: str, value: Any) -> None:
        """Extract the callable *value*, and count the results."""
        import typesig

        self.counts["callables"] += 1
        begun = time.process_time()
        try:
            with limited(SECONDS_MOST), self.effects.during(place, value):
                begun = time.process_time()
                try:
                    found = typesig.extract(value)
                finally:
                    took = time.process_time() - begun
        except typesig.TypesigError as error:
            reason = re.sub(r"^[\w.]+", "…", str(error).partition("\n")[0])
            self.refused[reason] += 1
            self.refused_examples.setdefault(reason, place)
            return
        except (Exception, TimedOut):
            self.crash(place, "extract")
            return
        finally:
            self.seconds += took
            self.slowest = max(self.slowest, (took, place))
            if took > SECONDS_EACH:
                self.slow.append((took, place))
        if found.signature is None:
            self.counts["no signature"] += 1
            return
        self.counts["signatures"] += 1
        self.counts["hinted"] += self.slots(place, value, found)
        self.read_back(place, found)
        try:
            entry = typesig.tools_of([value], undecorated=True).prompt().partition("\n\n")[2]
        except Exception:
            self.crash(place, "tools_of")
            return
        lines = [str(warning) for warning in found.warnings]
        self.listing.append({"place": place, "entry": entry, "warnings": lines})

    def slots(self, place: str, value: Any, found: Any) -> bool:
        """Count what the parameters and the result became; return whether any has a hint."""
        from typesig.extraction.callables.callables import read_callee
        from typesig.extraction.callables.options import Options
        from typesig.extraction.extract import extract_callee

        hosts = extract_callee(read_callee(value), Options())[1].params
        hints = written(value)
        fell: dict[str, list[Any]] = {}
        bare: set[str] = set()
        for warning in found.warnings:
            at = warning.place.lstrip("*").partition(".")[0]
            if warning.kind == "any":
                fell.setdefault(at, []).append(warning)
                mark = (
                    ""
                    if at in hints
                    else "(made) "
                    if at == "returns" and isinstance(value, type)
                    else "(docstring) "
                )
                self.note(f"{mark}{warning.reason}", f"{place} {warning.place}: {warning.hint}")
                self.hints[warning.hint] += 1
            elif warning.kind == "unhinted":
                bare.add(at)
            else:
                self.note(f"(kept) {warning.reason}", f"{place} {warning}")
        # A listing shows no methods and no constructors.
        function = isinstance(value, types.FunctionType) and "." not in value.__qualname__
        signature = found.signature
        slots = [(field.name, field.type, True) for field in signature.params]
        if not isinstance(value, type):
            slots.append(("returns", signature.returns, False))
        for name, kind, param in slots:
            verdict = became(kind, name in fell)
            if name not in hints and verdict == "silent":
                verdict = "unhinted" if name in bare or kind_is_any(kind) else "doc asked"
            elif name not in hints:
                verdict = f"doc {verdict}"
            elif verdict == "silent" and asks_for_anything(hints[name], value):
                verdict = "asked"
            if verdict == "silent":
                self.silent.append(f"{place} {name}: {hints[name]}")
            side = "param" if param else "result"
            self.counts[f"{side} {verdict}"] += 1
            self.counts[f"function {side} {verdict}"] += function
        rest = next((h.name for h in hosts if h.kind.name == "VAR_KEYWORD"), None)
        if rest is not None:
            self.counts["rest unhinted" if rest not in hints else "rest hinted"] += 1
        fields = {field.name for field in signature.params}
        for host in hosts:
            if host.name not in fields and host.name != rest:
                self.counts["left to the host"] += 1
        return bool(hints)

    def note(self, reason: str, example: str) -> None:
        """Count one *reason*, without the names in it."""
        for pattern, short in _NAMED:
            reason = re.sub(pattern, short, reason)
        self.reasons[reason] += 1
        self.reason_examples.setdefault(reason, example)

    def read_back(self, place: str, found: Any) -> None:
        """Count the signature if its text does not parse to an equal one."""
        import typesig
        from typesig.notations import convert

        for described in (True, False):
            text = ""
            try:
                text = found.signature.render() if described else str(found.signature)
                again = typesig.parse(text)
                told = again.render() if described else str(again)
                same = told == text and (not described or again == found.signature)
                titled = described and bool(convert(found.signature, "shorthand")[1])
                if not same and not (titled and told == text):
                    self.unread.append(f"{place}\n  {text}\n  read back as\n  {told}")
            except typesig.TypesigError as error:
                self.unread.append(f"{place}\n  {text}\n  {error}")
            except Exception:
                self.crash(place, f"reading back {text}")


#: Names in reasons; with them, each reason would be unique.
_NAMED = (
    (r"the name \w+", "the name …"),
    (r"there is no \w+ in \S+", "there is no … in …"),
    (r"module '\S+' has no attribute '\S+'", "module … has no attribute …"),
    (r"(?<=the metadata ).*(?= is not)", "…"),
    (r"(?<=JSON has no form for ).*", "…"),
    (r"a value of \S+ has", "a value of … has"),
    (r"^(\(\w+\) )?\S+ takes no such arguments: .*(?=, so)", r"\1… takes no such arguments"),
)


def became(kind: Any, fell: bool) -> str:
    """Return what a slot of type *kind* became; "silent" where only its hint can tell."""
    if fell:
        return "fell" if kind_is_any(kind) else "inside"
    return "silent" if has_any(kind) else "said"


def kind_is_any(kind: Any) -> bool:
    """Tell whether the whole of *kind* is :any."""
    from typesig.algebra.constructors import strip_annotations
    from typesig.algebra.nodes import ANY

    return bool(strip_annotations(kind) == ANY)


def has_any(t: Any) -> bool:
    """Tell whether *t* has an :any; an open record is not one."""
    from typesig.algebra.constructors import make_not
    from typesig.algebra.nodes import ANY, Record
    from typesig.algebra.traversal import get_children

    if t == ANY:
        return True
    if t == make_not(ANY):
        return False
    parts = list(get_children(t))
    if isinstance(t, Record) and t.extra == ANY:
        parts = parts[:-1]
    return any(has_any(part) for part in parts)


def written(value: Any) -> dict[str, Any]:
    """Return the hints of *value* by parameter, with `returns` for the result."""
    try:
        said = inspect.signature(value)
    except (TypeError, ValueError):
        return {}
    signatures = [said]
    for inner in (value, getattr(value, "__func__", None), getattr(value, "__init__", None)):
        if isinstance(inner, types.FunctionType):
            overloads = typing.get_overloads(inner)
            signatures += [inspect.signature(getattr(o, "__func__", o)) for o in overloads]
    out: dict[str, Any] = {}
    empty = inspect.Parameter.empty
    for signature in signatures:
        for name, param in signature.parameters.items():
            if param.annotation is not empty:
                out.setdefault(name, param.annotation)
        if signature.return_annotation is not empty and not isinstance(value, type):
            out.setdefault("returns", signature.return_annotation)
    return out


@contextlib.contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise `TimedOut` inside after *seconds*, if the system has alarms."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: Any) -> None:
        raise TimedOut(f"still at work after {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def bounded(gigabytes: int) -> None:
    """Limit memory to *gigabytes*, if the system can; a failure is counted."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (gigabytes << 30, resource.RLIM_INFINITY))


def inside(package: str, path: str) -> None:
    """Survey *package* in this process, and write the counts as JSON to *path*."""
    import typesig

    warnings.simplefilter("ignore")
    sys.setrecursionlimit(1000)
    bounded(MEMORY)
    for found in pkgutil.walk_packages(typesig.__path__, "typesig."):
        # Modules that typesig loads later must not count as effects of one callable.
        if not found.name.startswith(("typesig.cli", "typesig.__main__")):
            importlib.import_module(found.name)
    sys.dont_write_bytecode = True
    survey = Survey(Effects())
    # Keep every object alive, so that ids stay unique.
    seen: dict[int, Any] = {}
    functions: list[str] = []
    for module in list(modules_of(package, survey.failed_imports)):
        survey.counts["modules"] += 1
        for place, value in list(callables_of(module, package)):
            key = getattr(value, "__func__", value)
            if id(key) in seen:
                continue
            seen[id(key)] = key
            survey.take(place, value)
            if isinstance(value, types.FunctionType) and "." not in value.__qualname__:
                functions.append(f"{module.__name__}:{place.rpartition('.')[2]}")
        targets = [module, *(v for v in vars(module).values() if isinstance(v, type))]
        for target in targets:
            if target is not module and getattr(target, "__module__", "") != module.__name__:
                continue
            try:
                typesig.tools_of(target, undecorated=True).prompt()
                survey.counts["toolsets"] += 1
            except typesig.TypesigError as error:
                reason = f"tools_of: {str(error).partition(chr(10))[0]}"
                survey.refused[reason] += 1
                survey.refused_examples.setdefault(reason, f"{target!r:.100}")
            except Exception:
                survey.crash(f"{target!r:.100}", "tools_of")
    told = {**survey.told(), "functions": functions, "package": package}
    Path(path).write_text(json.dumps(told), "utf-8")


if __name__ == "__main__":
    inside(*sys.argv[1:])
