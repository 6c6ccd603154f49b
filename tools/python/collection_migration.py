"""Migration of a store of objects to collections. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from collection_client import Client, Report
from collection_mapping import ID, Collection, Thing, choice
from collection_problems import Problem, problem
from object_mapping import ManagedObject, bad
from revision_ids import Object, Refusal

FLAGS = ("settings", "store", "none")
READING, SAVING = 1000, 500
LOCAL_DOCUMENT = "migrations"


class Migration:
    """A migration that is running, or that failed."""

    def __init__(self, client: Client, operation: Object) -> None:
        self.client = client
        self.arguments = arguments(operation)
        self.source: str = operation["from"]
        self.names: list[str] = operation["collections"]
        self.batch: int | None = operation.get("batch")
        self.flag = choice(operation, "flag", FLAGS)
        self.deletes: bool = operation.get("deletes", False)
        self.keeps_ids = choice(operation, "ids", ("backend", "local")) == "local"
        self.is_in_background: bool = operation.get("background", True)
        costs = operation.get("costs", {})
        self.reading, self.saving = costs.get("reading", READING), costs.get("saving", SAVING)
        # The saved entity of each object, with its id at the backend.
        self.saved: dict[str, Object] = {}
        self.longest = 0
        self.is_done = False
        self.told = {"done": -1, "total": -1}
        self.objects: Any = None
        self.database: Any = None
        self.problem: Problem | None = None
        self.state = "running"
        self.course = self.run()

    def call(self, objects: Any, database: Any, count: int | None) -> Object:
        """Performs some steps, or all, and returns what happened."""
        self.objects, self.database = objects, database
        self.state, self.problem, self.client.report = "running", None, Report()
        steps: list[Object] = []
        while count is None or len(steps) < count:
            step = next(self.course, None)
            if step is None:
                if self.state == "running":
                    self.state = "done"
                break
            steps.append(step)
            if self.state in ("failed", "skipped"):
                break
        report = self.client.report
        result: Object = {"state": self.state, "steps": steps, "requests": report.requests}
        result["progress"] = report.progress
        result |= {} if self.problem is None else {"problem": self.problem.json()}
        return result | {"longestMainBlock": self.longest}

    # Steps

    def run(self) -> Iterator[Object]:
        """Performs the steps, and yields each of them when it is done."""
        if self.flag != "none":
            if self.is_flagged():
                self.state = "skipped"
            yield {"step": "readFlag"}
        total = sum(len(self.stored(name)) for name in self.names)
        self.advance(total)
        yield {"step": "count", "objects": total}
        has_saved = True
        while has_saved:
            has_saved = False
            for name in self.ordered():
                for step in self.move(name):
                    has_saved = has_saved or step["step"] == "save"
                    yield step
        if self.flag != "none":
            self.set_flag()
            yield {"step": "setFlag"}
        if self.deletes:
            yield {"step": "delete", "objects": self.delete()}
        self.is_done = True
        self.advance(self.told["total"])

    def move(self, name: str) -> Iterator[Object]:
        """Reads and saves the objects of an entity."""
        last = ""
        while True:
            every = [each for each in self.stored(name) if each.id.encode() > last.encode()]
            part = every[: self.batch]
            self.block(0 if self.is_in_background else self.reading * len(part))
            entities = {each.id: self.entity(name, each) for each in part}
            yield {"step": "read", "collection": name, "objects": len(part)}
            while True:
                changed = {each: entity for each, entity in entities.items() if self.differs(each, entity)}
                if not changed:
                    break
                self.block(self.saving * len(changed))
                self.save(name, changed)
                yield {"step": "save", "collection": name, "objects": len(changed)}
            if len(part) == len(every):
                return
            last = part[-1].id

    def differs(self, identifier: str, entity: Object) -> bool:
        """Returns whether the saved entity of an object is missing or differs."""
        saved = self.saved.get(identifier)
        return saved is None or {**saved, ID: None} != {**entity, ID: None}

    def save(self, name: str, entities: dict[str, Object]) -> None:
        """Saves objects of an entity."""
        client, failed = self.client, []
        for identifier, entity in entities.items():
            known = self.saved.get(identifier, {}).get(ID)
            to = identifier if self.keeps_ids else known
            if to is None:
                response = client.ask("POST", name, None, entity)
            else:
                response = client.ask("PUT", name, to, entity | {ID: to})
            if response.is_success:
                self.saved[identifier] = response.content[0]
                client.keep(name, [response.content[0]])
            else:
                failed.append((identifier, response.problem))
        self.advance(max(self.told["total"], len(self.saved)))
        if failed:
            self.state, self.problem = "failed", copy.copy(failed[0][1])
            self.problem.failures = [each.of_object(name, identifier, None) for identifier, each in failed]

    def delete(self) -> int:
        """Deletes the objects that are as they were saved."""
        same = [
            each.id
            for name in self.names for each in self.stored(name)
            if not self.differs(each.id, self.entity(name, each))
        ]  # fmt: skip
        self.objects.save(self.database, {"deleted": same})
        return len(same)

    # Objects

    def stored(self, name: str) -> list[ManagedObject]:
        """Returns the local objects of an entity in the order of their ids."""
        found = self.objects.objects(self.database, name)
        return [each for each in found.values() if each.entity == name]

    def entity(self, name: str, found: ManagedObject) -> Object:
        """Returns the entity of a local object, without its id."""
        collection = self.client.collections[name]
        values = {key: value for key, value in found.json()["values"].items() if value is not None}
        ids = {}
        for reference in collection.references.values():
            value = values.pop(reference.property, None)
            ends = value if isinstance(value, list) else [] if value is None else [value]
            known = [each if self.keeps_ids else self.saved.get(each, {}).get(ID) for each in ends]
            ids[reference.relation] = [each for each in known if each is not None]
        return collection.entity(Thing(values=values), ids)

    def ordered(self) -> list[str]:
        """Returns the collections, each after those that it refers to, as far as that is possible."""
        order: list[str] = []

        def visit(name: str, above: tuple[str, ...]) -> None:
            if name in order or name in above:
                return
            for reference in self.client.collections[name].references.values():
                if reference.collection in self.names:
                    visit(reference.collection, (*above, name))
            order.append(name)

        for name in self.names:
            visit(name, ())
        return order

    # The flag, progress and the main queue

    @property
    def flag_name(self) -> str:
        """Returns the name of the flag."""
        return "migrated." + "+".join(sorted(self.names, key=str.encode))

    def is_flagged(self) -> bool:
        """Returns whether the flag is set."""
        if self.flag == "settings":
            return self.client.settings.get(self.flag_name) is True
        return self.database.locals.get(LOCAL_DOCUMENT, {}).get(self.flag_name) is True

    def set_flag(self) -> None:
        """Sets the flag."""
        if self.flag == "settings":
            self.client.settings[self.flag_name] = True
        else:
            known = self.database.locals.get(LOCAL_DOCUMENT, {})
            self.database.write_local({"id": LOCAL_DOCUMENT, "body": known | {self.flag_name: True}})

    def advance(self, total: int) -> None:
        """Reports progress if it changed. Before the end something is always left to do."""
        done = total if self.is_done else min(len(self.saved), max(total - 1, 0))
        now = {"done": done, "total": total}
        if now != self.told:
            self.told = now
            self.client.advance(now["done"], now["total"])

    def block(self, nanoseconds: int) -> None:
        """Keeps the main queue busy."""
        self.longest = max(self.longest, nanoseconds)


def arguments(operation: Object) -> Object:
    """Returns the arguments that make two calls the same migration."""
    return {name: value for name, value in operation.items() if name not in ("steps", "op", "store", "client")}


def migrate(client: Client, operation: Object, objects: Any, database: Any) -> Object:
    """Begins a migration, or continues the one that runs."""
    for name in ("batch", "steps"):
        if name in operation and operation[name] < 1:
            raise Refusal("badRequest", path=name)
    for name in operation["collections"]:
        if name not in objects.model.entities:
            raise bad("unknownEntity", name)
    fresh = Migration(client, operation)
    missing = [name for name in operation["collections"] if name not in client.collections]
    if missing:
        told = {"state": "failed", "steps": [], "requests": [], "progress": [], "longestMainBlock": 0}
        return told | {"problem": problem("noSuchCollection", missing[0]).json()}
    known: Migration | None = client.migration
    if known is None or known.state == "failed" and known.arguments != fresh.arguments:
        client.migration = known = fresh
    result = known.call(objects, database, operation.get("steps"))
    if known.state in ("done", "skipped"):
        client.migration = None
    return result
