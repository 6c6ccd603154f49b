"""Replicators against a hostile server, seed after seed.

For each seed, `touchstone serve --http --hostile` injects faults while a replicator copies between one of
its databases and one of a friendly server, in both directions. Then the verdict compares both sides.
The replicator is Touchstone's own (in the friendly server, which is started here), or that of the server
with the URL of --client, such as CouchDB.
"""

import argparse
import base64
import http.client
import json
import random
import re
import subprocess
import sys
import time
import urllib.parse


class Server:
    """A server with CouchDB's interface, with one connection."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.host, self.port = parts.hostname, parts.port
        self.headers = {"Content-Type": "application/json", "User-Agent": "driver"}
        self.url = f"http://{parts.hostname}:{parts.port}"
        self.full = url.rstrip("/")
        if parts.username:
            pair = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
            self.headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        self.connection = None

    def send(self, method, path, body=None, seconds=120):
        """The status and the body; status 0 without a response."""
        data = None if body is None else json.dumps(body).encode()
        for _ in range(2):
            fresh = self.connection is None
            try:
                if fresh:
                    self.connection = http.client.HTTPConnection(self.host, self.port, timeout=seconds)
                self.connection.request(method, path, data, self.headers)
                response = self.connection.getresponse()
                text = response.read()
                if response.will_close:
                    self.connection.close()
                    self.connection = None
                return response.status, json.loads(text or b"null")
            except (OSError, http.client.HTTPException, ValueError):
                self.connection.close()
                self.connection = None
                # A server may close an idle connection; a new one that fails is a fault.
                if fresh or method not in ("GET", "HEAD"):
                    return 0, None
        return 0, None


def start(program, *words):
    """A process that serves HTTP, and its address."""
    process = subprocess.Popen(
        [program, "serve", "--http", "0", *words], stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    if " is served at " not in line:
        raise SystemExit(f"{program} serve --http: no address in '{line}'")
    return process, line.split(" is served at ")[1].strip()


def write(server, database, choice, count):
    """Random edits through an ordinary client."""
    for _ in range(count):
        name = f"/{database}/d{choice.randrange(8)}"
        status, document = server.send("GET", name)
        body = {"value": choice.randrange(1000)}
        if status == 200 and document and "_rev" in document:
            body["_rev"] = document["_rev"]
            if choice.random() < 0.2:
                server.send("DELETE", f"{name}?rev={document['_rev']}")
                continue
        server.send("PUT", name, body)


def replicate(client, source, target, attempts):
    """Runs the replicator until it ends without an error; false if it never does."""
    for attempt in range(attempts):
        status, answer = client.send("POST", "/_replicate", {"source": source, "target": target})
        if status == 200 and answer and answer.get("ok"):
            return True
        time.sleep(0.05 * attempt)
    return False


def run(seed, scenario, hostile, client, is_own):
    """The verdict of one seed, or the text of what went wrong."""
    choice = random.Random(seed)
    far, near = f"far{seed}", f"near{seed}"
    for server, database in ((hostile, far), (client, near)):
        server.send("DELETE", f"/{database}")
        status, _ = server.send("PUT", f"/{database}")
        if status != 201:
            return None, f"cannot create {database}: status {status}"
    hostile.send("POST", "/_touchstone/plan", {"plan": f"{scenario}:{seed}"})
    here = near if is_own else f"{client.full}/{near}"
    there = f"{hostile.url}/{far}"
    for _ in range(3):
        write(hostile, far, choice, 8)
        write(client, near, choice, 8)
        for source, target in ((here, there), (there, here)):
            if not replicate(client, source, target, 40):
                return None, f"the replicator did not succeed in 40 attempts: {source} to {target}"
    # An edit of the last faults arrives with one more run.
    for source, target in ((there, here), (here, there), (there, here)):
        if not replicate(client, source, target, 40):
            return None, f"the replicator did not succeed in 40 attempts: {source} to {target}"
    peer = urllib.parse.quote(f"{client.full}/{near}", safe="")
    status, verdict = hostile.send("GET", f"/_touchstone/verdict?database={far}&peer={peer}")
    if status != 200:
        return None, f"no verdict: status {status} {verdict}"
    for server, database in ((hostile, far), (client, near)):
        server.send("DELETE", f"/{database}")
    return verdict, None


def campaign(program, seeds, scenario="all", client=None, implementation="sqlite"):
    """Runs each seed, and prints the findings and a closing line. Returns an exit code.

    client is the URL of another server whose replicator is used.
    """
    match = re.fullmatch(r"([0-9]+)\.\.([0-9]+)", seeds)
    if match is None or int(match[1]) > int(match[2]):
        print(f"--hostile '{seeds}': expected a range such as 1..100", file=sys.stderr)
        return 2
    first, last = int(match[1]), int(match[2])
    processes = []
    try:
        process, url = start(program, "--hostile", "friendly", "--implementation", implementation)
        processes.append(process)
        hostile = Server(url)
        if client:
            friendly = Server(client)
        else:
            process, url = start(program, "--implementation", implementation)
            processes.append(process)
            friendly = Server(url)
        findings, faults, requests, writes = 0, 0, 0, 0
        begin = time.monotonic()
        for seed in range(first, last + 1):
            verdict, problem = run(seed, scenario, hostile, friendly, not client)
            if problem is None and not verdict["passed"]:
                problem = json.dumps({k: verdict[k] for k in ("lost", "differences", "unread")})
            if verdict:
                faults += sum(verdict["faults"].values())
                requests += verdict["requests"]
                writes += sum(verdict["writes"].values())
            if problem:
                findings += 1
                print(f"seed {seed}: {problem}", flush=True)
        seconds = time.monotonic() - begin
        print(
            f"{last - first + 1} seeds, {requests} requests, {faults} faults, "
            f"{writes} acknowledged writes, {findings} findings, {seconds:.0f} s")
        return 1 if findings else 0
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(20)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seeds", default="1..100")
    parser.add_argument("--scenario", default="all")
    parser.add_argument("--client", help="the URL of another server whose replicator is used")
    parser.add_argument("--implementation", default="sqlite")
    options = parser.parse_args()
    return campaign(
        options.program, options.seeds, options.scenario, options.client, options.implementation)


if __name__ == "__main__":
    sys.exit(main())
