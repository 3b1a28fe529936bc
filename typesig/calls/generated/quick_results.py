"""The results of the short way of calls: their values, where no check would find anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from typesig.algebra.constructors import strip_annotations
from typesig.algebra.nodes import List
from typesig.algebra.rows.builtin import TooManyValues
from typesig.algebra.rows.frozen import RECORDS
from typesig.calls.binding import Binding
from typesig.calls.call import get_closed_policy, get_outcome_policy
from typesig.calls.generated.quick_source import SCALARS, Giving
from typesig.calls.generated.quick_writers import NotedResult, Unknown, noting_writer, writer
from typesig.calls.results import (
    ToolResult,
    find_max_places,
    has_datetimes,
    has_other_form,
    has_plain_keywords,
    is_plain,
)
from typesig.extraction.encoder import encode
from typesig.extraction.libraries.libraries import is_loaded
from typesig.extraction.python_types.decoders import HostError
from typesig.limits import MAX_UNWATCHED
from typesig.validation.generated.program import shortcut
from typesig.validation.outcome.check_context import CheckContext
from typesig.validation.outcome.passthrough import FOR_TEXT, build_whole_copier
from typesig.validation.outcome.visibility import get_result_secrets
from typesig.validation.policy import Policy

#: What is known of a value: it is plain data whose records have declared keys only, plain data, the
#: text of such as a model reads it, a `NotedResult`, or nothing.
Form: TypeAlias = Literal["whole", "plain", "text", "noted", "other"]


class Results:
    """What a call gives by the short way, computed once.

    #: about: what the check of a result is about
    #: writer: makes the value of a result, None before one is asked for
    #: text: makes the text of that value for a model that is shown all of it
    #: classes: those of objects, not iterators, for which it has made a value
    #: giving: the same for generated code, None if it does not know
    """

    __slots__ = (
        "_encodes", "_form", "_loaded", "_notes", "_noting", "_plain", "_shortcut", "_widest",
        "about", "classes", "giving", "text", "writer",
    )  # fmt: skip

    def __init__(self, binding: Binding, policy: Policy) -> None:
        signature, host = binding.signature, binding.host
        output = get_outcome_policy(binding, policy)
        t, definitions = signature.returns, signature.definitions
        secrets = get_result_secrets(host.secrets)
        self.about = CheckContext("output", t, definitions, output, secrets=secrets)
        is_read = host.encode is not None or host.pair or host.bounds
        # Other classes of values are told from the hints, or written in another way.
        self._encodes = not host.ptc_runner and not has_plain_keywords(signature)
        # A model sees a part of such a value, which is found by the type of each part.
        is_rewritten = build_whole_copier(t, definitions, FOR_TEXT) is None
        self._encodes = self._encodes and not (is_rewritten and has_other_form(signature))
        t = strip_annotations(t)
        self.writer: Callable[[Any], Any] | None = None
        self.text: Callable[[Any], str]
        # Without records, no key is undeclared.
        has_records = any(part.flags & RECORDS for part in (t, *[d.type for d in definitions]))
        self._form: Form = "plain" if has_records else "whole"
        self._loaded = False
        self.classes: set[type] = set()
        self._noting: Callable[[Any], NotedResult] | None = None
        self._notes = (
            "naive_datetime" in output.coercions and has_datetimes(signature) and not is_rewritten
        )
        self._shortcut = None if is_read else shortcut(t, definitions, output)
        # What passes this one is plain: it has no undeclared keys.
        item = strip_annotations(t.item) if isinstance(t, List) else t
        count = find_max_places(item)
        closed = get_closed_policy(output)
        self._plain = None if count is None else shortcut(t, definitions, closed)
        self._widest = MAX_UNWATCHED // (count or 1)
        self.giving = None if is_read else Giving(t, definitions, closed)

    def written(self, returned: Any) -> tuple[Any, Form] | None:
        """Return the value that the predicate of the result passes, and its form.

        Returns None if it is not known.
        """
        result = self._shortcut
        if result is None:
            return None
        cls = type(returned)
        if issubclass(cls, ToolResult):
            # Its blocks are sent as they are.
            return None
        quick = self._plain
        if quick is not None and cls in PLAIN:
            is_short = cls is not list or len(returned) <= self._widest
            if is_short and quick.passes(returned):
                return returned, "whole"
        if self._encodes:
            try:
                value = self.write(returned)
            except Unknown:
                pass
            else:
                if value is not returned:
                    self.classes.add(cls)
                return value, "whole"
            noted = self._note(returned) if self._notes else None
            if noted is not None:
                return noted, "noted"
        if cls in PLAIN and is_plain(returned):
            return (returned, self._form) if result.passes(returned) else None
        return self._encoded(returned) if self._encodes else None

    def write(self, returned: Any) -> Any:
        """Return the value of *returned*; raise `Unknown` if it is not known."""
        write = self.writer
        # A library that is loaded later may write its classes in another way.
        if write is None or self._loaded is not is_loaded():
            about = self.about
            self._loaded = is_loaded()
            write = writer(about.type, about.definitions, about.policy)
            self.text = writer(about.type, about.definitions, about.policy, True)
            self.writer = write
        return write(returned)

    def _note(self, returned: Any) -> NotedResult | None:
        """Return *returned* with what its warnings are made of, None if that is not known."""
        write, about = self._noting, self.about
        if write is None:
            write = self._noting = noting_writer(about.type, about.definitions, about.policy)
        try:
            return write(returned)
        except Unknown:
            return None

    def _encoded(self, returned: Any) -> tuple[Any, Form] | None:
        media: list[Any] = []
        try:
            # The long way reads iterators.
            value = encode(returned, media, iterates=False)
        except (HostError, RecursionError, TooManyValues):
            return None
        if media:
            # The long way keeps them.
            return None
        result = self._shortcut
        return (value, "other") if result is not None and result.passes(value) else None


#: The classes of JSON data.
PLAIN = SCALARS | {list, dict}
