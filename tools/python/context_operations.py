"""The contexts of a store of objects, the cache between them, and their operations.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from context_constraints import Collision, settle_collision
from context_graph import Context
from context_objects import POLICIES, FailedSave, Member, Row, with_lists
from context_policies import settle_conflicts
from context_pulls import drop, process, refresh, refuse, writes_of
from context_repairs import Repairs, note_decision, record_absences
from context_results import observe_fetch, update_fetch
from context_saving import Save
from object_mapping import ManagedObject, bad
from object_store import METADATA, ObjectStore, find
from revision_ids import Object, Refusal


class Contexts:
    """All contexts of a store. Each operation has its own database, because it is an attempt."""

    def __init__(self, store: ObjectStore) -> None:
        self.store = store
        self.database: Any = None
        self.contexts: dict[str, Context] = {}
        # The objects that contexts on the store have read.
        self.cache: dict[str, Row] = {}
        # The leaves of documents that are known to be without a conflict, and the documents in conflict.
        self.leaves: dict[str, set[str]] = {}
        self.open: set[str] = set()
        # The leaves of all documents when conflicts were processed last.
        self.looked: dict[str, dict[str, bool]] = {}
        self.repairs = Repairs()
        self.has_begun = False

    def attempt(self, database: Any) -> Contexts:
        """Returns a copy for one operation, on a copy of the database."""
        self.database = None
        entities = self.store.model.entities.values()
        twin = copy.deepcopy(self, {id(each): each for each in (self.store, *entities)})
        twin.database = database
        return twin

    def remember(self, failed: FailedSave) -> None:
        """Records a failed save or resolution."""
        context = self.contexts[failed.context]
        context.failure, context.pending = failed.failure, failed.pending
        if failed.events is not None:
            context.events = failed.events

    # Shared by contexts

    def context(self, name: Any) -> Context:
        """Returns an open context."""
        if name not in self.contexts:
            raise bad("unknownContext", name)
        return self.contexts[name]

    def leaves_of(self, identifier: str) -> dict[str, bool]:
        """Returns the leaves of a document, the winner first, each with whether it is deleted."""
        if identifier not in self.database.documents:
            return {}
        return {row["rev"]: row["deleted"] for row in self.database.leaf_rows(self.database.documents[identifier])}

    def written_since(self) -> set[str]:
        """Returns the documents that were written since conflicts were processed last."""
        return {name for name in self.database.documents if self.leaves_of(name) != self.looked.get(name)}

    def look(self) -> None:
        """Records the leaves of all documents."""
        self.looked = {name: self.leaves_of(name) for name in self.database.documents}

    def begin(self) -> None:
        """Records the leaves that exist when the first context is opened."""
        self.has_begun = True
        self.look()
        self.repairs.learn(self.database, self.leaves_of)
        for name, leaves in self.looked.items():
            self.leaves[name] = set(leaves)
            self.repairs.note(name, leaves)
            self.repairs.unrepaired.add(name)
            if list(leaves.values()).count(False) > 1:
                self.open.add(name)

    def stored_row(self, identifier: str, rev: str | None = None) -> Row | None:
        """Returns an object of the store, or of one of its revisions, or None."""
        try:
            found = find(self.database, identifier, rev) if identifier != METADATA else None
            if found is None:
                return None
            shown, _ = self.store.read(identifier, found[1], found[2])
        except Refusal:
            return None
        entity = self.store.model.entities[shown.entity]
        return Row(entity, with_lists(entity, shown.values), shown.version, found[0])

    def row(self, identifier: str, anew: bool) -> Row | None:
        """Returns an object from the cache. Reads it into the cache if it is missing, or with `anew`."""
        known = None if anew else self.cache.get(identifier)
        if known is not None:
            return known
        row = self.stored_row(identifier)
        self.learn(identifier, row)
        return row

    def learn(self, identifier: str, row: Row | None) -> None:
        """Updates the cache. None removes the object."""
        if row is None:
            self.cache.pop(identifier, None)
        else:
            self.cache[identifier] = row

    # Writing

    def update(self, found: Member, rev: str | None = None) -> Object:
        """Returns the write with the changes of an object."""
        change = ManagedObject(found.id, found.entity.name, found.changed())
        return self.store.update(self.database, change, rev)

    def write(self, context: Context) -> None:
        """Writes all changes of a context to the store, and reads the stored state as its base."""
        changes, writes = context.changes(), []
        decided = {name: each for name, each in context.pulled.items() if each.is_decided}
        record_absences(context)
        for name in sorted(decided, key=str.encode):
            writes += writes_of(self, context.members.get(name), decided[name])
        for found in changes:
            if found.id in decided and not found.is_inserted:
                continue
            if found.is_inserted:
                new = ManagedObject(found.id, found.entity.name, dict(found.values or {}))
                writes.insert(0, self.store.insertion(new))
            elif not found.is_deleted:
                writes.append(self.update(found))
            else:
                stored = find(self.database, found.id)
                writes += [] if stored is None else [{"op": "delete", "id": found.id, "rev": stored[0]}]
        self.database.batch({"writes": writes})
        for found in changes:
            if found.is_deleted:
                self.learn(found.id, None)
            else:
                row = self.row(found.id, anew=True)
                assert row is not None
                found.take(row)
        for name in decided:
            self.row(name, anew=True)
            self.leaves[name] = set(self.leaves_of(name))
            self.open.discard(name)
            note_decision(self, name)
        # A conflict of an object that was saved without a decision is reported again.
        gone = decided.keys() | {found.id for found in changes}
        context.pulled = {name: each for name, each in context.pulled.items() if name not in gone}


# Operations


def open_context(contexts: Contexts, operation: Object) -> Object:
    """Opens a context on the store, or on another context."""
    parent = contexts.context(operation["parent"]) if "parent" in operation else None
    if operation["context"] in contexts.contexts:
        raise Refusal("conflict")
    context = Context(contexts, operation, parent)
    if not contexts.has_begun:
        contexts.begin()
    contexts.contexts[context.name] = context
    return {}


def inspect_object(context: Context, operation: Object) -> Object:
    """Returns the state of an object without reading from the parent."""
    told = registered(context, operation["id"]).inspected()
    return told | {"isTemporary": context.is_temporary(operation["id"])}


def registered(context: Context, identifier: str) -> Member:
    """Returns an object of a context."""
    if identifier not in context.members:
        raise Refusal("notFound", reason="missing")
    return context.members[identifier]


def inspect_context(context: Context, operation: Object) -> Object:
    """Returns the objects of a context, and its last save."""
    changed = Save(context).told()
    has_changes = context.has_changes()
    told = {**changed, "registered": sorted(context.members, key=str.encode), "hasChanges": has_changes}
    told["events"] = context.events
    return told | ({} if context.failure is None else {"failure": context.failure})


def obtain_permanent_ids(context: Context, operation: Object) -> Object:
    """Makes the ids of registered objects permanent before they are saved."""
    for identifier in operation["ids"]:
        if identifier in context.members and context.members[identifier].is_inserted:
            context.members[identifier].is_temporary = False
    return {}


def roll_back(context: Context, operation: Object) -> Object:
    """Discards unsaved changes."""
    context.roll_back()
    drop(context)
    return {}


def reset(context: Context, operation: Object) -> Object:
    """Removes all objects from a context."""
    if context.parent is None:
        for name in context.members.keys() - context.pulled.keys():
            context.contexts.cache.pop(name, None)
    context.members, context.pending, context.events, context.failure = {}, [], [], None
    context.pulled = {}
    context.saved = {"inserted": [], "updated": [], "deleted": []}
    context.observers = {}
    return {}


def process_conflicts(context: Context, operation: Object) -> Object:
    """Reports pulled conflicts."""
    return process(context.contexts, context)


def resolve_conflicts(context: Context, operation: Object) -> Object:
    """Resolves the reported conflicts."""
    policy, pending = operation["policy"], context.pending
    if policy not in POLICIES:
        raise Refusal("badRequest", path="policy")
    if policy == "error" and pending:
        raise refuse(context, pending)
    collisions = [each for each in pending if isinstance(each, Collision)]
    for each in collisions:
        settle_collision(context, each, policy)
    if not collisions and pending:
        settle_conflicts(context, pending, policy)
    if pending:
        context.pending, context.failure = [], None
    return {}


def doing(act: Callable[[Context, Object], Any]) -> Callable[[Contexts, Object], Object]:
    """Returns an operation of one context; its result is {} if the function returns None."""

    def perform(contexts: Contexts, operation: Object) -> Object:
        return act(contexts.context(operation["context"]), operation) or {}

    return perform


def merge(context: Context, operation: Object) -> None:
    """Merges the last save of another context."""
    context.merge(context.contexts.context(operation["from"]).saved)


CONTEXT_OPERATIONS: dict[str, Callable[[Contexts, Object], Object]] = {
    "openContext": open_context,
    "insertObject": doing(lambda context, said: context.insert(
        said["id"], said["entity"], said.get("values", {})
    )),
    "changeObject": doing(lambda context, said: context.change(said["id"], said["values"])),
    "deleteObject": doing(lambda context, said: context.delete(said["id"])),
    "readInContext": doing(lambda context, said: {
        "object": context.shown(context.read(said["id"])).json()
    }),
    "inspectObject": doing(inspect_object),
    "inspectContext": doing(inspect_context),
    "fetchInContext": doing(lambda context, said: context.fetch(said)),
    "observeFetch": doing(observe_fetch),
    "updateFetch": doing(update_fetch),
    "refreshObject": doing(lambda context, said: refresh(context, said["id"], said["merges"])),
    "obtainPermanentIDs": doing(obtain_permanent_ids),
    "rollbackContext": doing(roll_back),
    "resetContext": doing(reset),
    "saveContext": doing(lambda context, said: Save(context).run()),
    "mergeChanges": doing(merge),
    "processConflicts": doing(process_conflicts),
    "resolveConflicts": doing(resolve_conflicts),
}  # fmt: skip
