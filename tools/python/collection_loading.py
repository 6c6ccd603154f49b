"""Queries and loads of collections, with cache policies and related objects.

Written from `Vectors/README.md`, "Collections".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from collection_client import Client, is_new
from collection_mapping import ID, Collection, Reference, Thing
from collection_problems import Problem, problem
from collection_queries import Query
from revision_ids import Object

DEEPEST = 16

Entities = list[Object]


def by_ids(ids: list[str]) -> Object:
    """Returns the filter of some ids."""
    return {ID: {"$in": ids}}


class Loading:
    """One read of entities: where they are cached, and how they are requested."""

    def __init__(self, client: Client, collection: Collection, policy: str) -> None:
        self.client, self.collection, self.policy = client, collection, policy

    def cached(self) -> Entities | None:
        """Returns the cached entities; None if there is no cached result."""
        raise NotImplementedError

    def fetch(self) -> Entities | Problem:
        """Requests the entities."""
        raise NotImplementedError

    def store(self, entities: Entities) -> None:
        """Caches the result of a request."""
        for entity in entities:
            self.client.keep(self.collection.name, entity)

    def is_local(self) -> bool:
        """Returns whether no request was needed."""
        return False

    def evict(self) -> None:
        """Removes the result from the cache, as a product does after an error."""

    def request(self) -> Entities | Problem:
        """Requests the entities, and caches them."""
        found = self.fetch()
        if self.policy == "none":
            return found
        if not isinstance(found, Problem):
            self.store(found)
        elif self.collection.options["evictsOnError"]:
            self.evict()
        return found

    def run(self, call_back: Callable[[Entities | Problem, bool], None]) -> None:
        """Calls back with the entities, as the policy requires."""
        cached = self.cached() if self.policy != "none" else None
        if self.policy == "localOnly":
            call_back(problem("notInCache") if cached is None else cached, cached is not None)
            return
        if self.policy in ("localFirst", "both") and cached:
            call_back(cached, True)
            found = self.request()
            if self.policy == "both":
                call_back(found, False)
            return
        found = self.request()
        if self.policy == "networkFirst" and isinstance(found, Problem) and found.reason == "network":
            call_back(cached or problem("notInCache"), bool(cached))
        else:
            call_back(found, self.is_local())


class QueryLoading(Loading):
    """The entities that a query selects."""

    def __init__(self, client: Client, collection: Collection, policy: str, query: Query) -> None:
        super().__init__(client, collection, policy)
        self.parameters = query.parameters()
        self.key = collection.name, json.dumps(self.parameters)
        self.versions: dict[str, str | None] = {}

    def cached(self) -> Entities | None:
        """Returns the cached entities of the query."""
        ids = self.client.lists.get(self.key)
        if ids is None:
            return None
        return self.client.cached(self.collection.name, list(map(self.client.permanent, ids)))

    def evict(self) -> None:
        """Removes the list of the query."""
        self.client.lists.pop(self.key, None)

    def store(self, entities: Entities) -> None:
        """Caches the list and the entities."""
        for entity in entities:
            self.client.keep(self.collection.name, entity, self.versions.get(entity[ID]))
        self.client.lists[self.key] = [entity[ID] for entity in entities]

    def fetch(self) -> Entities | Problem:
        """Requests the entities, or what changed of them."""
        if self.policy != "none" and self.collection.options["loadsChangesOnly"]:
            return self.changes()
        response = self.client.send("GET", self.collection.name, parameters=self.parameters)
        return response.content if response.is_success else response.problem

    def changes(self) -> Entities | Problem:
        """Requests the versions, and the entities that are not cached in their version."""
        client, name = self.client, self.collection.name
        response = client.send("GET", name, "_versions", self.parameters)
        if not response.is_success:
            return response.problem
        self.versions = versions = {entity[ID]: client.backend.version(name, entity[ID]) for entity in response.content}
        entries = {each: client.entries.get((name, each)) for each in versions}
        stale = [each for each, entry in entries.items() if entry is None or entry.version != versions[each]]
        loaded = {}
        if stale:
            response = client.send("GET", name, parameters={"query": by_ids(stale)})
            if not response.is_success:
                return response.problem
            loaded = {entity[ID]: entity for entity in response.content}
        known = {each: entry.entity for each, entry in entries.items() if entry is not None and each not in stale}
        return [(known | loaded)[each] for each in versions if each in known or each in loaded]


class IDLoading(Loading):
    """The entities with some ids, in their order."""

    def __init__(self, client: Client, collection: Collection, policy: str, ids: list[str]) -> None:
        super().__init__(client, collection, policy)
        self.ids = list(dict.fromkeys(map(client.permanent, ids)))

    def cached(self) -> Entities | None:
        """Returns those entities that are cached."""
        return self.client.cached(self.collection.name, self.ids) or None

    def is_local(self) -> bool:
        """Returns whether all ids are temporary."""
        return all(map(is_new, self.ids))

    def fetch(self) -> Entities | Problem:
        """Requests the entities. Temporary ids are never sent."""
        client, name = self.client, self.collection.name
        wanted = [each for each in self.ids if not is_new(each)]
        if not wanted:
            return client.cached(name, self.ids)
        is_one = len(wanted) == 1
        parameters = None if is_one else {"query": by_ids(wanted)}
        response = client.send("GET", name, wanted[0] if is_one else None, parameters)
        if not response.is_success:
            return response.problem
        found = {entity[ID]: entity for entity in response.content}
        found |= {entity[ID]: entity for entity in client.cached(name, [each for each in self.ids if is_new(each)])}
        return [found[each] for each in self.ids if each in found]


class Reading:
    """One call that reads objects: the callbacks, with the related objects of some levels."""

    def __init__(self, loading: Loading, depth: int) -> None:
        self.loading, self.client, self.depth = loading, loading.client, depth
        # The objects of callbacks with computed relations, to be filled later.
        self.unfilled: list[tuple[Collection, Thing, Reference, list[str]]] = []

    def run(self) -> None:
        """Calls back, and fills computed relations."""
        self.loading.run(self.call_back)
        for collection, thing, reference, ids in self.unfilled:
            self.fill(collection, thing, reference, ids)

    def call_back(self, found: Entities | Problem, from_cache: bool) -> None:
        """Calls back with the objects of entities."""
        if isinstance(found, Problem):
            self.client.call_back(found, from_cache)
            return
        collection = self.loading.collection
        self.client.advance(1, self.depth + 1)
        things = [(collection.thing(entity), entity) for entity in found]
        failed = self.deepen(collection, things, self.depth)
        if failed is not None:
            self.client.call_back(failed, from_cache)
            return
        self.client.call_back({"objects": [thing.json() for thing, _ in things]}, from_cache)
        if self.depth == 0:
            for thing, entity in things:
                for reference in collection.references.values():
                    ids = collection.related_ids(reference, entity)
                    if reference.is_computed and ids:
                        self.unfilled.append((collection, thing, reference, ids))

    def deepen(self, collection: Collection, things: list[tuple[Thing, Object]], depth: int) -> Problem | None:
        """Loads the related objects of some levels, with one request for each collection and level."""
        level = [(collection, thing, entity) for thing, entity in things]
        for number in range(depth):
            wanted: dict[str, list[str]] = {}
            for owner, _, entity in level:
                for reference in owner.references.values():
                    wanted.setdefault(reference.collection, []).extend(owner.related_ids(reference, entity))
            found: dict[str, dict[str, tuple[Thing, Object]]] = {}
            for name, ids in wanted.items():
                loaded = self.related(name, list(dict.fromkeys(ids)))
                if isinstance(loaded, Problem):
                    return loaded
                found[name] = loaded
            below: list[tuple[Collection, Thing, Object]] = []
            for owner, thing, entity in level:
                for reference in owner.references.values():
                    ends = [found[reference.collection].get(each) for each in owner.related_ids(reference, entity)]
                    thing.related[reference.relation] = [end[0] for end in ends if end is not None]
            for name, loaded in found.items():
                below += [(self.client.collections[name], thing, entity) for thing, entity in loaded.values()]
            self.client.advance(number + 2, depth + 1)
            level = below
        return None

    def related(self, name: str, ids: list[str]) -> dict[str, tuple[Thing, Object]] | Problem:
        """Returns the related objects with some ids."""
        opened = self.client.collections.get(name)
        if opened is None:
            return problem("noSuchCollection", name)
        results: list[Entities | Problem] = []
        if ids:
            loading = Related(self.client, opened, self.loading.policy, ids)
            loading.run(lambda found, from_cache: results.append(found))
        result = results[-1] if results else []
        if isinstance(result, Problem):
            return result
        return {entity[ID]: (opened.thing(entity), entity) for entity in result}

    def fill(self, collection: Collection, thing: Thing, reference: Reference, ids: list[str]) -> None:
        """Loads a computed relation of an object."""
        opened = self.client.collections.get(reference.collection)
        told: Any = {"collection": collection.name, "id": thing.id, "relation": reference.relation, "objects": []}
        results: list[Entities | Problem] = []
        if opened is None:
            results.append(problem("noSuchCollection", reference.collection))
        else:
            Related(self.client, opened, opened.policy, ids).run(lambda found, from_cache: results.append(found))
        result = results[-1]
        if isinstance(result, Problem):
            told["problem"] = result.json()
        elif opened is not None:
            told["objects"] = [opened.thing(entity).json() for entity in result]
        self.client.report.fills.append(told)


class Related(IDLoading):
    """The related entities with some ids, requested by one query."""

    def fetch(self) -> Entities | Problem:
        """Requests the entities by a query, also a single one."""
        client, name = self.client, self.collection.name
        wanted = [each for each in self.ids if not is_new(each)]
        found = {entity[ID]: entity for entity in client.cached(name, [each for each in self.ids if is_new(each)])}
        if wanted:
            response = client.send("GET", name, parameters={"query": by_ids(wanted)})
            if not response.is_success:
                return response.problem
            found |= {entity[ID]: entity for entity in response.content}
        return [found[each] for each in self.ids if each in found]
