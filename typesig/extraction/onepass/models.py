"""The operation of models of pydantic within other data."""

from __future__ import annotations

from typing import Any

from typesig.extraction.onepass.handed import Handed
from typesig.json_backends import UNREAD
from typesig.validation.plan.operations import Run
from typesig.validation.plan.read_leaves import ValueReader
from typesig.validation.policy import Policy


class ModelReader(ValueReader):
    """A model, or a list of models, that pydantic makes; *other* reads what it does not take."""

    __slots__ = ("known", "other", "policy")

    def __init__(self, known: Handed, policy: Policy, other: ValueReader) -> None:
        self.known = known
        self.policy = policy
        self.other = other

    def closure(self) -> Run:
        """Return the function that gives data to pydantic first."""
        read, policy, other = self.known.read, self.policy, self.other.closure()

        def run(value: Any) -> Any:
            # The values of the whole data have been counted.
            made = read(value, policy, True)
            return other(value) if made is UNREAD else made

        return run
