"""Consistency of inverse relationships after a merge or a policy.

Follows `Vectors/README.md`, "Contexts"; written with the bundled contexts at hand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from context_objects import ids_of, in_order, relationships
from object_model import Entity
from revision_ids import Object


@dataclass
class Merged:
    """An object that was merged from several sides, with their values; None for a deleted side."""

    id: str
    entity: Entity
    ours: Object | None
    theirs: Object | None
    others: list[Object] = field(default_factory=list)

    def ends(self, name: str) -> list[str]:
        """Returns the objects to which a relationship refers on any side."""
        sides = [side for side in (self.ours, self.theirs, *self.others) if side is not None]
        return [end for side in sides for end in ids_of(side.get(name))]


def inverse_rule(context: Any, each: Any) -> str | None:
    """Returns the delete rule at the other end of a relationship; None without an inverse."""
    entities = context.contexts.store.model.entities
    found = entities[each.said["destination"]].properties.get(each.said.get("inverse", ""))
    return None if found is None else found.said.get("delete", "nullify")


def restore_all(context: Any, merged: list[Merged]) -> None:
    """Makes the relationships of merged objects consistent, and then those of all that the save writes."""
    for each in merged:
        restore(context, each)
    for each in [each for each in context.changes() if not each.is_deleted]:
        if each.id in context.members:
            saved = Merged(each.id, each.entity, dict(each.values or {}), each.base)
            restore(context, saved, yields=True)


def restore(context: Any, merged: Merged, keeps_missing: bool = False, yields: bool = False) -> None:
    """Makes the relationships of an object consistent. To-one ends decide over lists, and it over others.

    With `yields` a changed to-one end decides over an unchanged end of the object.
    """
    found = context.members.get(merged.id)
    if found is None:
        leave(context, merged)
        return
    if found.is_deleted or found.values is None:
        return
    for each in relationships(found.entity):
        if "inverse" not in each.said:
            continue
        entity = context.contexts.store.model.entities[each.said["destination"]]
        inverse = entity.properties[each.said["inverse"]]
        # It may have been found to be gone.
        current = context.members.get(merged.id)
        now = [] if current is None else ids_of((current.values or {}).get(each.name))
        for end in in_order(now + merged.ends(each.name)):
            context.bring_up_to_date(end)
            other = context.members.get(end)
            if other is None or other.is_deleted or other.values is None:
                if inverse.said.get("delete", "nullify") != "noAction" and not keeps_missing:
                    context.release(found, each.name, end)
                continue
            refers_back = merged.id in ids_of(other.values.get(inverse.name))
            if (end in now) == refers_back:
                continue
            if is_half(context, merged.id, each.name, end, inverse.name, refers_back):
                continue
            if each.is_many and not inverse.is_many:
                ends = [one for one in ids_of((found.values or {}).get(each.name)) if one != end]
                context.put(found, each.name, in_order([*ends, end] if refers_back else ends))
            elif yields and not refers_back and not inverse.is_many and inverse.name in other.changed() and (
                each.name not in found.changed()
            ):
                context.release(found, each.name, end)
            elif refers_back:
                context.unlink(end, inverse.name, merged.id)
            else:
                context.link(end, inverse.name, merged.id)


def leave(context: Any, merged: Merged) -> None:
    """Removes the references to an object that left the context."""
    if merged.ours is None:
        return
    for each in relationships(merged.entity):
        if each.said.get("delete", "nullify") == "noAction":
            continue
        sides = [merged.ours, *merged.others]
        for end in in_order([end for side in sides for end in ids_of(side.get(each.name))]):
            context.bring_up_to_date(end)
            if "inverse" in each.said:
                context.unlink(end, each.said["inverse"], merged.id)


def is_half(context: Any, identifier: str, name: str, end: str, inverse: str, refers_back: bool) -> bool:
    """Returns whether two objects disagree in the store as here, because one arrived without the other."""
    contexts = context.contexts
    above = context
    while above is not None:
        if above.is_decided(identifier) or above.is_decided(end):
            return False
        above = above.parent
    if contexts.repairs.is_needed(identifier, end):
        return False
    row, other = contexts.stored_row(identifier), contexts.stored_row(end)
    if row is None or other is None:
        return False
    refers = end in ids_of(row.values.get(name))
    return refers != refers_back and (identifier in ids_of(other.values.get(inverse))) == refers_back
