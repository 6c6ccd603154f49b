"""Filters of the backend of collections: which entities a request selects, and their order.

Written from `Vectors/README.md`, "Collections". A filter is a selector except that null also matches a missing value,
and that values of different types have no order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from collection_queries import has_operators
from find_geography import nearest, read_near, read_within, required_place
from find_patterns import Pattern
from find_selectors import (
    MISSING,
    kind_of,
    of_elements,
    rank,
    read_path,
    same_value,
    sort_rank,
    value_at,
)
from revision_ids import Object

Holds = Callable[[Any], bool]


def selects(said: Object) -> Callable[[Object], bool]:
    """Returns whether a filter selects an entity."""
    parts = [member(name, asked) for name, asked in said.items()]
    return lambda entity: all(part(entity) for part in parts)


def member(name: str, asked: Any) -> Callable[[Object], bool]:
    """Returns one member of a filter as a condition of entities."""
    if name in ("$or", "$and"):
        parts, every = [selects(each) for each in asked], all if name == "$and" else any
        return lambda entity: every(part(entity) for part in parts)
    path = read_path(name) or ()
    holds = operators(asked) if has_operators(asked) else of_elements(equals(asked))
    return lambda entity: holds(value_at(entity, path))


def equals(wanted: Any) -> Holds:
    """Returns whether a value is equal to another one. Null is equal to a missing value."""
    return lambda value: value is MISSING if value is MISSING and wanted is None else (
        value is not MISSING and same_value(value, wanted)
    )


def operators(said: Object) -> Holds:
    """Returns whether a value meets all operators."""
    parts = []
    for name, operand in said.items():
        if name == "$nearSphere":
            parts.append(read_near(said, ""))
        elif name != "$maxDistance":
            parts.append(CONDITIONS[name](operand))
    return lambda value: all(part(value) for part in parts)


def comparison(compare: Callable[[Any, Any], bool]) -> Callable[[Any], Holds]:
    """Returns one of the four comparisons, which hold between values of one type only."""

    def read(operand: Any) -> Holds:
        limit = rank(operand)

        def holds(value: Any) -> bool:
            found = rank(value)
            return found is not None and limit is not None and found[0] == limit[0] and compare(found[1], limit[1])

        return of_elements(holds)

    return read


def expression(operand: str) -> Holds:
    """A text with a match."""
    pattern = Pattern(operand)
    return of_elements(lambda value: isinstance(value, str) and pattern.is_found(value))


def one_of(operand: list[Any]) -> Holds:
    """One of some values."""
    parts = [equals(each) for each in operand]
    return of_elements(lambda value: any(part(value) for part in parts))


def denied(holds: Holds) -> Holds:
    """The negation of a condition."""
    return lambda value: not holds(value)


CONDITIONS: dict[str, Callable[[Any], Holds]] = {
    "$eq": lambda operand: of_elements(equals(operand)),
    "$ne": lambda operand: denied(of_elements(equals(operand))),
    "$in": one_of,
    "$nin": lambda operand: denied(one_of(operand)),
    "$lt": comparison(lambda value, limit: value < limit),
    "$lte": comparison(lambda value, limit: value <= limit),
    "$gt": comparison(lambda value, limit: value > limit),
    "$gte": comparison(lambda value, limit: value >= limit),
    "$exists": lambda operand: lambda value: (value is not MISSING) == operand,
    # 10 is null.
    "$type": lambda operand: lambda value: value is not MISSING and kind_of(value) == "null",
    "$regex": expression,
    "$within": lambda operand: read_within(operand, ""),
    "$not": lambda operand: denied(operators(operand)),
}


def selected(entities: list[Object], parameters: Object) -> list[Object]:
    """Returns the entities that a request selects, in order. Those given are ordered by their ids."""
    said = parameters.get("query", {})
    found = list(filter(selects(said), entities))
    near = required_place(said) if not parameters.get("sort") else None
    if near is not None:
        path, place = read_path(near[0]) or (), near[1]
        found.sort(key=lambda entity: nearest(place, value_at(entity, path)) or 0.0)
    for name, direction in reversed(list(parameters.get("sort", {}).items())):
        path = read_path(name) or ()
        found.sort(key=lambda entity: sort_rank(value_at(entity, path)), reverse=direction < 0)
    begin = parameters.get("skip", 0)
    return found[begin : None if "limit" not in parameters else begin + parameters["limit"]]
