"""Programs that models write: the tools as typed functions, a check before a run, and a sandbox.

`code` is the front, which `Toolset.code` makes.  `checks` finds what is wrong with a program;
`running` drives it, and calls the tools; `monty` runs it, in a sandbox of its own extra; `serving`
makes a server of three tools.  To add a sandbox, write a `Runner`, and what it runs as a `Sandbox`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from typesig.lazy_imports import make_lazy_package

if TYPE_CHECKING:
    from typesig.programs.checks.flaws import Flaw as Flaw
    from typesig.programs.checks.sandbox import Sandbox as Sandbox
    from typesig.programs.code import Code as Code
    from typesig.programs.runner import Answer as Answer
    from typesig.programs.runner import Asked as Asked
    from typesig.programs.runner import Bounds as Bounds
    from typesig.programs.runner import Failure as Failure
    from typesig.programs.runner import Ran as Ran
    from typesig.programs.runner import Runner as Runner
    from typesig.programs.runner import RunOutcome as RunOutcome

#: Each public name, and the module that defines it.
_HOMES = {
    "Answer": "typesig.programs.runner",
    "Asked": "typesig.programs.runner",
    "Bounds": "typesig.programs.runner",
    "Code": "typesig.programs.code",
    "Failure": "typesig.programs.runner",
    "Flaw": "typesig.programs.checks.flaws",
    "Ran": "typesig.programs.runner",
    "RunOutcome": "typesig.programs.runner",
    "Runner": "typesig.programs.runner",
    "Sandbox": "typesig.programs.checks.sandbox",
}

__all__ = sorted(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]

__getattr__, __dir__ = make_lazy_package(__name__, _HOMES)
