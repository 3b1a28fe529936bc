"""The workflows of the repository run the steps of .ci/run, all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / ".ci" / "run"
WORKFLOWS = ROOT / ".github" / "workflows"

pytestmark = pytest.mark.skipif(not RUN.exists(), reason="the tests run away from the checkout")


def steps() -> list[str]:
    [found] = re.findall(r"^all_steps=\(([^)]*)\)", RUN.read_text(encoding="utf-8"), re.MULTILINE)
    return sorted(found.split())


def test_the_workflow_runs_every_step() -> None:
    [listed] = re.findall(r"step: \[([^]]*)\]", (WORKFLOWS / "ci.yml").read_text(encoding="utf-8"))

    # The step that builds the site has a workflow of its own.
    assert sorted(listed.split(", ")) == [step for step in steps() if step != "site"]


def test_a_workflow_is_given_no_more_than_it_needs() -> None:
    for workflow in WORKFLOWS.glob("*.yml"):
        text = workflow.read_text(encoding="utf-8")

        assert "permissions:\n  contents: read\n" in text
        assert "secrets." not in text
