"""Signatures that commands read from arguments and files, and types that they write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from typesig.algebra.loss import Losses
from typesig.algebra.signature import Signature
from typesig.cli.inputs import data
from typesig.cli.inputs.output import print_errors, print_text, stop
from typesig.notations import NOTATIONS, convert, parse
from typesig.notations.texts.notation import NotationName
from typesig.validation.issues import excerpt


def print_converted(
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
        print_text(data.write_indented_json({"result": result, "losses": told}))
        return
    print_text(result if isinstance(result, str) else data.write_indented_json(result))
    print_errors(map(str, (*losses, *others)), "lost")


def parse_signature(
    signature: str, source: NotationName, resources: Sequence[str], lossy: bool = False
) -> Signature:
    """Return the signature that *signature* denotes in the notation *source*."""
    options = {"resources": _read_resources(resources)} if resources else {}
    return parse(_read_argument(signature, source), source, lossy=lossy, **options)


def _read_resources(given: Sequence[str]) -> dict[str, Any]:
    """Parse options `URI=FILE`, and return the schema in each file by URI."""
    found = {}
    for each in given:
        uri, sign, file = each.rpartition("=")
        if not sign:
            stop(f"--resource is URI=FILE, not {excerpt.describe_value(each)}")
        found[uri] = data.read_document(file)
    return found


def _read_argument(argument: str, source: NotationName) -> object:
    """Read *argument* as the notation *source* needs it: as text, JSON or a file."""
    given = NOTATIONS[source].given
    match given:
        case "json":
            return data.read_document(argument)
        case "json or text":
            return data.parse_json_or_text(argument)
        case "text":
            return argument
        case _:
            assert_never(given)
