"""Default name and version of a server, from the module of its tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

#: What a server is called if its tools have no module in common, and the version of no package.
NO_NAME, NO_VERSION = "tools", "0"

#: The modules of functions that call the tools of others say nothing of these.
_OWN = "typesig"


def find_server_name(tools: Iterable[Any]) -> str:
    """Find a server name: the common module or package of *tools*, or the script's name."""
    module = _find_common_module(tools)
    if module != "__main__":
        return module or NO_NAME
    main: Any = sys.modules["__main__"]
    spec, file = getattr(main, "__spec__", None), getattr(main, "__file__", None)
    if spec is not None:
        return str(spec.name).removesuffix(".__main__")
    return NO_NAME if file is None else Path(file).stem


def find_server_version(tools: Iterable[Any]) -> str:
    """Version of the distribution that contains the module of *tools*.

    Without one, it is the `__version__` of the module or of the nearest package around it.
    """
    name = _find_common_module(tools)
    module = sys.modules.get(name)
    if module is None:
        return NO_VERSION
    found = _find_distribution(module)
    metadata: Any = {} if found is None else found.metadata
    told = metadata.get("Version")
    while told is None and name:
        own = getattr(sys.modules.get(name), "__version__", None)
        told = own if isinstance(own, str) else None
        name = name.rpartition(".")[0]
    return told or NO_VERSION


def _find_common_module(tools: Iterable[Any]) -> str:
    """Return the module of *tools*, or the package that their modules share."""
    names = {str(getattr(one, "__module__", "")) for one in tools}
    parts = [each.split(".") for each in names if each.partition(".")[0] != _OWN]
    shared = takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False))
    return ".".join(level[0] for level in shared)


def _find_distribution(module: ModuleType) -> Distribution | None:
    """Distribution that contains the file of *module*, or is installed around it."""
    if not isinstance(getattr(module, "__file__", None), str):
        return None
    path, top = Path(str(module.__file__)).resolve(), module.__name__.partition(".")[0]
    around: dict[int, Distribution] = {}
    for each in distributions():
        if _has(each, path, top):
            return each
        folder = _find_source_folder(each)
        if folder is not None and path.is_relative_to(folder):
            around[len(folder.parts)] = each
    return around[max(around)] if around else None


def _has(found: Distribution, path: Path, top: str) -> bool:
    """Whether the distribution *found* has installed *path* of the package *top*."""
    root = Path(str(found.locate_file(""))).resolve()
    if not path.is_relative_to(root):
        return False
    record = found.read_text("RECORD")
    if record is None:
        return top in (found.read_text("top_level.txt") or "").split()
    return f"\n{path.relative_to(root).as_posix()}," in f"\n{record}"


def _find_source_folder(found: Distribution) -> Path | None:
    """Return the source folder of the distribution *found* if its install is editable."""
    try:
        told = json.loads(found.read_text("direct_url.json") or "{}")
        if not told.get("dir_info", {}).get("editable"):
            return None
        return Path(url2pathname(urlsplit(told["url"]).path)).resolve()
    except (ValueError, KeyError, TypeError, AttributeError):
        # A file that its installer did not write.
        return None
