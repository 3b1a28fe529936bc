"""Policies: how strictly values are checked, and which mistakes in JSON text are repaired."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from typesig.algebra.rows.frozen import Frozen
from typesig.errors import TypesigError, format_value
from typesig.limits import MAX_ISSUES
from typesig.validation.coercions import COERCIONS, DEFAULTS, GUESSES, CoercionId, get_zone

# --- Repairs: mistakes in JSON text that a reader mends, one row each ---
# A row has the warning that tells of a mended text, and what is wrong with one that was not
# mended; a policy turns rows on by id.  To add a repair, add its id to `RepairId` and its row to
# `REPAIRS`.

RepairId: TypeAlias = Literal[
    "code_fence", "prose", "reasoning", "byte_order_mark", "extra_comma", "missing_comma",
    "extra_bracket", "missing_bracket", "parentheses", "triple_quotes", "single_quotes",
    "typographic_quotes", "backtick_quotes", "bare_key", "bare_text", "key_equals",
    "python_literal", "literal_case", "undefined", "number_form", "comment", "line_break_in_text",
    "quotes_in_text", "odd_escape", "unknown_escape", "escaped_json", "odd_blank", "special_token",
    "several_values", "joined_values", "word_in_prose", "plain_text", "table",
]  # fmt: skip


class Repair(NamedTuple):
    """A kind of mistake in JSON text that can be repaired, with its messages.

    #: did: what was done, where `{}` stands for what is wrong
    #: wrong: what is wrong with a text that is not mended
    #: remedy: what to write instead
    #: on: whether it is mended by default; otherwise it is in the mode `lenient`
    """

    id: RepairId
    did: str
    wrong: str
    remedy: str
    on: bool = False

    @property
    def warning(self) -> str:
        """The warning for an applied repair."""
        return self.did.format(self.wrong)


#: Remedies of several rows.
_ALONE = "send the JSON text alone"
_IN_QUOTES = "write it in double quotes"
_DOUBLE = "JSON text is written with double quotes"
_LITERALS = "write true, false or null"

REPAIRS: dict[RepairId, Repair] = {
    row.id: row
    for row in (
        Repair("code_fence", "removed {}", "a code fence", _ALONE, on=True),
        Repair("prose", "removed the text around the JSON", "other text", _ALONE, on=True),
        Repair("reasoning", "removed {}", "a block of reasoning", _ALONE, on=True),
        Repair("byte_order_mark", "removed {}", "a byte order mark", "leave it out", on=True),
        Repair("extra_comma", "removed {}", "an extra comma", "leave it out", on=True),
        Repair("missing_comma", "added {}", "a missing comma", "write one between two values"),
        Repair("extra_bracket", "left out {}", "a bracket that closes nothing", "leave it out"),
        Repair("missing_bracket", "added the last bracket, behind all that the type has",
               "a missing bracket at the end", "close the list or object"),
        Repair("parentheses", "removed the {}", "parentheses around the value",
               "send the value alone", on=True),
        Repair("triple_quotes", "read {} as one", "three quotes",
               r"write one, and a line break as \n", on=True),
        Repair("single_quotes", "read {} as double quotes", "single quotes", _DOUBLE, on=True),
        Repair("typographic_quotes", "read {} as double quotes", "typographic quotes",
               "JSON text is written with plain double quotes", on=True),
        Repair("backtick_quotes", "read {} as double quotes", "backticks", _DOUBLE, on=True),
        Repair("bare_key", "read {}", "a key without quotes", _IN_QUOTES, on=True),
        Repair("bare_text", "read {}", "a text without quotes", _IN_QUOTES),
        Repair("key_equals", "read {} as a colon", "an equals sign",
               "write a colon between key and value"),
        Repair("python_literal", "read {}", "a literal of Python", _LITERALS, on=True),
        Repair("literal_case", "read {}", "a literal in capital letters", _LITERALS, on=True),
        Repair("undefined", "read {} as null", "undefined", "write null"),
        Repair("number_form", "read {}", "a number that is not written as in JSON",
               "write a digit before the point, and no plus sign", on=True),
        Repair("comment", "removed {}", "a comment", "leave it out", on=True),
        Repair("line_break_in_text", "read {}", "a line break or control character in a text",
               r"write it as \n, \t or \uXXXX", on=True),
        Repair("quotes_in_text", "read {}", "unescaped quotes in a text", 'write them as \\"'),
        Repair("odd_escape", "read an escaped quote that JSON does not escape",
               "an escape that JSON does not have", "write the quote alone", on=True),
        Repair("unknown_escape", "kept {}", "a backslash that begins no escape of JSON",
               r"write it as \\"),
        Repair("escaped_json", "read JSON text whose quotes are escaped",
               "escaped quotes outside of a text", "leave the backslashes out", on=True),
        Repair("odd_blank", "read {}", "a blank that JSON does not have", "write a plain space",
               on=True),
        Repair("special_token", "removed {}", "a special token", "leave it out", on=True),
        Repair("several_values", "read one of {}", "several values", "send one JSON value"),
        Repair("joined_values", "read {} as a list", "several values", "write them as one list"),
        Repair("word_in_prose", "read the only word that is a value", "other text",
               "send the value alone, in double quotes if it is a text"),
        Repair("plain_text", "read the whole as a text", "a text without quotes", _IN_QUOTES),
        Repair("table", "read {}", "a table", "send JSON text", on=True),
    )
}  # fmt: skip

#: The ids that are on in a policy that mends.
DEFAULT_REPAIRS: frozenset[RepairId] = frozenset(row.id for row in REPAIRS.values() if row.on)

#: The ids that only take away what stands around a value.
WRAPPINGS: frozenset[RepairId] = frozenset(
    ("code_fence", "reasoning", "byte_order_mark", "special_token")
)


# --- Policies: how strictly values are checked ---
# A mode is a policy with a name.  To add one, add its name to `ModeName` and its row to `MODES`.

#: The names of the modes.
ModeName: TypeAlias = Literal["enabled", "lenient", "warn_only", "strict", "json", "disabled"]

#: What is done with undeclared keys; `drop` gives a warning.
Extras: TypeAlias = Literal["keep", "reject", "drop"]

#: What is done with errors: `warn` turns them into warnings, except missing arguments; `skip` does
#: not check at all.
OnIssue: TypeAlias = Literal["fail", "warn", "skip"]


class Policy(Frozen):
    """Rules for values that do not conform exactly: coercions, repairs, defaults.

    #: coercions: the ids of the rows of `typesig.validation.coercions` that are on
    #: repairs: the ids of the rows of `typesig.validation.policy` that are on
    #: extras: what is done with undeclared keys: keep, reject, or drop (with a warning)
    #: on_issue: what is done with errors: fail, warn (a missing argument still fails), or skip
    #: defaults: whether the defaults of absent fields are filled in
    #: decoding: whether JSON's form of a scalar that it has no type for is read
    #: firewall: whether firewalled names are refused, as in the arguments of a model
    #: max_issues: the number of errors, and of warnings, that are collected
    #: naive_datetime: the zone in which a datetime without an offset is read: UTC or an IANA name;
    #: None if it is refused
    #: json_results: whether results are plain JSON, whose forms of such scalars are read, too
    #: verbose: whether there is a warning of a datetime that is read from its text
    #: refuse_misspelt: whether a call is refused for an undeclared key that is close to a declared
    #: one which was not sent, also where errors are warnings
    #: tell_model: whether the text for a model names the keys that were dropped or guessed

    >>> Policy().on("int_from_whole_float") == Policy()
    False
    """

    __slots__ = (
        "_leaves_defaults", "coercions", "decoding", "defaults", "extras", "firewall",
        "json_results", "max_issues", "naive_datetime", "on_issue", "refuse_misspelt", "repairs",
        "tell_model", "verbose",
    )  # fmt: skip
    __match_args__ = (
        "coercions", "extras", "on_issue", "defaults", "decoding", "firewall", "max_issues",
        "naive_datetime", "json_results", "verbose", "repairs", "refuse_misspelt", "tell_model",
        "_leaves_defaults",
    )  # fmt: skip
    coercions: frozenset[CoercionId]
    extras: Extras
    on_issue: OnIssue
    defaults: bool
    decoding: bool
    firewall: bool
    max_issues: int
    naive_datetime: str | None
    json_results: bool
    verbose: bool
    repairs: frozenset[RepairId]
    refuse_misspelt: bool
    tell_model: bool
    _leaves_defaults: bool

    def __init__(
        self,
        coercions: Iterable[CoercionId] = DEFAULTS,
        extras: Extras = "keep",
        on_issue: OnIssue = "fail",
        defaults: bool = True,
        decoding: bool = True,
        firewall: bool = False,
        max_issues: int = MAX_ISSUES,
        naive_datetime: str | None = None,
        json_results: bool = False,
        verbose: bool = False,
        repairs: Iterable[RepairId] = DEFAULT_REPAIRS,
        refuse_misspelt: bool = True,
        tell_model: bool = True,
        _leaves_defaults: bool = False,
    ) -> None:
        coercions = _check_ids("coercion", coercions, COERCIONS)
        repairs = _check_ids("repair", repairs, REPAIRS)
        _check_known("extras", (extras,), get_args(Extras))
        _check_known("on_issue", (on_issue,), get_args(OnIssue))
        flags = {"defaults": defaults, "decoding": decoding, "firewall": firewall}
        flags |= {"refuse_misspelt": refuse_misspelt, "tell_model": tell_model}
        for name, flag in flags.items():
            if not isinstance(flag, bool):
                raise TypesigError(f"{name} is True or False, not {format_value(flag)}")
        if type(max_issues) is not int or max_issues < 1:
            told = format_value(max_issues)
            raise TypesigError(f"max_issues is an int of at least 1, not {told}")
        if naive_datetime is not None:
            get_zone(naive_datetime)
        self._fill(
            coercions,
            extras,
            on_issue,
            defaults,
            decoding,
            firewall,
            max_issues,
            naive_datetime,
            json_results,
            verbose,
            repairs,
            refuse_misspelt,
            tell_model,
            _leaves_defaults,
        )

    def __repr__(self) -> str:
        """Return the parts that differ from those of `Policy()`; evaluates to an equal policy."""
        parts = []
        for name, part, usual in zip(
            self.__match_args__, self._get_parts(), Policy()._get_parts(), strict=True
        ):
            if part != usual:
                # A set has another order in each run.
                parts.append(f"{name}={sorted(part) if isinstance(part, frozenset) else part!r}")
        return f"Policy({', '.join(parts)})"

    def on(self, *ids: CoercionId | RepairId) -> Policy:
        """Return the same policy with the coercions and repairs *ids* turned on."""
        coercions, repairs = _split_ids(ids)
        return self.changed(coercions=self.coercions | coercions, repairs=self.repairs | repairs)

    def off(self, *ids: CoercionId | RepairId) -> Policy:
        """Return the same policy with the coercions and repairs *ids* turned off."""
        coercions, repairs = _split_ids(ids)
        return self.changed(coercions=self.coercions - coercions, repairs=self.repairs - repairs)

    @property
    def _reads_near(self) -> bool:
        """Whether names in another case or with other separators are read."""
        return "key_ignoring_case" in self.coercions

    def for_output(self) -> Policy:
        """Return the policy for results, which coerces, repairs and fills in nothing.

        Nothing is decoded either, unless results are plain JSON.
        """
        return _make_output_policy(self)

    def for_call(self) -> Policy:
        """Return the policy for calls: firewalled names are refused, undeclared keys dropped.

        It also drops undeclared keys if `reject` would only add a warning, since a function cannot
        take an undeclared argument.
        """
        is_dropped = self.extras == "keep" or self.on_issue == "warn"
        extras: Extras = "drop" if is_dropped else self.extras
        return self.changed(extras=extras, firewall=True)

    def leave_defaults(self) -> Policy:
        """Copy the policy for hints of classes that fill in their own defaults.

        A nil for a field with a default still counts as absent if this policy fills defaults in.
        """
        return self.changed(defaults=False, _leaves_defaults=self.defaults)

    @property
    def takes_nil_for_default(self) -> bool:
        """Whether a nil for a field with a default counts as absent."""
        return self.defaults or self._leaves_defaults

    def changed(self, **parts: Any) -> Policy:
        """Copy the policy with new options; raise `TypesigError` for an unknown option."""
        if not parts.keys() <= {*self.__match_args__}:
            _check_known("part of a policy", parts, self.__match_args__[:-1])
        return Policy(**{**dict(zip(self.__match_args__, self._get_parts(), strict=True)), **parts})


@lru_cache(maxsize=64)
def _make_output_policy(policy: Policy) -> Policy:
    """Make the policy for results: *policy* without coercions, repairs and defaults."""
    return policy.changed(
        coercions=frozenset(),
        repairs=frozenset(),
        defaults=False,
        decoding=policy.json_results,
        naive_datetime=None,
    )


Id = TypeVar("Id", bound=str)


def _check_ids(what: str, given: Iterable[Id], rows: Iterable[Id]) -> frozenset[Id]:
    """Return the set of ids *given*; raise `TypesigError` if an id is not in *rows*."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        example = given if given in list(rows) else next(iter(rows))
        raise TypesigError(
            f"{what}s are several ids, such as [{example!r}], not {format_value(given)}"
        )
    ids = list(given)
    _check_known(what, ids, rows)
    return frozenset(ids)


