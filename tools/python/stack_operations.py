"""The operations on stacks.

Written from `Vectors/README.md`, "Stacks".
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

from context_operations import Contexts, open_context, reset
from object_mapping import bad
from object_store import METADATA
from revision_ids import Object, Refusal
from stack_closures import CHILDREN, STACK_OPTIONS, Stack
from stack_queues import QUEUES, Ticket

Attempt = Callable[[Callable[[Contexts], Any]], Any]


class Stacks:
    """The stacks of a store. `attempt` performs a function on the contexts of the store, or undoes it."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.stacks: dict[str, Stack] = {}

    def perform(self, operation: Object) -> Object:
        """Performs an operation."""
        return STACK_OPERATIONS[operation["op"]](self, operation)

    def stack(self, operation: Object) -> Stack:
        """Returns the stack of an operation."""
        name = operation["stack"]
        if name not in self.stacks:
            raise bad("unknownStack", name)
        return self.stacks[name]

    @contextlib.contextmanager
    def watching(self, operation: Object) -> Iterator[list[Object]]:
        """Reports a save of a context that is not a block of a stack; the save adds its result to the list."""
        every = [(stack, queue) for stack in self.stacks.values() for queue in CHILDREN]
        watching = [each for each in every if each[0].context_name(each[1]) == operation["context"]]
        saved: list[Object] = []
        try:
            yield saved
        except Refusal as refusal:
            for stack, queue in watching:
                stack.event("failed", queue, error=refusal.error)
            raise
        for stack, queue in watching:
            stack.note_save(queue, saved[0])


def open_stack(stacks: Stacks, operation: Object) -> Object:
    """Opens a writer on the store, and two contexts on the writer."""
    options = operation.get("options", {})
    own = {name: value for name, value in options.items() if name in STACK_OPTIONS}
    if any(repr(value) not in map(repr, STACK_OPTIONS[name]) for name, value in own.items()):
        raise Refusal("badRequest", path="options")
    stack = Stack(operation["stack"], own, stacks.attempt)
    of_contexts = {name: value for name, value in options.items() if name not in own}

    def open_all(contexts: Contexts) -> None:
        writer = {"context": stack.context_name("writer")}
        open_context(contexts, writer | {"policy": operation.get("policy", "error")})
        for queue in CHILDREN:
            child = {"context": stack.context_name(queue), "parent": writer["context"]}
            open_context(contexts, child | {"options": of_contexts})

    stacks.attempt(open_all)
    stacks.stacks[stack.name] = stack
    return {}


def perform_in_stack(stacks: Stacks, operation: Object) -> Object:
    """Adds a closure to a queue."""
    stack = stacks.stack(operation)
    if operation["queue"] not in CHILDREN:
        raise Refusal("badRequest", path="queue")
    called = stack.call(operation, operation["queue"], operation.get("saves", False))
    if not called.waits:
        return {"operation": called.number}
    stack.wait(called)
    return {"operation": called.number, "results": called.results}


def save_stack(stacks: Stacks, operation: Object) -> Object:
    """Saves all contexts."""
    stack = stacks.stack(operation)
    called = stack.call(operation, QUEUES[0], True)
    if called.waits:
        stack.wait(called)
    return {"operation": called.number}


def run_stack(stacks: Stacks, operation: Object) -> Object:
    """Runs the next block of a queue, or all queues."""
    stack = stacks.stack(operation)
    if "queue" not in operation:
        stack.queues.run_all()
    elif operation["queue"] in QUEUES:
        stack.queues.run(operation["queue"])
    else:
        raise Refusal("badRequest", path="queue")
    news = {"events": stack.events, "warnings": stack.warnings}
    stack.events, stack.warnings = [], []
    return news | {"ready": stack.queues.ready(), "waits": stack.queues.waits()}


def reset_stack(stacks: Stacks, operation: Object) -> Object:
    """Resets each context after the blocks on its queue, and deletes all objects of the store after that."""
    stack = stacks.stack(operation)
    for queue in QUEUES:
        wait_for(stack, queue, lambda queue=queue: stack.in_context(queue, lambda context: reset(context, {})))
    wait_for(stack, "writer", lambda: stack.attempt(empty))
    return {}


def wait_for(stack: Stack, queue: str, act: Callable[[], Any]) -> None:
    """Performs a function in a block of a queue, and waits for it."""
    ticket = Ticket(queue)

    def block() -> None:
        act()
        ticket.end()

    stack.queues.do(queue, block)
    stack.queues.run_until(lambda: ticket.is_over, lambda: queue)


def empty(contexts: Contexts) -> None:
    """Deletes all objects of a store."""
    database = contexts.database
    for identifier, document in list(database.documents.items()):
        if identifier != METADATA and contexts.stored_row(identifier) is not None:
            for rev in document.live_leaves():
                database.delete({"id": identifier, "rev": rev})
    contexts.cache.clear()


def entity_of_class(stacks: Stacks, operation: Object) -> Object:
    """Returns the entity of a class."""
    entities = stacks.attempt(lambda contexts: list(contexts.store.model.entities))
    name, prefix = last_name(operation["class"]), operation.get("prefix", "")
    short = name.removeprefix(prefix)
    found = next((each for each in (short, name) if each and each in entities), None)
    return {} if found is None else {"entity": found}


def last_name(name: str) -> str:
    """Returns the name of a class without modules and outer classes."""
    mangled = re.fullmatch("_Tt[A-Z]+([0-9].*)", name)
    if mangled is None:
        return name.rpartition(".")[2]
    rest, last = mangled[1], name
    while length := re.match("[0-9]+", rest):
        begin = length.end()
        last, rest = rest[begin : begin + int(length[0])], rest[begin + int(length[0]) :]
    return last


STACK_OPERATIONS: dict[str, Callable[[Stacks, Object], Object]] = {
    "openStack": open_stack,
    "performInStack": perform_in_stack,
    "saveStack": save_stack,
    "runStack": run_stack,
    "resetStack": reset_stack,
    "entityOfClass": entity_of_class,
}
