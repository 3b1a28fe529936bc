"""Layout of a graph: nodes in layers from left to right, labels between layers.

Each label is a place of its own between the layers of its nodes, so no text stands on another.
Edges that lead over several layers have a place in each of these, too, and go through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from typesig.limits.contracts import MAX_GRAPH_POINTS

#: Space between boxes of one layer, and between layers.
_ABOVE, _BESIDE = 14.0, 26.0

#: How often the order within layers, and the heights, are improved.
_SWEEPS = 8


class Box(NamedTuple):
    """Width and height of a rectangle for a node or a label."""

    width: float
    height: float


class Arc(NamedTuple):
    """An edge between two boxes, with the size of its label."""

    source: str
    target: str
    label: Box


class Placement(NamedTuple):
    """Coordinates of the boxes, edges and labels.

    #: boxes: the left upper corner of each box, by its key
    #: labels: the left upper corner of each label, in the order of the edges
    #: routes: the points of each edge
    """

    boxes: Mapping[str, tuple[float, float]]
    labels: tuple[tuple[float, float], ...]
    routes: tuple[tuple[tuple[float, float], ...], ...]
    width: float
    height: float


def place_boxes(boxes: Mapping[str, Box], arcs: Iterable[Arc]) -> Placement:
    """Place *boxes* that *arcs* connect; no arc connects a box to itself."""
    return _Layout(dict(boxes), list(arcs)).place()


class _Layout:
    """Layout of one graph; its numbered places are boxes, labels and bends of edges."""

    def __init__(self, boxes: dict[str, Box], arcs: list[Arc]) -> None:
        self._arcs = arcs
        self._keys = sorted(boxes)
        numbers = {key: number for number, key in enumerate(self._keys)}
        self._sizes = [boxes[key] for key in self._keys]
        self._ends = [(numbers[arc.source], numbers[arc.target]) for arc in arcs]
        layers = _assign_layers(len(self._keys), self._ends)
        self._layer = [2 * layer for layer in layers]
        self._after: list[list[int]] = [[] for _ in self._keys]
        self._before: list[list[int]] = [[] for _ in self._keys]
        # The places on the way of each edge, from left to right; which of them is the label.
        self._ways: list[list[int]] = []
        self._label_of: list[int] = []
        for arc, (source, target) in zip(arcs, self._ends, strict=True):
            self._add_way(arc, source, target)

    def _add_way(self, arc: Arc, source: int, target: int) -> None:
        """Add places for the label and route of *arc* from box *source* to *target*."""
        is_back = self._layer[source] > self._layer[target]
        left, right = (target, source) if is_back else (source, target)
        first, last = self._layer[left] + 1, self._layer[right] - 1
        # The label is next to the source of the arrow.
        at_label = last if is_back else first
        way = []
        for layer in range(first, last + 1):
            if layer != at_label and len(self._sizes) > MAX_GRAPH_POINTS:
                continue
            if layer == at_label:
                self._label_of.append(len(self._sizes))
            way.append(len(self._sizes))
            self._sizes.append(arc.label if layer == at_label else Box(0, 2))
            self._layer.append(layer)
            self._after.append([])
            self._before.append([])
        for one, other in zip([left, *way], [*way, right], strict=True):
            self._after[one].append(other)
            self._before[other].append(one)
        self._ways.append(way)

    def place(self) -> Placement:
        """Compute the coordinates of all boxes, labels and edges."""
        columns = self._order_columns()
        tops = self._find_heights(columns)
        lefts, width = self._find_lefts(columns)
        base = min(tops, default=0.0)
        tops = [top - base for top in tops]
        height = max((t + box.height for t, box in zip(tops, self._sizes, strict=True)), default=0)
        corners = list(zip(lefts, tops, strict=True))
        routes = [self._route(number, corners) for number in range(len(self._arcs))]
        return Placement(
            {key: corners[number] for number, key in enumerate(self._keys)},
            tuple([corners[number] for number in self._label_of]),
            tuple(routes),
            width,
            height,
        )

    def _order_columns(self) -> list[list[int]]:
        """List the places of each layer in an order with few edge crossings."""
        columns: list[list[int]] = [[] for _ in range(max(self._layer, default=-1) + 1)]
        for number, layer in enumerate(self._layer):
            columns[layer].append(number)
        places = [0.0] * len(self._sizes)
        for column in columns:
            _number_column(column, places)
        for column, means in self._iter_sweeps(columns, places):
            column.sort(key=lambda number: (means[number], places[number]))
            _number_column(column, places)
        return columns

    def _iter_sweeps(
        self, columns: list[list[int]], values: list[float]
    ) -> Iterator[tuple[list[int], dict[int, float]]]:
        """Yield each column, and per place the mean of its neighbours' *values*."""
        for sweep in range(_SWEEPS):
            near = self._after if sweep % 2 else self._before
            for column in reversed(columns) if sweep % 2 else columns:
                yield (
                    column,
                    {n: _get_mean([values[each] for each in near[n]], values[n]) for n in column},
                )

    def _find_heights(self, columns: list[list[int]]) -> list[float]:
        """Compute the upper y of all places, near the places connected to them."""
        middles = [0.0] * len(self._sizes)
        for column in columns:
            self._spread(column, dict.fromkeys(column, 0.0), middles)
        for column, wanted in self._iter_sweeps(columns, middles):
            self._spread(column, wanted, middles)
        return [m - box.height / 2 for m, box in zip(middles, self._sizes, strict=True)]

    def _spread(self, column: list[int], wanted: Mapping[int, float], middles: list[float]) -> None:
        """Set *middles*, the centre heights of *column*, near *wanted* without overlap.

        Those that are too near each other move together, around the mean of what they want.
        """
        # Blocks of places that touch: the sum of what they want for the first, their number, and
        # the distance from the first to the next block.
        blocks: list[tuple[float, int, float]] = []
        offsets: list[float] = []
        for number in column:
            half = self._sizes[number].height / 2
            total, count, size = wanted[number] - half, 1, 2 * half + _ABOVE
            offsets.append(0.0)
            while blocks and blocks[-1][0] / blocks[-1][1] + blocks[-1][2] > total / count:
                above, others, extent = blocks.pop()
                total, count, size = above + total - extent * count, others + count, extent + size
            blocks.append((total, count, size))
        at = iter(column)
        for total, count, _ in blocks:
            top = total / count
            for _ in range(count):
                number = next(at)
                height = self._sizes[number].height
                middles[number] = top + height / 2
                top += height + _ABOVE

    def _find_lefts(self, columns: list[list[int]]) -> tuple[list[float], float]:
        """Compute the left x of all places, by number, and the total width of *columns*."""
        lefts = [0.0] * len(self._sizes)
        x = 0.0
        for column in columns:
            widest = max((self._sizes[number].width for number in column), default=0.0)
            for number in column:
                lefts[number] = x + (widest - self._sizes[number].width) / 2
            x += widest + _BESIDE
        return lefts, max(x - _BESIDE, 0.0)

    def _route(
        self, number: int, corners: list[tuple[float, float]]
    ) -> tuple[tuple[float, float], ...]:
        """List the points of edge *number*; the line is straight under its label."""
        source, target = self._ends[number]
        is_back = self._layer[source] > self._layer[target]
        left, right = (target, source) if is_back else (source, target)
        points = [self._find_side(left, corners, at_right=True)]
        for place in self._ways[number]:
            points += [
                self._find_side(place, corners, False),
                self._find_side(place, corners, True),
            ]
        points.append(self._find_side(right, corners, False))
        return tuple(reversed(points) if is_back else points)

    def _find_side(
        self, place: int, corners: list[tuple[float, float]], at_right: bool
    ) -> tuple[float, float]:
        """Locate the middle of the left or right side of *place*, a box or label."""
        (x, y), box = corners[place], self._sizes[place]
        return x + (box.width if at_right else 0), y + box.height / 2


