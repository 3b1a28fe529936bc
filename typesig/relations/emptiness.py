"""Proofs that no value is of some types and of none of others, which all relations reduce to.

`EmptinessProver.is_empty` returns True if there is a proof, and False if none is found.  Types are
taken apart to clauses of atoms (`normal_form`); then each kind of values is ruled out by itself:
`scalar_proofs` does so for numbers, texts and the kinds with few values, `list_proofs` for lists
and sets, `map_proofs` for maps.  A new kind of values needs a row in `PROOFS`.

A recursive type leads back to a question that is being answered already.  Such a question counts
as proved: a value that refutes it would contain a smaller one that does, and so on without end.
So nothing is proved about values that contain themselves, nor about those nested beyond the limits
of the check, which refuses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from typesig.algebra.nodes import KEYWORD, MapOf, One, Type
from typesig.algebra.signature import Definition
from typesig.algebra.values import Kind
from typesig.limits import MAX_PROOF_STEPS
from typesig.relations.kinds import ALL, kinds_accepted, kinds_refused
from typesig.relations.list_proofs import no_list, no_set
from typesig.relations.map_proofs import no_map
from typesig.relations.normal_form import Clause, Parts, Scope
from typesig.relations.proving import Prover
from typesig.relations.scalar_proofs import (
    no_bool,
    no_datetime,
    no_float,
    no_int,
    no_keyword,
    no_nil,
    no_object,
    no_string,
)


class Spent(Exception):
    """The proof needs more steps than it may take."""


class EmptinessProver:
    """Proofs about types that share definitions.

    #: left: the steps that are left
    """

    def __init__(self, definitions: tuple[Definition, ...]) -> None:
        self.definitions = definitions
        self.scope = Scope({d.name: d.type for d in definitions})
        self.left = MAX_PROOF_STEPS
        # Questions that are proved or being proved, in the order in which they were asked.
        self._proved: dict[tuple[frozenset[Type], frozenset[Type]], None] = {}
        self._failed: set[tuple[frozenset[Type], frozenset[Type]]] = set()

    def is_empty(self, pos: Parts, neg: Parts = ()) -> bool:
        """Tell whether it is proved that no value is of all of *pos* and of none of *neg*."""
        question = frozenset(pos), frozenset(neg)
        if question in self._proved:
            return True
        if question in self._failed:
            return False
        count = len(self._proved)
        self._proved[question] = None
        if all(self._ruled_out(clause) for clause in self._clauses(pos, neg)):
            return True
        # Proofs of later questions may rest on this one.
        while len(self._proved) > count:
            self._proved.popitem()
        self._failed.add(question)
        return False

    def step(self) -> None:
        """Count a step; raise `Spent` if there are none left."""
        self.left -= 1
        if self.left < 0:
            raise Spent

    def with_taken_keys(self, t: MapOf) -> MapOf:
        """Return *t* with all keys that it takes in its type of keys: texts for keywords too."""
        return self.scope.with_taken_keys(t)

    def has_keywords(self, t: Type) -> bool:
        """Tell whether a value of *t* may contain a member of a Python enum as a keyword."""
        return KEYWORD in self.scope.reach(t)

    def _clauses(self, pos: Parts, neg: Parts) -> Iterator[Clause]:
        """Yield clauses of atoms that cover the values of all of *pos* and of none of *neg*."""
        pending = [_Open([(t, True) for t in pos] + [(t, False) for t in neg])]
        while pending:
            self.step()
            current = pending.pop()
            if not self._opened(current):
                continue
            if not current.choices:
                yield current.atoms()
                continue
            # The smallest choice first: usually all but one of its clauses contradict the rest.
            chosen = min(current.choices, key=len)
            current.choices.remove(chosen)
            pending += [current.branch(clause) for clause in chosen]

    def _opened(self, current: _Open) -> bool:
        """Take apart what leaves no choice in *current*; tell whether a value may be left."""
        while current.todo:
            part, wanted = current.todo.pop()
            known = current.seen.setdefault(part, wanted)
            if known is not wanted:
                return False
            clauses = self.scope.clauses(part) if wanted else self.scope.negated_clauses(part)
            if clauses is not None and isinstance(part, One) and not wanted:
                # Usually no two members have a value in common; that is cached.
                clauses = tuple([c for c in clauses if c[1] or not self.is_empty(c[0])])
            if clauses is None:
                current.found[part] = wanted
                current.kinds &= kinds_accepted(part) if wanted else kinds_refused(part)
                if not current.kinds:
                    return False
            elif len(clauses) == 1:
                current.take(clauses[0])
            else:
                current.choices.append(clauses)
        return () not in current.choices

    def _ruled_out(self, clause: Clause) -> bool:
        kinds = ALL
        for part in clause[0]:
            kinds &= kinds_accepted(part)
        for part in clause[1]:
            kinds &= kinds_refused(part)
        return all(proof(self, clause) for kind, proof in PROOFS.items() if kind in kinds)


class _Open:
    """A clause while its types are being taken apart.

    #: todo: types to take apart, and whether a value must be of them
    #: choices: alternatives, of each of which one must be met
    #: seen: all types so far, and whether a value must be of them; found: the atoms among them
    #: kinds: the kinds of values that the atoms allow
    """

    __slots__ = ("choices", "found", "kinds", "seen", "todo")

    def __init__(self, todo: list[tuple[Type, bool]]) -> None:
        self.todo = todo
        self.choices: list[tuple[Clause, ...]] = []
        self.seen: dict[Type, bool] = {}
        self.found: dict[Type, bool] = {}
        self.kinds = ALL

    def take(self, clause: Clause) -> None:
        """Add the types of *clause* to those to take apart."""
        self.todo += [(part, True) for part in clause[0]]
        self.todo += [(part, False) for part in clause[1]]

    def branch(self, clause: Clause) -> _Open:
        """Return a copy with *clause* added."""
        other = _Open(list(self.todo))
        other.choices = list(self.choices)
        other.seen, other.found, other.kinds = dict(self.seen), dict(self.found), self.kinds
        other.take(clause)
        return other

    def atoms(self) -> Clause:
        """Return the clause of the atoms that were found."""
        pos = tuple([part for part, wanted in self.found.items() if wanted])
        return pos, tuple([part for part, wanted in self.found.items() if not wanted])


#: For each kind, what proves that a clause allows no value of it.
PROOFS: dict[Kind, Callable[[Prover, Clause], bool]] = {
    "nil": no_nil,
    "bool": no_bool,
    "datetime": no_datetime,
    "object": no_object,
    "int": no_int,
    "float": no_float,
    "string": no_string,
    "keyword": no_keyword,
    "list": no_list,
    "set": no_set,
    "map": no_map,
}
