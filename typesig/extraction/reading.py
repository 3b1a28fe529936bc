"""One reading of hints under way: its options, its scope, and what it had to fall back on."""

from __future__ import annotations

from typing import Any, NamedTuple

from typesig.algebra.nodes import ANY, Type
from typesig.errors import TypesigError
from typesig.extraction.plans import Decode
from typesig.extraction.resolve import HintScope
from typesig.extraction.warnings import HintWarning, hint_text
from typesig.limits import MAX_DESCRIBED


class Options(NamedTuple):
    """How hints are read.

    #: strict: whether a fallback raises
    #: profile: "python", or "seed" for the table of seed 003 to the letter
    #: optional: "seed" where `T | None` may be absent too, "exact" where it may not
    #: recursive: whether a type that refers to itself keeps a name, else it becomes `:any`
    #: max_depth: how many named records deep a type is written out
    #: injected: classes and names of parameters that the host supplies and a model never sees
    """

    strict: bool = False
    profile: str = "python"
    optional: str = "loose"
    recursive: bool = False
    max_depth: int = 3
    injected: tuple[Any, ...] = ()

    def checked(self) -> Options:
        """Return the options; raise `TypesigError` for one that is none."""
        if self == Options():
            return self
        known = {"profile": ("python", "ptc_runner"), "optional": ("loose", "exact")}
        for name, choices in known.items():
            value = getattr(self, name)
            if value not in choices:
                raise TypesigError(f"there is no {name} {value!r}; there are {', '.join(choices)}")
        if type(self.max_depth) is not int or self.max_depth < 1:
            raise TypesigError(f"max_depth is a whole number from 1 on, not {self.max_depth!r}")
        for given in self.injected:
            if not isinstance(given, str | type):
                raise TypesigError(f"injected holds classes and names of parameters, not {given!r}")
        return self


class Read(NamedTuple):
    """What a hint became: its type, and how the function gets a value of it.

    #: nil: whether the hint itself says that it takes None, which `Any` does not
    """

    type: Type
    decode: Decode = None
    nil: bool = False


class _Pushed:
    """A block within which *item* is the last of *items*."""

    # Not a generator, as contextlib would have it: one is entered for each hint.
    __slots__ = ("item", "items")

    def __init__(self, items: list[Any], item: object) -> None:
        self.items = items
        self.item = item

    def __enter__(self) -> None:
        self.items.append(self.item)

    def __exit__(self, *_raised: object) -> None:
        self.items.pop()


class Reading:
    """The state of reading the hints of one callable.

    #: path: where the reading is, for warnings
    #: stack: the records that the reading is inside of
    #: definitions, named: types kept by name, and the class of each
    #: abstract: whether a result may be any collection, a set too
    #: owner: the class that the callable was defined in, or None
    #: exact: whether an int must reach the function as it was sent, for some hint is int | float
    #: records: how many were written out; said: how many characters their fields' texts have
    #: documented: whether the hint at hand is what a docstring says
    #: output: whether a result is read, where what only a constructor sets counts too
    """

    def __init__(self, options: Options, scope: HintScope) -> None:
        self.options = options
        self.scopes = [scope]
        self.path: list[str] = []
        self.warnings: list[HintWarning] = []
        self.warned: set[tuple[str, str, str, str]] = set()
        self.stack: list[Any] = []
        self.definitions: dict[str, Type] = {}
        self.names: dict[Any, str] = {}
        self.decoders: dict[Any, Decode] = {}
        self.recursive: set[Any] = set()
        self.variables: list[dict[Any, Any]] = []
        self.aliases: list[Any] = []
        self.output = False
        self.exact = False
        self.said = 0
        self.documented = False
        self.records = 0
        self.abstract = False
        self.owner: Any = None
        self.depth = 0

    @property
    def ptc_runner(self) -> bool:
        """Whether the seeds' own table holds."""
        return self.options.profile == "ptc_runner"

    @property
    def scope(self) -> HintScope:
        """Where names are looked up now."""
        return self.scopes[-1]

    def at(self, step: str) -> _Pushed:
        """Read, in a `with` block, at *step* below the place where the reading is."""
        return _Pushed(self.path, step)

    def inside(self, scope: HintScope) -> _Pushed:
        """Look names up in *scope*, in a `with` block."""
        return _Pushed(self.scopes, scope)

    def warn(self, hint: object, reason: str, remedy: str) -> None:
        """Keep a warning about *hint* where the reading is."""
        text = hint_text(hint)
        parts = ".".join(self.path), text, reason, remedy
        # A record of records can have thousands.
        if parts not in self.warned:
            self.warned.add(parts)
            self.warnings.append(HintWarning(*parts))

    def told(self, text: str) -> str | None:
        """Return the *text* of a record's field; None, with a warning, beyond the limit of all."""
        before, self.said = self.said, self.said + len(text)
        if self.said <= MAX_DESCRIBED:
            return text
        if before <= MAX_DESCRIBED:
            reason = f"the texts of fields are longer than {MAX_DESCRIBED} characters; "
            reason += "from here on they are left out"
            self.warn("", reason, "write shorter ones, or a smaller max_depth")
        return None

    def fall_back(self, hint: object, reason: str, remedy: str) -> Read:
        """Return `:any` for *hint*, with a warning that says why and what to write instead."""
        self.warn(hint, f"{reason}, so it became :any", remedy)
        return Read(ANY)

    def name_of(self, cls: Any) -> str:
        """Return the name that *cls* is kept by, one of its own."""
        if cls not in self.names:
            name, count = cls.__name__, 2
            while name in self.names.values():
                name, count = f"{cls.__name__}{count}", count + 1
            self.names[cls] = name
        return self.names[cls]
