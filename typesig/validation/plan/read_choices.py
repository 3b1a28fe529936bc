"""Reading values of several types: one for each class or tag; and of named types."""

from __future__ import annotations

from _thread import _local
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from typesig.limits import MAX_FRAMES
from typesig.validation.plan.operations import Mismatch, Run, Source
from typesig.validation.plan.read_leaves import ClassReader, ValueReader


class NullableReader(ValueReader):
    """Null, or a value of *inner*."""

    __slots__ = ("inner", "keeps")

    def __init__(self, inner: ValueReader) -> None:
        self.inner = inner
        self.keeps = inner.keeps

    def closure(self) -> Run:
        """Return the reading of a value that is not null."""
        read = self.inner.closure()
        return lambda value: None if value is None else read(value)

    def emit(self, source: Source, var: str) -> str:
        """Add the lines of the value within a test for null."""
        out = var if self.keeps else source.variable()
        if not self.keeps:
            source.add(f"{out} = None")
        with source.open_block(f"if {var} is not None:"):
            made = source.place(self.inner, var)
            if made != out:
                source.add(made if self.keeps else f"{out} = {made}")
        return out


class ClassChoice(ValueReader):
    """A value whose class tells how it is read.

    #: reads: by class
    """

    __slots__ = ("keeps", "reads")

    def __init__(self, reads: Mapping[type, ValueReader]) -> None:
        self.reads = reads
        self.keeps = all(read.keeps for read in reads.values())

    def closure(self) -> Run:
        """Return the look-up by class."""
        return _make_dispatch({cls: read.closure() for cls, read in self.reads.items()})

    def emit(self, source: Source, var: str) -> str:
        """Return the look-up among compiled functions; scalars that do not change need none."""
        plain = [cls for cls, read in self.reads.items() if _is_plain(cls, read)]
        others = {c: r.compile() for c, r in self.reads.items() if c not in plain}
        bind = source.constants.bind
        if not others:
            test = " and ".join([f"type({var}) is not {cls.__name__}" for cls in plain])
            source.refuse(test)
            return var
        call = f"{bind(_make_dispatch(others))}({var})"
        if not plain:
            return call
        test = " or ".join([f"type({var}) is {cls.__name__}" for cls in plain])
        return f"({var} if {test} else {call})"


def _is_plain(cls: type, read: ValueReader) -> bool:
    """Whether *read* takes each value of *cls*, text or a boolean, unchanged."""
    return isinstance(read, ClassReader) and cls in (str, bool)


def _make_dispatch(runs: Mapping[type, Run]) -> Run:
    """Make the function that reads a value by its class."""

    def run(value: Any) -> Any:
        read = runs.get(type(value))
        if read is None:
            raise Mismatch
        return read(value)

    return run


class TagChoice(ValueReader):
    """A map whose constant at one key tells how it is read.

    #: reads: by the constant, a text or an int
    """

    __slots__ = ("keeps", "reads", "tag")

    def __init__(self, tag: str, reads: Mapping[Any, ValueReader]) -> None:
        self.tag = tag
        self.reads = reads
        self.keeps = all(read.keeps for read in reads.values())

    def closure(self) -> Run:
        """Return the look-up of the tag."""
        return self._make({tag: read.closure() for tag, read in self.reads.items()})

    def emit(self, source: Source, var: str) -> str:
        """Return the look-up among compiled functions."""
        compiled = {tag: read.compile() for tag, read in self.reads.items()}
        return f"{source.constants.bind(self._make(compiled))}({var})"

    def _make(self, runs: Mapping[Any, Run]) -> Run:
        tag = self.tag

        def run(value: Any) -> Any:
            if type(value) is not dict:
                raise Mismatch
            try:
                read = runs[value[tag]]
            except (KeyError, TypeError):
                raise Mismatch from None
            return read(value)

        return run


class KeyBranch(NamedTuple):
    """How a record is read, the keys that it needs, and all that it may have."""

    needed: frozenset[str]
    names: frozenset[str]
    read: ValueReader


