#!/usr/bin/env python3
"""Builds one program with all source mutants. TOUCHSTONE_MUTANT selects the active one at run time.

Each `tools/mutants/NAME.patch` is one mutant: a header (`Mutant:`, `Clause:`, and `Link:` to the issue
of a product with this bug), then a unified diff that replaces complete statements by complete
statements. All patches are applied to one copy of the tree as

    if Mutant.isActive(7) { …the lines with plus… } else { …the lines with minus… }

If the lines are one declaration `let x = …` or one branch `case y: …`, the `if` is after the `=` or the
colon. Mutants may overlap. A patch that does not apply to the tree is an error.

    tools/mutants/build.py            builds .build/mutants/touchstone and mutants.json beside it
    tools/mutants/build.py --check    checks that every patch applies
    tools/mutants/build.py --concurrent --scratch FOLDER
                                      builds FOLDER/touchstone with the mutants of concurrent/
"""

import argparse
import json
import pathlib
import re
import tempfile

import scratch
import swiftcode

FOLDER = pathlib.Path(__file__).resolve().parent


class Edit:
    """One range of lines that a mutant replaces: [start, end) of the file becomes `lines`."""

    def __init__(self, mutant, start, end, lines):
        self.mutant, self.start, self.end, self.lines = mutant, start, end, lines


