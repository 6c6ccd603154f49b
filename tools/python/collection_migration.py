"""Migration of a store of objects to collections. Written from `Vectors/README.md`, "Collections"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from collection_client import Client, Report
from collection_mapping import Thing, choice
from collection_problems import Problem
from collection_saving import Saving
from object_mapping import ManagedObject
from revision_ids import Object, Refusal

FLAGS = ("settings", "store", "none")
READING, SAVING = 1000, 500
LOCAL_DOCUMENT = "migrations"


@dataclass
class Moved:
    """What the backend has of a local object. The version is None if references are missing."""

    id: str
    version: int | None


class Migration:
    """A migration that is running, or that failed."""

    def __init__(self, client: Client, operation: Object) -> None:
        self.client = client
        self.arguments = arguments(operation)
        # As they are now: a collection that is opened in another way later makes another migration.
        self.opened = {name: client.collections[name] for name in operation["collections"]}
        self.arguments["opened"] = [[each.mapping, each.references, each.defaults] for each in self.opened.values()]
        self.source: str = operation["from"]
        self.names: list[str] = operation["collections"]
        self.batch: int | None = operation.get("batch")
        self.flag = choice(operation, "flag", FLAGS)
        self.deletes: bool = operation.get("deletes", False)
        self.keeps_ids = choice(operation, "ids", ("backend", "local")) == "local"
        self.is_in_background: bool = operation.get("background", True)
        costs = operation.get("costs", {})
        self.reading, self.saving = costs.get("reading", READING), costs.get("saving", SAVING)
        self.moved: dict[str, Moved] = {}
        self.total = 0
        self.longest = 0
        self.objects: Any = None
        self.database: Any = None
        self.problem: Problem | None = None
        self.state = "running"
        self.course = self.run()

    def call(self, objects: Any, database: Any, count: int | None) -> Object:
        """Performs some steps, or all, and returns what happened."""
        self.objects, self.database = objects, database
        if self.state == "failed":
            self.state, self.problem, self.course = "running", None, self.run()
        self.client.report = Report()
        steps, progress, seen = [], [], self.progress
        while self.state == "running" and (count is None or len(steps) < count):
            steps.append(next(self.course))
            if self.progress != seen:
                seen = self.progress
                progress.append(seen)
        result: Object = {"state": self.state, "steps": steps, "requests": self.client.report.requests}
        result |= {"progress": progress, "longestMainBlock": self.longest}
        return result | ({} if self.problem is None else {"problem": self.problem.json()})

    @property
    def progress(self) -> Object:
        """Returns how many of the objects are saved. Something is left to do before the end."""
        total = max(self.total, 1)
        done = min(len([each for each in self.moved.values() if each.version is not None]), total - 1)
        return {"done": total if self.state in ("done", "skipped") else done, "total": total}

    # Steps

    def run(self) -> Iterator[Object]:
        """Performs the steps, and yields each of them when it is done."""
        if self.flag != "none":
            self.state = "skipped" if self.is_flagged() else "running"
            yield {"step": "readFlag"}
        self.total = sum(len(self.stored(name)) for name in self.names)
        yield {"step": "count"}
        has_saved = True
        while has_saved:
            has_saved = False
            for name in self.ordered():
                for is_last, step in self.move(name):
                    has_saved = has_saved or step["step"] == "save"
                    is_end = self.flag == "none" and not self.deletes
                    if is_last and name == self.ordered()[-1] and not has_saved and is_end:
                        self.state = "done"
                    yield step
        if self.flag != "none":
            self.set_flag()
            self.state = "running" if self.deletes else "done"
            yield {"step": "setFlag"}
        deleted = self.delete()
        self.state = "done"
        yield {"step": "delete", "objects": deleted}

    def move(self, name: str) -> Iterator[tuple[bool, Object]]:
        """Reads and saves the objects of an entity. Yields whether no step follows, and the step."""
        place = 0
        while True:
            every = self.stored(name)
            part = every[place:] if self.batch is None else every[place : place + self.batch]
            is_last = place + len(part) >= len(every)
            place += len(part)
            self.block(0 if self.is_in_background else self.reading * len(part))
            changed = [each for each in part if self.is_changed(each)]
            present = set(self.present())
            yield is_last and not changed, {"step": "read", "collection": name}
            if changed:
                self.block(self.saving * len(changed))
                self.save(name, changed, present)
                yield False, {"step": "save", "collection": name, "objects": len(changed)}
            if is_last:
                return

    def is_changed(self, found: ManagedObject) -> bool:
        """Returns whether the backend does not have the present version of an object."""
        moved = self.moved.get(found.id)
        return moved is None or moved.version != found.version

    def save(self, name: str, found: list[ManagedObject], present: set[str]) -> None:
        """Saves objects of an entity."""
        client, partial = self.client, set()
        things = []
        for each in found:
            thing, is_partial = self.thing(name, each, present)
            things.append(thing)
            partial |= {each.id} if is_partial else set()
        saving = Saving(client, name, things)
        client.report.callbacks = []
        client.start(saving.run())
        client.run()
        # A product that reports one error does not report which objects were saved.
        is_terse = saving.problem is not None and not saving.problem.failures
        for each, node in [] if is_terse else zip(found, saving.top):
            if node.state == "saved":
                self.moved[each.id] = Moved(str(node.thing.id), None if each.id in partial else each.version)
            elif node.state == "queued":
                self.moved[each.id] = Moved(str(node.thing.id), None)
        if saving.problem is not None:
            self.state, self.problem = "failed", saving.problem

    def delete(self) -> int:
        """Deletes the objects that are as they were saved."""
        saved = [name for name, moved in self.moved.items() if moved.version is not None]
        every = {each.id: each for name in self.names for each in self.stored(name)}
        same = [name for name in saved if name in every and not self.is_changed(every[name])]
        self.objects.save(self.database, {"deleted": same})
        return len(saved)

    # Objects

    def stored(self, name: str) -> list[ManagedObject]:
        """Returns the local objects of an entity in the order of their ids."""
        found = self.objects.objects(self.database, name)
        return [each for each in found.values() if each.entity == name]

    def present(self) -> list[str]:
        """Returns the ids of all local objects."""
        return list(self.objects.objects(self.database, None))

    def thing(self, name: str, found: ManagedObject, present: set[str]) -> tuple[Thing, bool]:
        """Returns the object to save, and whether references are missing."""
        collection, moved = self.opened[name], self.moved.get(found.id)
        thing = Thing(found.id if self.keeps_ids else None, found.id)
        thing.id = thing.id if moved is None else moved.id
        values = {key: value for key, value in found.json()["values"].items() if value is not None}
        is_partial = False
        for reference in collection.references.values():
            value = values.pop(reference.relation, None)
            ends = []
            for each in value if isinstance(value, list) else [] if value is None else [value]:
                known = self.moved[each].id if each in self.moved else each if self.keeps_ids else None
                if each in present and known is not None:
                    ends.append(known)
                elif each in present and reference.collection in self.names:
                    is_partial = True
            thing.related[reference.relation] = ends
        relationships = self.objects.model.entities[name].properties
        for property_name, value in values.items():
            if property_name in collection.mapping and not relationships[property_name].is_relationship:
                thing.values[property_name] = value
        return thing, is_partial

    def ordered(self) -> list[str]:
        """Returns the collections, each after those that it refers to, as far as that is possible."""
        order: list[str] = []

        def visit(name: str, above: tuple[str, ...]) -> None:
            if name in order or name in above:
                return
            for reference in self.opened[name].references.values():
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

    def block(self, nanoseconds: int) -> None:
        """Keeps the main queue busy."""
        self.longest = max(self.longest, nanoseconds)


def arguments(operation: Object) -> Object:
    """Returns the arguments that make two calls the same migration."""
    return {name: value for name, value in operation.items() if name not in ("steps", "op", "store", "client")}


def migrate(client: Client, operation: Object, source: Callable[[str], tuple[Any, Any]]) -> Object:
    """Begins a migration, or continues the one that runs. `source` returns the objects of a store and its database."""
    for name in ("batch", "steps"):
        if name in operation and operation[name] < 1:
            raise Refusal("badRequest", path=name)
    for place, name in enumerate(operation["collections"]):
        if name not in client.collections:
            raise Refusal("badRequest", path=f"collections[{place}]")
    fresh = Migration(client, operation)
    known: Migration | None = client.migration
    if known is None or known.state == "failed" and known.arguments != fresh.arguments:
        source(operation["from"])
        client.migration = known = fresh
    result = known.call(*source(known.source), operation.get("steps"))
    if known.state in ("done", "skipped"):
        client.migration = None
    return result