class KeyChoice(ValueReader):
    """A map that one of several records declares whole, the first of such.

    Those before it lack one of its keys, or require one that it does not have.
    """

    __slots__ = ("branches", "keeps")

    def __init__(self, branches: tuple[KeyBranch, ...]) -> None:
        self.branches = branches
        self.keeps = all(branch.read.keeps for branch in branches)

    def closure(self) -> Run:
        """Return the function that finds the record of a map."""
        return self._make([branch.read.closure() for branch in self.branches])

    def emit(self, source: Source, var: str) -> str:
        """Return the call of the same with compiled functions."""
        runs = [branch.read.compile() for branch in self.branches]
        return f"{source.constants.bind(self._make(runs))}({var})"

    def _make(self, runs: list[Run]) -> Run:
        pairs = zip(self.branches, runs, strict=True)
        table = [(branch.needed, branch.names, run) for branch, run in pairs]

        def run(value: Any) -> Any:
            if type(value) is not dict:
                raise Mismatch
            keys = value.keys()
            for needed, names, read in table:
                if needed <= keys and keys <= names:
                    return read(value)
            raise Mismatch

        return run


class FirstChoice(ValueReader):
    """A value that one of *reads* takes, of which the first counts."""

    __slots__ = ("keeps", "reads")

    def __init__(self, reads: tuple[ValueReader, ...]) -> None:
        self.reads = reads
        self.keeps = all(read.keeps for read in reads)

    def closure(self) -> Run:
        """Return the function that tries one after the other."""
        return _make_trial([read.closure() for read in self.reads])

    def emit(self, source: Source, var: str) -> str:
        """Return the call of the same with compiled functions."""
        runs = [read.compile() for read in self.reads]
        return f"{source.constants.bind(_make_trial(runs))}({var})"


def _make_trial(runs: list[Run]) -> Run:
    """Make the function that returns what the first of *runs* does that takes a value."""

    def run(value: Any) -> Any:
        for read in runs:
            try:
                return read(value)
            except Mismatch:
                pass
        raise Mismatch

    return run


class UsualReader(ValueReader):
    """A value that *usual* takes, or else *other*, which tells what conforms."""

    __slots__ = ("other", "usual")

    def __init__(self, usual: ValueReader, other: ValueReader) -> None:
        self.usual = usual
        self.other = other

    def closure(self) -> Run:
        """Return the function that tries both."""
        usual, other = self.usual.closure(), self.other.closure()

        def run(value: Any) -> Any:
            try:
                return usual(value)
            except Mismatch:
                return other(value)

        return run


class Depth(_local):
    """How many types the value that a thread reads is inside of, through references."""

    frames = 0


class ReferenceReader(ValueReader):
    """A value of a named type.

    #: cost: how many types are inside of the named one
    #: depth: counts them
    #: inner: reads a value of the named type; set when it is known
    """

    __slots__ = ("_compiled", "_is_compiled", "_run", "cost", "depth", "inner")

    inner: ValueReader

    def __init__(self, cost: int, depth: Depth) -> None:
        self.cost = cost
        self.depth = depth
        self._run: Run | None = None
        self._compiled: Run | None = None
        self._is_compiled = False

    def closure(self) -> Run:
        """Return the function that reads a value one level further inside."""
        return self._enter(self._get_run)

    def emit(self, source: Source, var: str) -> str:
        """Return the call of a compiled function, which all references to the name share."""
        if not self._is_compiled:
            self._is_compiled = True
            self._compiled = self.inner.compile()
        # Another thread may be compiling it.
        run = self._enter(lambda: self._compiled or self._get_run())
        return f"{source.constants.bind(run)}({var})"

    def _get_run(self) -> Run:
        """Return the closure of the named type, made when a value first reaches it."""
        # Of two threads that make it at the same time, either result is kept.
        run = self._run
        if run is None:
            run = self._run = self.inner.closure()
        return run

    def _enter(self, find: Callable[[], Run]) -> Run:
        """Make the function that counts a level, and reads by what *find* returns."""
        depth, cost = self.depth, self.cost

        def run(value: Any) -> Any:
            frames = depth.frames
            if frames + cost > MAX_FRAMES:
                raise Mismatch
            depth.frames = frames + cost
            try:
                return find()(value)
            finally:
                depth.frames = frames

        return run
