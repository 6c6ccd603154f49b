"""Queries of collections: from steps to a filter, an order and a range.

Written from `Vectors/README.md`, "Collections".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from collection_mapping import Collection
from find_geography import NoShape, number_of, place_of, read_shape
from find_patterns import NoPattern, Pattern
from find_selectors import kind_of, read_path, same_value
from object_mapping import bad
from revision_ids import Object

PLACE = "_geoloc"
COMPARISONS = {"$lt", "$lte", "$gt", "$gte"}
SHAPES = {"$box", "$centerSphere", "$polygon"}
UNSUPPORTED = {"$all", "$size"}
IS_STORED_NULL = {"$type": 10}


class RelatedField(Exception):
    """A condition on a field of related objects, which is a problem of the call."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


@dataclass
class Query:
    """What a request for entities selects."""

    conditions: list[tuple[str, Any]] = field(default_factory=list)
    sort: list[tuple[str, bool]] = field(default_factory=list)
    limit: int | None = None
    skip: int | None = None

    @property
    def filter(self) -> Object:
        """Returns the filter of the request."""
        parts: list[Object] = [{}]
        for name, condition in self.conditions:
            if name in parts[-1]:
                parts.append({})
            parts[-1][name] = condition
        return parts[0] if len(parts) == 1 else {"$and": parts}

    def conditions_only(self) -> Object:
        """Returns the parameters of a request that has no order and no range."""
        return {"query": self.filter} if self.conditions else {}

    def parameters(self) -> Object:
        """Returns the parameters of the request."""
        told = self.conditions_only()
        if self.sort:
            told["sort"] = {name: -1 if is_down else 1 for name, is_down in self.sort}
        told |= {} if self.limit is None else {"limit": self.limit}
        return told | ({} if self.skip is None else {"skip": self.skip})


