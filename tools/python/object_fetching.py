"""Fetching of objects by predicates: order, limits, counts, groups and aggregates.

Written from `Vectors/README.md`, "Predicates".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

from object_conditions import NaN, Objects, comparable, is_floating_compared, read_condition
from object_mapping import ManagedObject, bad
from object_model import Entity, Model, Property
from object_predicates import read_predicate
from object_values import INTEGERS, Decimal, Double, in_range, to_call
from revision_ids import Object, Refusal

FUNCTIONS = ("count", "sum", "min", "max", "average")
SUMMED = {*INTEGERS, "double", "float", "decimal"}
COMPARED = {*SUMMED, "date1970", "utf8", "id", "bool"}


def predicate_warnings(model: Model, predicates: Iterable[Object]) -> Iterator[Object]:
    """Yields warnings for doubles and floats that predicates compare for equality."""
    for said in predicates:
        entity = entity_of(model, said["entity"])
        for comparison in read_predicate(said).comparisons():
            path = is_floating_compared(model, entity, comparison)
            if path is not None:
                yield {"path": path, "reason": "floatingPointCompared"}


def entity_of(model: Model, name: Any) -> Entity:
    """Returns an entity of a model."""
    if name not in model.entities:
        raise bad("unknownEntity", name)
    return model.entities[name]


def attribute_of(entity: Entity, name: Any) -> Property:
    """Returns a stored attribute of an entity."""
    found = entity.properties.get(name)
    if found is None or not found.is_stored or found.is_relationship:
        raise bad("unknownKey", name)
    return found


def matching(objects: Objects, model: Model, operation: Object) -> list[ManagedObject]:
    """Returns the objects of an entity for which a predicate is true, in byte order of their ids."""
    entity = entity_of(model, operation["entity"])
    is_true = read_condition(model, entity, read_predicate(operation))
    ordered = [objects[name] for name in sorted(objects, key=str.encode)]
    return [shown for shown in ordered if shown.entity == entity.name and is_true(shown, objects)]


def fetch(objects: Objects, model: Model, operation: Object) -> Object:
    """Returns the result of a fetch over all objects of a store."""
    entity = entity_of(model, operation["entity"])
    result = operation.get("result", "objects")
    columns, keys = read_columns(entity, operation) if result == "groups" else ([], [])
    found = in_sort_order(matching(objects, model, operation), model, operation)
    if result == "groups":
        return {"groups": cut(groups(found, columns, keys), operation)}
    return told(cut(found, operation), operation)


def in_sort_order(found: list[ManagedObject], model: Model, operation: Object) -> list[ManagedObject]:
    """Sorts objects, which are in byte order of their ids, by `sort`."""
    entity = entity_of(model, operation["entity"])
    sort = read_sort(entity, operation.get("sort", []))
    for name in ("offset", "limit"):
        if operation.get(name, 0) < 0:
            raise Refusal("badRequest", path=name)
    for name, is_down in reversed(sort):
        found.sort(key=lambda shown: sort_rank(shown.values.get(name)), reverse=is_down)
    return found


def told(found: list[ManagedObject], operation: Object) -> Object:
    """Returns found objects in the requested form of result."""
    result = operation.get("result", "objects")
    if result == "count":
        return {"count": len(found)}
    return {result: [shown.id if result == "ids" else shown.json() for shown in found]}


def cut(found: list[Any], operation: Object) -> list[Any]:
    """Applies `offset` and `limit`."""
    begin, limit = operation.get("offset", 0), operation.get("limit")
    return found[begin:] if limit is None else found[begin : begin + limit]


# Orders


def read_sort(entity: Entity, keys: list[Object]) -> list[tuple[str, bool]]:
    """Returns the attributes of a sort, each with whether it is descending."""
    read = []
    for key in keys:
        ((name, direction),) = key.items()
        if attribute_of(entity, name).type_name not in COMPARED:
            raise bad("wrongType", name)
        read.append((name, direction == "desc"))
    return read


def sort_rank(value: Any) -> tuple[int, Any]:
    """Returns the sort key of a value: nil, then NaN, then the others."""
    found = comparable(value)
    if found is None or found is NaN:
        return (0 if found is None else 1), 0
    return 2, found.encode() if isinstance(found, str) else found


# Groups


@dataclass(frozen=True)
class Column:
    """A column of the result: an attribute, or an aggregate function of it."""

    name: str
    function: str | None
    attribute: Property


def read_columns(entity: Entity, operation: Object) -> tuple[list[Column], list[Property]]:
    """Returns the columns of groups, and the attributes of `groupBy`."""
    keys = [attribute_of(entity, name) for name in operation.get("groupBy", [])]
    columns = [read_column(entity, said) for said in operation.get("columns", [])]
    plain = [column for column in columns if column.function is None]
    for column in plain:
        # Without `groupBy` each object is a row, unless a column is an aggregate of all objects.
        if column.attribute not in keys and (keys or len(plain) < len(columns)):
            raise bad("unsupported", column.name)
    return columns, keys


def read_column(entity: Entity, said: Any) -> Column:
    """Returns a column: the name of an attribute, or a function of one."""
    if isinstance(said, str):
        return Column(said, None, attribute_of(entity, said))
    is_function = isinstance(said, dict) and said.keys() == {"function", "of", "as"}
    if not is_function or said["function"] not in FUNCTIONS:
        raise bad("badFormat", "columns")
    function, attribute = said["function"], attribute_of(entity, said["of"])
    allowed = SUMMED if function in ("sum", "average") else COMPARED
    if function != "count" and attribute.type_name not in allowed:
        raise bad("wrongType", attribute.name)
    return Column(said["as"], function, attribute)


def groups(found: list[ManagedObject], columns: list[Column], keys: list[Property]) -> list[Object]:
    """Returns one row for each group, in the order of the first object of each."""
    is_reckoned = any(column.function for column in columns)
    if not keys:
        every = [found] if is_reckoned else [[each] for each in found]
        return [row(members, columns) for members in every]
    together: dict[Any, list[ManagedObject]] = {}
    for shown in found:
        together.setdefault(tuple(sort_rank(shown.values.get(key.name)) for key in keys), []).append(shown)
    return [row(members, columns) for members in together.values()]


def row(members: list[ManagedObject], columns: list[Column]) -> Object:
    """Returns the row of a group, without nil."""
    told = {}
    for column in columns:
        values = [shown.values.get(column.attribute.name) for shown in members]
        value = reckoned(column.function, values, column.attribute) if column.function else values[0]
        if value is not None:
            told[column.name] = to_call(value)
    return told


def reckoned(function: str, every: list[Any], described: Property) -> Any:
    """Returns the aggregate of the values that are neither nil nor NaN; None if there are none."""
    values = [value for value in every if comparable(value) is not None and comparable(value) is not NaN]
    if function == "count":
        return len(values)
    if function in ("min", "max"):
        choose = min if function == "min" else max
        return choose(values, key=sort_rank) if values else None
    if function == "average":
        return Double.of(average(values)) if values else None
    return total(values, described)


def average(values: list[Any]) -> float:
    """Returns the mean of some numbers, as a double."""
    return float(sum(map(comparable, values), Fraction(0)) / len(values))


def total(values: list[Any], described: Property) -> Any:
    """Returns the sum of some numbers."""
    if described.type_name in INTEGERS:
        if not in_range(sum(values), "int64"):
            raise bad("wrongType", described.name)
        return sum(values)
    if described.type_name == "decimal":
        exponent = min((value.exponent for value in values), default=0)
        mantissas = [value.mantissa * 10 ** (value.exponent - exponent) for value in values]
        found = Decimal.of(sum(mantissas), exponent)
        if found is None:
            raise bad("wrongType", described.name)
        return found
    return Double.of(reduce(lambda a, b: a + b, (value.value for value in values), 0.0))
