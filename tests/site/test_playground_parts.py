"""The files of the playground agree with each other, and the site gets what it runs on."""

from __future__ import annotations

import json
import re
import runpy
import types
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.site.playing import PLAYGROUND, ROOT

HOOK = ROOT / ".ci" / "playground.py"
PAGE = (ROOT / "docs" / "playground.md").read_text("utf-8")

has_hook = pytest.mark.skipif(not HOOK.exists(), reason="the tests run away from the checkout")


def hook() -> dict[str, Any]:
    return runpy.run_path(str(HOOK))


def wheel(folder: Path, name: str, module: str, needs: list[str]) -> None:
    """Write a wheel of the distribution *name* with one *module* that *needs* others."""
    lines = [f"Name: {name}", "Version: 1.2", *[f"Requires-Dist: {each}" for each in needs]]
    with zipfile.ZipFile(folder / f"{module}-1.2-py3-none-any.whl", "w") as file:
        file.writestr(f"{module}/__init__.py", "")
        file.writestr(f"{module}-1.2.dist-info/METADATA", "\n".join(lines) + "\n")


def test_the_page_has_each_part_that_its_script_looks_for() -> None:
    script = (PLAYGROUND / "page.js").read_text("utf-8")
    ids = set(re.findall(r'id="pg-([\w-]+)"', PAGE))
    asked = set(re.findall(r'\bat\("([\w-]+)"\)', script))

    assert set() == asked - ids
    assert {"signature", "notations", "definitions", "tokens"} == set(
        re.findall(r'aria-controls="pg-(\w+)"', PAGE)
    )


def test_each_field_of_the_page_has_a_label() -> None:
    fields = set(re.findall(r'<(?:select|textarea|input)[^>]* id="([\w-]+)"', PAGE))

    assert fields == set(re.findall(r'<label[^>]* for="([\w-]+)"', PAGE))


def test_the_worker_loads_each_module_of_its_python() -> None:
    script = (PLAYGROUND / "worker.js").read_text("utf-8")
    [listed] = re.findall(r"MODULES = \[(.*)\]", script)

    assert sorted(path.name for path in (PLAYGROUND / "play").glob("*.py")) == sorted(
        json.loads(f"[{listed}]")
    )


@has_hook
def test_only_the_page_of_the_playground_has_the_policy() -> None:
    on_post_page = hook()["on_post_page"]
    output = '<head><meta charset="utf-8"></head>'
    pages = [
        types.SimpleNamespace(file=types.SimpleNamespace(src_uri=name))
        for name in ("index.md", "playground.md")
    ]
    plain, kept = (on_post_page(output, page=page) for page in pages)

    assert output == plain
    assert 'http-equiv="Content-Security-Policy" content="default-src \'self\';' in kept
    assert "unsafe-eval'" not in kept.replace("wasm-unsafe-eval'", "")


@has_hook
def test_the_parts_are_what_is_needed_first_and_what_each_module_needs(tmp_path: Path) -> None:
    made = hook()
    pyodide, wheels, parts = tmp_path / "pyodide", tmp_path / "wheels", tmp_path / "parts"
    pyodide.mkdir()
    wheels.mkdir()
    for name in made["FILES"]:
        (pyodide / name).write_text(name)
    lock = {"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}
    (pyodide / "pyodide-lock.json").write_text(json.dumps(lock))
    wheel(wheels, "typesig", "typesig", ["typing_extensions>=4", 'click; extra == "cli"'])
    wheel(wheels, "typing_extensions", "typing_extensions", [])
    wheel(wheels, "Pydantic", "pydantic", ["pydantic-core==1", "typing-extensions", "tzdata; x"])
    wheel(wheels, "pydantic_core", "pydantic_core", ["typing-extensions"])
    made["make_parts"](pyodide, wheels, parts)
    listed = json.loads((parts / "parts.json").read_text())
    core, whole = ("pydantic_core-1.2-py3-none-any.whl", "pydantic-1.2-py3-none-any.whl")

    assert "1.2" == listed["typesig"]
    assert [
        "typing_extensions-1.2-py3-none-any.whl",
        "typesig-1.2-py3-none-any.whl",
    ] == listed["first"]
    assert {"pydantic": [core, whole], "pydantic_core": [core]} == listed["modules"]
    assert {} == json.loads((parts / "pyodide" / "pyodide-lock.json").read_text())["packages"]


@has_hook
def test_the_parts_are_copied_into_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_post_build = hook()["on_post_build"]
    parts, site = tmp_path / "parts", tmp_path / "site"
    parts.mkdir()
    (parts / "parts.json").write_text("{}")
    site.mkdir()
    monkeypatch.delenv("TYPESIG_PLAYGROUND", raising=False)
    on_post_build(config={"site_dir": str(site)})

    assert [] == [*site.iterdir()]

    monkeypatch.setenv("TYPESIG_PLAYGROUND", str(parts))
    on_post_build(config={"site_dir": str(site)})

    assert (site / "assets" / "playground" / "parts" / "parts.json").exists()
