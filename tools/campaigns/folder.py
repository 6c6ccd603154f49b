"""The folder of a campaign: its files, its lock, and the state of each shard.

    campaign.json      the description
    shard              the script that runs one shard, on any machine that has the folder
    reports/K.json     the report of a shard; it is complete, because it is renamed when it is
    attempts/K         a line for each start and each end of a shard
    logs/K.out, K.err  what the last attempt wrote
    merged.json        all reports, joined by touchstone merge
"""

import dataclasses
import fcntl
import json
import os
import pathlib
import platform
import subprocess

from description import FILE_NAME, Incomplete, Usage

MADE = (FILE_NAME, "shard", "reports", "attempts", "logs", "lock", "stop", "merged.json", "joblog", "shards",
        "parallel.sh", "slurm.sh", "kubernetes.json", "slurm-job")


@dataclasses.dataclass
class Attempt:
    """One start of a shard. `code` is None while it runs, and for one that was killed with its script."""

    begin: float
    host: str
    end: float | None = None
    code: str | None = None


@dataclasses.dataclass
class Shard:
    """The state of a shard: `done`, `failed`, `stopped`, `started` or `waiting`."""

    state: str
    finding: bool = False
    seconds: float | None = None
    reason: str = ""
    attempts: int = 0


def attempts_of(text):
    """Returns the attempts of a shard. Damaged lines, for example after a full disk, are left out."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        try:
            if len(words) == 4 and words[0] == "begin":
                found[words[2], words[3]] = Attempt(float(words[1]), words[2])
            elif len(words) == 5 and words[0] == "end" and (words[2], words[3]) in found:
                attempt = found[words[2], words[3]]
                attempt.end, attempt.code = float(words[1]), words[4]
        except ValueError:
            continue
    return list(found.values())


def reason_of(code, limit=0, seconds=0.0):
    """Returns why an attempt with an exit code is a failure."""
    if code is None:
        return "ended without an exit code: its script was killed, or its machine failed"
    number = int(code) if code.isdigit() else -1
    if number == 124 or (number == 137 and 0 < limit <= seconds):
        return f"exceeded the limit of {limit} s"
    if number in (0, 1):
        return f"exited with {number} and wrote no complete report"
    if number > 128:
        return f"killed by signal {number - 128}"
    return f"exited with {code}"


def problem_of(text, number, description):
    """Returns what is wrong with a report; None if it is the report of this shard."""
    try:
        report = json.loads(text)
        identity, seeds = report["identity"], report["seeds"]
        shard, first, last = seeds[0]["shard"], seeds[0]["first"], seeds[0]["last"]
        program = identity["program"]
        failures = len(report["report"]["failures"])
        ran = sum((end - begin) // description.shards + 1 for begin, end in seeds[0]["ran"])
    except (ValueError, KeyError, IndexError, TypeError):
        return f"{len(text)} bytes that are not a complete report"
    if shard != f"{number}/{description.shards}":
        return f"expected shard {number}/{description.shards}, found {shard}"
    if description.seeds is not None and (first, last) != description.seeds:
        return f"expected seeds {description.seed_text()}, found {first}..{last}"
    if program != description.sha256:
        return f"expected program {description.sha256[:12]}, found {str(program)[:12]}"
    # A shard can end at its first finding.
    if description.seeds is not None and not (failures and "--fail-fast" in description.command):
        asked = max(0, (last - first - number + 1) // description.shards + 1)
        if ran != asked:
            return f"{ran} of its {asked} seeds ran"
    return None


class Folder:
    """The files of a campaign."""

    def __init__(self, path, description):
        self.path = pathlib.Path(path).absolute()
        self.description = description
        self.valid = {}
        self.read = {}
        self.lock_file = None
        self.messages = {}

    def lock(self):
        """Takes the lock of the folder for this process, or raises Incomplete."""
        self.lock_file = open(self.path / "lock", "a+", encoding="utf-8")  # Open as long as the process runs.
        try:
            fcntl.flock(self.lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.lock_file.seek(0)
            holder = self.lock_file.read().strip() or "another process"
            self.lock_file.close()
            self.lock_file = None
            raise Incomplete(f"{self.path}: {holder} runs this campaign; wait for it or end it first") from None
        self.lock_file.truncate(0)
        self.lock_file.write(f"process {os.getpid()} on {platform.node()}\n")
        self.lock_file.flush()

    def write(self, name, text, executable=False):
        """Replaces a file atomically."""
        beside = self.path / f".{name}.new"
        beside.write_text(text, encoding="utf-8")
        if executable:
            beside.chmod(0o755)
        beside.replace(self.path / name)

    def text(self, name):
        """Returns a file, or "" if it is absent."""
        try:
            return (self.path / name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    def tail(self, number, lines=3):
        """Returns the last lines that a shard wrote to its standard error."""
        written = [line for line in self.text(f"logs/{number}.err").splitlines() if line.strip()]
        return [line[:300] for line in written[-lines:]]

    def checked(self, number, entry):
        """Returns what is wrong with a report, or None, and whether it has a finding. Each version of a valid one is
        read once.

        The process that holds the lock renames an invalid report, so that the shard runs again.
        """
        stat = entry.stat()
        mark = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        if self.valid.get(number, (None,))[0] == mark:
            return None, self.valid[number][1]
        path = pathlib.Path(entry.path)
        text = path.read_text(encoding="utf-8", errors="replace")
        problem = problem_of(text, number, self.description)
        finding = problem is None and bool(json.loads(text)["report"]["failures"])
        if problem is None:
            self.valid[number] = mark, finding
        elif self.lock_file is not None:
            path.replace(path.with_suffix(".invalid"))
            print(f"campaign: {path}: {problem}; renamed to {number}.invalid", flush=True)
        return problem, finding

    def set_aside(self, reports):
        """Renames reports that cannot be joined, so that their shards run again. Returns a line for each of them.

        They are those that `touchstone merge` rejects alone, and those of another run than most. Without a majority
        these are all.
        """
        wrong, runs = {}, {}
        for name in reports:
            done = subprocess.run([self.description.program, "merge", "--partial", name], cwd=self.path,
                                  capture_output=True, text=True, check=False)
            if done.stdout:
                run = json.dumps(json.loads(self.text(name)).get("identity"), sort_keys=True)
                runs.setdefault(run, []).append(name)
            else:
                wrong[name] = (done.stderr.strip().splitlines() or ["touchstone merge rejects it"])[0]
        if len(runs) > 1:
            sizes = sorted((len(names) for names in runs.values()), reverse=True)
            for names in runs.values():
                if len(names) < sizes[0] or sizes[0] == sizes[1]:
                    wrong |= {name: "its identity is not that of most reports" for name in names}
        for name in wrong:
            path = self.path / name
            path.replace(path.with_suffix(".invalid"))
        return [f"{name}: {wrong[name]}; renamed to {pathlib.Path(name).stem}.invalid" for name in reports if name in wrong]

    def attempts(self, number, entry):
        """Returns the attempts of a shard; its file is read when it has changed."""
        stat = entry.stat()
        mark = (stat.st_mtime_ns, stat.st_size)
        if self.read.get(number, (None,))[0] != mark:
            self.read[number] = mark, attempts_of(self.text(f"attempts/{number}"))
        return self.read[number][1]

    def numbered(self, folder, suffix):
        """Returns the entries of a folder whose names are the numbers of shards."""
        found = {}
        with os.scandir(self.path / folder) as entries:
            for entry in entries:
                name = entry.name.removesuffix(suffix)
                if entry.name == name + suffix and name.isdigit() and 1 <= int(name) <= self.description.shards:
                    found[int(name)] = entry
        return found

    def scan(self):
        """Returns the state of each shard, by its number."""
        # A shard stores its report before the end of its attempt, so an ended one has its report in a later list.
        attempts = {number: self.attempts(number, entry) for number, entry in self.numbered("attempts", "").items()}
        reports = self.numbered("reports", ".json")
        return {number: self.state(number, reports.get(number), attempts.get(number, []))
                for number in range(1, self.description.shards + 1)}

    def state(self, number, report, attempts):
        if report is not None:
            problem, finding = self.checked(number, report)
            if problem is not None:
                return Shard("failed", reason=f"has an invalid report: {problem}", attempts=len(attempts))
            # The report is the record. The attempts, which can be lost or damaged alone, only have the duration.
            ends = [attempt for attempt in attempts if attempt.code in ("0", "1")]
            seconds = ends[-1].end - ends[-1].begin if ends else None
            return Shard("done", finding, seconds, attempts=len(attempts))
        if not attempts:
            return Shard("waiting")
        last = attempts[-1]
        if last.code is None:
            return Shard("started", reason=reason_of(None), attempts=len(attempts))
        if last.code == "stopped":
            return Shard("stopped", reason="stopped", attempts=len(attempts))
        seconds = last.end - last.begin
        reason = reason_of(last.code, self.description.limit, seconds)
        return Shard("failed", seconds=seconds, reason=reason, attempts=len(attempts))


def prepare(path):
    """Creates the folder of a campaign, or checks that an existing one has no other files."""
    path = pathlib.Path(path).absolute()
    # Slurm reads the path in a quoted option, and GNU parallel replaces {}.
    wrong = [letter for letter in '\n\t"{}\\' if letter in str(path)]
    if wrong:
        raise Usage(f"{path}: expected a folder without {wrong[0]!r} in its path")
    if path.exists() and not path.is_dir():
        raise Usage(f"{path}: expected a folder, found a file")
    if path.is_dir() and not (path / FILE_NAME).exists():
        foreign = [name for name in sorted(os.listdir(path)) if name not in MADE and not name.startswith(".")]
        if foreign:
            raise Usage(f"{path}: expected an empty folder or that of a campaign, found '{foreign[0]}'")
    for name in ("reports", "attempts", "logs"):
        (path / name).mkdir(parents=True, exist_ok=True)
    return path
