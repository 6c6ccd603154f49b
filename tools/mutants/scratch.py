"""A copy of the package in which mutants can be activated, and the code that both tools share.

The copy gets one more module, `Mutant`, which reads an environment variable once; the healthy tree
has no switch anywhere.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
MODULES = (
    "RevisionTree", "Selectors", "ReferenceDatastore", "SQLiteDatastore", "Replication", "Scenarios",
    "ObjectMapping", "ObjectContexts", "Collections",
)

MUTANT_SWIFT = """\
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The mutant of this process; read once.
public enum Mutant {
  /// 0 for none.
  public static let number: Int = {
    guard let value = getenv("TOUCHSTONE_MUTANT") else { return 0 }
    let text = String(cString: value)
    if text.isEmpty { return 0 }
    if let number = Int(text) { return number }
    guard let place = names.firstIndex(of: text) else {
      print("no mutant '\\(text)'")
      exit(3)
    }
    return place + 1
  }()

  @inline(__always)
  public static func isActive(_ number: Int) -> Bool { number == Self.number }

  private static let names: [String] = [NAMES]
}
"""


# With an entry point of its own, a test bundle needs no search for XCTest classes, and so no index.
ENTRY_POINT = pathlib.Path("Tests/XCTMain.swift")
ENTRY_POINT_SWIFT = """\
import Testing

@main struct Main {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
"""


class Failure(Exception):
    """Something that the user has to know; the message says it all."""


def implementation(module):
    """The bundled implementation that a mutant of this module changes."""
    return "sqlite" if module == "SQLiteDatastore" else "reference"


def source(module):
    """The folder of a module, relative to the package."""
    return next(TOP.glob(f"Sources/*/{module}")).relative_to(TOP)


def read(path):
    return (TOP / path).read_text(encoding="utf-8")


def prepare(folder, names=(), own=(), tests=None):
    """Copies the package, without what it was built into, and adds the module `Mutant`.

    Files named by `own` are left to the caller: what is written twice is built twice. With `tests`,
    the copy builds these test targets, all modules but the tests are optimized, and no module checks
    assertions: a release build checks none, so none of them may kill a mutant in place of a vector.
    """
    folder.mkdir(parents=True, exist_ok=True)
    own = {pathlib.Path(path) for path in own} | {pathlib.Path("Sources/Mutant/Mutant.swift"), ENTRY_POINT}
    for name in ("Sources", "Tests", "docs/Examples"):
        synchronise(TOP / name, folder / name, {path.relative_to(name) for path in own
                                                if path.parts[0] == name})
    package = read("Package.swift").replace(".treatAllWarnings(as: .error),", "")
    package = package.replace("  targets: [\n", '  targets: [\n    .target(name: "Mutant"),\n', 1)
    for module in MODULES:
        declaration = rf'module\(\s*"{module}",\s*\['
        changed = re.sub(declaration, f'module("{module}", ["Mutant", ', package, count=1)
        if changed == package:
            raise Failure(f"Package.swift does not declare {module} in the way it used to")
        package = changed
    if tests is not None:
        package = with_tests(package, tests)
        put(folder / ENTRY_POINT, ENTRY_POINT_SWIFT)
        for path in TOP.iterdir():
            link = folder / path.name
            if path.name not in ("Sources", "Tests", "Package.swift", ".build", ".git") \
                    and not link.is_symlink():
                link.symlink_to(path)
    put(folder / "Package.swift", package)
    listed = ", ".join(f'"{name}"' for name in names)
    put(folder / "Sources/Mutant/Mutant.swift", MUTANT_SWIFT.replace("NAMES", listed))


def with_tests(package, tests):
    """The manifest with only these test targets, and settings of `prepare`."""
    declaration = r'    [\w.]*(?:tests|testTarget)\(\s*(?:name: )?"(\w+)",.*?\),\n(?=    |  \])'
    package = re.sub(declaration, lambda match: match[0] if match[1] in tests else "", package,
                     flags=re.S)
    package = package.replace('"-assert-config", "Debug"', '"-assert-config", "Release"', 1)
    for group in ("checking", "objects"):
        package = re.sub(rf'let {group} = Group\(name: "(\w+)"\)',
                         rf'let {group} = Group(name: "\1", optimization: optimization)', package)
    return package


def synchronise(source, target, own=()):
    """Makes the Swift files of a folder equal, touching only those that differ, and none of `own`."""
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    if target.exists():
        for path in [path for path in target.rglob("*") if path.is_file()]:
            if path.relative_to(target) not in wanted | set(own):
                path.unlink()
    for path in wanted - set(own):
        put(target / path, (source / path).read_bytes())


def put(path, content):
    """Writes a file unless it holds this already, so that a build knows what is new."""
    if isinstance(content, str):
        content = content.encode("utf-8")
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def import_mutant(text):
    """A source file that imports `Mutant`, on the line of its first import or its first line."""
    changed, count = re.subn(
        r"^((?:internal |public )?import )", r"internal import Mutant; \1", text, count=1, flags=re.M)
    return changed if count else "internal import Mutant; " + text


def build(folder, configuration="release"):
    """Builds the command line, or all with the tests if the configuration is `debug`; answers the
    compiler's output, and whether it was content."""
    command = ["swift", "build", "--package-path", str(folder), "-c", configuration]
    command += ["--product", "touchstone"] if configuration == "release" else [
        "--build-tests", "--disable-index-store"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, TOUCHSTONE_OPTIMIZED_TESTS="1"))
    return done.stdout, done.returncode == 0


def install(folder, configuration="release"):
    """Puts the built program where it is looked for, and answers its path."""
    built = folder / ".build" / configuration / "touchstone"
    target = folder / "touchstone"
    if target.exists():
        target.unlink()
    shutil.copy2(built, target)
    return target


def run(main):
    """Runs a tool; a failure is its message and exit code 1."""
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"{pathlib.Path(sys.argv[0]).name}: {failure}", file=sys.stderr)
        sys.exit(1)
