"""Related objects of those that a call reads: at once for some levels, or later for computed relations.

Written from `Vectors/README.md`, "Collections".
"""

from __future__ import annotations

from typing import Any

from collection_client import Client, Request, Task
from collection_mapping import ID, Collection, Reference, Thing
from collection_problems import Problem, Response, problem
from revision_ids import Object

DEEPEST = 16
Key = tuple[str, str]


def by_ids(ids: list[str]) -> Object:
    """Returns the filter of some ids."""
    return {ID: {"$in": ids}}


def ordered(entities: list[Object], ids: list[str]) -> list[Object]:
    """Returns entities in the order of their ids."""
    found = {entity[ID]: entity for entity in entities}
    return [found[each] for each in ids if each in found]


class Relations:
    """The related objects of one call."""

    def __init__(self, client: Client, collection: Collection, policy: str, depth: int) -> None:
        self.client, self.collection, self.policy, self.depth = client, collection, policy, depth
        # The entities that the call has loaded.
        self.loaded: dict[Key, Object] = {}
        self.problem: Problem | None = None

    # Levels

    def load(self, entities: list[Object]) -> Task[Problem | None]:
        """Loads some levels, with one request for each collection and level."""
        front = [(self.collection.name, entity[ID]) for entity in entities]
        self.loaded = {key: entity for key, entity in zip(front, entities)}
        for level in range(self.depth):
            self.client.advance(level + 1, self.depth + 1)
            wanted = self.wanted(front)
            front = []
            if wanted:
                yield [self.request(name, ids, front) for name, ids in wanted.items()]
            if self.problem is not None:
                return self.problem
        return None

    def wanted(self, front: list[Key]) -> dict[str, list[str]]:
        """Returns the ids to which entities refer and that are not loaded, by collection."""
        wanted: dict[str, list[str]] = {}
        for key in front:
            owner = self.client.collections[key[0]]
            for reference in owner.references.values():
                if reference.collection not in self.client.collections:
                    continue
                for each in owner.related_ids(reference, self.loaded[key]):
                    known = wanted.get(reference.collection, [])
                    if (reference.collection, each) not in self.loaded and each not in known:
                        wanted.setdefault(reference.collection, []).append(each)
        return wanted

    def request(self, name: str, ids: list[str], front: list[Key]) -> tuple[Request, Any]:
        """Returns the request for related entities, with what follows its response."""

        def handle(response: Response) -> None:
            if self.problem is not None:
                return
            if response.is_success:
                entities = response.content
                if self.policy != "none":
                    self.client.keep(name, entities)
            else:
                entities = self.client.cached(name, ids) if response.failure and self.policy != "none" else []
                if len(entities) < len(ids):
                    self.problem = response.problem
                    return
            for entity in ordered(entities, ids):
                self.loaded[name, entity[ID]] = entity
                front.append((name, entity[ID]))

        return Request("GET", name, None, {"query": by_ids(ids)}, None), handle

    def thing(self, entity: Object) -> Thing:
        """Returns the object of an entity, with the requested levels as far as they are known."""
        return self.deep(self.collection, entity, 0)

    def deep(self, collection: Collection, entity: Object, level: int) -> Thing:
        """Returns an object on a level."""
        thing = collection.thing(entity, hides_computed=self.depth == 0)
        if level == self.depth:
            return thing
        for reference in collection.references.values():
            opened = self.client.collections.get(reference.collection)
            if opened is None or reference.relation not in thing.related:
                continue
            ends = []
            for each in thing.related[reference.relation]:
                key = reference.collection, each
                found = self.loaded.get(key) or self.client.entries.get(key)
                ends.append(each if found is None else self.deep(opened, found, level + 1))
            thing.related[reference.relation] = ends
        return thing

    # Computed relations

    def fill(self, entities: list[Object]) -> None:
        """Begins to load the computed relations of objects without levels."""
        if self.depth > 0:
            return
        for entity in entities:
            for reference in self.collection.references.values():
                if reference.is_computed:
                    self.client.start(self.fill_one(entity, reference))

    def fill_one(self, entity: Object, reference: Reference) -> Task[None]:
        """Loads a computed relation of an object."""
        client, name = self.client, reference.collection
        ids, opened = self.collection.related_ids(reference, entity), client.collections.get(name)
        told: Any = {"collection": self.collection.name, "id": entity[ID], "relation": reference.relation}
        told["objects"] = []
        if opened is None:
            told["problem"] = problem("noSuchCollection", name).json()
        elif ids:
            response = yield from client.send("GET", name, parameters={"query": by_ids(ids)})
            entities = ordered(response.content, ids) if response.is_success else []
            if response.is_success:
                client.keep(name, response.content)
            else:
                # Without a response the cache is used, if it has all of them.
                entities = client.cached(name, ids) if response.failure else []
                if len(entities) < len(ids):
                    entities, told["problem"] = [], response.problem.json()
            told["objects"] = [opened.thing(each).json() for each in entities]
        client.report.fills.append(told)
