"""One context: its objects, editing, and fetching.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

from typing import Any

from context_fetching import Fetching
from context_objects import (
    DENIED,
    OPTIONS,
    POLICIES,
    Member,
    Row,
    ids_of,
    in_order,
    relationships,
    with_lists,
)
from object_fetching import entity_of
from object_mapping import ManagedObject, bad, read_value
from object_model import Entity, validation_codes
from revision_ids import Object, Refusal


class Context(Fetching):
    """A context. `contexts` has all contexts of the store, with the database."""

    def __init__(self, contexts: Any, operation: Object, parent: Context | None) -> None:
        self.contexts, self.name, self.parent = contexts, operation["context"], parent
        self.policy = operation.get("policy", "error")
        said = operation.get("options", {})
        if self.policy not in POLICIES:
            raise Refusal("badRequest", path="policy")
        # `repr` distinguishes 1 and True.
        if any(repr(value) not in map(repr, OPTIONS.get(name, ())) for name, value in said.items()):
            raise Refusal("badRequest", path="options")
        self.options = {name: values[0] for name, values in OPTIONS.items()} | said
        self.members: dict[str, Member] = {}
        # The last save: its events, its failure, and the objects that other contexts merge.
        self.events: list[Object] = []
        self.failure: Object | None = None
        self.saved: dict[str, list[str]] = {"inserted": [], "updated": [], "deleted": []}
        # The observed fetches by name.
        self.observers: dict[str, Any] = {}
        # The reported conflicts that wait for a policy.
        self.pending: list[Any] = []

    # Reading

    def parent_row(self, identifier: str, anew: bool) -> Row | None:
        """Returns the object of the parent. With `anew` it is read from the store, not from the cache."""
        if self.parent is None:
            return self.contexts.row(identifier, anew)
        found = self.parent.member(identifier)
        if found is None or found.is_deleted:
            return None
        values = dict(found.values or {})
        return Row(found.entity, values, found.version, found.rev, found.is_temporary)

    def member(self, identifier: str) -> Member | None:
        """Registers and returns an object with its values; None if it does not exist."""
        found = self.members.get(identifier)
        if found is not None and found.values is not None:
            return found
        row = self.parent_row(identifier, anew=False)
        if row is None:
            return None
        found = self.members.setdefault(identifier, Member(identifier, row.entity))
        found.take(row)
        return found

    def read(self, identifier: str) -> Member:
        """Returns an object with its values. Raises Refusal if it does not exist."""
        found = self.member(identifier)
        if found is None:
            raise bad("faultUnfulfilled", identifier)
        return found

    def unreadable(self, identifier: str) -> Refusal:
        """Returns the error of an object that cannot be read."""
        known = self.members.get(identifier)
        is_new = known is not None and (known.is_temporary or known.is_inserted)
        return bad("temporaryObject" if is_new else "faultUnfulfilled", identifier)

    def changes(self) -> list[Member]:
        """Returns the objects that a save must process, in byte order."""
        return [self.members[name] for name in in_order(self.members) if self.members[name].is_changed]

    def has_changes(self) -> bool:
        """Returns whether there is something to save."""
        is_merged = self.options["mergedDeletionsAreChanges"] and any(
            each.is_merged for each in self.members.values()
        )
        return is_merged or bool(self.changes() or self.contexts.decisions_of(self))

    def shown(self, found: Member) -> ManagedObject:
        """Returns an object in the form for results."""
        shown = found.managed(None)
        if not found.is_temporary:
            shown.identifier = self.contexts.store.uri(shown)
        return shown

    # Editing

    def values_of(self, entity: Entity, values: Object) -> Object:
        """Parses the values in an operation."""
        for name in values:
            if name not in entity.properties:
                raise bad("unknownProperty", name)
        return {name: read_value(value, entity.properties[name]) for name, value in values.items()}

    def knows(self, identifier: str) -> bool:
        """Returns whether an object is registered in this context or in an ancestor."""
        return identifier in self.members or self.parent is not None and self.parent.knows(identifier)

    def insert(self, identifier: str, name: Any, values: Object) -> None:
        """Inserts an object with values, and with the defaults of its entity for other properties."""
        if self.knows(identifier):
            raise Refusal("conflict")
        entity = entity_of(self.contexts.store.model, name)
        read = self.values_of(entity, values)
        defaults = {each.name: each.said.get("default") for each in entity.properties.values()}
        found = Member(identifier, entity, with_lists(entity, defaults))
        found.is_inserted = found.is_temporary = True
        self.members[identifier] = found
        for each, value in read.items():
            self.assign(found, each, value)

    def change(self, identifier: str, values: Object) -> None:
        """Sets values of an object, and updates the inverse relationships."""
        found = self.read(identifier)
        if found.is_deleted:
            raise Refusal("notFound", reason="deleted")
        read = self.values_of(found.entity, values)
        found.is_updated = not found.is_inserted
        for each, value in read.items():
            self.assign(found, each, value)

    def receive(self, new: Member) -> None:
        """Registers an object that a child inserted, without its values."""
        if new.id in self.members:
            raise Refusal("conflict")
        found = Member(new.id, new.entity, with_lists(new.entity, {}), is_temporary=new.is_temporary)
        found.is_inserted = True
        self.members[new.id] = found

    def bring_back(self, edited: Member) -> Member:
        """Restores an object that was deleted in this context, and that a child edited."""
        found = self.members.get(edited.id)
        if found is None or found.values is None:
            self.members.pop(edited.id, None)
            self.receive(edited)
            found = self.members[edited.id]
            found.values, found.is_temporary = dict(edited.values or {}), True
        found.is_deleted = found.is_merged = False
        return found

    def put(self, found: Member, name: str, value: Any) -> None:
        """Sets a value. This is a change even if the value is the old one."""
        assert found.values is not None
        found.values.pop(name, None)
        if value is not None:
            found.values[name] = value
        found.is_updated = not found.is_inserted

    def assign(self, found: Member, name: str, value: Any) -> None:
        """Sets a value, and updates the inverse relationship."""
        described = found.entity.properties[name]
        before = ids_of((found.values or {}).get(name)) if described.is_relationship else []
        self.put(found, name, in_order(value or []) if described.is_many else value)
        inverse = described.said.get("inverse")
        if inverse is not None:
            after = ids_of((found.values or {}).get(name))
            for each in before:
                if each not in after:
                    self.unlink(each, inverse, found.id)
            for each in after:
                self.link(each, inverse, found.id)

    def other_end(self, identifier: str, name: str) -> Member | None:
        """Returns the object at the other end; None if it has no relationship to update."""
        found = self.member(identifier)
        return None if found is None or found.is_deleted or name not in found.entity.properties else found

    def unlink(self, identifier: str, name: str, other: str) -> bool:
        """Removes a reference from an object to another one. Returns whether there was one."""
        found = self.other_end(identifier, name)
        if found is not None and other not in ids_of((found.values or {}).get(name)):
            # One of the two ends is out of date.
            self.bring_up_to_date(identifier)
            found = self.other_end(identifier, name)
        ends = [] if found is None else ids_of((found.values or {}).get(name))
        if found is None or other not in ends:
            return False
        ends.remove(other)
        self.put(found, name, ends if found.entity.properties[name].is_many else None)
        return True

    def bring_up_to_date(self, identifier: str) -> None:
        """Reads an unchanged object again, in the parents first."""
        if self.parent is not None:
            self.parent.bring_up_to_date(identifier)
        found = None if identifier in self.contexts.decisions else self.member(identifier)
        if found is None or found.is_changed or found.is_deleted:
            return
        row = self.parent_row(identifier, anew=True)
        if row is None:
            del self.members[identifier]
        else:
            found.rebase(row)

    def link(self, identifier: str, name: str, other: str) -> None:
        """Adds a reference from an object to another one. A to-one relationship drops its former partner."""
        found = self.other_end(identifier, name)
        ends = [] if found is None else ids_of((found.values or {}).get(name))
        if found is None or other in ends:
            return
        described = found.entity.properties[name]
        self.put(found, name, in_order([*ends, other]) if described.is_many else other)
        if not described.is_many and ends and "inverse" in described.said:
            self.unlink(ends[0], described.said["inverse"], identifier)

    # Deleting

    def delete(self, identifier: str) -> None:
        """Deletes an object with the next save; an unsaved one is removed at once."""
        found = self.read(identifier)
        if found.is_inserted:
            self.drop(found)
        else:
            found.is_deleted = True

    def drop(self, found: Member) -> None:
        """Removes an inserted object and the references to it. The delete rule deny does not apply."""
        del self.members[found.id]
        for each in relationships(found.entity):
            rule, inverse = each.said.get("delete", "nullify"), each.said.get("inverse")
            for end in ids_of((found.values or {}).get(each.name)):
                if rule == "cascade" and self.other_end(end, inverse or each.name) is not None:
                    self.delete(end)
                elif rule != "noAction" and inverse is not None:
                    self.unlink(end, inverse, found.id)

    def propagate(self) -> list[str]:
        """Applies the delete rules, and returns the ids of the objects that they delete or change."""
        reached: list[str] = []
        waiting = [each for each in self.changes() if each.is_deleted]
        while waiting:
            for each, ends in self.ends(waiting.pop(0), "cascade"):
                for end in ends:
                    found = self.member(end)
                    if found is None or found.is_deleted:
                        continue
                    reached.append(end)
                    self.delete(end)
                    if found.is_deleted:
                        waiting.append(found)
        for found in [each for each in self.changes() if each.is_deleted]:
            for each, ends in self.ends(found, "nullify"):
                for end in ends:
                    if "inverse" in each.said and self.unlink(end, each.said["inverse"], found.id):
                        reached.append(end)
        return in_order(reached)

    def ends(self, found: Member, rule: str) -> list[tuple[Any, list[str]]]:
        """Returns the relationships of an object with a delete rule, and their ids."""
        every = [each for each in relationships(found.entity) if each.said.get("delete", "nullify") == rule]
        return [(each, ids_of((found.values or {}).get(each.name))) for each in every]

    def invalid(self) -> list[tuple[str, list[int]]]:
        """Returns the ids of invalid objects with their codes."""
        found = []
        for each in self.changes():
            if each.is_deleted:
                others = [self.member(end) for _, ends in self.ends(each, "deny") for end in ends]
                codes = [DENIED] if any(end is not None and not end.is_deleted for end in others) else []
            else:
                codes = list(validation_codes(each.entity, each.values or {}))
            found += [(each.id, codes)] if codes else []
        return found

    # Refresh, rollback and merge

    def refresh(self, identifier: str, merges: bool) -> None:
        """Reads the values of the parent and keeps the changes, or discards everything without reading."""
        found = self.members.get(identifier)
        if found is None:
            raise self.unreadable(identifier)
        if found.is_inserted:
            return
        if not merges:
            if self.parent is None:
                self.contexts.cache.pop(identifier, None)
            found.become_fault()
            return
        row = self.parent_row(identifier, anew=True)
        if row is None:
            raise self.unreadable(identifier)
        found.rebase(row)

    def complete(self) -> None:
        """Restores the inverses of changed relationships that were lost."""
        changed = [each for each in self.changes() if not each.is_deleted]
        for is_linked in (True, False):
            for found in changed:
                for each in relationships(found.entity):
                    if "inverse" in each.said:
                        self.complete_ends(found, each, is_linked)

    def complete_ends(self, found: Member, each: Any, is_linked: bool) -> None:
        """Links the added ends of a relationship, or unlinks the removed ones."""
        inverse = each.said["inverse"]
        before, now = (ids_of((side or {}).get(each.name)) for side in (found.base, found.values))
        if in_order(before) == in_order(now):
            return
        for end in now if is_linked else [end for end in before if end not in now]:
            other = self.other_end(end, inverse)
            if other is None or (found.id in ids_of((other.values or {}).get(inverse))) == is_linked:
                continue
            if not is_linked:
                self.unlink(end, inverse, found.id)
            elif other.entity.properties[inverse].is_many or inverse not in other.changed():
                self.link(end, inverse, found.id)
            else:
                # A changed to-one relationship takes precedence.
                now = [one for one in now if one != end]
                self.put(found, each.name, now if each.is_many else None)

    def roll_back(self) -> None:
        """Discards unsaved changes."""
        for found in list(self.members.values()):
            if found.is_inserted:
                del self.members[found.id]
            elif found.is_changed:
                found.values = None if found.base is None else dict(found.base)
                found.is_updated = found.is_deleted = False
        self.pending = []

    def merge(self, saved: dict[str, list[str]]) -> None:
        """Merges a save of another context."""
        for identifier in saved["inserted"]:
            self.member(identifier)
        for identifier in saved["inserted"] + saved["updated"]:
            found = self.members.get(identifier)
            if found is None or found.is_inserted:
                continue
            above = None if self.parent is None else self.parent.members.get(identifier)
            found.is_temporary = above is not None and above.is_temporary
            if found.values is None:
                continue
            row = self.parent_row(identifier, anew=False)
            if row is not None:
                found.rebase(row)
        for identifier in saved["deleted"]:
            found = self.members.get(identifier)
            comes_back = self.options["deletedInParent"] == "comesBack"
            is_edited = found is not None and found.is_updated and not found.is_deleted
            if found is None or found.is_inserted or is_edited and comes_back:
                continue
            if found.values is None:
                del self.members[identifier]
                continue
            found.is_deleted = found.is_merged = True
            found.is_updated = False
