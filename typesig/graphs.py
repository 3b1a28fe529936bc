"""Graphs of patterns and of names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def iter_components(leads: Mapping[str, Collection[str]]) -> Iterator[tuple[list[str], bool]]:
    """Yield the strongly connected components of a graph of names, and whether each leads back.

    Each comes after those that it leads to.  What is no key of *leads* does not count.

    >>> list(iter_components({"a": ["b"], "b": ["b"], "c": ["a"]}))
    [(['b'], True), (['a'], False), (['c'], False)]
    """
    names = list(leads)
    place = {name: at for at, name in enumerate(names)}
    follow = [tuple([place[each] for each in leads[name] if each in place]) for name in names]
    for component in find_strongly_connected(follow):
        found = [names[at] for at in component]
        yield found, len(found) > 1 or component[0] in follow[component[0]]


def find_strongly_connected(follow: list[tuple[int, ...]]) -> list[list[int]]:
    """Return the strongly connected components of a graph, successors first."""
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
