"""Two validators of JSON Schema that judge values: jsonschema, in Python, and jsonschema-rs.

Used by `json_schemas.py` and `mcp_tools.py`.  Both assert formats.  OpenAPI's `nullable`, which
neither knows, is rewritten for them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from schema_walk import NAMED, draft_of

#: The dependencies of typesig.
NEEDED = ("docstring_parser>=0.16", "typing_extensions>=4.12")
#: The classes of both validators for each draft; the second has none for draft 3.
CLASSES = {
    "3": ("Draft3Validator", ""),
    "4": ("Draft4Validator", "Draft4Validator"),
    "6": ("Draft6Validator", "Draft6Validator"),
    "7": ("Draft7Validator", "Draft7Validator"),
    "2019-09": ("Draft201909Validator", "Draft201909Validator"),
    "2020-12": ("Draft202012Validator", "Draft202012Validator"),
}


class Late(BaseException):
    """The time is over. Not an Exception, so that no handler on the way catches it."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Late inside when *seconds* are over. Needs POSIX and the main thread."""

    def late(*_: Any) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def for_judges(schema: Any) -> Any:
    """Return *schema* with `nullable` expressed by `type`, and each `$ref` written as a URI."""
    if isinstance(schema, list):
        return [for_judges(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for word, held in schema.items():
        if word in ("enum", "const", "default", "examples", "example"):
            made[word] = held
        elif word == "$ref" and isinstance(held, str):
            made[word] = quote(held, safe="%/:#?&=@+~!$,;*'()")
        elif word in NAMED and isinstance(held, dict):
            # A property may be called "nullable".
            made[word] = {name: for_judges(each) for name, each in held.items()}
        else:
            made[word] = for_judges(held)
    if made.get("nullable") is True and "type" in made:
        del made["nullable"]
        told = made["type"] if isinstance(made["type"], list) else [made["type"]]
        # In OpenAPI 3.0.3 it only widens `type`: an `enum` has to list null itself.
        made["type"] = [*told, *([] if "null" in told else ["null"])]
    return made


def _nowhere(address: str) -> Any:
    raise LookupError(f"cannot resolve {address}")


class Judges:
    """Verdicts of both validators for one schema, with the formats of its draft or of all drafts.

    Raises ValueError if a validator cannot read the schema.
    """

    def __init__(self, schema: Any, all_formats: bool = False) -> None:
        import jsonschema
        import jsonschema_rs

        self.draft = draft_of(schema)
        ours, other = CLASSES[self.draft]
        schema = for_judges(schema)
        cls = getattr(jsonschema, ours)
        newest = jsonschema.Draft202012Validator.FORMAT_CHECKER
        try:
            # Without formats: a pattern that Python cannot read is still a pattern.
            cls.check_schema(schema, format_checker=jsonschema.FormatChecker(formats=()))
            self.slow = cls(schema, format_checker=newest if all_formats else cls.FORMAT_CHECKER)
        except Exception as error:
            raise ValueError(f"no schema: {type(error).__name__}") from error
        self.quick: Any = None
        try:
            if other:
                judge = getattr(jsonschema_rs, other)
                known = {
                    name: jsonschema_rs.Draft202012Validator(
                        {"format": name}, validate_formats=True
                    ).is_valid
                    for name in (newest.checkers if all_formats else ())
                }
                self.quick = judge(schema, validate_formats=True, formats=known, retriever=_nowhere)
        except Exception as error:
            if "resol" in str(error).lower() or "retriev" in str(error).lower():
                raise ValueError(f"$ref outside: {error}") from error

    def first(self, value: Any) -> bool | None:
        """Return the verdict of the fast validator, or None if it cannot judge."""
        try:
            return None if self.quick is None else bool(self.quick.is_valid(value))
        except Exception:
            # The integer is too large for it, or the value too deep.
            return None

    def second(self, value: Any) -> bool | None:
        """Return the verdict of the slow validator, or None if it fails on the schema."""
        try:
            return bool(self.slow.is_valid(value))
        except Exception:
            # A pattern that Python cannot read, or an external reference.
            return None


def again(folder: Path, wanted: list[str], program: str, arguments: list[str]) -> int:
    """Run *program* in a new environment below *folder* that has *wanted*; return its status.

    The option `--site` tells it the folder of the packages of that environment.
    """
    venv.create(folder / "venv", with_pip=True)
    python = str(folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *NEEDED, *wanted], check=True)
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True)
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    command = [python, program, *arguments, "--site", site.stdout.strip()]
    return subprocess.run(command, env=env).returncode
