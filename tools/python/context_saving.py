"""Saves of contexts: to the store, and to a parent.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

import copy
from typing import Any

from context_constraints import collisions, settle_collision
from context_graph import Context
from context_objects import (
    CONSTRAINT_CONFLICTS,
    MERGE_CONFLICTS,
    SEVERAL,
    Conflict,
    FailedSave,
    Member,
    Row,
    differ,
    in_conflict,
    merged_list,
    stored_values,
)
from context_inverses import Merged, restore, restore_all
from context_policies import settle_conflicts
from revision_ids import Object, Refusal


class Save:
    """One save of one context."""

    def __init__(self, context: Context) -> None:
        self.context, self.contexts = context, context.contexts
        self.events: list[Object] = []

    def event(self, name: str, objects: list[str] | None = None) -> None:
        """Records an event."""
        self.events.append({"event": name} | ({} if objects is None else {"objects": objects}))

    def run(self) -> Object:
        """Saves, and returns the saved objects."""
        context = self.context
        saved: dict[str, list[str]] = {"inserted": [], "updated": [], "deleted": []}
        if context.has_changes():
            self.event("willSave")
            self.event("deletePropagated", context.propagate())
            context.complete()
            self.validate()
            self.event("validated")
            if context.parent is None:
                new = [each for each in context.changes() if each.is_inserted]
                self.event("permanentIDs", [each.id for each in new])
                for each in new:
                    each.is_temporary = False
                self.settle_all()
                saved = self.told()
                self.write()
            else:
                self.settle_all()
                saved = self.told()
                self.hand_up(context.parent)
            self.event("written")
            self.event("didSave")
            for found in list(context.members.values()):
                if found.is_deleted:
                    del context.members[found.id]
        elif context.options["postsOnEmptySave"]:
            self.event("willSave")
            self.event("didSave")
        if self.events:
            context.saved = saved
        context.events, context.failure, context.pending = self.events, None, []
        return {**saved, "events": self.events}

    def write(self) -> None:
        """Writes to the store. If it refuses the write, the save fails."""
        try:
            self.contexts.write(self.context)
        except Refusal as refusal:
            raise FailedSave(self.context.name, self.events, {}, **refusal.error) from None

    def told(self) -> dict[str, list[str]]:
        """Returns the ids of the objects to save."""
        changes = self.context.changes()
        deleted = [each.id for each in changes if each.is_deleted]
        inserted = [each.id for each in changes if each.is_inserted]
        updated = [each.id for each in changes if each.is_updated and not each.is_deleted]
        return {"inserted": inserted, "updated": updated, "deleted": deleted}

    def validate(self) -> None:
        """Raises FailedSave if an object is invalid."""
        invalid = self.context.invalid()
        codes = [code for _, codes in invalid for code in codes]
        if codes:
            told = [{"id": name, "codes": each} for name, each in invalid]
            failure = {"code": codes[0] if len(codes) == 1 else SEVERAL, "invalid": told}
            raise FailedSave(self.context.name, self.events, failure, what="validation")

    # Conflicts

    def settle_all(self) -> None:
        """Resolves conflicts until there are none, because a resolution may cause another conflict."""
        context, is_settled = self.context, False
        if context.parent is not None:
            if self.settle_conflicts():
                self.validate()
            return
        while self.settle_conflicts():
            is_settled = True
        if self.settle_collisions(is_last=False):
            is_settled = True
            self.settle_collisions(is_last=True)
        if is_settled:
            self.validate()

    def settle_conflicts(self) -> bool:
        """Resolves one round of conflicts. Returns false if there are none."""
        context, merged, conflicts = self.context, [], []
        for each in [each for each in context.changes() if not each.is_inserted]:
            found = self.conflict(each)
            if isinstance(found, Conflict):
                conflicts.append(found)
            elif found is not None:
                merged.append(found)
        if conflicts:
            self.event("conflictsDetected", [each.id for each in conflicts])
            if context.policy == "error":
                failure = {"code": MERGE_CONFLICTS, "conflicts": [each.json() for each in conflicts]}
                failed = FailedSave(context.name, self.events, failure, what="mergeConflicts")
                failed.pending = conflicts
                raise failed
            settle_conflicts(context, conflicts, context.policy)
        if context.parent is None and (conflicts or merged):
            # Objects that another client linked to a deleted one are subject to its delete rules as well.
            context.propagate()
            restore_all(context, merged)
        return bool(conflicts or merged)

    def settle_collisions(self, is_last: bool) -> bool:
        """Resolves one round of violated constraints. Returns false if there are none.

        With `is_last` a policy has resolved one round already, so constraints that are still violated fail.
        """
        context, found = self.context, collisions(self.context)
        if not found:
            return False
        if context.policy == "error" or is_last:
            failure = {"code": CONSTRAINT_CONFLICTS, "constraints": [each.json() for each in found]}
            failed = FailedSave(context.name, self.events, failure, what="constraintConflicts")
            failed.pending = found
            raise failed
        for each in found:
            settle_collision(context, each, context.policy)
        return True

    def conflict(self, found: Member) -> Conflict | Merged | None:
        """Returns the conflict of an object with the cache, then the store; in a child, with the parent.

        If only the version or to-many relationships differ, they are taken, and the result is the merged object.
        """
        if self.context.parent is not None:
            return self.conflict_with_parent(found, self.context.parent)
        if self.context.is_decided(found.id):
            return None
        cached = self.contexts.cache.get(found.id)
        if cached is not None and in_conflict(found.base or {}, cached):
            return beside(found, cached)
        stored = self.contexts.stored_row(found.id)
        if self.differs(found, stored):
            version = 0 if stored is None else stored.version
            sides = {"cached": stored_values(found.entity, found.base or {})}
            sides["persisted"] = None if stored is None else stored.stored()
            return Conflict(found.id, found.entity, found.version, version, sides, stored, True)
        if stored is None or found.version == stored.version and not lists_differ(found, stored):
            return None
        merged = Merged(found.id, found.entity, dict(found.values or {}), stored.values)
        found.rebase(stored)
        return merged

    def differs(self, found: Member, row: Row | None) -> bool:
        """Returns whether there is a conflict. A deletion on both sides is one only for the policy error."""
        if row is None:
            return not found.is_deleted or self.context.policy == "error"
        return in_conflict(found.base or {}, row)

    def conflict_with_parent(self, found: Member, parent: Context) -> Conflict | None:
        """Returns the conflict of a child with its parent, if the option `parentConflict` requests it."""
        if self.context.options["parentConflict"] != "conflict":
            return None
        row = self.context.parent_row(found.id, anew=False)
        return beside(found, row) if self.differs(found, row) else None

    # To a parent

    def hand_up(self, parent: Context) -> None:
        """Applies the changes of a child to its parent."""
        context = self.context
        changes, merged, gone = context.changes(), [], []
        decided = {name: each for name, each in context.pulled.items() if each.is_decided}
        for each in [each for each in changes if each.is_inserted]:
            if parent.knows(each.id):
                raise FailedSave(context.name, self.events, {}, kind="conflict")
            parent.receive(each)
        for each in [each for each in changes if each.is_updated and not each.is_deleted]:
            if each.id not in decided:
                self.hand_up_values(each, parent, merged, gone)
        for each in merged:
            restore(parent, each)
        for name in gone:
            parent.drop_references(name)
        for each in [each for each in changes if each.is_deleted and each.id not in decided]:
            found = parent.member(each.id)
            if found is not None and found.is_inserted:
                del parent.members[each.id]
            elif found is not None:
                found.is_deleted, found.is_merged = True, False
        for name, pulled in decided.items():
            # The decision is applied by the save that reaches the store.
            parent.pulled[name] = pulled
            self.hand_up_decision(name, pulled, parent)
            del context.pulled[name]
        for each in changes:
            if not each.is_deleted:
                # What the parent has besides arrives with a merge or a refresh, and so do permanent ids.
                each.settle()

    def hand_up_values(self, each: Member, parent: Context, merged: list[Merged], gone: list[str]) -> None:
        """Applies the changes of one object to the parent."""
        known = parent.members.get(each.id)
        before = None if known is None or known.values is None else dict(known.values)
        found, changed = parent.member(each.id), each.changed()
        if found is None or found.is_deleted:
            if self.context.options["deletedInParent"] == "comesBack":
                parent.bring_back(each)
            else:
                gone.append(each.id)
        else:
            for name, value in changed.items():
                if found.entity.properties[name].is_many:
                    value = merged_list((each.base or {}).get(name), value, (found.values or {}).get(name))
                parent.put(found, name, value)
            found.is_updated = not found.is_inserted
        names = [name for name in changed if each.entity.properties[name].is_relationship]
        if before is not None and any(differ((each.base or {}).get(name), before.get(name)) for name in names):
            now = parent.members.get(each.id)
            ours = None if now is None else dict(now.values or {})
            merged.append(Merged(each.id, each.entity, ours, before))

    def hand_up_decision(self, name: str, pulled: Any, parent: Context) -> None:
        """Applies the decision of a policy; properties that only the parent changed since the report are kept."""
        mine, own = self.context.members.get(name), parent.members.get(name)
        if mine is None:
            parent.members.pop(name, None)
            return
        found = copy.copy(mine)
        found.values = None if mine.values is None else dict(mine.values)
        parent.members[name] = found
        if own is None or found.values is None or own.base is None:
            return
        if own.state == "deleted" and self.context.options["deletedInParent"] == "staysDeleted":
            found.is_deleted, found.is_merged = True, False
            return
        if own.state != "updated" or own.values is None:
            return
        known = pulled.in_parent.values
        for each, value in own.changed().items():
            if not differ(value, known.get(each)):
                continue
            now = found.values.get(each)
            if own.entity.properties[each].is_many:
                found.values[each] = merged_list(known.get(each), value, now)
            elif not differ(now, pulled.cached.values.get(each)) or not differ(now, known.get(each)):
                found.values[each] = value
        found.is_updated, found.is_deleted, found.is_merged = True, False, False


def lists_differ(found: Member, row: Row) -> bool:
    """Returns whether stored values differ from the committed ones."""
    return any(differ((found.base or {}).get(each.name), row.values.get(each.name)) for each in row.entity.stored())


def beside(found: Member, row: Row | None) -> Conflict:
    """Returns a conflict with the cache or a parent."""
    sides = {"object": stored_values(found.entity, found.base or {})}
    sides["cached"] = None if row is None else row.stored()
    return Conflict(found.id, found.entity, found.version, 0 if row is None else row.version, sides, row)
