"""The name and the version that a server tells of itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import typesig
from typesig.mcp.serving.server import find_server_name, find_server_version


class Of:
    """What is from a module."""

    def __init__(self, module: str) -> None:
        self.__module__ = module


@pytest.mark.parametrize(
    ("modules", "expected"),
    [
        (["shop.tools"], "shop.tools"),
        (["shop.tools", "shop.tools"], "shop.tools"),
        (["shop.tools", "shop.more.tools"], "shop"),
        (["shop.tools", "shopping"], "tools"),
        (["shop", "typesig.mcp.client.tool_calls"], "shop"),
        (["typesig.mcp.client.tool_calls"], "tools"),
        ([], "tools"),
    ],
)
def test_a_server_is_called_as_the_module_or_the_package_of_its_tools(
    modules: list[str], expected: str
) -> None:
    assert expected == find_server_name(map(Of, modules))


class Spec:
    def __init__(self, name: str) -> None:
        self.name = name


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ({"__spec__": Spec("shop.__main__"), "__file__": "/x/shop/__main__.py"}, "shop"),
        ({"__spec__": None, "__file__": "/x/answer.py"}, "answer"),
        ({}, "tools"),
    ],
)
def test_the_tools_of_a_program_are_called_as_the_program(
    main: dict[str, Any], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ModuleType("__main__")
    vars(made).update(main)
    monkeypatch.setitem(sys.modules, "__main__", made)

    assert expected == find_server_name([Of("__main__")])


class Site:
    """A folder with packages that an installer has put there."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(sys, "path", [str(folder)])

    def installed(self, name: str, version: str | None, **files: str) -> None:
        info = self.folder / f"{name}.dist-info"
        info.mkdir(parents=True)
        told = "" if version is None else f"Version: {version}\n"
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\n{told}")
        for file, text in files.items():
            (info / file.replace("__", ".")).write_text(text)

    def module(self, name: str, path: Path | None, **values: Any) -> Of:
        """Import a module called *name* at *path*; return a tool of it."""
        made = ModuleType(name)
        vars(made).update(values)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
            made.__file__ = str(path)
        self._monkeypatch.setitem(sys.modules, name, made)
        return Of(name)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(tmp_path / "site", monkeypatch)


def test_the_version_is_that_of_the_distribution_that_has_the_file(site: Site) -> None:
    site.installed("other", "1", RECORD="shop.py,,\nshop/tools.pyc,,\n")
    site.installed("shopping", "2.3", RECORD="shop/__init__.py,,\nshop/tools.py,sha256=x,9\n")
    one = site.module("shop.tools", site.folder / "shop" / "tools.py", __version__="no")
    near = site.module("shop.near", site.folder / "shop" / "near.py")

    assert ("2.3", "0") == (find_server_version([one]), find_server_version([near]))


def test_a_distribution_without_a_record_has_its_top_packages(site: Site) -> None:
    site.installed("old", "4", top_level__txt="x\nshop\n")
    one = site.module("shop.tools", site.folder / "shop" / "tools.py")
    two = site.module("stop.tools", site.folder / "stop" / "tools.py")

    assert ("4", "0") == (find_server_version([one]), find_server_version([two]))


def url(folder: Path, editable: bool = True) -> str:
    return json.dumps({"url": folder.as_uri(), "dir_info": {"editable": editable}})


def test_a_distribution_that_runs_from_a_folder_has_what_is_in_it(
    site: Site, tmp_path: Path
) -> None:
    work = tmp_path / "my work"
    site.installed("outer", "1", direct_url__json=url(work))
    site.installed("inner", "2", direct_url__json=url(work / "inner"))
    site.installed("copied", "3", direct_url__json=url(work / "copied", False))
    for name, text in {"a": "[", "b": "[]", "c": '{"dir_info": {"editable": true}}'}.items():
        site.installed(name, "9", direct_url__json=text)
    found = [
        find_server_version([site.module(f"made_{name}", work / name / "x.py")])
        for name in ("inner", "copied", "")
    ]

    assert ["2", "1", "1"] == found


def test_without_a_distribution_the_nearest_package_says_its_version(site: Site) -> None:
    site.installed("nameless", None, RECORD="shop/tools.py,,\n")
    site.module("shop", None, __version__="7")
    one = site.module("shop.tools", site.folder / "shop" / "tools.py", __version__=3)
    two = site.module("own", None, __version__="8")

    assert ["7", "8", "0"] == [
        find_server_version([one]),
        find_server_version([two]),
        find_server_version([Of("no_such")]),
    ]
    assert "0" == find_server_version([one, two])


def test_a_server_tells_its_own_name_and_version_unless_others_are_given(site: Site) -> None:
    pytest.importorskip("mcp")

    def double(n: int) -> int:
        return 2 * n

    double.__module__ = "shop.tools"
    site.installed("shopping", "2.3", RECORD="shop/tools.py,,\n")
    site.module("shop.tools", site.folder / "shop" / "tools.py")
    told = [
        (made.lowlevel.name, made.lowlevel.version)
        for made in (
            typesig.mcp.server([double]),
            typesig.mcp.server([double], name="own"),
            typesig.mcp.server([double], version=""),
        )
    ]

    assert [("shop.tools", "2.3"), ("own", "2.3"), ("shop.tools", "")] == told
