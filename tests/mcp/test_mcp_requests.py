"""The request of a served call: what it tells the client, and what it is without a server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Annotated, Any

import pytest

import typesig
from typesig import Injected, TypesigError, extract, tool, tools_of
from typesig.limits.network import MAX_NOTICE, MAX_NOTICES
from typesig.mcp import Request
from typesig.mcp.serving.call_runner import Notice, Notices
from typesig.mcp.serving.requests import Entry, Progress


class Own(Request):
    """A request of the host's own kind."""


def wanted(a: int, request: Request) -> int:
    return a


def postponed(a: int, request: typesig.mcp.Request) -> int:
    return a


def nullable(a: int, request: Request | None = None) -> int:
    return a


def annotated(a: int, request: Annotated[Request, "the request"]) -> int:
    return a


def injected(a: int, request: Injected[Request]) -> int:
    return a


def injected_or_none(a: int, request: Injected[Request] | None = None) -> int:
    return a


def own(a: int, request: Own) -> int:
    return a


@pytest.mark.parametrize(
    "function", [wanted, postponed, nullable, annotated, injected, injected_or_none, own]
)
def test_a_parameter_that_is_a_request_is_injected(function: Callable[..., int]) -> None:
    [one] = tools_of([function])
    [_, param] = one.binding.host.params

    assert "(a :int) -> :int" == str(one.signature) == str(extract(function).signature)
    assert ("request",) == one.needs
    assert () == one.warnings
    assert (Own if function is own else Request) is param.supplied


def test_an_explicit_signature_leaves_the_request_to_the_host() -> None:
    @tool("(a :int) -> :int")
    def f(a, request: Request):  # type: ignore[no-untyped-def]
        return a

    assert (("request",), Request) == (f.needs, f.binding.host.params[1].supplied)


def test_other_injected_parameters_stand_for_no_request() -> None:
    def f(a: int, db: Injected[dict[str, int]]) -> int:
        return a

    assert [None, None] == [param.supplied for param in tools_of([f])["f"].binding.host.params]


def test_a_request_outside_a_server_tells_nobody() -> None:
    request = Request()
    request.progress(1, 2, "half")
    request.log("nothing")

    assert (None, {}, "", None, False) == (
        request.id, dict(request.meta), request.client, request.context, request.cancelled
    )  # fmt: skip
    assert "<request None>" == repr(request)


def test_a_cancelled_request_tells_nothing_more() -> None:
    told: list[Notice] = []
    request = Request(told.append, id=3)
    request.progress(1)
    request.cancel()
    request.progress(2)
    request.log("late")

    assert [Progress(1, None, None)] == told
    assert request.cancelled
    assert "<request 3 (cancelled)>" == repr(request)


def test_what_is_told_is_text_that_can_be_sent_and_is_not_endless() -> None:
    told: list[Any] = []
    request = Request(told.append)
    request.progress(1, 3, "\ud800")
    request.log("x" * 20_000, "error", "shop")
    request.log({"rows": [1, "\ud800"]})
    request.log([0] * 20_000)

    assert Progress(1, 3, "\\ud800") == told[0]
    assert Entry("error", "x" * (MAX_NOTICE - 1) + "…", "shop") == told[1]
    assert Entry("info", {"rows": [1, "\\ud800"]}, None) == told[2]
    assert (MAX_NOTICE, "…") == (len(told[3].data), told[3].data[-1])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda r: r.progress("1"),
            "progress takes the number that is done, and the total: write request.progress(3, 10)",
        ),
        (
            lambda r: r.progress(1, float("nan")),
            "progress takes the number that is done, and the total: write request.progress(3, 10)",
        ),
        (
            lambda r: r.progress(10**400),
            "progress takes the number that is done, and the total: write request.progress(3, 10)",
        ),
        (
            lambda r: r.progress(True),
            "progress takes the number that is done, and the total: write request.progress(3, 10)",
        ),
        (lambda r: r.progress(1, 2, 3), "the message of progress is text, not int"),
        (
            lambda r: r.log("x", "loud"),
            "the level of a log is one of debug, info, notice, warning, error, critical, alert, emergency, not 'loud'",
        ),
        (lambda r: r.log("x", "info", 1), "logger is the name of a log, not int"),
        (
            lambda r: r.log(object()),
            "the log of a client takes text or JSON data, not object that JSON cannot write; write request.log(str(…))",
        ),
        (
            lambda r: r.log([float("inf")]),
            "the log of a client takes text or JSON data, not list that JSON cannot write; write request.log(str(…))",
        ),
    ],
)
def test_wrong_use_of_a_request(wrong: Callable[[Any], None], message: str) -> None:
    with pytest.raises(TypesigError) as raised:
        wrong(Request())

    assert message == str(raised.value)


