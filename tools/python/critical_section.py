"""The critical section of a store that several threads use.

    enter("before update")
    ...
    leave("after update")

One thread at a time is between `enter` and `leave`. With a point, both are places where the runner may let another
connection go first: the thread calls the function of `set_gate` with the point, and does not hold the lock.
"""

from __future__ import annotations

import threading
import time
from typing import Callable

_lock = threading.Lock()
_thread = threading.local()


def set_gate(gate: Callable[[str], None]) -> None:
    """Sets the function that this thread calls at each point. It returns when the thread may go on."""
    _thread.gate = gate


def enter(point: str | None = None) -> None:
    """Waits at the point, then for the lock."""
    _wait(point)
    _lock.acquire()


def leave(point: str | None = None) -> None:
    """Releases the lock, then waits at the point."""
    _lock.release()
    _wait(point)


def _wait(point: str | None) -> None:
    """Waits until this thread may go on. Without a function of its own it yields to other threads."""
    if point is not None:
        getattr(_thread, "gate", lambda _: time.sleep(0))(point)