class Builder:
    """Builds the query of some steps for a collection."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self.query = Query()
        self.is_everything = False

    def build(self, steps: list[Object]) -> Query:
        """Returns the query of all steps."""
        for step in steps:
            self.take(step)
        if self.is_everything:
            self.query.conditions = []
        return self.query

    def take(self, step: Object) -> None:
        """Applies one step."""
        query = self.query
        if "is" in step:
            self.exact(self.checked(step["field"]), step["is"])
        elif "meets" in step:
            self.meets(self.checked(step["field"]), step["meets"])
        elif "without" in step:
            self.add(self.checked(step["without"]), {"$exists": False})
        elif "withoutOrNull" in step:
            self.add(self.checked(step["withoutOrNull"]), None)
        elif step.get("negate") is True:
            self.negate()
        elif "any" in step or "all" in step:
            name = "any" if "any" in step else "all"
            parts = [Builder(self.collection).build(steps).filter for steps in step[name]]
            self.add("$or" if name == "any" else "$and", parts)
        elif "sort" in step:
            query.sort.append((self.checked(step["sort"]), step.get("descending", False)))
        elif "limit" in step:
            query.limit = self.count(step["limit"], "limit")
        elif "skip" in step:
            query.skip = self.count(step["skip"], "skip")
        elif step.get("copy") is True:
            if self.collection.options["copiesLimitAsSkip"]:
                query.skip = query.limit
        else:
            raise bad("badField")

    def count(self, value: Any, name: str) -> int:
        """Returns a number of entities."""
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise bad("badValue", name)
        return value

    def checked(self, name: str) -> str:
        """Returns the name of a field, or refuses it."""
        path = read_path(name)
        if path is None or "" in path or name.startswith("$"):
            raise bad("badField", name)
        for reference in self.collection.references.values():
            if name.startswith(reference.field + "."):
                raise RelatedField(name)
        return name

    def add(self, name: str, condition: Any) -> None:
        """Adds a condition. Products replace an earlier one of the same name."""
        known = [each for each, _ in self.query.conditions]
        if self.collection.options["replacesConditions"] and name in known:
            self.query.conditions[known.index(name)] = (name, condition)
        else:
            self.query.conditions.append((name, condition))

    def exact(self, name: str, value: Any) -> None:
        """The field has a value."""
        if value is None and not self.query.conditions:
            self.add(name, IS_STORED_NULL)
            return
        self.add(name, self.stored(name, value))

    def stored(self, name: str, value: Any) -> Any:
        """Returns an operand, and for an id the form in which the field has it."""
        reference = next((each for each in self.collection.references.values() if each.field == name), None)
        if reference is None:
            return value
        identifier = reference.id_in(value)
        return value if identifier is None else reference.stored(identifier)

    def meets(self, name: str, pairs: list[list[Any]]) -> None:
        """The field meets all operators."""
        operators: Object = {}
        names = [operator for operator, _ in pairs]
        if not pairs:
            raise bad("badValue", name)
        for operator, operand in pairs:
            if operator == "$maxDistance" and "$nearSphere" not in names:
                raise bad("badPlace", name)
            told = self.condition(name, operator, operand)
            if told is None:
                return
            (key,) = told
            if key in operators:
                self.add(name, operators)
                operators = {}
            operators |= told
        self.add(name, operators)

    def condition(self, name: str, operator: str, operand: Any) -> Object | None:
        """Returns the condition of one operator. None if a product forgets all conditions."""
        if operator in {"$nearSphere", "$maxDistance", *SHAPES}:
            return self.place(name, operator, operand)
        if operator in COMPARISONS:
            if kind_of(operand) not in ("boolean", "number", "string"):
                raise bad("badValue", name)
        elif operator in ("$in", "$nin"):
            operand = self.values(name, operand)
        elif operator == "$regex":
            self.check_expression(name, operand)
        elif operator in UNSUPPORTED and self.collection.options["forgetsArrayConditions"]:
            self.is_everything = True
            return None
        elif operator != "$ne":
            raise bad("unsupportedConditional", name)
        if operator in ("$in", "$nin"):
            return {operator: [self.stored(name, each) for each in operand]}
        return {operator: self.stored(name, operand) if operator == "$ne" else operand}

    def values(self, name: str, operand: Any) -> list[Any]:
        """Returns a list of values, each once. A list in it counts as that list."""
        if not isinstance(operand, list):
            raise bad("badValue", name)
        if len(operand) == 1 and isinstance(operand[0], list):
            operand = operand[0]
        found: list[Any] = []
        for each in operand:
            if not any(same_value(each, known) for known in found):
                found.append(each)
        return found

    def check_expression(self, name: str, operand: Any) -> None:
        """Refuses an expression that does not begin with a circumflex, or is invalid."""
        try:
            if not isinstance(operand, str) or not operand.startswith("^"):
                raise NoPattern("not at the beginning")
            Pattern(operand)
        except NoPattern:
            raise bad("badExpression", name) from None

    def place(self, name: str, operator: str, operand: Any) -> Object:
        """Returns the condition of a place."""
        try:
            if name != PLACE:
                raise NoShape
            if operator == "$nearSphere":
                is_good = place_of(operand) is not None
            elif operator == "$maxDistance":
                distance = number_of(operand)
                is_good = distance is not None and distance >= 0
            else:
                is_good = read_shape(operator, operand) is not None
            if not is_good:
                raise NoShape
        except NoShape:
            raise bad("badPlace", name) from None
        return {"$within": {operator: operand}} if operator in SHAPES else {operator: operand}

    def negate(self) -> None:
        """Negates the operators of one field."""
        conditions = self.query.conditions
        name, condition = conditions[-1] if conditions else ("", None)
        if len(conditions) != 1 or name.startswith("$"):
            raise bad("cannotNegate", "")
        if not has_operators(condition) or condition == IS_STORED_NULL:
            raise bad("cannotNegate", name)
        conditions[-1] = (name, {"$not": condition})


def has_operators(condition: Any) -> bool:
    """Returns whether a condition consists of operators. Any other object is a value."""
    return isinstance(condition, dict) and any(name.startswith("$") for name in condition)