def told_by(work: Callable[[Notices], Any], fails_after: int | None = None) -> list[Notice]:
    """Return what is sent while *work* runs; the client goes after *fails_after*."""
    sent: list[Notice] = []

    async def send(notice: Notice) -> None:
        await asyncio.sleep(0)
        if fails_after is not None and len(sent) >= fails_after:
            raise OSError("the client has gone")
        sent.append(notice)

    async def main() -> None:
        notices = Notices(send)
        made = work(notices)
        if made is not None:
            await made
        await notices.close()
        notices.post(Progress(9, None, None))
        await asyncio.sleep(0)

    asyncio.run(main())
    return sent


def test_notices_are_sent_in_order_and_all_before_the_end() -> None:
    entries = [Entry("info", number, None) for number in range(5)]

    def work(notices: Notices) -> None:
        for entry in entries:
            notices.post(entry)

    assert entries == told_by(work)


def test_notices_are_sent_while_the_call_runs() -> None:
    async def work(notices: Notices) -> None:
        for number in range(3):
            notices.post(Progress(number, None, None))
            for _ in range(5):
                await asyncio.sleep(0)

    assert [Progress(number, None, None) for number in range(3)] == told_by(work)


def test_newer_progress_replaces_older_that_is_not_sent_yet() -> None:
    def work(notices: Notices) -> None:
        for number in range(100):
            notices.post(Progress(number, None, None))
        notices.post(Entry("info", "done", None))
        notices.post(Progress(100, None, None))

    assert [
        Progress(0, None, None), Progress(99, None, None), Entry("info", "done", None),
        Progress(100, None, None),
    ] == told_by(work)  # fmt: skip


def test_a_message_tells_how_many_were_left_out() -> None:
    def work(notices: Notices) -> None:
        for number in range(MAX_NOTICES + 5):
            notices.post(Entry("info", number, None))

    sent = told_by(work)

    assert MAX_NOTICES + 1 == len(sent)
    assert Entry("warning", "5 messages were left out: they came too fast", None) == sent[-1]


def test_nothing_is_sent_to_a_client_that_has_gone() -> None:
    async def work(notices: Notices) -> None:
        notices.post(Progress(0, None, None))
        for _ in range(5):
            await asyncio.sleep(0)
        for number in range(5):
            notices.post(Entry("info", number, None))
            await asyncio.sleep(0)

    assert [Progress(0, None, None)] == told_by(work, fails_after=1)


def test_a_call_that_nobody_waits_for_sends_nothing() -> None:
    async def work(notices: Notices) -> None:
        notices.post(Entry("info", 1, None))
        notices.drop()
        await asyncio.sleep(0)

    assert [] == told_by(work)


def test_what_is_on_its_way_when_nobody_waits_any_more_is_the_last() -> None:
    async def work(notices: Notices) -> None:
        notices.post(Entry("info", 1, None))
        notices.post(Entry("info", 2, None))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        notices.drop()

    assert [Entry("info", 1, None)] == told_by(work)


@pytest.mark.needs_process
def test_a_thread_can_tell_and_outlive_the_loop() -> None:
    kept: list[Notices] = []

    def work(notices: Notices) -> Any:
        kept.append(notices)
        return asyncio.to_thread(notices.post, Entry("info", threading.main_thread().name, None))

    assert [Entry("info", "MainThread", None)] == told_by(work)

    async def made() -> Notices:
        return Notices(lambda notice: asyncio.sleep(0))

    left = asyncio.run(made())
    left.post(Entry("info", 1, None))
    left.post(Entry("info", 2, None))
