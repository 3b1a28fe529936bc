"""The tables and charts of the benchmarks: what is written, not what is measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import everyday, figure_pages, svg_charts, whole_job
from benchmarks.tables import Table, markdown, names_in, replaced, written
from benchmarks.validation import WORKS

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = '<b>&"x"</b>'
SPACE = "{http://www.w3.org/2000/svg}"


def drawn() -> dict[str, str]:
    """Return a chart of each kind, with a name that is markup."""
    return {
        "dots": svg_charts.dots(
            HOSTILE, "note", ["W1", HOSTILE], {HOSTILE: [0.5, None], "b": [20.0, 3000.0]}
        ),
        "bars": svg_charts.bars(HOSTILE, "note", {HOSTILE: 2.0, "typesig": 0.0}, "µs"),
        "lines": svg_charts.lines(
            HOSTILE, "note", {HOSTILE: [(10, 5.0), (1e6, 7.0)], "b": [(10, 1.0)]}, "rows"
        ),
    }


@pytest.mark.parametrize("kind", drawn())
def test_a_chart_is_well_formed_and_its_labels_are_text(kind: str) -> None:
    root = ElementTree.fromstring(drawn()[kind])
    texts = [found.text for found in root.iter(f"{SPACE}text")]

    assert f"{SPACE}svg" == root.tag
    assert HOSTILE in texts
    assert texts.count(HOSTILE) > 1
    assert f"{HOSTILE}. note" == root.get("aria-label")
    assert [] == list(root.iter(f"{SPACE}b"))


@pytest.mark.parametrize("kind", drawn())
def test_everything_in_a_chart_is_within_its_borders(kind: str) -> None:
    root = ElementTree.fromstring(drawn()[kind])
    _, _, width, height = (float(n) for n in root.get("viewBox", "").split())
    across = [float(x) for e in root.iter() for key in ("x", "x1", "x2", "cx") if (x := e.get(key))]
    down = [float(y) for e in root.iter() for key in ("y", "y1", "y2", "cy") if (y := e.get(key))]

    assert 0 <= min(across) <= max(across) <= width
    assert 0 <= min(down) <= max(down) <= height


def test_a_chart_has_colours_for_light_and_for_dark_pages() -> None:
    style = svg_charts.style()

    assert "prefers-color-scheme:dark" in style
    for light, dark in svg_charts.COLOURS:
        assert light in style.partition("@media")[0]
        assert dark in style.partition("@media")[2]


def test_series_next_to_each_other_have_marks_of_different_shapes() -> None:
    shapes = {svg_charts.mark(place, 0, 0).partition(" class")[0] for place in range(6)}

    assert 6 == len(shapes)


@pytest.mark.parametrize("values", [[], [None], [1.0, 0.0], [-1.0]])
def test_a_log_axis_refuses_values_that_it_cannot_show(values: list[float | None]) -> None:
    with pytest.raises(ValueError, match="above 0"):
        svg_charts.bounds(values)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "—"),
        ("same", "same"),
        (0.004, "0.00"),
        (1.234, "1.23"),
        (9.996, "10.0"),
        (12.34, "12.3"),
        (99.96, "100"),
        (999.6, "1,000"),
        (12345.6, "12,346"),
    ],
)
def test_a_figure_is_written_with_three_digits(cell: float | str | None, text: str) -> None:
    assert text == written(cell)


def test_a_table_is_aligned_and_its_names_are_not_markdown() -> None:
    table = Table("", ["W1", "a|b"], {"x_y": [1.0, None], "<i>*": [20.5, "`no`\nline"]})

    assert [
        r"|         |   W1 |        a\|b |",
        r"| ------- | ---: | ----------: |",
        r"| x_y     | 1.00 |           — |",
        r"| \<i\>\* | 20.5 | \`no\` line |",
    ] == markdown(table).splitlines()


PAGE = (
    "a\n<!-- figures: one -->\nold\n| x |\n<!-- end -->\nb\n<!-- figures: two -->\n<!-- end -->\n"
)


def test_parts_of_a_page_are_written_anew_and_the_rest_is_kept() -> None:
    once = replaced(PAGE, {"one": "new \\1\n", "two": "2"})

    assert ["one", "two"] == names_in(PAGE)
    assert (
        "a\n<!-- figures: one -->\n\nnew \\1\n\n<!-- end -->\nb\n"
        "<!-- figures: two -->\n\n2\n\n<!-- end -->\n"
    ) == once
    assert once == replaced(once, {"one": "new \\1", "two": "2"})


def test_a_page_that_asks_for_unknown_figures_is_an_error() -> None:
    with pytest.raises(KeyError, match="two"):
        replaced(PAGE, {"one": ""})


def test_a_comment_without_an_end_is_an_error() -> None:
    with pytest.raises(ValueError, match="2 comments ask for figures, and 1 have an end"):
        replaced("<!-- figures: one -->\n" + PAGE[PAGE.index("b\n") :], {"one": "", "two": ""})


def test_saved_figures_are_read_back() -> None:
    table = Table("", ["a", "b"], {"x": [1.23456, None], "y": ["text", 12345.678]})
    tables, notes = figure_pages.loaded(figure_pages.saved({"t": table}, {"t": "Python"}))

    assert {"t": Table("", ["a", "b"], {"x": [1.235, None], "y": ["text", 12350.0]})} == tables
    assert {"t": "Python"} == notes


def test_pages_and_charts_show_the_figures_that_are_saved() -> None:
    text = figure_pages.SAVED.read_text(encoding="utf-8")

    for file, expected in figure_pages.files(text).items():
        assert expected == file.read_text(encoding="utf-8"), (
            f"{file.name}: run python benchmarks/figures.py --pages"
        )
    assert {file.name for file in figure_pages.CHARTS.iterdir()} == {
        file.name for file in figure_pages.files(text) if file.suffix == ".svg"
    }


def test_titles_and_notes_of_the_charts_are_not_cut_off() -> None:
    for file in figure_pages.CHARTS.iterdir():
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        wide = [each.text or "" for each in root.iter(f"{SPACE}text") if each.get("x") == "16.0"]

        assert 2 == len(wide)
        assert max(map(len, wide)) <= 95


@pytest.mark.parametrize("group", ["call", "handle", "read"])
def test_all_ways_to_do_a_job_give_the_same(group: str) -> None:
    for name, ways in whole_job.GROUPS[group]().items():
        found = {way: run() for way, run in ways.items() if not way.endswith(", value")}
        if group == "call":
            found = {way: json.loads(text) for way, text in found.items()}

        assert [] == [way for way, each in found.items() if each != found["typesig"]], name


def test_a_check_and_what_is_told_are_read() -> None:
    checks, told = whole_job.check_ways(WORKS["W3"]), whole_job.tell_jobs()

    assert checks["typesig"]() == checks["typesig, validate_input"]()
    assert "expected int" in told["report of a wrong call"]["typesig"]()
    assert 99 <= told["a listing of 100 tools"]["typesig"]().count("\n")


LISTED = """
from benchmarks import figures
import start

def measured(python, rounds, env):
    took = {case.name: (1.0, 1.0) for case in start.CASES}
    took["typesig list"] = start.once(python, start.LIST, env)
    return took

start.measured = measured
print(*figures.start()["start"].rows["typesig list"])
"""


@pytest.mark.needs_process
@pytest.mark.skipif(os.name == "nt", reason="the CPU time of one child is known on POSIX only")
def test_the_figures_of_starts_write_the_module_that_is_listed() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", LISTED], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert "import pydantic" in ran.stdout


def test_a_group_that_became_slower_is_found_by_the_mean_of_its_cells_beside_pydantic() -> None:
    saved = Table("", ["1", "1 / msgspec"], {"a": [1.0, 5.0], "b": [2.0, None], "gone": [1.0, 1.0]})
    now = Table("", ["1", "1 / msgspec"], {"b": [3.0, None], "a": [1.5, 50.0], "new": [9.0, 9.0]})

    assert 1.5 == pytest.approx(everyday.find_growth(saved, now))
    assert 1.0 == everyday.find_growth(saved, saved)
    assert 1.0 == everyday.find_growth(saved, Table("", ["1"], {}))
    assert ["3", 3.0, 9.0, "new", "2", "1", "1"] == everyday.summarize(now)
