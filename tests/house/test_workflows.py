"""The workflows of the repository run the steps of .ci/run, all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = ROOT / ".ci" / "run"
WORKFLOWS = ROOT / ".github" / "workflows"

pytestmark = pytest.mark.skipif(not RUN.exists(), reason="the tests run away from the checkout")


def steps(name: str = "all_steps") -> list[str]:
    text = RUN.read_text(encoding="utf-8")
    [found] = re.findall(rf"^{name}=\(([^)]*)\)", text, re.MULTILINE)
    return sorted(found.split())


def test_the_workflow_runs_every_step() -> None:
    [listed] = re.findall(r"step: \[([^]]*)\]", (WORKFLOWS / "ci.yml").read_text(encoding="utf-8"))

    # The step that builds the site has a workflow of its own.
    assert sorted(listed.split(", ")) == [step for step in steps() if step != "site"]


def test_the_steps_that_run_only_when_named_have_jobs_of_their_own() -> None:
    text = (WORKFLOWS / "ci.yml").read_text(encoding="utf-8")

    assert ["model"] == steps("named_steps")
    assert steps("named_steps") == re.findall(r"- run: bash \.ci/run (\w+)$", text, re.MULTILINE)


def test_a_workflow_is_given_no_more_than_it_needs() -> None:
    for workflow in WORKFLOWS.glob("*.yml"):
        text = workflow.read_text(encoding="utf-8")

        assert "permissions:\n  contents: read\n" in text
        assert "secrets." not in text
