"""What a predicate is true of: its key paths are those of a model, and its constants fit their types.

Written from `Vectors/README.md`, "Predicates".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from find_patterns import NoPattern, Pattern
from object_mapping import ManagedObject, bad
from object_model import Entity, Model, Property
from object_predicates import COMPARISONS, Date, Number, ObjectID, Predicate, bad_format, unsupported
from object_values import INTEGERS, Decimal, Double

NUMBERS = {*INTEGERS, "double", "float", "decimal", "bool"}
TEXTS = {"utf8", "id"}
ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
SMALL = {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}

# The objects of a store by their ids, and whether something is true of a value or of an object.
Objects = dict[str, ManagedObject]
Holds = Callable[[Any], bool]


class NaN:
    """What satisfies no comparison. It is not nil."""


def comparable(value: Any) -> Any:
    """A value in memory, or a constant, as something that Python compares exactly: None is nil."""
    if isinstance(value, Double):
        return NaN if value.token == "nan" else value.value
    if isinstance(value, Decimal):
        return NaN if value.mantissa is None else value.mantissa * Fraction(10) ** value.exponent
    if isinstance(value, Number):
        return value.value
    if isinstance(value, Date):
        return value.seconds
    return value.id if isinstance(value, ObjectID) else value


class Condition:
    """A comparison that was said of the objects of an entity."""

    def __init__(self, model: Model, entity: Entity, said: Predicate) -> None:
        self.model, self.said = model, said
        self.steps: list[Property] = []
        # What is compared: `attribute`, `relationship`, `count` or the object `self`.
        self.subject = "self"
        self.find(entity)
        self.check_quantifier()
        self.holds = self.read()

    @property
    def name(self) -> str:
        """What is compared, for errors."""
        names = self.said.path.names
        return names[-1] if names else "SELF"

    # The key path

    def find(self, entity: Entity) -> None:
        """Finds the properties on the path."""
        here: Entity | None = entity
        self.owner = entity
        for name in self.said.path.names:
            if name == "@count":
                if self.subject != "relationship" or not self.steps[-1].is_many:
                    raise unsupported(name)
                self.subject = "count"
                continue
            found = here.properties.get(name) if here else None
            if found is None or not found.is_stored:
                raise bad("unknownKey", name)
            self.owner = here or self.owner
            self.subject = "relationship" if found.is_relationship else "attribute"
            self.steps.append(found)
            here = self.model.entities[found.said["destination"]] if found.is_relationship else None
        self.attribute = self.steps.pop() if self.subject == "attribute" else None

    def check_quantifier(self) -> None:
        """Refuses a path that leads to many, when it is not said of which it has to hold."""
        on_the_way = self.steps[:-1] if self.ends_in_list else self.steps
        if any(step.is_many for step in on_the_way) and self.said.quantifier is None:
            raise bad("needsQuantifier", self.name)

    @property
    def ends_in_list(self) -> bool:
        """Whether what is compared are all objects at the end of the path at once."""
        contains = self.said.operator in ("CONTAINS", "IN KEYPATH")
        return self.subject == "count" or self.subject == "relationship" and self.steps[-1].is_many and contains

    # The constant

    def read(self) -> Holds:
        """What has to hold of one value."""
        said = self.said
        if self.subject == "count":
            return self.read_comparison({"int64"})
        if self.subject in ("self", "relationship"):
            return self.read_objects()
        if said.operator == "IN KEYPATH":
            raise unsupported("IN")
        assert self.attribute
        type_name = self.attribute.type_name
        if said.operator in ("BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"):
            if type_name not in TEXTS or not isinstance(said.constant, str):
                raise bad("wrongType", self.name)
            return self.read_text()
        if said.ignores_case and type_name not in TEXTS:
            raise bad("wrongType", self.name)
        return self.read_comparison({type_name})

    def read_objects(self) -> Holds:
        """What has to hold of an object, or of the list of those that a relationship leads to."""
        said = self.said
        if self.ends_in_list:
            wanted = self.constant_object(said.constant)
            return lambda ids: wanted in ids
        if said.operator == "IN" and isinstance(said.constant, list):
            every = [self.constant_object(each) for each in said.constant]
            return lambda value: value in every
        if said.operator not in ("==", "!="):
            raise bad("wrongType", self.name)
        wanted = self.constant_object(said.constant)
        return lambda value: (value == wanted) == (said.operator == "==")

    def constant_object(self, constant: Any) -> str | None:
        """The id of an object that is said."""
        if constant is not None and not isinstance(constant, ObjectID):
            raise bad("wrongType", self.name)
        return comparable(constant)

    def constant(self, said: Any, type_name: str) -> Any:
        """A constant that values of a type are compared with."""
        is_number = isinstance(said, (bool, Number, Decimal, Double))
        good = said is None
        good = good or type_name in TEXTS and isinstance(said, str)
        good = good or type_name == "date1970" and isinstance(said, Date)
        good = good or type_name in NUMBERS and is_number
        if not good:
            raise bad("wrongType", self.name)
        if type_name == "decimal" and isinstance(said, Number):
            return said.exact
        if type_name == "float" and isinstance(said, Number):
            return Double.of(said.value, 32).value
        value = comparable(said)
        if type_name == "bool" and value is not None and value is not NaN:
            return value != 0
        return value.translate(SMALL) if self.said.ignores_case and isinstance(value, str) else value

    def read_comparison(self, types: set[str]) -> Holds:
        """`==` and its like, `BETWEEN` or `IN`."""
        (type_name,), said = types, self.said
        if said.operator in ("IN", "BETWEEN"):
            if not isinstance(said.constant, list) or said.operator == "BETWEEN" and len(said.constant) != 2:
                raise bad_format()
            every = [self.constant(each, type_name) for each in said.constant]
            if said.operator == "IN":
                return lambda value: any(self.compare("==", value, each) for each in every)
            return lambda value: self.compare(">=", value, every[0]) and self.compare("<=", value, every[1])
        if said.operator not in COMPARISONS:
            raise bad("wrongType", self.name)
        constant = self.constant(said.constant, type_name)
        return lambda value: self.compare(said.operator, value, constant)

    def compare(self, sign: str, value: Any, constant: Any) -> bool:
        """Whether a value stands so to a constant."""
        value = comparable(value)
        if isinstance(value, str):
            value = value.translate(SMALL) if self.said.ignores_case else value
        if constant is None or value is None:
            is_same = constant is None and value is None
            return is_same if sign == "==" else not is_same if sign == "!=" and constant is not NaN else False
        if value is NaN or constant is NaN:
            return False
        if isinstance(value, str):
            value, constant = value.encode(), constant.encode()
        if sign in ("==", "!="):
            return (value == constant) == (sign == "==")
        return ORDERS[sign](value, constant)

    def read_text(self) -> Holds:
        """What is asked of texts alone."""
        fold = (lambda text: text.translate(SMALL)) if self.said.ignores_case else (lambda text: text)
        constant = self.said.constant
        if self.said.operator == "MATCHES":
            try:
                pattern = Pattern(constant, self.said.ignores_case)
            except NoPattern:
                raise bad_format() from None
            return lambda value: value is not None and pattern.is_found(value, whole=True)
        wanted = fold(constant)
        if self.said.operator == "LIKE":
            parts = wildcards(wanted)
            return lambda value: value is not None and is_like(fold(value), parts)
        tests: dict[str, Callable[[str], bool]] = {
            "BEGINSWITH": lambda text: text.startswith(wanted),
            "ENDSWITH": lambda text: text.endswith(wanted),
            "CONTAINS": lambda text: wanted in text,
        }
        test = tests[self.said.operator]
        return lambda value: value is not None and test(fold(value))

    # Asking

    def is_true(self, shown: ManagedObject, objects: Objects) -> bool:
        """Whether it is true of an object."""
        found = map(self.holds, self.values(shown, objects))
        if self.said.quantifier in ("ALL", "NONE"):
            return all(found) if self.said.quantifier == "ALL" else not any(found)
        return any(found)

    def values(self, shown: ManagedObject, objects: Objects) -> Iterator[Any]:
        """What stands at the end of the path: where one leads to nothing that is nil."""
        ends: list[Any] = [shown.id]
        for place, step in enumerate(self.steps):
            is_last = place + 1 == len(self.steps)
            if is_last and self.ends_in_list:
                lists = [value_of(objects.get(end), step) or [] for end in ends]
                yield from map(len, lists) if self.subject == "count" else lists
                return
            ends = [each for end in ends for each in targets(objects.get(end), step)]
        if self.attribute:
            yield from (value_of(shown if not self.steps else objects.get(end), self.attribute) for end in ends)
        else:
            yield from ends


def value_of(shown: ManagedObject | None, described: Property) -> Any:
    """A value of an object, nil where there is none."""
    return None if shown is None else shown.values.get(described.name)


def targets(shown: ManagedObject | None, step: Property) -> list[Any]:
    """Where a relationship leads to."""
    value = value_of(shown, step)
    return (value or []) if step.is_many else [value]


def wildcards(pattern: str) -> list[str | None]:
    """The parts of a `LIKE`: a scalar, "" for any one, None for any text."""
    parts: list[str | None] = []
    scalars = iter(pattern)
    for scalar in scalars:
        if scalar == "\\":
            parts.append(next(scalars, "\\"))
        else:
            parts.append({"*": None, "?": ""}.get(scalar, scalar))
    return parts


def is_like(text: str, parts: list[str | None]) -> bool:
    """Whether a whole text is like some parts: follows all places among them at once."""

    def closed(places: set[int]) -> set[int]:
        for place, part in enumerate(parts):
            if place in places and part is None:
                places.add(place + 1)
        return places

    places = closed({0})
    for scalar in text:
        stays = {place for place in places if place < len(parts) and parts[place] is None}
        places = closed(stays | {p + 1 for p in places - stays if p < len(parts) and parts[p] in ("", scalar)})
    return len(parts) in places


def read_condition(model: Model, entity: Entity, said: Predicate) -> Callable[[ManagedObject, Objects], bool]:
    """What a predicate is true of."""
    if said.kind == "comparison":
        return Condition(model, entity, said).is_true
    parts = [read_condition(model, entity, part) for part in said.parts]
    if said.kind == "not":
        return lambda shown, objects: not parts[0](shown, objects)
    if said.kind in ("and", "or"):
        join = all if said.kind == "and" else any
        return lambda shown, objects: join(part(shown, objects) for part in parts)
    return lambda shown, objects: said.kind == "true"


def is_floating_compared(model: Model, entity: Entity, said: Predicate) -> str | None:
    """The path of a double or a float that is compared for equality; None for all else."""
    condition = Condition(model, entity, said)
    attribute = condition.attribute
    if attribute is None or attribute.type_name not in ("double", "float"):
        return None
    is_equality = said.operator in ("==", "!=", "IN")
    return f"{condition.owner.name}.{attribute.name}" if is_equality else None
