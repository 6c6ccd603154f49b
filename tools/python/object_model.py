"""Models of objects: validity, description in documents, and validation of objects.

Written from `Vectors/README.md`, "Objects".
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any, Iterator

from find_patterns import NoPattern, Pattern
from object_values import INTEGERS, ORDERED, TYPES, NoValue, from_call, in_range, is_less
from revision_ids import Object, Refusal, is_text

ATTRIBUTE_MEMBERS = {
    "type": str, "optional": bool, "transient": bool, "default": object, "min": object, "max": object,
    "minLength": int, "maxLength": int, "pattern": str, "transformer": str, "mimeType": str,
    "renamedFrom": str,
}  # fmt: skip
RELATIONSHIP_MEMBERS = {
    "destination": str, "inverse": str, "many": bool, "optional": bool, "transient": bool, "delete": str,
    "minCount": int, "maxCount": int, "renamedFrom": str,
}  # fmt: skip
DELETE_RULES = ("nullify", "cascade", "deny", "noAction")
ENTITY_MEMBERS = {"attributes": dict, "relationships": dict, "unique": list, "renamedFrom": str}


class NoModel(Refusal):
    """The error of a malformed or inconsistent model."""

    def __init__(self) -> None:
        super().__init__("badObject", what="model")


def demand(condition: Any) -> None:
    """Refuses a model unless a condition holds."""
    if not condition:
        raise NoModel()


@dataclass
class Property:
    """An attribute or a relationship. `said` is its description in the model, with parsed values."""

    name: str
    said: Object

    @property
    def is_relationship(self) -> bool:
        return "destination" in self.said

    @property
    def is_many(self) -> bool:
        return bool(self.said.get("many", False))

    @property
    def is_stored(self) -> bool:
        return not self.said.get("transient", False)

    @property
    def is_optional(self) -> bool:
        return bool(self.said.get("optional", True))

    @property
    def type_name(self) -> str:
        if self.is_relationship:
            return "relation-to-many" if self.is_many else "relation-to-one"
        return str(self.said["type"])

    def version_hash(self) -> str:
        """Returns the hash of the stored form."""
        said = self.said
        if self.is_relationship:
            ends = [("destination", said["destination"]), ("inverse", said.get("inverse"))]
            rest = [("many", self.is_many), ("optional", self.is_optional)]
            return hash_of([("relationship", self.name), *ends, *rest])
        rest = [("optional", self.is_optional), ("transformer", said.get("transformer"))]
        return hash_of([("attribute", self.name), ("type", said["type"]), *rest])

    def described(self) -> Object:
        """Returns the description for the metadata document."""
        shown = {"typeName": self.type_name, "versionHash": self.version_hash()}
        if "transformer" in self.said:
            shown["xform"] = self.said["transformer"]
        if self.is_relationship:
            shown["destination"] = self.said["destination"]
        return shown


@dataclass
class Entity:
    """An entity: its attributes, then its relationships, in the order of the model."""

    name: str
    properties: dict[str, Property] = field(default_factory=dict)
    renamed_from: str | None = None
    # Lists of attributes whose combined values are unique.
    unique: list[list[str]] = field(default_factory=list)

    def stored(self) -> list[Property]:
        """Returns the properties that are not transient."""
        return [each for each in self.properties.values() if each.is_stored]

    def version_hash(self) -> str:
        """Returns the hash of the stored properties, which does not depend on their order."""
        ordered = sorted(self.stored(), key=lambda each: each.name.encode())
        hashes = [each.version_hash() for each in ordered]
        return hash_of([("entity", self.name), ("properties", hashes)])

    def described(self) -> Object:
        """Returns the description for the metadata document."""
        properties = {each.name: each.described() for each in self.stored()}
        return {"versionHash": self.version_hash(), "properties": properties}


def hash_of(members: list[tuple[str, Any]]) -> str:
    """Returns the SHA-256 of JSON without spaces."""
    text = json.dumps(dict(members), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Model:
    """A model: all entities by name."""

    def __init__(self, json_model: Any) -> None:
        demand(isinstance(json_model, dict) and json_model.keys() == {"entities"})
        demand(isinstance(json_model["entities"], dict))
        self.entities = {name: read_entity(name, said) for name, said in json_model["entities"].items()}
        for entity in self.entities.values():
            for each in entity.properties.values():
                if each.is_relationship:
                    self.check_ends(entity, each)

    def check_ends(self, entity: Entity, relationship: Property) -> None:
        """Checks that the destination exists, and that the inverse refers back."""
        said = relationship.said
        destination = self.entities.get(said["destination"])
        demand(destination is not None and said.get("delete", "nullify") in DELETE_RULES)
        demand(said.get("minCount", 0) <= said.get("maxCount", said.get("minCount", 0)))
        if "inverse" in said:
            inverse = destination.properties.get(said["inverse"])
            demand(inverse is not None and inverse.is_relationship)
            back = inverse.said["destination"], inverse.said.get("inverse")
            demand(back == (entity.name, relationship.name))

    def described(self) -> Object:
        """Returns the member `objectModel` of the metadata document."""
        return {name: entity.described() for name, entity in self.entities.items()}

    def hashes(self) -> dict[str, str]:
        """Returns the hashes of the entities by name."""
        return {name: entity.version_hash() for name, entity in self.entities.items()}


def read_entity(name: str, said: Any) -> Entity:
    """Parses an entity."""
    check_name(name)
    check_members(said, ENTITY_MEMBERS)
    entity = Entity(name, renamed_from=said.get("renamedFrom"))
    for part, allowed in (("attributes", ATTRIBUTE_MEMBERS), ("relationships", RELATIONSHIP_MEMBERS)):
        for each, members in said.get(part, {}).items():
            check_name(each)
            demand(not each.startswith(("CDTIS", "_")) and each not in entity.properties)
            check_members(members, allowed)
            demand("type" in members or "destination" in members)
            is_attribute = part == "attributes"
            entity.properties[each] = Property(each, read_attribute(members) if is_attribute else members)
    entity.unique = said.get("unique", [])
    for names in entity.unique:
        demand(isinstance(names, list) and names != [])
        demand(all(isinstance(name, str) and name in said.get("attributes", {}) for name in names))
    return entity


def check_name(name: Any) -> None:
    """Refuses an invalid name."""
    demand(is_text(name) and name != "" and " " not in name)


def check_members(said: Any, allowed: dict[str, type]) -> None:
    """Refuses members that are unknown or have a wrong type."""
    demand(isinstance(said, dict) and said.keys() <= allowed.keys())
    for name, value in said.items():
        demand(isinstance(value, allowed[name]) and value is not None)
        demand(allowed[name] is not int or not isinstance(value, bool))


def read_attribute(said: Object) -> Object:
    """Returns the description of an attribute with parsed values."""
    type_name, read = said["type"], dict(said)
    demand(type_name in TYPES)
    for name in ("default", "min", "max"):
        if name in said:
            try:
                read[name] = from_call(said[name], type_name)
            except NoValue:
                raise NoModel() from None
            demand(type_name not in INTEGERS or in_range(read[name], type_name))
    demand(not {"min", "max"} & said.keys() or type_name in ORDERED)
    demand(not {"minLength", "maxLength", "pattern"} & said.keys() or type_name == "utf8")
    demand(not {"min", "max"} <= said.keys() or not is_less(read["max"], read["min"]))
    demand(said.get("minLength", 0) <= said.get("maxLength", said.get("minLength", 0)))
    demand("transformer" not in said or type_name == "xform")
    demand("mimeType" not in said or type_name == "binary")
    if "pattern" in said:
        try:
            read["pattern"] = Pattern(said["pattern"])
        except NoPattern:
            raise NoModel() from None
    return read


# Portability


def portability_warnings(model: Model, transformers: Object) -> Iterator[Object]:
    """Yields warnings for parts of a model that other platforms may not support."""
    for entity in model.entities.values():
        yield from name_warnings(entity.name, entity.name)
        for each in entity.stored():
            path, transformer = f"{entity.name}.{each.name}", each.said.get("transformer")
            yield from name_warnings(path, each.name)
            if each.type_name == "decimal":
                yield {"path": path, "reason": "decimal"}
            yield from name_warnings(path, transformer or "none")
            if each.type_name == "xform" and transformers.get(transformer) is None:
                yield {"path": path, "reason": "transformableWithoutType"}


def name_warnings(path: str, name: str) -> Iterator[Object]:
    """Yields a warning for a name that some platforms may not accept."""
    if not re.fullmatch("[A-Za-z][A-Za-z0-9]*", name):
        yield {"path": path, "reason": "nameBeyondSymbols"}


# Validation


def validation_codes(entity: Entity, values: Object) -> Iterator[int]:
    """Yields the validation errors of an object: at most one code for each property."""
    for each in entity.properties.values():
        value = values.get(each.name)
        if value is None or value == [] and each.is_many:
            if not each.is_optional:
                yield 1570
        elif each.is_many:
            count = len(set(value))
            if count < each.said.get("minCount", 0):
                yield 1580
            elif count > each.said.get("maxCount", count):
                yield 1590
        elif not each.is_relationship:
            code = attribute_code(each.said, value)
            if code:
                yield code


def attribute_code(said: Object, value: Any) -> int | None:
    """Returns the validation error of a value, or None."""
    is_date = said["type"] == "date1970"
    if "min" in said and is_less(value, said["min"]):
        return 1640 if is_date else 1620
    if "max" in said and is_less(said["max"], value):
        return 1630 if is_date else 1610
    if said["type"] != "utf8":
        return None
    length = len(value.encode("utf-16-le")) // 2
    if length < said.get("minLength", length):
        return 1670
    if length > said.get("maxLength", length):
        return 1660
    return None if "pattern" not in said or said["pattern"].is_found(value, whole=True) else 1680
