"""Evaluation of predicates: resolves key paths in a model, and checks the types of constants.

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
from object_predicates import COMPARISONS, Date, Number, ObjectID, Predicate, read_number, unsupported
from object_values import INTEGERS, Decimal, Double

NUMBERS = {*INTEGERS, "double", "float", "decimal", "bool"}
TEXTS = {"utf8", "id"}
TEXT_OPERATORS = ("BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES")
ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
SMALL = {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}

# The objects of a store by id, and a condition of a value or an object.
Objects = dict[str, ManagedObject]
Holds = Callable[[Any], bool]


class NaN:
    """A value for which no comparison holds. It is not nil."""


def comparable(value: Any) -> Any:
    """Returns a value or a constant in a form that Python compares exactly. None is nil."""
    if isinstance(value, Double):
        return NaN if value.token == "nan" else value.value
    if isinstance(value, Decimal):
        return NaN if value.mantissa is None else value.mantissa * Fraction(10) ** value.exponent
    if isinstance(value, Number):
        return value.value
    if isinstance(value, Date):
        return value.seconds
    return value.id if isinstance(value, ObjectID) else value


def exactly(number: Number | Double) -> Any:
    """Returns the exact number of the digits; an infinity or NaN is returned unchanged."""
    if isinstance(number, Number):
        return number.exact
    return Fraction(repr(number.value)) if number.token is None else number


class Condition:
    """A comparison of a predicate, for the objects of an entity."""

    def __init__(self, model: Model, entity: Entity, said: Predicate) -> None:
        self.model, self.said = model, said
        self.steps: list[Property] = []
        # The compared value: `attribute`, `relationship`, `count` or the object `self`.
        self.subject = "self"
        self.find(entity)
        self.check_operator()
        self.check_quantifier()
        self.holds = self.read()

    @property
    def name(self) -> str:
        """The name of the compared value, for errors."""
        names = self.said.path.names
        return names[-1] if names else "SELF"

    # The key path

    def find(self, entity: Entity) -> None:
        """Finds the properties on the path."""
        here: Entity | None = entity
        self.owner = entity
        for name in self.said.path.names:
            if name == "@count":
                if not self.steps:
                    raise unsupported(name)
                if self.subject != "relationship" or not self.steps[-1].is_many:
                    raise bad("unknownKey", self.steps[-1].name)
                self.subject = "count"
                continue
            if here is None:
                raise bad("unknownKey", self.steps[-1].name)
            found = here.properties.get(name)
            if found is None or not found.is_stored:
                raise bad("unknownKey", name)
            self.owner = here
            self.subject = "relationship" if found.is_relationship else "attribute"
            self.steps.append(found)
            here = self.model.entities[found.said["destination"]] if found.is_relationship else None
        self.attribute = self.steps.pop() if self.subject == "attribute" else None

    def check_operator(self) -> None:
        """Refuses operands that the operator does not support."""
        said = self.said
        if said.ignores_case and said.operator == "MATCHES":
            raise unsupported("MATCHES[c]")
        if said.ignores_case and said.operator in {*ORDERS, "BETWEEN"}:
            raise unsupported("[c]")
        if said.operator in ("IN", "BETWEEN") and not isinstance(said.constant, list):
            raise unsupported(said.operator)
        if said.operator == "BETWEEN" and len(said.constant) != 2:
            raise unsupported("BETWEEN")
        is_of_objects = self.attribute is None and self.subject != "count"
        if is_of_objects and not self.ends_in_list and said.operator not in ("==", "!=", "IN"):
            raise unsupported(said.operator)
        # Lists are never nil and never contain nil.
        if is_of_objects and self.steps and self.steps[-1].is_many and said.constant is None:
            raise unsupported(said.operator)

    def check_quantifier(self) -> None:
        """Requires a quantifier if a path leads to many objects, and refuses one otherwise."""
        on_the_way = self.steps[:-1] if self.ends_in_list else self.steps
        many = [step.name for step in on_the_way if step.is_many]
        if many and self.said.quantifier is None:
            raise bad("needsQuantifier", many[0])
        if not many and self.said.quantifier is not None:
            raise unsupported(self.said.quantifier)

    @property
    def ends_in_list(self) -> bool:
        """True if the comparison applies to the whole list at the end of the path."""
        is_list = self.subject == "relationship" and self.steps[-1].is_many
        return self.subject == "count" or is_list and self.said.operator == "CONTAINS"

    # The constant

    def read(self) -> Holds:
        """Returns the condition of one value."""
        operator = self.said.operator
        if self.attribute is None and self.subject != "count":
            return self.read_objects()
        type_name = self.attribute.type_name if self.attribute else "count"
        if type_name == "bool" and operator not in ("==", "!=", "IN"):
            raise bad("wrongType", self.name)
        if operator in TEXT_OPERATORS:
            if type_name not in TEXTS or not isinstance(self.said.constant, str):
                raise bad("wrongType", self.name)
            return self.read_text()
        return self.read_comparison(type_name)

    def read_objects(self) -> Holds:
        """Returns the condition of an object, or of the list of a relationship."""
        operator, constant = self.said.operator, self.said.constant
        if self.ends_in_list:
            wanted = self.constant_object(constant)
            return lambda ids: ids is not None and wanted in ids
        if operator == "IN":
            every = [self.constant_object(each) for each in constant]
            return lambda value: value in every
        wanted = self.constant_object(constant)
        return lambda value: (value == wanted) == (operator == "==")

    def constant_object(self, constant: Any) -> str | None:
        """Returns the id of an object constant."""
        if constant is not None and not isinstance(constant, ObjectID):
            raise bad("wrongType", self.name)
        return comparable(constant)

    def constant(self, said: Any, type_name: str) -> Any:
        """Returns a constant, converted for comparison with values of a type."""
        is_number = isinstance(said, (Number, Decimal, Double))
        good = said is None and type_name != "count"
        good = good or type_name in TEXTS and isinstance(said, str)
        good = good or type_name == "date1970" and isinstance(said, Date)
        good = good or type_name in NUMBERS and is_number
        good = good or type_name in {*INTEGERS, "bool"} and isinstance(said, bool)
        good = good or type_name == "count" and isinstance(said, Number) and isinstance(said.value, int)
        if not good or self.said.ignores_case and type_name not in TEXTS:
            raise bad("wrongType", self.name)
        if type_name in (*INTEGERS, "decimal") and isinstance(said, (Number, Double)):
            return exactly(said)
        if type_name in ("double", "float"):
            # A double is compared with the double nearest to the constant.
            exact = comparable(said)
            is_finite = isinstance(said, Decimal) and exact is not NaN
            return Number(Fraction(repr(float(exact))), float(exact)) if is_finite else said
        value = comparable(said)
        if type_name == "bool" and value is not None and value is not NaN:
            return value != 0
        return value.translate(SMALL) if self.said.ignores_case and isinstance(value, str) else value

    def read_comparison(self, type_name: str) -> Holds:
        """Returns the condition of `==`, an ordering, `BETWEEN` or `IN`."""
        operator, said = self.said.operator, self.said.constant
        if operator not in COMPARISONS:
            every = [self.constant(each, type_name) for each in said]
            if operator == "IN":
                return lambda value: any(self.compare("==", value, each) for each in every)
            return lambda value: self.compare(">=", value, every[0]) and self.compare("<=", value, every[1])
        constant = self.constant(said, type_name)
        return lambda value: self.compare(operator, value, constant)

    def compare(self, sign: str, value: Any, constant: Any) -> bool:
        """Returns whether a comparison holds for a value and a constant."""
        # Digits in a text are compared with digits, and doubles with doubles.
        if isinstance(value, Number) and isinstance(constant, (Number, Double)):
            value, constant = exactly(value), exactly(constant)
        value, constant = comparable(value), comparable(constant)
        if isinstance(value, str):
            value = value.translate(SMALL) if self.said.ignores_case else value
        if constant is None or value is None:
            is_same = constant is None and value is None
            # NaN is not nil, but no comparison with a constant NaN holds.
            return sign == "==" and is_same or sign == "!=" and not is_same and constant is not NaN
        if value is NaN or constant is NaN:
            return False
        if isinstance(value, str):
            value, constant = value.encode(), constant.encode()
        if sign in ("==", "!="):
            return (value == constant) == (sign == "==")
        return ORDERS[sign](value, constant)

    def read_text(self) -> Holds:
        """Returns the condition of a text operator."""
        fold = (lambda text: text.translate(SMALL)) if self.said.ignores_case else (lambda text: text)
        constant = self.said.constant
        if self.said.operator == "MATCHES":
            try:
                pattern = Pattern(constant)
            except NoPattern:
                raise unsupported("MATCHES") from None
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

    # Evaluation

    def is_true(self, shown: ManagedObject, objects: Objects) -> bool:
        """Returns whether the comparison is true for an object."""
        found = map(self.holds, self.values(shown, objects))
        if self.said.quantifier in ("ALL", "NONE"):
            return all(found) if self.said.quantifier == "ALL" else not any(found)
        return any(found)

    def values(self, shown: ManagedObject, objects: Objects) -> Iterator[Any]:
        """Yields the values at the end of the path; nil if a relationship on it has no object."""
        ends: list[Any] = [shown.id]
        for place, step in enumerate(self.steps):
            is_last = place + 1 == len(self.steps)
            if is_last and self.ends_in_list:
                for owner in map(objects.get, ends):
                    # A missing object has no list and no count.
                    ids = None if owner is None else value_of(owner, step) or []
                    yield ids if ids is None or self.subject == "relationship" else len(ids)
                return
            ends = [each for end in ends for each in targets(objects.get(end), step)]
            if step.is_many and not (is_last and self.attribute is None):
                # An id in a list without its object is ignored.
                ends = [end for end in ends if end in objects]
        for end in ends:
            yield end if self.attribute is None else value_of(objects.get(end), self.attribute)


def value_of(shown: ManagedObject | None, described: Property) -> Any:
    """Returns a value of an object, or nil. For doubles it is the number in the document."""
    if shown is None:
        return None
    value = shown.values.get(described.name)
    if not isinstance(value, Double) or value.token is not None:
        return value
    number = shown.body.get(described.name)
    return read_number(number) if isinstance(number, str) else value if number is None else number


def targets(shown: ManagedObject | None, step: Property) -> list[Any]:
    """Returns the ids of a relationship."""
    value = value_of(shown, step)
    return (value or []) if step.is_many else [value]


def wildcards(pattern: str) -> list[str | None]:
    """Returns the parts of a `LIKE` pattern: a scalar, "" for any scalar, None for any text."""
    parts: list[str | None] = []
    scalars = iter(pattern)
    for scalar in scalars:
        if scalar == "\\":
            parts.append(next(scalars, "\\"))
        else:
            parts.append({"*": None, "?": ""}.get(scalar, scalar))
    return parts


def is_like(text: str, parts: list[str | None]) -> bool:
    """Returns whether a whole text matches the parts. All possible positions advance together."""

    def closed(places: set[int]) -> set[int]:
        for place, part in enumerate(parts):
            if place in places and part is None:
                places.add(place + 1)
        return places

    places = closed({0})
    for scalar in text:
        open_ones = {place for place in places if place < len(parts)}
        stays = {place for place in open_ones if parts[place] is None}
        places = closed(stays | {place + 1 for place in open_ones if parts[place] in ("", scalar)})
    return len(parts) in places


def read_condition(
    model: Model, entity: Entity, said: Predicate
) -> Callable[[ManagedObject, Objects], bool]:
    """Returns a function that evaluates a predicate."""
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
    """Returns the path of a double or a float that is compared for equality, or None."""
    condition = Condition(model, entity, said)
    attribute = condition.attribute
    if attribute is None or attribute.type_name not in ("double", "float"):
        return None
    constants = said.constant if said.operator == "IN" else [said.constant]
    is_equality = said.operator in ("==", "!=", "IN") and any(each is not None for each in constants)
    return f"{condition.owner.name}.{attribute.name}" if is_equality else None
