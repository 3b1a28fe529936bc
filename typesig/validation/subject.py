"""What a check is about: a value and the type that it was checked against."""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.algebra.nodes import Type
from typesig.algebra.signature import Definition
from typesig.validation.policy import Policy


class Subject(NamedTuple):
    """A value and the type that it was checked against.

    #: value: the value as it is after the check, coerced on input
    #: policy: the policy of the check, by which branches of unions are told apart
    #: are_arguments: whether the value is the named arguments of a call, not a result
    """

    value: Any
    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy
    are_arguments: bool = False
