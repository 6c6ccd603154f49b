"""A copy of the package in which mutants can be activated, and shared code of the two tools.

The copy has the additional module `Mutant`, which reads an environment variable once. The original sources
contain no code for mutants.
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


# With its own entry point, a test bundle needs no search for XCTest classes, and so no index.
ENTRY_POINT = pathlib.Path("Tests/XCTMain.swift")
ENTRY_POINT_SWIFT = """\
import Testing

@main struct Main {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
"""


class Failure(Exception):
    """An error that the message explains completely."""


def implementation(module):
    """Returns the bundled implementation that a mutant of this module changes."""
    return "sqlite" if module == "SQLiteDatastore" else "reference"


def source(module):
    """Returns the folder of a module, relative to the package."""
    return next(TOP.glob(f"Sources/*/{module}")).relative_to(TOP)


def read(path):
    return (TOP / path).read_text(encoding="utf-8")


def prepare(folder, names=(), own=(), tests=None):
    """Copies the package without its builds, and adds the module `Mutant`.

    The caller writes the files of `own`, because a file that is written twice is built twice. With `tests`,
    the copy builds these test targets, optimizes all modules except the tests, and disables assertions: a
    release build has none, so an assertion must not kill a mutant before a vector does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    own = {pathlib.Path(path) for path in own} | {pathlib.Path("Sources/Mutant/Mutant.swift"), ENTRY_POINT}
    for name in ("Sources", "Tests", "docs/Examples"):
        synchronise(TOP / name, folder / name, {path.relative_to(name) for path in own
                                                if path.parts[0] == name})
    package = read("Package.swift").replace(".treatAllWarnings(as: .error),", "")
    package = package.replace("\n  targets: [\n", '\n  targets: [\n    .target(name: "Mutant"),\n', 1)
    for module in MODULES:
        declaration = rf'module\(\s*"{module}",\s*\['
        changed = re.sub(declaration, f'module("{module}", ["Mutant", ', package, count=1)
        if changed == package:
            raise Failure(f"Package.swift does not declare {module} in the expected form; update scratch.py")
        package = changed
    if tests is not None:
        package = with_tests(package, tests)
        put(folder / ENTRY_POINT, ENTRY_POINT_SWIFT)
        # `docs/Examples` is a copy, so the folder `docs` has a link for each of its other entries.
        for path in [*TOP.iterdir(), *(TOP / "docs").iterdir()]:
            link = folder / path.relative_to(TOP)
            if path.name not in ("Sources", "Tests", "Package.swift", ".build", ".git") \
                    and not link.is_symlink() and not link.is_dir():
                link.symlink_to(path)
    put(folder / "Package.swift", package)
    listed = ", ".join(f'"{name}"' for name in names)
    put(folder / "Sources/Mutant/Mutant.swift", MUTANT_SWIFT.replace("NAMES", listed))


def with_tests(package, tests):
    """Returns the manifest with only these test targets, and the settings of `prepare`."""
    declaration = r'    [\w.]*(?:tests|testTarget)\(\s*(?:name: )?"(\w+)",.*?\),\n(?=    |  \])'
    package = re.sub(declaration, lambda match: match[0] if match[1] in tests else "", package,
                     flags=re.S)
    package = package.replace('"-assert-config", "Debug"', '"-assert-config", "Release"', 1)
    for group in ("checking", "objects"):
        package = re.sub(rf'let {group} = Group\(name: "(\w+)"\)',
                         rf'let {group} = Group(name: "\1", optimization: optimization)', package)
    return package


def synchronise(source, target, own=()):
    """Copies the Swift files of a folder that differ, except those of `own`."""
    wanted = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    if target.exists():
        for path in [path for path in target.rglob("*") if path.is_file()]:
            if path.relative_to(target) not in wanted | set(own):
                path.unlink()
    for path in wanted - set(own):
        put(target / path, (source / path).read_bytes())


def put(path, content):
    """Writes a file if its content differs, so that unchanged files are not rebuilt."""
    if isinstance(content, str):
        content = content.encode("utf-8")
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def import_mutant(text):
    """Returns a source file that imports `Mutant`, on the line of its first import or on its first line."""
    changed, count = re.subn(
        r"^((?:internal |public )?import )", r"internal import Mutant; \1", text, count=1, flags=re.M)
    return changed if count else "internal import Mutant; " + text


def build(folder, configuration="release"):
    """Builds the command line, or everything with the tests in the configuration `debug`. Returns the output
    of the compiler, and whether it succeeded."""
    command = ["swift", "build", "--package-path", str(folder), "-c", configuration]
    # The standard library in the program makes campaigns faster; on macOS there is only the shared one.
    static = ["--static-swift-stdlib"] if sys.platform.startswith("linux") else []
    command += ["--product", "touchstone", *static] if configuration == "release" else [
        "--build-tests", "-debug-info-format", "none"]
    environment = dict(os.environ)
    environment.pop("TOUCHSTONE_FAST_BUILD", None)
    # A release that inlines across modules would compile most of them again for each mutant.
    if configuration == "debug":
        environment["TOUCHSTONE_FAST_BUILD"] = "1"
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    return done.stdout, done.returncode == 0


def install(folder, configuration="release"):
    """Moves the built program to its expected path, and returns this path."""
    built = folder / ".build" / configuration / "touchstone"
    target = folder / "touchstone"
    if target.exists():
        target.unlink()
    shutil.copy2(built, target)
    return target


def run(main):
    """Runs a tool. A Failure prints its message and exits with code 1."""
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"{pathlib.Path(sys.argv[0]).name}: {failure}", file=sys.stderr)
        sys.exit(1)