class Patch:
    """A mutant, parsed from its patch."""

    def __init__(self, path):
        self.name = path.stem
        self.header, self.edits = {}, {}
        lines = path.read_text(encoding="utf-8").splitlines()
        place = 0
        while place < len(lines) and not lines[place].startswith("--- "):
            match = re.match(r"(Mutant|Clause|Link): (.*)", lines[place])
            if match:
                self.header[match[1].lower()] = match[2].strip()
            elif lines[place].startswith("  ") and self.header:
                last = list(self.header)[-1]
                self.header[last] += " " + lines[place].strip()
            place += 1
        for needed in ("mutant", "clause"):
            if not self.header.get(needed):
                raise scratch.Failure(f"{path.name}: the header lacks '{needed.capitalize()}:'")
        self.read_diff(path, lines[place:])

    def read_diff(self, path, lines):
        place = 0
        file = None
        while place < len(lines):
            line = lines[place]
            if line.startswith("--- "):
                place += 1
                continue
            if line.startswith("+++ "):
                file = line[4:].split("\t")[0].removeprefix("b/")
                place += 1
                continue
            match = re.match(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@", line)
            if not match or not file:
                raise scratch.Failure(f"{path.name}: '{line}' is not valid in a unified diff")
            hunk = []
            place += 1
            while place < len(lines) and lines[place][:1] in (" ", "-", "+", ""):
                if lines[place].startswith("--- "):
                    break
                hunk.append(lines[place] or " ")
                place += 1
            self.take(file, int(match[1]) - 1, hunk)

    def take(self, file, hint, hunk):
        old = [line[1:] for line in hunk if line[0] in " -"]
        source = scratch.read(file).split("\n")
        start = find(source, old, hint)
        if start is None:
            raise scratch.Failure(f"{self.name}.patch does not apply to {file}; update the patch")
        at, edit = start, None
        for line in hunk:
            if line[0] == " ":
                edit = None
                at += 1
                continue
            if edit is None:
                edit = Edit(self.name, at, at, [])
                self.edits.setdefault(file, []).append(edit)
            if line[0] == "-":
                at += 1
                edit.end = at
            else:
                edit.lines.append(line[1:])


def find(source, old, hint):
    """Returns the position of the lines nearest to the hint; None if they do not occur."""
    found = [at for at in range(len(source) - len(old) + 1) if source[at:at + len(old)] == old]
    found.sort(key=lambda at: abs(at - hint))
    return found[0] if found else None


def groups(edits):
    """Returns groups of overlapping or adjacent edits, with the range of each group."""
    result = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if result and edit.start < result[-1][1] or result and edit.start == result[-1][0]:
            result[-1][1] = max(result[-1][1], edit.end)
            result[-1][2].append(edit)
        else:
            result.append([edit.start, edit.end, [edit]])
    return result


def switch(source, start, end, edits, numbers):
    """Returns lines that select the original lines or those of a mutant."""
    healthy = source[start:end]
    versions = {}
    for edit in edits:
        version = versions.setdefault(edit.mutant, (list(healthy), []))
        version[1].append(edit)
    choices = []
    for name, (lines, own) in versions.items():
        for edit in sorted(own, key=lambda edit: -edit.start):
            lines[edit.start - start:edit.end - start] = edit.lines
        if not (is_whole(healthy) and is_whole(lines)):
            raise scratch.Failure(f"{name}.patch replaces a part of a statement; replace the complete statement")
        choices.append((numbers[name], lines))
    # The label of a branch, or the left side of a declaration, stays before the `if`.
    prefix = common_prefix([healthy] + [lines for _, lines in choices])
    if prefix:
        healthy = [healthy[0][len(prefix):]] + healthy[1:]
        choices = [(number, [lines[0][len(prefix):]] + lines[1:]) for number, lines in choices]
    result = [prefix] if prefix else []
    word = "if"
    for number, lines in choices:
        result += [f"{word} Mutant.isActive({number}) {{"] + lines
        word = "} else if"
    return result + (["} else {"] + healthy if healthy else []) + ["}"]


def is_whole(lines):
    """True if the brackets of these lines are balanced."""
    depth = 0
    for character in swiftcode.mask("\n".join(lines)):
        depth += (character in swiftcode.OPENING) - (character in swiftcode.CLOSING)
        if depth < 0:
            return False
    return depth == 0


def common_prefix(versions):
    if not all(versions) or not versions[0]:
        return ""
    first = versions[0][0]
    match = re.match(r"\s*(?:let|var) \w+(?:: [^=]+)? =(?= |$)", first)
    prefix = match[0] if match else label(first)
    return prefix if prefix and all(lines[0].startswith(prefix) for lines in versions) else ""


def label(line):
    """Returns the `case …:` or `default:` at the beginning of a line, or an empty text."""
    if not re.match(r"\s*(case\b|default:)", line):
        return ""
    depth = 0
    for place, character in enumerate(swiftcode.mask(line)):
        depth += (character in swiftcode.OPENING) - (character in swiftcode.CLOSING)
        if character == ":" and depth == 0:
            return line[:place + 1]
    return ""


def apply(patches, folder):
    numbers = {patch.name: number for number, patch in enumerate(patches, 1)}
    by_file = {}
    for patch in patches:
        for file, edits in patch.edits.items():
            by_file.setdefault(file, []).extend(edits)
    for file, edits in by_file.items():
        if file.split("/")[2] not in scratch.MODULES:
            raise scratch.Failure(f"{edits[0].mutant}.patch changes {file}, which is not compiled with mutants")
        source = scratch.read(file).split("\n")
        masked = swiftcode.mask("\n".join(source)).split("\n")
        for start, end, together in reversed(groups(edits)):
            if source[start].strip() and not masked[start].strip():
                raise scratch.Failure(
                    f"{together[0].mutant}.patch begins inside a literal or comment; replace it completely")
            source[start:end] = switch(source, start, end, together, numbers)
        scratch.put(folder / file, scratch.import_mutant("\n".join(source)))


def manifest(patches):
    mutants = []
    for patch in patches:
        modules = sorted({file.split("/")[2] for file in patch.edits})
        mutants.append({
            "name": patch.name, "sentence": patch.header["mutant"],
            "clause": patch.header["clause"], "link": patch.header.get("link"),
            "files": sorted(patch.edits),
            "implementations": sorted({scratch.implementation(module) for module in modules}),
        })
    return {"mutants": mutants}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=pathlib.Path, default=scratch.TOP / ".build/mutants",
                        help="the build folder; .build/mutants by default")
    parser.add_argument("--check", action="store_true", help="check only that every patch applies")
    parser.add_argument("--concurrent", action="store_true",
                        help="the mutants that only several clients notice: concurrent/*.patch")
    options = parser.parse_args()
    folder = FOLDER / "concurrent" if options.concurrent else FOLDER
    patches = [Patch(path) for path in sorted(folder.glob("*.patch"))]
    if options.check:
        with tempfile.TemporaryDirectory() as folder:
            apply(patches, pathlib.Path(folder))
        print(f"{len(patches)} patches apply")
        return 0
    tree = options.scratch / "tree"
    scratch.prepare(tree, [patch.name for patch in patches])
    apply(patches, tree)
    output, good = scratch.build(tree)
    if not good:
        raise scratch.Failure("the copy with all mutants does not build\n" + output[-6000:])
    program = scratch.install(tree)
    program.replace(options.scratch / "touchstone")
    scratch.put(options.scratch / "mutants.json", json.dumps(manifest(patches), indent=1) + "\n")
    print(f"{len(patches)} mutants in {options.scratch / 'touchstone'}")
    return 0


if __name__ == "__main__":
    scratch.run(main)
