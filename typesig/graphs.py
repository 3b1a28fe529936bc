"""Graphs of patterns and of names."""

from __future__ import annotations


def strongly_connected(follow: list[tuple[int, ...]]) -> list[list[int]]:
    """Return the strongly connected components of a graph, each after those that it leads to."""
    # Tarjan's algorithm, without recursion.
    index = [-1] * len(follow)
    low = [0] * len(follow)
    out: list[list[int]] = []
    path: list[int] = []
    on_path = [False] * len(follow)
    count = 0
    for root in range(len(follow)):
        work = [(root, iter(follow[root]))] if index[root] < 0 else []
        while work:
            at, rest = work[-1]
            if index[at] < 0:
                index[at] = low[at] = count
                count += 1
                path.append(at)
                on_path[at] = True
            for to in rest:
                if index[to] < 0:
                    work.append((to, iter(follow[to])))
                    break
                if on_path[to]:
                    low[at] = min(low[at], low[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    cut = len(path) - 1
                    while path[cut] != at:
                        cut -= 1
                    out.append(path[cut:])
                    del path[cut:]
                    for each in out[-1]:
                        on_path[each] = False
    return out
