"""Side effects of running code: events, output, changed state. Part of packages.py.

An audit hook (PEP 578) sees files opened, sockets, processes, imports and code run from text; other
state is compared before and after.  Code without an audit event, such as a method of the package
that is called while a hint is read, is not detected unless it does one of these.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

#: Events without an effect.
QUIET = frozenset({
    "sys._getframe", "object.__getattr__", "os.listdir", "os.scandir", "marshal.loads",
    "sys.monitoring.register_callback", "code.__new__", "builtins.id", "array.__new__",
    "sys._current_frames", "marshal.load", "glob.glob",
})  # fmt: skip

#: Packages that typesig may import: itself, its dependencies and the standard library.
OWN = frozenset({"typesig", "docstring_parser", "typing_extensions", "re2"})


class Effects:
    """The side effects of the code in `during()`.

    #: reads: the files that were read, by kind; imports: the modules that were imported
    #: parsed: how often text was parsed, which does not run it
    #: found: the forbidden effects, one line each with the place
    """

    def __init__(self) -> None:
        self.reads: Counter[str] = Counter()
        self.imports: Counter[str] = Counter()
        self.parsed = 0
        self.found: list[str] = []
        self._place = ""
        self._watching = False
        sys.addaudithook(self._event)

    def _event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._watching or threading.current_thread() is not threading.main_thread():
            return
        if event == "open":
            self._opened(*arguments)
        elif event == "import":
            top = str(arguments[0]).partition(".")[0]
            self.imports[top] += 1
            if top not in OWN and top not in sys.stdlib_module_names:
                self._imported(str(arguments[0]), top)
        elif event == "compile":
            self.parsed += 1
        elif event == "exec":
            # The code of an imported module comes from a file, or is frozen.
            name = getattr(arguments[0], "co_filename", "")
            if name.startswith("<") and not name.startswith("<frozen"):
                self._ran(name)
        elif event not in QUIET:
            self._keep(f"{event} {arguments!r:.100}")

    def _opened(self, path: Any, mode: Any, flags: Any) -> None:
        changes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (
            isinstance(flags, int) and flags & changes
        ):
            self._keep(f"opens {path!r} for writing")
            return
        if isinstance(path, str) and path.startswith("<"):
            # For a syntax error in text, the interpreter looks for its source to show the line.
            return
        end = os.path.splitext(os.fsdecode(path))[1] if isinstance(path, str | bytes) else "other"
        self.reads[end or "other"] += 1
        if end not in (".py", ".pyc", ".json"):
            self._keep(f"reads {path!r}")

    def _imported(self, name: str, top: str) -> None:
        self._watching = False
        # A hint can name an object that a lazy package loads on demand.
        lazy = any(f.f_code.co_name == "__getattr__"
                   and str(f.f_globals.get("__name__")).partition(".")[0] == top
                   for f in _frames())  # fmt: skip
        self._watching = True
        if not lazy:
            self.found.append(f"{self._place}: imports {name}")

    def _ran(self, name: str) -> None:
        self._watching = False
        # inspect looks up the names of defaults in the text signature of a builtin.
        told = any(f.f_code.co_name == "wrap_value" and f.f_globals["__name__"] == "inspect"
                   for f in _frames())  # fmt: skip
        self._watching = True
        if not told:
            self._keep(f"runs code from {name}")

    def _keep(self, line: str) -> None:
        self._watching = False
        # Effects of importing a module are part of the import, which is recorded.
        if not _importing():
            self.found.append(f"{self._place}: {line}")
        self._watching = True

    @contextlib.contextmanager
    def during(self, place: str, target: Any) -> Iterator[None]:
        """Record the side effects of the code inside, and the state that it changed."""
        out, err = io.StringIO(), io.StringIO()
        with (
            warnings.catch_warnings(record=True) as told,
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            warnings.simplefilter("always")
            before = _state(target)
            self._place, self._watching = place, True
            try:
                yield
            finally:
                self._watching = False
                after = _state(target)
        lines = [f"changes {name}" for name, value in before.items() if value != after[name]]
        for name, stream in (("stdout", out), ("stderr", err)):
            if stream.getvalue():
                lines.append(f"writes to {name}: {stream.getvalue()!r:.100}")
        lines += [f"{warning.category.__name__}: {warning.message}"[:150] for warning in told]
        self.found.extend(f"{place}: {line}" for line in lines)


def _frames() -> Iterator[Any]:
    frame: Any = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def _importing() -> bool:
    return any(f.f_code.co_filename == "<frozen importlib._bootstrap>" for f in _frames())


def _state(target: Any) -> dict[str, Any]:
    """Return the state that must be the same before and after."""
    return {
        "os.environ": dict(os.environ),
        "the working directory": os.getcwd(),
        "sys.path": list(sys.path),
        "sys.meta_path": list(sys.meta_path),
        "the warnings' filters": list(warnings.filters),
        "the threads": threading.active_count(),
        "the recursion limit": sys.getrecursionlimit(),
        "the hooks of sys": (sys.excepthook, sys.displayhook, sys.gettrace(), sys.getprofile()),
        # A ufunc of numpy caches its attributes there.
        "the attributes of the callable": sorted(
            set(getattr(target, "__dict__", ())) - {"__signature__"}
        ),
    }
