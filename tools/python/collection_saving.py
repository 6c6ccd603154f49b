"""Saving objects to collections. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import copy
import uuid
from typing import Any

from collection_client import Client, Task, is_new
from collection_mapping import Collection, Thing, is_tag
from collection_problems import QUEUED_AFTER, Problem, Response, problem
from collection_queue import Waiting, enqueue, withdraw
from revision_ids import Object

IDS = dict[str, list[str]]


class Node:
    """An object of a save."""

    def __init__(self, thing: Thing, collection: str, index: int | None) -> None:
        self.thing, self.collection, self.index = thing, collection, index
        # The ends of each relation: ids, nodes, or tags as things.
        self.ends: dict[str, list[Any]] = {}
        # `waiting`, `sent`, `saved`, `queued` or `failed`.
        self.state = "waiting"
        # The objects that must be saved before this one.
        self.needs: list[Node] = []
        # Whether it was saved without all of its references.
        self.is_partial = False
        self.problem: Problem | None = None

    @property
    def is_finished(self) -> bool:
        """Returns whether nothing else happens to it, unless it is saved again."""
        return self.state not in ("waiting", "sent")

    def objects(self) -> list[Node]:
        """Returns the objects of the call to which this one refers, with its relations in byte order."""
        return [end for ends in self.ends.values() for end in ends if isinstance(end, Node)]


class Saving:
    """One call of `saveToCollection`."""

    def __init__(self, client: Client, collection: str, objects: list[Thing]) -> None:
        self.client = client
        self.nodes: list[Node] = []
        # What tags stand for: nodes, or ids of objects that are only referred to.
        self.tags: dict[str, Node | str] = {}
        # An unknown tag or collection.
        self.missing: Problem | None = None
        # The problem of the call, at its end.
        self.problem: Problem | None = None
        self.is_again = False
        self.done = 0
        self.top = [self.add_top(thing, collection, place) for place, thing in enumerate(objects)]
        for node in self.nodes:
            names = sorted(node.ends, key=str.encode)
            node.ends = {name: [self.end_of(end) for end in node.ends[name]] for name in names}
        self.order: list[Node] = []
        for node in self.nodes:
            self.visit(node, set())
        for place, node in enumerate(self.order):
            node.needs = [each for each in node.objects() if each in self.order[:place]]

    # The graph of objects

    def add_top(self, thing: Thing, collection: str, place: int) -> Node:
        """Adds an object of the call. One with the tag of an earlier one is that one."""
        known = self.tags.get(thing.tag) if thing.tag is not None else None
        if not isinstance(known, Node):
            return self.add(thing, collection, place)
        known.index = place if known.index is None else known.index
        return known

    def add(self, thing: Thing, collection: str, index: int | None) -> Node:
        """Adds an object and the new objects to which it refers."""
        node = Node(thing, collection, index)
        self.nodes.append(node)
        if thing.tag is not None:
            self.tags[thing.tag] = node
        opened = self.client.collections.get(collection)
        if opened is None:
            self.missing = self.missing or problem("noSuchCollection", collection)
            return node
        for reference in opened.references.values():
            ends = thing.related.get(reference.relation, [])
            node.ends[reference.relation] = [self.linked(end, reference.collection) for end in ends]
        return node

    def linked(self, end: Any, collection: str) -> Any:
        """Returns an end of a relation: an id, a node, or the tag of an object."""
        if not isinstance(end, Thing) or is_tag(end) or end.tag in self.tags:
            return end
        if end.id is None:
            return self.add(end, collection, None)
        if end.tag is not None:
            self.tags[end.tag] = end.id
        return end.id

    def end_of(self, end: Any) -> Any:
        """Returns what a tag stands for."""
        if not isinstance(end, Thing):
            return end
        found = self.tags.get(end.tag or "")
        if found is None:
            self.missing = self.missing or problem("noSuchTag", end.tag)
        return found

    def visit(self, node: Node, met: set[int]) -> None:
        """Adds a node to the order, after the objects to which it refers as far as there is no cycle."""
        if node in self.order or id(node) in met:
            return
        met.add(id(node))
        for end in node.objects():
            self.visit(end, met)
        self.order.append(node)

    # Running

    def run(self) -> Task[None]:
        """Begins to save the objects."""
        if self.missing is not None:
            self.client.call_back(self.missing)
            return
        self.client.total = max(len(self.nodes), 1)
        for node in self.nodes:
            if node.thing.id is not None:
                node.thing.id = self.client.permanent(node.collection, node.thing.id)
            elif self.client.collections[node.collection].ids == "client":
                node.thing.id = uuid.uuid4().hex[:24]
        self.proceed()
        return
        yield

    def proceed(self) -> None:
        """Begins to save all objects that do not wait for others, and calls back at the end."""
        for node in self.order:
            if node.state != "waiting" or not all(each.is_finished for each in node.needs):
                continue
            if any(each.state == "failed" for each in node.needs):
                node.problem = problem("relatedFailed")
                self.finish(node, "failed")
            else:
                self.client.start(self.save(node))
        is_finished = all(node.is_finished for node in self.order)
        if is_finished and not self.is_again:
            self.is_again = True
            for node in self.order:
                if node.is_partial and node.state == "saved":
                    self.client.start(self.save(node))
            is_finished = all(node.is_finished for node in self.order)
        if is_finished:
            self.tell()

    def ids(self, node: Node, collection: Collection) -> IDS:
        """Returns the ids of the related objects that have one."""
        found, node.is_partial = {}, False
        for reference in collection.references.values():
            ends = node.ends.get(reference.relation, [])
            ids = [end.thing.id if isinstance(end, Node) else end for end in ends]
            node.is_partial = node.is_partial or None in ids
            named = [self.client.permanent(reference.collection, each) for each in ids if each is not None]
            found[reference.relation] = list(dict.fromkeys(named))
        return found

    def save(self, node: Node) -> Task[None]:
        """Saves one object, or queues it."""
        client, thing, collection = self.client, node.thing, self.client.collections[node.collection]
        ids, key = self.ids(node, collection), (node.collection, thing.id or "")
        is_sending = client.sending is not None and client.sending.key == key
        if is_sending or any(is_new(each) for every in ids.values() for each in every):
            self.wait(node, ids, problem("mustWait"))
            return
        node.state, replaced = "sent", client.waiting(*key)
        token = client.saving[key] = object()
        response = yield from save_entity(client, node.collection, thing.id, collection.entity(thing, ids))
        is_latest = client.saving.get(key) is token or thing.id is None
        if is_latest:
            client.saving.pop(key, None)
        if response.is_success:
            self.saved(node, ids, response, is_latest, replaced)
        elif response.failure in QUEUED_AFTER and is_latest:
            self.wait(node, ids, response.problem)
        else:
            node.problem = response.problem
            self.finish(node, "failed")
        self.proceed()

    def saved(self, node: Node, ids: IDS, response: Response, is_latest: bool, replaced: Waiting | None) -> None:
        """Records that the backend has an object."""
        client, thing, collection = self.client, node.thing, self.client.collections[node.collection]
        former, thing.id = thing.id, response.content[0]["_id"]
        if former is not None:
            if replaced is not None and client.waiting(node.collection, former) is replaced:
                withdraw(client, node.collection, former)
            if former != thing.id:
                client.assign(node.collection, former, thing.id)
        if is_latest and client.waiting(node.collection, thing.id) is None:
            client.remember(collection, collection.entity(thing, ids) | {"_id": thing.id})
        self.finish(node, "saved")

    def wait(self, node: Node, ids: IDS, reason: Problem) -> None:
        """Queues the save of an object, if that is allowed."""
        thing, node.problem = node.thing, reason
        collection = self.client.collections[node.collection]
        identifier = enqueue(self.client, collection, thing.id, collection.entity(thing, ids))
        if identifier is not None:
            thing.id = identifier
        self.finish(node, "failed" if identifier is None else "queued")

    def finish(self, node: Node, state: str) -> None:
        """Sets the last state of an object."""
        node.state = state
        if not self.is_again:
            self.done += 1
            self.client.advance(self.done, len(self.nodes))

    def tell(self) -> None:
        """Calls back with the saved objects, or with the problem."""
        every = [*dict.fromkeys(self.top), *(node for node in self.order if node.index is None)]
        failed = [node for node in every if node.problem is not None and node.state != "saved"]
        if not failed or failed[0].problem is None:
            self.client.call_back({"objects": [node.thing.json() for node in self.top]})
            return
        first = copy.copy(failed[0].problem)
        first.queued = [str(node.thing.id) for node in self.order if node.state == "queued"]
        if not any(self.client.collections[node.collection].options["tellsOneError"] for node in failed):
            first.failures = [
                node.problem.of_object(node.collection, node.thing.id, node.index)
                for node in failed if node.problem is not None
            ]  # fmt: skip
            first.succeeded = [node.thing.json() for node in self.top if node.state == "saved"]
        self.problem = first
        self.client.call_back(first)


def save_entity(client: Client, collection: str, identifier: str | None, entity: Object) -> Task[Response]:
    """Sends the request that saves an entity. The backend makes the id of a new one."""
    if identifier is None or is_new(identifier):
        body = {name: value for name, value in entity.items() if name != "_id"}
        return (yield from client.send("POST", collection, body=body))
    return (yield from client.send("PUT", collection, identifier, body=entity | {"_id": identifier}))
