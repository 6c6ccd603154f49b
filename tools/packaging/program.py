"""The program to be packaged: built once, linked in two ways, and measured."""

import os
import pathlib
import re
import shutil
import subprocess

from shared import TOP, Failure, output, say

SCRATCH = TOP / ".build" / "release-build"

# The libraries that the portable program contains, by their names for the linker. `gcc_s` is replaced
# by `gcc_eh`, the static form of the same code. Only glibc stays outside: a static glibc could not
# load the name services of the system it runs on.
LIBRARIES = {name: name for name in ["sqlite3", "jansson", "crypto", "z", "expat", "stdc++"]} | {"gcc_s": "gcc_eh"}

# The parts of glibc.
SYSTEM_LIBRARIES = re.compile(r"(libc|libm|libdl|libpthread|librt|ld-linux-[a-z0-9_-]+)\.so\.[0-9]+")


def archives():
    """Returns the static library of each library that the portable program contains."""
    found = {}
    for name, archive in LIBRARIES.items():
        path = pathlib.Path(output("gcc", f"-print-file-name=lib{archive}.a").strip())
        if not path.is_absolute():
            raise Failure(f"lib{archive}.a is not installed; tools/setup installs the development files")
        found[name] = path.resolve()
    return found


def write_descriptions(folder, first):
    """Copies the pkg-config files of the package's libraries, so that the linker searches `first` first.

    SwiftPM puts the folders of these files before every other one, so an option cannot do the same.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in re.findall(r'pkgConfig: "([^"]+)"', (TOP / "Package.swift").read_text(encoding="utf-8")):
        place = output("pkg-config", "--variable=pcfiledir", name).strip()
        text = pathlib.Path(place, f"{name}.pc").read_text(encoding="utf-8")
        changed = re.sub(r"^Libs:", f"Libs: -L{first}", text, count=1, flags=re.MULTILINE)
        (folder / f"{name}.pc").write_text(changed, encoding="utf-8")


def link(portable):
    """Builds the program and returns its path.

    The portable one has no HTTP client. The compiler searches the folder `archives` first: it holds the static
    libraries, or nothing.
    """
    folder = SCRATCH / "archives"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if portable:
        for name, path in archives().items():
            (folder / f"lib{name}.a").symlink_to(path)
    write_descriptions(SCRATCH / "pkgconfig", folder)
    environment = {"PKG_CONFIG_PATH": str(SCRATCH / "pkgconfig"), "TOUCHSTONE_FAST_BUILD": "1"}
    command = [
        "swift", "build", "-c", "release", "--product", "touchstone", "--static-swift-stdlib",
        "--scratch-path", SCRATCH, "--disable-local-rpath", "-debug-info-format", "none",
        "-Xswiftc", "-DTOUCHSTONE_INSTALLED", "-Xswiftc", f"-L{folder}",
    ]
    if portable:
        # The static libcurl of Debian needs a dozen libraries more, some of which have no static form.
        command.append("--disable-default-traits")
    built = pathlib.Path(output(*command, "--show-bin-path", environment=environment).strip()) / "touchstone"
    # SwiftPM does not know the content of the folder, so it would not link again.
    built.unlink(missing_ok=True)
    say(f"building touchstone {'with all libraries' if portable else 'for the libraries of this system'}")
    log = SCRATCH / "build.log"
    with log.open("wb") as file:
        done = subprocess.run(
            [str(word) for word in command], cwd=TOP, stdout=file, stderr=file, check=False,
            env={**os.environ, **environment})
    if done.returncode != 0:
        last = "\n".join(log.read_text(errors="replace").split("\n")[-30:])
        raise Failure(f"swift build exited with {done.returncode}; the end of {log}:\n{last}")
    kept = SCRATCH / ("portable" if portable else "system") / "touchstone"
    kept.parent.mkdir(exist_ok=True)
    shutil.copyfile(built, kept)
    kept.chmod(0o755)
    output("strip", "--strip-unneeded", kept)
    inspect(kept, portable)
    return kept


def needed(program):
    """Returns the shared libraries that a program loads."""
    return sorted(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", program)))


def inspect(program, portable):
    """Raises Failure if a program must not be packaged, and prints what it needs."""
    libraries = needed(program)
    foreign = [name for name in libraries if not SYSTEM_LIBRARIES.fullmatch(name)]
    if portable and foreign:
        raise Failure(f"{program} still loads {', '.join(foreign)}")
    if any(name.startswith("libswift") for name in libraries):
        raise Failure(f"{program} loads libraries of Swift: {', '.join(libraries)}")
    if re.search(r"\((RPATH|RUNPATH)\)", output("readelf", "--dynamic", program)):
        raise Failure(f"{program} has a search path for libraries")
    if str(TOP).encode() in program.read_bytes():
        raise Failure(f"{program} contains the path of this checkout")
    megabytes = program.stat().st_size / 1e6
    say(f"  {megabytes:.1f} MB, needs {', '.join(libraries)}, glibc {'.'.join(map(str, glibc(program)))} or later")


def glibc(program):
    """Returns the oldest glibc that has all symbols of a program, as two numbers."""
    found = re.findall(r"\(?GLIBC_([0-9]+)\.([0-9]+)", output("objdump", "--dynamic-syms", program))
    if not found:
        raise Failure(f"{program} uses no versioned symbol of glibc")
    return max((int(major), int(minor)) for major, minor in found)
