"""Builds and tests a package that depends on TouchstoneKit in a system without the libraries of other products.

The system is a chroot of Debian, as those of trial.py, with the compiler of this machine. libcurl, libmicrohttpd
and expat have no development files there: only the command, the CouchDB client and the reader of model files need them.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

import trial
from shared import TOP, Failure, say

# What the toolchain needs (itself libcurl, without its development files), and what TouchstoneKit links.
PACKAGES = [
    "binutils", "ca-certificates", "git", "libcurl4", "libc6-dev", "libgcc-12-dev", "libstdc++-12-dev", "libxml2", "libedit2",
    "libncurses6", "libpython3.11", "libsqlite3-0", "tzdata", "pkg-config",
    "libsqlite3-dev", "libjansson-dev", "libssl-dev", "zlib1g-dev",
]

# Must not be in the system.
ABSENT = ["libcurl", "libmicrohttpd", "expat"]

PACKAGE = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "store",
  dependencies: [.package(path: "/trial/touchstone")],
  targets: [
    .testTarget(
      name: "StoreTests",
      dependencies: [.product(name: "TouchstoneKit", package: "touchstone")])
  ])
"""

# $compiler is mounted by the caller.
SCRIPT = """set -e
for library in {absent}; do
  if pkg-config --exists "$library"; then echo "this system has $library"; exit 1; fi
done
mkdir -p /trial/touchstone /trial/store/Tests/StoreTests
tar -xf /trial/downloads/touchstone.tar -C /trial/touchstone
cp /trial/downloads/Package.swift /trial/store
cp /trial/touchstone/docs/Examples/LittleStore*.swift /trial/store/Tests/StoreTests
cd /trial/store
export PATH="{compiler}/usr/bin:$PATH"
swift build --build-tests -debug-info-format none
swift test --skip-build -debug-info-format none
"""


def run():
    """Raises Failure if the package does not build, or a test of it fails."""
    if os.geteuid() != 0:
        raise Failure("this needs root for chroot and mount; run it with sudo")
    swift = shutil.which("swift")
    if swift is None or shutil.which("debootstrap") is None:
        raise Failure("expected swift and debootstrap in PATH")
    compiler = pathlib.Path(swift).resolve().parents[2]
    # A folder such as /opt/swift; the root of this machine must not cover the system.
    if len(compiler.parts) < 3 or not (compiler / "usr" / "bin" / "swift").exists():
        raise Failure(f"expected a toolchain in a folder of its own, found {swift} in {compiler}")
    system = trial.prepare(f"{trial.SUITE}-dependent", PACKAGES)
    with tempfile.TemporaryDirectory() as scratch:
        downloads = pathlib.Path(scratch)
        names = subprocess.run(["git", "-C", TOP, "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(
            ["tar", "-cf", downloads / "touchstone.tar", "-C", TOP, "--null", "-T", "-"], input=names, check=True)
        (downloads / "Package.swift").write_text(PACKAGE, encoding="utf-8")
        script = SCRIPT.format(absent=" ".join(ABSENT), compiler=compiler)
        code, said, seconds = trial.enter(system, downloads, script, visible=compiler)
    if code != 0:
        raise Failure(f"a package that depends on TouchstoneKit:\n{trial.indented(trial.last(said, 40))}")
    say(f"a package that depends on TouchstoneKit, without {', '.join(ABSENT)}: {seconds:.0f} s\n"
        f"{trial.indented(trial.last(said, 1))}")
