"""Pulled conflicts: documents of objects with several live leaves.

Follows `Vectors/README.md`, "Contexts"; written with the bundled contexts at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from context_graph import Context
from context_objects import CONSTRAINT_CONFLICTS, MERGE_CONFLICTS, FailedSave, Member, Row, differ, merged_list
from context_repairs import repair_all
from object_store import METADATA
from revision_ids import Object, Refusal, generation_of


@dataclass
class Pulled:
    """One document in conflict. A pulled deletion beside a local edit has no persisted side."""

    id: str
    # All leaves when the conflict was reported, and the live ones.
    leaves: set[str]
    live: list[str]
    cached: Row
    # The persisted side; None if the object was deleted.
    theirs: Row | None
    others: list[Row]
    common: Row | None
    # The live leaf onto which the decision is written, and its revision; None after a decision to delete.
    kept: Row
    keep: str | None
    is_decided: bool = False
    # The local side with the unsaved changes of the parents, when it was reported.
    in_parent: Row | None = None

    def json(self) -> Object:
        """Returns the JSON form for results."""
        pulled = self.theirs
        told: Object = {"id": self.id, "entity": self.cached.entity.name, "object": None}
        told |= {"oldVersion": self.cached.version, "newVersion": 0 if pulled is None else pulled.version}
        told |= {"cached": self.cached.stored(), "persisted": None if pulled is None else pulled.stored()}
        return told | ({"others": [row.stored() for row in self.others]} if self.others else {})


def find_pulled(contexts: Any, context: Context, identifier: str, leaves: dict[str, bool]) -> Pulled | None:
    """Returns the conflict of a document, or None."""
    before = contexts.leaves.get(identifier, set())
    live = [rev for rev, is_deleted in leaves.items() if not is_deleted]
    has_arrived = any(is_deleted and rev not in before for rev, is_deleted in leaves.items())
    rows = [contexts.stored_row(identifier, rev) for rev in live]
    if not live or None in rows or len(live) == 1 and not has_arrived:
        return None
    mine = local_leaf(contexts, context, identifier, rows)
    mine = mine or next((row for row in rows if row.rev in before), None)
    if len(live) == 1:
        if mine is None:
            return None
        return Pulled(identifier, set(leaves), live, rows[0], None, [], None, rows[0], rows[0].rev)
    mine = mine or rows[-1]
    rest = sorted((row for row in rows if row is not mine), key=lambda row: order(row.rev), reverse=True)
    if rows[0] is not mine:
        rest.remove(rows[0])
        rest.insert(0, rows[0])
    common = common_row(contexts, identifier, mine.rev, rest[0].rev)
    kept = rows[0] if context.options["keepsWinner"] else rest[0]
    return Pulled(identifier, set(leaves), live, mine, rest[0], rest[1:], common, kept, kept.rev)


def local_leaf(contexts: Any, context: Context, identifier: str, rows: list[Row]) -> Row | None:
    """Returns the leaf with the committed values of the context, or of the cache."""
    found, cached = context.members.get(identifier), contexts.cache.get(identifier)
    known = [] if found is None or found.base is None else [(found.version, found.base)]
    known += [] if cached is None else [(cached.version, cached.values)]
    for version, values in known:
        for row in rows:
            names = values.keys() | row.values.keys()
            if version == row.version and not any(differ(values.get(n), row.values.get(n)) for n in names):
                return row
    return None


def order(rev: str) -> tuple[int, bytes]:
    """Sort key of leaves: generation, then bytes."""
    return generation_of(rev), rev.encode()


def common_row(contexts: Any, identifier: str, one: str, other: str) -> Row | None:
    """Returns the object of the common ancestor of two leaves; None if it is not stored."""
    document = contexts.database.documents[identifier]
    others = set(document.path(other))
    shared = next((rev for rev in document.path(one) if rev in others), None)
    return None if shared is None else contexts.stored_row(identifier, shared)


def process(contexts: Any, context: Context) -> Object:
    """Reports the conflicts that were not reported in this context before."""
    database = contexts.database
    changed = contexts.written_since()
    metadata = [rev for rev, is_deleted in contexts.leaves_of(METADATA).items() if not is_deleted]
    if len(metadata) > 1:
        database.resolve({"id": METADATA, "leaves": metadata, "keep": metadata[0]})
    found = []
    for identifier in sorted((changed | contexts.open) - {METADATA}, key=str.encode):
        leaves = contexts.leaves_of(identifier)
        reported = context.pulled.get(identifier)
        if reported is not None and reported.leaves == set(leaves):
            continue
        pulled = find_pulled(contexts, context, identifier, leaves)
        if pulled is None:
            if context.is_decided(identifier):
                # Another replica has decided: the decision made here is a change of the leaf that it kept.
                contexts.cache.pop(identifier, None)
            context.pulled.pop(identifier, None)
            contexts.leaves[identifier] = set(leaves)
            contexts.open.discard(identifier)
            contexts.repairs.note(identifier, leaves)
            continue
        contexts.open.add(identifier)
        # An object that was inserted under this id, here or in a parent, has no values to compare.
        if is_inserted(context, identifier):
            continue
        context.pulled[identifier] = pulled
        found.append(pulled)
        hold(contexts, context, pulled)
    if found:
        context.pending = list(found)
    repair_all(context, changed)
    contexts.look()
    return {"conflicts": [each.json() for each in found]}


def hold(contexts: Any, context: Context, pulled: Pulled) -> None:
    """Registers the object with the local side below its changes and those of the parents."""
    if context.parent is None:
        contexts.cache[pulled.id] = pulled.cached
    row = pulled.in_parent = local_row(context, pulled)
    known = context.members.get(pulled.id)
    if known is None or known.is_merged:
        # The merge of a deletion has discarded the changes.
        known = context.members[pulled.id] = Member(pulled.id, row.entity)
    known.rebase(row)


def is_inserted(context: Context | None, identifier: str) -> bool:
    """Returns whether a context or one of its parents has an unsaved insertion under an id."""
    while context is not None:
        found = context.members.get(identifier)
        if found is not None and found.is_inserted:
            return True
        context = context.parent
    return False


def local_row(context: Context, pulled: Pulled) -> Row:
    """Returns the local side with the unsaved changes of the parents."""
    row, above = pulled.cached, []
    parent = context.parent
    while parent is not None:
        above.insert(0, parent)
        parent = parent.parent
    values = dict(row.values)
    for each in above:
        found = each.members.get(pulled.id)
        if found is None or found.state != "updated":
            continue
        for name, value in found.changed().items():
            if found.entity.properties[name].is_many:
                value = merged_list((found.base or {}).get(name), value, values.get(name))
            values[name] = value
    return Row(row.entity, values, row.version, row.rev)


def refuse(context: Context, pending: list[Any]) -> FailedSave:
    """Returns the failure of the policy error."""
    failure: Object = context.failure or {"code": MERGE_CONFLICTS}
    if any(isinstance(each, Pulled) for each in pending):
        failure = {"code": MERGE_CONFLICTS, "conflicts": [each.json() for each in pending]}
    is_constraint = failure["code"] == CONSTRAINT_CONFLICTS
    what = "constraintConflicts" if is_constraint else "mergeConflicts"
    failed = FailedSave(context.name, None, failure, what=what)
    failed.pending = pending
    return failed


def writes_of(contexts: Any, found: Member | None, pulled: Pulled) -> list[Object]:
    """Returns the writes of a decision: keep or update one leaf, and delete the other live ones."""
    if set(contexts.leaves_of(pulled.id)) != pulled.leaves:
        raise Refusal("conflict")
    keep = None if found is None or found.is_deleted else pulled.keep
    writes = [{"op": "delete", "id": pulled.id, "rev": rev} for rev in pulled.live if rev != keep]
    if keep is not None and found is not None and found.is_updated:
        writes.insert(0, contexts.update(found, keep))
    return writes


def drop(context: Context) -> None:
    """Discards the decisions of a context, and forgets its reported conflicts."""
    for pulled in context.pulled.values():
        if pulled.is_decided:
            restore_local(context, pulled)
    context.pulled = {}


def restore_local(context: Context, pulled: Pulled) -> None:
    """Gives an object its local side, without changes."""
    found = Member(pulled.id, pulled.cached.entity)
    found.take(local_row(context, pulled))
    context.members[pulled.id] = found


def refresh(context: Context, identifier: str, merges: bool) -> None:
    """Refreshes an object. One in a reported conflict keeps its values, or returns to the local side."""
    pulled, known = context.pulled.get(identifier), context.members.get(identifier)
    if pulled is None or known is None or known.is_inserted:
        context.refresh(identifier, merges)
    elif not merges:
        restore_local(context, pulled)
        if pulled.is_decided:
            del context.pulled[identifier]
