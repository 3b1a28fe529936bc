"""A value that grows while its text arrives: parts are checked as soon as they have ended.

Records, maps and lists that lead to where the text is are *open*: they are told of part by part, a
list by its items.  Everything else is checked as a whole when it has ended, and so is what was open
when it ends: constraints on a whole, defaults and undeclared names are judged then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, assert_never

from typesig.algebra import nodes
from typesig.algebra.definitions import Definition
from typesig.algebra.rows.names import folded
from typesig.algebra.traversal import admits_nil, level
from typesig.limits import MAX_OPEN
from typesig.validation.check.check import Compiler, compiler_of
from typesig.validation.issues.issues import Issue
from typesig.validation.issues.written import plain_floats
from typesig.validation.mending.reading import wants_digits
from typesig.validation.outcome.outcome import Outcome
from typesig.validation.rows.keys import KeyPlan
from typesig.validation.rows.plain import plain
from typesig.validation.rows.policy import Policy
from typesig.validation.rows.run import Checker, Run
from typesig.validation.rows.secrets import without_hidden
from typesig.validation.rows.settled import settled
from typesig.validation.rows.subject import Stage
from typesig.validation.stream.partial import Closed, Kept, Level, Partial, Path
from typesig.validation.stream.scanner import Unshown
from typesig.validation.verdicts import walked


class Growing(NamedTuple):
    """What a value is that grows.

    #: type: what it must be; definitions: the types of its references; policy: of the check
    #: whole: returns the outcome of the whole data
    #: stage: that of the outcome
    #: unwraps: whether a list may stand in `{"items": […]}`
    #: others: for each record, the names that stand for other ones
    #: spelled: returns data of a type with the names that the type declares
    #: made: returns the object of an item of the whole list, in a list, or nothing if it is refused
    #: secrets: the names of fields with secrets
    """

    type: nodes.Type
    definitions: tuple[Definition, ...]
    policy: Policy
    whole: Callable[[Any], Outcome[Any]]
    stage: Stage
    unwraps: bool = False
    others: Callable[[nodes.Record], frozenset[str]] = lambda _: frozenset()
    spelled: Callable[[nodes.Type, Any], Any] = lambda _, data: data
    made: Callable[[Any], list[Any]] | None = None
    secrets: frozenset[str] = frozenset()


class _Slot(NamedTuple):
    """The place of a value in a map that is open: its name, and its type if it may be shown."""

    name: str
    type: nodes.Type | None
    takes_nil: bool = True


class _Record(NamedTuple):
    """What is known of the names of a record."""

    plan: KeyPlan
    fields: dict[str, nodes.Field]
    required: tuple[str, ...]
    others: frozenset[str]
    extra: nodes.Type | None


class _Open:
    """A list or map that has not ended.

    #: raw: its parts as they were sent, by their keys; shown: those that are shown, checked
    #: slot: the place of the value that has begun, in a map
    #: seen: the names that have begun
    """

    __slots__ = ("is_broken", "path", "raw", "required", "seen", "shape", "shown", "slot")

    def __init__(self, shape: nodes.Type | None, path: Path, is_list: bool) -> None:
        self.shape = shape
        self.path = path
        self.raw: Any = [] if is_list else {}
        self.shown: Any = [] if is_list else {}
        self.slot: _Slot | None = None
        self.seen: dict[str, None] = {}
        self.required: tuple[str, ...] = ()
        self.is_broken = False


class Growth:
    """The parts of one value so far.

    #: outcome: that of the whole, once it has ended; data: the whole as it was sent
    #: keeps_digits: whether numbers are read by their own digits
    """

    def __init__(self, growing: Growing) -> None:
        self._growing = growing
        self._compiler: Compiler = compiler_of(growing.type, growing.definitions, growing.policy)
        self._names = {d.name: d.type for d in growing.definitions}
        self.keeps_digits = wants_digits(growing.type, self._names, growing.policy)
        self._spine: list[_Open] = []
        self._wrapper: _Open | None = None
        self._last: tuple[Level, ...] = ()
        # The keys of the values that have begun, from the outside in.
        self._keys: list[str] = []
        self._checks: dict[tuple[nodes.Type, bool], Checker] = {}
        self._records: dict[nodes.Record, _Record] = {}
        self._told: set[tuple[object, ...]] = set()
        self._errors: list[Issue] = []
        self._warnings: list[Issue] = []
        self._closed: list[Closed] = []
        self._count = 0
        self.outcome: Outcome[Any] | None = None
        self.data: Any = None

    def partial(self, is_within: bool, fault: Issue | None = None) -> Partial:
        """Return what there is; *is_within* is whether a value has begun and not ended.

        *fault* is why the text cannot be read.
        """
        closed, self._closed = self._closed, []
        levels = self._levels()
        errors = self._errors if fault is None else [*self._errors, fault]
        kept = Kept(errors, len(errors)), Kept(self._warnings, len(self._warnings))
        at = self._at(is_within)
        return Partial(self._growing.stage, levels, closed, *kept, at, self.outcome)

    @property
    def told(self) -> int:
        """How much there was to tell so far: parts that have ended, and issues."""
        return self._count + len(self._errors) + len(self._warnings)

    def _levels(self) -> tuple[Level, ...]:
        if not self._spine:
            return self._last
        return tuple(
            [
                Level(
                    each.path,
                    each.shown,
                    len(each.shown),
                    "" if each.slot is None else each.slot.name,
                    each.required,
                    each.seen,
                    len(each.seen),
                )
                for each in self._spine
            ]
        )

    def _at(self, is_within: bool) -> Path:
        if not self._spine:
            return ()
        inner = self._spine[-1]
        if isinstance(inner.raw, list):
            return (*inner.path, len(inner.raw)) if is_within else inner.path
        # The name of a value that is not shown is not told, either.
        slot = inner.slot
        return inner.path if slot is None or slot.type is None else (*inner.path, slot.name)

    # What the scanner tells.

    def enters(self, bracket: str) -> bool:
        """Return whether the list or map that begins here is told of part by part."""
        if not self._spine:
            return self._enters_whole(bracket)
        parent = self._spine[-1]
        slot = parent.slot
        if slot is None or slot.type is None or len(self._spine) == MAX_OPEN:
            return False
        shape = self._shape(slot.type, bracket)
        if shape is None:
            return False
        self._push(shape, (*parent.path, slot.name), bracket)
        return True

    def _enters_whole(self, bracket: str) -> bool:
        whole = self._growing.type
        if bracket == "{" and self._wrapper is None and self._growing.unwraps:
            self._wrapper = _Open(None, (), False)
            return True
        shape = self._shape(whole, bracket)
        if shape is not None:
            self._push(shape, (), bracket)
            return True
        if self._wrapper is not None or not self._begins(whole, bracket):
            # The value is not of the type, or in what is no wrapper.
            raise Unshown
        return False

    def _push(self, shape: nodes.Type, path: Path, bracket: str) -> None:
        made = _Open(shape, path, bracket == "[")
        if isinstance(shape, nodes.Record):
            made.required = self._record(shape).required
        self._spine.append(made)

    def key(self, name: str) -> None:
        """Take the key of the value that follows."""
        if not self._spine:
            # In a wrapper, which has one key.
            if self._wrapper is None or self._wrapper.raw or name != "items":
                raise Unshown
            return
        inner = self._spine[-1]
        if name in inner.raw:
            raise Unshown
        self._keys.append(name)
        inner.slot = self._slot(inner, name)
        if inner.slot.type is not None:
            inner.seen[inner.slot.name] = None

    def closed(self, data: Any) -> None:
        """Take a value that has ended."""
        if self._spine:
            self._settle(self._spine[-1], data)
        elif self._wrapper is not None:
            raise Unshown
        else:
            self._end(data)

    def leaves(self) -> None:
        """Take the end of the innermost list or map that is open."""
        if not self._spine:
            assert self._wrapper is not None
            if not self._wrapper.raw:
                raise Unshown
            self._end(self._wrapper.raw)
            return
        self._last = self._levels()
        ended = self._spine.pop()
        if self._spine:
            self._settle(self._spine[-1], ended.raw)
        elif self._wrapper is not None:
            self._wrapper.raw["items"] = ended.raw
        else:
            self._end(ended.raw)

    # What becomes of it.

    def _end(self, data: Any) -> None:
        self.data = data
        self.outcome = outcome = self._growing.whole(data)
        self._tell(outcome.errors, outcome.warnings)
        if outcome.ok:
            self._show(Closed((), outcome.value, outcome.result))

    def _settle(self, inner: _Open, data: Any) -> None:
        """Check a part of *inner* that has ended, and show it if it conforms."""
        if isinstance(inner.raw, list):
            assert isinstance(inner.shape, nodes.List)
            t, is_item = inner.shape.item, True
            step: str | int = len(inner.raw)
            inner.raw.append(data)
        else:
            slot, inner.slot = inner.slot, None
            assert slot is not None
            inner.raw[self._keys.pop()] = data
            if slot.type is None or (data is None and not slot.takes_nil):
                return
            t, step, is_item = slot.type, slot.name, False
        path = (*inner.path, step)
        found = self._checked(t, is_item, data, path)
        if found is None:
            # What follows in a list would have another index.
            inner.is_broken = is_item
            return
        value, result = found
        self._show(Closed(path, value, result))
        if is_item and not inner.is_broken:
            inner.shown.append(value)
        elif not is_item:
            inner.shown[step] = value

    def _show(self, closed: Closed) -> None:
        self._count += 1
        self._closed.append(closed)

    def _checked(
        self, t: nodes.Type, is_item: bool, data: Any, path: Path
    ) -> tuple[Any, Any] | None:
        """Return the plain value and the object of *data*, or None if there are errors."""
        growing = self._growing
        check = self._checks.get((t, is_item))
        if check is None:
            check = self._checks[t, is_item] = self._compiler.place(t, is_item)
        run = Run(growing.policy.max_issues)
        value = walked(check, growing.spelled(t, data), run)
        value = plain_floats(value) if self.keeps_digits else value
        if run.found:
            for found in run.found:
                found.steps.extend(reversed(path))
            told = settled(run.found, growing.policy, growing.stage)
            errors, warnings = (
                without_hidden(issues, growing.type, self._names, growing.secrets)
                for issues in told
            )
            self._tell(errors, warnings)
            if errors:
                return None
        if growing.made is None or not is_item or len(path) > 1:
            return (shown := plain(value)), shown
        made = growing.made(value)
        return (plain(value), made[0]) if made else None

    def _tell(self, errors: Iterable[Issue], warnings: Iterable[Issue]) -> None:
        """Keep the issues that are new: a part is checked again with what it is in."""
        for issues, kept in ((errors, self._errors), (warnings, self._warnings)):
            for issue in issues:
                key = issue.code, issue.path, issue.expected, issue.got, issue.rule
                if key not in self._told and len(kept) < self._growing.policy.max_issues:
                    self._told.add(key)
                    kept.append(issue)

    # What the types say.

    def _parts(self, t: nodes.Type, bracket: str) -> list[nodes.Type] | None:
        """Return the members of *t* that a list or map may be of; None if others have a say."""
        out: list[nodes.Type] = []
        for part in level(t, self._names):
            match part:
                case nodes.One() | nodes.Both() | nodes.Not() | nodes.Counted():
                    return None
                case nodes.Record() | nodes.MapOf():
                    out.extend([part] if bracket == "{" else [])
                case nodes.List() | nodes.Set() | nodes.Tuple():
                    out.extend([part] if bracket == "[" else [])
                case nodes.Scalar("any"):
                    out.append(_MAP if bracket == "{" else _LIST)
                case nodes.Scalar("map"):
                    out.extend([_MAP] if bracket == "{" else [])
                case nodes.Scalar() | nodes.Enum():
                    pass
                case nodes.Maybe() | nodes.Refined() | nodes.Noted() | nodes.Union() | nodes.Ref():
                    pass  # `level` yields their parts
                case _:
                    assert_never(part)
        return out

    def _begins(self, t: nodes.Type, bracket: str) -> bool:
        return self._parts(t, bracket) != []

    def _shape(self, t: nodes.Type, bracket: str) -> nodes.Type | None:
        """Return the only shape of *t* for a list or map, if it can be told of part by part."""
        parts = self._parts(t, bracket)
        if parts is None or len(parts) != 1:
            return None
        shape = parts[0]
        told = (
            isinstance(shape, nodes.List)
            or (isinstance(shape, nodes.MapOf) and shape.key == nodes.STRING)
            or (isinstance(shape, nodes.Record) and not shape.matching)
        )
        return shape if told else None

    def _record(self, t: nodes.Record) -> _Record:
        known = self._records.get(t)
        if known is None:
            shown = [field for field in t.fields if not field.firewalled]
            required = tuple([f.name for f in shown if f.required and f.default is None])
            extra = t.extra
            if extra == nodes.ANY and self._growing.policy.extras != "keep":
                extra = None
            fields = {field.name: field for field in t.fields}
            others = self._growing.others(t)
            known = _Record(KeyPlan(t.fields), fields, required, others, extra)
            self._records[t] = known
        return known

    def _slot(self, inner: _Open, key: str) -> _Slot:
        if isinstance(inner.shape, nodes.MapOf):
            return _Slot(key, inner.shape.value)
        assert isinstance(inner.shape, nodes.Record)
        known = self._record(inner.shape)
        name = None if folded(key) in known.others else known.plan.declared(key)
        if name is not None:
            field = known.fields[name]
            if field.firewalled or name in inner.seen:
                return _Slot("", None)
            return _Slot(name, field.type, admits_nil(field.type, self._names))
        # Which name a near one stands for is known when all names are.
        is_extra = not known.plan.near(key) and folded(key) not in known.others
        return _Slot(key, known.extra if is_extra else None)


_MAP = nodes.MapOf(nodes.STRING, nodes.ANY)
_LIST = nodes.List(nodes.ANY)
