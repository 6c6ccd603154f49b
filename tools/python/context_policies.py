"""Merge policies, and consistency of inverse relationships after a merge.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

from typing import Any

from context_graph import Context
from context_objects import Member, Row, differ, ids_of, in_order, merged_list, relationships, with_lists
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


def settle(context: Context, found: Member, theirs: Row | None, policy: str) -> list[Object]:
    """Resolves a conflict of a save. Returns the values of the object on all sides."""
    base, ours = found.base or {}, found.values or {}
    if theirs is None:
        makes_anew = policy in OURS and context.options["recreatesDeleted"]
        if found.is_deleted or not makes_anew:
            del context.members[found.id]
        else:
            found.is_inserted, found.is_updated = True, False
            found.base, found.version, found.rev = None, 0, None
        return [base, ours]
    if found.is_deleted and policy in THEIRS:
        found.take(theirs)
        return [base, ours, theirs.values]
    found.commit(theirs)
    if found.is_deleted:
        found.values = dict(found.base or {})
    else:
        found.values = merged(policy, found, base, ours, theirs)
        found.is_updated = bool(found.changed())
    return [base, ours, theirs.values]


# Relationships


def leads(context: Context, identifier: str, name: str, other: str) -> bool:
    """Returns whether an object refers to another one: in this context if it changed, else in the parent."""
    found = context.members.get(identifier)
    if found is not None and found.is_changed:
        return not found.is_deleted and other in ids_of((found.values or {}).get(name))
    if context.parent is not None:
        row = context.parent_row(identifier, anew=False)
    else:
        row = context.contexts.stored_row(identifier)
    return row is not None and other in ids_of(row.values.get(name))


def mend(context: Context, found: Member, sides: list[Object]) -> None:
    """Makes the relationships of an object and their inverses consistent. To-one ends take precedence."""
    if found.id not in context.members:
        leave(context, found.id)
        return
    if found.is_deleted or found.values is None:
        return
    for each in relationships(found.entity):
        if "inverse" not in each.said:
            continue
        other = context.contexts.store.model.entities[each.said["destination"]]
        inverse = other.properties[each.said["inverse"]]
        now = ids_of(found.values.get(each.name))
        every = in_order(now + [end for side in sides for end in ids_of(side.get(each.name))])
        if each.is_many and not inverse.is_many:
            kept = [end for end in every if leads(context, end, inverse.name, found.id)]
            if kept != now:
                context.put(found, each.name, kept)
            continue
        for end in every:
            if end not in now:
                context.unlink(end, inverse.name, found.id)
                continue
            other_end = context.member(end)
            if other_end is None or other_end.is_deleted:
                now.remove(end)
                context.put(found, each.name, now if each.is_many else None)
                continue
            if not each.is_many and not inverse.is_many and is_taken(context, end, inverse.name, each, found):
                context.put(found, each.name, None)
                continue
            context.link(end, inverse.name, found.id)


def leave(context: Context, gone: str) -> None:
    """Removes references to an object that left the context from changed objects."""
    for found in context.changes():
        if found.is_deleted:
            continue
        for each in relationships(found.entity):
            ends = ids_of((found.values or {}).get(each.name))
            if gone in ends:
                ends.remove(gone)
                context.put(found, each.name, ends if each.is_many else None)


def is_taken(context: Context, end: str, inverse: str, each: Property, found: Member) -> bool:
    """Returns whether the object at the other end of a pair has another partner that refers back to it."""
    other = context.member(end)
    partners = ids_of((other.values or {}).get(inverse)) if other is not None else []
    return any(name != found.id and leads(context, name, each.name, end) for name in partners)
