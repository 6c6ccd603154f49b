"""A store with the smallest permitted limits, which refuses larger values."""

import json_text
from json_text import Number

BODY_BYTES, ID_BYTES, DEPTH = 1_000_000, 240, 64


class LeastLimits:
    name = "limits-least"
    send = None

    def __init__(self, random):
        # The refused records of each call of `insertRevisions`, by the id of the request: index and error.
        self.refused = {}

    def request(self, message):
        """Refuses an operation that exceeds a limit, and removes such records from a call."""
        operation = message.get("perform")
        if not isinstance(operation, dict):
            return None
        name = operation.get("op")
        if name == "insertRevisions":
            faults = [fault(record) for record in operation["records"]]
            if any(faults):
                self.refused[message["id"]] = faults
                operation["records"] = [
                    record for record, found in zip(operation["records"], faults) if not found]
        elif name in ("create", "update", "delete", "resolve", "writeLocal"):
            found = fault(operation)
            return {"id": message["id"], "error": found} if found else None
        elif name == "batch":
            for place, write in enumerate(operation["writes"]):
                found = fault(write)
                if found:
                    return {"id": message["id"], "error": {**found, "write": Number(place)}}
        return None

    def reply(self, message, request):
        if "hello" in request and "ok" in message and "limits" in message["ok"]:
            limits = message["ok"]["limits"]
            least = {"bodyBytes": BODY_BYTES, "idBytes": ID_BYTES, "depth": DEPTH}
            # Other limits are those of the store itself.
            limits.update({name: Number(size) for name, size in least.items()})
            if "attachmentBytes" in limits:
                limits["attachmentBytes"] = Number(16_777_216)
        faults = self.refused.pop(message.get("id"), None) if "ask" not in message else None
        if faults and "ok" in message:
            results = iter(message["ok"]["results"])
            message["ok"]["results"] = [
                {"error": found} if found else next(results) for found in faults]

    def syntax(self, syntax):
        pass


def fault(write):
    """Returns the error of a write that exceeds a limit; None for others."""
    if len(write.get("id", "").encode()) > ID_BYTES:
        return too_large(ID_BYTES)
    body = write.get("body")
    if isinstance(body, dict):
        if json_text.depth(body) > DEPTH:
            return too_large(DEPTH)
        if json_text.size(body) > BODY_BYTES:
            return too_large(BODY_BYTES)
    return None


def too_large(limit):
    return {"kind": "tooLarge", "limit": Number(limit)}
