"""Count the names and docstrings of a package that a Python developer has to guess at.

    python -m tests.plain_words [KIND]

prints the counts, or each place of one kind:

- participle: a function that is named by a participle or a lone gerund
- class: a class that is named by a participle, a gerund or an adverb
- vague: a name that means nothing without its module
- preposition: a function whose name ends in a preposition, without a noun before it
- riddle: a first line of a docstring with "what", "tells" or "those of"
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import typesig

PACKAGE = Path(typesig.__file__).parent


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PARTICIPLES = _words(
    "said told seen ran made sent kept found known taken given written shown left lost held put cut "
    "met meant built drawn grown spelt spoken begun gone done bound worn brought caught chosen come "
    "fallen forgotten gotten hidden laid led lent let paid risen shot sought sold spent split stood "
    "struck sworn taught thought thrown torn understood woken won wrapped"
)
#: Verbs that end like participles.
VERBS_IN_ED = _words("need speed seed feed embed exceed proceed succeed shed")
#: Verbs whose base form and participle are one word.
SAME_FORM = _words("cut put split let")
VAGUE = _words(
    "at of in on by to as told said seen met one part parts whole thing things way other others all "
    "each own bare same here there rest left about around between behind below within more less new "
    "old usual plain fit fits lacking nothing later late known ready wanted asked arrived ahead along "
    "apart"
)
ADVERBS = _words("later late about around within known ready wanted ahead told shown given")
PREPOSITIONS = _words("of by in at to with for from on behind within under")
VERBS = _words(
    "accept add adapt advance allow annotate append apply ask assert assign attach await begin bind "
    "bound build cache call can cancel cast change check choose claim clear clone close coerce collect "
    "combine compare compile compose compute connect consume contains convert copy count create cut "
    "deal decide decode default define delegate delete describe detect diff disable discard dispatch "
    "does draw drop dump emit enable encode end ensure enter enumerate equals escape estimate evaluate "
    "exclude execute exit expand expect explain export extend extract fail fall feed fetch fill filter "
    "find finish fit fits fix flatten fold follow for format forward freeze from gather generate get "
    "give group guard guess handle has have hide ignore import include index infer init initialise "
    "initialize inject insert inspect intersect invoke is iter iterate join judge keep leave lex limit "
    "link list load lock log look lookup lower make map mark match measure merge mend mirror move name "
    "narrow need negotiate new next normalise normalize note notify observe omit open order override "
    "pack pad page parse pass patch peek pick pop prefix prepare print probe project promote propose "
    "prove pull push put quote raise rank read receive recognise recognize record redact reduce refuse "
    "register reject release relax remove rename render repair replace report request require reset "
    "resolve restore resume retry return reverse rewrite round run sample save scan score search see "
    "select send serialise serialize serve set settle shorten should show shrink simplify skip sort "
    "spawn spell split start stop store strip subscribe substitute suggest summarise summarize supports "
    "swap take tell to tokenize trace transform translate traverse trim truncate try unify unpack "
    "unwrap update use uses validate verify visit wait walk wants warn widen will with wrap write yield "
    "as may"
)
RIDDLE = re.compile(
    r"\bwhat\b|\btells?\b|\btold\b|\bthose (?:of|that|which)\b|\bof which\b|\bby which\b"
    r"|\bas (?:it is|they are)\b|\bwhether this\b|\bstands? for\b|\bis said\b",
    re.IGNORECASE,
)


class PlainWords(NamedTuple):
    """The counts of one package, and the places of each kind."""

    functions: int
    classes: int
    docstrings: int
    verbs: int
    places: dict[str, list[str]]

    def share(self, kind: str, of: int) -> float:
        """Percent of *of* that the places of *kind* are."""
        return 100 * len(self.places[kind]) / of


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    names = [getattr(each, "id", getattr(each, "attr", "")) for each in node.decorator_list]
    return not {"property", "cached_property"}.isdisjoint(names)


def _is_participle(word: str) -> bool:
    in_ed = word.endswith("ed") and len(word) > 4 and word not in VERBS_IN_ED
    return in_ed or (word in PARTICIPLES and word not in SAME_FORM)


def _kinds(node: ast.AST, words: list[str]) -> Iterator[str]:
    first, last, is_lone = words[0], words[-1], len(words) == 1
    if isinstance(node, ast.ClassDef):
        if _is_participle(last) or (last.endswith("ing") and is_lone) or last in ADVERBS:
            yield "class"
        return
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    if not _is_property(node):
        if _is_participle(first) or (is_lone and first.endswith("ing") and len(first) > 5):
            yield "participle"
        elif last in PREPOSITIONS and (is_lone or _is_participle(words[-2])):
            yield "preposition"
    if is_lone and first in VAGUE:
        yield "vague"


def count_plain_words(paths: list[Path]) -> PlainWords:
    """Count the names and docstrings in the modules at *paths*."""
    counts: Counter[str] = Counter()
    places: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            name = node.name.strip("_")
            words = [w.lower() for w in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]
            if not words or node.name.startswith("__"):
                continue
            place = f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}"
            is_class = isinstance(node, ast.ClassDef)
            counts["class" if is_class else "function"] += 1
            counts["verb"] += not is_class and words[0] in VERBS
            for kind in _kinds(node, words):
                places[kind].append(place)
            first = (ast.get_docstring(node) or "").partition("\n")[0]
            counts["docstring"] += bool(first)
            if RIDDLE.search(first):
                places["riddle"].append(f"{place}: {first}")
    return PlainWords(
        counts["function"], counts["class"], counts["docstring"], counts["verb"], places
    )


def list_twice_named(package: Path) -> list[str]:
    """Class names that two modules of one package define."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(package.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(path.relative_to(package).as_posix())
    return [f"{name}: {', '.join(where)}" for name, where in homes.items() if len(where) > 1]


def main() -> None:
    """Print the counts, or the places of the kind that is asked for."""
    found = count_plain_words(sorted(PACKAGE.rglob("*.py")))
    for kind in sys.argv[1:]:
        sys.stdout.write("\n".join(found.places[kind]) + "\n")
    counts = ", ".join(f"{kind} {len(rows)}" for kind, rows in sorted(found.places.items()))
    sys.stdout.write(
        f"functions {found.functions} (verb first {found.verbs}), classes {found.classes}, "
        f"docstrings {found.docstrings}: {counts}\n"
    )


if __name__ == "__main__":
    main()
