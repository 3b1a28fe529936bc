"""Settings of differences, from `[tool.typesig.diff]` in `pyproject.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from typesig.contracts.lock_diff import check_severities
from typesig.contracts.rows.rules import SEVERITIES, Severity
from typesig.errors import TypesigError, format_value


class Settings(NamedTuple):
    """Project settings of `typesig diff`: severities and the level that fails.

    #: severity: the severities of rules that are not the usual ones
    #: fail_on: the least severity for which a command fails, or None
    """

    severity: Mapping[str, Severity] = {}
    fail_on: Severity | None = None


def find_settings(folder: Path) -> Settings:
    """Read the settings from the nearest `pyproject.toml`, in *folder* or above it.

    Raises `TypesigError` for one that cannot be read, for unknown settings and for unknown rules.
    """
    for each in (folder, *folder.parents):
        file = each / "pyproject.toml"
        if file.is_file():
            return _read(file)
    return Settings()


def _read(file: Path) -> Settings:
    """Read and check the table `[tool.typesig.diff]` of the TOML *file*."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TypesigError(f"{file.name} cannot be read: {error}") from None
    place = f"{file.name}, [tool.typesig.diff]"
    table = _read_table(_read_table(_read_table(data, "tool"), "typesig"), "diff", place)
    if unknown := sorted(table.keys() - {"severity", "fail-on"}):
        raise TypesigError(
            f"{place}: there is no {format_value(unknown[0])}; write severity or fail-on"
        )
    fail_on = table.get("fail-on")
    if fail_on is not None and fail_on not in SEVERITIES:
        raise TypesigError(
            f"{place}: fail-on is {' or '.join(SEVERITIES)}, not {format_value(fail_on)}"
        )
    chosen = _read_table(table, "severity", place)
    return Settings(check_severities(chosen, f"{place}, severity"), fail_on)


def _read_table(data: dict[str, Any], key: str, place: str = "") -> dict[str, Any]:
    """Get the TOML table `data[key]`, empty if absent; *place* is for errors."""
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise TypesigError(
            f"{place or 'pyproject.toml'}: {key} is a table, not {format_value(found)}"
        )
    return found
