"""The operation of models of pydantic within other data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typesig.extraction.onepass.handed import Handed
from typesig.json_backends import UNREAD
from typesig.validation.plan.operations import Run
from typesig.validation.plan.read_leaves import ValueReader
from typesig.validation.policy import Policy


class ModelReader(ValueReader):
    """A model, or a list of models, that pydantic makes.

    #: make_other: makes the operation that reads what pydantic does not take
    """

    __slots__ = ("known", "make_other", "policy")

    def __init__(
        self, known: Handed, policy: Policy, make_other: Callable[[], ValueReader]
    ) -> None:
        self.known = known
        self.policy = policy
        self.make_other = make_other

    def closure(self) -> Run:
        """Return the function that gives data to pydantic first."""
        read, policy, make_other = self.known.read, self.policy, self.make_other
        others: list[Run] = []

        def run(value: Any) -> Any:
            # The values of the whole data have been counted.
            made = read(value, policy, True)
            if made is not UNREAD:
                return made
            if not others:
                others.append(make_other().closure())
            return others[0](value)

        return run
