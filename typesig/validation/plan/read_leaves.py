"""Reading values without parts: scalars, texts that are parsed, and what only the check knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from typesig.algebra.rows.constraints import Constraint
from typesig.algebra.rows.values import SMALL, Kind, is_long
from typesig.validation.check_state import Checker, CheckState
from typesig.validation.coercions import REFUSED, convert_int_to_float
from typesig.validation.generated.conditions import write_limit_tests
from typesig.validation.plan.operations import Mismatch, Operation, Run, Source


class ValueReader(Operation):
    """An operation that checks a value of JSON's own classes, and returns its Python object.

    It raises `Mismatch` where the check has an error or a warning, and where it does not know.

    #: keeps: whether the result of each value is the value itself
    """

    __slots__ = ()
    keeps: bool = False

    def list_closure(self) -> Run | None:
        """Return the function that reads a list of values faster than one by one; None without."""
        return None


class AnyReader(ValueReader):
    """Any value, unchanged."""

    __slots__ = ()
    keeps = True

    def closure(self) -> Run:
        """Return the function that returns its argument."""
        return lambda value: value

    def emit(self, source: Source, var: str) -> str:
        """Return *var*."""
        return var


class ClassReader(ValueReader):
    """A value of exactly one class, such as text."""

    __slots__ = ("cls",)
    keeps = True

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def closure(self) -> Run:
        """Return the test of the class."""
        cls = self.cls

        def run(value: Any) -> Any:
            if type(value) is not cls:
                raise Mismatch
            return value

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the test of the class."""
        known = self.cls.__name__ if self.cls in (str, bool) else source.constants.bind(self.cls)
        source.refuse(f"type({var}) is not {known}")
        return var


class IntReader(ValueReader):
    """An int that is not too long."""

    __slots__ = ()
    keeps = True

    def closure(self) -> Run:
        """Return the test."""

        def run(value: Any) -> Any:
            if type(value) is not int or (not -SMALL <= value <= SMALL and is_long(value)):
                raise Mismatch
            return value

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the test."""
        known = source.constants.bind(is_long)
        wide = f"({var} > {SMALL} or {var} < -{SMALL})"
        source.refuse(f"type({var}) is not int or {wide} and {known}({var})")
        return var


#: Each int up to this one, and its negative, is equal to a float.
_EXACT = 2**53


class FloatReader(ValueReader):
    """A finite float, or an int that a float is equal to.

    #: keeps: whether ints stay ints
    """

    __slots__ = ("keeps",)

    def __init__(self, keeps_ints: bool = False) -> None:
        self.keeps = keeps_ints

    def closure(self) -> Run:
        """Return the conversion to float."""
        convert = _keep_int if self.keeps else _convert_int

        def run(value: Any) -> Any:
            # NaN and the infinities are not 0 less themselves.
            if type(value) is float and value - value == 0.0:
                return value
            return convert(value)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Return the expression of the float."""
        is_finite = f"type({var}) is float and {var} - {var} == 0.0"
        known = source.constants.bind(_keep_int if self.keeps else _convert_int)
        if self.keeps:
            source.add(f"if not ({is_finite}): {known}({var})")
            return var
        return f"({var} if {is_finite} else {known}({var}))"


def _convert_int(value: Any) -> float:
    """Return the float that is equal to the int *value*."""
    if type(value) is not int:
        raise Mismatch
    if -_EXACT <= value <= _EXACT:
        return float(value)
    made = convert_int_to_float(value)
    if made is REFUSED or is_long(value):
        raise Mismatch
    return made  # type: ignore[no-any-return]


def _keep_int(value: Any) -> int:
    """Return the int *value*, which must not be too long."""
    if type(value) is not int or is_long(value):
        raise Mismatch
    return value


