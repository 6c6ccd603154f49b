"""Saving objects to collections, and the offline queue. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import copy
import uuid
from typing import Any

from collection_client import Client, Entry, Waiting, is_new
from collection_mapping import Collection, Thing
from collection_problems import QUEUED_AFTER, Problem, Response, problem
from revision_ids import Object


class Node:
    """An object of a save."""

    def __init__(self, thing: Thing, collection: str, index: int | None) -> None:
        self.thing, self.collection, self.index = thing, collection, index
        # The ends of each relation: ids or nodes.
        self.ends: dict[str, list[Any]] = {}
        self.is_new = thing.id is None
        self.is_done = False
        self.is_queued = False
        self.is_partial = False
        # The ends that get their ids later, because they are in a cycle.
        self.cut: list[Node] = []
        self.problem: Problem | None = None

    def new_ends(self) -> list[Node]:
        """Returns the new objects to which this one refers."""
        return [end for ends in self.ends.values() for end in ends if isinstance(end, Node) and end.is_new]


class Saving:
    """One call of `saveToCollection`."""

    def __init__(self, client: Client, collection: str, objects: list[Thing]) -> None:
        self.client = client
        self.nodes: list[Node] = []
        self.tags: dict[str, Node] = {}
        self.top = [self.add(thing, collection, place) for place, thing in enumerate(objects)]
        for node in self.nodes:
            self.link(node)
        self.order: list[Node] = []
        self.queued: list[str] = []
        for node in self.top:
            self.visit(node, ())

    # The graph of objects

    def add(self, thing: Thing, collection: str, index: int | None) -> Node:
        """Adds an object and the new objects to which it refers."""
        node = Node(thing, collection, index)
        if thing.id is not None:
            thing.id = self.client.permanent(thing.id)
        self.nodes.append(node)
        if thing.tag is not None:
            self.tags.setdefault(thing.tag, node)
        opened = self.client.collections.get(collection)
        for name, ends in thing.related.items():
            reference = opened.relation(name) if opened is not None else None
            target = "" if reference is None else reference.collection
            node.ends[name] = [
                self.add(end, target, None) if isinstance(end, Thing) and end.id is None and not is_tag(end) else end
                for end in ends
            ]
        return node

    def link(self, node: Node) -> None:
        """Replaces tags by the objects that have them."""
        for name, ends in node.ends.items():
            for place, end in enumerate(ends):
                if isinstance(end, Thing) and end.id is not None:
                    ends[place] = end.id
                elif isinstance(end, Thing):
                    found = self.tags.get(end.tag or "")
                    if found is None:
                        node.problem = problem("noSuchTag", end.tag)
                    ends[place] = found

    def visit(self, node: Node, above: tuple[Node, ...]) -> None:
        """Adds a node to the order, after the new objects to which it refers. A cycle is cut at its last reference."""
        if node in self.order:
            return
        for end in node.new_ends():
            if end in above or end is node:
                node.is_partial = True
                node.cut.append(end)
            else:
                self.visit(end, (*above, node))
        self.order.append(node)

    # Running

    def run(self) -> None:
        """Saves all objects and calls back."""
        if not self.nodes:
            self.client.advance(1, 1)
        for node in self.nodes:
            if node.collection not in self.client.collections:
                node.problem = problem("noSuchCollection", node.collection)
        while True:
            self.fail_dependents()
            waiting = [node for node in self.order if not node.is_done and node.problem is None]
            if not waiting:
                break
            for node in waiting:
                if all(end.thing.id is not None or end in node.cut for end in node.new_ends()):
                    self.save(node)
                    break
        for node in self.order:
            if node.is_partial and node.problem is None:
                self.save(node)
        self.tell()

    def fail_dependents(self) -> None:
        """Fails objects that refer to an object that failed."""
        has_changed = True
        while has_changed:
            has_changed = False
            for node in self.nodes:
                failed = [end for end in node.new_ends() if end.problem is not None and not end.is_queued]
                if node.problem is None and not node.is_done and failed:
                    node.problem, has_changed = problem("relatedFailed"), True

    def ids(self, node: Node) -> dict[str, list[str]]:
        """Returns the ids of the related objects that have one."""
        found = {}
        for name, ends in node.ends.items():
            ids = [end.thing.id if isinstance(end, Node) else end for end in ends]
            found[name] = [self.client.permanent(each) for each in ids if each is not None]
        return found

    def save(self, node: Node) -> None:
        """Saves one object, or queues it."""
        client, thing, collection = self.client, node.thing, self.client.collections[node.collection]
        ids = self.ids(node)
        node.is_partial = any(end.thing.id is None for end in node.new_ends())
        node.is_done = True
        if any(is_new(each) for every in ids.values() for each in every):
            node.problem = problem("mustWait")
            self.enqueue(node, ids)
            return
        if thing.id is None and collection.ids == "client":
            thing.id = uuid.uuid4().hex
        response = save_entity(client, collection, thing, ids)
        if response.is_success:
            client.keep(node.collection, response.content[0])
            thing.id = response.content[0]["_id"]
        else:
            node.problem = response.problem
            if response.failure in QUEUED_AFTER:
                self.enqueue(node, ids)
        done = len([each for each in self.nodes if each.is_done])
        client.advance(done, len(self.nodes))

    def enqueue(self, node: Node, ids: dict[str, list[str]]) -> None:
        """Queues the save of an object, if that is allowed."""
        client, thing, collection = self.client, node.thing, self.client.collections[node.collection]
        if not collection.is_offline:
            return
        identifier = thing.id if thing.id is not None else f"temp_{uuid.uuid4().hex}"
        waiting = Waiting(node.collection, identifier)
        if collection.declines("declinesQueueing", "save", identifier):
            client.note("declined", waiting)
            return
        thing.id, node.is_queued = identifier, True
        waiting.thing = Thing(identifier, None, copy.deepcopy(thing.values), dict(ids), copy.deepcopy(thing.unknown))
        put(client, waiting)
        self.queued.append(identifier)
        client.note("queued", waiting)

    def tell(self) -> None:
        """Calls back with the saved objects, or with the problem."""
        failed = [node for node in self.nodes if node.problem is not None]
        if not failed:
            self.client.call_back({"objects": [node.thing.json() for node in self.top]})
            return
        first = copy.copy(failed[0].problem)
        assert first is not None
        opened = self.client.collections.get(self.top[0].collection)
        if opened is not None and opened.options["tellsOneError"]:
            self.client.call_back(first)
            return
        first.failures = [
            node.problem.of_object(node.collection, node.thing.id, node.index) for node in failed if node.problem
        ]
        first.succeeded = [node.thing.json() for node in self.nodes if node.problem is None]
        first.queued = self.queued
        self.client.call_back(first)


def is_tag(end: Thing) -> bool:
    """Returns whether an end of a relation is only the tag of an object."""
    return end.tag is not None and not end.values and not end.related and not end.unknown


def save_entity(client: Client, collection: Collection, thing: Thing, ids: dict[str, list[str]]) -> Response:
    """Sends the request that saves an object."""
    entity = collection.entity(thing, ids)
    if thing.id is None or is_new(thing.id):
        return client.send("POST", collection.name, body=entity)
    return client.send("PUT", collection.name, thing.id, body=entity | {"_id": thing.id})


# The queue


def put(client: Client, waiting: Waiting) -> None:
    """Adds an operation at the end of the queue, instead of an earlier one on the object. Updates the cache."""
    withdraw(client, waiting.collection, waiting.id)
    if waiting.thing is None:
        client.forget(waiting.collection, waiting.id)
    else:
        collection = client.collections[waiting.collection]
        entity = collection.entity(waiting.thing, waiting.thing.related) | {"_id": waiting.id}
        client.entries[waiting.collection, waiting.id] = Entry(entity)
    client.queue.append(waiting)


def withdraw(client: Client, collection: str, identifier: str) -> Waiting | None:
    """Removes the operation on an object from the queue, and returns it."""
    found = client.waiting(collection, identifier)
    if found is not None:
        client.queue.remove(found)
    return found


def drain(client: Client) -> None:
    """Tries each queued operation once."""
    for waiting in list(client.queue):
        if waiting not in client.queue:
            continue
        collection = client.collections[waiting.collection]
        if collection.declines("declinesSending", waiting.operation, waiting.id):
            client.queue.remove(waiting)
            client.note("dropped", waiting)
            continue
        client.note("sending", waiting)
        assigned = attempt(client, collection, waiting)
        client.queue.remove(waiting)
        if assigned is None:
            client.queue.append(waiting)
            client.note("putBack", waiting)
        else:
            client.note("done", waiting, assigned or None)


def attempt(client: Client, collection: Collection, waiting: Waiting) -> str | None:
    """Sends a queued operation. Returns the id that a new object got, "" for others, or None if it failed."""
    if waiting.thing is None:
        response = client.send("DELETE", waiting.collection, waiting.id)
        return "" if response.is_success or response.status == 404 else None
    ids = {name: list(map(client.permanent, ends)) for name, ends in waiting.thing.related.items()}
    if any(is_new(each) for every in ids.values() for each in every):
        return None
    response = save_entity(client, collection, waiting.thing, ids)
    if not response.is_success:
        return None
    entity: Object = response.content[0]
    client.entries.pop((waiting.collection, waiting.id), None)
    client.entries[waiting.collection, entity["_id"]] = Entry(entity)
    if entity["_id"] == waiting.id:
        return ""
    client.assigned[waiting.id] = entity["_id"]
    return entity["_id"]
