"""Uniqueness constraints of objects.

Written from `Vectors/README.md`, "Contexts".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from context_graph import Context
from context_objects import Member, ids_of, in_order, relationships
from context_policies import OURS
from object_fetching import sort_rank
from object_model import Entity, Property
from revision_ids import Object


@dataclass
class Collision:
    """Objects of a context with equal values of a constraint, and the stored object with these values."""

    entity: Entity
    attributes: list[str]
    objects: list[str]
    row: str | None

    def json(self) -> Object:
        """Returns the JSON form for results."""
        told = {"entity": self.entity.name, "attributes": self.attributes, "objects": self.objects}
        return told | ({} if self.row is None else {"row": self.row})


def key_of(values: Object, attributes: list[str]) -> Any:
    """Returns the values of a constraint as a key; None if one of them is nil."""
    key = tuple(values.get(name) for name in attributes)
    return None if None in key else tuple(map(sort_rank, key))


def collisions(context: Context) -> list[Collision]:
    """Returns the constraints that a save would violate."""
    found = []
    changes = [each for each in context.changes() if not each.is_deleted]
    touched = {each.id for each in context.changes()}
    for entity in context.contexts.store.model.entities.values():
        mine = [each for each in changes if each.entity is entity]
        if not entity.unique or not mine:
            continue
        rows = context.contexts.store.objects(context.contexts.database, entity.name)
        others = [rows[name] for name in in_order(rows) if not (name in touched or context.is_dropped(name))]
        for attributes in entity.unique:
            together: dict[Any, list[str]] = {}
            for each in mine:
                together.setdefault(key_of(each.values or {}, attributes), []).append(each.id)
            taken: dict[Any, str] = {}
            for row in others:
                if row.entity == entity.name:
                    taken.setdefault(key_of(row.values, attributes), row.id)
            for key, objects in together.items():
                if key is not None and (len(objects) > 1 or key in taken):
                    found.append(Collision(entity, attributes, objects, taken.get(key)))
    return found


def settle_collision(context: Context, collision: Collision, policy: str) -> None:
    """Keeps one of the objects, a stored one if possible, and redirects references to the others to it.

    Under storeTrump and rollback, other stored objects remain and lose their change.
    """
    members = context.members
    objects = [
        name for name in collision.objects if name in members and members[name].state != "deleted"
        and members[name].values is not None
    ]  # fmt: skip
    if not objects:
        return
    row = collision.row
    if row in members and members[row].state == "deleted":
        row = None
    stored = [name for name in objects if not members[name].is_inserted]
    left = context.read(row or (stored or objects)[0])
    # It is still in the store, although another context reported its deletion.
    left.is_deleted = left.is_merged = False
    for name in objects:
        found = context.members[name]
        if found is left:
            continue
        if found.is_inserted or policy in OURS:
            replace(context, found, left, policy)
            continue
        # A stored object remains, with its committed values of the constraint.
        for each in collision.attributes:
            context.put(found, each, (found.base or {}).get(each))


def replace(context: Context, loser: Member, left: Member, policy: str) -> None:
    """Deletes an object, and redirects references to it to another one."""
    takes_values = policy in OURS
    values = dict(loser.values or {})
    if takes_values:
        for described in left.entity.properties.values():
            if not described.is_relationship and described.type_name != "id":
                context.put(left, described.name, values.get(described.name))
    for each in relationships(loser.entity):
        for end in ids_of(values.get(each.name)):
            if "inverse" in each.said:
                context.unlink(end, each.said["inverse"], loser.id)
            # The kept object keeps its own to-one relationships.
            if takes_values or each.is_many:
                add(context, left, each, left.id if end == loser.id else end)
        # No delete rule applies to the redirected references.
        loser.values = (loser.values or {}) | {each.name: [] if each.is_many else None}
    if loser.is_inserted:
        del context.members[loser.id]
    else:
        loser.is_deleted = True


def add(context: Context, left: Member, each: Property, end: str) -> None:
    """Adds a reference to an object."""
    ends = ids_of((left.values or {}).get(each.name))
    if end not in ends:
        context.assign(left, each.name, [*ends, end] if each.is_many else end)
