"""What outcomes share of their check: how a value is shown, and what is told beside it."""

from __future__ import annotations

import typesig
from typesig.providers.projection.replies import _show_text
from typesig.validation.outcome.check_context import NOT_WHOLE, CheckContext, PassthroughContext
from typesig.validation.policy import ENABLED


def test_what_cannot_be_shown_without_a_rewrite_is_not_whole() -> None:
    t = typesig.parse("() -> :one[:int, :string]").returns
    about = PassthroughContext("output", t, (), ENABLED)

    assert NOT_WHOLE is _show_text(about, 1)
    assert NOT_WHOLE is about.showing.exact(1)
    assert NOT_WHOLE is about.showing.data(1)
    assert not hasattr(about.showing, "other")


def test_a_check_says_nothing_beside_its_result() -> None:
    about = CheckContext("output", typesig.parse("() -> :int").returns, (), ENABLED)

    assert about.may_notice(None) is False
    assert about.find_notice(None) is None