def _get_mean(values: list[float], otherwise: float) -> float:
    """Compute the mean of *values*; an empty list gives *otherwise*."""
    return sum(values) / len(values) if values else otherwise


def _number_column(column: list[int], places: list[float]) -> None:
    """Set in *places* the relative height, from 0 to 1, of every box of *column*."""
    # Relative to the length, so that columns of different lengths compare.
    for place, number in enumerate(column):
        places[number] = (place + 0.5) / len(column)


def _assign_layers(count: int, ends: list[tuple[int, int]]) -> list[int]:
    """Assign a layer to each of *count* boxes so that most edges lead to the right."""
    after: list[list[int]] = [[] for _ in range(count)]
    before = [0] * count
    for source, target in ends:
        after[source].append(target)
        before[target] += 1
    order = _order(after, sorted(range(count), key=lambda number: (before[number], number)))
    place = {number: at for at, number in enumerate(order)}
    layers = [0] * count
    for number in order:
        for other in after[number]:
            if place[other] > place[number]:
                layers[other] = max(layers[other], layers[number] + 1)
    back: dict[int, list[int]] = {}
    for source, target in ends:
        if place[target] > place[source]:
            back.setdefault(source, []).append(layers[target])
        else:
            back.setdefault(target, []).append(layers[source])
    # What nothing leads to stands right before what it leads to.
    for number in [number for number in back if not layers[number]]:
        layers[number] = min(back[number]) - 1
    return layers


def _order(after: list[list[int]], roots: list[int]) -> list[int]:
    """Order all boxes by depth-first search so that most edges lead onward."""
    seen: set[int] = set()
    done: list[int] = []
    for root in roots:
        pending = [(root, iter(after[root]))] if root not in seen else []
        seen.add(root)
        while pending:
            number, rest = pending[-1]
            for other in rest:
                if other not in seen:
                    seen.add(other)
                    pending.append((other, iter(after[other])))
                    break
            else:
                done.append(number)
                pending.pop()
    return done[::-1]
