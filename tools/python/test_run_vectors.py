"""Tests of the runner: what must match, what must not match, and invalid files.

python3 -m unittest discover tools/python
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import run_vectors as runner
import vector_files as files
from little_store import LittleStore
from operation_table import needed
from replicator import Sessions
from revision_ids import spelled

CLAUSES = {
    "A-001": {"id": "A-001", "level": "MUST", "binds": "family", "text": "A rule.", "status": "agreed"},
    "B-001": {"id": "B-001", "level": "SHOULD", "binds": "contract", "text": "Another.", "status": "ambiguous"},
    "C-001": {"id": "C-001", "level": "MUST", "binds": "contract", "text": "A third.", "status": "agreed"},
    "D-001": {"id": "D-001", "level": "MUST", "binds": "layer", "text": "A fourth.", "status": "agreed"},
    "E-001": {"id": "E-001", "level": "SHOULD", "binds": "contract", "text": "A fifth.", "status": "agreed"},
}


DESCRIBED = {"values": [1, {"h": "00aF"}], "properties": {"a": 1, "b": 2}}


def ok(**members: Any) -> dict[str, Any]:
    """A success with these members."""
    return {"ok": members}


def first_match(pattern: Any, value: Any, **bound: Any) -> dict[str, Any] | None:
    """Returns the bindings of the first match, or None."""
    return next(runner.matches(pattern, value, bound), None)


def vector(**members: Any) -> dict[str, Any]:
    """A valid vector with some members replaced."""
    step = {"do": {"op": "read", "store": "a", "id": "d"}, "expect": ok(rev={"$bind": "r"})}
    good = {"id": "f-one", "clauses": ["A-001"], "profile": "core", "note": "n", "steps": [step]}
    return good | members


def steps(*expectations: Any, **operation: Any) -> dict[str, Any]:
    """A vector whose steps perform the same operation and have these expectations."""
    do = {"op": "read", "store": "a", "id": "d"} | operation
    return vector(steps=[{"do": do, "expect": expect} for expect in expectations])


class MustMatch(unittest.TestCase):
    """Values that match according to Vectors/README.md."""

    CASES: list[tuple[Any, Any]] = [
        (ok(), ok(rev="1-a")),
        (ok(rev="1-a"), ok(rev="1-a", id="d")),
        (ok(documents=1), ok(documents=1.0)),
        (ok(body={"a": 1, "b": [0.0]}), ok(body={"b": [-0.0], "a": 1.0})),
        (ok(body={"$any": True}), ok(body={"$any": True})),
        (ok(deleted=False), ok()),
        (ok(deleted={"$absent": True}), ok()),
        (ok(rev={"$any": True}), ok(rev=None)),
        (ok(rev={"$bind": "r", "generation": 3}), ok(rev="3-a\nb")),
        (ok(results=[{"ok": {}}]), ok(results=[{"ok": {}}])),
        (ok(purged={"$unordered": ["1-a", "1-b"]}), ok(purged=["1-b", "1-a"])),
        (ok(leaves=[{"rev": r} for r in "wab"]), ok(leaves=[{"rev": r} for r in "wba"])),
        (ok(rows=[{"leaves": [{"rev": "w"}, {"$any": True}]}]), ok(rows=[{"leaves": [{"rev": "w"}, {"rev": "a"}]}])),
        (ok(purged={"$unordered": [{"$any": True}, "1-a"]}), ok(purged=["1-a", "1-b"])),
        (
            ok(rows={"$unordered": [{"id": "d"}, {"rev": "1-a"}]}),
            ok(rows=[{"id": "d", "rev": "1-a"}, {"id": "d"}]),
        ),
        ({"error": {"kind": "conflict"}}, {"error": {"kind": "conflict", "message": "no", "write": 2}}),
        (ok(attachments={}), ok()),
        (ok(attachments={"$absent": True}), ok()),
        (ok(attachments={"a": {"length": 1}}), ok(attachments={"a": {"length": 1, "stub": True}})),
        (ok(attachments={"body": {}}), ok(attachments={"body": {"stub": True}})),
        (ok(bodyMatches={}), ok(body={"a": 1})),
        (ok(bodyMatches={"values": [1, {"h": {"$bind": "h", "hexDigits": 4}}]}), ok(body=DESCRIBED)),
        (ok(bodyMatches={"properties": {"a": {"$any": True}}, "b": {"$absent": True}}), ok(body=DESCRIBED)),
        (ok(bodyMatches={"properties": {"$only": {"a": 1.0, "b": {"$any": True}}}}), ok(body=DESCRIBED)),
        (ok(bodyMatches={"$only": {"values": {"$any": True}, "properties": {}}}), ok(body=DESCRIBED)),
    ]  # fmt: skip

    def test_cases(self) -> None:
        """Every case matches."""
        for pattern, value in self.CASES:
            with self.subTest(pattern=pattern, value=value):
                self.assertIsNotNone(first_match(pattern, value))

    def test_assignments_are_tried(self) -> None:
        """The first candidate of a binding is wrong, which only the rest of the outcome shows."""
        pattern = {"a": {"$unordered": [{"$bind": "r"}, "x"]}, "b": {"$ref": "r"}}
        self.assertEqual(first_match(pattern, {"a": ["x", "x"], "b": "x"}), {"r": "x"})
        pattern = {"a": {"$unordered": [{"$bind": "r"}, {"$any": True}]}, "b": {"$ref": "r"}}
        self.assertEqual(first_match(pattern, {"a": ["x", "y"], "b": "y"}), {"r": "y"})

    def test_alternatives(self) -> None:
        """The second of two alternatives is sufficient."""
        either = {"oneOf": [{"error": {"kind": "conflict"}}, ok(rev={"$ref": "r"})]}
        self.assertEqual(runner.judge(either, ok(rev="1-a"), {"r": "1-a"}), {"r": "1-a"})


class MustNotMatch(unittest.TestCase):
    """Values that do not match according to Vectors/README.md."""

    CASES: list[tuple[Any, Any]] = [
        (ok(), {"error": {"kind": "conflict"}}),
        (ok(), {"unknown": {}}),
        ({"error": {"kind": "conflict"}}, ok()),
        ({"error": {"kind": "conflict"}}, {"error": {"kind": "notFound", "reason": "missing"}}),
        ({"error": {"kind": "conflict", "write": 1}}, {"error": {"kind": "conflict"}}),
        (ok(rev="1-a"), ok()),
        (ok(rev={"$any": True}), ok()),
        (ok(rev={"$absent": True}), ok(rev=None)),
        (ok(deleted={"$absent": True}), ok(deleted=False)),
        (ok(deleted={"$any": True}), ok()),
        (ok(deleted=True), ok()),
        (ok(deleted=False), ok(deleted=True)),
        (ok(deleted=False), ok(deleted=0)),
        (ok(documents=1), ok(documents=True)),
        (ok(id="é"), ok(id="e\u0301")),
        (ok(rows=[{"id": "a"}]), ok(rows=[{"id": "a"}, {"id": "b"}])),
        (ok(rows=[{"id": "a"}, {"id": "b"}]), ok(rows=[{"id": "b"}, {"id": "a"}])),
        (ok(purged={"$unordered": ["1-a", "1-a"]}), ok(purged=["1-a", "1-b"])),
        (ok(leaves=[{"rev": r} for r in "wab"]), ok(leaves=[{"rev": r} for r in "awb"])),
        (ok(leaves=[{"rev": r} for r in "wab"]), ok(leaves=[{"rev": r} for r in "waa"])),
        (ok(leaves=[{"rev": r} for r in "wa"]), ok(leaves=[{"rev": r} for r in "wab"])),
        (ok(purged={"$unordered": ["1-a"]}), ok(purged=["1-a", "1-a"])),
        (ok(purged={"$unordered": []}), ok(purged={})),
        (ok(attachments={}), ok(attachments={"a": {"stub": True}})),
        (ok(attachments={"a": {}}), ok(attachments={"a": {"stub": True}, "b": {"stub": True}})),
        (ok(attachments={"a": {}}), ok()),
        (ok(attachments={"a": {"length": 1}}), ok(attachments={"a": {"length": 2}})),
        (ok(body={"a": 1}), ok(body={"a": 1, "b": 2})),
        (ok(body={"a": 1}), ok(body={"a": True})),
        (ok(body={"a": [1, 2]}), ok(body={"a": [2, 1]})),
        (ok(body={"a": None}), ok(body={})),
        (ok(body={"a": {"$any": True}}), ok(body={"a": 1})),
        (ok(body={"n": 2**53}), ok(body={"n": 2**53 + 1})),
        (ok(body={"n": 2.0**53}), ok(body={"n": 2**53 + 1})),
        (ok(body={}), ok()),
        (ok(rev={"$bind": "r", "generation": 3}), ok(rev="03-a")),
        (ok(rev={"$bind": "r", "generation": 3}), ok(rev="30-a")),
        (ok(rev={"$bind": "r", "generation": 3}), ok(rev="3-")),
        (ok(last={"$bind": "r", "generation": 3}), ok(last=3)),
        (ok(rev={"$bind": "r", "hexDigits": 3}), ok(rev="abcd")),
        (ok(rev={"$bind": "r", "hexDigits": 3}), ok(rev="abg")),
        (ok(last={"$bind": "r", "hexDigits": 3}), ok(last=123)),
        (ok(bodyMatches={}), ok()),
        (ok(bodyMatches={"values": [1]}), ok(body=DESCRIBED)),
        (ok(bodyMatches={"values": [1, {"i": {"$any": True}}]}), ok(body=DESCRIBED)),
        (ok(bodyMatches={"properties": {"$only": {"a": 1}}}), ok(body=DESCRIBED)),
        (ok(bodyMatches={"properties": {"$only": {"a": 1, "b": 2, "c": {"$any": True}}}}), ok(body=DESCRIBED)),
        (ok(bodyMatches={"properties": {"a": {"$absent": True}}}), ok(body=DESCRIBED)),
    ]

    def test_cases(self) -> None:
        """No case matches."""
        for pattern, value in self.CASES:
            with self.subTest(pattern=pattern, value=value):
                self.assertIsNone(first_match(pattern, value))

    def test_reference_to_another_value(self) -> None:
        """A reference matches only the bound value, and a text is not a number."""
        self.assertIsNone(first_match(ok(last={"$ref": "s"}), ok(last="7"), s=7))
        self.assertIsNone(first_match(ok(last={"$ref": "s"}), ok(last=8), s=7))

    def test_what_is_no_outcome(self) -> None:
        """Malformed outcomes are failures."""
        for answer in (None, [], {}, {"ok": None}, {"ok": {}, "error": {}}, {"error": {"kind": "odd"}}):
            with self.subTest(answer=answer), self.assertRaises(runner.Mismatch):
                runner.check_outcome(answer)


class Invalid(unittest.TestCase):
    """Invalid files, which would have accidental verdicts."""

    def refuse(self, **content: Any) -> None:
        """Expects that a file with this content is rejected."""
        good = {"family": "f", "about": "a", "vectors": [vector()]}
        with self.assertRaises(files.InvalidFile):
            files.check_file(good | content, CLAUSES, "file")

    def test_good(self) -> None:
        """The base of the invalid files is valid."""
        files.check_file({"family": "f", "about": "a", "vectors": [vector()]}, CLAUSES, "file")

    def test_files(self) -> None:
        """The members of a file."""
        self.refuse(extra=1)
        self.refuse(vectors=[])
        self.refuse(vectors={})
        self.refuse(family="g")

    def test_vectors(self) -> None:
        """The members of a vector."""
        bad: list[dict[str, Any]] = [
            {"id": 1}, {"clauses": []}, {"clauses": ["Z-999"]}, {"profile": "pouchdb"}, {"steps": []},
            {"capabilities": ["flying"]}, {"opened": "no"}, {"extra": 1},
        ]  # fmt: skip
        for members in bad:
            with self.subTest(members=members):
                self.refuse(vectors=[vector(**members)])

    def test_steps(self) -> None:
        """Operations and expectations."""
        bad = [
            steps(ok(), op="fly"),
            steps(ok(), store=None),
            steps(ok(), rev={"$ref": "r"}),
            steps(ok(rev={"$bind": "r"}), ok(rev={"$bind": "r"})),
            steps(ok(rev={"$ref": "r"})),
            steps(ok(rev={"$bind": "r", "extra": 1})),
            steps(ok(rows={"$unordered": "x"})),
            steps(ok(rev={"$only": {}})),
            steps(ok(bodyMatches={"$only": []})),
            steps(ok(bodyMatches={"a": {"$unordered": []}})),
            steps(ok(bodyMatches={"values": {"$ref": "r"}})),
            steps(ok(body={}, bodyMatches={})),
            steps(ok(rows=[{"$absent": True}])),
            steps({"error": {"kind": "odd"}}),
            steps({"ok": {}, "error": {"kind": "conflict"}}),
            steps({"unknown": {}}),
            steps({"oneOf": [ok(), {"error": {"kind": "conflict"}}]}),
            steps({"oneOf": [ok(), ok()]}, ok()) | {"clauses": ["B-001"]},
            vector(steps=[{"replicate": {"source": "a"}}]),
            vector(steps=[{"replicate": {"source": "a", "target": "b", "stop": {}, "cutOff": {}}}]),
        ]
        for member in bad:
            with self.subTest(steps=member["steps"]):
                self.refuse(vectors=[member])

    def test_alternatives_may_stand_last(self) -> None:
        """The last step of a vector with an ambiguous clause may have alternatives."""
        good = steps(ok(), {"oneOf": [ok(), {"error": {"kind": "conflict"}}]}) | {"clauses": ["B-001"]}
        files.check_file({"family": "f", "about": "a", "vectors": [good]}, CLAUSES, "file")

    def test_text(self) -> None:
        """Invalid JSON, and duplicate names."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file.json"
            for text in ("{", '{"a": 1, "a": 2}', "[1e999]", "[NaN]", '["\\ud800"]'):
                path.write_text(text)
                with self.subTest(text=text), self.assertRaises(files.InvalidFile):
                    files.load_json(path)


