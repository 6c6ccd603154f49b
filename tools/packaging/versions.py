"""The version of the project.

It is defined in one place, `ToolVersion.swift`. The archives derive theirs from it. Some texts quote it;
`check` finds the quotes that differ, and `write` replaces them.
"""

import re

from shared import TOP, Failure, say, tracked

SOURCE = "Sources/Checking/Conformance/ToolVersion.swift"

NUMBER = r"[0-9]+\.[0-9]+\.[0-9]+(?:-rc\.[0-9]+)?"
DEFINITION = re.compile(rf'(public let toolVersion = ")({NUMBER})(")')
# A quote of the name and version of the program, as in reports and in "hello".
QUOTE = re.compile(rf"\b(touchstone )({NUMBER})(?![0-9.-])")

# Texts that quote the version. Tests take it from the sources, so they are not among them.
QUOTING = ["README.md", "docs", "Vectors", "tools/adapters", "tools/packaging"]


def current():
    """Returns the version of the sources."""
    found = DEFINITION.search((TOP / SOURCE).read_text(encoding="utf-8"))
    if not found:
        raise Failure(f"{SOURCE} defines no version N.N.N or N.N.N-rc.N")
    return found[2]


def texts():
    """Yields the path and text of each file that may quote the version."""
    for name in tracked(*QUOTING):
        # Vectors quote no version, and there are 15 MB of them.
        if name.endswith((".md", ".jsonl", ".yml", ".yaml", ".py")):
            yield name, (TOP / name).read_text(encoding="utf-8")


def problems(tag):
    """Returns a sentence for each place that names another version."""
    version = current()
    found = []
    for name, text in texts():
        for number, line in enumerate(text.split("\n"), 1):
            for quote in QUOTE.finditer(line):
                if quote[2] != version:
                    found.append(f"{name}:{number}: '{quote[0]}', but {SOURCE} says {version}")
    changes = (TOP / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(rf"^## \[?({NUMBER})\]?(.*)$", changes, re.MULTILINE)
    sections = [number for number, _ in released]
    if tag is not None:
        if tag != f"v{version}":
            found.append(f"the tag is '{tag}', but {SOURCE} says {version}: expected v{version}")
        if version not in sections:
            found.append(f"CHANGELOG.md has no section '## {version} - DATE'; rename '## Unreleased'")
    elif version not in sections and "\n## Unreleased\n" not in changes:
        found.append(f"CHANGELOG.md has neither a section for {version} nor '## Unreleased'")
    for number, date in released:
        if not re.fullmatch(r" - [0-9]{4}-[0-9]{2}-[0-9]{2}", date):
            found.append(f"CHANGELOG.md: '## {number}{date}', expected '## {number} - YYYY-MM-DD'")
    return found


def check(tag):
    """Prints the version; raises Failure if a file names another one."""
    found = problems(tag)
    if found:
        raise Failure("the version is not the same everywhere:\n  " + "\n  ".join(found))
    quotes = sum(len(QUOTE.findall(text)) for _, text in texts())
    say(f"version {current()} in {SOURCE}, {quotes} equal quotes in texts")


def write(version):
    """Writes a version into the sources and into every text that quotes it."""
    if not re.fullmatch(NUMBER, version):
        raise Failure(f"'{version}' is not a version: expected N.N.N or N.N.N-rc.N")
    path = TOP / SOURCE
    source = path.read_text(encoding="utf-8")
    path.write_text(DEFINITION.sub(rf"\g<1>{version}\g<3>", source), encoding="utf-8")
    say(f"wrote {SOURCE}")
    for name, text in texts():
        changed = QUOTE.sub(rf"\g<1>{version}", text)
        if changed != text:
            (TOP / name).write_text(changed, encoding="utf-8")
            say(f"wrote {name}")
    check(None)


def debian(version):
    """Returns the version as Debian writes it: a candidate sorts before its release."""
    return version.replace("-", "~")


def python(version):
    """Returns the version as Python packages write it."""
    return version.replace("-rc.", "rc")
