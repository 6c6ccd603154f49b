"""A client of the backend of collections: its network, its cache and its report of a call.

Written from `Vectors/README.md`, "Collections".
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from collection_backend import Backend
from collection_mapping import Collection, Thing
from collection_problems import FAILURES, Problem, Response
from revision_ids import Object, Refusal


@dataclass
class Report:
    """What happened during one call."""

    requests: list[Object] = field(default_factory=list)
    callbacks: list[Object] = field(default_factory=list)
    progress: list[Object] = field(default_factory=list)
    fills: list[Object] = field(default_factory=list)
    queue: list[Object] = field(default_factory=list)

    def json(self) -> Object:
        """Returns the report in the form of results."""
        return dict(vars(self))


@dataclass
class Entry:
    """A cached entity, with its version at the backend if that is known."""

    entity: Object
    version: str | None = None


@dataclass
class Waiting:
    """An operation in the offline queue: the save of an object, or a removal if there is no object."""

    collection: str
    id: str
    thing: Thing | None = None

    @property
    def operation(self) -> str:
        """Returns the name of the operation."""
        return "remove" if self.thing is None else "save"


class Client:
    """One client. Each call has the backend, because the database may be an attempt."""

    def __init__(self) -> None:
        self.backend: Backend = None  # type: ignore[assignment]
        self.collections: dict[str, Collection] = {}
        self.network: Any = "up"
        self.next: list[Any] = []
        self.entries: dict[tuple[str, str], Entry] = {}
        self.lists: dict[tuple[str, str], list[str]] = {}
        self.queue: list[Waiting] = []
        # Permanent ids by temporary ones.
        self.assigned: dict[str, str] = {}
        self.settings: Object = {}
        self.migration: Any = None
        self.report = Report()
        self.has_success = False

    # Network

    def set_network(self, operation: Object) -> None:
        """Sets what happens to requests."""
        states = {"state": operation["state"]}
        states |= {f"next[{place}]": each for place, each in enumerate(operation.get("next", []))}
        for path, state in states.items():
            if not is_state(state):
                raise Refusal("badRequest", path=path)
        self.network, self.next = operation["state"], list(operation.get("next", []))

    def send(
        self, method: str, collection: str, path: str | None = None, parameters: Object | None = None, body: Any = None
    ) -> Response:
        """Sends a request and returns its response."""
        state = self.next.pop(0) if self.next else self.network
        request: Object = {"method": method, "collection": collection} | ({} if path is None else {"path": path})
        request |= {"parameters": parameters} if parameters else {}
        request |= {} if body is None else {"body": copy.deepcopy(body)}
        response = Response()
        if isinstance(state, dict) and "status" in state:
            response = Response(state["status"], name=state.get("error"))
        elif state == "up" or isinstance(state, dict):
            answer = self.backend.perform(method, collection, path, parameters or {}, body)
            response = Response(answer.status, copy.deepcopy(answer.content), answer.name, answer.field)
        if state == "down":
            response.failure = "notConnected"
        elif state != "up" and not (isinstance(state, dict) and "status" in state):
            response.failure = state["lost"] if isinstance(state, dict) else state
        if response.failure is not None:
            response.status = None
            request["failure"] = response.failure
        else:
            request["status"] = response.status
        self.report.requests.append(request)
        self.has_success = self.has_success or response.is_success
        return response

    # Report

    def call_back(self, result: Object | Problem, from_cache: bool = False) -> None:
        """Reports a result or a problem."""
        told = {"problem": result.json()} if isinstance(result, Problem) else result
        self.report.callbacks.append(told | {"fromCache": from_cache})

    def note(self, event: str, waiting: Waiting, assigned: str | None = None) -> None:
        """Reports an event of the queue."""
        told = {"event": event, "collection": waiting.collection, "id": waiting.id}
        self.report.queue.append(told | ({} if assigned is None else {"assigned": assigned}))

    def advance(self, done: int, total: int) -> None:
        """Reports progress."""
        self.report.progress.append({"done": done, "total": total})

    # Ids

    def permanent(self, identifier: str) -> str:
        """Returns the permanent id of an object, if it has one."""
        return self.assigned.get(identifier, identifier)

    def is_temporary(self, identifier: str) -> bool:
        """Returns whether an id is that of an object in the queue that the backend does not know."""
        return any(each.id == identifier and is_new(each.id) for each in self.queue)

    # Cache

    def waiting(self, collection: str, identifier: str) -> Waiting | None:
        """Returns the queued operation on an object."""
        return next((each for each in self.queue if (each.collection, each.id) == (collection, identifier)), None)

    def keep(self, collection: str, entity: Object, version: str | None = None) -> None:
        """Caches an entity, unless an operation on it is queued."""
        if self.waiting(collection, entity["_id"]) is None:
            self.entries[collection, entity["_id"]] = Entry(copy.deepcopy(entity), version)

    def forget(self, collection: str, identifier: str) -> None:
        """Removes an entity from the cache."""
        self.entries.pop((collection, identifier), None)

    def cached(self, collection: str, ids: list[str]) -> list[Object]:
        """Returns the cached entities with these ids."""
        found = [self.entries.get((collection, each)) for each in ids]
        return [copy.deepcopy(each.entity) for each in found if each is not None]


def is_new(identifier: str) -> bool:
    """Returns whether an id has the form of a temporary one."""
    return identifier.startswith("temp_")


def is_state(state: Any) -> bool:
    """Returns whether a value is a state of the network."""
    if isinstance(state, str):
        return state in ("up", "down") or state in FAILURES
    if not isinstance(state, dict):
        return False
    if state.keys() == {"lost"}:
        return state["lost"] in FAILURES
    status = state.get("status")
    is_number = isinstance(status, int) and not isinstance(status, bool) and 100 <= status <= 599
    return is_number and state.keys() <= {"status", "error"} and isinstance(state.get("error", ""), str)