class Fixed:
    """A store that returns the same outcome for each operation except `open`."""

    profiles = ("couchdb",)
    answer: Any = ok(rev="1-a")

    def perform(self, operation: dict[str, Any]) -> Any:
        """Answers."""
        return ok() if operation["op"] == "open" else self.answer


class Sleeping(Fixed):
    """A store that hangs."""

    def perform(self, operation: dict[str, Any]) -> Any:
        """Never responds in time, and catches every exception."""
        try:
            time.sleep(30)
        except Exception:
            pass
        return ok()


class Broken(Fixed):
    """A store whose constructor fails."""

    def __init__(self) -> None:
        raise OSError("no room")


class Running(unittest.TestCase):
    """One vector, from the store to the verdict."""

    def test_needed_capabilities(self) -> None:
        """Parts of attachments need capabilities of their own."""
        plain, encoded, piece = {"data": ""}, {"data": "", "encoding": "gzip"}, {"chunks": True}
        both = {"attachment", "attachmentEncoding"}
        create = {"op": "create", "store": "a", "body": {}}
        self.assertEqual(needed({**create, "attachments": {"a": plain}}), {"attachment"})
        self.assertEqual(needed({**create, "attachments": {"a": plain, "b": encoded}}), both)
        records = [{"id": "d"}, {"id": "e", "attachments": {"a": piece}}]
        insert = {"op": "insertRevisions", "store": "a", "records": records}
        self.assertEqual(needed(insert), {"attachment", "attachmentPieces"})
        batch = {"op": "batch", "store": "a", "writes": [{**create, "attachments": {"a": encoded}}]}
        self.assertEqual(needed(batch), both | {"atomicBatch"})

    def verdict(self, make: Any, **members: Any) -> str:
        """The verdict on a store."""
        return runner.run_vector(make, "core", vector(**members), CLAUSES, 1).verdict

    def test_verdicts(self) -> None:
        """All four verdicts."""
        self.assertEqual(self.verdict(Fixed), "pass")
        self.assertEqual(self.verdict(Fixed, profile="couchdb"), "pass")
        self.assertEqual(self.verdict(Fixed, profile="cdt-digest"), "skipped")
        self.assertEqual(self.verdict(Fixed, capabilities=["purge"]), "skipped")
        partial = {"capabilities": ("attachment",)}
        for version, verdict in ((1, "pass"), (2, "skipped")):
            store = type("Partial", (Fixed,), {**partial, "capabilities_version": version})
            self.assertEqual(self.verdict(store, capabilities=["attachment"]), "pass")
            self.assertEqual(self.verdict(store, capabilities=["attachment", "attachmentPieces"]), verdict)
        self.assertEqual(self.verdict(Broken), "harness error")
        for answer in ({"unknown": {}}, {"error": {"kind": "unsupported", "what": "read"}}, None):
            self.assertEqual(self.verdict(type("Other", (Fixed,), {"answer": answer})), "fail")
        self.assertEqual(self.verdict(object), "fail")

    def test_restrictions(self) -> None:
        """A vector that a declared restriction prevents is not tested."""
        untestable = {"changesFromStart": {"f-one"}, "findWithoutSort": {"f-other"}}
        for declared, verdict in ((), "pass"), (("findWithoutSort",), "pass"), (("changesFromStart",), "not tested"):
            store = type("Restricted", (Fixed,), {"restrictions": declared})
            tested = vector(id="f-one")
            result = runner.run_vector(store, "core", tested, CLAUSES, 1, untestable=untestable)
            self.assertEqual(result.verdict, verdict)
        self.assertEqual(runner.group_line("core", [result]), "core 0/1 (1 not tested)")
        self.assertEqual(set(runner.clause_verdicts([result]).values()), {"not tested"})

    def test_hang(self) -> None:
        """A store that hangs fails its vector."""
        self.assertEqual(self.verdict(Sleeping), "fail")

    def test_exit_codes(self) -> None:
        """Vectors that are not required do not count; harness errors take precedence."""
        fail = runner.Result("f-one", "core", ["A-001"], "required", "fail")
        deviation = runner.Result("f-two", "core", ["B-001"], "recommended", "fail")
        harness = runner.Result("f-three", "core", ["A-001"], "required", "harness error")
        lenient = runner.Result("f-four", "core", ["C-001"], "contractOnly", "fail")
        self.assertEqual(runner.exit_code([deviation, lenient], []), 0)
        self.assertEqual(runner.exit_code([deviation, fail], []), 1)
        self.assertEqual(runner.exit_code([fail, harness], []), 3)
        self.assertEqual(runner.exit_code([deviation], ["core/a.json: missing"]), 1)
        text = list(runner.text_report([lenient], CLAUSES, ["core/a.json: missing"]))
        self.assertIn("INCOMPLETE core/a.json: missing", text)
        self.assertIn("1 failed that only grade contract requires: f-four", text)
        self.assertEqual(runner.clause_verdicts([deviation, fail]), {"A-001": "fail", "B-001": "fail"})

    def test_weights(self) -> None:
        """The table of `Tests/Checking/ConformanceTests/ConformanceGradeTests.swift`."""
        cases = {
            "A": "required", "C": "contractOnly", "D": "required", "AC": "contractOnly", "AD": "required",
            "AB": "required", "CD": "required", "B": "recommended", "E": "recommended", "AE": "recommended",
            "DE": "recommended",
        }  # fmt: skip
        for letters, weight in cases.items():
            asked = vector(clauses=[f"{letter}-001" for letter in letters])
            self.assertEqual(runner.weight(asked, CLAUSES, "family"), weight, letters)
            strict = "recommended" if weight == "recommended" else "required"
            self.assertEqual(runner.weight(asked, CLAUSES, "contract"), strict, letters)

    def test_defaults(self) -> None:
        """A vector that needs defaults other than those of the store is skipped."""
        needs = {"revisionIDs": ["own"], "collation": ["bytes", "cdt"]}
        self.assertEqual(runner.unsuited(vector(needs=needs), {}), [])
        self.assertEqual(runner.unsuited(vector(needs=needs), {"collation": "cdt"}), [])
        both = {"revisionIDs": "couchdb", "collation": "couchdb"}
        found = runner.unsuited(vector(needs=needs), both)
        self.assertEqual(found, ["revisionIDs couchdb", "collation couchdb"])
        server = type("Server", (Fixed,), {"defaults": both})
        self.assertEqual(self.verdict(server, needs=needs), "skipped")

    def test_stores_that_are_opened(self) -> None:
        """The runner does not open a store that the vector opens itself."""
        do = [{"op": "info", "store": "b"}, {"op": "open", "store": "a"}, {"op": "info", "store": "b"}]
        asked = {"steps": [{"do": operation} for operation in do]}
        opened = [step["do"] for step in runner.all_steps(asked)]
        self.assertEqual(opened, [{"op": "open", "store": "b"}, *do])
        self.assertEqual(len(runner.all_steps(asked | {"opened": False})), 3)

        other = {"at": "source", "op": "info", "nth": 1, "do": [{"op": "flush", "store": "c"}]}
        session = {"replicate": {"source": "a", "target": "b", "meanwhile": other}}
        self.assertEqual(runner.stores(session), ["a", "b", "c"])

    def test_a_session_in_the_middle(self) -> None:
        """The target keeps what it received before a stop, and the session sends no request after it."""
        asked: list[str] = []
        store = LittleStore()

        def perform(operation: dict[str, Any]) -> dict[str, Any]:
            asked.append(f"{operation['op']} {operation['store']}")
            return store.perform(operation)

        sessions = Sessions(perform)
        for name in "ab":
            store.perform({"op": "open", "store": name})
        for name in "de":
            store.perform({"op": "create", "store": "a", "id": name, "body": {}})
        place = {"at": "target", "op": "insertRevisions", "nth": 1}
        step = {"replicate": {"source": "a", "target": "b", "batch": 1, "stop": place}}
        self.assertEqual(sessions.implied(step), {"ok": {}})
        outcome = sessions.carry_out(step)
        self.assertEqual(outcome["ok"], {"state": "stopped", "processed": 1, "refused": 0, "vanished": 0})
        self.assertEqual(asked[-3:], ["insertRevisions b", "writeLocal b", "writeLocal a"])
        gone = {"meanwhile": place | {"op": "info", "do": [{"op": "close", "store": "b"}]}}
        outcome = sessions.carry_out({"replicate": {"source": "a", "target": "b", **gone}})
        self.assertEqual(outcome["ok"]["state"], "error")
        self.assertEqual(asked[-2:], ["close b", "info b"])

    def test_substitution_spares_bodies(self) -> None:
        """Bound values replace references in ids, lists and paths, never in bodies."""
        hole = {"$ref": "r"}
        operation = {"op": "insertRevisions", "records": [{"path": [hole], "body": {"b": hole}}]}
        records = runner.substitute(operation, {"r": "1-a"})["records"]
        self.assertEqual(records, [{"path": ["1-a"], "body": {"b": hole}}])


