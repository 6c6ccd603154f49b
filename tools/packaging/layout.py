"""The files of an installation, the same for every archive: a prefix with `bin` and `share`.

    bin/touchstone
    share/touchstone/Vectors             the corpus
    share/touchstone/tools/adapters      adapters and the skeletons of `new-adapter`
    share/touchstone/tools/python        the runner in Python
    share/man, share/bash-completion, share/zsh, share/fish   if the program prints them
"""

import gzip
import pathlib
import shutil
import subprocess

import program
from shared import TOP, Failure, output, say, tracked

SHARED = "share/touchstone"

# Where each shell looks for completions, below the prefix.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/touchstone",
    "zsh": "share/zsh/vendor-completions/_touchstone",
    "fish": "share/fish/vendor_completions.d/touchstone.fish",
}


def copy(names, folder):
    """Copies files of the repository into a folder, at their paths."""
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, target)


def corpus(folder):
    """Copies the corpus, the adapters and the runner in Python."""
    names = tracked("Vectors", "tools/python", "tools/adapters")
    copy([name for name in names if not name.endswith(".gitignore")], folder)


def install(built, prefix):
    """Fills a prefix; returns the paths of manual page and completions below it."""
    (prefix / "bin").mkdir(parents=True)
    shutil.copy(built, prefix / "bin" / "touchstone")
    corpus(prefix / SHARED)
    texts = {}
    for shell, path in COMPLETIONS.items():
        texts[path] = printed(built, "completion", shell)
    texts["share/man/man1/touchstone.1.gz"] = compressed(printed(built, "man"))
    present = {path: text for path, text in texts.items() if text is not None}
    for path, text in present.items():
        (prefix / path).parent.mkdir(parents=True, exist_ok=True)
        (prefix / path).write_bytes(text)
    return sorted(present)


def printed(built, *words):
    """Returns what a command of the program prints; None if it has no such command."""
    done = subprocess.run([built, *words], capture_output=True, check=False, cwd="/")
    if done.returncode == 0 and done.stdout:
        return done.stdout
    say(f"  left out: '{built.name} {' '.join(words)}' exited with {done.returncode}")
    return None


def compressed(text):
    """Returns a page as manual pages are stored: without name and time, so that it is reproducible."""
    return None if text is None else gzip.compress(text, compresslevel=9, mtime=0)


def licences():
    """Returns the licences of the components of the portable program, by file name."""
    compiler = pathlib.Path(output("sh", "-c", "command -v swift").strip()).resolve()
    for parent in compiler.parents:
        text = parent / "share" / "swift" / "LICENSE.txt"
        if text.exists():
            found = {"swift.txt": text}
            break
    else:
        raise Failure(f"no share/swift/LICENSE.txt beside {compiler}")
    for name, path in program.archives().items():
        # A package is named once per processor, and dpkg may know the file by another path.
        owner = output("dpkg-query", "--search", path).split(":")[0]
        text = pathlib.Path("/usr/share/doc", owner, "copyright")
        if not text.exists():
            raise Failure(f"no licence of lib{name}.a: {text} does not exist")
        found[f"{owner.removesuffix('-dev')}.txt"] = text.resolve()
    return dict(sorted(found.items()))
