"""Relationships of objects that survived a deletion, or that arrived after a change at the other end.

Follows `Vectors/README.md`, "Contexts"; written with the bundled contexts at hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from context_inverses import inverse_rule
from context_objects import Member, ids_of, in_order, relationships
from object_store import METADATA
from revision_ids import Object

# The local document that keeps `absent` when the contexts are gone.
NOTES = "CDTISNotes"


class Repairs:
    """The objects whose relationships may have to be repaired."""

    def __init__(self) -> None:
        # Objects with one live leaf and deleted ones.
        self.restored: set[str] = set()
        # Objects with a saved decision, whose relationships were not looked at yet.
        self.settled: set[str] = set()
        # Objects that disagreed with others, or were not looked at yet.
        self.unrepaired: set[str] = set()
        # Objects that were missing or out of date when a relationship with them was changed, each with its
        # partners, and with whether it was deleted.
        self.absent: dict[str, dict[str, bool]] = {}
        # The leaves of absent objects when they were recorded.
        self.leaves_at_absence: dict[str, set[str]] = {}

    def note(self, identifier: str, leaves: dict[str, bool]) -> None:
        """Records whether a document survived a deletion."""
        is_restored = len(leaves) > 1 and list(leaves.values()).count(False) == 1
        (self.restored.add if is_restored else self.restored.discard)(identifier)

    def is_needed(self, one: str, other: str) -> bool:
        """Returns whether relationships between two objects are inconsistent for a local reason."""
        is_restored = one in self.restored or other in self.restored
        return is_restored or other in self.absent.get(one, {}) or one in self.absent.get(other, {})

    def decides(self, one: str, other: str) -> bool:
        """Returns whether the list of an object decides over the list of another one."""
        was_deleted = self.absent.get(one, {}).get(other) is True
        return one in self.restored or was_deleted or self.absent.get(other, {}).get(one) is False

    def learn(self, database: Any, leaves: Callable[[str], Object]) -> None:
        """Reads what an earlier program recorded."""
        self.absent = {name: dict(partners) for name, partners in database.locals.get(NOTES, {}).items()}
        self.leaves_at_absence = {name: set(leaves(name)) for name in self.absent}

    def record(self, database: Any) -> None:
        """Records the absent objects."""
        database.locals[NOTES] = {name: dict(partners) for name, partners in self.absent.items()}


def was_deleted(contexts: Any, identifier: str) -> bool:
    """Returns whether a document exists and all its leaves are deleted."""
    leaves = contexts.leaves_of(identifier)
    return bool(leaves) and all(leaves.values())


def record_absences(context: Any) -> None:
    """Records the other ends of changed relationships that are missing or out of date."""
    contexts = context.contexts

    def is_here(end: str) -> bool:
        other = context.members.get(end)
        return other is not None and not other.is_deleted and other.values is not None

    for found in context.changes():
        for each in relationships(found.entity):
            if not each.is_stored or "inverse" not in each.said:
                continue
            now, before = ids_of((found.values or {}).get(each.name)), ids_of((found.base or {}).get(each.name))
            now = [] if found.is_deleted else now
            ends = [end for end in now if end not in before and not is_here(end)]
            for end in before:
                base = context.members[end].base if is_here(end) else None
                if end not in now and found.id not in ids_of((base or {}).get(each.said["inverse"])):
                    ends.append(end)
            for end in ends:
                contexts.repairs.absent.setdefault(end, {})[found.id] = was_deleted(contexts, end)
                contexts.repairs.leaves_at_absence[end] = set(contexts.leaves_of(end))
    contexts.repairs.record(contexts.database)


def note_decision(contexts: Any, identifier: str) -> None:
    """Records that an object with a saved decision and its partners must be looked at again."""
    contexts.repairs.note(identifier, contexts.leaves_of(identifier))
    if identifier in contexts.repairs.restored:
        contexts.repairs.settled.add(identifier)


def repair_all(context: Any, changed: set[str]) -> None:
    """Repairs relationships after a pull, as changes of the context. `changed` are the written documents."""
    contexts, repairs = context.contexts, context.contexts.repairs
    ids = set(repairs.unrepaired) | changed | (repairs.restored if changed else set())
    for identifier in changed:
        ids |= repairs.absent.get(identifier, {}).keys()
    ended = {each for each in changed if len(contexts.leaves_of(each)) > 1 and was_deleted(contexts, each)}
    ids |= referrers(contexts, ended | repairs.settled) | repairs.settled
    repairs.settled = set()
    for identifier in in_order(ids - {METADATA}):
        if disagrees(contexts, identifier):
            repairs.unrepaired.add(identifier)
            repair(context, identifier)
        else:
            repairs.unrepaired.discard(identifier)
    for identifier in changed:
        partners = repairs.absent.get(identifier)
        leaves = contexts.leaves_of(identifier)
        if partners is None or all(leaves.values()) or set(leaves) == repairs.leaves_at_absence.get(identifier):
            continue
        if identifier not in repairs.unrepaired and not repairs.unrepaired & partners.keys():
            del repairs.absent[identifier]
            repairs.leaves_at_absence.pop(identifier, None)
    repairs.record(contexts.database)


def referrers(contexts: Any, gone: set[str]) -> set[str]:
    """Returns the stored objects that refer to others."""
    found = set()
    for identifier in contexts.database.documents if gone else []:
        row = contexts.stored_row(identifier)
        if row is not None and any(
            gone & set(ids_of(row.values.get(each.name))) for each in relationships(row.entity)
        ):
            found.add(identifier)
    return found


def disagrees(contexts: Any, identifier: str) -> bool:
    """Returns whether a stored object refers to another one that does not refer back, for a local reason."""
    row = contexts.stored_row(identifier)
    for each in relationships(row.entity) if row is not None else []:
        if not each.is_stored or "inverse" not in each.said:
            continue
        for end in ids_of(row.values.get(each.name)):
            other = contexts.stored_row(end)
            if other is None:
                rule = contexts.store.model.entities[each.said["destination"]].properties[
                    each.said["inverse"]
                ].said.get("delete", "nullify")
                if rule != "noAction" and was_deleted(contexts, end):
                    return True
            elif identifier not in ids_of(other.values.get(each.said["inverse"])):
                if contexts.repairs.is_needed(identifier, end):
                    return True
    return False


def repair(context: Any, identifier: str) -> None:
    """Makes the objects to which one refers refer back, or removes its references."""
    if identifier in context.pulled:
        return
    context.bring_up_to_date(identifier)
    found = context.member(identifier)
    if found is None or found.is_deleted:
        return
    values = dict(found.values or {})
    for each in relationships(found.entity):
        if each.is_stored and "inverse" in each.said:
            for end in ids_of(values.get(each.name)):
                repair_end(context, found, each, end)


def repair_end(context: Any, found: Member, each: Any, end: str) -> None:
    """Repairs one reference."""
    contexts, repairs = context.contexts, context.contexts.repairs
    if end in context.pulled:
        # The policy decides about both ends.
        return
    context.bring_up_to_date(end)
    other = context.member(end)
    if other is None or other.is_deleted:
        if inverse_rule(context, each) != "noAction" and was_deleted(contexts, end):
            context.release(found, each.name, end)
        return
    inverse = other.entity.properties[each.said["inverse"]]
    owners = ids_of((other.values or {}).get(inverse.name))
    if found.id in owners or not repairs.is_needed(found.id, end):
        return
    if inverse.is_many:
        is_theirs = each.is_many and not repairs.decides(found.id, end)
    else:
        is_theirs = each.is_many or bool(owners)
    if is_theirs:
        context.release(found, each.name, end)
    else:
        context.link(end, inverse.name, found.id)
