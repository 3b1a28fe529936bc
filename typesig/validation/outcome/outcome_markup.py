"""Texts and HTML for rich and for notebooks: bounded, escaped, without firewalled names.

They show what a model sees; `repr` shows developers the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from typesig.algebra.redaction import redact
from typesig.algebra.signature import Signature
from typesig.limits import MAX_REPORT, MAX_SHOWN, MAX_SHOWN_REPORT
from typesig.markup import Code, Part, cut, make_element
from typesig.notations.shorthand.writer import write_signature
from typesig.validation.check_state import Subject
from typesig.validation.issues.excerpt import describe_value, write_excerpt
from typesig.validation.issues.issues import Issue

# A name that may be firewalled; a hint or a message can contain one.
_HIDDEN = re.compile(r"(?<![\w-])[_-]\w")


def write_visible(signature: Signature, described: bool = True) -> str:
    """Write the shorthand of *signature* without firewalled parts, cut if long."""
    return cut(write_signature(redact(signature), described))


def list_visible_warnings(warnings: Iterable[object]) -> list[str]:
    """List the texts of the visible *warnings*, and a count of omitted ones.

    >>> list_visible_warnings(["a: unknown", "_key: unknown"])
    ['a: unknown', '1 more, not shown']
    """
    texts = [str(warning) for warning in warnings]
    kept = [cut(text) for text in texts if _HIDDEN.search(text) is None][:MAX_REPORT]
    more = len(texts) - len(kept)
    return [*kept, f"{more} more, not shown"] if more else kept


def iter_outcome_parts(
    value: str | None, errors: Sequence[Issue], warnings: Sequence[Issue]
) -> Iterator[Part]:
    """Yield the parts of an outcome for rich: its valid value, then its issues."""
    if value is not None:
        yield Code(value)
    for name, issues in (("errors", errors), ("warnings", warnings)):
        texts = [cut(str(issue)) for issue in issues[:MAX_REPORT]]
        if more := len(issues) - len(texts):
            texts.append(f"{more} more")
        if texts:
            yield name, texts


def write_outcome_html(value: str | None, text: str) -> str:
    """Return the HTML of an outcome for a notebook: a mark, its valid value, and *text*."""
    if value is None:
        shown = make_element("b", "✗ refused")
    else:
        shown = make_element("b", "✓ valid") + " " + make_element("code", value)
    told = cut(text, MAX_SHOWN_REPORT)
    return f"<div>{shown}{make_element('pre', told) if told else ''}</div>"


def write_value(value: Any, subject: Subject | None) -> str:
    """Return the text of the *value* of an outcome, without secrets."""
    # A value that is not refused may have firewalled values at any place.
    is_followed = subject is not None and (subject.secrets or subject.policy.on_issue != "fail")
    if subject is not None and is_followed and subject.may_hide:
        from typesig.validation.outcome.annotated_input import write_without_secrets

        return cut(write_without_secrets(value, subject, MAX_SHOWN))
    text = write_excerpt(value, MAX_SHOWN)
    # Only an object that JSON has no form for is shown as an ellipsis.
    return describe_value(value) if text == "…" else cut(text)
