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
    """A call of `performInStack` or `saveStack`, or a step `perform` that saves."""

    def __init__(self, number: int, said: Object, queue: str, saves: bool) -> None:
        super().__init__(queue)
        self.number, self.said, self.saves = number, said, saves
        # A failure is reported to a completion or to a caller that waits.
        self.waits = said.get("waits", False)
        self.completes = saves and not self.waits and not said.get("unheard", False)
        # Whether its caller no longer waits for it, because of a deadlock.
        self.is_abandoned = False
        # The times of its beginning and of its end; None until then.
        self.began: int | None = None
        self.ended: int | None = None
        # The data on which it works, and the queue of its closure.
        self.data: set[str] = set()
        self.closure_queue = queue
        # The queue for which those wait who wait for its turn to end; None: its current queue.
        self.turn_queue: str | None = "caller" if self.waits else None


class Turn(Ticket):
    """The turn of a step that saves. It is over for those that wait when the turn has come."""

    def __init__(self, turns: list[Operation], operation: Operation) -> None:
        self.turns, self.operation = turns, operation
        super().__init__("")

    @property
    def is_over(self) -> bool:
        """Returns whether the turn has come."""
        return self.turns[0] is self.operation

    @is_over.setter
    def is_over(self, value: bool) -> None:
        """Has no effect: the list decides."""

    @property
    def queue(self) -> str:
        """Returns the queue of the operation whose turn it is."""
        return self.turns[0].turn_queue or self.turns[0].queue

    @queue.setter
    def queue(self, value: str) -> None:
        """Has no effect: the list decides."""