class Manifests(unittest.TestCase):
    """Differences between a folder and its manifest."""

    def setUp(self) -> None:
        """A complete folder of two files."""
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = Path(self.place.name)
        (self.folder / "core").mkdir()
        self.write("clauses.json", {"clauses": list(CLAUSES.values())})
        for name in "ab":
            content = {"family": "f", "about": "a", "vectors": [vector(id=f"f-{name}")]}
            self.write(f"core/{name}.json", content)
        listed = [self.entry("clauses.json", list(CLAUSES))]
        listed += [self.entry(f"core/{name}.json", [f"f-{name}"]) for name in "ab"]
        self.manifest = {"files": listed, "retired": {"vectors": [], "clauses": []}}
        self.write("manifest.json", self.manifest)

    def write(self, name: str, content: Any) -> None:
        """Writes a file of JSON."""
        (self.folder / name).write_text(json.dumps(content), encoding="utf-8")

    def entry(self, name: str, ids: list[str]) -> dict[str, Any]:
        """Returns the entry of the manifest for the current file."""
        digest = hashlib.sha256((self.folder / name).read_bytes()).hexdigest()
        return {"path": name, "sha256": digest, "count": len(ids), "ids": ids}

    def found(self) -> list[str]:
        """The differences."""
        return files.load_suite(self.folder).differences

    def test_complete(self) -> None:
        """A complete folder, and one without a manifest, have no differences."""
        self.assertEqual(self.found(), [])
        (self.folder / "manifest.json").unlink()
        self.assertEqual(self.found(), [])

    def test_missing_new_and_changed(self) -> None:
        """Files and ids that are missing, new or changed."""
        (self.folder / "core/b.json").unlink()
        self.assertEqual(self.found(), ["core/b.json: missing, with 1 vectors or clauses"])
        (self.folder / "core/a.json").rename(self.folder / "core/c.json")
        self.assertIn("core/c.json: not listed in manifest.json", self.found())
        self.write("core/a.json", {"family": "f", "about": "a", "vectors": [vector(id="f-x")]})
        (self.folder / "core/c.json").unlink()
        changed = ["another SHA-256 than in manifest.json", "f-a is missing", "f-x is not listed in manifest.json"]
        self.assertEqual(self.found()[:3], [f"core/a.json: {text}" for text in changed])

    def test_manifests(self) -> None:
        """A manifest that lists a file twice, retires an id in use, or cannot be read."""
        self.manifest["files"] += self.manifest["files"][-1:]
        self.manifest["retired"]["vectors"] = [{"id": "f-a", "reason": "old"}]
        self.write("manifest.json", self.manifest)
        twice = "core/b.json: listed twice in manifest.json"
        self.assertEqual(self.found(), [twice, "manifest.json: f-a is retired and in use"])
        self.write("manifest.json", {})
        self.assertTrue(self.found()[0].startswith("manifest.json: cannot be read: "))


