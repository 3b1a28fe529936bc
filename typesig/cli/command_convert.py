"""The command `typesig convert`."""

from __future__ import annotations

import click

from typesig.cli.inputs.options import FROM, RESOURCE, TO, parse_signature, print_converted
from typesig.notations import NOTATIONS
from typesig.notations.texts.notation import NotationName

#: The notations that write the names of parameters only on request.
_NAMING = [name for name, notation in NOTATIONS.items() if "named" in notation.options]


@click.command()
@click.argument("signature")
@FROM
@RESOURCE
@TO
@click.option("--lossy", is_flag=True, help="Widen what cannot be read.")
@click.option(
    "--named", is_flag=True, help=f"Write the names of parameters too ({', '.join(_NAMING)})."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result and the losses as JSON.")
def convert(
    signature: str,
    source: NotationName,
    resources: tuple[str, ...],
    notation: NotationName,
    lossy: bool,
    named: bool,
    as_json: bool,
) -> None:
    """Print SIGNATURE in another notation.

    SIGNATURE is text; Malli may be JSON or EDN; a JSON Schema may also be the path of its file, or
    - for standard input.  Losses in reading and in writing are printed to standard error.
    """
    parsed = parse_signature(signature, source, resources, lossy)
    print_converted(parsed, notation, parsed.losses, {"named": True} if named else {}, as_json)
