"""The context in which a hint is read, the findings so far, and the result type."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from typesig.algebra.constructors import make_maybe
from typesig.algebra.nodes import ANY, Annotation, Field, List, Maybe, Ref, Type
from typesig.algebra.rows.values import Const
from typesig.extraction.callables.generics import (
    get_generic,
    get_parameters,
    is_alias,
    is_variable,
    substitute_variables,
)
from typesig.extraction.callables.hint_resolver import HintScope
from typesig.extraction.callables.options import Options
from typesig.extraction.callables.warnings import (
    BECAME_ANY,
    HintWarning,
    WarningKind,
    format_hint,
    get_class_name,
    get_exception_message,
    shorten_line,
)
from typesig.extraction.python_types.decoders import Decode
from typesig.extraction.python_types.encoders import Encode
from typesig.limits import MAX_DESCRIBED, MAX_HINTS, MAX_SIGNATURE, MAX_WARNING

#: The most characters of a record beside its fields; of a field beside its name and its type: a
#: blank, a mark, a comma with a blank, and quotes; and of a nullable type beside the inner type.
AROUND, BETWEEN, OR_NIL = len("{}!"), len(" ?, ''"), len("()|:nil")

#: How a result becomes data whose class cannot change.
_OWN_RESULT = "return data, or give the option results"


class HostType(NamedTuple):
    """The result of reading a hint: its type, and its decode and encode plans.

    #: nil: whether the hint itself names None as a value, which `Any` does not
    #: encode: how the serializers in the hint of a result write its values
    """

    type: Type
    decode: Decode = None
    nil: bool = False
    encode: Encode = None


class Findings:
    """The warnings, definitions and counters collected from the hints of a callable.

    #: warnings: what the signature does not express
    #: definitions: the types that are kept by name; names: the name of each class or alias
    #: named: what the classes and aliases that are kept by name are, when they have been read
    #: decoders: how their values are decoded; encoders: how the serializers within them write
    #: results
    #: serializes: whether a serializer was found
    #: recursive: the classes and aliases that refer to themselves
    #: exact: whether a hint is int | float, so that ints must reach the function as they were sent
    #: abstract: whether the result may be any collection, a set too
    #: formless: whether a hint had no JSON form
    #: records: how many records were written out; written: how many characters they have at most
    #: counted: the outermost of them, each with its part of those and whether that is exact
    #: hints: how many hints were read
    #: full: whether records became `:any` since they have too many
    #: spellings: the other names that records take for their fields
    #: bounds: what checks the values of host types that have bounds
    #: strict: the places whose values are not coerced
    #: secrets: the names of fields with secrets; an empty name is the whole value
    """

    __slots__ = (
        "_described", "_warned", "_widths", "abstract", "bounds", "counted", "decoders",
        "definitions", "encoders", "exact", "formless", "full", "hints", "named", "names",
        "records", "recursive", "secrets", "serializes", "spellings", "strict", "warnings",
        "written",
    )  # fmt: skip

    def __init__(self) -> None:
        self.warnings: list[HintWarning] = []
        self._warned: set[HintWarning] = set()
        self.definitions: dict[str, Type] = {}
        self.names: dict[Any, str] = {}
        self.named: dict[Any, HostType] = {}
        self.decoders: dict[Any, Decode] = {}
        self.encoders: dict[Any, Encode] = {}
        self.serializes = False
        self.recursive: set[Any] = set()
        self.exact = False
        self.strict: set[tuple[str, ...]] = set()
        self.abstract = False
        self.formless = False
        self.records = 0
        self.hints = 0
        self.written = 0
        self.counted: list[tuple[Type, int, bool]] = []
        # All records by their ids, each with how many characters it has at most.
        self._widths: dict[int, tuple[Type, int]] = {}
        self.full = False
        self.bounds: dict[Type, Callable[[Any], Any]] = {}
        self.secrets: set[str] = set()
        self.spellings: dict[Type, dict[str, str]] = {}
        # How many characters the texts of the fields of records have.
        self._described = 0

    def warn(self, warning: HintWarning) -> None:
        """Record *warning* unless an equal one is recorded already."""
        # A record of records can have thousands of equal ones.
        if warning not in self._warned:
            self._warned.add(warning)
            self.warnings.append(warning)

    def read_apart(self, read: Callable[[], HostType]) -> tuple[HostType, list[HintWarning], bool]:
        """Call *read*; return its result, its warnings and a flag, recording none.

        Nothing of that is kept.
        """
        before = self.warnings, self._warned, self.formless
        self.warnings, self._warned, self.formless = [], set(), False
        try:
            found = read()
            return found, self.warnings, self.formless
        finally:
            self.warnings, self._warned, self.formless = before

    def count_text(self, text: str) -> int:
        """Add the length of *text* to the total of descriptions; return the old total."""
        before = self._described
        self._described += len(text)
        return before

    def measure_field(self, field: Field) -> int:
        """Return the maximum length of *field* in a signature, without descriptions."""
        from typesig.notations.texts.literals import write_literal
        from typesig.notations.texts.quoting import quote

        name = len(quote(field.name) if field.exact else field.name)
        default = 0 if field.default is None else len(f" = {write_literal(field.default)}")
        around, t = name + default + BETWEEN, field.type
        while isinstance(t, Annotation | Maybe | List):
            if isinstance(t, List):
                around, t = around + 2, t.item
            else:
                around, t = around + (OR_NIL if isinstance(t, Maybe) else 0), t.inner
        known = self._widths.get(id(t))
        return around + (_measure_type(t) if known is None else known[1])

    def count_record(self, t: Type, width: int, start: int) -> bool:
        """Count the length of record *t*, at most *width*, instead of inner records'.

        Those were counted since *start*, the length of `counted` before.  Returns whether *t* is
        counted, which it is not if it is too long even without them.
        """
        counted = self.counted
        before = self.written - sum([each[1] for each in counted[start:]])
        is_exact = before + width > MAX_SIGNATURE
        if is_exact:
            self._measure_records()
            within = sum([each[1] for each in counted[start:]])
            before, width = self.written - within, _measure_type(t)
            if width - within > MAX_SIGNATURE:
                return False
        del counted[start:]
        counted.append((t, width, is_exact))
        self._widths[id(t)] = t, width
        self.written = before + width
        return True

    def _measure_records(self) -> None:
        """Replace the estimated size of each counted record with its real size."""
        counted = self.counted
        for place, (t, _, is_exact) in enumerate(counted):
            if not is_exact:
                counted[place] = t, _measure_type(t), True
        self.written = sum([each[1] for each in counted])

    def define(self, key: Any, found: HostType) -> None:
        """Record *found* as the definition of the named type for class or alias *key*."""
        name = self.get_name(key)
        self.decoders[key] = found.decode
        self.encoders[key] = found.encode
        self.definitions[name] = found.type
        self.named[key] = found._replace(type=Ref(name))

    def get_name(self, cls: Any) -> str:
        """Return the unique name under which *cls* is defined."""
        if cls not in self.names:
            name, count = cls.__name__, 2
            while name in self.names.values():
                name, count = f"{cls.__name__}{count}", count + 1
            self.names[cls] = name
        return self.names[cls]


def _measure_type(t: Type) -> int:
    """Return the length of the type *t* as text in a signature."""
    from typesig.notations.shorthand.writer import write_type

    return len(write_type(t, described=False))


class HintContext(NamedTuple):
    """The immutable state for reading a hint: path, depth, scope, options and findings.

    #: options: how hints are read
    #: findings: what has been found out so far
    #: reader: reads one hint, of any kind; the modules for kinds of hints call it through `read`
    #: constant: a default as a constant; raises `HostError` or `TypesigError` if it has no form
    #: scope: where names are looked up
    #: owner: the class that the callable was defined in, or None
    #: output: whether a result is read, which has fields that no constructor takes
    #: documented: whether the hint was written in a docstring
    #: records: the records around the hint, each with its type arguments
    #: variables: what type variables stand for, innermost last
    #: aliases: the aliases around the hint
    #: path: the place of the hint, for warnings
    #: depth: how many hints are around the hint
    """

    options: Options
    findings: Findings
    reader: Callable[[HintContext, Any], HostType]
    constant: Callable[[Any], Const]
    scope: HintScope
    owner: Any = None
    output: bool = False
    documented: bool = False
    records: tuple[tuple[Any, tuple[Any, ...]], ...] = ()
    variables: tuple[dict[Any, Any], ...] = ()
    aliases: tuple[Any, ...] = ()
    path: tuple[str, ...] = ()
    depth: int = 0

    @property
    def ptc_runner(self) -> bool:
        """Whether the profile "ptc_runner" is set, which limits types to PtcRunner's."""
        return self.options.profile == "ptc_runner"

    def read(self, hint: Any) -> HostType:
        """Read *hint* as a host type: `:any` with a warning if it has no type."""
        return self.reader(self, hint)

    def has_form(self, hint: Any) -> bool:
        """Whether *hint*, or a part of it, has a JSON form; adds no warnings."""
        trial = self._replace(findings=Findings())
        trial.findings.hints = self.findings.hints
        whole = trial.read(hint).type
        self.findings.hints = trial.findings.hints
        return whole not in (ANY, make_maybe(ANY)) or not trial.findings.formless

    def for_step(self, step: str) -> HintContext:
        """Return the context for a hint whose path is this path and *step*."""
        # Made once for each field and faster than _replace; so is `deeper`.
        return _new(HintContext, (*self[:-2], (*self.path, step), self.depth))

    def for_inner_hint(self) -> HintContext:
        """Return the context for type arguments of a hint: one level deeper."""
        return _new(HintContext, (*self[:-1], self.depth + 1))

    def for_alias(self, alias: Any) -> HintContext:
        """Return the context within *alias*."""
        return self._replace(aliases=(*self.aliases, alias))

    def substitute_variables(self, argument: Any) -> Any:
        """Return *argument* with its type variables replaced by their values."""
        if is_variable(argument) or get_parameters(argument):
            # The innermost are the last.
            known = {each: hint for space in self.variables for each, hint in space.items()}
            return substitute_variables(argument, known)
        return argument

    def for_record(
        self, cls: Any, arguments: tuple[Any, ...], variables: dict[Any, Any], scope: HintScope
    ) -> HintContext:
        """Return the context for the fields of the class *cls* with type *arguments*.

        A hint in text may stand there again, as in `list[Node]` within `Node`: if it leads back to
        a record, that is noticed by its class.
        """
        aliases = self.aliases
        if aliases:
            aliases = tuple([known for known in aliases if is_alias(get_generic(known))])
        records = (*self.records, (cls, arguments))
        bound = (*self.variables, variables)
        return _new(
            HintContext, (*self[:4], scope, *self[5:8], records, bound, aliases, *self[11:])
        )

    def for_output(self) -> HintContext:
        """Return the context of the hint of a result."""
        return _new(HintContext, (*self[:6], True, *self[7:]))

    def add_strict_place(self) -> None:
        """Record that the value at this context's path must not be coerced."""
        self.findings.strict.add(tuple([step.lstrip("*") for step in self.path]))

    def warn(self, hint: object, reason: str, remedy: str, kind: WarningKind = "partial") -> None:
        """Record a warning about *hint* at this context's path."""
        place, reason = (
            shorten_line(".".join(self.path), MAX_WARNING),
            shorten_line(reason, MAX_WARNING),
        )
        self.findings.warn(HintWarning(place, format_hint(hint), reason, remedy, kind))

    def fall_back(self, hint: object, reason: str, remedy: str) -> HostType:
        """Return `:any` for *hint*, with a warning that has *reason* and *remedy*."""
        self.warn(hint, f"{reason}{BECAME_ANY}", remedy, "any")
        return HostType(ANY)

    def fall_back_on_error(self, hint: object, error: Exception) -> HostType:
        """Return `:any`, with a warning, for *hint*, reading which raises *error*."""
        remedy = "correct it, or give an explicit signature"
        return self.fall_back(hint, f"reading it raises {get_exception_message(error)}", remedy)

    def fall_back_at_hint_limit(self, hint: object) -> HostType:
        """Return `:any` beyond the number of hints; warn at the first only."""
        if self.findings.hints == MAX_HINTS + 1:
            reason = f"there are more than {MAX_HINTS} hints within hints; "
            reason += "from here on they became :any"
            self.warn(hint, reason, "write a smaller type, or an explicit signature", "any")
        return HostType(ANY)

    def fall_back_at_size_limit(self, hint: object) -> HostType:
        """Return `:any` for records beyond the signature size; warn once."""
        if not self.findings.full:
            self.findings.full = True
            reason = f"the records of the signature have more than {MAX_SIGNATURE} characters; "
            reason += "from here on they became :any"
            self.warn(hint, reason, "write a smaller max_depth, or an explicit signature", "any")
        return HostType(ANY)

    def fall_back_without_form(self, hint: object) -> HostType:
        """Return `:any`, with a warning, for *hint*, which has no JSON form."""
        self.findings.formless = True
        no_form, data = "has no JSON form", "return data, a dataclass or a TypedDict"
        if not isinstance(hint, type):
            remedy = data if self.output else "give an explicit signature"
            return self.fall_back(hint, f"the hint {no_form}", remedy)
        # Nobody can rewrite a class of Python's own.
        own = hint.__module__.partition(".")[0] not in sys.stdlib_module_names
        if self.output:
            # A call cannot write the object in a form that a signature states.
            remedy = f"make it a dataclass or a TypedDict, {_OWN_RESULT}" if own else data
        else:
            remedy = "Injected[…] where the host supplies it, or an explicit signature"
            remedy = f"write a dataclass or a TypedDict, {remedy}" if own else f"write {remedy}"
        return self.fall_back(hint, f"the class {no_form} of its own", remedy)

    def check_text(self, given: object) -> str | None:
        """Return the description *given*; None, with a warning, if it is not text."""
        if isinstance(given, str):
            return str.__str__(given)
        if given is not None:
            reason = f"its description is {get_class_name(type(given))}, not str, so it is left out"
            self.warn("", reason, "write a str")
        return None

    def limit_text(self, text: str) -> str | None:
        """Return the field description *text*; None if descriptions exceed the limit."""
        before = self.findings.count_text(text)
        if before + len(text) <= MAX_DESCRIBED:
            return text
        if before <= MAX_DESCRIBED:
            reason = f"the texts of fields are longer than {MAX_DESCRIBED} characters; "
            reason += "from here on they are left out"
            self.warn("", reason, "write shorter ones, or a smaller max_depth")
        return None


#: Makes a context of all its fields.
_new: Callable[[Any, tuple[Any, ...]], HintContext] = tuple.__new__
