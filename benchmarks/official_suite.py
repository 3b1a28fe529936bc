"""How the official tests of JSON Schema are judged, by draft: exact, refused, wrong.

    python benchmarks/official_suite.py PATH                    # drafts 4 to 2020-12
    python benchmarks/official_suite.py PATH --draft 2020-12 --show 20
    python benchmarks/official_suite.py PATH --optional         # the optional tests as well

PATH is a folder with `tests` and `remotes`, such as `json` in the source distribution of
jsonschema.  The schemas of `remotes` are given as `resources`, and typesig has the metaschemas;
nothing is fetched.  In drafts 4 to 7, the tests name no draft, so `$schema` is added.

- tests        verdicts that the suite asks for
- exact        ours is the same
- on purpose   ours differs where the page on JSON Schema says so: a number keeps its kind, and
               formats are asserted
- told         ours accepts more, in an optional test, and reading reported the keyword as a loss
- refused      the schema raises Unsupported, TooDeep or TooLarge; the keywords behind it follow
- wrong        any other verdict: must be 0; each is printed
- narrowed     refused, and if read with lossy=True, a value that the suite accepts is rejected:
               must be 0
- crash        raises anything else: must be 0

The exit status is 1 if a verdict is wrong or narrowed, or a test crashed.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
#: The address in `$schema` of each draft, by its folder.
DRAFTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
REMOTES = "http://localhost:1234/"
STATES = ("exact", "on purpose", "told", "refused", "wrong", "narrowed", "crash")


@dataclass
class Tally:
    """The verdicts of one draft."""

    states: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)

    def add(self, state: str, where: str, told: str = "") -> None:
        """Count one verdict."""
        self.states[state] += 1
        if state in ("wrong", "narrowed", "crash"):
            self.bad.append(f"{state.upper()} {where}\n  {told}")


def groups_of(folder: Path, optional: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each group of tests in *folder*, with its place."""
    files = sorted(folder.glob("*.json"))
    if optional:
        files += sorted((folder / "optional").rglob("*.json"))
    for file in files:
        for group in json.loads(file.read_text("utf-8")):
            yield f"{file.relative_to(folder)}: {group['description']}", group


def resources_of(path: Path) -> dict[str, Any]:
    """Return the schemas that the tests refer to, by URI."""
    found: dict[str, Any] = {}
    for file in sorted((path / "remotes").rglob("*.json")):
        name = file.relative_to(path / "remotes").as_posix()
        found[REMOTES + name] = json.loads(file.read_text("utf-8"))
    return found


def with_draft(schema: Any, address: str) -> Any:
    """Return *schema* with `$schema`, unless it names a draft, or is true or false."""
    return {"$schema": address, **schema} if isinstance(schema, dict) else schema


def judge_group(where: str, group: dict[str, Any], resources: dict[str, Any], tally: Tally) -> None:
    """Judge the tests of one group."""
    import typesig

    schema = group["schema"]
    refused = False
    try:
        try:
            signature = typesig.parse(schema, "json_schema", resources=resources)
            losses = signature.losses
        except typesig.TypesigError as error:
            refused = True
            shape = str(getattr(error, "shape", "") or type(error).__name__)
            tally.refusals[shape] += len(group["tests"])
            tally.examples.setdefault(shape, f"{where}: {error}")
            signature = typesig.parse(schema, "json_schema", lossy=True, resources=resources)
            losses = signature.losses
        verdicts = [signature.accepts(test["data"]) for test in group["tests"]]
    except typesig.TypesigError:
        tally.states["refused"] += len(group["tests"])
        return
    except Exception:
        for test in group["tests"]:
            tally.add("crash", f"{where}: {test['description']}", traceback.format_exc(limit=-3))
        return
    for test, ours in zip(group["tests"], verdicts, strict=True):
        place = f"{where}: {test['description']}"
        told = f"{json.dumps(schema)[:600]}\n  suite {test['valid']}, typesig {ours}"
        told += f": {json.dumps(test['data'])[:200]}"
        if refused:
            narrowed = test["valid"] and not ours and not is_on_purpose(where, schema, test)
            tally.add("narrowed" if narrowed else "refused", place, told)
        elif ours is test["valid"]:
            tally.add("exact", place)
        else:
            on_purpose = is_on_purpose(where, schema, test)
            reported = bool(losses) and ours and where.startswith("optional")
            tally.add("on purpose" if on_purpose else "told" if reported else "wrong", place, told)


def is_on_purpose(where: str, schema: Any, test: dict[str, Any]) -> bool:
    """Tell whether a difference in *test* is one that the page on JSON Schema names."""
    if where.startswith("format.json") and test["valid"]:
        return True
    return has_whole_float(test["data"]) or has_whole_float(schema)


def has_whole_float(value: Any) -> bool:
    """Tell whether *value* contains a float that is a whole number."""
    match value:
        case float():
            return value.is_integer()
        case list():
            return any(map(has_whole_float, value))
        case dict():
            return any(map(has_whole_float, value.values()))
        case _:
            return False


def print_report(draft: str, tally: Tally, show: int) -> None:
    """Print the counts of one draft, and what is wrong."""
    whole = sum(tally.states.values())
    print(f"\n## {draft}\n\n{'tests':10} {whole:5}")
    for state in STATES:
        share = 100 * tally.states[state] / whole if whole else 0
        print(f"{state:10} {tally.states[state]:5}  {share:5.1f} %")
    for shape, count in tally.refusals.most_common():
        print(f"  {count:5} {shape}  e.g. {tally.examples[shape]:.220}")
    for each in tally.bad[:show]:
        print(f"\n{each}")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("path", type=Path, help="the folder with the tests and the remotes")
    names = [folder.removeprefix("draft") for folder in DRAFTS]
    parser.add_argument("--draft", action="append", choices=names,
                        help="only this draft; may be repeated")  # fmt: skip
    parser.add_argument("--optional", action="store_true", help="also judge the optional tests")
    parser.add_argument("--show", type=int, default=25, metavar="N",
                        help="maximum number of errors to print per draft (25)")  # fmt: skip
    asked = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    resources = resources_of(asked.path)
    bad = 0
    for draft, address in DRAFTS.items():
        if asked.draft and draft.removeprefix("draft") not in asked.draft:
            continue
        tally = Tally()
        for where, group in groups_of(asked.path / "tests" / draft, asked.optional):
            named = {**group, "schema": with_draft(group["schema"], address)}
            judge_group(where, named, resources, tally)
        print_report(draft, tally, asked.show)
        bad += len(tally.bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
