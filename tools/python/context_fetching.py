"""Fetches in a context, which include its unsaved changes.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

from typing import Any

from object_fetching import cut, entity_of, in_sort_order, matching, told
from object_mapping import ManagedObject
from revision_ids import Object, Refusal


class Fetching:
    """The part of a context that fetches."""

    contexts: Any
    parent: Any
    members: dict[str, Any]
    member: Any
    propagate: Any
    is_dropped: Any
    shown: Any

    def everything(self, entity: Any) -> dict[str, ManagedObject]:
        """Returns all objects with the values of this context."""
        objects = {name: each for name, each in self.parent_objects(entity).items() if not self.is_dropped(name)}
        for found in self.members.values():
            if found.is_deleted:
                objects.pop(found.id, None)
            elif found.values is not None:
                objects[found.id] = self.shown(found)
        return objects

    def parent_objects(self, entity: Any) -> dict[str, ManagedObject]:
        """Returns all objects of the parent."""
        if self.parent is not None:
            return self.parent.everything(entity)
        return self.contexts.store.objects(self.contexts.database, entity)

    def found(self, operation: Object) -> list[ManagedObject]:
        """Returns the objects for which a predicate is true. The parent evaluates those unchanged here."""
        model, entity = self.contexts.store.model, operation["entity"]
        self.propagate()
        below = self.found_below(operation)
        every = self.everything(entity)
        changed = {each.id for each in self.members.values() if each.is_changed or each.is_deleted}
        return [each for each in below if each.id not in changed and not self.is_dropped(each.id)] + [
            each for each in matching(every, model, operation) if each.id in changed
        ]

    def found_below(self, operation: Object) -> list[ManagedObject]:
        """Returns the objects of the parent for which a predicate is true. Those of the store renew the cache."""
        if self.parent is not None:
            return self.parent.found(operation)
        objects = self.parent_objects(operation["entity"])
        return self.renewed(matching(objects, self.contexts.store.model, operation))

    def fetch(self, operation: Object) -> Object:
        """Returns the objects for which a predicate is true, with their values in this context."""
        model, entity = self.contexts.store.model, operation["entity"]
        if operation.get("result", "objects") not in ("objects", "ids", "count"):
            raise Refusal("badRequest", path="result")
        entity_of(model, entity)
        if operation.get("includesPendingChanges", True):
            found = self.arranged(operation)
        elif self.parent is not None:
            found = [self.held(each) for each in self.parent.arranged(operation)]
        else:
            found = matching(self.parent_objects(entity), model, operation)
            found = self.renewed(cut(in_sort_order(found, model, operation), operation))
            found = [self.held(each) for each in found]
        found = [each for each in found if not self.is_dropped(each.id)]
        if operation.get("result", "objects") == "objects":
            for each in found:
                self.member(each.id)
        return told(found, operation)

    def fetch_objects(self, operation: Object) -> list[ManagedObject]:
        """Returns the objects of a fetch with pending changes, and registers them."""
        entity_of(self.contexts.store.model, operation["entity"])
        found = self.arranged(operation)
        for each in found:
            self.member(each.id)
        return found

    def arranged(self, operation: Object) -> list[ManagedObject]:
        """Returns the objects for which a predicate is true, with their values here, sorted and cut."""
        found = sorted(self.found(operation), key=lambda each: each.id.encode())
        held = [self.held(each) for each in found]
        return cut(in_sort_order(held, self.contexts.store.model, operation), operation)

    def renewed(self, found: list[ManagedObject]) -> list[ManagedObject]:
        """Updates the cache for objects that the store found, and returns them."""
        for each in found:
            self.contexts.row(each.id, anew=True)
        return found

    def held(self, each: ManagedObject) -> ManagedObject:
        """Returns an object from this context, or from the nearest ancestor that has it."""
        found = self.members.get(each.id)
        if found is None or found.values is None:
            return each if self.parent is None else self.parent.held(each)
        return self.shown(found)
