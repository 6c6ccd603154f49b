"""One context: its objects, editing, and fetching.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

from typing import Any

from context_fetching import Fetching
from context_inverses import Merged, inverse_rule, restore
from context_objects import (
    DENIED,
    OPTIONS,
    POLICIES,
    Member,
    Row,
    differ,
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
        # The conflicts that a save or `processConflicts` reported last.
        self.pending: list[Any] = []
        # The reported pulled conflicts, with whether a policy has decided.
        self.pulled: dict[str, Any] = {}

    # Reading

    def parent_row(self, identifier: str, anew: bool) -> Row | None:
        """Returns the object of the parent. With `anew` it is read from the store, not from the cache."""
        if self.is_dropped(identifier):
            return None
        if self.parent is None:
            return self.contexts.row(identifier, anew)
        found = self.parent.member(identifier)
        if found is None or found.is_deleted:
            return None
        values = dict(found.values or {})
        return Row(found.entity, values, found.version, found.rev, found.is_temporary)

    def is_decided(self, identifier: str) -> bool:
        """Returns whether a policy has decided a pulled conflict here, and the decision was not saved."""
        return identifier in self.pulled and self.pulled[identifier].is_decided

    def is_dropped(self, identifier: str) -> bool:
        """Returns whether such a decision deletes the object."""
        is_here = identifier in self.members
        return not is_here and self.is_decided(identifier) and self.pulled[identifier].keep is None

    def is_temporary(self, identifier: str) -> bool:
        """Returns whether an object has no permanent id yet, as far as this context knows."""
        found = self.members[identifier]
        above = None if self.parent is None else self.parent.members.get(identifier)
        if not found.is_temporary or found.is_inserted or self.options["childrenStayTemporary"]:
            return found.is_temporary
        return above is None or self.parent is None or self.parent.is_temporary(identifier)

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
        is_decided = any(each.is_decided for each in self.pulled.values())
        return is_merged or is_decided or bool(self.changes())

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
        for each in sorted(read, key=str.encode):
            self.assign(found, each, read[each])

    def change(self, identifier: str, values: Object) -> None:
        """Sets values of an object, and updates the inverse relationships."""
        found = self.read(identifier)
        if found.is_deleted:
            raise Refusal("notFound", reason="deleted")
        read = self.values_of(found.entity, values)
        found.is_updated = not found.is_inserted
        for each in sorted(read, key=str.encode):
            self.assign(found, each, read[each])

    def receive(self, new: Member) -> None:
        """Registers an object that a child inserted."""
        if new.id in self.members:
            raise Refusal("conflict")
        found = Member(new.id, new.entity, dict(new.values or {}), is_temporary=new.is_temporary)
        found.is_inserted = True
        self.members[new.id] = found

    def bring_back(self, edited: Member) -> None:
        """Restores an object that was deleted in this context, and that a child edited."""
        found = self.members.get(edited.id)
        if found is not None and found.state == "deleted":
            found.values, found.is_deleted, found.is_updated = dict(edited.values or {}), False, True
            return
        found = Member(edited.id, edited.entity, dict(edited.values or {}))
        found.is_inserted = True
        self.members[edited.id] = found

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
        value = in_order(value or []) if described.is_many else value
        inverse = described.said.get("inverse")
        if inverse is None:
            self.put(found, name, value)
            return
        before, after = ids_of((found.values or {}).get(name)), ids_of(value)
        for each in before:
            if each not in after:
                self.unlink(each, inverse, found.id)
        self.put(found, name, value)
        for each in after:
            # A to-one end is linked again, because its former partner may have removed the link.
            if not described.is_many or each not in before:
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
        known = self.members.get(identifier)
        if known is not None and known.is_inserted:
            return
        if self.parent is not None:
            self.parent.bring_up_to_date(identifier)
        found = None if self.is_decided(identifier) else self.member(identifier)
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
        if described.is_many:
            self.put(found, name, in_order([*ends, other]))
            return
        for end in ends if "inverse" in described.said else []:
            self.unlink(end, described.said["inverse"], identifier)
        self.put(found, name, other)

    # Deleting

    def delete(self, identifier: str) -> None:
        """Deletes an object with the next save; an unsaved one is removed at once."""
        found = self.read(identifier)
        if found.is_deleted:
            return
        if found.is_inserted:
            self.drop(found)
        else:
            found.is_deleted = True

    def drop(self, found: Member) -> None:
        """Removes an inserted object and the references to it. The delete rule deny does not apply."""
        found.is_deleted = True
        for end in self.follow(found, is_new=True):
            if end in self.members:
                self.delete(end)
        del self.members[found.id]
        # The store may have an object of the same id when the rules of deleted objects are applied.
        for each in relationships(found.entity):
            for end in ids_of((found.values or {}).get(each.name)) if "inverse" in each.said else []:
                other = self.members.get(end)
                if other is not None and other.state == "deleted":
                    self.release(other, each.said["inverse"], found.id)

    def follow(self, found: Member, is_new: bool) -> list[str]:
        """Applies the delete rules of an object, and returns the objects to delete with it."""
        to_delete: list[str] = []
        for each in relationships(found.entity):
            rule, inverse = each.said.get("delete", "nullify"), each.said.get("inverse")
            ends = ids_of((found.values or {}).get(each.name))
            if rule == "cascade":
                to_delete += [end for end in ends if self.member(end) is not None]
            if inverse is None:
                continue
            unlinked = ends if rule == "nullify" or rule == "deny" and is_new else []
            # The parent may link it to others than it was linked to when it was changed here.
            before = ids_of((found.base or {}).get(each.name)) if rule != "noAction" else []
            for end in [*unlinked, *(end for end in before if end not in ends)]:
                self.unlink(end, inverse, found.id)
        return to_delete

    def propagate(self) -> list[str]:
        """Applies the delete rules, and returns the ids of the objects that they delete or change."""
        before = {name: (each.state, dict(each.values or {})) for name, each in self.members.items()}
        faults = {name for name, each in self.members.items() if each.values is None}
        done: set[str] = set()
        while True:
            waiting = [each.id for each in self.changes() if each.is_deleted and each.id not in done]
            if not waiting:
                break
            done.add(waiting[0])
            for end in self.follow(self.members[waiting[0]], is_new=False):
                if end in self.members and not self.members[end].is_deleted:
                    self.delete(end)
        reached = []
        for name in before.keys() | self.members.keys():
            found = self.members.get(name)
            state, values = before.get(name, ("unchanged", None))
            if state != ("unchanged" if found is None else found.state):
                reached.append(name)
            elif found is not None and found.state != "unchanged" and name in before and name not in faults:
                names = values.keys() | (found.values or {}).keys()
                if any(differ(values.get(each), (found.values or {}).get(each)) for each in names):
                    reached.append(name)
        return in_order(reached)

    def denials(self, found: Member) -> list[int]:
        """Returns the code of a denied deletion for each relationship that denies it."""
        denials = []
        for each in relationships(found.entity):
            ends = ids_of((found.values or {}).get(each.name)) if each.said.get("delete") == "deny" else []
            others = [self.member(end) for end in ends]
            if any(other is not None and not other.is_deleted for other in others):
                denials.append(DENIED)
        return denials

    def invalid(self) -> list[tuple[str, list[int]]]:
        """Returns the ids of invalid objects with their codes."""
        found = []
        for each in self.changes():
            if each.is_deleted:
                codes = self.denials(each)
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
        self.take_over(found, row)
        found.is_temporary = row.is_temporary

    def take_over(self, found: Member, row: Row) -> None:
        """Sets the committed values, and keeps the changes and the inverses of their relationships."""
        ours = dict(found.values or {})
        found.rebase(row)
        if found.is_updated and not found.is_deleted:
            restore(self, Merged(found.id, found.entity, ours, row.values), keeps_missing=True)

    def complete(self) -> None:
        """Restores the inverses of changed relationships that were lost."""
        changed = [each for each in self.changes() if not each.is_deleted]
        for is_linked in (True, False):
            for found in changed:
                base, values = dict(found.base or {}), dict(found.values or {})
                for each in relationships(found.entity):
                    before, now = ids_of(base.get(each.name)), ids_of(values.get(each.name))
                    if "inverse" in each.said and before != now:
                        self.complete_ends(found, each, before, now, is_linked)

    def complete_ends(
        self, found: Member, each: Any, before: list[str], now: list[str], is_linked: bool
    ) -> None:
        """Links the added ends of a relationship, or unlinks the removed ones."""
        inverse, rule = each.said["inverse"], inverse_rule(self, each)
        for end in now if is_linked else [end for end in before if end not in now]:
            known = self.members.get(end)
            was_deleted = known is None or known.state == "deleted"
            leads = self.leads(end, inverse, found.id)
            if leads and end not in before if is_linked else not leads:
                # The other end has the new link already, or lacks the removed one, and may be out of date.
                self.bring_up_to_date(end)
            other = self.other_end(end, inverse)
            if other is None:
                # It existed when it was linked, and was deleted in the parent.
                if is_linked and not was_deleted and rule != "noAction":
                    self.release(found, each.name, end)
            elif self.leads(end, inverse, found.id) == is_linked:
                continue
            elif not is_linked:
                self.unlink(end, inverse, found.id)
            elif other.entity.properties[inverse].is_many or inverse not in other.changed():
                self.link(end, inverse, found.id)
            else:
                # A changed to-one relationship takes precedence.
                self.release(found, each.name, end)

    def leads(self, identifier: str, name: str, other: str) -> bool:
        """Returns whether a registered object refers to another one."""
        found = self.members.get(identifier)
        return found is not None and other in ids_of((found.values or {}).get(name))

    def release(self, found: Member, name: str, other: str) -> None:
        """Removes a reference of an object, without its inverse."""
        ends = ids_of((found.values or {}).get(name))
        if other in ends:
            ends.remove(other)
            self.put(found, name, ends if found.entity.properties[name].is_many else None)

    def drop_references(self, gone: str) -> None:
        """Removes references of changed objects to an object that is gone, unless its rule is noAction."""
        for found in self.changes():
            if found.is_deleted or found.values is None:
                continue
            for each in relationships(found.entity):
                if inverse_rule(self, each) != "noAction":
                    self.release(found, each.name, gone)

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
        for identifier in saved["inserted"] + saved["updated"]:
            found = self.members.get(identifier)
            if found is None:
                if identifier in saved["inserted"]:
                    self.member(identifier)
                continue
            if found.is_inserted:
                continue
            above = None if self.parent is None else self.parent.members.get(identifier)
            found.is_temporary = above is not None and above.is_temporary
            # The values of an object in a reported conflict stay those that the policy compares or decided.
            is_held = found.values is None or identifier in self.pulled
            row = None if is_held else self.parent_row(identifier, anew=False)
            if row is not None:
                self.take_over(found, row)
        for identifier in saved["deleted"]:
            found = self.members.get(identifier)
            comes_back = self.options["deletedInParent"] == "comesBack"
            is_edited = found is not None and found.is_updated and not found.is_deleted
            # A reported conflict is about what exists in the store now; the deletion is older or part of it.
            if found is None or found.is_inserted or is_edited and comes_back or identifier in self.pulled:
                continue
            if found.values is None:
                del self.members[identifier]
            else:
                found.is_deleted = found.is_merged = True
                found.is_updated = False
            self.drop_references(identifier)
