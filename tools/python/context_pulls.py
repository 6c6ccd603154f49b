"""Pulled conflicts: documents of objects with several live leaves.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from context_graph import Context
from context_objects import CONSTRAINT_CONFLICTS, MERGE_CONFLICTS, FailedSave, Member, Row
from context_policies import THEIRS, mend, merged
from object_store import METADATA
from revision_ids import Object, Refusal, generation_of


@dataclass
class Pulled:
    """One document in conflict. A pulled deletion beside a local edit has no persisted side."""

    id: str
    context: str
    # All leaves when the conflict was reported, and the live ones.
    leaves: set[str]
    live: list[str]
    cached: Row
    persisted: Row | None
    others: list[Row]
    common: Row | None
    # The live leaf onto which the decision is written.
    kept: Row

    def json(self) -> Object:
        """Returns the JSON form for results."""
        pulled = self.persisted
        told: Object = {"id": self.id, "entity": self.cached.entity.name, "object": None}
        told |= {"oldVersion": self.cached.version, "newVersion": 0 if pulled is None else pulled.version}
        told |= {"cached": self.cached.stored(), "persisted": None if pulled is None else pulled.stored()}
        return told | ({"others": [row.stored() for row in self.others]} if self.others else {})


@dataclass
class Decision:
    """An unsaved decision of a policy, and the former state of the object in its context."""

    conflict: Pulled
    before: Object = field(default_factory=dict)


def all_leaves(database: Any, identifier: str) -> dict[str, bool]:
    """Returns the leaves of a document, the winner first, each with whether it is deleted."""
    if identifier not in database.documents:
        return {}
    return {row["rev"]: row["deleted"] for row in database.leaf_rows(database.documents[identifier])}


def find_pulled(contexts: Any, context: Context, identifier: str) -> Pulled | None:
    """Returns the conflict of a document, or None."""
    leaves = all_leaves(contexts.database, identifier)
    live = [rev for rev, is_deleted in leaves.items() if not is_deleted]
    rows = [contexts.stored_row(identifier, rev) for rev in live]
    if not live or None in rows:
        return None
    known = [contexts.seen.get(identifier)]
    if identifier in context.members:
        known.insert(0, context.members[identifier].rev)
    before = contexts.leaves.get(identifier, set())
    mine = next((rev for rev in known if rev in live), None)
    mine = mine or next((rev for rev in live if rev in before), None)
    if len(live) == 1:
        came = [rev for rev, is_deleted in leaves.items() if is_deleted and rev not in before]
        if mine is None:
            # The object was recreated locally, so earlier deletions are not conflicts.
            contexts.remember_leaves(identifier)
        if mine is None or not came:
            return None
        common = common_row(contexts, identifier, mine, came[0])
        return Pulled(identifier, context.name, set(leaves), live, rows[0], None, [], common, rows[0])
    mine = mine or live[-1]
    by_rev = dict(zip(live, rows))
    rest = sorted((rev for rev in live if rev != mine), key=order, reverse=True)
    if live[0] != mine:
        rest.remove(live[0])
        rest.insert(0, live[0])
    common = common_row(contexts, identifier, mine, rest[0])
    sides = by_rev[mine], by_rev[rest[0]], [by_rev[rev] for rev in rest[1:]], common
    kept = rows[0] if context.options["keepsWinner"] else by_rev[rest[0]]
    return Pulled(identifier, context.name, set(leaves), live, *sides, kept)


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
    """Reports the conflicts that were not reported before."""
    database = contexts.database
    metadata = [rev for rev, is_deleted in all_leaves(database, METADATA).items() if not is_deleted]
    if len(metadata) > 1:
        database.resolve({"id": METADATA, "leaves": metadata, "keep": metadata[0]})
    found = []
    for row in database.list_documents({})["rows"]:
        identifier = row["id"]
        pulled = find_pulled(contexts, context, identifier) if identifier != METADATA else None
        handed = contexts.handed.get(identifier)
        if pulled is None and identifier != METADATA:
            mend_returned(contexts, context, identifier)
        if pulled is None or handed is not None and handed.leaves == pulled.leaves:
            continue
        contexts.handed[identifier] = pulled
        found.append(pulled)
    ids = {each.id for each in found}
    # A new conflict of a document replaces the old one.
    context.pending = [each for each in context.pending if getattr(each, "id", None) not in ids] + found
    return {"conflicts": [each.json() for each in found]}


def mend_returned(contexts: Any, context: Context, identifier: str) -> None:
    """Restores the relationships of an object that survived a deletion, in both directions."""
    leaves = all_leaves(contexts.database, identifier)
    live = [rev for rev, is_deleted in leaves.items() if not is_deleted]
    if len(live) != 1 or len(leaves) == 1 or contexts.stored_row(identifier, live[0]) is None:
        return
    found = context.member(identifier)
    if found is not None:
        mend(context, found, [])


def refuse(context: Context, pending: list[Any]) -> FailedSave:
    """Returns the failure of the policy error."""
    failure: Object = context.failure or {"code": MERGE_CONFLICTS}
    if any(isinstance(each, Pulled) for each in pending):
        told = [each.json() for each in pending if hasattr(each, "json") and hasattr(each, "id")]
        failure = {"code": MERGE_CONFLICTS, "conflicts": told}
    is_constraint = failure["code"] == CONSTRAINT_CONFLICTS
    what = "constraintConflicts" if is_constraint else "mergeConflicts"
    failed = FailedSave(context.name, None, failure, what=what)
    failed.pending = pending
    return failed


def settle_pulled(contexts: Any, context: Context, pulled: Pulled, policy: str) -> None:
    """Resolves a conflict in the context. The leaves are unchanged until the context is saved."""
    cached, pulled_row = pulled.cached, pulled.persisted
    found = context.members.setdefault(pulled.id, Member(pulled.id, cached.entity))
    earlier = contexts.decisions.get(pulled.id)
    if found.values is None or not found.is_changed:
        found.take(cached)
    before = {"base": found.base, "version": found.version, "rev": found.rev}
    contexts.decisions[pulled.id] = Decision(pulled, before if earlier is None else earlier.before)
    ours = found.values or {}
    if pulled_row is None:
        if policy in THEIRS:
            found.is_deleted, found.is_updated = True, False
        return
    is_deleted = found.is_deleted
    found.commit(pulled_row)
    # The context is based on the local leaf until it is saved.
    found.rev = cached.rev
    if is_deleted and policy not in THEIRS:
        return
    found.is_deleted = False
    base = None if pulled.common is None else pulled.common.values
    found.values = merged(policy, found, base, ours, pulled_row)
    if pulled.kept is not pulled_row:
        values = found.values
        found.commit(pulled.kept)
        found.rev, found.values = cached.rev, values
    found.is_updated = bool(found.changed())
    common = [] if pulled.common is None else [pulled.common.values]
    sides = [row.values for row in (cached, pulled_row, *pulled.others)]
    mend(context, found, [ours, *sides, *common])


def writes_of(contexts: Any, found: Member, decision: Decision) -> list[Object]:
    """Returns the writes of a decision: keep or update one leaf, and delete the other live ones."""
    pulled = decision.conflict
    if set(all_leaves(contexts.database, pulled.id)) != pulled.leaves:
        raise Refusal("conflict")
    kept = pulled.kept.rev
    losers = [rev for rev in pulled.live if found.is_deleted or rev != kept]
    writes = [{"op": "delete", "id": pulled.id, "rev": rev} for rev in losers]
    if found.is_updated and not found.is_deleted:
        writes.insert(0, contexts.update(found, kept))
    return writes


def drop(contexts: Any, context: Context) -> None:
    """Discards the decisions of a context; their conflicts are reported again."""
    for identifier, decision in list(contexts.decisions.items()):
        if decision.conflict.context == context.name:
            del contexts.decisions[identifier]
            found = context.members.get(identifier)
            if found is not None:
                found.base, found.version = decision.before["base"], decision.before["version"]
                found.rev = decision.before["rev"]
                found.values = None if found.base is None else dict(found.base)
                found.is_updated = found.is_deleted = False
    for identifier, pulled in list(contexts.handed.items()):
        if pulled.context == context.name:
            del contexts.handed[identifier]
