"""The severities and settings of a project, from `pyproject.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contracts.pairs import lock_of
from typesig import TypesigError
from typesig.contracts import diff
from typesig.contracts.lock_diff import Settings, find_settings


def test_the_nearest_file_is_read(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    text = '[tool.typesig.diff]\nfail-on = "dangerous"\n'
    text += '[tool.typesig.diff.severity]\ntool-removed = "additive"\n'
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")

    assert Settings({"tool-removed": "additive"}, "dangerous") == find_settings(inner)

    (tmp_path / "a" / "pyproject.toml").write_text("", encoding="utf-8")
    assert Settings() == find_settings(inner)


def test_without_a_file_there_are_no_settings() -> None:
    assert Settings() == find_settings(Path("/nowhere/at/all"))


HEAD = "pyproject.toml, [tool.typesig.diff]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "pyproject.toml cannot be read: "),
        ("tool = 1", "pyproject.toml: tool is a table, not 1"),
        ("[tool]\ntypesig = []", "pyproject.toml: typesig is a table, not []"),
        ("[tool.typesig]\ndiff = 1", f"{HEAD}: diff is a table, not 1"),
        ("[tool.typesig.diff]\nfail = 1", f"{HEAD}: there is no 'fail'; write severity or fail-on"),
        (
            "[tool.typesig.diff]\nfail-on = 1",
            f"{HEAD}: fail-on is additive or dangerous or breaking, not 1",
        ),
        ("[tool.typesig.diff]\nseverity = 1", f"{HEAD}: severity is a table, not 1"),
        (
            '[tool.typesig.diff.severity]\ntool-remove = "additive"',
            f"{HEAD}, severity: there is no rule 'tool-remove'; did you mean tool-removed?",
        ),
        (
            '[tool.typesig.diff.severity]\nx = "additive"',
            f"{HEAD}, severity: there is no rule 'x'; they are in docs/reference/diff-rules.md",
        ),
        (
            '[tool.typesig.diff.severity]\ntool-removed = "bad"',
            f"{HEAD}, severity: tool-removed is additive, dangerous or breaking, not 'bad'",
        ),
    ],
)
def test_a_bad_setting_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(TypesigError) as caught:
        find_settings(tmp_path)

    assert str(caught.value).startswith(message)


def test_a_severity_can_be_set_in_python() -> None:
    old, new = lock_of("() -> :int"), lock_of("() -> :int", "g")

    assert "additive" == diff(old, new, {"tool-renamed": "additive"}).severity
    with pytest.raises(TypesigError, match=r"^severities: there is no rule 'tool-gone'"):
        diff(old, new, {"tool-gone": "additive"})