def _split_ids(
    ids: Iterable[CoercionId | RepairId],
) -> tuple[frozenset[CoercionId], frozenset[RepairId]]:
    """Split *ids* into coercions and repairs; raise `TypesigError` for unknown ids."""
    names: list[CoercionId | RepairId] = [*COERCIONS, *REPAIRS]
    given = _check_ids("coercion or repair", ids, names)
    return frozenset(COERCIONS.keys() & given), frozenset(REPAIRS.keys() & given)


def _check_known(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise `TypesigError` if a name in *given* is not among the *known* names."""
    names = list(known)
    for name in given:
        if name not in names:
            raise TypesigError(
                f"there is no {what} {format_value(name)}; there are {', '.join(names)}"
            )


ENABLED = Policy()
LENIENT = Policy(coercions=DEFAULTS | GUESSES, repairs=REPAIRS)
WARN_ONLY = Policy(on_issue="warn")
STRICT = Policy(coercions=(), extras="reject", repairs=())
JSON = Policy(coercions=(), json_results=True, repairs=())
DISABLED = Policy(on_issue="skip")

MODES: dict[ModeName, Policy] = {
    "enabled": ENABLED,
    "lenient": LENIENT,
    "warn_only": WARN_ONLY,
    "strict": STRICT,
    "json": JSON,
    "disabled": DISABLED,
}


def get_policy(mode: ModeName | Policy) -> Policy:
    """Return the policy called *mode*; raise `TypesigError` for an unknown name."""
    if isinstance(mode, Policy):
        return mode
    _check_known("mode", (mode,), MODES)
    return MODES[mode]


def get_first_policy(*modes: ModeName | Policy | None) -> Policy:
    """Return the model-data policy of the first of *modes* not None, else of `enabled`.

    The model was shown a schema, which calls `2.0` an integer: what fits it is accepted, unless the
    policy coerces nothing.

    >>> get_first_policy(None, "strict", "warn_only") == STRICT
    True
    >>> get_first_policy(None) == Policy().on("int_from_whole_float")
    True
    """
    for mode in modes:
        if mode is not None:
            return _make_model_policy(get_policy(mode))
    return _make_model_policy(ENABLED)


@lru_cache(maxsize=64)
def keep_ints(policy: Policy) -> Policy:
    """Copy *policy* so that an int for a float keeps its digits and type."""
    return policy.off("float_from_int")


@lru_cache(maxsize=64)
def _make_model_policy(policy: Policy) -> Policy:
    """Make the policy for models: *policy*, with whole floats as ints if it coerces."""
    return policy.on("int_from_whole_float") if policy.coercions else policy
