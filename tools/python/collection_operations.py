"""The operations on collections. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable
from typing import Any

from collection_backend import FUNCTIONS, Backend, check_rules
from collection_client import Client, Report, Task
from collection_draining import drain
from collection_loading import Reading
from collection_mapping import POLICIES, Collection, choice, read_thing
from collection_migration import migrate
from collection_problems import CODES, Problem, problem
from collection_queries import Builder, Query, RelatedField
from collection_relations import DEEPEST
from collection_removing import RULES, Removal
from collection_saving import Saving
from revision_ids import Object, Refusal


class Clients:
    """All clients of a store, and the rules of its backend."""

    def __init__(self) -> None:
        self.clients: dict[str, Client] = {}
        self.rules: dict[str, list[Object]] = {}

    def perform(self, database: Any, operation: Object, source: Callable[[str], tuple[Any, Any]]) -> Object:
        """Performs an operation. `source` returns the objects of a store and its database."""
        if operation["op"] == "setBackendRules":
            check_rules(operation["rules"])
            self.rules[operation["collection"]] = operation["rules"]
            return {}
        client = self.clients.setdefault(operation["client"], Client(drain))
        client.backend, client.report = Backend(database, self.rules), Report()
        client.total = 1
        if operation["op"] == "migrateObjects":
            return migrate(client, operation, source)
        result = COLLECTION_OPERATIONS[operation["op"]](client, operation)
        return {} if result is None else result


def query_of(client: Client, operation: Object) -> Query:
    """Returns the query of an operation."""
    collection = client.collections.get(operation["collection"])
    steps = operation.get("query", [])
    if collection is None:
        collection = Collection({"collection": operation["collection"], "mapping": {"id": "_id"}})
    return Builder(collection).build(steps)


def reporting(act: Callable[[Client, Collection, Object], Task[None]]) -> Callable[[Client, Object], Object]:
    """Returns an operation on an open collection, which ends with a drain of the queue after any success."""

    def perform(client: Client, operation: Object) -> Object:
        check(client, operation)
        collection = client.collections.get(operation["collection"])
        if collection is None:
            client.call_back(problem("noSuchCollection", operation["collection"]))
        else:
            try:
                client.start(act(client, collection, operation))
                client.run()
            except RelatedField as error:
                client.call_back(Problem("badQuery", CODES["badQuery"], "relatedField", error.field))
        client.complete()
        return client.report.json()

    return perform


def check(client: Client, operation: Object) -> None:
    """Refuses invalid arguments."""
    choice(operation, "policy", POLICIES)
    choice(operation, "rule", RULES)
    if not 0 <= operation.get("depth", 0) <= DEEPEST:
        raise Refusal("badRequest", path="depth")
    if operation["op"] == "groupInCollection" and operation["function"] not in FUNCTIONS:
        raise Refusal("badRequest", path="function")
    if operation["op"] == "removeFromCollection" and len(operation.keys() & {"ids", "objects", "query"}) != 1:
        raise Refusal("badRequest", path="ids")
    if "query" in operation:
        with contextlib.suppress(RelatedField):
            query_of(client, operation)


def open_collection(client: Client, operation: Object) -> None:
    """Opens a collection."""
    client.collections[operation["collection"]] = Collection(operation)


def save(client: Client, collection: Collection, operation: Object) -> Task[None]:
    """Saves objects."""
    yield from Saving(client, collection.name, list(map(read_thing, operation["objects"]))).run()


def load(client: Client, collection: Collection, operation: Object) -> Task[None]:
    """Loads objects by their ids."""
    yield from Reading(client, collection, operation).run()


def query(client: Client, collection: Collection, operation: Object) -> Task[None]:
    """Loads the objects that a query selects."""
    yield from Reading(client, collection, operation, query_of(client, operation)).run()


def count(client: Client, collection: Collection, operation: Object) -> Task[None]:
    """Counts entities."""
    response = yield from client.send("GET", collection.name, "_count", query_of(client, operation).conditions_only())
    client.call_back({"count": response.content} if response.is_success else response.problem)


def group(client: Client, collection: Collection, operation: Object) -> Task[None]:
    """Computes a function over groups of entities."""
    body = {"key": operation["by"], "function": operation["function"]}
    body |= {"field": operation["field"]} if "field" in operation else {}
    body |= {"condition": said} if (said := query_of(client, operation).filter) else {}
    response = yield from client.send("POST", collection.name, "_group", body=body)
    client.call_back({"groups": response.content} if response.is_success else response.problem)


def remove(client: Client, collection: Collection, operation: Object) -> Task[None]:
    """Removes objects, ids, or what a query selects."""
    removal = Removal(client, collection, operation.get("rule", "only"))
    if "query" in operation:
        yield from removal.run_query(query_of(client, operation))
    elif "ids" in operation:
        yield from removal.remove(operation["ids"])
    else:
        yield from removal.run(list(map(read_thing, operation["objects"])))


def drain_queue(client: Client, operation: Object) -> Object:
    """Sends the operations in the offline queue."""
    client.start_draining()
    client.run()
    return client.report.json()


def inspect_client(client: Client, operation: Object) -> Object:
    """Returns the state of a client."""
    queue = [{"collection": each.collection, "id": each.id, "operation": each.operation} for each in client.queue]
    return {"collections": list(client.collections), "queue": queue, "settings": copy.deepcopy(client.settings)}


def crash(client: Client, operation: Object) -> None:
    """Discards operations in progress."""
    client.migration = None


def set_settings(client: Client, operation: Object) -> None:
    """Replaces the settings of the application."""
    client.settings = operation["settings"]


COLLECTION_OPERATIONS: dict[str, Callable[[Client, Object], Object | None]] = {
    "openCollection": open_collection,
    "saveToCollection": reporting(save),
    "loadFromCollection": reporting(load),
    "queryCollection": reporting(query),
    "countInCollection": reporting(count),
    "groupInCollection": reporting(group),
    "removeFromCollection": reporting(remove),
    "setNetwork": lambda client, said: client.set_network(said),
    "drainQueue": drain_queue,
    "inspectClient": inspect_client,
    "crashClient": crash,
    "setSettings": set_settings,
}
