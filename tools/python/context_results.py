"""Observed fetches of a context, and the changes of their results.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from context_objects import differ
from object_mapping import ManagedObject, bad
from revision_ids import Object, Refusal

FETCH = ("entity", "predicate", "arguments", "sort", "offset", "limit")


@dataclass
class Observed:
    """A fetch, and its results after the last update."""

    fetch: Object
    results: list[ManagedObject]


def observe_fetch(context: Any, operation: Object) -> Object:
    """Fetches for the first time, and keeps the results under the name of the observer."""
    if operation["observer"] in context.observers:
        raise Refusal("conflict")
    fetch = {name: operation[name] for name in FETCH if name in operation}
    found = context.fetch_objects(fetch)
    context.observers[operation["observer"]] = Observed(fetch, found)
    return {"ids": ids(found)}


def update_fetch(context: Any, operation: Object) -> Object:
    """Fetches again, and returns the changes since the last time."""
    if operation["observer"] not in context.observers:
        raise bad("unknownObserver", operation["observer"])
    observed = context.observers[operation["observer"]]
    found = context.fetch_objects(observed.fetch)
    changes = changes_between(observed.results, found)
    observed.results = found
    return {"ids": ids(found), "changes": changes}


def ids(results: list[ManagedObject]) -> list[str]:
    """Returns the ids of results in their order."""
    return [each.id for each in results]


def changes_between(old: list[ManagedObject], new: list[ManagedObject]) -> list[Object]:
    """Returns deletions, insertions, moves and updates, each by index."""
    before, after = {each.id: place for place, each in enumerate(old)}, set(ids(new))
    kept = [(before[each.id], place) for place, each in enumerate(new) if each.id in before]
    changed = {start for start, place in kept if is_changed(old[start], new[place])}
    moved = {start for start, _ in kept} - unmoved([start for start, _ in kept], changed)
    deleted = [
        {"change": "deleted", "id": each.id, "from": place}
        for place, each in enumerate(old)
        if each.id not in after
    ]
    inserted = [
        {"change": "inserted", "id": each.id, "to": place}
        for place, each in enumerate(new)
        if each.id not in before
    ]
    moves = [
        {"change": "moved", "id": new[place].id, "from": start, "to": place}
        for start, place in kept
        if start in moved
    ]
    updates = [
        {"change": "updated", "id": new[place].id, "to": place}
        for start, place in kept
        if start in changed and start not in moved
    ]
    return deleted + inserted + moves + updates


def is_changed(old: ManagedObject, new: ManagedObject) -> bool:
    """Returns whether values of an object differ. Its version does not count."""
    return any(
        differ(old.values.get(name), new.values.get(name)) for name in old.values.keys() | new.values.keys()
    )


def unmoved(places: list[int], changed: set[int]) -> set[int]:
    """Returns the old indexes of as many objects as possible that have kept their order.

    `places` are old indexes in the new order. The unchanged objects are always among them, so a changed object
    can only stay between the same unchanged ones: each gap between two of these is a problem of its own.
    """
    stays: set[int] = set()
    gap: list[int] = []
    floor = -1
    for place in [*places, None]:
        if place is not None and place in changed:
            gap.append(place)
            continue
        ceiling = place if place is not None else max(places, default=0) + 1
        stays |= longest_rise([each for each in gap if floor < each < ceiling])
        gap = []
        if place is not None:
            stays.add(place)
            floor = place
    return stays


def longest_rise(numbers: list[int]) -> set[int]:
    """Returns the members of a longest rising subsequence."""
    tails: list[int] = []
    runs: list[list[int]] = []
    for number in numbers:
        length = bisect_left(tails, number)
        run = [*(runs[length - 1] if length else []), number]
        tails[length:length + 1], runs[length:length + 1] = [number], [run]
    return set(runs[-1]) if runs else set()
