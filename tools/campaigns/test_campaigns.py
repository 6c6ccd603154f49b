"""Tests of the parts of tools/campaign that start no shards on an engine.

python3 -m unittest discover tools/campaigns
"""

import contextlib
import io
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import description as descriptions
import folder as folders
import kubernetes
import schedule
import scripts
from description import Description, Incomplete, Usage

OFFERED = {"--seeds", "--shard", "--report", "--jobs", "--save"}

# A program in place of touchstone: it exits with the content of the file "code", and writes the shard as its report.
PROGRAM = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in --shard) shard=$2 ;; --report) report=$2 ;; esac
  shift
done
echo "shard $shard" >&2
if [ -f cut ]; then printf '{"half' >"$report"; else echo "{\\"shard\\": \\"$shard\\"}" >"$report"; fi
if [ -f wait ]; then sleep 60; fi
exit "$(cat code)"
"""


def described(**changes):
    """A valid description with some members replaced."""
    members = {"command": ("simulate",), "seeds": (1, 40), "shards": 4, "program": "/p/touchstone", "sha256": "ab",
               "directory": "/work"}
    return Description(**(members | changes))


def report(shard="2/4", first=1, last=40, program="ab", failures=(), ran=None):
    """The text of a report; by default all seeds of its shard ran."""
    number = int(shard.partition("/")[0])
    part = {"shard": shard, "first": first, "last": last, "ran": ran or [[number, number + 36]]}
    return json.dumps({"identity": {"program": program}, "seeds": [part], "report": {"failures": list(failures)}})


class DescriptionTests(unittest.TestCase):
    def make(self, offered=OFFERED, **changes):
        values = {"command": ["simulate", "--replicas", "2"], "seeds": "1..40", "shards": 4} | changes
        return descriptions.make(values, __file__, "/work", offered)

    def test_adds_one_process_per_shard(self):
        made = self.make()
        self.assertEqual(made.command, ("simulate", "--replicas", "2", "--jobs", "1"))
        self.assertEqual(made.words()[-4:], ["--seeds", "1..40", "--shard", "{shard}/4"])
        self.assertEqual(self.make(command=["simulate", "--jobs=2"]).command, ("simulate", "--jobs=2"))

    def test_cases_need_no_seeds(self):
        made = self.make(offered={"--shard", "--report"}, seeds=None)
        self.assertEqual(made.words()[-2:], ["--shard", "{shard}/4"])

    def test_rejects_what_cannot_be_divided(self):
        for changes, text in [
            ({"seeds": "5..4"}, "seeds: expected A..B"), ({"seeds": "1..3"}, "4 shards for the 3 seeds"),
            ({"seeds": None}, "seeds: expected A..B"), ({"shards": 0}, "shards: expected a number from 1"),
            ({"shards": True}, "shards: expected a number"), ({"limit": "2d"}, "limit: expected a time"),
            ({"command": []}, "command: expected a list"), ({"command": "simulate"}, "command: expected a list"),
            ({"command": ["simulate", "--seeds", "1..2"]}, "remove --seeds"),
            ({"command": ["simulate", "--shard=1/2"]}, "remove --shard"),
            ({"command": ["simulate", "--minutes", "3"]}, "remove --minutes"),
            ({"command": ["simulate", "--save", "found"]}, "the same file"),
            ({"command": ["simulate", "--save=found"]}, "the same file"),
            ({"command": ["crash", "--json", "found"]}, "the same file"),
            ({"command": ["compare", "--storage", "disk:/tmp/store"]}, "the same folder"),
            ({"stopAtFinding": 1}, "stopAtFinding: expected true or false"), ({"seed": 1}, "unknown member 'seed'"),
            ({"offered": {"--report"}}, "has no --shard"), ({"offered": {"--shard", "--report"}}, "fixed list"),
        ]:
            with self.subTest(text), self.assertRaises(Usage) as caught:
                self.make(**changes)
            self.assertIn(text, str(caught.exception))
        self.make(command=["simulate", "--save", "found-{shard}"])

    def test_times(self):
        self.assertEqual([descriptions.seconds_of(text) for text in ("90", "90s", "15min", "2h")], [90, 90, 900, 7200])

    def test_is_stored(self):
        with tempfile.TemporaryDirectory() as place:
            made = described(limit=60, stop=True, retries=1)
            pathlib.Path(place, "campaign.json").write_text(json.dumps(made.json()), encoding="utf-8")
            self.assertEqual(descriptions.stored(place), made)
            pathlib.Path(place, "campaign.json").write_text("{}", encoding="utf-8")
            self.assertRaises(Usage, descriptions.stored, place)

    def test_only_the_identity_is_compared(self):
        self.assertEqual(descriptions.differences(described(), described(limit=9, stop=True, program="/q")), [])
        self.assertEqual(descriptions.differences(described(), described(sha256="cd")), ['sha256: was "ab", is "cd"'])


class FolderTests(unittest.TestCase):
    def test_attempts(self):
        text = "begin 1.0 a 7\nend 3.5 a 7 137\nbegin 4 b 8\ndamaged\nbegin x y z\nend 9 c 9 0\n"
        first, second = folders.attempts_of(text)
        self.assertEqual((first.end, first.code, second.begin, second.code), (3.5, "137", 4.0, None))

    def test_reasons(self):
        self.assertIn("limit of 5 s", folders.reason_of("124", 5, 5.1))
        self.assertIn("limit of 5 s", folders.reason_of("137", 5, 15.0))
        self.assertEqual(folders.reason_of("137", 5, 1.0), "killed by signal 9")
        self.assertEqual(folders.reason_of("3"), "exited with 3")
        self.assertIn("no complete report", folders.reason_of("1"))

    def test_reports(self):
        self.assertIsNone(folders.problem_of(report(), 2, described()))
        for text, words in [
            (report()[:-5], "not a complete report"), ("[]", "not a complete report"), ("{}", "not a complete report"),
            (report(shard="2/5"), "expected shard 2/4"), (report(last=41), "expected seeds 1..40"),
            (report(program="cd"), "expected program ab"),
            (report().replace("failures", "findings"), "not a complete report"),
            (report(ran=[[2, 10], [18, 38]]), "9 of its 10 seeds ran"),
            (report(failures=[{"seed": 6}], ran=[[2, 6]]), "2 of its 10 seeds ran"),
        ]:
            self.assertIn(words, folders.problem_of(text, 2, described()))
        short = report(failures=[{"seed": 6}], ran=[[2, 6]])
        self.assertIsNone(folders.problem_of(short, 2, described(command=("simulate", "--fail-fast"))))

    def test_states(self):
        with tempfile.TemporaryDirectory() as place:
            folder = folders.Folder(folders.prepare(place), described())
            (folder.path / "reports/2.json").write_text(report(), encoding="utf-8")
            (folder.path / "attempts/2").write_text("begin 1 h 1\nend 3 h 1 1\n", encoding="utf-8")
            (folder.path / "reports/3.json").write_text(report(), encoding="utf-8")
            (folder.path / "attempts/4").write_text("begin 1 h 1\nend 3 h 1 2\n", encoding="utf-8")
            (folder.path / "reports/5.json").write_text(report(), encoding="utf-8")
            self.assertEqual(folder.scan()[3].reason, "has an invalid report: expected shard 3/4, found 2/4")
            folder.lock()
            with contextlib.redirect_stdout(io.StringIO()) as written:
                states = folder.scan()
            self.assertIn("renamed to 3.invalid", written.getvalue())
            folder.lock_file.close()
            self.assertEqual([states[number].state for number in (1, 2, 3, 4)], ["waiting", "done", "failed", "failed"])
            self.assertEqual((states[2].finding, states[2].seconds, len(states)), (False, 2.0, 4))
            self.assertTrue((folder.path / "reports/3.invalid").exists())

    def test_a_shard_that_ends_during_a_scan_has_not_failed(self):
        with tempfile.TemporaryDirectory() as place:
            folder = folders.Folder(folders.prepare(place), described())
            (folder.path / "attempts/2").write_text("begin 1 h 1\n", encoding="utf-8")
            numbered = folder.numbered

            def numbered_before_the_end(name, suffix):
                found = numbered(name, suffix)
                # In the order of the script.
                (folder.path / "reports/2.json").write_text(report(), encoding="utf-8")
                (folder.path / "attempts/2").write_text("begin 1 h 1\nend 3 h 1 0\n", encoding="utf-8")
                return found

            with mock.patch.object(folder, "numbered", numbered_before_the_end):
                self.assertEqual(folder.scan()[2].state, "done")

    def test_findings_are_in_the_reports(self):
        with tempfile.TemporaryDirectory() as place:
            folder = folders.Folder(folders.prepare(place), described())
            for number, text in ((1, ""), (2, "begin 1 h 1\nend 3 h 1 stopped\n"), (3, "begin 1 h 1\nend 3 h 1 1\n")):
                (folder.path / f"reports/{number}.json").write_text(
                    report(f"{number}/4", failures=[{"seed": 7}]), encoding="utf-8")
                (folder.path / f"attempts/{number}").write_text(text, encoding="utf-8")
            states = folder.scan()
            self.assertEqual([states[number].finding for number in (1, 2, 3)], [True] * 3)
            self.assertEqual([states[number].seconds for number in (1, 2, 3)], [None, None, 2.0])

    def test_reports_that_cannot_be_joined(self):
        for changes, expected in [
            ({}, []), ({2: "damaged"}, [2]), ({3: "other"}, [3]), ({2: "damaged", 3: "other"}, [2, 3]),
            # No majority says which campaign is the right one.
            ({3: "other", 4: "other"}, [1, 2, 3, 4]),
        ]:
            with self.subTest(changes), tempfile.TemporaryDirectory() as place:
                folder = folders.Folder(folders.prepare(pathlib.Path(place) / "c"),
                                        described(program=f"{place}/touchstone"))
                program = pathlib.Path(place) / "touchstone"
                program.write_text('#!/bin/sh\nif grep -q damaged "$3"; then echo "no report" >&2; exit 2; fi\n'
                                   'echo joined; exit 3\n', encoding="utf-8")
                program.chmod(0o755)
                for number in range(1, 5):
                    (folder.path / f"reports/{number}.json").write_text(
                        json.dumps({"identity": changes.get(number, "this")}), encoding="utf-8")
                lines = folder.set_aside([f"reports/{number}.json" for number in range(1, 5)])
                self.assertEqual(sorted(path.stem for path in (folder.path / "reports").glob("*.invalid")),
                                 [str(number) for number in expected])
                self.assertEqual(len(lines), len(expected))

    def test_is_not_shared(self):
        with tempfile.TemporaryDirectory() as place:
            first, second = (folders.Folder(place, described()) for _ in range(2))
            first.lock()
            self.assertRaises(Incomplete, second.lock)
            first.lock_file.close()
            second.lock()
            second.lock_file.close()

    def test_has_no_foreign_files(self):
        with tempfile.TemporaryDirectory() as place:
            pathlib.Path(place, "thesis.tex").touch()
            self.assertRaises(Usage, folders.prepare, place)
            self.assertRaises(Usage, folders.prepare, pathlib.Path(place, "thesis.tex"))
            for name in ('a"b', "a{}", "a\nb"):
                self.assertRaises(Usage, folders.prepare, pathlib.Path(place, name))


class ScriptTests(unittest.TestCase):
    """The script of a shard, with a small program in place of touchstone, in a folder with spaces and quotes."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.top = pathlib.Path(place.name, "it's a $HOME")
        self.top.mkdir()
        program = self.top / "program"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)
        self.described = described(program=str(program), directory=str(self.top))
        self.folder = folders.Folder(folders.prepare(self.top / "c"), self.described)

    def shard(self, code, *words, **changes):
        (self.top / "code").write_text(str(code), encoding="utf-8")
        made = Description(**({name: getattr(self.described, name) for name in vars(self.described)} | changes))
        self.folder.write("shard", scripts.worker(made, self.folder.path), executable=True)
        return subprocess.run([self.folder.path / "shard", *words], capture_output=True, check=False).returncode

    def names(self, name):
        return sorted(os.listdir(self.folder.path / name))

    def test_a_finding_is_a_result(self):
        self.assertEqual((self.shard(0, "1"), self.shard(1, "2")), (0, 0))
        self.assertEqual(self.names("reports"), ["1.json", "2.json"])
        self.assertEqual(json.loads(self.folder.text("reports/2.json")), {"shard": "2/4"})
        self.assertEqual(folders.attempts_of(self.folder.text("attempts/2"))[0].code, "1")

    def test_other_codes_are_failures(self):
        self.assertEqual((self.shard(2, "1"), self.shard(3, "1"), self.shard(3, "1", stop=True)), (2, 3, 3))
        self.assertEqual(self.names("reports"), [])
        self.assertEqual(self.folder.tail(1), ["shard 1/4"])
        self.assertEqual([attempt.code for attempt in folders.attempts_of(self.folder.text("attempts/1"))],
                         ["2", "3", "3"])

    def test_an_incomplete_report_is_a_failure(self):
        (self.top / "cut").touch()
        self.assertEqual(self.shard(0, "1"), 74)
        self.assertEqual(self.names("reports"), [])

    def test_a_limit_ends_a_shard(self):
        (self.top / "wait").touch()
        self.assertEqual(self.shard(0, "1", limit=1), 124)

    def test_a_finding_can_end_the_campaign(self):
        self.assertEqual(self.shard(1, "1", stop=True), 0)
        self.assertEqual(self.shard(0, "2", stop=True), 0)
        self.assertEqual(self.names("reports"), ["1.json"])

    def test_a_signal_after_the_end_changes_nothing(self):
        move = self.top / "bin/mv"
        move.parent.mkdir()
        # The end of the attempt follows the report.
        attempt = self.folder.path / "attempts/2"
        move.write_text(
            f'#!/bin/sh\ngrep -q ^end {shlex.quote(str(attempt))} && echo ended first\n'
            '/bin/mv "$@"\necho moved\nsleep 1\n', encoding="utf-8")
        move.chmod(0o755)
        (self.top / "code").write_text("1", encoding="utf-8")
        made = Description(**(vars(self.described) | {"stop": True}))
        self.folder.write("shard", scripts.worker(made, self.folder.path), executable=True)
        environment = dict(os.environ, PATH=f"{move.parent}:{os.environ['PATH']}")
        with subprocess.Popen([self.folder.path / "shard", "2"], stdout=subprocess.PIPE, env=environment) as process:
            self.assertEqual(process.stdout.readline(), b"moved\n")
            process.terminate()
            self.assertEqual(process.wait(), 0)
        self.assertEqual([attempt.code for attempt in folders.attempts_of(self.folder.text("attempts/2"))], ["1"])
        self.assertTrue((self.folder.path / "stop").exists())

    def test_a_folder_can_be_named_like_a_value(self):
        text = scripts.worker(described(limit=5), "/a/@LIMIT@/@STOP@")
        self.assertIn("folder=/a/@LIMIT@/@STOP@\nlimit=5\nstop=0\n", text)

    def test_a_finished_shard_does_not_run_again(self):
        self.assertEqual((self.shard(0, "1"), self.shard(3, "1"), self.shard(3, "x")), (0, 0, 64))

    def test_words_of_the_command(self):
        self.assertEqual(scripts.quoted("a b"), "'a b'")
        self.assertEqual(scripts.quoted("found-{shard}"), 'found-"$shard"')
        self.assertEqual(scripts.quoted(""), "''")

    def test_ranges_of_an_array(self):
        self.assertEqual(scripts.ranges([7, 1, 2, 3, 9, 10]), "1-3,7,9-10")

    def test_slurm_and_parallel(self):
        text = scripts.slurm(described(limit=600), "/a b", 9, ["--partition=night"])
        for line in ("--array=1-4%9", '--chdir="/a b"', "--time=13", "--partition=night"):
            self.assertIn(f"#SBATCH {line}\n", text)
        command = scripts.parallel_command(described(stop=True), "/a b", 3, ["8/n1"], [])
        self.assertEqual(command[-1], "'/a b/shard' {}")
        # parallel would take a failed shard for the end.
        self.assertNotIn("--halt", command)

    def test_the_job_of_kubernetes(self):
        script, job = kubernetes.manifest(described(retries=3), "image:1", "claim", 100)["items"]
        self.assertEqual((job["spec"]["completions"], job["spec"]["parallelism"]), (4, 4))
        self.assertEqual(job["spec"]["backoffLimitPerIndex"], 3)
        self.assertNotIn("/work", script["data"]["shard"])
        self.assertRaises(Usage, kubernetes.manifest, described(), "image:1", "A claim", 1)


class ScheduleTests(unittest.TestCase):
    def test_the_next_shard_goes_to_the_next_free_core(self):
        self.assertEqual(schedule.makespan([3, 1, 1, 1], 1), 6)
        self.assertEqual(schedule.makespan([3, 1, 1, 1], 2), 3)
        self.assertEqual(schedule.makespan([1, 1, 1, 3], 2), 4)
        self.assertEqual(schedule.makespan([1, 1], 1000, 0.5), 1.5)

    def test_efficiency(self):
        self.assertIn("100.0%", schedule.table([1.0] * 8, [4], 0)[1])
        self.assertIn("50.0%", schedule.table([1.0] * 8, [4], 1.0)[1])
        self.assertEqual(schedule.repeated([1, 2, 3], 5), [1, 2, 3, 1, 2])

    def test_joblogs(self):
        head = "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n"
        text = head + "1\t:\t1.0\t2.5\t0\t0\t0\t0\tx\n2\t:\t1.0\t9\t0\t0\t3\t0\tx\n"
        self.assertEqual(schedule.of_joblog(text), [2.5])
        self.assertRaises(Usage, schedule.of_joblog, "1 2 3\n")


if __name__ == "__main__":
    unittest.main()
