"""Sending the operations of the offline queue. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

from collection_client import Client, Task
from collection_problems import Response
from collection_queue import Waiting, put, withdraw
from collection_saving import save_entity


def drain(client: Client) -> Task[None]:
    """Tries each queued operation once, except those on objects whose saves are in progress."""
    for key in [waiting.key for waiting in client.queue]:
        waiting = client.waiting(key[0], client.permanent(*key))
        if waiting is None or waiting.key in client.saving:
            continue
        if client.collections[waiting.collection].declines("declinesSending", waiting.operation, waiting.id):
            withdraw(client, *waiting.key)
            client.forget(*waiting.key)
            client.note("dropped", waiting)
            continue
        if client.refers_to_new(waiting):
            # An object to which it refers failed in this drain.
            put(client, waiting)
            client.note("putBack", waiting)
            continue
        client.sending = waiting
        client.note("sending", waiting)
        response = yield from attempt(client, waiting)
        client.sending = None
        settle(client, waiting, response)


def attempt(client: Client, waiting: Waiting) -> Task[Response]:
    """Sends a queued operation."""
    if waiting.entity is None:
        return (yield from client.send("DELETE", waiting.collection, waiting.id))
    return (yield from save_entity(client, waiting.collection, waiting.id, waiting.entity))


def settle(client: Client, waiting: Waiting, response: Response) -> None:
    """Removes a performed operation from the queue, or puts it back."""
    latest = client.waiting(*waiting.key)
    if not response.is_success and not (waiting.entity is None and response.status == 404):
        if latest is not None:
            put(client, latest)
        client.note("putBack", waiting)
        return
    # A later operation on the object stays.
    if latest is waiting:
        client.queue.remove(waiting)
    told = Waiting(waiting.collection, waiting.id)
    identifier = response.content[0]["_id"] if waiting.entity is not None else waiting.id
    if identifier == waiting.id:
        client.note("done", told)
    else:
        client.assign(waiting.collection, waiting.id, identifier)
        client.note("done", told, identifier)
