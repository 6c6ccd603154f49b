"""Collections of a client: how the objects of an application become entities of the backend, and back.

Written from `Vectors/README.md`, "Collections".
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from object_mapping import bad
from revision_ids import Object, Refusal, is_text

ID = "_id"
POLICIES = ("none", "localOnly", "localFirst", "networkFirst", "both")
FORMS = ("ids", "kinveyRef")
REMOVAL_BATCH = 100
FLAGS = (
    "keepsStoredIDs", "loadsChangesOnly", "replacesConditions", "forgetsArrayConditions", "copiesLimitAsSkip",
    "evictsOnError", "tellsOneError",
)  # fmt: skip
DECISIONS = ("declinesQueueing", "declinesSending")


@dataclass
class Thing:
    """An object of the application. Ends of relations are ids, things, or tags of things as {"tag": …}."""

    id: str | None = None
    tag: str | None = None
    values: Object = field(default_factory=dict)
    related: dict[str, list[Any]] = field(default_factory=dict)
    unknown: Object = field(default_factory=dict)
    deleted: bool = False

    def json(self) -> Object:
        """Returns the object in the form of results."""
        told: Object = {} if self.id is None else {"id": self.id}
        told |= {} if self.tag is None else {"tag": self.tag}
        told["values"] = copy.deepcopy(self.values)
        if self.related:
            told["related"] = {name: [shown_end(end) for end in ends] for name, ends in self.related.items()}
        told |= {"unknown": copy.deepcopy(self.unknown)} if self.unknown else {}
        return told | ({"deleted": True} if self.deleted else {})


def shown_end(end: Any) -> Any:
    """Returns an end of a relation in the form of results."""
    return end if not isinstance(end, Thing) else {"tag": end.tag} if is_tag(end) else end.json()


def is_tag(end: Thing) -> bool:
    """Returns whether an end of a relation is only the tag of an object."""
    return end == Thing(tag=end.tag) and end.tag is not None


def read_thing(said: Object) -> Thing:
    """Returns the object of a call, with its related objects."""
    related = {
        name: [end if isinstance(end, str) else read_thing(end) for end in ends]
        for name, ends in said.get("related", {}).items()
    }
    return Thing(said.get("id"), said.get("tag"), said.get("values", {}), related, said.get("unknown", {}))


@dataclass(frozen=True)
class Reference:
    """A property whose field refers to objects of a collection."""

    property: str
    field: str
    collection: str
    to_many: bool
    relation: str
    is_computed: bool
    cascades: bool
    form: str

    def stored(self, identifier: str) -> Any:
        """Returns the form of an id in the field."""
        if self.form == "ids":
            return identifier
        return {"_type": "KinveyRef", "_collection": self.collection, ID: identifier}

    def id_in(self, value: Any) -> str | None:
        """Returns the id in a stored reference of either form; None for other values."""
        if isinstance(value, str):
            return value
        if not isinstance(value, dict) or value.get("_type") != "KinveyRef":
            return None
        identifier = value.get(ID)
        is_ours = value.get("_collection") == self.collection and isinstance(identifier, str)
        return identifier if is_ours else None

    def own_id(self, value: Any) -> str | None:
        """Returns the id in a stored reference of the form of this one; None for other values."""
        return self.id_in(value) if isinstance(value, str) == (self.form == "ids") else None

    def ids_in(self, value: Any) -> list[str] | None:
        """Returns the ids in the value of a field, or None if it has anything else."""
        if not isinstance(value, list):
            value = [] if value is None else [value]
        elif self.form == "kinveyRef":
            value = [each for each in value if each is not None]
        found = [self.own_id(each) for each in value]
        return None if None in found else [each for each in found if each is not None]

    def field_value(self, ids: list[str]) -> Any:
        """Returns the value of the field for some ids; None for a missing field."""
        stored = [self.stored(each) for each in ids]
        return stored if self.to_many else stored[0] if stored else None


class Collection:
    """A collection that a client has opened."""

    def __init__(self, operation: Object) -> None:
        self.name: str = operation["collection"]
        self.mapping: dict[str, str] = operation["mapping"]
        self.check_mapping()
        self.defaults: Object = operation.get("defaults", {})
        self.policy = choice(operation, "policy", POLICIES)
        self.is_offline: bool = operation.get("offline", False)
        self.ids = choice(operation, "ids", ("backend", "client"))
        self.options = read_options(operation.get("options", {}))
        said = operation.get("references", {})
        # In byte order, because the order of members has no meaning.
        names = sorted(said, key=str.encode)
        self.references = {name: self.read_reference(name, said[name]) for name in names}

    def check_mapping(self) -> None:
        """Refuses a mapping without an id, or with a field twice."""
        fields = list(self.mapping.values())
        if ID not in fields or len(set(fields)) < len(fields) or not all(map(is_text, fields)) or "" in fields:
            raise bad("badMapping")

    def read_reference(self, name: str, said: Object) -> Reference:
        """Returns the description of one reference."""
        form = said.get("form", "ids")
        if self.mapping.get(name, ID) == ID or form not in FORMS:
            raise bad("badMapping", name)
        return Reference(
            name, self.mapping[name], said["collection"], said.get("toMany", False), said.get("relation", name),
            said.get("computed", False), said.get("cascades", False), form,
        )  # fmt: skip

    def relation(self, name: str) -> Reference | None:
        """Returns the reference of a relation."""
        return next((each for each in self.references.values() if each.relation == name), None)

    @property
    def keeps_saved(self) -> bool:
        """Returns whether saved entities are cached."""
        return self.policy != "none" or self.is_offline

    # Entities

    def entity(self, thing: Thing, ids: dict[str, list[str]]) -> Object:
        """Returns the entity of an object without its id. `ids` are the related ids by relation."""
        entity: Object = {}
        for name, where in self.mapping.items():
            if name in self.references:
                value = self.references[name].field_value(ids.get(self.references[name].relation, []))
                # A field that has something else than ids is kept until there are ids.
                if not ids.get(self.references[name].relation) and where in thing.unknown:
                    value = thing.unknown[where]
                entity |= {} if value is None else {where: value}
            elif where != ID and name in thing.values:
                entity[where] = thing.values[name]
        return {name: each for name, each in thing.unknown.items() if name not in self.mapping.values()} | entity

    def thing(self, entity: Object, hides_computed: bool = False) -> Thing:
        """Returns the object of an entity. Its computed relations have the stored ids, or are empty."""
        thing = Thing(entity.get(ID))
        known = {ID}
        for name, where in self.mapping.items():
            reference = self.references.get(name)
            if reference is not None:
                ids = reference.ids_in(entity.get(where))
                if ids is None:
                    continue
                is_hidden = hides_computed and reference.is_computed and not self.options["keepsStoredIDs"]
                thing.related[reference.relation] = [] if is_hidden else list(dict.fromkeys(ids))
            elif where != ID and where in entity:
                thing.values[name] = entity[where]
            elif where != ID and name in self.defaults:
                thing.values[name] = self.defaults[name]
            known.add(where)
        thing.unknown = {name: each for name, each in entity.items() if name not in known}
        return copy.deepcopy(thing)

    def related_ids(self, reference: Reference, entity: Object) -> list[str]:
        """Returns the ids in the field of a reference, each once."""
        return list(dict.fromkeys(reference.ids_in(entity.get(reference.field)) or []))

    def declines(self, decision: str, operation: str, identifier: str) -> bool:
        """Returns whether the delegate declines an operation on an object."""
        said = self.options[decision]
        return operation in said.get("operations", []) or identifier in said.get("ids", [])


def choice(operation: Object, name: str, known: tuple[str, ...]) -> str:
    """Returns a choice of `openCollection`; the first one if it is absent."""
    chosen = operation.get(name, known[0])
    if chosen not in known:
        raise Refusal("badRequest", path=name)
    return chosen


def read_options(said: Object) -> Object:
    """Returns all options."""
    options: Object = dict.fromkeys(FLAGS, False) | {"removalBatch": REMOVAL_BATCH} | {each: {} for each in DECISIONS}
    for name, value in said.items():
        if name in FLAGS:
            is_good = isinstance(value, bool)
        elif name == "removalBatch":
            is_good = isinstance(value, int) and not isinstance(value, bool) and value > 0
        else:
            is_good = name in DECISIONS and is_decision(value)
        if not is_good:
            raise Refusal("badRequest", path="options")
    return options | said


def is_decision(said: Any) -> bool:
    """Returns whether a value describes decisions of a delegate."""
    if not isinstance(said, dict) or said.keys() - {"operations", "ids"}:
        return False
    lists = [said.get("operations", []), said.get("ids", [])]
    return all(isinstance(each, list) for each in lists) and set(map(str, lists[0])) <= {"save", "remove"}
