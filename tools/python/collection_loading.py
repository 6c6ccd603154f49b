"""Queries and loads of collections, with cache policies. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import json

from collection_client import Client, Task, is_new
from collection_mapping import ID, Collection
from collection_problems import Problem, problem
from collection_queries import Query
from collection_relations import Relations, by_ids, ordered
from revision_ids import Object

Entities = list[Object]


class Reading:
    """One call that reads objects: a query, or a load of some ids."""

    def __init__(
        self, client: Client, collection: Collection, operation: Object, query: Query | None = None
    ) -> None:
        self.client, self.collection = client, collection
        self.policy: str = operation.get("policy", collection.policy)
        self.ids = None
        if query is None:
            self.ids = list(dict.fromkeys(client.permanent(collection.name, each) for each in operation["ids"]))
        self.parameters = {"query": by_ids(self.ids or [])} if query is None else query.parameters()
        self.key = collection.name, json.dumps(self.parameters)
        self.relations = Relations(client, collection, self.policy, operation.get("depth", 0))

    def run(self) -> Task[None]:
        """Calls back with the objects, as the policy requires."""
        if self.ids == []:
            self.call_back([], False)
            return
        # The backend does not have objects with temporary ids.
        policy = "localOnly" if any(map(is_new, self.ids or [])) else self.policy
        cached = self.cached()
        if policy != "localOnly" or cached is not None:
            self.client.total = self.relations.depth + 1
        if policy == "localOnly":
            self.call_back(problem("notInCache") if cached is None else cached, cached is not None)
            return
        if policy in ("localFirst", "both") and cached:
            self.call_back(cached, True)
            if policy == "localFirst":
                self.store((yield from self.fetch()))
                return
        found = yield from self.fetch()
        self.store(found)
        if isinstance(found, Problem):
            hit = self.cached() if policy == "networkFirst" and found.reason == "network" else None
            if policy == "networkFirst" and found.reason == "network":
                found = hit or problem("notInCache")
            self.call_back(found, bool(hit))
            return
        found = found if self.ids is None else ordered(found, self.ids)
        failed = yield from self.relations.load(found)
        self.call_back(found if failed is None else failed, False)

    def call_back(self, found: Entities | Problem, from_cache: bool) -> None:
        """Calls back with the objects of entities, and begins to fill their computed relations."""
        if isinstance(found, Problem):
            self.client.call_back(found, from_cache)
            return
        things = [self.relations.thing(entity) for entity in found]
        self.client.call_back({"objects": [thing.json() for thing in things]}, from_cache)
        self.relations.fill(found)

    def cached(self) -> Entities | None:
        """Returns the cached result; None without one, or if an entity of a load is missing."""
        if self.ids is None:
            ids = self.client.lists.get(self.key)
            return None if ids is None else self.client.cached(self.collection.name, ids)
        found = self.client.cached(self.collection.name, self.ids)
        return found if len(found) == len(self.ids) else None

    def store(self, found: Entities | Problem) -> None:
        """Caches the result of a request."""
        if isinstance(found, Problem):
            if self.collection.options["evictsOnError"]:
                self.client.lists.pop(self.key, None)
        elif self.policy != "none":
            self.client.keep(self.collection.name, found)
            self.client.lists[self.key] = [entity[ID] for entity in found]

    def fetch(self) -> Task[Entities | Problem]:
        """Requests the entities, or what changed of them."""
        name = self.collection.name
        if self.ids is None and self.policy != "none" and self.collection.options["loadsChangesOnly"]:
            return (yield from self.changes())
        if self.ids is not None and len(self.ids) == 1:
            response = yield from self.client.send("GET", name, self.ids[0])
        else:
            response = yield from self.client.send("GET", name, parameters=self.parameters)
        return response.content if response.is_success else response.problem

    def changes(self) -> Task[Entities | Problem]:
        """Requests the versions, and the entities that are not known in their version."""
        client, name = self.client, self.collection.name
        response = yield from client.send("GET", name, "_versions", self.parameters)
        if not response.is_success:
            return response.problem
        versions = {entity[ID]: entity["version"] for entity in response.content}
        unknown = [each for each in versions if client.held.get((name, each), ({}, ""))[1] != versions[each]]
        if unknown:
            response = yield from client.send("GET", name, parameters={"query": by_ids(unknown)})
            if not response.is_success:
                return response.problem
            for entity in response.content:
                client.held[name, entity[ID]] = entity, versions[entity[ID]]
        known = [client.held.get((name, each), ({}, "")) for each in versions]
        return [entity for (entity, version), wanted in zip(known, versions.values()) if version == wanted]
