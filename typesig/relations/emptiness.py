"""Proving that no value is of some types and not of others: what all relations come down to.

`Prover.empty` answers True where there is a proof, and False where none is found.  A type is taken
apart to atoms by `clauses`, then each kind of values is ruled out by itself: `spans` does so for
numbers, texts and what is finite, `sequences` for lists and sets, `mappings` for maps.
A new kind of values needs a row in `_RULED_OUT`.

What a name means is asked for again and again on the way down; a question that is met within
itself counts as proved, for a value that answers it would hold a smaller one that does, and so on
without end.  So nothing is said of values that hold themselves, nor of those nested beyond the
limits of a check, which refuses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from typesig.algebra.nodes import (
    KEYWORD,
    Enum,
    List,
    MapOf,
    One,
    Record,
    Refined,
    Scalar,
    Set,
    Tuple,
    Type,
)
from typesig.algebra.signature import Definition
from typesig.limits import MAX_PROOF_STEPS as MAX_STEPS
from typesig.relations.clauses import Parts, Scope, Way
from typesig.relations.mappings import maps
from typesig.relations.sequences import lists, sets
from typesig.relations.spans import finite, floats, texts, whole_numbers

#: The kinds of values, `object` being what is of no other kind.
KINDS = ("nil", "bool", "int", "float", "string", "keyword", "list", "map", "set", "datetime")
ALL = frozenset((*KINDS, "object"))

#: The kinds of the members of Python enums, which are keywords whatever else they are.
MEMBERS = ALL - {"nil", "bool"}


class Spent(Exception):
    """The proof takes more steps than it may."""


class Prover:
    """Proofs about types that share definitions.

    #: left: the steps that may still be taken
    """

    def __init__(self, definitions: tuple[Definition, ...]) -> None:
        self.definitions = definitions
        self.scope = Scope({d.name: d.type for d in definitions})
        self.left = MAX_STEPS
        # What is proved, and what is being proved, in the order in which it was asked.
        self._held: dict[tuple[frozenset[Type], frozenset[Type]], None] = {}
        self._failed: set[tuple[frozenset[Type], frozenset[Type]]] = set()

    def empty(self, pos: Parts, neg: Parts = ()) -> bool:
        """Tell whether it is proved that no value is all of *pos* and none of *neg*."""
        question = frozenset(pos), frozenset(neg)
        if question in self._held:
            return True
        if question in self._failed:
            return False
        count = len(self._held)
        self._held[question] = None
        if all(self._ruled_out(clause) for clause in self._clauses(pos, neg)):
            return True
        # What was proved on the way may rest on the question itself.
        while len(self._held) > count:
            self._held.popitem()
        self._failed.add(question)
        return False

    def step(self) -> None:
        """Count a step; raise `Spent` where there are no more."""
        self.left -= 1
        if self.left < 0:
            raise Spent

    def has_keywords(self, t: Type) -> bool:
        """Tell whether a value may hold a keyword somewhere, as far as *t* says."""
        return KEYWORD in self.scope.reach(t)

    def _clauses(self, pos: Parts, neg: Parts) -> Iterator[Way]:
        """Yield the ways to be all of *pos* and none of *neg*, in atoms, but for plain nonsense."""
        pending = [_Open([(t, True) for t in pos] + [(t, False) for t in neg])]
        while pending:
            self.step()
            current = pending.pop()
            if not self._opened(current):
                continue
            if not current.choices:
                yield current.atoms()
                continue
            # The narrowest choice first: most often all but one of its ways are nonsense.
            chosen = min(current.choices, key=len)
            current.choices.remove(chosen)
            pending += [current.branch(way) for way in chosen]

    def _opened(self, current: _Open) -> bool:
        """Take apart all in *current* that leaves no choice; tell whether a value may be left."""
        while current.todo:
            part, wanted = current.todo.pop()
            known = current.seen.setdefault(part, wanted)
            if known is not wanted:
                return False
            ways = self.scope.ways(part) if wanted else self.scope.ways_not(part)
            if ways is not None and isinstance(part, One) and not wanted:
                # Most often no two members have a value in common: that is asked but once.
                ways = tuple([way for way in ways if way[1] or not self.empty(way[0])])
            if ways is None:
                current.found[part] = wanted
                current.kinds &= _taken(part) if wanted else _not_taken(part)
                if not current.kinds:
                    return False
            elif len(ways) == 1:
                current.take(ways[0])
            else:
                current.choices.append(ways)
        return () not in current.choices

    def _ruled_out(self, clause: Way) -> bool:
        kinds = ALL
        for part in clause[0]:
            kinds &= _taken(part)
        for part in clause[1]:
            kinds &= _not_taken(part)
        return all(way(self, kind, clause) for kind, way in _RULED_OUT.items() if kind in kinds)


class _Open:
    """What a value must be and must not be, being taken apart.

    #: todo: what is still to be taken apart, and whether it is wanted; choices: ways to choose from
    #: seen: all that is wanted, or not, so far; found: the atoms among that
    #: kinds: the kinds of values that the atoms leave
    """

    __slots__ = ("choices", "found", "kinds", "seen", "todo")

    def __init__(self, todo: list[tuple[Type, bool]]) -> None:
        self.todo = todo
        self.choices: list[tuple[Way, ...]] = []
        self.seen: dict[Type, bool] = {}
        self.found: dict[Type, bool] = {}
        self.kinds = ALL

    def take(self, way: Way) -> None:
        """Let *way* be what is still to be taken apart, too."""
        self.todo += [(part, True) for part in way[0]]
        self.todo += [(part, False) for part in way[1]]

    def branch(self, way: Way) -> _Open:
        """Return the same with *way* taken."""
        other = _Open(list(self.todo))
        other.choices = list(self.choices)
        other.seen, other.found, other.kinds = dict(self.seen), dict(self.found), self.kinds
        other.take(way)
        return other

    def atoms(self) -> Way:
        """Return the atoms that were found."""
        pos = tuple([part for part, wanted in self.found.items() if wanted])
        return pos, tuple([part for part, wanted in self.found.items() if not wanted])


def _taken(t: Type) -> frozenset[str]:
    match t:
        case Scalar("int" | "nil" | "bool" | "string" | "datetime" as name):
            return frozenset({name})
        case Scalar("float"):
            return frozenset({"int", "float"})
        case Scalar("keyword"):
            return MEMBERS
        case List() | Tuple():
            return frozenset({"list"})
        case Set():
            return frozenset({"set"})
        case MapOf() | Record():
            return frozenset({"map"})
        case Enum(values):
            return frozenset(value.kind for value in values)
        case _:
            return ALL


def _not_taken(t: Type) -> frozenset[str]:
    match t:
        case Scalar("int" | "nil" | "bool" | "string" | "keyword" as name):
            return ALL - {name}
        case Scalar("float"):
            # Beside the finite numbers there are nan and the infinite ones.
            return ALL - {"int"}
        case Refined(inner, (constraint,)) if inner == Scalar("any"):
            return constraint.row.kinds
        case _:
            return ALL


_RULED_OUT: dict[str, Callable[[Prover, str, Way], bool]] = {
    "nil": finite,
    "bool": finite,
    "datetime": finite,
    "object": finite,
    "int": whole_numbers,
    "float": floats,
    "string": texts,
    "keyword": texts,
    "list": lists,
    "set": sets,
    "map": maps,
}
