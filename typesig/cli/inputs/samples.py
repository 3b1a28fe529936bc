"""Infers a type from the lines of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from typesig.cli.inputs.bulk import run_in_processes
from typesig.cli.inputs.data import Chunk, Line, format_place, read_value
from typesig.cli.inputs.output import print_errors, stop
from typesig.errors import TypesigError
from typesig.limits import MAX_LINES
from typesig.relations.inference import Inference
from typesig.validation.issues.excerpt import describe_value
from typesig.validation.json_text import BadJson


class SampleOptions(NamedTuple):
    """Options for sampling a file, which can be pickled for another process.

    #: name: the file, as messages name it; each: whether the items of lists are the samples
    #: options: those of `Inference`
    """

    name: str
    each: bool
    options: dict[str, Any]


class Sampler:
    """Collector of sample values from lines, for type inference.

    #: inference: of the samples; bad: how many lines have none
    #: problems: why, for as many as are printed
    """

    def __init__(self, asked: SampleOptions) -> None:
        self._asked = asked
        self.inference = Inference(**asked.options)
        self.bad = 0
        self.problems: list[str] = []

    def add(self, line: Line) -> bool:
        """Add the samples of *line*; False if it has none.

        Raises `TypesigError` with the place if the inference cannot go on.
        """
        try:
            value = read_value(line)
        except BadJson as error:
            return self._refuse(line, str(error))
        if self._asked.each and not isinstance(value, list):
            return self._refuse(line, f"expected list, got {describe_value(value)}")
        try:
            for sample in value if self._asked.each else (value,):
                self.inference.add(sample)
        except TypesigError as error:
            raise type(error)(f"{format_place(self._asked.name, line)}: {error}") from None
        return True

    def _refuse(self, line: Line, problem: str) -> bool:
        """Count *line* as bad and record its *problem*; return False."""
        self.bad += 1
        if self.bad <= MAX_LINES:
            self.problems.append(f"{format_place(self._asked.name, line)}: {problem}")
        return False

    def report(self, before: Callable[[], None]) -> None:
        """Print new problems of lines, after a call of *before*."""
        if self.problems:
            before()
            print_errors(self.problems)
            self.problems = []

    def take(self, other: Sampler) -> bool:
        """Merge *other* if that equals adding its lines; return whether it was merged."""
        if not self.inference.take(other.inference):
            return False
        self.problems += other.problems[: max(0, MAX_LINES - self.bad)]
        self.bad += other.bad
        return True


def sample_chunk(asked: SampleOptions, chunk: Chunk) -> Sampler | None:
    """Sampler of *chunk*; None if the inference cannot go on."""
    sampler = Sampler(asked)
    try:
        for line in chunk.iter_lines():
            sampler.add(line)
    except TypesigError:
        # With the samples before these, the place and the reason may be others.
        return None
    return sampler


def sample_lines(
    asked: SampleOptions, lines: Iterable[Line], before: Callable[[], None]
) -> tuple[Inference, int]:
    """Infer a type from *lines*; return the inference and the number of bad lines.

    *before* is called before something is printed.
    """
    sampler = Sampler(asked)
    with _report_errors():
        for line in lines:
            if not sampler.add(line):
                sampler.report(before)
    return _finish(sampler)


def sample_by_processes(
    asked: SampleOptions, chunks: Iterable[Chunk], jobs: int, before: Callable[[], None]
) -> tuple[Inference, int]:
    """Infer a type from *chunks* in *jobs* processes; see `sample_lines`.

    A chunk with new names is read here again, so that all is as with one process.
    """
    sampler = Sampler(asked)
    results = run_in_processes(sample_chunk, asked, chunks, jobs, asked.name)
    with _report_errors(), closing(results):
        for chunk, other in results:
            if other is None or not sampler.take(other):
                for line in chunk.iter_lines():
                    sampler.add(line)
            sampler.report(before)
    return _finish(sampler)


@contextmanager
def _report_errors() -> Iterator[None]:
    """Stop the command with the message of a `TypesigError` raised in the context."""
    try:
        yield
    except TypesigError as error:
        stop(str(error))


def _finish(sampler: Sampler) -> tuple[Inference, int]:
    """Print the number of hidden problems; return the inference and the bad line count."""
    if sampler.bad > MAX_LINES:
        print_errors(f"… and {sampler.bad - MAX_LINES} more")
    return sampler.inference, sampler.bad
