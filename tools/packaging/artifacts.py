"""The archives of a release."""

import pathlib
import shutil
import tempfile

import archives
import debian
import layout
import program
import versions
import wheel
from shared import TOP, Failure, architecture, epoch, output, say, tracked

KINDS = ["tarball", "wheel", "deb", "corpus"]

# The files at the top of an archive, in addition to the installation.
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md", "docs"]


def build(kinds, folder):
    """Builds archives into a folder, and writes the checksums of all archives of this version in it."""
    time = epoch()
    folder.mkdir(parents=True, exist_ok=True)
    changed = output("git", "status", "--porcelain", "--untracked-files=no").strip()
    if changed:
        say(f"warning: the archives contain changes that are not committed:\n{changed}")
    portable = program.link(portable=True) if {"tarball", "wheel"} & set(kinds) else None
    system = program.link(portable=False) if "deb" in kinds else None
    for built in filter(None, [portable, system]):
        said = output(built, "--version", cwd="/").strip()
        if said != f"touchstone {versions.current()}":
            raise Failure(f"touchstone --version printed '{said}', expected version {versions.current()}")
    written = []
    with tempfile.TemporaryDirectory() as scratch:
        for kind in kinds:
            place = pathlib.Path(scratch) / kind
            place.mkdir()
            if kind == "tarball":
                written.append(tarball(portable, place, folder, time))
            elif kind == "wheel":
                written.append(wheel.build(portable, place, folder, time))
            elif kind == "deb":
                written.append(debian.build(system, place, folder, time))
            else:
                written.append(corpus(place, folder, time))
    archives.write_sums(folder, [path.name for path in paths(folder)])
    for path in written:
        say(f"{archives.sha256(path)}  {path.stat().st_size / 1e6:6.1f} MB  {path.name}")
    say(f"the archives and SHA256SUMS are in {folder}")


def tarball(built, scratch, folder, time):
    """Writes the relocatable archive: it runs from the folder in which it is unpacked."""
    root = scratch / f"touchstone-{versions.current()}-linux-{architecture()}"
    layout.install(built, root)
    layout.copy(tracked(*PAGES), root)
    (root / "licences").mkdir()
    for name, path in layout.licences().items():
        shutil.copyfile(path, root / "licences" / name)
    target = folder / f"{root.name}.tar.gz"
    archives.tarball(root, target, time)
    say(f"wrote {target.name}")
    return target


def corpus(scratch, folder, time):
    """Writes the corpus with the runner in Python, for those who use it without the program."""
    root = scratch / f"touchstone-corpus-{versions.current()}"
    layout.copy(tracked("LICENSE", "Vectors", "tools/python", "docs/corpus.md"), root)
    target = folder / f"{root.name}.tar.gz"
    archives.tarball(root, target, time)
    say(f"wrote {target.name}")
    return target


def pattern(kind):
    """Returns the pattern of the file name of an archive of this version."""
    version = versions.current()
    return {
        "tarball": f"touchstone-{version}-linux-*.tar.gz",
        "wheel": f"touchstone-{versions.python(version)}-py3-none-*.whl",
        "deb": f"touchstone_{versions.debian(version)}_*.deb",
        "corpus": f"touchstone-corpus-{version}.tar.gz",
    }[kind]


def paths(folder):
    """Returns the archives of this version in a folder, without other files."""
    return sorted(path for kind in KINDS for path in folder.glob(pattern(kind)))
