"""How messy answers of models are read: by typesig, and by libraries that repair JSON.

    python benchmarks/answers.py                      # all of them, in new environments
    python benchmarks/answers.py json-repair jiter    # typesig and these
    python benchmarks/answers.py --keep DIR           # keep the environments in DIR for next time
    python benchmarks/answers.py --keep DIR --clean   # remove those in DIR first
    python benchmarks/answers.py --only               # typesig alone
    python benchmarks/answers.py --show json-repair   # and print what it reads wrongly

The cases are those of `tests/corpus/answers`: a text, a type, and the value that the mode `lenient`
gives or that it is refused.  The others know no type, so what they read is checked afterwards by
the contract of the type, as data, in the same mode.  Then a careless model is simulated: values
that conform to a type are drawn, and written with each mistake of `tests/spoiling.py` in turn.

The exit status is 1 if typesig reads a case or a spoilt text wrongly, or refuses one without saying
what to send instead.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import venv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
CORPUS = CHECKOUT / "tests" / "corpus" / "answers" / "answers.txt"

#: The libraries: what to install, and a function from text to data.
PEERS = {
    "json-repair": "import json_repair\nread = json_repair.loads",
    "jiter": (
        "import jiter\n"
        "def read(text):\n"
        "    return jiter.from_json(text.encode(), partial_mode='trailing-strings')"
    ),
    "partial-json-parser": "import partial_json_parser\nread = partial_json_parser.loads",
    "langchain-core": (
        "from langchain_core.output_parsers import JsonOutputParser\n"
        "read = JsonOutputParser().parse"
    ),
    "instructor": (
        "import json\n"
        "from instructor.utils import extract_json_from_codeblock\n"
        "def read(text):\n"
        "    return json.loads(extract_json_from_codeblock(text))"
    ),
}

#: Reads texts as JSON lists from standard input, and prints what the library makes of each.
PROGRAM = """
import json, sys
{read}
for line in sys.stdin:
    try:
        out = ["read", read(json.loads(line))]
        text = json.dumps(out)
    except BaseException as error:
        text = json.dumps(["refused", type(error).__name__])
    print(text, flush=True)
