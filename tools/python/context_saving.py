"""Saves of contexts: to the store, and to a parent.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

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
    in_conflict,
    in_order,
    merged_list,
    stored_values,
)
from context_policies import mend, settle
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
                self.make_permanent(saved["inserted"])
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

    def make_permanent(self, ids: list[str]) -> None:
        """Makes the ids permanent in descendants, except those with the option `childrenStayTemporary`."""
        for child in self.contexts.below(self.context):
            if not child.options["childrenStayTemporary"]:
                for name in ids:
                    if name in child.members:
                        child.members[name].is_temporary = False

    # Conflicts

    def settle_all(self) -> None:
        """Resolves conflicts until there are none, because a resolution may cause another conflict."""
        context, is_settled, has_collided = self.context, False, False
        while True:
            before = {each.id for each in context.changes()}
            is_in_conflict = self.settle_conflicts()
            if not is_in_conflict and context.parent is None:
                has_collided = self.settle_collisions(is_last=has_collided)
                is_in_conflict = has_collided
            if is_in_conflict:
                is_settled = True
                context.propagate()
                continue
            context.propagate()
            if {each.id for each in context.changes()} == before:
                break
        if is_settled:
            self.validate()

    def settle_conflicts(self) -> bool:
        """Resolves one round of conflicts. Returns false if there are none."""
        context = self.context
        found = [self.conflict(each) for each in context.changes() if not each.is_inserted]
        conflicts = [each for each in found if each is not None]
        if not conflicts:
            return False
        self.event("conflictsDetected", [each.id for each in conflicts])
        if context.policy == "error":
            failure = {"code": MERGE_CONFLICTS, "conflicts": [each.json() for each in conflicts]}
            failed = FailedSave(context.name, self.events, failure, what="mergeConflicts")
            failed.pending = conflicts
            raise failed
        settle_conflicts(context, conflicts, context.policy)
        return True

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

    def conflict(self, found: Member) -> Conflict | None:
        """Returns the conflict of an object with the cache, then the store; in a child, with the parent."""
        if self.context.parent is not None:
            return self.conflict_with_parent(found, self.context.parent)
        if found.id in self.contexts.decisions:
            return None
        cached = self.contexts.cache.get(found.id)
        if cached is not None and self.differs(found, cached):
            return beside(found, cached)
        stored = self.contexts.stored_row(found.id)
        if self.differs(found, stored):
            version = 0 if stored is None else stored.version
            sides = {"cached": stored_values(found.entity, found.base or {})}
            sides["persisted"] = None if stored is None else stored.stored()
            return Conflict(found.id, found.entity, found.version, version, sides, stored, True)
        if stored is not None and stored.rev != found.rev:
            # Only the version or to-many relationships changed.
            found.rebase(stored)
            self.contexts.learn(found.id, stored)
        return None

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
        changes = self.context.changes()
        new = [each for each in changes if each.is_inserted]
        for each in new:
            if parent.knows(each.id):
                raise FailedSave(self.context.name, self.events, {}, kind="conflict")
            parent.receive(each)
        # Delete first: a deleted object keeps its values, and inverse relationships are not updated in it.
        for each in changes:
            if each.is_deleted and parent.member(each.id) is not None:
                parent.delete(each.id)
                if each.id in parent.members:
                    parent.members[each.id].is_merged = False
        for each in changes:
            if not each.is_deleted:
                self.hand_up_values(each, parent)
        for each in changes:
            if not each.is_deleted:
                # What the parent has besides arrives with a merge or a refresh, and so do permanent ids.
                each.settle()

    def hand_up_values(self, each: Member, parent: Context) -> None:
        """Applies the changes of one object to the parent."""
        found = parent.member(each.id)
        if found is None or found.is_deleted:
            if self.context.options["deletedInParent"] != "comesBack":
                return
            found = parent.bring_back(each)
        found.is_updated = not found.is_inserted
        base = each.base or {}
        for name, value in each.changed().items():
            described = found.entity.properties[name]
            if described.is_many:
                value = merged_list(base.get(name), value, (found.values or {}).get(name))
            parent.assign(found, name, value)


def beside(found: Member, row: Row | None) -> Conflict:
    """Returns a conflict with the cache or a parent."""
    sides = {"object": stored_values(found.entity, found.base or {})}
    sides["cached"] = None if row is None else row.stored()
    return Conflict(found.id, found.entity, found.version, 0 if row is None else row.version, sides, row)


def settle_conflicts(context: Context, conflicts: list[Conflict], policy: str) -> None:
    """Resolves conflicts of a save, and makes inverse relationships consistent."""
    sides = []
    for each in conflicts:
        found = context.members.get(each.id)
        if found is None:
            continue
        if each.is_stored:
            context.contexts.learn(each.id, each.theirs)
        sides.append((found, settle(context, found, each.theirs, policy)))
    for found, values in sides:
        mend(context, found, values)
