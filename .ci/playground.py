"""The playground in the site: the files on which it runs, and the policy that keeps it there.

    python .ci/playground.py PYODIDE WHEELS PARTS

makes the folder PARTS of the package of Pyodide in the folder PYODIDE and of the files in WHEELS.
`mkdocs build`, whose hook this is, copies the folder that TYPESIG_PLAYGROUND names into the site;
without it the page says that it has no parts.
"""

from __future__ import annotations

import email
import json
import logging
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

PAGE = "playground.md"
PARTS = Path("assets", "playground", "parts")

#: The files of Pyodide that a browser loads; its list of packages leads elsewhere.
FILES = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]

#: What the page and the code that is pasted into it may load, and where they may send something.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
    "worker-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "form-action 'none'; base-uri 'none'"
)

_CHARSET = '<meta charset="utf-8">'


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Return the text of *page* with the policy, if it is the playground."""
    if page.file.src_uri != PAGE:
        return output
    assert _CHARSET in output, "the theme begins a page in another way"
    meta = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    return output.replace(_CHARSET, _CHARSET + meta, 1)


def on_post_build(config: Any, **_: Any) -> None:
    """Copy the parts into the site."""
    parts = os.environ.get("TYPESIG_PLAYGROUND")
    if parts is None:
        logging.getLogger("mkdocs.hooks").info(
            "The playground gets no parts; .ci/run site makes them"
        )
        return
    shutil.copytree(parts, Path(config["site_dir"]) / PARTS, dirs_exist_ok=True)


def make_parts(pyodide: Path, wheels: Path, parts: Path) -> None:
    """Write the folder *parts*: Pyodide, the wheels, and the list of what needs which."""
    (parts / "pyodide").mkdir(parents=True)
    (parts / "wheels").mkdir()
    for name in FILES:
        shutil.copy(pyodide / name, parts / "pyodide")
    lock = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))
    # Without packages, nothing that is imported is looked for elsewhere.
    (parts / "pyodide" / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}))
    found = {}
    for wheel in sorted(wheels.glob("*.whl")):
        shutil.copy(wheel, parts / "wheels")
        about, modules = _metadata(wheel)
        found[_named(about["Name"])] = (wheel.name, about, modules)
    first = _closure("typesig", found)
    needed = {
        module: [name for name in _closure(each, found) if name not in first]
        for each, (_, _, modules) in found.items()
        for module in modules
    }
    listed = {
        "typesig": found["typesig"][1]["Version"],
        "python": lock["info"]["python"],
        "first": first,
        "modules": {module: names for module, names in needed.items() if names},
        "bytes": sum(_size(parts / "wheels" / name) for name in first)
        + sum(map(_size, (parts / "pyodide").iterdir())),
    }
    (parts / "parts.json").write_text(json.dumps(listed, indent=1), "utf-8")


def _metadata(wheel: Path) -> tuple[Any, set[str]]:
    """Return the metadata of *wheel*, and the names of the modules that it has."""
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        [path] = [name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        about = email.message_from_bytes(file.read(path))
    tops = {
        re.split(r"[/.]", name)[0] for name in names if not re.match(r"[^/]+\.dist-info/", name)
    }
    return about, tops


def _closure(name: str, found: dict[str, Any]) -> list[str]:
    """Return the files of the distribution *name* and of all that it needs, which come first."""
    out: dict[str, None] = {}
    file, about, _ = found[name]
    for needed in about.get_all("Requires-Dist") or ():
        if "extra ==" not in needed:
            other = _named(re.match(r"[\w.-]+", needed)[0])  # type: ignore[index]
            # A marker may leave it out here; then it was not fetched.
            out |= dict.fromkeys(_closure(other, found) if other in found else ())
    return [*out, file]


def _named(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _size(path: Path) -> int:
    return path.stat().st_size


if __name__ == "__main__":
    make_parts(*map(Path, sys.argv[1:]))
