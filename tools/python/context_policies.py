"""Merge policies.

Follows `Vectors/README.md`, "Contexts"; written with the bundled contexts at hand.
"""

from __future__ import annotations

from typing import Any

from context_graph import Context
from context_inverses import Merged, restore_all
from context_objects import Conflict, Member, Row, differ, merged_list, with_lists
from context_pulls import Pulled
from object_model import Property
from revision_ids import Object

THEIRS, OURS = ("storeTrump", "rollback"), ("objectTrump", "overwrite")


def decided(policy: str, each: Property, base: Object | None, ours: Object, theirs: Object) -> Any:
    """Returns the merged value of a property. Without a base every difference is a change on both sides."""
    name = each.name
    ours_value, theirs_value = ours.get(name), theirs.get(name)
    if policy in ("overwrite", "rollback"):
        return ours_value if policy == "overwrite" else theirs_value
    if base is None:
        return theirs_value if policy == "storeTrump" else ours_value
    if each.is_many:
        return merged_list(base.get(name), ours_value, theirs_value)
    if policy == "storeTrump":
        return theirs_value if differ(theirs_value, base.get(name)) else ours_value
    return ours_value if differ(ours_value, base.get(name)) else theirs_value


def merged(policy: str, found: Member, base: Object | None, ours: Object, theirs: Row) -> Object:
    """Returns the values of an object after a policy. Transient values are kept."""
    values = dict(ours)
    for each in found.entity.stored():
        values[each.name] = decided(policy, each, base, ours, theirs.values)
    return with_lists(found.entity, values)


def settle_conflicts(context: Context, conflicts: list[Conflict | Pulled], policy: str) -> None:
    """Resolves conflicts in the context, and makes inverse relationships consistent."""
    found = [settle(context, each, policy) for each in conflicts]
    restore_all(context, [each for each in found if each is not None])


def settle(context: Context, conflict: Conflict | Pulled, policy: str) -> Merged | None:
    """Resolves a conflict. Returns the sides whose relationships have to be restored."""
    found, theirs = context.members.get(conflict.id), conflict.theirs
    if found is None:
        return None
    ours, base = dict(found.values or {}), found.base
    others = [row.values for row in getattr(conflict, "others", [])] + ([] if base is None else [base])
    sides = Merged(
        found.id, found.entity, None if found.is_deleted else ours, theirs and theirs.values, others
    )
    if isinstance(conflict, Conflict) and context.parent is None:
        context.contexts.learn(found.id, theirs)
    pulled = context.pulled.get(found.id)
    if pulled is not None:
        pulled.is_decided = True
    is_deleted = found.state == "deleted"
    if theirs is None:
        # A fault has no values that could be kept.
        keeps = policy in OURS and context.options["recreatesDeleted"] and found.values is not None
        if is_deleted or not keeps:
            depart(context, found)
            return Merged(found.id, found.entity, ours, None, others)
        recreate(found, pulled)
        return sides
    if is_deleted and policy in OURS:
        found.commit(theirs)
        found.values = dict(found.base or {})
        return None
    if is_deleted:
        values = dict(theirs.values)
    else:
        current = context.read(found.id).values or {}
        is_pull = isinstance(conflict, Pulled)
        known = (None if conflict.common is None else conflict.common.values) if is_pull else base
        values = merged(policy, found, known, current, theirs)
    put_over(found, values, theirs if pulled is None else pulled.kept)
    return sides


def put_over(found: Member, values: Object, row: Row) -> None:
    """Sets the values of an object over committed ones."""
    found.commit(row)
    found.values = with_lists(found.entity, values)
    found.is_inserted = found.is_deleted = found.is_merged = False
    found.is_updated = bool(found.changed())


def depart(context: Context, found: Member) -> None:
    """Removes an object that was deleted, and the references to it."""
    del context.members[found.id]
    if found.id in context.pulled:
        context.pulled[found.id].keep = None
    context.drop_references(found.id)


def recreate(found: Member, pulled: Pulled | None) -> None:
    """Keeps an object that was deleted elsewhere: over the live leaf, or as a new object."""
    if pulled is not None:
        put_over(found, dict(found.values or {}), pulled.kept)
        return
    found.is_inserted, found.is_updated, found.is_temporary = True, False, False
    found.base, found.version, found.rev = None, 0, None