"""

#: What a careless model is asked for.
ASKED = (
    "{query :string, limit :int?, exact? :bool}",
    '[{line :int, severity :enum["low" "high"], note :string?}]',
    "{user {name :string, tags [:string]}, score :float, at :string[date]}",
    "[:int]",
    "[[:string]]",
    ":map[:string :float]",
    '{said :enum["he said \\"hi\\" to me" "one\\ntwo" "it\'s"], at :int}',
)


class Case(NamedTuple):
    """A text for a type; what it means as JSON text, or None if it must be refused."""

    hint: str
    text: str
    meant: str | None


def cases() -> Iterator[Case]:
    """Yield the cases of the corpus."""
    for line in CORPUS.read_text(encoding="utf-8").split("\n"):
        if line.startswith("lenient\t"):
            _mode, hint, text, told = line.split("\t")
            meant = None
            if told.startswith("=> "):
                value, _end = json.JSONDecoder().raw_decode(told[3:])
                meant = canonical(value)
            yield Case(hint, json.loads(text), meant)


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def verdict(case: Case, data: Any) -> str:
    """Return right, refused or wrong for what was read."""
    import typesig

    outcome = typesig.contract(case.hint).read(data, "lenient")
    if not outcome.ok:
        return "right" if case.meant is None else "refused"
    return "right" if canonical(outcome.value) == case.meant else "wrong"


def by_peer(name: str, found: list[Case], folder: Path) -> Iterator[str]:
    """Yield the verdict of each case for the library *name*, installed below *folder*."""
    home = folder / name
    if not home.exists():
        venv.create(home, with_pip=True)
        pip = [home / "bin" / "python", "-m", "pip", "install", "-q", name]
        subprocess.run(pip, check=True)
    program = [str(home / "bin" / "python"), "-c", PROGRAM.format(read=PEERS[name])]
    sent = "".join(json.dumps(case.text) + "\n" for case in found)
    done = subprocess.run(
        program, input=sent, capture_output=True, text=True, check=True, timeout=600
    )
    for case, line in zip(found, done.stdout.splitlines(), strict=True):
        what, data = json.loads(line)
        if what == "refused":
            yield "right" if case.meant is None else "refused"
        elif isinstance(data, str) and case.hint != ":string":
            # Text would be read again.
            yield "right" if case.meant is None else "refused"
        else:
            yield verdict(case, json.loads(json.dumps(data)) if data != case.text else [data])


def table(name: str, verdicts: list[str], found: list[Case]) -> None:
    """Print the counts of *verdicts*: of texts with a meaning, and of those without."""
    counts = Counter(
        (case.meant is not None, one) for case, one in zip(found, verdicts, strict=True)
    )
    print(
        f"{name:22}{counts[True, 'right']:7}{counts[True, 'refused']:9}{counts[True, 'wrong']:7}"
        f"{counts[False, 'right']:12}{counts[False, 'wrong']:7}"
    )


def simulate(count: int) -> bool:
    """Print how texts of a careless model are read; return whether none is read wrongly."""
    import typesig
    from typesig.contracts.rehearsals.mistakes import MISTAKES
    from typesig.relations import samples

    good = True
    print(
        f"\n{'a careless model':30}{'texts':>7}{'mended':>8}{'refused':>9}{'silent':>8}{'wrong':>7}"
    )
    for mode in ("enabled", "lenient"):
        whole: Counter[str] = Counter()
        for name, spoil in MISTAKES.items():
            counts: Counter[str] = Counter()
            for hint in ASKED:
                asked = typesig.contract(hint)
                for value in samples(hint, count=count, json=True):
                    counts[judged(asked, mode, value, spoil(value))] += 1
            whole += counts
            row(f"{mode}: {name}", counts)
        row(f"{mode}: all", whole)
        good = good and not (whole["wrong"] or whole["silent"])
    return good


def judged(asked: Any, mode: Any, value: Any, text: str) -> str:
    """Return what became of *text*, which was written for *value*."""
    try:
        json.loads(text)
        return "valid"
    except ValueError:
        pass
    outcome = asked.read(text, mode)
    if outcome.ok:
        meant = asked.read(value).value
        return "mended" if canonical(outcome.value) == canonical(meant) else "wrong"
    return "refused" if all(e.hint or e.code != "json" for e in outcome.errors) else "silent"


def row(name: str, counts: Counter[str]) -> None:
    texts = sum(counts.values()) - counts["valid"]
    print(
        f"{name:36.36}{texts:5}{counts['mended']:8}{counts['refused']:9}{counts['silent']:8}"
        f"{counts['wrong']:7}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("peers", nargs="*", help=f"of {', '.join(PEERS)}; by default all")
    parser.add_argument("--keep", type=Path, help="the folder of the environments")
    parser.add_argument("--clean", action="store_true", help="remove the folder first")
    parser.add_argument("--only", action="store_true", help="typesig alone")
    parser.add_argument("--show", default="", help="print what this library reads wrongly")
    parser.add_argument("--count", type=int, default=40, help="values drawn for each type")
    options = parser.parse_args()
    sys.path.insert(0, str(CHECKOUT))
    if options.keep and options.clean:
        shutil.rmtree(options.keep, ignore_errors=True)
    found = list(cases())
    print(f"{'':22}{'with a meaning':>23}{'without one':>19}")
    print(f"{'':22}{'right':>7}{'refused':>9}{'wrong':>7}{'refused':>12}{'read':>7}")
    verdicts = [verdict(case, case.text) for case in found]
    table("typesig, lenient", verdicts, found)
    good = set(verdicts) == {"right"}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        for name in [] if options.only else options.peers or PEERS:
            verdicts = list(by_peer(name, found, folder))
            table(name, verdicts, found)
            for case, one in zip(found, verdicts, strict=True):
                if name == options.show and one == "wrong":
                    print(f"    {case.hint} {case.text!r} means {case.meant}")
    good = simulate(options.count) and good
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
