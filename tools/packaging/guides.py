"""Builds and runs the samples of the guides as a package outside the checkout, from the products of this one."""

import pathlib
import shutil
import subprocess
import tempfile

from shared import TOP, Failure, say

PACKAGE = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "guides",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "touchstone", path: "TOP")],
  targets: [
    .executableTarget(
      name: "guides",
      dependencies: [
        .product(name: "TouchstoneSQLite", package: "touchstone"),
        .product(name: "TouchstoneHTTP", package: "touchstone"),
      ])
  ])
"""


def run():
    """Raises Failure if the package does not build, or if a sample has another result than expected."""
    if shutil.which("swift") is None:
        raise Failure("expected swift in PATH")
    with tempfile.TemporaryDirectory() as scratch:
        package = pathlib.Path(scratch) / "guides"
        shutil.copytree(TOP / "tools/packaging/guides", package / "Sources/guides")
        (package / "Package.swift").write_text(PACKAGE.replace("TOP", str(TOP)), encoding="utf-8")
        built = subprocess.run(
            ["swift", "build", "-debug-info-format", "none"], cwd=package, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if built.returncode != 0:
            raise Failure(f"the package does not build:\n{built.stdout[-4000:]}")
        ran = subprocess.run([package / ".build/debug/guides"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    say(ran.stdout.rstrip())
    if ran.returncode != 0:
        raise Failure("a sample of a guide has another result than expected")
