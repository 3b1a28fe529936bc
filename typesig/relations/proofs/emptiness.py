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
from functools import partial
from typing import TypeAlias

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import KEYWORD, One, Type
from typesig.algebra.rows.values import Kind
from typesig.relations.conformance import Judge, MapKeys, Prover
from typesig.relations.normal_form import (
    ALL,
    Clause,
    Parts,
    Scope,
    estimate_clause_cost,
    find_accepted_kinds,
    find_refused_kinds,
)
from typesig.relations.proofs import scalar_proofs
from typesig.relations.proofs.list_proofs import has_no_list, has_no_set
from typesig.relations.proofs.map_proofs import has_no_map
from typesig.relations.step_budget import OutOfSteps, Work

Question: TypeAlias = tuple[frozenset[Type], frozenset[Type]]

#: Questions that are asked for each other before the innermost is answered by itself, so that a
#: proof does not exhaust the stack.
_NESTED = 24

#: Later than the place of any question.
_NOTHING = 1 << 60


class _PendingQuestion(Exception):
    """The signal that a nested question must be answered before the proof goes on."""

    def __init__(self, pos: Parts, neg: Parts) -> None:
        super().__init__()
        self.asked = pos, neg


class EmptinessProver:
    """Prover that no value is in some types and outside others; takes steps of *work*.

    #: open: the clause at which the last question of `prove` failed, or None
    """

    def __init__(self, definitions: tuple[Definition, ...], work: Work | None = None) -> None:
        self.definitions = definitions
        self.work = work or Work()
        self.judge = Judge(definitions, self.work)
        self.scope = Scope({d.name: d.type for d in definitions}, self.work)
        self.map_keys = MapKeys(self.scope.names, self.work)
        self.open: Clause | None = None
        self._keywords: dict[Type, bool] = {}
        self._known: dict[Question, bool] = {}
        # Questions that are being proved, or proved as far as those are, in the order in which
        # they were asked; with the place of the first question that the proof rests on.
        self._assumed: dict[Question, int] = {}
        self._rests_on = _NOTHING
        self._depth = 0

    def prove(self, pos: Parts, neg: Parts = ()) -> bool:
        """Whether emptiness is proved within the steps left; see `is_empty`."""
        asked = [(pos, neg)]
        found = False
        try:
            while asked:
                self.open = None
                try:
                    found = self.is_empty(*asked[-1], again=True)
                    asked.pop()
                except _PendingQuestion as nested:
                    asked.append(nested.asked)
        except (OutOfSteps, RecursionError):
            found = False
        self._forget(0)
        return found

    def is_empty(self, pos: Parts, neg: Parts = (), again: bool = False) -> bool:
        """Whether it is proved that no value is of all of *pos* and of none of *neg*.

        With *again*, a question that is being proved is not taken as proved.
        """
        question = frozenset(pos), frozenset(neg)
        self.work.take(1 + len(pos) // 8 + len(neg) // 8)
        known = self._known.get(question)
        if known is not None:
            return known
        if not again and question in self._assumed:
            self._rests_on = min(self._rests_on, self._assumed[question])
            return True
        if self._depth == _NESTED:
            raise _PendingQuestion(pos, neg)
        return self._answer(question, pos, neg)

    def _answer(self, question: Question, pos: Parts, neg: Parts) -> bool:
        """Try to prove that *pos* without *neg* is empty; cache the answer."""
        place = self._assumed.setdefault(question, len(self._assumed))
        before, self._rests_on = self._rests_on, _NOTHING
        self._depth += 1
        try:
            left = next(
                (c for c in self._iter_clauses(pos, neg) if not self._is_ruled_out(c)), None
            )
        except BaseException:
            # Proofs of later questions may rest on one that is given up here.
            self._forget(place + 1)
            self._rests_on = before
            raise
        finally:
            self._depth -= 1
        if left is not None:
            self._forget(place)
            self._known[question] = False
            self._rests_on = before
            self.open = left
            return False
        if self._rests_on >= place:
            while len(self._assumed) > place:
                self._known[self._assumed.popitem()[0]] = True
            self._rests_on = before
        else:
            self._assumed[question] = self._rests_on
            self._rests_on = min(before, self._rests_on)
        return True

    def _forget(self, place: int) -> None:
        """Drop the assumed answers of questions from index *place* on."""
        while len(self._assumed) > place:
            self._assumed.popitem()

    def has_keywords(self, t: Type) -> bool:
        """Whether a value of *t* may contain a member of a Python enum as a keyword."""
        known = self._keywords.get(t)
        if known is None:
            known = self._keywords[t] = KEYWORD in self.scope.iter_reachable(t)
        return known

    def _iter_clauses(self, pos: Parts, neg: Parts) -> Iterator[Clause]:
        """Yield clauses of atoms that cover the values of all of *pos* and of none of *neg*."""
        whole = _OpenClause([(t, True) for t in pos] + [(t, False) for t in neg])
        pending: list[tuple[_OpenClause, Clause]] = [(whole, ((), ()))]
        while pending:
            base, clause = pending.pop()
            self.work.take(2 + len(base.seen) // 16)
            current = base.branch(clause)
            if not self._expand_forced(current):
                continue
            if not current.choices:
                yield current.to_clause()
                continue
            # The smallest choice first: usually all but one of its clauses contradict the rest.
            chosen = min(range(len(current.choices)), key=lambda at: len(current.choices[at]))
            pending += [(current, clause) for clause in current.choices.pop(chosen)]

    def _expand_forced(self, current: _OpenClause) -> bool:
        """Split types of *current* until a choice is needed; False if no value is left."""
        while True:
            while current.todo:
                if not self._take_apart(current, *current.todo.pop()):
                    return False
            self.work.take(sum(map(len, current.choices)) // 4)
            if not current.narrow():
                return False
            if current.todo:
                continue
            if not current.later:
                return True
            # It takes many questions, and is often settled by what is found without it.
            t = current.later.pop()
            self.work.take(estimate_clause_cost(t))
            clauses = self.scope.find_negated_clauses(t) or ()
            # Usually no two members have a value in common; that is cached.
            current.choices.append(tuple([c for c in clauses if c[1] or not self.is_empty(c[0])]))

    def _take_apart(self, current: _OpenClause, part: Type, wanted: bool) -> bool:
        """Split type *part* into *current*; return False if no value is left."""
        self.work.take()
        known = current.seen.get(part)
        if known is not None:
            return known is wanted
        current.seen[part] = wanted
        if isinstance(part, One) and not wanted:
            current.later.append(part)
            return True
        self.work.take(estimate_clause_cost(part))
        clauses = self.scope.find_clauses(part) if wanted else self.scope.find_negated_clauses(part)
        if clauses is None:
            current.found[part] = wanted
            current.kinds &= find_accepted_kinds(part) if wanted else find_refused_kinds(part)
            return bool(current.kinds)
        current.choices.append(clauses)
        return True

    def _is_ruled_out(self, clause: Clause) -> bool:
        """Whether *clause* is proved to have no value of any kind."""
        self.work.take(4 + len(clause[0]) // 4 + len(clause[1]) // 4)
        kinds = ALL
        for part in clause[0]:
            kinds &= find_accepted_kinds(part)
        for part in clause[1]:
            kinds &= find_refused_kinds(part)
        return all(proof(self, clause) for kind, proof in PROOFS.items() if kind in kinds)


class _OpenClause:
    """A clause under construction, whose types are being split into atoms.

    #: todo: types to take apart, and whether a value must be of them; later: those of which it must
    #:     not be and that are taken apart last
    #: choices: alternatives, of each of which one must be met
    #: seen: all types so far, and whether a value must be of them; found: the atoms among them
    #: kinds: the kinds of values that the atoms allow
    """

    __slots__ = ("choices", "found", "kinds", "later", "seen", "todo")

    def __init__(self, todo: list[tuple[Type, bool]]) -> None:
        self.todo = todo
        self.later: list[One] = []
        self.choices: list[tuple[Clause, ...]] = []
        self.seen: dict[Type, bool] = {}
        self.found: dict[Type, bool] = {}
        self.kinds = ALL

    def take(self, clause: Clause) -> None:
        """Add the types of *clause* to the types that remain to be split."""
        self.todo += [(part, True) for part in clause[0]]
        self.todo += [(part, False) for part in clause[1]]

    def narrow(self) -> bool:
        """Drop alternatives that contradict other types; False if a choice is empty.

        The clause of a choice that has no other is taken.
        """
        choices = self.choices
        self.choices = []
        for choice in choices:
            left = [clause for clause in choice if self._admits(clause)]
            if not left:
                return False
            if len(left) == 1:
                self.take(left[0])
            elif not any(map(self._has, left)):
                self.choices.append(tuple(left))
        return True

    def _admits(self, clause: Clause) -> bool:
        """Whether *clause* does not contradict the types collected so far."""
        pos, neg = clause
        seen = self.seen
        return all(
            seen.get(part, True) and not self.kinds.isdisjoint(find_accepted_kinds(part))
            for part in pos
        ) and not any(seen.get(part) for part in neg)

    def _has(self, clause: Clause) -> bool:
        """Whether the types collected so far include all types of *clause*."""
        return all(map(self.seen.get, clause[0])) and all(
            self.seen.get(part) is False for part in clause[1]
        )

    def branch(self, clause: Clause) -> _OpenClause:
        """Return a copy that also has the types of *clause*."""
        other = _OpenClause(list(self.todo))
        other.choices = list(self.choices)
        other.seen, other.found, other.kinds = dict(self.seen), dict(self.found), self.kinds
        other.take(clause)
        return other

    def to_clause(self) -> Clause:
        """Build a clause of the atoms found so far."""
        pos = tuple([part for part, wanted in self.found.items() if wanted])
        return pos, tuple([part for part, wanted in self.found.items() if not wanted])


#: For each kind, what proves that a clause allows no value of it.
PROOFS: dict[Kind, Callable[[Prover, Clause], bool]] = {
    "nil": partial(scalar_proofs.has_no_value, "nil", (None,)),
    "bool": partial(scalar_proofs.has_no_value, "bool", (True, False)),
    "datetime": partial(scalar_proofs.has_no_value, "datetime", scalar_proofs.DATETIMES),
    "object": partial(scalar_proofs.has_no_value, "object", scalar_proofs.OBJECTS),
    "int": scalar_proofs.has_no_int,
    "float": scalar_proofs.has_no_float,
    "string": partial(scalar_proofs.has_no_text, "string"),
    "keyword": partial(scalar_proofs.has_no_text, "keyword"),
    "list": has_no_list,
    "set": has_no_set,
    "map": has_no_map,
}
