"""The client of an adapter for the runner in Python: the protocol of `Vectors/protocol.md`.

    python3 tools/python/run_vectors.py --adapter ./my-adapter

It does not serve time, randomness or network, and it does not restart the adapter: a hang or a malformed
response ends the current vector.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from typing import Any

Object = dict[str, Any]


class AdapterClient:
    """Creates stores of one process; each begins with a reset."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.folder = tempfile.TemporaryDirectory()
        self.process: subprocess.Popen[bytes] | None = None
        about = self.start()["ok"]
        self.profiles = tuple(about.get("profiles", ()))
        self.capabilities = tuple(about.get("capabilities", ()))
        self.capabilities_version = about.get("capabilitiesVersion", 1)
        self.restrictions = tuple(about.get("restrictions", ()))
        self.limits = about.get("limits", {})
        self.defaults = dict(about.get("defaults", {}))

    def start(self) -> Object:
        """Starts the process and sends `hello`."""
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(["/bin/sh", "-c", self.command], stdin=pipe, stdout=pipe)
        self.number = -1
        versions = {"first": 1, "last": 1}
        about = {"runner": "run_vectors.py", "folder": self.folder.name, "serves": []}
        return self.ask({"hello": {"protocol": versions, **about}})

    def __call__(self) -> AdapterClient:
        """Returns an empty store."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        reply = self.ask({"reset": {}})
        if reply != {"ok": {}}:
            raise ValueError(f"invalid response to reset: {reply}")
        return self

    def perform(self, operation: Object) -> Object:
        """Performs one operation."""
        return self.ask({"perform": operation})

    def ask(self, request: Object) -> Object:
        """Sends one request and returns the response."""
        assert self.process and self.process.stdin and self.process.stdout
        self.number += 1
        line = json.dumps({"id": self.number, **request}, ensure_ascii=False)
        try:
            self.process.stdin.write(line.encode("utf-8", "surrogatepass") + b"\n")
            self.process.stdin.flush()
            reply = json.loads(self.process.stdout.readline())
            if reply.pop("id") != self.number:
                raise ValueError(f"expected a response with the id {self.number}: {reply}")
            return reply
        except BaseException:
            self.process.kill()
            self.process.wait()
            self.process = None
            raise