class TextReader(ValueReader):
    """Text that a function makes an object of; *other* reads other values.

    The function raises `ValueError` for some of the texts that conform, too.

    #: parse_list: makes objects of a list of texts, or raises; None without one
    """

    __slots__ = ("other", "parse", "parse_list")

    def __init__(
        self,
        parse: Callable[[str], Any],
        other: ValueReader,
        parse_list: Callable[[list[Any]], list[Any]] | None = None,
    ) -> None:
        self.parse = parse
        self.other = other
        self.parse_list = parse_list

    def closure(self) -> Run:
        """Return the function that parses a text."""
        parse, other = self.parse, self.other.closure()

        def run(value: Any) -> Any:
            if type(value) is str:
                try:
                    return parse(value)
                except ValueError:
                    pass
            return other(value)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add lines that parse a text."""
        out, bind = source.variable(), source.constants.bind
        other = f"{out} = {bind(self.other.closure())}({var})"
        with source.open_block(f"if type({var}) is str:"):
            source.add(f"try: {out} = {bind(self.parse)}({var})", f"except ValueError: {other}")
        with source.open_block("else:"):
            source.add(other)
        return out

    def list_closure(self) -> Run | None:
        """Return the function that parses a list of texts."""
        parse_list, run = self.parse_list, self.closure()
        if parse_list is None:
            return None

        def run_all(values: list[Any]) -> list[Any]:
            try:
                return parse_list(values)
            except ValueError:
                return [*map(run, values)]

        return run_all


class NumberReader(ValueReader):
    """A short number that a function makes an object of its digits; *other* reads other values."""

    __slots__ = ("make", "other")

    def __init__(self, make: Callable[[str], Any], other: ValueReader) -> None:
        self.make = make
        self.other = other

    def closure(self) -> Run:
        """Return the function that writes a number, and reads that."""
        make, other = self.make, self.other.closure()

        def run(value: Any) -> Any:
            cls = type(value)
            if cls is int and -SMALL <= value <= SMALL:
                return make(int.__repr__(value))
            if cls is float and value - value == 0.0:
                return make(float.__repr__(value))
            return other(value)

        return run


class ResultReader(ValueReader):
    """What a function makes of the result of *inner*."""

    __slots__ = ("inner", "make")

    def __init__(self, inner: ValueReader, make: Callable[[Any], Any]) -> None:
        self.inner = inner
        self.make = make

    def closure(self) -> Run:
        """Return the composition."""
        inner, make = self.inner.closure(), self.make
        return lambda value: make(inner(value))

    def emit(self, source: Source, var: str) -> str:
        """Return the call of the function."""
        return f"{source.constants.bind(self.make)}({source.place(self.inner, var)})"


class CheckReader(ValueReader):
    """A value that the check takes without an error or a warning, then *make* decodes.

    #: depth: tells how many types a value is inside of, through references
    #: is_key: whether it is the key of a map, which is read without warnings
    """

    __slots__ = ("check", "depth", "is_key", "make")

    def __init__(
        self,
        check: Callable[[], Checker],
        make: Callable[[Any], Any] | None = None,
        depth: Callable[[], int] | None = None,
        is_key: bool = False,
    ) -> None:
        """*check* makes the check when a value is read first."""
        self.is_key = is_key
        self.check = check
        self.make = make
        self.depth = depth

    def closure(self) -> Run:
        """Return the check of one value."""
        find, make, depth = self.check, self.make, self.depth
        known: list[Checker] = []
        is_key = self.is_key

        def run(value: Any) -> Any:
            if not known:
                known.append(find())
            state = CheckState(1)
            if depth is not None:
                state.frames = depth()
            made = known[0](value, state)
            if state.errors or (state.found and not is_key):
                raise Mismatch
            return made if make is None else make(made)

        return run


class TwoPassReader(ValueReader):
    """A value that is checked as a whole before functions of others make its object.

    #: check: runs no function of others
    """

    __slots__ = ("check", "inner")

    def __init__(self, check: ValueReader, inner: ValueReader) -> None:
        self.check = check
        self.inner = inner

    def closure(self) -> Run:
        """Return the function that checks a value, then reads it."""
        check, read = self.check.closure(), self.inner.closure()

        def run(value: Any) -> Any:
            check(value)
            return read(value)

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the lines of the check, then those of the reading."""
        source.add(source.place(self.check, var))
        return source.place(self.inner, var)


# --- Reading values that are restricted: constants, and values within bounds ---


class MemberReader(ValueReader):
    """One of several constants, told apart by class and value.

    #: members: what a constant becomes, by its class and its value
    """

    __slots__ = ("keeps", "members")

    def __init__(self, members: Mapping[type, Mapping[Any, Any]], keeps: bool) -> None:
        self.members = members
        self.keeps = keeps

    def closure(self) -> Run:
        """Return the look-up."""
        members = self.members
        if len(members) == 1:
            (only, known) = next(iter(members.items()))

            def run(value: Any) -> Any:
                if type(value) is only and (made := known.get(value, known)) is not known:
                    return made
                raise Mismatch

            return run

        def find(value: Any) -> Any:
            known = members.get(type(value))
            if known is not None and (made := known.get(value, known)) is not known:
                return made
            raise Mismatch

        return find

    def emit(self, source: Source, var: str) -> str:
        """Add the look-up of the member."""
        if len(self.members) > 1:
            return super().emit(source, var)
        (only, known) = next(iter(self.members.items()))
        bind = source.constants.bind
        source.refuse(f"type({var}) is not {bind(only)}")
        if self.keeps:
            constants = [*known]
            test = f"!= {bind(constants[0])}" if len(constants) == 1 else f"not in {bind(known)}"
            source.refuse(f"{var} {test}")
            return var
        made, table = source.variable(), bind(known)
        source.add(f"{made} = {table}.get({var}, {table})")
        source.refuse(f"{made} is {table}")
        return made


class BoundsReader(ValueReader):
    """A value of *inner*, of one kind, that meets constraints.

    #: on_result: whether the result of *inner* has to meet them, and not the value
    """

    __slots__ = ("constraints", "inner", "keeps", "kind", "on_result")

    def __init__(
        self,
        inner: ValueReader,
        kind: Kind,
        constraints: tuple[Constraint, ...],
        on_result: bool = False,
    ) -> None:
        self.inner = inner
        self.kind: Kind = kind
        self.constraints = tuple([each for each in constraints if kind in each.row.kinds])
        self.on_result = on_result
        self.keeps = inner.keeps

    def closure(self) -> Run:
        """Return the reading with its tests."""
        inner, on_result = self.inner.closure(), self.on_result
        tests = [each.test() for each in self.constraints]

        def run(value: Any) -> Any:
            made = inner(value)
            part = made if on_result else value
            for test in tests:
                if not test(part):
                    raise Mismatch
            return made

        return run

    def emit(self, source: Source, var: str) -> str:
        """Add the reading, then the tests."""
        made = source.place(self.inner, var)
        if made != var:
            name = source.variable()
            source.add(f"{name} = {made}")
            made = name
        part = made if self.on_result else var
        for test in write_limit_tests(self.kind, self.constraints, part, source.constants):
            source.refuse(test)
        return made
