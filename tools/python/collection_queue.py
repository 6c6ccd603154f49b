"""The offline queue of a client of collections. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import copy
import uuid
from dataclasses import dataclass
from typing import Any

from collection_mapping import Collection
from revision_ids import Object


@dataclass(eq=False)
class Waiting:
    """An operation in the queue: the save of an entity, or a removal if there is no entity."""

    collection: str
    id: str
    entity: Object | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Returns what the operation is on."""
        return self.collection, self.id

    @property
    def operation(self) -> str:
        """Returns the name of the operation."""
        return "remove" if self.entity is None else "save"


def enqueue(client: Any, collection: Collection, identifier: str | None, entity: Object) -> str | None:
    """Queues the save of an entity, and returns its id; None if it may not be queued."""
    if not collection.is_offline:
        return None
    identifier = f"temp_{uuid.uuid4().hex[:24]}" if identifier is None else identifier
    waiting = Waiting(collection.name, identifier)
    if collection.declines("declinesQueueing", "save", identifier):
        client.note("declined", waiting)
        return None
    waiting.entity = copy.deepcopy(entity) | {"_id": identifier}
    client.remember(collection, waiting.entity)
    put(client, waiting)
    client.note("queued", waiting)
    return identifier


def enqueue_removal(client: Any, collection: Collection, identifier: str) -> bool:
    """Queues the removal of an object, and returns whether that is allowed."""
    waiting = Waiting(collection.name, identifier)
    if collection.declines("declinesQueueing", "remove", identifier):
        client.note("declined", waiting)
        return False
    put(client, waiting)
    client.forget(collection.name, identifier)
    client.note("queued", waiting)
    return True


def put(client: Any, waiting: Waiting) -> None:
    """Adds an operation at the end of the queue, instead of an earlier one on the object."""
    withdraw(client, *waiting.key)
    client.queue.append(waiting)


def withdraw(client: Any, collection: str, identifier: str) -> Waiting | None:
    """Removes the operation on an object from the queue, and returns it."""
    found: Waiting | None = client.waiting(collection, identifier)
    if found is not None:
        client.queue.remove(found)
    return found
