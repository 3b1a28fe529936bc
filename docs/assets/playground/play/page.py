"""What the worker of the playground asks: JSON text in, JSON text out.

`Page.answer` takes a request, an object with `do` and what that needs, and returns an object.  What
somebody pasted is hostile: each text that comes in has a limit, and so has each text that goes out.
A mistake in it is the `error` of the answer, with the message of typesig as it is.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Sequence
from typing import Any

import typesig
from play.marks import mark_error, to_json
from play.pasted import (
    MAX_SOURCE,
    Mistake,
    Opened,
    guess_kind,
    mistake_of,
    modules_in,
    opened,
    usual_name,
)
from play.rows import Thing, definition_row, notation_row, sent_to_vendors, size_rows
from play.sent import can_call, forms_of, read_text
from play.texts import cut, lines, loss_lines
from typesig.errors import TypesigError, format_value
from typesig.notations import NOTATIONS
from typesig.validation.policy import MODES


class Page:
    """What is open in the playground, and what is asked of it."""

    def __init__(self) -> None:
        self._opened: Opened | None = None
        self._name = ""

    def answer(self, request: str) -> str:
        """Return the answer to *request*; never raises for what is in it."""
        asked = json.loads(request)
        try:
            return json.dumps(self._answer(asked))
        except Mistake as mistake:
            return _error(mistake.title, mistake.text, _marks(mistake, asked))
        except TypesigError as error:
            return _error(type(error).__name__, str(error), _marks(error, asked))
        except RecursionError:
            return _error("RecursionError", "this nests too deep for the stack of a browser")
        except Exception as error:
            # The code of what is pasted may run late, such as a validator; all else is a bug here.
            told = mistake_of(error)
            if told is not None:
                return _error(told.title, told.text)
            text = "".join(traceback.format_exception(error))
            return _error("a bug in typesig: please report it with a link", cut(text))

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        match request:
            case {"do": "needs", "kind": str(kind), "source": str(source)}:
                kind = guess_kind(source) if kind == "guess" else kind
                is_code = kind == "python" and len(source) <= MAX_SOURCE
                return {"kind": kind, "modules": modules_in(source) if is_code else []}
            case {"do": "open", "kind": str(kind), "source": str(source), "name": str(name)}:
                self._opened = None
                self._opened = opened(kind, source)
                self._name = name if name in self._opened.chosen else usual_name(self._opened)
                return self._described(self._opened)
            case {"do": "notations"}:
                return {"rows": [notation_row(self._thing(), name) for name in NOTATIONS]}
            case {"do": "definitions"}:
                return {"rows": [*map(definition_row, sent_to_vendors(self._thing()))]}
            case {"do": "tokens"}:
                return {"rows": size_rows(self._thing())}
            case {"do": "read", "sent": str(sent), "mode": str(mode), "form": str(form), **more}:
                return read_text(self._thing(), sent, mode, form, more.get("call") is True)
            case _:
                raise TypesigError(f"the page knows no request {format_value(request)}")

    def _thing(self) -> Thing:
        if self._opened is None:
            raise TypesigError("nothing is open: what is above cannot be read")
        return self._opened.chosen[self._name]

    def _described(self, found: Opened) -> dict[str, Any]:
        thing = self._thing()
        is_tool = isinstance(thing, typesig.Tool)
        warnings = (*found.warnings, *thing.warnings)
        return {
            "kind": found.kind,
            "names": [*found.chosen],
            "unnamed": found.unnamed,
            "name": self._name,
            "is_tool": is_tool,
            "signature": cut(NOTATIONS["shorthand"].render(thing.signature, not is_tool)[0]),
            "prompt": cut(thing.prompt()),
            "warnings": lines(warnings),
            "losses": loss_lines(found.losses),
            "printed": found.printed,
            "can_call": found.kind == "python" and can_call(thing),
            "forms": forms_of(thing),
            "modes": [*MODES],
        }


def _error(title: str, text: str, marks: Sequence[dict[str, Any]] = ()) -> str:
    return json.dumps({"error": {"title": title, "text": text, "marks": marks}})


def _marks(error: Exception, request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the marks of *error* in the pasted text, if the *request* was to open it."""
    if request.get("do") != "open":
        return []
    return to_json(mark_error(error, request["source"]), request["source"])
