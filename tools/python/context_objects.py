"""The objects of contexts and of their parents.

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
    # The first value is the default.
    "postsOnEmptySave": (True, False),
    "mergedDeletionsAreChanges": (False, True),
    "parentConflict": ("childWins", "conflict"),
    "deletedInParent": ("staysDeleted", "comesBack"),
    "recreatesDeleted": (True, False),
    "childrenStayTemporary": (True, False),
    "keepsWinner": (False, True),
}
MERGE_CONFLICTS, CONSTRAINT_CONFLICTS = 133020, 133021
DENIED, SEVERAL = 1600, 1560


class FailedSave(Refusal):
    """A failed save or resolution. The context stores the events and the failure."""

    def __init__(
        self, context: str, events: list[Object] | None, failure: Object, **error: Any
    ) -> None:
        super().__init__(**({"kind": "badObject"} | error))
        self.context, self.events, self.failure = context, events, failure
        # The conflicts that a policy can settle afterwards.
        self.pending: list[Any] = []


# Values


def ids_of(value: Any) -> list[str]:
    """Returns the ids in the value of a relationship."""
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def in_order(ids: Any) -> list[str]:
    """Returns ids without duplicates, in byte order."""
    return sorted(set(ids), key=str.encode)


def differ(a: Any, b: Any) -> bool:
    """Returns whether two values differ. An empty list equals None."""
    return (None if a == [] else a) != (None if b == [] else b)


def shown(values: Object) -> Object:
    """Returns values in the form for results, without nil."""
    return {name: to_call(value) for name, value in values.items() if value is not None}


def relationships(entity: Entity) -> Iterator[Property]:
    """Returns the relationships of an entity."""
    return (each for each in entity.properties.values() if each.is_relationship)


def with_lists(entity: Entity, values: Object) -> Object:
    """Returns values in which every to-many relationship has a list."""
    lists = {each.name: [] for each in relationships(entity) if each.is_many}
    return lists | {name: value for name, value in values.items() if value is not None}


def merged_list(base: Any, ours: Any, theirs: Any) -> list[str]:
    """Returns a list with the additions and without the removals of both sides."""
    base, ours, theirs = set(base or []), set(ours or []), set(theirs or [])
    return in_order((theirs | (ours - base)) - (base - ours))


@dataclass
class Row:
    """An object in a document or in a parent."""

    entity: Entity
    values: Object
    version: int
    rev: str | None = None
    is_temporary: bool = False

    def stored(self) -> Object:
        """Returns the stored values in the form for results."""
        return stored_values(self.entity, self.values)


def stored_values(entity: Entity, values: Object) -> Object:
    """Returns the values of stored properties in the form for results."""
    return shown({each.name: values[each.name] for each in entity.stored() if each.name in values})


def in_conflict(base: Object, row: Row) -> bool:
    """Returns whether stored attributes or to-one relationships differ from the base."""
    plain = (each.name for each in row.entity.stored() if not each.is_many)
    return any(differ(base.get(name), row.values.get(name)) for name in plain)


@dataclass
class Member:
    """An object that is registered in a context."""

    id: str
    entity: Entity
    # None in `values`: a fault. None in `base`, the committed values: an inserted object.
    values: Object | None = None
    base: Object | None = None
    version: int = 0
    # The leaf with the committed values.
    rev: str | None = None
    is_inserted: bool = False
    is_updated: bool = False
    is_deleted: bool = False
    # It was deleted by another context, and the deletion was merged.
    is_merged: bool = False
    is_temporary: bool = False

    @property
    def is_changed(self) -> bool:
        """True if a save must process it."""
        return self.is_inserted or self.is_updated or self.is_deleted and not self.is_merged

    @property
    def state(self) -> str:
        """What the next save does with it."""
        if self.is_deleted:
            return "merged" if self.is_merged else "deleted"
        return "inserted" if self.is_inserted else "updated" if self.is_updated else "unchanged"

    def changed(self) -> Object:
        """Returns the values that differ from the committed ones; None for a removed value."""
        base, values = self.base or {}, self.values or {}
        names = (name for name in self.entity.properties if differ(base.get(name), values.get(name)))
        return {name: values.get(name) for name in names}

    def take(self, row: Row, is_temporary: bool | None = None) -> None:
        """Replaces its values by those of the parent, without changes."""
        self.commit(row)
        self.values = dict(self.base or {})
        self.is_inserted = self.is_updated = self.is_deleted = self.is_merged = False
        self.is_temporary = row.is_temporary if is_temporary is None else is_temporary

    def become_fault(self) -> None:
        """Discards its values and changes; the next reading gets those of the parent."""
        self.values = self.base = None
        self.is_updated = self.is_deleted = self.is_merged = False

    def settle(self) -> None:
        """Makes its values the committed ones."""
        self.base = dict(self.values or {})
        self.is_inserted = self.is_updated = self.is_deleted = self.is_merged = False

    def commit(self, row: Row) -> None:
        """Sets the committed values to those of the parent. Transient values are kept."""
        kept = {each.name for each in self.entity.properties.values() if not each.is_stored}
        transient = {name: value for name, value in (self.values or {}).items() if name in kept}
        self.base = with_lists(self.entity, transient | row.values)
        self.version, self.rev = row.version, row.rev

    def rebase(self, row: Row) -> None:
        """Sets the committed values to those of the parent, and keeps the changes."""
        if self.values is None:
            self.take(row, self.is_temporary)
            return
        mine, before = self.changed(), self.base or {}
        self.commit(row)
        self.values = dict(self.base or {})
        for name, value in mine.items():
            if self.entity.properties[name].is_many:
                value = merged_list(before.get(name), value, row.values.get(name))
            self.values[name] = value

    def managed(self, identifier: str | None) -> ManagedObject:
        """Returns it as an object of the mapping."""
        values = dict(self.values or {})
        return ManagedObject(self.id, self.entity.name, values, identifier, self.version)

    def inspected(self) -> Object:
        """Returns its state without reading from the parent."""
        is_fault = self.values is None
        changed = {name: None if value is None else to_call(value) for name, value in self.changed().items()}
        told: Object = {"entity": self.entity.name, "isFault": is_fault}
        told |= {} if is_fault else {"version": self.version}
        told |= {"isInserted": self.is_inserted, "isDeleted": self.is_deleted}
        told["isUpdated"] = self.is_updated and not self.is_deleted
        told["values"] = None if self.values is None else shown(self.values)
        told["changed"] = None if is_fault else changed
        told["committed"] = None if self.base is None else shown(self.base)
        return told


@dataclass
class Conflict:
    """A conflict: two sides of one object, and the base."""

    id: str
    entity: Entity
    old_version: int
    new_version: int
    sides: Object
    # The other side; None if it was deleted.
    theirs: Row | None = None
    # True if the other side is in the store, not in the cache or a parent.
    is_stored: bool = False

    def json(self) -> Object:
        """Returns the JSON form for results."""
        told = {"id": self.id, "entity": self.entity.name}
        told |= {"oldVersion": self.old_version, "newVersion": self.new_version}
        return told | {"object": None, "cached": None, "persisted": None} | self.sides
