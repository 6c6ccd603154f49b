"""A stack of three contexts: closures, saves, merges and warnings.

Written from `Vectors/README.md`, "Stacks".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from typing import Any

from context_graph import Context
from context_operations import CONTEXT_OPERATIONS, Contexts
from context_saving import Save
from revision_ids import Object, Refusal
from stack_queues import QUEUES, Body, Queues, Ticket

CHILDREN = ("main", "background")
STACK_OPTIONS: dict[str, tuple[Any, ...]] = {
    # The first value is the default.
    "handledObjects": ("inserted", "everyResult"),
    "saveFailure": ("stops", "goesOnUnheard"),
    "takesTurns": (False, True),
}
# What a closure does until it waits again, and its results in the end.
Running = Generator[Ticket, None, list[Object]]


class Operation(Ticket):
    """A call of `performInStack` or `saveStack`."""

    def __init__(self, number: int, said: Object, queue: str, saves: bool) -> None:
        super().__init__(queue)
        self.number, self.said, self.saves = number, said, saves
        # A failure is reported to a completion or to a caller that waits.
        self.waits = said.get("waits", False)
        self.completes = saves and not self.waits and not said.get("unheard", False)
        self.has_started = False
        # The time of its beginning and of its end; the data on which it worked, with the queue.
        self.began, self.ended = 0, 0
        self.data: set[tuple[str, str]] = set()


class Stack:
    """A stack. `attempt` performs a function on the contexts, and undoes its changes if it fails."""

    def __init__(self, name: str, options: Object, attempt: Callable[[Callable[[Contexts], Any]], Any]) -> None:
        self.name, self.attempt = name, attempt
        self.options = {each: values[0] for each, values in STACK_OPTIONS.items()} | options
        self.queues = Queues()
        self.operations: list[Operation] = []
        # The operations that take turns and have not ended.
        self.turns: list[Operation] = []
        self.events: list[Object] = []
        self.warnings: list[Object] = []
        self.warned: set[str] = set()
        self.clock = 0

    def context_name(self, queue: str) -> Any:
        """Returns the name of the context of a queue. That of the writer is not a text."""
        return (self.name, "writer") if queue == "writer" else f"{self.name}.{queue}"

    def in_context(self, queue: str, act: Callable[[Context], Any]) -> Any:
        """Performs a function on the context of a queue."""
        return self.attempt(lambda contexts: act(contexts.context(self.context_name(queue))))

    def event(self, name: str, queue: str, **members: Any) -> None:
        """Records an event."""
        self.events.append({"event": name, "queue": queue, **members})

    # Operations

    def call(self, said: Object, queue: str, saves: bool) -> Operation:
        """Begins an operation, or puts it behind those whose turn comes first."""
        operation = Operation(len(self.operations) + 1, said, queue, saves)
        self.operations.append(operation)
        if saves and self.options["takesTurns"]:
            self.turns.append(operation)
            if len(self.turns) > 1:
                return operation
        self.start(operation)
        return operation

    def start(self, operation: Operation) -> None:
        """Adds the first block of an operation."""
        operation.has_started = True
        if "steps" in operation.said:
            self.queues.add(operation.queue, self.block_of(operation))
        else:
            self.save_on_queues(list(QUEUES), operation, lambda: self.finish(operation), self.is_unheard(operation))

    def block_of(self, operation: Operation) -> Body:
        """Runs the closure of an operation, and begins its save."""
        operation.began = self.tick()
        try:
            operation.results = yield from self.closure(operation.queue, operation.said["steps"], operation)
        except Refusal as refusal:
            operation.error = refusal
            self.event("ran", operation.queue, operation=operation.number, error=refusal.error)
            self.finish(operation)
            return
        self.event("ran", operation.queue, operation=operation.number, results=operation.results)
        if operation.saves:
            self.save_on_queues(list(QUEUES), operation, lambda: self.finish(operation), self.is_unheard(operation))
        else:
            self.finish(operation)

    def is_unheard(self, operation: Operation) -> bool:
        """Returns whether a save continues after a failure."""
        is_heard = operation.waits or operation.completes
        return self.options["saveFailure"] == "goesOnUnheard" and not is_heard

    def finish(self, operation: Operation) -> None:
        """Ends an operation: its completion is called, and the next one takes its turn."""
        operation.end(operation.error)
        operation.ended = self.tick()
        if operation.completes:
            error = {} if operation.error is None else {"error": operation.error.error}
            self.queues.do("main", lambda: self.event("completed", "main", operation=operation.number, **error))
        if self.turns and self.turns[0] is operation:
            self.turns.pop(0)
            if self.turns:
                self.start(self.turns[0])

    def wait(self, operation: Operation) -> None:
        """Runs queues until an operation has ended, and raises its error."""

        def target() -> str:
            return operation.queue if operation.has_started else self.turns[0].queue

        self.queues.run_until(lambda: operation.is_over, target)
        if operation.error is not None:
            raise operation.error

    def tick(self) -> int:
        """Returns the next time."""
        self.clock += 1
        return self.clock

    # Saving and merging

    def save_on_queues(
        self, queues: list[str], ticket: Ticket, after: Callable[[], Any], goes_on: bool = False
    ) -> None:
        """Saves contexts in order, each in a block that is added when the one before has ended."""
        ticket.queue = queues[0]

        def block() -> None:
            try:
                self.save(queues[0])
            except Refusal as refusal:
                ticket.error = None if goes_on else refusal
                if not goes_on:
                    after()
                    return
            if queues[1:]:
                self.save_on_queues(queues[1:], ticket, after, goes_on)
            else:
                after()

        self.queues.do(queues[0], block)

    def save_all(self, own: str) -> Body:
        """Saves all contexts for a closure that waits. The context of its own queue is saved at once."""
        place = QUEUES.index(own)
        yield from self.save_and_wait(list(QUEUES[:place]))
        self.save(own)
        yield from self.save_and_wait(list(QUEUES[place + 1 :]))

    def save_and_wait(self, queues: list[str]) -> Body:
        """Saves contexts on other queues, and waits for them."""
        if queues:
            ticket = Ticket(queues[0])
            self.save_on_queues(queues, ticket, lambda: ticket.end(ticket.error))
            yield ticket
            if ticket.error is not None:
                raise ticket.error

    def save(self, queue: str) -> Object:
        """Saves one context."""
        try:
            saved = self.in_context(queue, lambda context: Save(context).run())
        except Refusal as refusal:
            self.event("failed", queue, error=refusal.error)
            raise
        self.note_save(queue, saved)
        return {kind: saved[kind] for kind in ("inserted", "updated", "deleted")}

    def note_save(self, queue: str, saved: Object) -> None:
        """Reports a save of a context, and adds a block that merges it into the sibling."""
        changes = {kind: saved[kind] for kind in ("inserted", "updated", "deleted")}
        self.event("saved", queue, **changes)
        # Without a notification there is nothing to merge.
        if queue in CHILDREN and saved["events"]:
            sibling = CHILDREN[1 - CHILDREN.index(queue)]
            self.queues.do(sibling, lambda: self.merge(queue, sibling, changes))

    def merge(self, source: str, queue: str, changes: Object) -> None:
        """Merges a save of the sibling."""
        try:
            self.in_context(queue, lambda context: context.merge(changes))
        except Refusal as refusal:
            self.event("failed", queue, error=refusal.error)
        else:
            self.event("merged", queue, **{"from": source}, **changes)

    # Closures

    def closure(self, queue: str, steps: list[Object], operation: Operation) -> Running:
        """Performs steps one after the other."""
        results: list[Object] = []
        touched: set[str] = set()
        for step in steps:
            ((name, said),) = step.items()
            if name == "perform":
                results.append((yield from self.perform(queue, said, operation)))
            elif name == "saveAll":
                yield from self.save_all(queue)
                results.append({})
            elif name == "save":
                results.append(self.save(queue))
            else:
                results.append(self.step(queue, name, said, operation, touched))
        for identifier in sorted(touched, key=str.encode):
            self.note(operation, queue, {"id": identifier})
        return results

    def perform(self, queue: str, said: Object, operation: Operation) -> Generator[Ticket, None, Object]:
        """Performs a closure, and waits for it. On its own queue it runs at once."""
        other = said["queue"]
        if other not in CHILDREN:
            raise Refusal("badRequest", path="queue")
        if other == queue:
            results = yield from self.closure(queue, said["steps"], operation)
        else:
            results = yield from self.closure_elsewhere(other, said["steps"], operation)
        if said.get("saves", False):
            yield from self.save_all(queue)
        return {"results": results}

    def closure_elsewhere(self, queue: str, steps: list[Object], operation: Operation) -> Running:
        """Performs a closure in a block of another queue, and waits for it."""
        ticket = Ticket(queue)

        def body() -> Body:
            try:
                ticket.results = yield from self.closure(queue, steps, operation)
            except Refusal as refusal:
                ticket.end(refusal)
            else:
                ticket.end()

        self.queues.add(queue, body())
        yield ticket
        if ticket.error is not None:
            raise ticket.error
        return ticket.results

    def step(self, queue: str, name: str, said: Object, operation: Operation, touched: set[str]) -> Object:
        """Performs a step that waits for nothing."""
        if name == "findOrInsert":
            self.note(operation, queue, {each: said[each] for each in ("entity", "key", "value")})
            every = self.options["handledObjects"] == "everyResult"
            found = self.in_context(queue, lambda context: find_or_insert(context, said, every))
            touched.update(found["handled"])
            return found
        if name in ("find", "findAll"):
            return self.in_context(queue, lambda context: context.fetch(said))
        perform = CONTEXT_OPERATIONS[f"{name}Object"]
        self.attempt(lambda contexts: perform(contexts, {**said, "context": self.context_name(queue)}))
        touched.add(said["id"])
        return {}

    # Warnings

    def note(self, operation: Operation, queue: str, data: Object) -> None:
        """Records the data of an operation that saves, and warns of another one with the same data."""
        if not operation.saves:
            return
        key = json.dumps(data, sort_keys=True)
        operation.data.add((queue, key))
        for other in self.operations:
            overlaps = other.has_started and (not other.is_over or other.ended > operation.began)
            is_same = any(at != queue and each == key for at, each in other.data)
            if other is not operation and overlaps and is_same and key not in self.warned:
                self.warned.add(key)
                self.warnings.append({"warning": "sameData", **data})


def find_or_insert(context: Context, said: Object, handles_all: bool) -> Object:
    """Finds the objects with a value, or inserts one. The handler sets further values."""
    search = {"entity": said["entity"], "predicate": "%K == %@", "arguments": [said["key"], said["value"]]}
    found = [each["id"] for each in context.fetch(search)["objects"]]
    handled = found if handles_all else []
    if not found:
        context.insert(said["id"], said["entity"], {said["key"]: said["value"]})
        found = handled = [said["id"]]
    for identifier in handled:
        if said.get("values"):
            context.change(identifier, said["values"])
    objects = [context.shown(context.read(identifier)).json() for identifier in found]
    return {"objects": objects, "handled": handled}
