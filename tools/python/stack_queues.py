"""Serial queues of blocks that may wait for each other.

Written from `Vectors/README.md`, "Stacks".
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from object_mapping import bad
from revision_ids import Object, Refusal

QUEUES = ("main", "background", "writer")


class Ticket:
    """Work that others wait for: its current queue, and in the end its result or its error."""

    def __init__(self, queue: str) -> None:
        self.queue, self.is_over = queue, False
        self.results: list[Object] = []
        self.error: Refusal | None = None

    def end(self, error: Refusal | None = None) -> None:
        """Ends the work."""
        self.is_over, self.error = True, error


# The body of a block: it yields each ticket that it waits for.
Body = Generator[Ticket, None, None]


class Block:
    """A block on a queue."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.ticket: Ticket | None = None

    @property
    def waits_for(self) -> str | None:
        """Returns the queue for which the block waits, or None."""
        return None if self.ticket is None or self.ticket.is_over else self.ticket.queue


class Queues:
    """The queues of a stack. A block runs when its queue is run, and only then."""

    def __init__(self) -> None:
        self.blocks: dict[str, list[Block]] = {name: [] for name in QUEUES}

    def add(self, queue: str, body: Body) -> None:
        """Adds a block at the end of a queue."""
        self.blocks[queue].append(Block(body))

    def do(self, queue: str, act: Callable[[], Any]) -> None:
        """Adds a block that waits for nothing."""

        def body() -> Body:
            act()
            return
            yield

        self.add(queue, body())

    def ready(self) -> list[str]:
        """Returns the queues that can continue."""
        return [name for name, blocks in self.blocks.items() if blocks and blocks[0].waits_for is None]

    def waits(self) -> list[Object]:
        """Returns which queue waits for which."""
        fronts = [(name, blocks[0].waits_for) for name, blocks in self.blocks.items() if blocks]
        return [{"queue": name, "waitsFor": other} for name, other in fronts if other is not None]

    def run(self, queue: str) -> None:
        """Runs the next block of a queue to its end, or until it waits. A waiting queue stays."""
        if queue not in self.ready():
            return
        block = self.blocks[queue][0]
        try:
            block.ticket = next(block.body)
        except StopIteration:
            self.blocks[queue].remove(block)

    def run_all(self) -> None:
        """Runs all queues until no block is left."""
        while any(self.blocks.values()):
            ready = self.ready()
            if not ready:
                raise self.deadlock()
            self.run(ready[0])

    def run_until(self, is_over: Callable[[], bool], target: Callable[[], str]) -> None:
        """Runs the queues for which a caller waits, and those for which these wait."""
        while not is_over():
            queue = target()
            pairs = [("caller", queue)]
            while queue not in self.ready():
                blocks = self.blocks.get(queue)
                pair = (queue, (blocks[0].waits_for if blocks else None) or queue)
                if pair in pairs or not blocks:
                    raise self.deadlock(pairs)
                pairs.append(pair)
                queue = pair[1]
            self.run(queue)

    def deadlock(self, pairs: list[tuple[str, str]] | None = None) -> Refusal:
        """Returns the error of a caller in a cycle of waiting queues, or of all queues."""
        if pairs is None:
            pairs = [(each["queue"], each["waitsFor"]) for each in self.waits()]
        ordered = sorted(pairs, key=lambda pair: ("caller", *QUEUES).index(pair[0]))
        return bad("deadlock", " ".join(f"{queue}>{other}" for queue, other in ordered))
