"""The Python wheel: the program and the corpus, installed by pip, pipx or uv like a tool in Python."""

import base64
import hashlib
import shutil

import archives
import layout
import program
import versions
from shared import TOP, architecture, say

METADATA = """\
Metadata-Version: 2.1
Name: touchstone
Version: {version}
Summary: Conformance suite and simulator for document stores that replicate like CouchDB
License: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.7
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Database
Classifier: Topic :: Software Development :: Testing
Description-Content-Type: text/markdown

The command `touchstone` with its corpus of rules and test vectors. It contains all libraries that it needs,
except glibc {glibc} or later.

```sh
touchstone run                                  # test the bundled SQLite store
touchstone new-adapter python my-adapter        # begin an adapter for your store
```
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: touchstone-release (1)
Root-Is-Purelib: false
Tag: {tag}
"""


def tag(built):
    """Returns the compatibility tag: any Python 3, no interface of Python, and the measured glibc."""
    major, minor = program.glibc(built)
    return f"py3-none-manylinux_{major}_{minor}_{architecture()}"


def build(built, scratch, folder, epoch):
    """Writes the wheel into a folder; returns its path."""
    version = versions.python(versions.current())
    name = f"touchstone-{version}"
    root = scratch / "wheel"
    prefix = scratch / "prefix"
    layout.install(built, prefix)
    # Installers put `scripts` into the folder `bin` of the environment and `data` into its prefix, so the
    # program finds the corpus as in every other installation.
    (root / f"{name}.data").mkdir(parents=True)
    shutil.move(prefix / "bin", root / f"{name}.data" / "scripts")
    shutil.move(prefix, root / f"{name}.data" / "data")
    information = root / f"{name}.dist-info"
    (information / "licenses").mkdir(parents=True)
    shutil.copy(TOP / "LICENSE", information / "licenses" / "LICENSE")
    for file, path in layout.licences().items():
        shutil.copyfile(path, information / "licenses" / file)
    glibc = ".".join(map(str, program.glibc(built)))
    (information / "METADATA").write_text(METADATA.format(version=version, glibc=glibc), encoding="utf-8")
    (information / "WHEEL").write_text(WHEEL.format(tag=tag(built)), encoding="utf-8")
    record = information / "RECORD"
    record.write_text("".join(f"{line}\n" for line in recorded(root, record)), encoding="utf-8")
    target = folder / f"{name}-{tag(built)}.whl"
    archives.zipped(root, target, epoch)
    say(f"wrote {target.name}")
    return target


def recorded(root, record):
    """Yields the lines of RECORD: path, hash and size of each file, and RECORD itself without them."""
    for path in archives.files(root):
        content = path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        yield f"{path.relative_to(root).as_posix()},sha256={digest},{len(content)}"
    yield f"{record.relative_to(root).as_posix()},,"
