"""The contexts of a store of objects, the cache between them, and their operations.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from context_constraints import Collision, settle_collision
from context_graph import Context
from context_objects import POLICIES, Conflict, FailedSave, Member, Row, with_lists
from context_pulls import Decision, Pulled, all_leaves, drop, process, refuse, settle_pulled, writes_of
from context_results import observe_fetch, update_fetch
from context_saving import Save, settle_conflicts
from object_mapping import ManagedObject, bad
from object_store import METADATA, ObjectStore, find
from revision_ids import Object, Refusal


class Contexts:
    """All contexts of a store. Each operation has its own database, because it is an attempt."""

    def __init__(self, store: ObjectStore) -> None:
        self.store = store
        self.database: Any = None
        self.contexts: dict[str, Context] = {}
        # The objects that contexts on the store have read, and the leaves with their values.
        self.cache: dict[str, Row] = {}
        self.seen: dict[str, str | None] = {}
        # The leaves at the opening of the first context, and of later resolved documents.
        self.leaves: dict[str, set[str]] = {}
        self.handed: dict[str, Pulled] = {}
        self.decisions: dict[str, Decision] = {}

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
        context.failure, context.pending = failed.failure, self.still_pending(context, failed.pending)
        if failed.events is not None:
            context.events = failed.events

    def still_pending(self, context: Context, fresh: list[Any]) -> list[Any]:
        """Returns the conflicts that wait for a policy after a failure, including earlier pulled ones."""
        pulled = [each for each in context.pending if isinstance(each, Pulled) and each not in fresh]
        return pulled + fresh

    # Shared by contexts

    def context(self, name: Any) -> Context:
        """Returns an open context."""
        if name not in self.contexts:
            raise bad("unknownContext", name)
        return self.contexts[name]

    def below(self, parent: Context) -> Iterator[Context]:
        """Yields the descendants of a context."""
        for each in self.contexts.values():
            if each.parent is parent:
                yield each
                yield from self.below(each)

    def decisions_of(self, context: Context) -> dict[str, Decision]:
        """Returns the unsaved decisions of a context."""
        every = self.decisions.items()
        return {name: each for name, each in every if each.conflict.context == context.name}

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
            self.seen.pop(identifier, None)
        else:
            self.cache[identifier], self.seen[identifier] = row, row.rev

    def remember_leaves(self, identifier: str) -> None:
        """Records the leaves of a document, so that they are not reported as new."""
        self.leaves[identifier] = set(all_leaves(self.database, identifier))

    # Writing

    def update(self, found: Member, rev: str | None = None) -> Object:
        """Returns the write with the changes of an object."""
        change = ManagedObject(found.id, found.entity.name, found.changed())
        return self.store.update(self.database, change, rev)

    def write(self, context: Context) -> None:
        """Writes all changes of a context to the store, and reads the stored state as its base."""
        changes, decisions, writes = context.changes(), self.decisions_of(context), []
        for name, decision in decisions.items():
            writes += writes_of(self, context.members[name], decision)
        for found in changes:
            if found.id in decisions:
                continue
            if found.is_inserted:
                new = ManagedObject(found.id, found.entity.name, dict(found.values or {}))
                writes.append(self.store.insertion(new))
            elif not found.is_deleted:
                writes.append(self.update(found))
            else:
                stored = find(self.database, found.id)
                writes += [] if stored is None else [{"op": "delete", "id": found.id, "rev": stored[0]}]
        self.database.batch({"writes": writes})
        for found in changes + [context.members[name] for name in decisions]:
            if found.is_deleted:
                self.learn(found.id, None)
                self.remember_leaves(found.id)
            else:
                row = self.row(found.id, anew=True)
                assert row is not None
                found.take(row)
        for name in decisions:
            self.remember_leaves(name)
            del self.decisions[name]
            self.handed.pop(name, None)


# Operations


def open_context(contexts: Contexts, operation: Object) -> Object:
    """Opens a context on the store, or on another context."""
    parent = contexts.context(operation["parent"]) if "parent" in operation else None
    if operation["context"] in contexts.contexts:
        raise Refusal("conflict")
    context = Context(contexts, operation, parent)
    if not contexts.contexts:
        for name in contexts.database.documents:
            contexts.remember_leaves(name)
    contexts.contexts[context.name] = context
    return {}


def inspect_object(context: Context, operation: Object) -> Object:
    """Returns the state of an object without reading from the parent."""
    return registered(context, operation["id"]).inspected()


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
    drop(context.contexts, context)
    return {}


def reset(context: Context, operation: Object) -> Object:
    """Removes all objects from a context."""
    if context.parent is None:
        for name in context.members.keys() - context.contexts.decisions.keys():
            context.contexts.cache.pop(name, None)
    context.members, context.pending, context.events, context.failure = {}, [], [], None
    context.saved = {"inserted": [], "updated": [], "deleted": []}
    context.observers = {}
    drop(context.contexts, context)
    return {}


def process_conflicts(context: Context, operation: Object) -> Object:
    """Reports pulled conflicts. Only contexts on the store have some."""
    return {"conflicts": []} if context.parent is not None else process(context.contexts, context)


def resolve_conflicts(context: Context, operation: Object) -> Object:
    """Resolves the reported conflicts."""
    policy, pending, contexts = operation["policy"], context.pending, context.contexts
    if policy not in POLICIES:
        raise Refusal("badRequest", path="policy")
    if policy == "error" and pending:
        raise refuse(context, pending)
    settle_conflicts(context, [each for each in pending if isinstance(each, Conflict)], policy)
    for each in pending:
        if isinstance(each, Collision):
            settle_collision(context, each, policy)
        elif isinstance(each, Pulled):
            settle_pulled(contexts, context, each, policy)
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
    "refreshObject": doing(lambda context, said: context.refresh(said["id"], said["merges"])),
    "obtainPermanentIDs": doing(obtain_permanent_ids),
    "rollbackContext": doing(roll_back),
    "resetContext": doing(reset),
    "saveContext": doing(lambda context, said: Save(context).run()),
    "mergeChanges": doing(merge),
    "processConflicts": doing(process_conflicts),
    "resolveConflicts": doing(resolve_conflicts),
}  # fmt: skip
