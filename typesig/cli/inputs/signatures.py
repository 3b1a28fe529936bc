"""Signatures that commands read from arguments and files, and types that they write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.cli.inputs import data
from typesig.cli.inputs.output import complain, say, stop
from typesig.notations import NOTATIONS, convert, parse
from typesig.notations.texts.notation import NotationName
from typesig.validation.issues import excerpt


def say_converted(
    x: object,
    notation: NotationName,
    losses: Losses = (),
    options: dict[str, Any] | None = None,
    as_json: bool = False,
) -> None:
    """Print *x*, a signature or a type, in *notation*, and the losses of this and *losses*."""
    result, others = convert(x, notation, **(options or {}))
    if as_json:
        told = [each.to_json() for each in (*losses, *others)]
        say(data.indented_json({"result": result, "losses": told}))
        return
    say(result if isinstance(result, str) else data.indented_json(result))
    complain(map(str, (*losses, *others)), "lost")


def parsed_from(
    signature: str, source: NotationName, resources: Sequence[str], lossy: bool = False
) -> Signature:
    """Return the signature that *signature* denotes in the notation *source*."""
    options = {"resources": _resources(resources)} if resources else {}
    return parse(_given(signature, source), source, lossy=lossy, **options)


def _resources(given: Sequence[str]) -> dict[str, Any]:
    """Return the schemas of `URI=FILE`, by URI, which may contain a `=` itself."""
    found = {}
    for each in given:
        uri, sign, file = each.rpartition("=")
        if not sign:
            stop(f"--resource is URI=FILE, not {excerpt.shown(each)}")
        found[uri] = data.read_document(file)
    return found


def _given(argument: str, source: NotationName) -> object:
    """Return what the parser of the notation *source* takes for *argument*."""
    given = NOTATIONS[source].given
    match given:
        case "json":
            return data.read_document(argument)
        case "json or text":
            return data.json_or_text(argument)
        case "text":
            return argument
        case _:
            assert_never(given)
