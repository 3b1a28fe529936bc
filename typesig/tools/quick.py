"""The short way of a call: what needs no reading, coercing, decoding or encoding gets none.

It is taken where a predicate tells that the checks would find nothing, else `call` is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from typesig.algebra.constructors import bare
from typesig.algebra.nodes import ANY
from typesig.algebra.shared import Overfull, Watch
from typesig.extraction.decoders import HostError
from typesig.extraction.encoding import encode
from typesig.limits import MAX_VALUE_DEPTH
from typesig.tools.binding import Binding, names_from_host
from typesig.tools.call import (
    asks_keywords,
    outcome_of_result,
    outcome_of_tool_error,
    outcome_policy,
)
from typesig.tools.decoding import REFUSALS, policy_for_host
from typesig.tools.errors import ToolError
from typesig.tools.running import kept, refuse_awaitable
from typesig.validation.arguments import may_be_wrapped
from typesig.validation.fast.program import predicate, shortcut, shortcut_of_arguments
from typesig.validation.json_text import BadJson, read_json
from typesig.validation.outcome import Outcome, passed
from typesig.validation.plain import plain
from typesig.validation.policy import Policy
from typesig.validation.secrets import secrets_of_result
from typesig.validation.subject import About


class Quick:
    """What the short way of calls of one tool needs, computed once."""

    __slots__ = (
        "_about",
        "_arguments",
        "_binding",
        "_changes",
        "_decodes",
        "_defaults",
        "_encodes",
        "_name",
        "_nil",
        "_policy",
        "_result",
    )

    def __init__(self, binding: Binding, policy: Policy) -> None:
        signature, host = binding.signature, binding.host
        self._binding = binding
        self._policy = policy
        nested = policy_for_host(policy, binding.explicit, host.exact)
        extras = policy.for_call().extras
        self._arguments = shortcut_of_arguments(signature, nested, extras, False, False)
        # The defaults that are the same after the check of them; without others a call is long.
        self._defaults: list[tuple[str, Callable[[], Any] | None]] = []
        for field in signature.params:
            if field.default is not None:
                judge = predicate(field.type, signature.definitions, nested)
                is_same = judge(field.default.thaw()) is True
                self._defaults.append((field.name, field.default.thaw if is_same else None))
        self._decodes = [(param.name, param.decode) for param in host.params if param.decode]
        self._nil = [param.name for param in host.params if param.nil]
        self._changes = bool(self._decodes or self._nil or self._defaults)
        wraps = signature.extra in (ANY, None) and "arguments_from_wrapper" in policy.coercions
        self._name = binding.name if wraps else None
        output = outcome_policy(binding, policy)
        t, definitions = signature.returns, signature.definitions
        secrets = secrets_of_result(host.secrets)
        self._about = About("output", t, definitions, output, secrets=secrets)
        is_read = host.encode is not None or host.pair or host.bounds
        # Other classes of values are told from the hints, or written in another way.
        self._encodes = not host.ptc_runner and not asks_keywords(signature)
        self._result = None if is_read else shortcut(bare(t), definitions, output)

    def arguments(self, sent: object) -> dict[str, Any] | None:
        """Return what the function takes by name, or None if *sent* takes the long way."""
        data: Any = {} if sent is None else sent
        if type(data) is str:
            try:
                data = read_json(data)
            except BadJson:
                return None
        if type(data) is not dict or (self._name is not None and may_be_wrapped(data, self._name)):
            return None
        if not self._arguments.passes(data):
            return None
        if not self._changes:
            return data
        out: dict[str, Any] = dict(data)
        for name, thaw in self._defaults:
            if name not in out:
                if thaw is None:
                    return None
                out[name] = thaw()
        for name, decode in self._decodes:
            if name in out:
                try:
                    out[name] = decode(out[name])
                except REFUSALS:
                    # The long way tells why.
                    return None
        for name in self._nil:
            out.setdefault(name, None)
        return out

    def call(
        self, function: Callable[..., Any], receiver: object, sent: object
    ) -> Outcome[Any] | None:
        """Return the outcome of a call, or None if *sent* takes the long way."""
        named = self.arguments(sent)
        if named is None:
            return None
        try:
            returned = function(**named) if receiver is None else function(receiver, **named)
            if type(returned) not in _PLAIN:
                returned = kept(self._binding.name, returned)
        except ToolError as error:
            return outcome_of_tool_error(self._binding, error, ())
        outcome = self.outcome(returned)
        if outcome is not None:
            return outcome
        refuse_awaitable(self._binding.name, returned)
        return outcome_of_result(self._binding, returned, (), self._policy)

    def outcome(self, returned: Any) -> Outcome[Any] | None:
        """Return the outcome of a call that *returned* a value, None if it takes the long way."""
        result = self._result
        if result is None:
            return None
        if is_plain(returned):
            return passed(returned, self._about) if result.passes(returned) else None
        if not self._encodes:
            return None
        try:
            value = encode(returned)
        except (HostError, RecursionError):
            return None
        if not result.passes(value):
            return None
        subject = self._about.subject(value)
        return Outcome(returned, stage="output", plain=partial(plain, value), subject=subject)


def prepare(shared: dict[str, Any], method: str, binding: Binding, policy: Policy) -> None:
    """Put the short way of calls by *method* into *shared*, None if all of them are long."""
    if method not in shared:
        shared[method] = quick_of(binding, policy)


def quick_of(binding: Binding, policy: Policy) -> Quick | None:
    """Return what calls under *policy* need, or None if all of them take the long way."""
    host = binding.host
    is_long = policy.on_issue == "skip" or binding.takes_any or host.spellings
    if is_long or names_from_host(binding) or not all(map(_is_named, host.params)):
        return None
    return Quick(binding, policy)


def _is_named(param: Any) -> bool:
    """Tell whether *param* is given by its name, or left out."""
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return param.kind in by_name and param.fill is None


_SCALARS = frozenset({str, int, bool, type(None)})
_PLAIN = _SCALARS | {float, list, dict}


def is_plain(value: Any) -> bool:
    """Tell whether *value* is JSON data of Python's own classes, which is encoded as it is.

    >>> is_plain({"a": [1, None]}), is_plain((1, 2)), is_plain({1: 2})
    (True, False, False)
    """
    try:
        return _is_plain(value, 0, Watch(value))
    except Overfull:
        return False


def _is_plain(value: Any, depth: int, watch: Watch) -> bool:
    cls = type(value)
    if cls in _SCALARS:
        return True
    if cls is float:
        return bool(value - value == 0.0)
    if depth > MAX_VALUE_DEPTH:
        return False
    if cls is dict:
        # Loops, since a generator takes longer than what it does here.
        for key in value:
            if type(key) is not str:
                return False
        value = value.values()
    elif cls is not list:
        return False
    watch.visit(len(value))
    for item in value:
        if type(item) in _SCALARS:
            continue
        if not _is_plain(item, depth + 1, watch):
            return False
    return True
