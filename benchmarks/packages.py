"""How typesig reads the standard library and published packages, in a clean environment.

They were not written for typesig, so they show where extraction crashes, what it cannot express,
which side effects it has, and how its listings read.  The signatures are compared with the hints of
the packages: every part of a hint that the signature lacks is counted, with the reason.

    python benchmarks/packages.py                    # the standard library and all of DEFAULT
    python benchmarks/packages.py stdlib rich networkx
    python benchmarks/packages.py pyyaml=yaml "attrs==25.3.0=attr" --show 10 --json found.json

A name is a requirement for pip, followed by `=` and the package to import if that is not the one
that the distribution declares; `stdlib` is the standard library.  All packages are installed, with
typesig from this checkout, into one temporary environment.  Each is then walked in its own process:
private modules, tests and `__main__` are skipped, and modules that fail to import are counted by
reason.  The callables are the public functions and classes that a module defines or exports, and
the constructor and public methods of each class; each object counts once.

Rows of a package's table:

- modules            imported; not: skipped or failed, with the reasons below
- callables          extracted; hinted: with at least one hint; no signature: with parameters but no
                     hint, or a builtin without a text signature
- exceptions         exceptions other than TypesigError, each printed: must be 0
- refused            TypesigErrors, by reason
- annotated          parameters with a hint
- fell to :any       of those, parameters whose whole type became :any with a warning; the share
                     should stay below 5 percent; of functions: the same without methods and
                     constructors, as in a listing
- any inside         of those, parameters where a part became :any with a warning
- asked for          of those, parameters with an :any that the hint itself asks for: Any, object,
                     a collection without an item type, a field without a hint
- silent :any        parameters and results that have an :any without a warning, though the hint
                     does not ask for it: must be 0.  An independent reader, which shares no code
                     with extraction, decides what a hint asks for.
- no hint            parameters and results without a hint, in callables that have some hint:
                     parameters become :any with a warning, results and `**names` :any without one;
                     and those for which the docstring has a type
- not read back      signatures whose text does not parse to an equal signature: must be 0
- time-outs          callables that took more than a second of CPU: must be 0
- side effects       of extraction (see survey_effects.py), each with its place: must be 0.
                     Reading source, and importing parts of typesig, its dependencies and the
                     standard library, are counted separately.
- reasons            the texts of the warnings, with the number of places and one example each
- hints              the hints (or parts of them) that became :any most often, with counts
- commands           runs of `typesig list` and `typesig show`, and how many failed
- time               CPU seconds of extraction only, and the slowest callable

The last table sums up all packages, parameters and results, with the twenty most frequent reasons.
The exit status is 1 if a row that must be 0 is not.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from survey_report import failed, print_report, print_sum
from survey_walk import STDLIB

CHECKOUT = Path(__file__).resolve().parent.parent
SURVEY = Path(__file__).with_name("survey.py")
SECONDS = 1800

#: The default packages: with inline hints, with types in docstrings, and with neither.
DEFAULT = (
    STDLIB, "numpy", "scipy", "pandas", "networkx", "sympy=sympy", "fastapi", "starlette",
    "pydantic", "boto3", "botocore", "rich", "httpx", "requests", "aiohttp", "sqlalchemy", "click",
    "attrs", "jinja2",
)  # fmt: skip


def split(asked: str) -> tuple[str, str | None]:
    """Return the requirement for pip, and the package to import if one is named.

    A single `=` separates the two; `==`, `>=` and similar operators do not.
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


def packages_of(python: str, requirement: str, package: str | None) -> list[str]:
    """Return the packages to survey for one name of the command line."""
    if package is not None or requirement == STDLIB:
        return [package or requirement]
    return imports_of(python, requirement)


def surveyed(python: str, package: str, folder: Path) -> dict[str, Any]:
    """Return the survey of *package*, made in a separate process."""
    path = folder / f"{package}.json"
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    command = [python, "-W", "ignore", str(SURVEY), package, str(path)]
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
    """Run `typesig list` and `typesig show`, and add failures to the crashes in *found*."""
    script = Path(python).with_name("typesig.exe" if os.name == "nt" else "typesig")
    names = found.get("functions", [])
    chosen = names[:: max(1, len(names) // shows)][:shows] if shows else []
    listed = [] if found["package"] == STDLIB else [["list", found["package"]]]
    commands = [*listed, *(["show", name] for name in chosen)]
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


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", default=DEFAULT,
                        help="distributions, each NAME or NAME=PACKAGE, or stdlib")  # fmt: skip
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N entries of each")
    parser.add_argument("--commands", type=int, default=5, metavar="N",
                        help="number of functions per package for `typesig show` (5)")  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write all results to FILE")
    parser.add_argument(
        "--keep", action="store_true", help="keep the environment, and print its folder"
    )
    parser.add_argument("--python", help="the Python of an environment that has all packages")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="typesig-packages-"))
    try:
        wanted = [split(name) for name in asked.names]
        python = asked.python or made_environment(
            folder / "venv", [name for name, _ in wanted if name != STDLIB]
        )
        all_found = []
        for requirement, package in wanted:
            for name in packages_of(python, requirement, package):
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
    return 1 if any(failed(found) for found in all_found) else 0


if __name__ == "__main__":
    sys.exit(main())
