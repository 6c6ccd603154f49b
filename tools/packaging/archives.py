"""Reproducible archives: sorted names, one modification time, no owner, and the same compression."""

import gzip
import hashlib
import io
import tarfile
import time
import zipfile


def files(folder):
    """Returns the files below a folder, sorted by their relative path."""
    found = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def mode(path):
    """Returns the permissions of a packaged file: executable or not, independent of the umask."""
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


def tarball(folder, target, epoch):
    """Packs a folder, with its name as the first part of every path."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        folders = {folder} | {parent for path in files(folder) for parent in path.parents if folder in parent.parents}
        for path in sorted(folders | set(files(folder))):
            name = f"{folder.name}/{path.relative_to(folder).as_posix()}".removesuffix("/.")
            entry = tarfile.TarInfo(name)
            entry.mtime = epoch
            if path.is_dir():
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                entry.size, entry.mode = path.stat().st_size, mode(path)
                with path.open("rb") as content:
                    archive.addfile(entry, content)
    target.write_bytes(gzip.compress(packed.getvalue(), compresslevel=9, mtime=epoch))


def zipped(folder, target, epoch):
    """Packs the content of a folder as a zip file."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in files(folder):
            # A zip file has no time before 1980.
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), time.gmtime(max(epoch, 315532800))[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100000 | mode(path)) << 16
            archive.writestr(entry, path.read_bytes())


def sha256(path):
    """Returns the SHA-256 of a file in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_sums(folder, names):
    """Writes SHA256SUMS of files of a folder, as `sha256sum --check` reads it."""
    lines = [f"{sha256(folder / name)}  {name}\n" for name in names]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")
