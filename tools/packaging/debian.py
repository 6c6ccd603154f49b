"""The Debian package: the program for the libraries of Debian, in the folders of Debian."""

import gzip
import os
import shutil
import time

import archives
import layout
import versions
from shared import DEBIAN_ARCHITECTURES, TOP, Failure, architecture, output, say

CONTROL = """\
Package: touchstone
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Suggests: python3
Section: devel
Priority: optional
Description: conformance suite and simulator for replicated document stores
 Touchstone tests document stores that replicate like CouchDB, in any
 programming language. It has a conformance suite of test vectors, a
 reference model that checks the outcomes of random operations, and a
 deterministic simulator of replicas with network, disk and process faults.
"""

CHANGELOG = """\
touchstone ({version}) unstable; urgency=medium

  * Release {version}. /usr/share/doc/touchstone/CHANGELOG.md.gz lists the changes.

 -- {maintainer}  {date}
"""

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: touchstone

Files: *
Copyright: {year} The Touchstone authors
License: Apache-2.0

Files: usr/bin/touchstone
Copyright: {year} The Touchstone authors
 Apple Inc. and the Swift project authors
License: Apache-2.0 and Apache-2.0 with Runtime Library Exception
Comment:
 The program contains the runtime library of Swift.

License: Apache-2.0
 On Debian systems the text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.

License: Apache-2.0 with Runtime Library Exception
 The Apache License 2.0, of which the text on Debian systems is in
 /usr/share/common-licenses/Apache-2.0, with this exception:
 .
 As an exception, if you use this Software to compile your source code and
 portions of this Software are embedded into the binary product as a result,
 you may redistribute such product without providing attribution as would
 otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.
"""


def maintainer():
    """Returns DEBFULLNAME and DEBEMAIL, as tools of Debian read them, or the author of the commit."""
    name, address = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    if name and address:
        return f"{name} <{address}>"
    return output("git", "log", "-1", "--format=%an <%ae>").strip()


def dependencies(built, scratch):
    """Returns what dpkg-shlibdeps computes from the symbols that the program uses."""
    source = scratch / "shlibdeps"
    (source / "debian").mkdir(parents=True)
    (source / "debian" / "control").write_text("Source: touchstone\n\nPackage: touchstone\nArchitecture: any\n")
    shutil.copy(built, source / "touchstone")
    lines = output("dpkg-shlibdeps", "-O", "-e", source / "touchstone", cwd=source).split("\n")
    for line in lines:
        if line.startswith("shlibs:Depends="):
            return line.removeprefix("shlibs:Depends=")
    raise Failure("dpkg-shlibdeps printed no shlibs:Depends")


def build(built, scratch, folder, epoch):
    """Writes the package into a folder; returns its path."""
    version = versions.debian(versions.current())
    processor = DEBIAN_ARCHITECTURES.get(architecture())
    if processor is None:
        raise Failure(f"no Debian name is known for the processor {architecture()}")
    root = scratch / "debian-root"
    layout.install(built, root / "usr")
    documents = root / "usr/share/doc/touchstone"
    documents.mkdir(parents=True)
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch))
    facts = {"version": version, "architecture": processor, "maintainer": maintainer(), "date": date,
             "year": time.gmtime(epoch).tm_year}
    facts["depends"] = dependencies(built, scratch)
    say(f"  Depends: {facts['depends']}")
    (documents / "copyright").write_text(COPYRIGHT.format(**facts), encoding="utf-8")
    pages = {"changelog": CHANGELOG.format(**facts).encode(), "CHANGELOG.md": (TOP / "CHANGELOG.md").read_bytes()}
    for name, content in pages.items():
        (documents / f"{name}.gz").write_bytes(gzip.compress(content, compresslevel=9, mtime=0))
    overrides = TOP / "tools/packaging/lintian-overrides"
    if overrides.exists():
        (root / "usr/share/lintian/overrides").mkdir(parents=True)
        shutil.copy(overrides, root / "usr/share/lintian/overrides/touchstone")
    normalize(root)
    contents = archives.files(root)
    facts["kilobytes"] = sum((path.stat().st_size + 1023) // 1024 for path in contents)
    sums = [f"{output('md5sum', path).split()[0]}  {path.relative_to(root)}\n" for path in contents]
    (root / "DEBIAN").mkdir(mode=0o755)
    (root / "DEBIAN" / "control").write_text(CONTROL.format(**facts), encoding="utf-8")
    (root / "DEBIAN" / "md5sums").write_text("".join(sums), encoding="utf-8")
    normalize(root / "DEBIAN")
    target = folder / f"touchstone_{version}_{processor}.deb"
    output("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, target,
           environment={"SOURCE_DATE_EPOCH": str(epoch)})
    say(f"wrote {target.name}")
    lint(target, [] if (root / "usr/share/man").exists() else ["no-manual-page"])
    return target


def normalize(root):
    """Sets permissions that do not depend on the umask."""
    for path in [root, *root.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else archives.mode(path))


def lint(target, left_out):
    """Raises Failure with the report of lintian if it has an error or a warning, except some tags."""
    if shutil.which("lintian") is None:
        say("  not checked: lintian is not installed (apt-get install lintian)")
        return
    # An upload to Debian would close the bug of its request; this package is not uploaded.
    tags = ["initial-upload-closes-no-bugs", *left_out]
    output("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", ",".join(tags), target)
    say(f"  lintian reports no error and no warning (not checked: {', '.join(tags)})")
