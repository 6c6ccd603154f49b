#!/usr/bin/env python3
"""Writes a copy of the Python store and its adapters with source mutants.

    tools/diagnosis/mutate_python.py NAME FOLDER                  # a mutant of python-mutants.json
    tools/diagnosis/mutate_python.py NAME FOLDER --list python-concurrency-mutants.json
    tools/diagnosis/mutate_python.py --list FILE                  # prints the names and sentences of a list

NAME may be several names with "+" between them. The adapters are FOLDER/adapters/python/*.py. Source mutants for
concurrency need concurrent_adapter.py. Exit code 0 if the copy was written, 1 if a mutant does not apply, 2 for
incorrect usage.
"""

import argparse
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parent


class DoesNotApply(Exception):
    """The text that a mutant replaces does not occur exactly once."""


def mutants_of(path):
    """Returns the mutants of a list."""
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["mutants"]


def write_copy(folder, mutants):
    """Writes a copy of the Python store and its adapters with mutants. `file` of a mutant is relative to tools/python."""
    for part in ("python", "adapters/python"):
        shutil.copytree(TOOLS / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for mutant in mutants:
        path = folder / "python" / mutant["file"]
        text = path.read_text(encoding="utf-8")
        if text.count(mutant["old"]) != 1:
            raise DoesNotApply(f"{mutant['name']} does not apply to {mutant['file']}; update the list of mutants")
        path.write_text(text.replace(mutant["old"], mutant["new"]), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--list", default="python-mutants.json", help="a path, or the name of a file beside this script")
    options = parser.parse_args()
    path = pathlib.Path(options.list)
    known = {mutant["name"]: mutant for mutant in mutants_of(path if path.exists() else HERE / path)}
    if options.name is None:
        for mutant in known.values():
            print(f"{mutant['name']}: {mutant['sentence']}")
        return 0
    names = options.name.split("+")
    if options.folder is None or not set(names) <= known.keys():
        parser.error("a folder is missing" if options.folder is None else f"unknown mutant in {options.name}")
    if options.folder.exists():
        parser.error(f"{options.folder} exists")
    try:
        write_copy(options.folder, [known[name] for name in names])
    except DoesNotApply as error:
        print(f"mutate_python: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
