"""Standard input and output of a server: pipes that its loop waits for, and all else."""

from __future__ import annotations

import asyncio
import os
import select
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest

pytest.importorskip("mcp")

import anyio

from typesig.mcp.transport import stdio
from typesig.mcp.transport.stdio import Output, iter_chunks

if os.name != "posix":
    pytest.skip("a loop waits for no pipe here", allow_module_level=True)

Ends = tuple[BinaryIO, BinaryIO]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """A pipe: what reads, and what writes."""
    source, sink = (
        os.fdopen(number, mode) for number, mode in zip(os.pipe(), ("rb", "wb"), strict=True)
    )
    yield source, sink
    source.close()
    sink.close()


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anyio.to_thread, "run_sync", None)


def read_whole(source: BinaryIO, between: Callable[[], None] = lambda: None) -> list[bytes]:
    """Return the parts of *source*; *between* is called when each has been read."""

    async def main() -> list[bytes]:
        found = []
        async for part in iter_chunks(source):
            found.append(part)
            between()
        return found

    return asyncio.run(main())


@pytest.mark.usefixtures("no_threads")
def test_the_loop_reads_a_pipe_as_it_is_written(ends: Ends) -> None:
    source, sink = ends
    sink.write(b"one")
    sink.flush()
    late = iter([lambda: os.write(sink.fileno(), b"two"), sink.close])

    assert [b"one", b"two"] == read_whole(source, lambda: next(late)())


@pytest.mark.usefixtures("no_threads")
def test_the_loop_reads_a_socket() -> None:
    one, other = socket.socketpair()
    with one, other, one.makefile("rb") as source:
        other.sendall(b"a frame")
        other.shutdown(socket.SHUT_WR)

        assert [b"a frame"] == read_whole(source)


def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "frames").write_bytes(b"one\ntwo\n")
    with open(tmp_path / "frames", "rb") as source:
        assert b"one\ntwo\n" == b"".join(read_whole(source))


def test_what_standard_input_has_read_before_is_not_waited_for(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, sink = ends
    sink.write(b"one\ntwo\n")
    sink.flush()
    assert b"one\n" == source.readline()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=source))

    assert [b"two\n"] == read_whole(source, sink.close)


def test_whoever_stops_reading_leaves_no_reader_behind(ends: Ends) -> None:
    source, _ = ends

    async def main() -> bool:
        reading = asyncio.ensure_future(anext(iter_chunks(source)))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait([reading])
        return asyncio.get_running_loop().remove_reader(source.fileno())

    assert asyncio.run(main()) is False


def test_a_part_that_comes_as_reading_ends_is_left() -> None:
    async def main() -> bool:
        ready = asyncio.get_running_loop().create_future()
        ready.cancel()
        stdio._set_ready(ready)
        return ready.cancelled()

    assert asyncio.run(main())


@pytest.mark.usefixtures("no_threads")
def test_the_loop_writes_a_short_frame_into_a_pipe(ends: Ends) -> None:
    source, sink = ends

    async def main() -> None:
        output = Output(sink)
        await output.write("é\n")
        await output.flush()

    asyncio.run(main())
    assert "é\n".encode() == source.read1()  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [10, 4 * select.PIPE_BUF])
def test_a_client_that_does_not_read_does_not_stop_the_loop(ends: Ends, size: int) -> None:
    source, sink = ends
    os.set_blocking(sink.fileno(), False)
    filled = 0
    while select.select([], [sink], [], 0)[1]:
        filled += os.write(sink.fileno(), b"x" * select.PIPE_BUF)
    os.set_blocking(sink.fileno(), True)

    async def main() -> bytes:
        writing = asyncio.ensure_future(Output(sink).write("y" * size))
        done, _ = await asyncio.wait([writing], timeout=0.05)
        assert not done
        found = await asyncio.to_thread(source.read, filled + size)
        await writing
        return found

    assert b"x" * filled + b"y" * size == asyncio.run(main())


def test_a_frame_for_a_file_is_written(tmp_path: Path) -> None:
    with open(tmp_path / "frames", "wb") as sink:
        asyncio.run(Output(sink).write("a frame\n"))

        assert "a frame\n" == (tmp_path / "frames").read_text()


def test_a_client_that_has_gone_is_told(ends: Ends) -> None:
    source, sink = ends
    source.close()

    async def main() -> Any:
        with pytest.raises(BrokenPipeError):
            await Output(sink).write("a frame\n")
        # Else closing it would write what is left.
        with pytest.raises(BrokenPipeError):
            sink.close()

    asyncio.run(main())
