"""Whether JSON Schema is read as two validators understand it: generated and published schemas.

    python benchmarks/json_schemas.py                          # all of it, in a new environment
    python benchmarks/json_schemas.py nbformat altair --sub    # these packages, each definition
    python benchmarks/json_schemas.py --generated 2000 --seed 7
    python benchmarks/json_schemas.py --site PATH cfn-lint     # with the packages of that folder

Every schema is read with `typesig.parse`, and generated values are judged three times:
by jsonschema, by jsonschema-rs, both with formats asserted, and by `accepts`.  A schema is *exact*
if all verdicts are the same.  Schemas of packages are the `*.json` files of an installed
distribution that look like a schema.  `$schema` decides which draft the validators use; without it,
the draft is 2020-12, or an older one if the schema uses its forms.  Values contain no integral
floats: there typesig differs on purpose (`1.0` is not an integer).

A package's rows:

- schemas      files, or definitions with --sub, that the validators accept as a schema
- exact        read, and every verdict is that of both validators
- wrong        read, and some verdict differs: must be 0; each is printed with a value
- refused      raises Unsupported, TooDeep or TooLarge; the keywords behind it follow
- crash        raises anything else, or takes too long: must be 0
- narrowed     refused, and if read with lossy=True, rejects a value that the validators accept:
               must be 0
- unjudged     read, but the validators have no verdict (an external reference, no value in time)
- no schema    the validators reject it as a schema; not counted above
- thin         fewer than ten accepted or fewer than ten rejected values were found
- values       verdicts compared; skipped: values on which the validators disagree
- losses       what reading reported as lost, by name

Times are the smallest of several rounds over a tool's schema with six parameters.  The exit status
is 1 if any schema is wrong, crashed or narrowed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from schema_changes import ANYTHING, changed, integral_float
from schema_judges import Judges, Late, again, limited
from schema_sources import definitions_of, files_of, generated
from schema_values import Maker
from schema_walk import keywords

CHECKOUT = Path(__file__).resolve().parent.parent
CORPORA = (
    "check-jsonschema",
    "jsonschema-specifications",
    "openapi-spec-validator",
    "nbformat",
    "cfn-lint",
    "altair",
)
JUDGES = ("jsonschema[format-nongpl]>=4.26", "jsonschema-rs>=0.30")
#: How many values of each verdict are looked for; with fewer, a schema is thin.
ENOUGH, PLENTY = 10, 40
#: Maximum number of values for a schema, and of useless ones in a row.
TRIES, VAIN = 1500, 250
READING = 20.0
TOOL = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "words to look for", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
        "sort": {"type": "string", "enum": ["new", "old", "relevant"], "default": "relevant"},
        "since": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
        "owner": {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
            "required": ["id"],
            "additionalProperties": False,
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
#: Microseconds that reading and writing may take.
READ_BAR, WRITE_BAR = 1000.0, 50.0


@dataclass
class Verdict:
    """The result for one schema."""

    name: str
    state: str = "exact"
    detail: str = ""
    shape: str = ""
    accepted: int = 0
    refused: int = 0
    differing: int = 0
    wrongs: list[tuple[Any, bool, bool]] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)

    @property
    def thin(self) -> bool:
        return min(self.accepted, self.refused) < ENOUGH


# one schema


def judged(name: str, schema: Any, seed: str, asked: argparse.Namespace) -> Verdict:
    """Return the result of reading *schema* and of judging values."""
    found = Verdict(name)
    signature = _read(schema, found)
    try:
        judges = Judges(schema, asked.formats == "all")
    except (ValueError, RecursionError) as error:
        told = str(error) or type(error).__name__
        if found.state == "exact":
            found.state = "unjudged" if "outside" in told else "no schema"
            found.detail = told
        elif found.state == "refused" and "outside" not in told:
            found.state, found.detail = "no schema", told
        return found
    if signature is not None:
        _compare(schema, signature, judges, found, seed, asked.seconds)
    return found


def _read(schema: Any, found: Verdict) -> Any:
    """Return the signature of *schema*, read with lossy=True if it is refused otherwise."""
    import typesig
    from typesig.errors import Unsupported

    try:
        with limited(READING):
            try:
                signature = typesig.parse(schema, "json_schema")
                losses = signature.losses
            except typesig.TypesigError as error:
                found.state = "refused"
                found.shape = _shape(error)
                path = getattr(error, "path", None) or ()
                found.detail = "#" + "".join(f"/{step}" for step in path)
                if not isinstance(error, Unsupported):
                    return None
                signature = typesig.parse(schema, "json_schema", lossy=True)
                losses = signature.losses
    except typesig.TypesigError as error:
        found.losses = [f"(refused with lossy=True) {_shape(error)}"]
        return None
    except Late:
        found.state, found.detail = "crash", f"no answer in {READING:.0f} seconds"
        return None
    except Exception:
        found.state, found.detail = "crash", traceback.format_exc(limit=-3)
        return None
    found.losses = [loss.what for loss in losses]
    return signature


def _shape(error: Exception) -> str:
    """Return the keyword behind a refusal, or the class of the error if there is none."""
    shape = str(getattr(error, "shape", "") or type(error).__name__)
    return "$ref outside" if shape == "$ref" and "not in the document" in str(error) else shape


def _compare(
    schema: Any, signature: Any, judges: Judges, found: Verdict, seed: str, seconds: float
) -> None:
    """Judge values until there are enough or the time is over."""
    widened = found.state == "refused"
    doing = ""
    try:
        with limited(seconds):
            for value, verdict in verdicts(schema, judges, Random(seed), found):
                doing = f"accepts({short(value)})"
                ours = signature.accepts(value)
                doing = ""
                if ours is not verdict and not (widened and ours):
                    found.wrongs.append((value, verdict, ours))
                    if len(found.wrongs) > 5:
                        break
    except Late:
        if doing:
            found.state, found.detail = "crash", f"no answer in time: {doing}"
    except Exception:
        if not doing:
            raise
        found.state, found.detail = "crash", f"{doing}\n{traceback.format_exc(limit=-3)}"
    if found.wrongs:
        found.state = "narrowed" if widened else "wrong"
    elif found.state == "exact" and not found.accepted + found.refused:
        found.state, found.detail = "unjudged", "no verdict in time"


def verdicts(
    schema: Any, judges: Judges, random: Random, found: Verdict
) -> Iterator[tuple[Any, bool]]:
    """Yield values for *schema* with the verdict of both validators, and count them in *found*."""
    maker = Maker(schema, random)
    kept: list[Any] = []
    seen: set[str] = set()
    useful = 0
    for attempt in range(TRIES):
        if attempt - useful > VAIN:
            return
        value = _candidate(maker, kept, random, attempt)
        text = repr(value)
        if text in seen or integral_float(value) or matters(value, maker.floats):
            continue
        if judges.quick is None and "\\n" in text:
            # Only the other validator accepts a newline at the end of any format.
            continue
        seen.add(text)
        quick = judges.first(value)
        if quick is not None and (found.accepted if quick else found.refused) >= PLENTY:
            continue
        slow = judges.second(value)
        told = {quick, slow} - {None}
        if len(told) != 1:
            found.differing += 1
            continue
        verdict = told.pop() is True
        if (found.accepted if verdict else found.refused) >= PLENTY:
            continue
        if verdict:
            kept.append(value)
        found.accepted += verdict
        found.refused += not verdict
        useful = attempt
        yield value, verdict
        if min(found.accepted, found.refused) >= PLENTY:
            return


def _candidate(maker: Maker, kept: list[Any], random: Random, attempt: int) -> Any:
    if attempt < len(ANYTHING):
        return ANYTHING[attempt]
    choice = random.random()
    if choice < 0.3 and kept:
        return changed(random.choice(kept), random)
    return maker.value(slip=choice < 0.6)


def matters(value: Any, floats: frozenset[int]) -> bool:
    """Tell whether *value* may contain an integer that the schema writes as one of *floats*."""
    if not floats:
        return False
    return any(number in repr(value) for number in map(str, floats))


# the report


def short(value: Any, most: int = 300) -> str:
    text = json.dumps(value)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def print_report(title: str, found: list[Verdict], schemas: dict[str, Any], most: int) -> None:
    """Print the results of one corpus, with every wrong verdict and crash."""
    states = Counter(each.state for each in found)
    whole = len(found) - states["no schema"]
    print(f"\n## {title}\n\nschemas    {whole}")
    refused = states["refused"] + states["narrowed"]
    for word, count in (
        ("exact", states["exact"]), ("wrong", states["wrong"]), ("refused", refused),
        ("crash", states["crash"]), ("narrowed", states["narrowed"]),
        ("unjudged", states["unjudged"]),
    ):  # fmt: skip
        print(f"{word:10} {count:5}  {100 * count / whole if whole else 0:5.1f} %")
    thin = [each for each in found if each.thin and each.state == "exact"]
    print(f"{'no schema':10} {states['no schema']:5}\n{'thin':10} {len(thin):5}  of the exact ones")
    for each in thin[:most]:
        print(f"             {each.name}: {each.accepted} taken, {each.refused} refused")
    values = sum(each.accepted + each.refused for each in found)
    print(f"{'values':10} {values:5}, skipped {sum(each.differing for each in found)}")
    for word, chosen in (
        ("refusals", [(e.shape, e) for e in found if e.state in ("refused", "narrowed")]),
        ("unjudged", [(e.detail.partition(":")[0], e) for e in found if e.state == "unjudged"]),
        ("no schema", [(e.detail, e) for e in found if e.state == "no schema"]),
        ("losses", [(what, e) for e in found for what in sorted(set(e.losses))]),
    ):
        counts = Counter(shape for shape, _ in chosen)
        examples = dict(reversed(chosen))
        if counts:
            print(word)
        for shape, count in counts.most_common(40):
            each = examples[shape]
            place = f" {each.detail}" if word == "refusals" else ""
            print(f"  {count:5} {shape:.60}  e.g. {each.name}{place:.120}")
    bad = [each for each in found if each.state in ("wrong", "narrowed", "crash")]
    shown: Counter[str] = Counter()
    for each in sorted(bad, key=lambda e: len(json.dumps(schemas[e.name]))):
        # One bug can crash in many places.
        kind = each.detail.strip().rpartition("\n")[2] if each.state == "crash" else each.state
        shown[kind] += 1
        if shown[kind] > (3 if each.state == "crash" else most):
            continue
        print(f"\n{each.state.upper()} {each.name}: {short(schemas[each.name], 1200)}")
        if each.state == "crash":
            print(each.detail)
        for value, verdict, ours in sorted(each.wrongs, key=lambda w: len(repr(w[0])))[:3]:
            print(f"  judges {_word(verdict)}, typesig {_word(ours)}: {short(value)}")


def _word(verdict: bool) -> str:
    return "take it" if verdict else "refuse it"


def print_keywords(title: str, schemas: list[tuple[str, Any]]) -> None:
    """Print how many schemas use each keyword."""
    files = Counter(word for _, schema in schemas for word in keywords(schema))
    print(f"\n## {title}: {len(schemas)} schemas\n")
    for word, count in files.most_common():
        print(f"{count:6} {word:.70}")


def print_times() -> None:
    """Print how long reading and writing the schema of a tool takes, the first time and again."""
    import typesig

    def read() -> Any:
        return typesig.from_json_schema(TOOL, {})

    def smallest(action: Any, given: list[Any]) -> float:
        rounds = []
        for start in range(0, len(given), 20):
            begun = time.perf_counter()
            for each in given[start : start + 20]:
                action(each)
            rounds.append((time.perf_counter() - begun) / 20 * 1e6)
        return min(rounds)

    rows = (
        ("from_json_schema", lambda _: read(), READ_BAR),
        ("input_schema", lambda s: s.input_schema(), WRITE_BAR),
        ("input_schema, exact", lambda s: s.input_schema(exact=True), WRITE_BAR),
        ("to_json_schema", lambda s: s.to_json_schema(), WRITE_BAR),
    )
    print(f"\n{'times, in microseconds':28}{'new':>9}{'again':>9}{'bar':>7}\n")
    for word, action, bar in rows:
        new = smallest(action, [read() for _ in range(400)])
        again = smallest(action, [read()] * 400)
        verdict = "reached" if again < bar else "MISSED"
        print(f"{word:28}{new:9.1f}{again:9.1f}{bar:7.0f}  {verdict}")


def inside(asked: argparse.Namespace) -> int:
    """Judge all schemas that the command line names, in this environment."""
    # Python warns about some patterns that it accepts.
    warnings.simplefilter("ignore", FutureWarning)
    corpora = [(name, list(files_of(name, asked.make_site))) for name in asked.packages]
    if asked.sub:
        corpora = [
            (name, [s for f in files for s in definitions_of(*f)]) for name, files in corpora
        ]
    if asked.generated:
        corpora.insert(0, ("generated", list(generated(asked.generated, asked.seed))))
    bad = 0
    for title, schemas in corpora:
        if title != "generated" and len(schemas) > asked.sample > 0:
            schemas = sorted(Random(asked.seed).sample(schemas, asked.sample), key=lambda s: s[0])
        if asked.keywords:
            print_keywords(title, schemas)
            continue
        found = []
        for number, (name, schema) in enumerate(schemas):
            found.append(judged(name, schema, f"{asked.seed}/{name}", asked))
            if sys.stderr.isatty():
                print(f"\r{title} {number + 1} of {len(schemas)} ", end="", file=sys.stderr)
        print_report(title, found, dict(schemas), asked.show)
        sys.stdout.flush()
        bad += sum(each.state in ("wrong", "narrowed", "crash") for each in found)
    if not asked.keywords:
        print_times()
    return 1 if bad else 0


def arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", help="distributions that contain schemas (six)")
    parser.add_argument("--generated", type=int, metavar="N", help="generated schemas (500)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of all random choices (1)")
    parser.add_argument("--sample", type=int, default=200, metavar="N",
                        help="maximum number of schemas per package; 0: all (200)")  # fmt: skip
    parser.add_argument("--sub", action="store_true", help="judge each definition as a schema too")
    parser.add_argument("--seconds", type=float, default=20, help="time limit per schema (20)")
    parser.add_argument(
        "--show",
        type=int,
        default=25,
        metavar="N",
        help="maximum number of wrong schemas to print (25)",
    )
    parser.add_argument("--formats", choices=("draft", "all"), default="draft",
                        help="assert formats of the draft, or of all drafts (draft)")  # fmt: skip
    parser.add_argument("--re2", action="store_true", help="also install google-re2")
    parser.add_argument("--keywords", action="store_true", help="only count keywords")
    parser.add_argument("--site", metavar="PATH",
                        help="judge here, with the packages in this folder")  # fmt: skip
    asked = parser.parse_intermixed_args()
    if asked.generated is None:
        asked.generated = 0 if asked.packages else 500
    if not asked.packages and "--generated" not in " ".join(sys.argv):
        asked.packages = list(CORPORA)
    return asked


def main() -> int:
    asked = arguments()
    if asked.make_site:
        sys.path.insert(0, str(CHECKOUT))
        return inside(asked)
    with tempfile.TemporaryDirectory(prefix="typesig-schemas-") as folder:
        wanted = [*JUDGES, *asked.packages, *(["google-re2"] if asked.re2 else [])]
        return again(Path(folder), wanted, __file__, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