class Stack:
    """A stack. `attempt` performs a function on the contexts, and undoes its changes if it fails."""

    def __init__(self, name: str, options: Object, attempt: Callable[[Callable[[Contexts], Any]], Any]) -> None:
        self.name, self.attempt = name, attempt
        self.options = {each: values[0] for each, values in STACK_OPTIONS.items()} | options
        self.queues = Queues()
        self.count = 0
        # The operations that have begun.
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
        self.count += 1
        operation = Operation(self.count, said, queue, saves)
        if saves and "steps" in said and self.options["takesTurns"]:
            self.turns.append(operation)
            if len(self.turns) > 1:
                return operation
        self.start(operation)
        return operation

    def start(self, operation: Operation) -> None:
        """Adds the first block of an operation."""
        self.begin(operation)
        if "steps" in operation.said:
            self.queues.add(operation.queue, self.block_of(operation))
        else:
            self.save_for(operation)

    def begin(self, operation: Operation) -> None:
        """Records the beginning of an operation."""
        operation.began = self.tick()
        self.operations.append(operation)

    def block_of(self, operation: Operation) -> Body:
        """Runs the closure of an operation, and begins its save."""
        queue = operation.queue
        try:
            noted = operation if operation.saves else None
            operation.results = yield from self.closure(queue, operation.said["steps"], noted)
        except Refusal as refusal:
            operation.error = refusal
            if not operation.is_abandoned:
                self.event("ran", queue, operation=operation.number, error=refusal.error)
            self.finish(operation)
            return
        self.event("ran", queue, operation=operation.number, results=operation.results)
        if operation.saves and not operation.is_abandoned:
            self.note_changes(operation)
            self.save_for(operation)
        else:
            self.finish(operation)

    def save_for(self, operation: Operation) -> None:
        """Saves all contexts, each in a block of its queue."""
        is_heard = operation.waits or operation.completes
        goes_on = self.options["saveFailure"] == "goesOnUnheard" and not is_heard
        self.save_on_queues(list(QUEUES), operation, lambda: self.finish(operation), goes_on)

    def finish(self, operation: Operation) -> None:
        """Ends an operation: the next one takes its turn, and the completion is called."""
        operation.end(operation.error)
        self.leave(operation)
        if operation.completes:
            error = {} if operation.error is None else {"error": operation.error.error}
            self.queues.do("main", lambda: self.event("completed", "main", operation=operation.number, **error))

    def leave(self, operation: Operation) -> None:
        """Ends the turn of an operation."""
        operation.ended = self.tick()
        if operation in self.turns:
            is_first = self.turns[0] is operation
            self.turns.remove(operation)
            # A step and a caller that waits continue by themselves.
            following = self.turns[0] if is_first and self.turns else None
            if following is not None and following.turn_queue is None:
                self.start(following)

    def wait(self, operation: Operation) -> None:
        """Runs queues until an operation has ended, and raises its error."""

        def target() -> str:
            if operation.began is None and self.turns[0] is operation:
                self.start(operation)
            first = operation if operation.began is not None else self.turns[0]
            return first.queue if first is operation else first.turn_queue or first.queue

        try:
            self.queues.run_until(lambda: operation.is_over, target)
        except Refusal:
            # The block that the caller waited for stays on its queue; what would follow it does not.
            operation.is_abandoned = True
            self.leave(operation)
            raise
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
            if getattr(ticket, "is_abandoned", False):
                return
            if queues[1:]:
                self.save_on_queues(queues[1:], ticket, after, goes_on)
            else:
                after()

        self.queues.do(queues[0], block)

    def save_all(self, own: str) -> Body:
        """Saves all contexts for a closure that waits for each. That of its own queue is saved at once."""
        for queue in QUEUES:
            if queue == own:
                self.save(own)
                continue
            ticket = Ticket(queue)
            self.save_on_queues([queue], ticket, lambda ticket=ticket: ticket.end(ticket.error))
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

    def closure(self, queue: str, steps: list[Object], operation: Operation | None) -> Running:
        """Performs steps one after the other. The operation is the one that saves their changes."""
        results: list[Object] = []
        for step in steps:
            ((name, said),) = step.items()
            if name == "perform":
                results.append({"results": (yield from self.perform(queue, said))})
            elif name == "saveAll":
                yield from self.save_all(queue)
                results.append({})
            elif name == "save":
                results.append(self.save(queue))
            else:
                results.append(self.step(queue, name, said, operation))
        return results

    def perform(self, queue: str, said: Object) -> Running:
        """Performs a closure, and waits for it. On its own queue it runs at once."""
        other = said["queue"]
        if other not in CHILDREN:
            raise Refusal("badRequest", path="queue")
        if not said.get("saves", False):
            return (yield from self.closure_on(other, queue, said["steps"], None))
        operation = Operation(0, said, other, True)
        operation.turn_queue = queue
        try:
            if self.options["takesTurns"]:
                self.turns.append(operation)
                while self.turns[0] is not operation:
                    yield Turn(self.turns, operation)
            self.begin(operation)
            results = yield from self.closure_on(other, queue, said["steps"], operation)
            self.note_changes(operation)
            yield from self.save_all(queue)
        finally:
            self.leave(operation)
        return results

    def closure_on(
        self, other: str, queue: str, steps: list[Object], operation: Operation | None
    ) -> Running:
        """Performs a closure on another queue, or at once on its own."""
        if other == queue:
            return (yield from self.closure(queue, steps, operation))
        return (yield from self.closure_elsewhere(other, steps, operation))

    def closure_elsewhere(
        self, queue: str, steps: list[Object], operation: Operation | None
    ) -> Running:
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

    def step(self, queue: str, name: str, said: Object, operation: Operation | None) -> Object:
        """Performs a step that waits for nothing."""
        if name == "findOrInsert":
            if operation is not None:
                self.note(operation, {each: said[each] for each in ("entity", "key", "value")})
            every = self.options["handledObjects"] == "everyResult"
            return self.in_context(queue, lambda context: find_or_insert(context, said, every))
        if name in ("find", "findAll"):
            return self.in_context(queue, lambda context: context.fetch(said))
        perform = CONTEXT_OPERATIONS[f"{name}Object"]
        self.attempt(lambda contexts: perform(contexts, {**said, "context": self.context_name(queue)}))
        return {}

    # Warnings

    def note_changes(self, operation: Operation) -> None:
        """Notes all objects that a context is about to save."""
        told = self.in_context(operation.closure_queue, lambda context: Save(context).told())
        for kind in ("inserted", "updated", "deleted"):
            for identifier in told[kind]:
                self.note(operation, {"id": identifier})

    def note(self, operation: Operation, data: Object) -> None:
        """Notes data of an operation that saves, and warns of another one with the same data."""
        key = json.dumps(data, sort_keys=True)
        operation.data.add(key)
        began = operation.began or 0
        for other in self.operations:
            is_sibling = other.closure_queue != operation.closure_queue and key in other.data
            if is_sibling and (other.ended is None or other.ended > began) and key not in self.warned:
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
        context.change(identifier, said.get("values", {}))
    objects = [context.shown(context.read(identifier)).json() for identifier in found]
    return {"objects": objects, "handled": handled}
