#!/usr/bin/env python3
"""Lists the vectors written by hand that seem to add nothing, for somebody to look at.

    python3 tools/prune.py [Vectors]

A vector adds something when it is the only one written by hand that shows one of its clauses, or
when it sees a known mistake (Vectors/mistakes.json). Listed are

* idle ones: no known mistake is seen, and other vectors show the same clauses;
* twins: the same clauses and the same mistakes as a vector that comes before.

That is a question and no verdict. A mistake that nobody has made yet may need the vector, and small
mechanical mistakes (tools/mutants/operators.py) are not looked at here. Who removes one names its
id below `retired` in Vectors/manifest.json, with the reason.
"""

import collections
import json
import pathlib
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "Vectors"
FOLDERS = ("core", "capabilities", "profiles")


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else VECTORS
    vectors = [vector for folder in FOLDERS for path in sorted((root / folder).rglob("*.json"))
               for vector in load(path)["vectors"]]
    seen = collections.defaultdict(set)
    for mistake in load(root / "mistakes.json")["mistakes"]:
        for name in mistake["vectors"]:
            seen[name].add(mistake["name"])
    shown = collections.Counter(clause for vector in vectors for clause in vector["clauses"])
    idle, twins, first = [], [], {}
    for vector in vectors:
        name, clauses = vector["id"], vector["clauses"]
        if all(shown[clause] > 1 for clause in clauses) and not seen[name]:
            idle.append(f"{name}  {' '.join(clauses)}\n    {vector['note']}")
        elif seen[name]:
            kind = (frozenset(clauses), frozenset(seen[name]))
            if kind in first:
                twins.append(f"{name}  like {first[kind]}\n    {vector['note']}")
            first.setdefault(kind, name)
    for title, found in (("idle", idle), ("twins", twins)):
        print(f"{title}: {len(found)}")
        for line in found:
            print("  " + line)
    print(f"{len(vectors)} vectors written by hand, {len(idle)} idle, {len(twins)} twins")


if __name__ == "__main__":
    main()
