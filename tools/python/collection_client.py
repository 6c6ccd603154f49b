"""A client of the backend of collections: its network, its cache and its report of a call.

Written from `Vectors/README.md`, "Collections".
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from collection_backend import Backend, Request
from collection_mapping import Collection
from collection_problems import FAILURES, Problem, Response
from collection_queue import Waiting
from revision_ids import Object, Refusal


T = TypeVar("T")
# A part of a call: it yields a request and receives the response, or yields several, each with its handler.
Task = Generator[Any, Any, T]


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


class Client:
    """One client. Each call has the backend, because the database may be an attempt."""

    def __init__(self, drain: Callable[[Client], Task[None]]) -> None:
        self.backend: Backend = None  # type: ignore[assignment]
        self.collections: dict[str, Collection] = {}
        self.network: Any = "up"
        self.next: list[Any] = []
        self.entries: dict[tuple[str, str], Object] = {}
        self.lists: dict[tuple[str, str], list[str]] = {}
        # The entities of the backend with their versions, for queries that load changes only.
        self.held: dict[tuple[str, str], tuple[Object, str]] = {}
        self.queue: list[Waiting] = []
        # The operation that a drain is sending.
        self.sending: Waiting | None = None
        # The latest save in progress of each object.
        self.saving: dict[tuple[str, str], object] = {}
        # Permanent ids by temporary ones.
        self.assigned: dict[tuple[str, str], str] = {}
        self.settings: Object = {}
        self.migration: Any = None
        self.report = Report()
        # The number of steps of the call.
        self.total = 1
        # Requests that wait, each with what follows its response.
        self.pending: list[tuple[Request, Callable[[Response], None]]] = []
        self.drain: Callable[[Client], Task[None]] = drain
        self.draining: Task[None] | None = None

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
    ) -> Task[Response]:
        """Sends a request when its turn comes, and returns its response."""
        response: Response = yield Request(method, collection, path, parameters or {}, copy.deepcopy(body))
        return response

    def start(self, task: Task[None]) -> None:
        """Starts a task, which runs until its first request."""
        self.resume(task, None)

    def resume(self, task: Task[Any], response: Any) -> None:
        """Continues a task until its next request, or requests, which are sent after those that wait."""
        try:
            wanted = task.send(response)
        except StopIteration:
            return
        if isinstance(wanted, Request):
            wanted.is_of_drain = self.sending is not None and task is self.draining
            self.pending.append((wanted, lambda response: self.resume(task, response)))
            return
        left = [len(wanted)]

        def handled(handle: Callable[[Response], None], response: Response) -> None:
            handle(response)
            left[0] -= 1
            if left[0] == 0:
                self.resume(task, None)

        for request, handle in wanted:
            self.pending.append((request, functools.partial(handled, handle)))

    def run(self) -> None:
        """Sends requests, each after the response to the one before, until no task is left."""
        while self.pending:
            request, follow = self.pending.pop(0)
            response = self.exchange(request)
            follow(response)
            if response.is_success and not request.is_of_drain:
                self.start_draining()

    def start_draining(self) -> None:
        """Starts to send the queued operations, unless that is in progress."""
        if self.sending is None:
            self.draining = self.drain(self)
            self.start(self.draining)

    def ask(self, method: str, collection: str, path: str | None, body: Object) -> Response:
        """Sends a request of a call without other tasks, and returns its response."""
        responses: list[Response] = []

        def task() -> Task[None]:
            responses.append((yield from self.send(method, collection, path, body=body)))

        self.start(task())
        self.run()
        return responses[0]

    def exchange(self, request: Request) -> Response:
        """Performs a request, as the network permits."""
        state = self.next.pop(0) if self.next else self.network
        response = Response()
        if isinstance(state, dict) and "status" in state:
            response = Response(state["status"], name=state.get("error", "InternalServerError"))
        elif state == "up" or isinstance(state, dict):
            answer = self.backend.perform(request)
            response = Response(answer.status, copy.deepcopy(answer.content), answer.name, answer.field)
        if state == "down":
            response.failure = "notConnected"
        elif state != "up" and not (isinstance(state, dict) and "status" in state):
            response.failure = state["lost"] if isinstance(state, dict) else state
        told = request.json()
        if response.failure is not None:
            response.status = None
            told["failure"] = response.failure
        else:
            told["status"] = response.status
        self.report.requests.append(told)
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
        """Reports progress if it changed."""
        self.total, now = total, {"done": done, "total": total}
        if self.report.progress[-1:] != [now]:
            self.report.progress.append(now)

    def complete(self) -> None:
        """Ends the progress of a call."""
        self.advance(self.total, self.total)

    # Ids

    def permanent(self, collection: str, identifier: str) -> str:
        """Returns the permanent id of an object, if it has one."""
        return self.assigned.get((collection, identifier), identifier)

    def assign(self, collection: str, former: str, identifier: str) -> None:
        """Replaces a temporary id by a permanent one in the queue and in the cache."""
        self.assigned[collection, former] = identifier
        for waiting in self.queue:
            if waiting.key == (collection, former):
                waiting.id = identifier
                waiting.entity = None if waiting.entity is None else waiting.entity | {"_id": identifier}
            self.rename_references(waiting, collection, former, identifier)
        if (collection, former) in self.entries:
            self.entries[collection, identifier] = self.entries.pop((collection, former)) | {"_id": identifier}
        for key, ids in self.lists.items():
            if key[0] == collection:
                self.lists[key] = [identifier if each == former else each for each in ids]

    def rename_references(self, waiting: Waiting, collection: str, former: str, identifier: str) -> None:
        """Replaces an id in the references of a queued entity."""
        for reference in self.collections[waiting.collection].references.values():
            value = (waiting.entity or {}).get(reference.field)
            if value is None or waiting.entity is None or reference.collection != collection:
                continue
            ends = value if isinstance(value, list) else [value]
            ends = [reference.stored(identifier) if reference.own_id(each) == former else each for each in ends]
            waiting.entity[reference.field] = ends if isinstance(value, list) else ends[0]

    def refers_to_new(self, waiting: Waiting) -> bool:
        """Returns whether a queued entity refers to an object that the backend does not have yet."""
        opened = self.collections[waiting.collection]
        ids = [opened.related_ids(each, waiting.entity or {}) for each in opened.references.values()]
        return any(is_new(each) for every in ids for each in every)

    # Cache

    def waiting(self, collection: str, identifier: str) -> Waiting | None:
        """Returns the queued operation on an object."""
        return next((each for each in self.queue if each.key == (collection, identifier)), None)

    def keep(self, collection: str, entities: list[Object]) -> None:
        """Caches entities of the backend. Queued operations are newer."""
        for entity in entities:
            if self.waiting(collection, entity["_id"]) is None:
                self.entries[collection, entity["_id"]] = copy.deepcopy(entity)

    def remember(self, collection: Collection, entity: Object) -> None:
        """Caches an entity as it is, or will be, saved."""
        key = collection.name, entity["_id"]
        if collection.keeps_saved or key in self.entries:
            self.entries[key] = copy.deepcopy(entity)

    def forget(self, collection: str, identifier: str) -> None:
        """Removes an entity from the cache."""
        self.entries.pop((collection, identifier), None)
        self.held.pop((collection, identifier), None)
        for key, ids in self.lists.items():
            if key[0] == collection:
                self.lists[key] = [each for each in ids if each != identifier]

    def cached(self, collection: str, ids: list[str]) -> list[Object]:
        """Returns the cached entities with these ids."""
        found = [self.entries.get((collection, each)) for each in ids]
        return [copy.deepcopy(each) for each in found if each is not None]


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
