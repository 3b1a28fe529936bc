"""Infers a type from the lines of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from typesig.cli.inputs.bulk import in_processes
from typesig.cli.inputs.data import Chunk, Line, place_of, value_of
from typesig.cli.inputs.output import complain, stop
from typesig.errors import TypesigError
from typesig.limits import MAX_LINES
from typesig.relations.inference.inference import Inference
from typesig.validation.issues.excerpt import shown
from typesig.validation.rows.json_text import BadJson


class Sampled(NamedTuple):
    """How the samples of a file are taken; it can be sent to another process.

    #: name: the file, as messages name it; each: whether the items of lists are the samples
    #: options: those of `Inference`
    """

    name: str
    each: bool
    options: dict[str, Any]


class Sampler:
    """Takes the samples of lines.

    #: inference: of the samples; bad: how many lines have none
    #: problems: why, for as many as are printed
    """

    def __init__(self, asked: Sampled) -> None:
        self._asked = asked
        self.inference = Inference(**asked.options)
        self.bad = 0
        self.problems: list[str] = []

    def add(self, line: Line) -> bool:
        """Take the samples of *line*; tell whether it has any.

        Raises `TypesigError` with the place if the inference cannot go on.
        """
        try:
            value = value_of(line)
        except BadJson as error:
            return self._refuse(line, str(error))
        if self._asked.each and not isinstance(value, list):
            return self._refuse(line, f"expected list, got {shown(value)}")
        try:
            for sample in value if self._asked.each else (value,):
                self.inference.add(sample)
        except TypesigError as error:
            raise type(error)(f"{place_of(self._asked.name, line)}: {error}") from None
        return True

    def _refuse(self, line: Line, problem: str) -> bool:
        self.bad += 1
        if self.bad <= MAX_LINES:
            self.problems.append(f"{place_of(self._asked.name, line)}: {problem}")
        return False

    def report(self, before: Callable[[], None]) -> None:
        """Print the problems that were not printed, and call *before* if there are any."""
        if self.problems:
            before()
            complain(self.problems)
            self.problems = []

    def take(self, other: Sampler) -> bool:
        """Take what *other* has, if that is the same as adding its lines; tell whether it is."""
        if not self.inference.take(other.inference):
            return False
        self.problems += other.problems[: max(0, MAX_LINES - self.bad)]
        self.bad += other.bad
        return True


def sampled_chunk(asked: Sampled, chunk: Chunk) -> Sampler | None:
    """Return what has the samples of *chunk*; None if the inference cannot go on."""
    sampler = Sampler(asked)
    try:
        for line in chunk.lines():
            sampler.add(line)
    except TypesigError:
        # With the samples before these, the place and the reason may be others.
        return None
    return sampler


def samples_in(
    asked: Sampled, lines: Iterable[Line], before: Callable[[], None]
) -> tuple[Inference, int]:
    """Return the inference of *lines*, and how many lines have no samples, which are reported.

    *before* is called before something is printed.
    """
    sampler = Sampler(asked)
    with _stopping():
        for line in lines:
            if not sampler.add(line):
                sampler.report(before)
    return _ended(sampler)


def samples_by_processes(
    asked: Sampled, chunks: Iterable[Chunk], jobs: int, before: Callable[[], None]
) -> tuple[Inference, int]:
    """Return what `samples_in` does for the lines of *chunks*, which *jobs* processes read.

    A chunk with new names is read here again, so that all is as with one process.
    """
    sampler = Sampler(asked)
    results = in_processes(sampled_chunk, asked, chunks, jobs, asked.name)
    with _stopping(), closing(results):
        for chunk, other in results:
            if other is None or not sampler.take(other):
                for line in chunk.lines():
                    sampler.add(line)
            sampler.report(before)
    return _ended(sampler)


@contextmanager
def _stopping() -> Iterator[None]:
    try:
        yield
    except TypesigError as error:
        stop(str(error))


def _ended(sampler: Sampler) -> tuple[Inference, int]:
    if sampler.bad > MAX_LINES:
        complain(f"… and {sampler.bad - MAX_LINES} more")
    return sampler.inference, sampler.bad
