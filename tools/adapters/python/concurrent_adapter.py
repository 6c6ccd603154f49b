#!/usr/bin/env python3
"""The little store in Python for several connections at once (`"connections": "socket"`).

    tools/adapters/python/concurrent_adapter.py

It is `adapter.py` with a thread for each connection. All connections use the same stores, and a lock makes each
operation atomic. If the runner serves `pass`, an operation requests it before it takes the lock and after it has
released it. See "Connections" in `Vectors/protocol.md`.
"""

import json
import os
import socket
import sys
import threading
import time
import traceback
from collections import deque
from pathlib import Path

import adapter
import critical_section
from little_store import LittleStore

adapter.ABOUT |= {"name": "little-store with connections", "connections": "socket"}


class Stores:
    """The stores of all connections."""

    def __init__(self):
        self.store = LittleStore()

    def reset(self):
        """Removes all stores. No operation is in progress."""
        self.store = LittleStore()

    def perform(self, operation):
        """Performs an operation while no other one is performed."""
        op = operation.get("op")
        critical_section.enter(f"before {op}")
        try:
            return self.store.perform(operation)
        finally:
            critical_section.leave(f"after {op}")


class Connection:
    """One connection to the runner, served by one thread."""

    def __init__(self, stores, incoming, outgoing, listener=None):
        self.stores = stores
        self.incoming, self.outgoing = incoming, outgoing
        self.listener = listener
        # Later requests that arrived while an operation waited for the answer to `pass`.
        self.queue = deque()
        self.operation = None
        self.asks = 0
        self.serves_pass = False

    def serve(self):
        """Responds to requests until the last one or the end of the input."""
        critical_section.set_gate(self.wait)
        while line := self.queue.popleft() if self.queue else self.incoming.readline():
            number, request = adapter.read(line)
            self.operation = number
            outcome, store = self.answer(request)
            self.write({"id": number, **outcome})
            if store is None:
                break

    def answer(self, request):
        """Like `adapter.answer`, and serves `reset` and `listen`."""
        if "reset" in request:
            self.stores.reset()
            return {"ok": {}}, self.stores
        if "listen" in request and self.listener is not None:
            self.listener.start(request["listen"]["path"])
            return {"ok": {}}, self.stores
        if "hello" in request:
            self.serves_pass = "pass" in request["hello"].get("serves", [])
        return adapter.answer(request, self.stores)

    def wait(self, point):
        """Waits until the runner lets the operation go on. An operation finishes even if its connection ends."""
        if not self.serves_pass:
            time.sleep(0)
            return
        self.asks += 1
        try:
            self.write({"ask": self.asks, "id": self.operation, "pass": {"point": point}})
            while line := self.incoming.readline():
                if json.loads(line).get("ask") == self.asks:
                    return
                self.queue.append(line)
        except ConnectionError:
            pass
        self.serves_pass = False

    def write(self, message):
        """Writes one line and flushes it, because the runner waits for it."""
        line = json.dumps(message, ensure_ascii=False, allow_nan=False)
        self.outgoing.write(line.encode() + b"\n")
        self.outgoing.flush()


class Listener:
    """The Unix socket for further connections."""

    def __init__(self, stores):
        self.stores = stores
        self.path = None

    def start(self, path):
        """Creates the socket, and accepts connections from now on."""
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # The file has the mode 0600 from the moment at which it exists.
        mask = os.umask(0o177)
        try:
            server.bind(path)
        finally:
            os.umask(mask)
        self.path = path
        server.listen(128)
        threading.Thread(target=self.accept, args=[server], daemon=True).start()

    def accept(self, server):
        """Serves each connection in a thread of its own."""
        while True:
            peer, _ = server.accept()
            threading.Thread(target=self.serve, args=[peer], daemon=True).start()

    def serve(self, peer):
        """Serves one connection. An unexpected error ends the process, as it does in the main thread."""
        try:
            with peer, peer.makefile("rb") as incoming, peer.makefile("wb") as outgoing:
                Connection(self.stores, incoming, outgoing).serve()
        except ConnectionError:
            # The runner closed this connection. The others continue.
            pass
        except BaseException:
            traceback.print_exc()
            os._exit(1)

    def close(self):
        """Removes the file of the socket."""
        if self.path is not None:
            Path(self.path).unlink(missing_ok=True)


def main():
    """Serves the standard streams. Their end is the end of the process."""
    stores = Stores()
    listener = Listener(stores)
    try:
        Connection(stores, sys.stdin.buffer, sys.stdout.buffer, listener).serve()
    finally:
        listener.close()


if __name__ == "__main__":
    main()
