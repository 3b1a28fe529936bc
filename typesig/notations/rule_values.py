"""What the values of every grammar's rules have in common."""

from __future__ import annotations

from typing import Any

import lark
from lark import Token


class RuleValues(lark.Transformer[Token, Any]):
    """The values of the rules of a grammar, one method for each rule."""

    def __default__(self, data: str, children: list[Any], meta: Any) -> lark.Tree[Any]:
        if data.startswith("_"):
            # A rule that lark itself makes for a repetition, and inlines.
            return lark.Tree(data, children, meta)
        raise NotImplementedError(f"no method for the rule {data}")
