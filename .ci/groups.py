"""Prints requirements of pyproject.toml, for a pip that has no option `--group`.

python .ci/groups.py dev docs     # the requirements of these groups
python .ci/groups.py --oldest     # the oldest versions that the package and its extras allow
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"

#: The extras whose oldest versions are tested.
OLDEST = ("cli", "openapi", "test")

_BOUND = re.compile(r"([\w.-]+(?:\[[\w,.-]+\])?)\s*>=\s*([\w.]+)")


def group(settings: Any, name: str) -> Iterator[str]:
    """Yield the requirements of the group *name* and of those that it includes."""
    for each in settings["dependency-groups"][name]:
        if isinstance(each, str):
            yield each
        else:
            yield from group(settings, each["include-group"])


def oldest(settings: Any) -> Iterator[str]:
    """Yield the oldest versions of the dependencies, and of those of the extras in `OLDEST`."""
    project = settings["project"]
    extras = project["optional-dependencies"]
    for each in [*project["dependencies"], *(line for name in OLDEST for line in extras[name])]:
        found = _BOUND.match(each)
        if found:
            yield f"{found[1]}=={found[2]}"


def main(arguments: list[str]) -> None:
    settings = tomllib.loads(PYPROJECT.read_text("utf-8"))
    for argument in arguments:
        for line in oldest(settings) if argument == "--oldest" else group(settings, argument):
            print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
