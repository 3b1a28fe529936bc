"""What a tool shows and how it is reached: all that decorating a function needs to know.

The call itself is in `call`, which is loaded when a tool is first called.
"""

from __future__ import annotations

import inspect
from typing import NamedTuple

from typesig.algebra.signature import Signature
from typesig.extraction.extract import Extraction

VAR_KEYWORD = inspect.Parameter.VAR_KEYWORD


class Binding(NamedTuple):
    """What a tool shows and how it is reached.

    #: name: the tool's; signature: what the model sees
    #: host: what extraction found out; explicit: whether the signature was given as text
    """

    name: str
    signature: Signature
    host: Extraction
    explicit: bool

    @property
    def takes_any(self) -> bool:
        """Whether the function takes undeclared names."""
        return any(param.kind is VAR_KEYWORD for param in self.host.params)


def hosted(binding: Binding) -> dict[str, bool]:
    """Return the names that the host supplies, and whether the function can do without each."""
    mine = {param.name: param.optional for param in binding.host.params if param.injected}
    optional = {param.name: param.optional for param in binding.host.params}
    for field in binding.signature.params:
        if field.firewalled:
            mine[field.name] = optional.get(field.name, True) or not field.required
    return mine
