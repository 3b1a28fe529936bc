"""The room of the Model Context Protocol: its names, what it loads, and what it says without it."""

from __future__ import annotations

import subprocess
import sys

import pytest

import typesig
from typesig import TypesigError
from typesig.mcp.transport.sdk import import_sdk


def test_the_room_is_there_once_the_package_is_imported() -> None:
    assert set(typesig.mcp.__all__) <= set(dir(typesig.mcp))
    for name in typesig.mcp.__all__:
        assert getattr(typesig.mcp, name).__doc__


def test_the_room_has_no_other_names() -> None:
    with pytest.raises(AttributeError) as raised:
        typesig.mcp.no_such  # type: ignore[attr-defined]  # noqa: B018

    assert "module 'typesig.mcp' has no attribute 'no_such'" == str(raised.value)


def test_without_the_sdk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(TypesigError) as raised:
        import_sdk()

    assert "typesig.mcp needs mcp, of its extra: pip install 'typesig[mcp]'" == str(raised.value)


@pytest.mark.needs_process
def test_the_names_of_the_room_do_not_load_the_sdk() -> None:
    code = "import sys, typesig\nfor name in typesig.mcp.__all__: getattr(typesig.mcp, name)\n"
    code += "print([name for name in ('mcp', 'anyio', 'pydantic') if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == ran.stdout.strip()
