#!/usr/bin/env python3
"""Lists hand-written vectors that seem redundant, for review.

    python3 tools/prune.py [Vectors]

A vector is needed if it is the only hand-written vector of one of its clauses, or if it kills a
mutant (Vectors/mutants.json). The list has

* idle vectors: they kill no mutant, and other vectors show the same clauses;
* duplicates: they have the same clauses and kill the same mutants as an earlier vector.

The list is a hint. A future mutant may need the vector, and the mutants of tools/mutants/operators.py
are not counted here. To remove a vector, add its id and the reason below `retired` in
Vectors/manifest.json.
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
    kills = collections.defaultdict(set)
    for mutant in load(root / "mutants.json")["mutants"]:
        for name in mutant["vectors"]:
            kills[name].add(mutant["name"])
    shown = collections.Counter(clause for vector in vectors for clause in vector["clauses"])
    idle, duplicates, first = [], [], {}
    for vector in vectors:
        name, clauses = vector["id"], vector["clauses"]
        if all(shown[clause] > 1 for clause in clauses) and not kills[name]:
            idle.append(f"{name}  {' '.join(clauses)}\n    {vector['note']}")
        elif kills[name]:
            kind = (frozenset(clauses), frozenset(kills[name]))
            if kind in first:
                duplicates.append(f"{name}  like {first[kind]}\n    {vector['note']}")
            first.setdefault(kind, name)
    for title, found in (("idle", idle), ("duplicates", duplicates)):
        print(f"{title}: {len(found)}")
        for line in found:
            print("  " + line)
    print(f"{len(vectors)} hand-written vectors, {len(idle)} idle, {len(duplicates)} duplicates")


if __name__ == "__main__":
    main()
