"""Objects of contexts: what a context holds of one, and what its parent has.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from object_mapping import ManagedObject
from object_model import Entity, Property
from object_values import to_call
from revision_ids import Object, Refusal

POLICIES = ("error", "storeTrump", "objectTrump", "overwrite", "rollback")
OPTIONS: dict[str, tuple[Any, ...]] = {
    # The first is what holds when nothing is said.
    "postsOnEmptySave": (True, False),
    "mergedDeletionsAreChanges": (False, True),
    "parentConflict": ("childWins", "conflict"),
    "deletedInParent": ("staysDeleted", "comesBack"),
    "recreatesDeleted": (True, False),
    "childrenStayTemporary": (True, False),
}
MERGE_CONFLICTS, CONSTRAINT_CONFLICTS = 133020, 133021
DENIED, SEVERAL = 1600, 1560


class FailedSave(Refusal):
    """A save or a resolution that failed. Its context keeps what is to be told of that."""

    def __init__(
        self, context: str, events: list[Object] | None, failure: Object, **error: Any
    ) -> None:
        super().__init__(**({"kind": "badObject"} | error))
        self.context, self.events, self.failure = context, events, failure
        # What a policy can settle afterwards.
        self.pending: list[Any] = []


# Values


def ids_of(value: Any) -> list[str]:
    """The objects that the value of a relationship leads to."""
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def in_order(ids: Any) -> list[str]:
    """Ids, each once, in byte order."""
    return sorted(set(ids), key=str.encode)


def differ(a: Any, b: Any) -> bool:
    """Whether two values are not the same. An empty list is no value."""
    return (None if a == [] else a) != (None if b == [] else b)


def shown(values: Object) -> Object:
    """Values as they stand in answers; nil is absent."""
    return {name: to_call(value) for name, value in values.items() if value is not None}


def relationships(entity: Entity) -> Iterator[Property]:
    """The relationships of an entity."""
    return (each for each in entity.properties.values() if each.is_relationship)


def with_lists(entity: Entity, values: Object) -> Object:
    """Values in which every relationship to many has a list."""
    lists = {each.name: [] for each in relationships(entity) if each.is_many}
    return lists | {name: value for name, value in values.items() if value is not None}


def merged_list(base: Any, ours: Any, theirs: Any) -> list[str]:
    """A list that gains and loses what each side added and removed."""
    base, ours, theirs = set(base or []), set(ours or []), set(theirs or [])
    return in_order((theirs | (ours - base)) - (base - ours))


@dataclass
class Row:
    """An object as a document or a parent has it."""

    entity: Entity
    values: Object
    version: int
    rev: str | None = None
    is_temporary: bool = False

    def stored(self) -> Object:
        """The values that documents have, as they stand in answers."""
        return stored_values(self.entity, self.values)


def stored_values(entity: Entity, values: Object) -> Object:
    """Those of some values that documents have, as they stand in answers."""
    return shown({each.name: values[each.name] for each in entity.stored() if each.name in values})


def in_conflict(base: Object, row: Row) -> bool:
    """Whether stored attributes or relationships to one are others than before."""
    plain = (each.name for each in row.entity.stored() if not each.is_many)
    return any(differ(base.get(name), row.values.get(name)) for name in plain)


@dataclass
class Member:
    """An object that is registered in a context."""

    id: str
    entity: Entity
    # Without values it is a fault; without committed ones it was inserted.
    values: Object | None = None
    base: Object | None = None
    version: int = 0
    # The leaf that the committed values were read from.
    rev: str | None = None
    is_inserted: bool = False
    is_updated: bool = False
    is_deleted: bool = False
    # Its deletion is that of another context.
    is_merged: bool = False
    is_temporary: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether a save has something to do for it."""
        return self.is_inserted or self.is_updated or self.is_deleted and not self.is_merged

    def changed(self) -> Object:
        """The values that differ from the committed ones; None for one that was taken away."""
        base, values = self.base or {}, self.values or {}
        names = (name for name in self.entity.properties if differ(base.get(name), values.get(name)))
        return {name: values.get(name) for name in names}

    def take(self, row: Row) -> None:
        """Has the values of its parent, and no changes."""
        self.commit(row)
        self.values = dict(self.base or {})
        self.is_inserted = self.is_updated = self.is_deleted = self.is_merged = False
        self.is_temporary = row.is_temporary

    def commit(self, row: Row) -> None:
        """Begins with what its parent has now. What is in memory alone stays."""
        kept = {each.name for each in self.entity.properties.values() if not each.is_stored}
        transient = {name: value for name, value in (self.values or {}).items() if name in kept}
        self.base = with_lists(self.entity, transient | row.values)
        self.version, self.rev = row.version, row.rev

    def rebase(self, row: Row) -> None:
        """Has the values of its parent under those that were changed here."""
        if self.values is None:
            self.take(row)
            return
        mine, before = self.changed(), self.base or {}
        self.commit(row)
        self.is_temporary = row.is_temporary
        self.values = dict(self.base or {})
        for name, value in mine.items():
            if self.entity.properties[name].is_many:
                value = merged_list(before.get(name), value, row.values.get(name))
            self.values[name] = value

    def managed(self, identifier: str | None) -> ManagedObject:
        """As it is asked and shown."""
        values = dict(self.values or {})
        return ManagedObject(self.id, self.entity.name, values, identifier, self.version)

    def inspected(self) -> Object:
        """What can be said of it without reading anything."""
        is_fault = self.values is None
        changed = {name: None if value is None else to_call(value) for name, value in self.changed().items()}
        told: Object = {"entity": self.entity.name, "isFault": is_fault, "version": self.version}
        told |= {"isInserted": self.is_inserted, "isDeleted": self.is_deleted}
        told["isUpdated"] = self.is_updated and not self.is_deleted
        told["isTemporary"] = self.is_temporary
        told["values"] = None if self.values is None else shown(self.values)
        told["changed"] = None if is_fault else changed
        told["committed"] = None if self.base is None else shown(self.base)
        return told


@dataclass
class Conflict:
    """Two sides of one object, and what the context began with."""

    id: str
    entity: Entity
    old_version: int
    new_version: int
    sides: Object
    # The other side; None where it was deleted.
    theirs: Row | None = None
    # Whether the other side is in the store, and not in the cache or a parent.
    is_stored: bool = False

    def json(self) -> Object:
        """As it stands in answers."""
        told = {"id": self.id, "entity": self.entity.name}
        told |= {"oldVersion": self.old_version, "newVersion": self.new_version}
        return told | {"object": None, "cached": None, "persisted": None} | self.sides
