"""Laws of locks and of differences, on generated signatures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.generators import LAW, signatures
from typesig import TypesigError
from typesig.algebra import nodes
from typesig.algebra.constructors import make_maybe, make_union
from typesig.algebra.nodes import Record
from typesig.algebra.signature import Signature, make_type_signature
from typesig.contracts import Lock, diff
from typesig.contracts.comparison import Sides
from typesig.contracts.contract import ToolContract, to_bare_signature
from typesig.contracts.places import find_annotations
from typesig.relations import NoSample, samples

ROOT = Path(__file__).resolve().parents[2]


def contract(signature: Signature, name: str = "f") -> ToolContract:
    noted = find_annotations(signature)
    return ToolContract(
        name,
        to_bare_signature(signature),
        notes=noted.descriptions,
        titles=noted.titles,
        hidden={f.name: f.required for f in signature.params if f.firewalled},
    )


def values_sent(sides: Sides, t: nodes.Type) -> Signature:
    """Return the values of *t*, a type of either signature, that a sender sends."""
    return make_type_signature(sides._as_sent(t), sides._every)


def lock(signature: Signature) -> Lock:
    return Lock({"f": contract(signature)})


titled = signatures(titled=True)
#: Signatures that are near each other, so that not every pair differs in everything.
near = st.tuples(signatures(1), signatures(1), st.sampled_from("0123456789")).map(
    lambda drawn: _mixed(*drawn)
)


def _mixed(a: Signature, b: Signature, how: str) -> tuple[Signature, Signature]:
    """Return *a*, and *a* with a part of *b*, or *b* itself."""
    fields = {f.name: f for f in a.params}
    try:
        match how:
            case "0":
                return a, Signature(a.params, b.returns, {**b.names}, a.extra)
            case "1":
                other = [f for f in b.params if f.key not in {g.key for g in fields.values()}]
                return a, Signature([*a.params, *other], a.returns, {**b.names, **a.names}, a.extra)
            case "2":
                return a, Signature(a.params[1:], a.returns, a.names, b.extra)
            case "3":
                turned = [f.with_type(g.type) for f, g in zip(a.params, b.params, strict=False)]
                return a, Signature(turned, a.returns, {**a.names, **b.names}, a.extra)
            case "4":
                wide = [f.with_type(make_union([f.type, b.returns])) for f in a.params]
                return a, Signature(wide, a.returns, {**a.names, **b.names}, a.extra)
            case "5":
                wide = [f.with_type(make_maybe(f.type)) for f in a.params]
                return a, Signature(wide, a.returns, a.names, a.extra)
            case "6":
                both = make_union([a.returns, b.returns])
                one = Signature(a.params, both, {**a.names, **b.names}, a.extra)
                return one, Signature(a.params, a.returns, {**a.names, **b.names}, a.extra)
            case "7":
                free = [nodes.Field(f.name, f.type, False, None, f.exact) for f in a.params]
                return a, Signature(free, a.returns, a.names, a.extra)
            case "8":
                named = {name: make_maybe(t) for name, t in a.names.items()}
                return a, Signature(a.params, a.returns, named, a.extra)
            case _:
                return a, b
    except TypesigError:
        return a, b


@LAW
@given(titled)
def test_a_lock_reads_back_equal_and_differs_in_nothing(signature: Signature) -> None:
    made = lock(signature)
    again = Lock.read(made.text())

    assert made == again
    assert made.text() == again.text()
    assert () == diff(made, again).findings


@LAW
@given(titled, titled)
def test_fingerprints_differ_if_and_only_if_there_are_findings(a: Signature, b: Signature) -> None:
    _check_fingerprints(a, b)


@LAW
@given(near)
def test_fingerprints_of_near_signatures_differ_with_findings(
    both: tuple[Signature, Signature],
) -> None:
    _check_fingerprints(*both)


def _check_fingerprints(a: Signature, b: Signature) -> None:
    one, other = contract(a), contract(b)
    found = diff(Lock({"f": one}), Lock({"f": other}))
    told = {each.direction for each in found}
    is_same = (one.input, one.output, one.texts) == (other.input, other.output, other.texts)

    assert is_same is (len(found) == 0)
    if one.input != other.input:
        assert told & {"input", "tool"} or _is_named(found)
    if one.output != other.output:
        assert "output" in told or _is_named(found)


def _is_named(found: object) -> bool:
    return any(each.place.startswith("where.") for each in found)  # type: ignore[attr-defined]


def visible(signature: Signature) -> Signature:
    params = [f for f in signature.params if not f.firewalled]
    return Signature(params, signature.returns, signature.names, signature.extra)


@LAW
@given(near)
def test_input_without_a_breaking_finding_still_passes(both: tuple[Signature, Signature]) -> None:
    old, new = both
    found = diff(lock(old), lock(new))
    assume(not any(f.direction == "input" for f in found.of("breaking")))
    assume(not any(f.rule == "param-hidden" for f in found))
    try:
        record = Record(visible(old).params, old.extra)
        values = samples(values_sent(Sides(old, new), record), count=6)
    except NoSample:
        return
    before, after = visible(old), visible(new)
    for value in values:
        if before.validate_input(value).ok:
            assert after.validate_input(value).ok, (value, str(found))


@LAW
@given(near)
def test_output_without_a_breaking_finding_still_fits(both: tuple[Signature, Signature]) -> None:
    old, new = both
    found = diff(lock(old), lock(new))
    assume(not any(f.direction == "output" for f in found.of("breaking")))
    sides = Sides(old, new)
    try:
        values = samples(values_sent(sides, sides.rename_new(new.returns)), count=6)
    except NoSample:
        return
    for value in values:
        if new.accepts(value):
            assert old.accepts(value), (value, str(found))


@LAW
@given(near)
def test_an_example_was_valid_and_no_longer_is(both: tuple[Signature, Signature]) -> None:
    old, new = both
    for each in diff(lock(old), lock(new)):
        if each.example is None or each.place != "returns":
            continue
        [value] = each.example

        assert new.accepts(value)
        assert not old.accepts(value)


@LAW
@given(near)
def test_a_diff_is_the_same_each_time(both: tuple[Signature, Signature]) -> None:
    old, new = map(lock, both)

    assert diff(old, new).data() == diff(old, new).data()


@pytest.mark.needs_process
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_a_lock_has_the_same_bytes_in_every_process(hash_seed: str) -> None:
    # After a change of the example: python -m typesig lock examples.shop --update -o FILE
    code = "import sys, typesig; from typesig.contracts import Lock; "
    code += "sys.stdout.write(Lock.of(typesig.tools_of('examples.shop')).text())"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )

    assert (ROOT / "tests/contracts/shop.lock").read_text(encoding="utf-8") == ran.stdout
