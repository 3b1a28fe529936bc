"""What typesig makes of published packages: every public callable of each, in a clean environment.

Nobody wrote these packages with typesig in mind, so they show what extraction crashes on, what it
cannot say, and how its listings read.  The peer here is the packages' own hints: whatever they say
and the signature does not is counted, with the reason.

    python benchmarks/packages.py httpx rich docstring_parser networkx pendulum
    python benchmarks/packages.py pyyaml=yaml "attrs==25.3.0=attr" --show 10 --json found.json

A name is what pip takes, followed by `=` and the package to import where it is not the one that
the distribution declares.  All are installed with typesig from this checkout into one throw-away
environment; each package is then walked in a process of its own: modules that are private, tests
or `__main__` are passed over, those that fail to import are counted by reason.  Of each module
come the public functions and classes that it defines or exports, and of each class its
constructor and the public methods that it defines; each object once.

Rows of a package's table:

- modules            imported; not: those that failed, with the reasons below
- callables          extracted; hinted: with a hint at all; no signature: parameters but no hint,
                     or a builtin that tells none
- exceptions         anything that was raised and is no TypesigError, each printed: must be 0
- refused            a TypesigError, by reason
- annotated          parameters with a hint
- fell to :any       of those, parameters whose whole type became :any with a warning; the share
                     should stay within 5 percent; of functions: the same without methods and
                     constructors, which is what a listing shows
- any inside         of those, parameters where a part became :any with a warning
- silent :any        of those, parameters that are :any without a warning though the hint is
                     neither Any nor object: must be 0
- not read back      signatures whose text does not parse to an equal signature: must be 0
- reasons            what the warnings say, with the count of places and one example each
- hints              the hints (or parts of them) that became :any most often, with counts
- commands           `typesig list` and `typesig show` that were run, and failed
- time               wall seconds of extraction alone, and the slowest callable

The exit status is 1 where something crashed or a signature did not read back.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import types
import venv
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
BAR = 0.05
#: Hints that mean anything, so that :any is what they say.
ANYTHING = ("Any", "object", "typing.Any", "t.Any", "typing_extensions.Any", "<class 'object'>")
SECONDS = 900


# inside the environment: one package


def walked(name: str, failed: Counter[str]) -> Iterator[types.ModuleType]:
    """Yield the public modules of the package *name*, counting the reasons of those that fail."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            module = importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failed[f"{type(error).__name__}: {error}".partition("\n")[0][:100]] += 1
        return
    yield module
    for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if not _passed_over(found.name):
            yield from walked(f"{name}.{found.name}", failed)


def _passed_over(name: str) -> bool:
    return name.startswith(("_", "test_")) or name in ("tests", "test", "testing", "conftest")


def callables_of(module: types.ModuleType, top: str) -> Iterator[tuple[str, Any]]:
    """Yield the public callables of *module* with their dotted names, methods after their class."""
    exported = getattr(module, "__all__", None)
    # What a module makes lazily is in dir() alone.
    names = dir(module) if exported is None else [n for n in exported if type(n) is str]
    for name in names:
        try:
            value = getattr(module, name, None)
        except Exception:
            # A name whose optional dependency is not installed.
            continue
        home = getattr(value, "__module__", None)
        if not callable(value) or not isinstance(home, str):
            continue
        if exported is not None:
            mine = home == top or home.startswith(f"{top}.")
        else:
            # What came from a private module of the package is meant to be found here.
            private = home.startswith(f"{top}.") and "._" in home
            mine = (home == module.__name__ or private) and not name.startswith("_")
        if not mine:
            continue
        if not isinstance(value, type) and typing_form(value):
            continue
        place = f"{module.__name__}.{name}"
        yield place, value
        if isinstance(value, type):
            for inner, member in list(vars(value).items()):
                if inner.startswith("_"):
                    continue
                if isinstance(member, staticmethod | classmethod):
                    yield f"{place}.{inner}", getattr(value, inner)
                elif isinstance(member, types.FunctionType):
                    yield f"{place}.{inner}", member


def typing_form(value: Any) -> bool:
    """Tell whether *value* is a type variable, an alias or another form that is never called."""
    return type(value).__module__ in ("typing", "typing_extensions", "types") and not isinstance(
        value, types.FunctionType | types.BuiltinFunctionType | types.MethodType
    )


