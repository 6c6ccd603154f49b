"""Tries the archives in empty systems without Swift, following docs/installation.md literally.

Each trial is a chroot of Debian bookworm (the variant minbase of debootstrap), with an overlay in memory that
is dropped afterwards. Trials of adapters use a second system that also has Python, Node.js and Go.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import artifacts
from shared import TOP, Failure, output, say

SYSTEMS = TOP / ".build" / "release-trial"
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
SUITE = "bookworm"
LANGUAGES = ["python", "javascript", "go"]

# The packages of the second system, in addition to the empty one.
PACKAGES = ["python3", "pipx", "nodejs", "golang-go"]

# The longest time from an empty folder to the first verdict of an adapter, in seconds.
SECONDS_MAX = 300

# Mounts the system with a layer in memory, and runs a script in it. $1 is the system, $2 the folder that
# appears as /trial/downloads, $3 the script, and $4 a folder that is visible at the same place, or empty.
ENTER = """
set -eu
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/system
mount -t overlay overlay -o "lowerdir=$1,upperdir=/mnt/upper,workdir=/mnt/work" /mnt/system
mount -t proc proc /mnt/system/proc
mount --rbind /dev /mnt/system/dev
mkdir -p /mnt/system/trial/downloads
cp "$2"/* /mnt/system/trial/downloads
if [ -n "$4" ]; then mkdir -p "/mnt/system$4"; mount --bind "$4" "/mnt/system$4"; fi
cp /etc/resolv.conf /mnt/system/etc/resolv.conf
exec chroot /mnt/system /usr/bin/env -i HOME=/trial PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
  /bin/sh -c "$3"
"""

# The checks of each installation, for every kind of archive. A pipe would hide the exit code of `run`.
CHECKS = """
cd /
touchstone --version
if command -v swift; then echo "this system has Swift"; exit 1; fi
mkdir -p /tmp/other && cd /tmp/other
touchstone run > output
tail -n 1 output
ln -s "$(command -v touchstone)" link
./link run --filter 'winner-*' > output
tail -n 1 output
touchstone new-adapter c skeleton > output
test -e skeleton/adapter.c
"""


def blocks():
    """Returns the commands of docs/installation.md by the second word behind ```sh."""
    page = (TOP / "docs" / "installation.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^```sh ([a-z]+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))


def prepare(name, packages):
    """Returns a system with some packages; creates it once."""
    system = SYSTEMS / name
    if (system / "ready").exists():
        return system
    shutil.rmtree(system, ignore_errors=True)
    SYSTEMS.mkdir(parents=True, exist_ok=True)
    say(f"creating {system}{' with ' + ', '.join(packages) if packages else ''}")
    include = [f"--include={','.join(packages)}"] if packages else []
    output("debootstrap", "--variant=minbase", *include, SUITE, system, MIRROR)
    (system / "ready").touch()
    return system


def enter(system, downloads, script, visible=""):
    """Runs a script in a system. Returns its exit code, its output, and the seconds that it took.

    A folder of this machine can be visible there.
    """
    begin = time.monotonic()
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", ENTER, "enter", system, downloads,
         f"cd ~/downloads\n{script}", visible],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode, done.stdout, time.monotonic() - begin


def indented(text):
    """Returns a text for the log."""
    return "".join(f"    {line}\n" for line in text.rstrip("\n").split("\n")).rstrip("\n")


def install(kind, system, downloads, commands):
    """Installs an archive with the commands of the page, and checks the installation."""
    script = f"set -e\n{commands['sums']}\n{commands[kind]}\n{CHECKS}"
    code, said, seconds = enter(system, downloads, script)
    say(f"{kind} in {system.name}: exit code {code}, {seconds:.0f} s\n{indented(last(said, 12))}")
    if code != 0:
        raise Failure(f"the {kind} does not work in {system.name}:\n{indented(last(said, 40))}")


def adapter(language, kind, system, downloads, commands):
    """Measures the time from an empty folder to the first verdict of a new adapter."""
    # A skeleton has no store, so commands that test it exit with 1; all other commands exit with 0.
    lines = [
        f"code=0; {line} || code=$?; test $code -eq {1 if 'exec:' in line else 0}"
        for line in commands[language].rstrip("\n").split("\n")
    ]
    script = "\n".join(["set -e", commands[kind], *lines])
    code, said, seconds = enter(system, downloads, script)
    verdict = last(said, 1)
    say(f"{language} with the {kind}: {seconds:.0f} s to the first verdict: {verdict}")
    if code != 0 or not verdict.startswith("not conformant"):
        raise Failure(f"{language}: no first verdict, exit code {code}:\n{indented(last(said, 40))}")
    if seconds > SECONDS_MAX:
        raise Failure(f"{language}: more than {SECONDS_MAX} s to the first verdict")


def last(text, count):
    """Returns the last lines of a text."""
    return "\n".join(text.rstrip("\n").split("\n")[-count:])


def run(kinds, folder):
    """Tries archives of a folder."""
    if os.geteuid() != 0:
        raise Failure("a trial needs root for chroot and mount; run it with sudo")
    commands = blocks()
    with tempfile.TemporaryDirectory() as scratch:
        downloads = pathlib.Path(scratch)
        names = [path.name for path in artifacts.paths(folder)]
        for kind in kinds:
            if not any(pathlib.PurePath(name).match(artifacts.pattern(kind)) for name in names):
                raise Failure(f"no {artifacts.pattern(kind)} in {folder}; run tools/release {kind}")
        for name in [*names, "SHA256SUMS"]:
            shutil.copy(folder / name, downloads / name)
        empty = prepare(SUITE, [])
        languages = prepare(f"{SUITE}-languages", PACKAGES)
        for kind in kinds:
            if kind == "corpus":
                continue
            # pipx needs Python, so an empty system cannot install a wheel.
            install(kind, languages if kind == "wheel" else empty, downloads, commands)
        kind = next((kind for kind in ["tarball", "deb", "wheel"] if kind in kinds), None)
        for language in LANGUAGES if kind else []:
            adapter(language, kind, languages, downloads, commands)