class Commands(unittest.TestCase):
    """The complete command."""

    def run_command(self, *words: str) -> tuple[int, str]:
        """Returns the exit code and the standard output."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
            return runner.main(list(words)), output.getvalue()

    def test_all_vectors(self) -> None:
        """The little store passes every vector of the core and of its capabilities and profiles."""
        code, output = self.run_command("--json")
        report = json.loads(output)
        self.assertEqual(code, 0, report["headline"])
        verdicts = [result["verdict"] for result in report["vectors"]]
        self.assertLessEqual(set(verdicts), {"pass", "skipped"})
        # It does not offer collections and places.
        self.assertGreater(verdicts.count("pass"), 8 * verdicts.count("skipped"))

    def test_open_orders(self) -> None:
        """So does a store that reverses every list without an order."""
        code, output = self.run_command("--json", "--store", "turned_store:TurnedStore")
        self.assertEqual(code, 0, json.loads(output)["headline"])

    def test_wrong_arguments(self) -> None:
        """A filter without a match, a folder without vectors, and a missing store."""
        self.assertEqual(self.run_command("--filter", "no such vector")[0], 2)
        self.assertEqual(self.run_command("--vectors", "/nonexistent")[0], 2)
        self.assertEqual(self.run_command("--store", "no_such_module:Store")[0], 3)
        self.assertEqual(self.run_command("--grade", "family", "--filter", "diff-")[0], 2)


class Doubles(unittest.TestCase):
    """Doubles in the canonical body; the vectors have only integers."""

    def test_spelling(self) -> None:
        """Each double is printed as in ECMAScript."""
        cases = {
            -0.0: "0", 1.0: "1", -1.5: "-1.5", 0.1: "0.1", 1e20: "100000000000000000000", 1e21: "1e+21",
            1.5e300: "1.5e+300", 0.000001: "0.000001", 1e-7: "1e-7", 1.25e-7: "1.25e-7", 5e-324: "5e-324",
            123456789012345680.0: "123456789012345680", 123.456: "123.456",
        }  # fmt: skip
        for value, text in cases.items():
            self.assertEqual(spelled(value), text)


if __name__ == "__main__":
    unittest.main()
