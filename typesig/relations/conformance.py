"""Whether a value conforms to a type without coercion, decided by the check itself."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from typesig.algebra.nodes import Type
from typesig.algebra.signature import Definition
from typesig.algebra.values import Keyword
from typesig.relations.normal_form import Clause
from typesig.relations.work import Work, size, weight
from typesig.validation.check import Compiler
from typesig.validation.issues import IssueCode
from typesig.validation.policy import ENABLED
from typesig.validation.run import Checker, Found, Run
from typesig.validation.verdicts import walked

WITHOUT_COERCION = ENABLED.for_output()

#: The steps of `Work` that compiling a part of a type takes.
_COMPILING = 6

#: The steps of a branch, such as a member of a union, and of a finding.
_BRANCHING = 2


class _Counted(Run):
    """A run that counts branches and findings, and keeps no texts of errors."""

    __slots__ = ("work",)

    def __init__(self, work: Work) -> None:
        super().__init__(1)
        self.work = work

    def branch(self) -> Run:
        self.work.take(_BRANCHING)
        run = _Counted(self.work)
        run.frames = self.frames
        run.memo = self.memo
        run.trial = True
        return run

    def add(self, found: Found) -> None:
        self.work.take(_BRANCHING)
        super().add(found)

    def error(self, code: IssueCode, expected: str, value: object, hint: str = "") -> None:
        self.add(Found(code))


class Judge:
    """Tells which values conform to types that share definitions; its steps are those of *work*."""

    def __init__(self, definitions: Iterable[Definition], work: Work) -> None:
        self.work = work
        self._compiler = Compiler({d.name: d.type for d in definitions}, WITHOUT_COERCION)
        self._checks: dict[Type, Checker] = {}

    def accepts(self, t: Type, value: object) -> bool:
        """Tell whether *value* conforms to *t*, as `Signature.accepts` does.

        >>> from typesig.algebra.nodes import INT
        >>> judge = Judge((), Work())
        >>> judge.accepts(INT, 3), judge.accepts(INT, True)
        (True, False)
        """
        check = self._checks.get(t)
        if check is None:
            self.work.take(_COMPILING * size(t))
            check = self._checks[t] = self._compiler.checker(t)
        self.work.take(weight(value))
        run = _Counted(self.work)
        walked(check, value, run)
        return not run.errors

    def allows(self, clause: Clause, value: object) -> bool:
        """Tell whether *value* conforms to what *clause* wants, and to nothing that it excludes."""
        pos, neg = clause
        return all(self.accepts(part, value) for part in pos) and not any(
            self.accepts(part, value) for part in neg
        )


def is_json(value: Any) -> bool:
    """Tell whether *value* is plain JSON, in which every value stands for itself.

    >>> is_json({"a": [1, None]}), is_json({1: "a"}), is_json((1, 2))
    (True, False, False)
    """
    if isinstance(value, list):
        return all(map(is_json, value))
    if isinstance(value, dict):
        return all(type(key) is str and is_json(item) for key, item in value.items())
    if isinstance(value, Keyword | datetime):
        return False
    return value is None or isinstance(value, str | int | float)
