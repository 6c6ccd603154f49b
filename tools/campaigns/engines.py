"""The engines that run shards: processes of this machine, GNU parallel, and Slurm.

An engine runs each shard of a list once. It returns no results: the files in the folder are the record.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time

import scripts
from description import Incomplete, Usage


def needed(tool, package):
    """Rejects an engine whose program is missing."""
    if shutil.which(tool) is None:
        raise Usage(f"engine: '{tool}' is not installed; install {package}, or use --engine local")


def end_group(process, grace):
    """Ends a process and its group: SIGTERM, and SIGKILL after the grace time."""
    for number, wait in ((signal.SIGTERM, grace), (signal.SIGKILL, 10)):
        try:
            os.killpg(process.pid, number)
            process.wait(wait)
            return
        except ProcessLookupError:
            process.wait(wait)
            return
        except subprocess.TimeoutExpired:
            continue


class Local:
    """Up to `jobs` shards at once as processes of this machine."""

    pause = 0.1

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, jobs
        self.waiting, self.running = [], []

    def start(self, shards):
        self.waiting = list(shards)

    def poll(self):
        """Starts shards on free places. Returns true while a shard runs or waits."""
        for process, number, written in list(self.running):
            if process.poll() is None:
                continue
            self.running.remove((process, number, written))
            written.seek(0)
            text = written.read().decode(errors="replace").strip()
            written.close()
            if text:
                self.folder.messages[number] = text.splitlines()[-1][:300]
        while self.waiting and len(self.running) < self.jobs:
            number = self.waiting.pop(0)
            written = tempfile.TemporaryFile()  # Closed when the shard has ended.
            process = subprocess.Popen(
                ["/bin/sh", str(self.folder.path / "shard"), str(number)], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=written, start_new_session=True)
            self.running.append((process, number, written))
        return bool(self.running or self.waiting)

    def stop(self):
        self.waiting = []
        for process, _, _ in self.running:
            try:
                os.killpg(process.pid, signal.SIGTERM)
            except ProcessLookupError:
                continue
        for process, _, _ in self.running:
            end_group(process, 12)
        self.running = []


class Parallel:
    """GNU parallel, on this machine or over ssh. The machines share the folder under one path."""

    pause = 0.2

    def __init__(self, folder, jobs, logins, options):
        needed("parallel", "GNU parallel")
        self.folder, self.process = folder, None
        self.command = scripts.parallel_command(folder.description, folder.path, jobs, logins, options)

    def start(self, shards):
        # The joblog keeps the shards with a report, so parallel continues with the others.
        missing = {str(number) for number in shards}
        lines = self.folder.text("joblog").splitlines(keepends=True)
        kept = [line for line in lines if line.split("\t")[0] not in missing and line.endswith("\n")]
        self.folder.write("joblog", "".join(kept))
        with open(self.folder.path / "logs" / "parallel.txt", "w", encoding="utf-8") as written:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=written, stderr=written, start_new_session=True)

    def poll(self):
        return self.process.poll() is None

    def stop(self):
        # parallel alone gets the signal, and ends its jobs, also on other machines.
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(25)
            except subprocess.TimeoutExpired:
                end_group(self.process, 1)


class Slurm:
    """A job array of Slurm. An interrupted call finds the job again by its number."""

    pause = 1.0

    def __init__(self, folder, jobs):
        needed("sbatch", "Slurm's client programs")
        self.folder, self.jobs, self.silent = folder, jobs, 0.0
        self.job = folder.text("slurm-job").strip()

    def call(self, *command):
        """Returns the exit code, the output and the errors of a program of Slurm."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return 1, "", f"{command[0]}: no answer within 60 s"
        return done.returncode, done.stdout, done.stderr.strip()

    def start(self, shards):
        if self.job and self.is_active():
            print(f"campaign: continues with job {self.job}, which is still in the queue", flush=True)
            return
        array = f"--array={scripts.ranges(shards)}%{self.jobs}"
        code, written, errors = self.call("sbatch", "--parsable", array, str(self.folder.path / "slurm.sh"))
        if code != 0:
            raise Incomplete(f"sbatch {array} exited with {code}: {errors} (more shards than MaxArraySize?)")
        self.job = written.strip().split(";")[0]
        self.folder.write("slurm-job", self.job + "\n")

    def is_active(self):
        """True while a shard of the job is in the queue. An unreachable controller is asked again for 1 h."""
        code, written, errors = self.call("squeue", "--noheader", "--jobs", self.job, "--format", "%i %T")
        if code == 0:
            self.silent = 0.0
            return bool(written.strip())
        if "Invalid job id" in errors:
            return False
        now = time.monotonic()
        self.silent = self.silent or now
        if now - self.silent > 3600:
            raise Incomplete(f"squeue failed for 1 h: {errors}; run the same command again to continue")
        return True

    def poll(self):
        if self.is_active():
            return True
        time.sleep(1)  # A shared file system may show the last files late.
        self.job = ""
        (self.folder.path / "slurm-job").unlink(missing_ok=True)
        return False

    def stop(self):
        if self.job:
            self.call("scancel", self.job)
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and self.is_active():
                time.sleep(0.5)
