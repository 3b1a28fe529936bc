"""What a check is about: a value and the type that it was checked against."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias

from typesig.algebra.definitions import Definition
from typesig.algebra.nodes import Type
from typesig.algebra.rows.frozen import HIDDEN
from typesig.validation.rows.policy import Policy

#: The stages of a call: its arguments are checked, the tool is called, its result is checked.  The
#: answer of a model, which a contract reads, has a stage of its own, and so
#: has a program of a model, before it runs and while it runs.
Stage: TypeAlias = Literal["input", "call", "output", "answer", "program", "run"]

#: The place of a fault in a text that was read.
READ = -1


class Subject(NamedTuple):
    """A checked value, with its type, its policy and its secrets.

    #: value: the value as it is after the check, coerced on input; as it was sent if it failed
    #: policy: the policy of the check, by which branches of unions are told apart
    #: are_arguments: whether the value is the named arguments of a call, not a result
    #: tool: the name of the tool that was called, or empty
    #: secrets: the names of fields with secrets; an empty name is the whole value
    #: fault: where the text that was sent could not be read, as an index, or `READ`
    #: is_whole: whether the value is known to be plain data, whose records have declared keys only
    #: media: the media of a result, each with the text in the value that stands for it
    """

    value: Any
    type: Type
    definitions: tuple[Definition, ...]
    policy: Policy
    are_arguments: bool = False
    tool: str = ""
    secrets: frozenset[str] = frozenset()
    fault: int = READ
    is_whole: bool = False
    media: tuple[tuple[str, Any], ...] = ()

    @property
    def may_hide(self) -> bool:
        """Whether the type may have secrets or firewalled fields; true in doubt."""
        flags = [self.type.flags, *[d.type.flags for d in self.definitions]]
        return bool(self.secrets) or any(flag & HIDDEN for flag in flags)
