"""Removing entities of collections. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import copy
from typing import Any

from collection_client import Client, Waiting, is_new
from collection_loading import by_ids
from collection_mapping import ID, Collection, Reference, Thing
from collection_problems import QUEUED_AFTER, Problem, Response, problem
from collection_queries import Query
from collection_saving import put, withdraw
from revision_ids import Object

RULES = ("only", "nilling", "cascading")


class Removal:
    """One call of `removeFromCollection`."""

    def __init__(self, client: Client, collection: Collection, rule: str) -> None:
        self.client, self.collection, self.rule = client, collection, rule
        self.failures: list[Object] = []
        self.succeeded: list[Thing] = []
        self.queued: list[str] = []
        self.problem: Problem | None = None

    def run(self, things: list[Thing], counts: bool = False) -> None:
        """Removes objects and calls back with them, or with their number."""
        client = self.client
        if any(thing.id is None for thing in things):
            failed = problem("withoutID")
            failed.failures = [
                failed.of_object(self.collection.name, None, place)
                for place, thing in enumerate(things) if thing.id is None
            ]  # fmt: skip
            client.call_back(failed)
            return
        ids = list(dict.fromkeys(client.permanent(str(thing.id)) for thing in things))
        self.problem = self.before(things if not counts else None, ids) if ids and self.rule != "only" else None
        if self.problem is None:
            self.remove({client.permanent(str(thing.id)): thing for thing in things})
        if self.problem is None:
            shown = {"objects": [thing.json() for thing in self.succeeded]}
            client.call_back({"count": len(self.succeeded)} if counts else shown)
            return
        told = copy.copy(self.problem)
        told.failures, told.queued = self.failures, self.queued
        told.succeeded = [thing.json() for thing in self.succeeded]
        client.call_back(told)

    def remove(self, things: dict[str, Thing]) -> None:
        """Removes objects in batches."""
        client, name = self.client, self.collection.name
        for identifier, thing in things.items():
            if is_new(identifier):
                withdrawn = withdraw(client, name, identifier)
                if withdrawn is not None:
                    client.note("dropped", withdrawn)
                self.succeed(thing, identifier)
        ids, batch = [each for each in things if not is_new(each)], self.collection.options["removalBatch"]
        batches = -(-len(ids) // batch)
        for begin in range(0, len(ids), batch):
            part = ids[begin : begin + batch]
            response = self.delete(part)
            if response.is_success:
                for each in part:
                    withdraw(client, name, each)
                    self.succeed(things[each], each)
            else:
                self.fail(part, response)
            client.advance(begin // batch + 1, batches)

    def delete(self, ids: list[str]) -> Response:
        """Requests the removal of some entities."""
        if len(ids) == 1:
            return self.client.send("DELETE", self.collection.name, ids[0])
        return self.client.send("DELETE", self.collection.name, parameters={"query": by_ids(ids)})

    def succeed(self, thing: Thing, identifier: str) -> None:
        """Marks a removed object."""
        thing.id, thing.deleted = identifier, True
        self.client.forget(self.collection.name, identifier)
        self.succeeded.append(thing)

    def fail(self, ids: list[str], response: Response) -> None:
        """Records objects that were not removed, and queues their removals."""
        self.problem = self.problem or response.problem
        for each in ids:
            self.failures.append(response.problem.of_object(self.collection.name, each, None))
            if response.failure not in QUEUED_AFTER or not self.collection.is_offline:
                continue
            waiting = Waiting(self.collection.name, each)
            if self.collection.declines("declinesQueueing", "remove", each):
                self.client.note("declined", waiting)
            else:
                put(self.client, waiting)
                self.queued.append(each)
                self.client.note("queued", waiting)

    def run_query(self, query: Query) -> None:
        """Removes the entities that a query selects."""
        client, name = self.client, self.collection.name
        if self.rule != "only":
            response = client.send("GET", name, parameters=query.parameters())
            if response.is_success:
                self.run([Thing(entity[ID]) for entity in response.content], counts=True)
            else:
                client.call_back(response.problem)
            return
        response = client.send("DELETE", name, parameters=query.parameters())
        if response.is_success:
            client.call_back({"count": response.content})
        else:
            client.call_back(response.problem)

    # What comes before the removal

    def before(self, things: list[Thing] | None, ids: list[str]) -> Problem | None:
        """Removes the targets of references, or the references to the objects. Returns the problem."""
        return self.cascade(things, ids) if self.rule == "cascading" else self.nil(ids)

    def cascade(self, things: list[Thing] | None, ids: list[str]) -> Problem | None:
        """Removes the targets of references that cascade: those of objects, or those of entities."""
        cascading = [each for each in self.collection.references.values() if each.cascades]
        if not cascading:
            return None
        if things is None:
            response = self.client.send("GET", self.collection.name, parameters={"query": by_ids(ids)})
            if not response.is_success:
                return response.problem
            things = list(map(self.collection.thing, response.content))
            for thing, entity in zip(things, response.content):
                for reference in cascading:
                    thing.related[reference.relation] = list(self.collection.related_ids(reference, entity))
        for reference in cascading:
            opened = self.client.collections.get(reference.collection)
            if opened is None:
                return problem("noSuchCollection", reference.collection)
            ends = [end for thing in things for end in thing.related.get(reference.relation, [])]
            found = [self.client.permanent(each) for each in map(id_of, ends) if each is not None]
            targets = {each: Thing(each) for each in dict.fromkeys(found)}
            inner = Removal(self.client, opened, self.rule)
            inner.remove(targets)
            if inner.problem is not None:
                self.failures, self.queued = inner.failures, inner.queued
                return inner.problem
        return None

    def nil(self, ids: list[str]) -> Problem | None:
        """Removes ids from the entities that refer to the objects."""
        for owner in self.client.collections.values():
            for reference in owner.references.values():
                if reference.collection == self.collection.name:
                    found = self.nil_references(owner, reference, ids)
                    if found is not None:
                        return found
        return None

    def nil_references(self, owner: Collection, reference: Reference, ids: list[str]) -> Problem | None:
        """Removes ids from one field of entities."""
        operand = [reference.stored(each) for each in ids]
        parameters = {"query": {reference.field: {"$in": operand}}}
        response = self.client.send("GET", owner.name, parameters=parameters)
        if not response.is_success:
            return response.problem
        for entity in response.content:
            kept = [each for each in owner.related_ids(reference, entity) if each not in ids]
            value = reference.field_value(kept)
            changed = {name: each for name, each in entity.items() if name != reference.field}
            changed |= {} if value is None else {reference.field: value}
            saved = self.client.send("PUT", owner.name, entity[ID], body=changed)
            if not saved.is_success:
                return saved.problem
            self.client.keep(owner.name, changed)
        return None


def id_of(end: Any) -> str | None:
    """Returns the id of an end of a relation."""
    return end.id if isinstance(end, Thing) else end
