"""Errors that calls of a client report in their callbacks. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from revision_ids import Object

# The numbers of the system for requests without a response.
FAILURES = {
    "unknown": -1,
    "timedOut": -1001,
    "cannotFindHost": -1003,
    "cannotConnect": -1004,
    "connectionLost": -1005,
    "cannotResolveHost": -1006,
    "notConnected": -1009,
}
# The failures after which operations are queued.
QUEUED_AFTER = {"unknown", "timedOut", "cannotResolveHost", "notConnected"}
# The numbers of the product.
CODES = {
    "notInCache": 404,
    "badQuery": 60012,
    "withoutID": 60101,
    "noSuchCollection": 60012,
    "noSuchTag": 60012,
    "relatedFailed": 60101,
    "mustWait": 60001,
    "badAnswer": 60013,
}


@dataclass
class Problem:
    """The reason why a call, or one object of it, failed."""

    reason: str
    code: int
    name: str | None = None
    field: str | None = None
    failures: list[Object] = dataclasses.field(default_factory=list)
    succeeded: list[Object] = dataclasses.field(default_factory=list)
    queued: list[str] = dataclasses.field(default_factory=list)

    def json(self) -> Object:
        """Returns the problem in the form of results."""
        told: Object = {"reason": self.reason, "code": self.code} | self.names()
        return told | {"failures": self.failures, "succeeded": self.succeeded, "queued": self.queued}

    def names(self) -> Object:
        """Returns the optional members."""
        told: Object = {} if self.name is None else {"name": self.name}
        return told | ({} if self.field is None else {"field": self.field})

    def of_object(self, collection: str, identifier: str | None, index: int | None) -> Object:
        """Returns the failure of one object."""
        told: Object = {"collection": collection} | ({} if index is None else {"index": index})
        told |= {} if identifier is None else {"id": identifier}
        return told | {"reason": self.reason} | self.names()


def problem(reason: str, name: str | None = None) -> Problem:
    """Returns a problem of the client."""
    return Problem(reason, CODES[reason], name)


@dataclass
class Response:
    """What a client receives for a request: a status with a content, or a failure."""

    status: int | None = None
    content: Any = None
    name: str | None = None
    field: str | None = None
    failure: str | None = None

    @property
    def is_success(self) -> bool:
        """Returns whether the request was performed and confirmed."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def problem(self) -> Problem:
        """Returns the problem of a request without success."""
        if self.failure is not None:
            return Problem("network", FAILURES[self.failure], self.failure)
        return Problem("backend", self.status or 0, self.name, self.field)
