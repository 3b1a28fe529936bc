"""Laws of checked programs: no right one is refused, and planted mistakes are found."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import LAW
from tests.programs.drawing import World, execute, programs, records, worlds


@LAW
@given(st.data())
def test_no_right_program_is_refused(data: st.DataObject) -> None:
    world = data.draw(worlds())
    program = data.draw(programs(world.code))
    execute(program, world)

    assert "" == world.code.check(program).feedback()
