"""Shared code of the steps of a release: source tree, commands, messages, and the time of the commit."""

import os
import pathlib
import platform
import subprocess

TOP = pathlib.Path(__file__).resolve().parent.parent.parent

# The names that Debian uses for processors where they differ from the kernel's.
DEBIAN_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


class Failure(Exception):
    """A failed step; the message names the fix."""


def say(text):
    """Prints a line at once, so that a log shows the order of events."""
    print(text, flush=True)


def output(*command, cwd=TOP, environment=None):
    """Returns the standard output of a command; raises Failure if the command fails."""
    try:
        done = subprocess.run(
            [str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False,
            env={**os.environ, **(environment or {})})
    except FileNotFoundError:
        raise Failure(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        shown = " ".join(str(word) for word in command)
        raise Failure(f"'{shown}' exited with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def architecture():
    """Returns the processor as the kernel names it, such as x86_64."""
    return platform.machine()


def epoch():
    """Returns the modification time of all packaged files, in seconds since 1970.

    It is SOURCE_DATE_EPOCH, or the time of the last commit: two builds of a commit give equal archives.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is not None and not given.isdigit():
        raise Failure(f"SOURCE_DATE_EPOCH is '{given}', expected seconds since 1970")
    return int(given or output("git", "log", "-1", "--format=%ct"))


def tracked(*paths):
    """Returns the files of the repository below some paths, relative to its top, sorted.

    Only tracked files are packaged: a working folder also has builds of the adapters.
    """
    names = output("git", "ls-files", "-z", "--", *paths).split("\0")
    return sorted(name for name in names if name)
