"""Removing entities of collections. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import copy
from typing import Any

from collection_client import Client, Request, Task, is_new
from collection_mapping import ID, Collection, Thing
from collection_problems import QUEUED_AFTER, Problem, Response, problem
from collection_queries import Query
from collection_queue import enqueue_removal, withdraw
from collection_relations import by_ids, ordered
from revision_ids import Object

RULES = ("only", "nilling", "cascading")
BATCH = 100
Key = tuple[str, str]


class Removal:
    """One call of `removeFromCollection`."""

    def __init__(self, client: Client, collection: Collection, rule: str) -> None:
        self.client, self.collection, self.rule = client, collection, rule
        # The objects of the call; None for ids or a query.
        self.things: list[Thing] | None = None
        self.ids: list[str] = []
        self.count = 0
        self.removed: set[str] = set()
        self.failures: list[Object] = []
        self.queued: list[str] = []
        self.problem: Problem | None = None
        # Everything that is removed, and the references to the next level of a cascade.
        self.met: set[Key] = set()
        self.front: list[tuple[str, Object]] = []

    # The targets

    def run(self, things: list[Thing]) -> Task[None]:
        """Removes objects."""
        missing = [place for place, thing in enumerate(things) if thing.id is None]
        if missing:
            failed = problem("withoutID")
            failed.failures = [failed.of_object(self.collection.name, None, place) for place in missing]
            self.client.call_back(failed)
            return
        self.things = things
        if self.rule == "cascading":
            self.front = [(self.collection.name, self.as_entity(thing)) for thing in things]
        yield from self.remove([str(thing.id) for thing in things])

    def run_query(self, query: Query) -> Task[None]:
        """Removes what a query selects."""
        client, name = self.client, self.collection.name
        if self.rule == "only":
            response = yield from client.send("DELETE", name, parameters={"query": query.filter})
            client.call_back({"count": response.content} if response.is_success else response.problem)
            return
        response = yield from client.send("GET", name, parameters=query.conditions_only())
        if not response.is_success:
            client.call_back(response.problem)
            return
        if self.rule == "cascading":
            self.front = [(name, entity) for entity in response.content]
        yield from self.remove([entity[ID] for entity in response.content])

    def as_entity(self, thing: Thing) -> Object:
        """Returns the entity of an object of the call."""
        ids = {}
        for name, ends in thing.related.items():
            ids[name] = [each for each in (end.id if isinstance(end, Thing) else end for end in ends) if each]
        return self.collection.entity(thing, ids)

    # The steps

    def remove(self, ids: list[str]) -> Task[None]:
        """Removes objects, after what the rule removes or changes before."""
        name = self.collection.name
        self.ids = list(dict.fromkeys(self.client.permanent(name, each) for each in ids))
        self.met = {(name, each) for each in self.ids}
        batch = self.collection.options["removalBatch"]
        self.total = -(-len(self.ids) // batch) + (0 if self.rule == "only" or not self.ids else 2)
        self.client.total = max(self.total, 1)
        if self.ids and self.rule == "nilling":
            yield from self.release_owners()
        elif self.ids and self.rule == "cascading":
            yield from self.cascade()
        if self.problem is not None:
            self.client.call_back(self.problem)
            return
        if self.rule != "only" and self.ids:
            self.client.advance(2, self.total)
        self.done = 0 if self.rule == "only" else 2
        for each in filter(is_new, self.ids):
            withdrawn = self.client.waiting(name, each)
            if withdrawn is not None:
                self.client.note("dropped", withdrawn)
            self.count += 1
            self.forget(each)
        permanent = [each for each in self.ids if not is_new(each)]
        parts = [permanent[begin : begin + batch] for begin in range(0, len(permanent), batch)]
        self.left = len(parts)
        if parts:
            yield [(deletion(name, part), self.handler(part)) for part in parts]
        self.conclude()

    def handler(self, ids: list[str]) -> Any:
        """Returns what follows the response to the removal of a batch."""

        def handle(response: Response) -> None:
            if response.is_success:
                self.count += response.content
                for each in ids:
                    self.forget(each)
            else:
                self.fail(ids, response)
            self.done, self.left = self.done + 1, self.left - 1
            # The last step is the end of the call.
            if self.left > 0:
                self.client.advance(self.done, self.total)

        return handle

    def forget(self, identifier: str) -> None:
        """Records a removed object."""
        self.removed.add(identifier)
        withdraw(self.client, self.collection.name, identifier)
        self.client.forget(self.collection.name, identifier)

    def fail(self, ids: list[str], response: Response) -> None:
        """Records objects that were not removed, and queues their removals."""
        self.problem = self.problem or response.problem
        if response.failure in QUEUED_AFTER and self.collection.is_offline:
            self.queued += [each for each in ids if enqueue_removal(self.client, self.collection, each)]
        for each in ids:
            places = [place for place, thing in enumerate(self.things or []) if self.id_of(thing) == each]
            place = places[0] if places else None
            self.failures.append(response.problem.of_object(self.collection.name, each, place))

    def id_of(self, thing: Thing) -> str:
        """Returns the permanent id of an object."""
        return self.client.permanent(self.collection.name, str(thing.id))

    def conclude(self) -> None:
        """Calls back with the removed objects or their number, or with the problem."""
        for thing in self.things or []:
            thing.deleted = self.id_of(thing) in self.removed
        shown = [thing.json() for thing in self.things or []]
        if self.problem is None:
            self.client.call_back({"count": self.count} if self.things is None else {"objects": shown})
            return
        told = copy.copy(self.problem)
        told.queued = self.queued
        if not self.collection.options["tellsOneError"]:
            told.failures = self.failures
            told.succeeded = [each for each in shown if each.get("deleted")]
        self.client.call_back(told)

    # Objects that refer to the removed ones

    def release_owners(self) -> Task[None]:
        """Removes the ids from the entities that refer to the objects."""
        client, found = self.client, []
        requests = []
        for owner in client.collections.values():
            fields = [each for each in owner.references.values() if each.collection == self.collection.name]
            parts = [{each.field: {"$in": [each.stored(name) for name in self.ids]}} for each in fields]
            if parts:
                said = parts[0] if len(parts) == 1 else {"$or": parts}
                collect = lambda response, owner=owner: self.collect(  # noqa: E731
                    response, lambda entities: found.extend((owner, entity) for entity in entities)
                )
                requests.append((Request("GET", owner.name, None, {"query": said}, None), collect))
        if requests:
            yield requests
        if self.problem is not None:
            return
        if requests:
            client.advance(1, self.total)
        changes = [self.release(owner, entity) for owner, entity in found if (owner.name, entity[ID]) not in self.met]
        if changes:
            yield changes

    def release(self, owner: Collection, entity: Object) -> tuple[Request, Any]:
        """Returns the request that saves an entity without references to the objects."""
        changed = dict(entity)
        for reference in owner.references.values():
            value = entity.get(reference.field)
            if reference.collection != self.collection.name or value is None:
                continue
            if isinstance(value, list):
                changed[reference.field] = [each for each in value if reference.own_id(each) not in self.ids]
            elif reference.own_id(value) in self.ids:
                del changed[reference.field]

        def handle(response: Response) -> None:
            if response.is_success:
                self.client.remember(owner, changed)
            else:
                self.problem = self.problem or response.problem

        return Request("PUT", owner.name, entity[ID], {}, changed), handle

    def collect(self, response: Response, use: Any) -> None:
        """Uses the entities of a response, or records its problem."""
        if response.is_success:
            use(response.content)
        else:
            self.problem = self.problem or response.problem

    # Objects to which the removed ones refer

    def cascading(self, name: str) -> bool:
        """Returns whether references of a collection cascade."""
        opened = self.client.collections.get(name)
        return opened is not None and any(each.cascades for each in opened.references.values())

    def cascade(self) -> Task[None]:
        """Removes the targets of references that cascade, the farthest first."""
        if not self.front and self.cascading(self.collection.name):
            yield from self.read({self.collection.name: self.ids})
        levels: list[dict[str, list[str]]] = []
        while self.problem is None:
            level = self.next_level()
            levels += [level] if level else []
            further = {name: ids for name, ids in level.items() if self.cascading(name)}
            if not further:
                break
            yield from self.read(further)
        if self.problem is not None:
            return
        self.client.advance(1, self.total)
        for level in reversed(levels):
            requests = []
            for name, ids in level.items():
                opened = self.client.collections.get(name)
                batch = BATCH if opened is None else opened.options["removalBatch"]
                for begin in range(0, len(ids), batch):
                    part = ids[begin : begin + batch]
                    requests.append((deletion(name, part), self.target_handler(name, part)))
            yield requests
            if self.problem is not None:
                return

    def read(self, groups: dict[str, list[str]]) -> Task[None]:
        """Reads the references of some entities."""
        requests = []
        for name, ids in groups.items():
            collect = lambda response, name=name, ids=ids: self.collect(  # noqa: E731
                response,
                lambda entities: self.front.extend((name, entity) for entity in ordered(entities, ids)),
            )
            requests.append((Request("GET", name, None, {"query": by_ids(ids)}, None), collect))
        yield requests

    def next_level(self) -> dict[str, list[str]]:
        """Returns the ids to which the last level refers, by collection."""
        level: dict[str, list[str]] = {}
        for name, entity in self.front:
            opened = self.client.collections[name]
            for reference in opened.references.values():
                if not reference.cascades:
                    continue
                for each in opened.related_ids(reference, entity):
                    if (reference.collection, each) not in self.met:
                        self.met.add((reference.collection, each))
                        level.setdefault(reference.collection, []).append(each)
        self.front = []
        return level

    def target_handler(self, name: str, ids: list[str]) -> Any:
        """Returns what follows the response to the removal of targets."""

        def handle(response: Response) -> None:
            # An object that does not exist need not be removed.
            if response.is_success or response.status == 404:
                for each in ids:
                    self.client.forget(name, each)
            else:
                self.problem = self.problem or response.problem

        return handle


def deletion(name: str, ids: list[str]) -> Request:
    """Returns the request that removes some entities."""
    if len(ids) == 1:
        return Request("DELETE", name, ids[0], {}, None)
    return Request("DELETE", name, None, {"query": by_ids(ids)}, None)