def means_anything(hint: Any, value: Any) -> bool:
    """Tell whether *hint*, or what it names where *value* was defined, is Any or object."""
    if isinstance(hint, str) and hint not in ANYTHING:
        inner = inspect.unwrap(value.__init__ if isinstance(value, type) else value)
        hint = getattr(inner, "__globals__", {}).get(hint, hint)
    return str(hint) in ANYTHING


class Survey:
    """What was counted over one package."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.failed_imports: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.reason_examples: dict[str, str] = {}
        self.hints: Counter[str] = Counter()
        self.wholly: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.refused_examples: dict[str, str] = {}
        self.crashes: list[str] = []
        self.unread: list[str] = []
        self.silent: list[str] = []
        self.listing: list[dict[str, Any]] = []
        self.seconds = 0.0
        self.slowest = (0.0, "")

    def crash(self, place: str, doing: str) -> None:
        """Keep the exception at hand."""
        self.crashes.append(f"{place} ({doing})\n{traceback.format_exc()}")

    def take(self, place: str, value: Any) -> None:
        """Extract the callable *value*, and count."""
        import typesig

        self.counts["callables"] += 1
        begun = time.perf_counter()
        try:
            found = typesig.extract(value)
        except typesig.TypesigError as error:
            reason = re.sub(r"^[\w.]+", "…", str(error).partition("\n")[0])
            self.refused[reason] += 1
            self.refused_examples.setdefault(reason, place)
            return
        except Exception:
            self.crash(place, "extract")
            return
        finally:
            took = time.perf_counter() - begun
            self.seconds += took
            self.slowest = max(self.slowest, (took, place))
        if found.signature is None:
            self.counts["no signature"] += 1
            return
        self.counts["signatures"] += 1
        if self.parameters(place, value, found):
            self.counts["hinted"] += 1
        self.read_back(place, found)
        try:
            entry = typesig.tools_of([value], undecorated=True).prompt().partition("\n\n")[2]
        except Exception:
            self.crash(place, "tools_of")
            return
        lines = [str(warning) for warning in found.warnings]
        self.listing.append({"place": place, "entry": entry, "warnings": lines})

    def parameters(self, place: str, value: Any, found: Any) -> bool:
        """Count what the hints of *value* became; return whether there are any."""
        from typesig.algebra.make import bare
        from typesig.algebra.nodes import ANY

        try:
            hinted = {
                p.name: p.annotation
                for p in inspect.signature(value).parameters.values()
                if p.annotation is not inspect.Parameter.empty
            }
            returns = not isinstance(value, type) and "return" in getattr(
                value, "__annotations__", {}
            )
        except (TypeError, ValueError):
            return False
        # What a listing shows: no methods, no constructors.
        function = isinstance(value, types.FunctionType) and "." not in value.__qualname__
        kinds = {field.name: bare(field.type) for field in found.signature.params}
        fell: dict[str, list[Any]] = {}
        for warning in found.warnings:
            at = warning.place.lstrip("*").partition(".")[0]
            if ":any" in warning.reason:
                fell.setdefault(at, []).append(warning)
            elif at in hinted or warning.place == "returns":
                self.note(f"(kept) {warning.reason}", f"{place} {warning}")
        for name, hint in hinted.items():
            self.counts["annotated"] += 1
            self.counts["annotated of functions"] += function
            whole = kinds.get(name) == ANY
            if name in fell:
                self.counts["fell to :any" if whole else "any inside"] += 1
                self.counts["functions' to :any"] += whole and function
                for warning in fell[name]:
                    self.note(warning.reason, f"{place} {warning.place}: {warning.hint}")
                    self.hints[warning.hint] += 1
                if whole:
                    self.wholly[str(hint)] += 1
            elif whole and not means_anything(hint, value):
                self.counts["silent :any"] += 1
                self.silent.append(f"{place} {name}: {hint}")
        if returns:
            self.counts["annotated results"] += 1
            self.counts["results with :any"] += "returns" in fell
            for warning in fell.get("returns", ()):
                self.note(f"(result) {warning.reason}", f"{place} {warning.place}: {warning.hint}")
        return bool(hinted) or returns

    def note(self, reason: str, example: str) -> None:
        """Count one *reason*, names in it left out."""
        reason = re.sub(r"the name \w+", "the name …", reason)
        reason = re.sub(r"there is no \w+ in \S+", "there is no … in …", reason)
        reason = re.sub(
            r"module '\S+' has no attribute '\S+'", "module … has no attribute …", reason
        )
        reason = re.sub(r"(?<=the metadata ).*(?= is not)", "…", reason)
        self.reasons[reason] += 1
        self.reason_examples.setdefault(reason, example)

    def read_back(self, place: str, found: Any) -> None:
        """Count a signature whose text does not parse to an equal one."""
        import typesig

        for described in (True, False):
            text = ""
            try:
                text = found.signature.render() if described else str(found.signature)
                again = typesig.parse(text)
                told = again.render() if described else str(again)
                same = told == text and (not described or again == found.signature)
                titled = described and bool(typesig.convert(found.signature, "shorthand")[1])
                if not same and not (titled and told == text):
                    self.unread.append(f"{place}\n  {text}\n  read back as\n  {told}")
            except typesig.TypesigError as error:
                self.unread.append(f"{place}\n  {text}\n  {error}")
            except Exception:
                self.crash(place, f"reading back {text}")


def inside(package: str, path: str) -> None:
    """Survey *package* in this process, and write what was found as JSON to *path*."""
    import typesig

    warnings.simplefilter("ignore")
    sys.setrecursionlimit(1000)
    survey = Survey()
    # What was seen stays alive, so that an address names one object.
    seen: dict[int, Any] = {}
    functions: list[str] = []
    for module in walked(package, survey.failed_imports):
        survey.counts["modules"] += 1
        for place, value in callables_of(module, package):
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
    told = {**vars(survey), "functions": functions, "package": package}
    Path(path).write_text(json.dumps(told), "utf-8")


# outside: the environment, and the report


def split(asked: str) -> tuple[str, str | None]:
    """Return what pip installs and the package to import, where it is named.

    A lone `=` separates the two; those of `==`, `>=` and their like do not.
    """
    parts = re.split(r"(?<![=<>!~])=(?!=)", asked, maxsplit=1)
    return parts[0], parts[1] if len(parts) == 2 else None


def made_environment(folder: Path, wanted: list[str]) -> str:
    """Return the Python of a new environment with *wanted* and typesig."""
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{CHECKOUT}[cli]", *wanted], check=True)
    return python


_TOP = """
import re, sys
from importlib.metadata import distribution, packages_distributions
name = distribution(re.match(r"[\\w.-]+", sys.argv[1])[0]).metadata["Name"]
found = sorted(k for k, v in packages_distributions().items() if name in v and k.isidentifier())
print(*[k for k in found if not k.startswith("_") and k not in ("tests", "test", "docs")])
"""


def imports_of(python: str, requirement: str) -> list[str]:
    """Return the public packages that an installed distribution declares."""
    run = subprocess.run(
        [python, "-c", _TOP, requirement], capture_output=True, text=True, check=True
    )
    return run.stdout.split()


def surveyed(python: str, package: str, folder: Path) -> dict[str, Any]:
    """Return what a process of its own found in *package*."""
    path = folder / f"{package}.json"
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    command = [python, "-W", "ignore", __file__, "--inside", package, str(path)]
    try:
        run = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, env=env, cwd=folder
        )
        told = f"the process ended with status {run.returncode}\n{run.stderr[-3000:]}"
    except subprocess.TimeoutExpired:
        told = f"the process was still at work after {SECONDS} seconds"
    if not path.exists():
        return {"package": package, "crashes": [f"{package}\n{told}"], "counts": {}}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def commanded(python: str, found: dict[str, Any], shows: int, folder: Path) -> None:
    """Run `typesig list` and `typesig show`, and add what failed to the crashes in *found*."""
    script = Path(python).with_name("typesig.exe" if os.name == "nt" else "typesig")
    names = found.get("functions", [])
    chosen = names[:: max(1, len(names) // shows)][:shows] if shows else []
    commands = [["list", found["package"]], *(["show", name] for name in chosen)]
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    found["commands"] = []
    for arguments in commands:
        run = subprocess.run(
            [str(script), *arguments], capture_output=True, text=True, env=env, cwd=folder,
            timeout=SECONDS,
        )  # fmt: skip
        line = f"typesig {' '.join(arguments)}"
        found["commands"].append(
            {"line": line, "status": run.returncode, "out": run.stdout, "err": run.stderr}
        )
        if "Traceback" in run.stderr:
            found["crashes"].append(f"{line}\n{run.stderr[-3000:]}")


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def print_report(found: dict[str, Any], show: int) -> None:
    """Print what was counted over one package."""
    counts = Counter(found.get("counts", {}))
    print(f"\n## {found['package']}\n")
    if counts:
        failed = found["failed_imports"]
        print(f"modules          {counts['modules']}, not {sum(failed.values())}")
        for reason, count in failed.items():
            print(f"                   {count} {reason}")
        print(
            f"callables        {counts['callables']}, hinted {counts['hinted']}, "
            f"no signature {counts['no signature']}"
        )
        annotated = counts["annotated"]
        print(f"exceptions       {len(found['crashes'])}")
        print(f"refused          {sum(found['refused'].values())}")
        for reason, count in Counter(found["refused"]).most_common(10):
            print(f"                   {count} {reason}  e.g. {found['refused_examples'][reason]}")
        print(f"annotated        {annotated}")
        fell = counts["fell to :any"]
        verdict = "within the bar" if fell <= BAR * annotated else "OVER THE BAR"
        print(f"fell to :any     {fell}, {percent(fell, annotated)}, {verdict} of {BAR:.0%}")
        part, whole = counts["functions' to :any"], counts["annotated of functions"]
        print(f"  of functions   {part} of {whole}, {percent(part, whole)}")
        parts = counts["any inside"]
        print(f"any inside       {parts}, {percent(parts, annotated)}")
        print(f"silent :any      {len(found['silent'])}")
        for line in found["silent"][:10]:
            print(f"                   {line:.160}")
        results = counts["annotated results"]
        print(f"results          {results} annotated, :any in {counts['results with :any']}")
        print(f"not read back    {len(found['unread'])}")
        took, place = found["slowest"]
        print(f"time             {found['seconds']:.2f} s, slowest {took * 1e3:.0f} ms: {place}")
        for told in found.get("commands", ()):
            if told["status"]:
                last = (told["err"].strip() or "-").splitlines()[-1]
                print(f"command          status {told['status']}: {told['line']}: {last:.200}")
        print(f"commands         {len(found.get('commands', ()))} run")
        print("reasons")
        for reason, count in Counter(found["reasons"]).most_common(20):
            print(f"  {count:5} {reason:.150}\n          {found['reason_examples'][reason]:.200}")
        print("hints")
        for hint, count in Counter(found["hints"]).most_common(12):
            print(f"  {count:5} {hint:.120}")
    for crash in found["crashes"]:
        print(f"\nCRASHED {crash}")
    for unread in found.get("unread", ()):
        print(f"\nNOT READ BACK {unread}")
    listing = found.get("listing", [])
    for each in listing[:: max(1, len(listing) // show)][:show] if show else ():
        print(f"\n{each['place']}\n{each['entry']}")
        for line in each["warnings"]:
            print(f"  ! {line}")


def print_sum(all_found: list[dict[str, Any]]) -> None:
    counts: Counter[str] = Counter()
    for found in all_found:
        counts.update(found.get("counts", {}))
    annotated, fell = counts["annotated"], counts["fell to :any"]
    print(
        f"\n## all {len(all_found)}\n\n{counts['callables']} callables, {annotated} annotated "
        f"parameters, {fell} fell to :any ({percent(fell, annotated)}), "
        f"{counts['any inside']} have one inside ({percent(counts['any inside'], annotated)}); "
        f"{sum(len(f['crashes']) for f in all_found)} exceptions, "
        f"{sum(len(f.get('unread', ())) for f in all_found)} not read back"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="+", help="distributions, each NAME or NAME=PACKAGE")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N entries of each")
    parser.add_argument("--commands", type=int, default=5, metavar="N",
                        help="functions of each that `typesig show` is run on (5)")  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write all that was found to FILE")
    parser.add_argument("--keep", action="store_true", help="keep the environment, and say where")
    parser.add_argument("--python", help="an environment that has all of it already")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        inside(*asked.names)
        return 0
    folder = Path(tempfile.mkdtemp(prefix="typesig-packages-"))
    try:
        wanted = [split(name) for name in asked.names]
        python = asked.python or made_environment(folder / "venv", [name for name, _ in wanted])
        all_found = []
        for requirement, package in wanted:
            for name in [package] if package else imports_of(python, requirement):
                found = surveyed(python, name, folder)
                if found["counts"]:
                    commanded(python, found, asked.commands, folder)
                print_report(found, asked.show)
                all_found.append(found)
        print_sum(all_found)
        if asked.json:
            Path(asked.json).write_text(json.dumps(all_found, indent=1), "utf-8")
    finally:
        if asked.keep:
            print(f"\nkept: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 1 if any(f["crashes"] or f.get("unread") for f in all_found) else 0


if __name__ == "__main__":
    sys.exit(main())
