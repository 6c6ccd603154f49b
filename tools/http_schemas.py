"""Checks the files of Vectors/http/ against their JSON Schemas, and rules that schemas cannot express."""

CLAUSES = "clauses.json"


def http_problems(root, load, check):
    """Yields a problem for each wrong file, unknown clause, id that occurs twice, and clause without a vector."""
    folder = root / "http"
    if not folder.exists():
        return
    listed = load(folder / CLAUSES)
    check("http-clauses.schema.json", listed, f"http/{CLAUSES}")
    clauses = [clause["id"] for clause in listed["clauses"]]
    if clauses != sorted(set(clauses)):
        yield f"http/{CLAUSES}: the ids are not in order, or one occurs twice"
    seen, cited = set(), set()
    for path in sorted(folder.glob("*.json")):
        if path.name == CLAUSES:
            continue
        file = load(path)
        check("http-vector-file.schema.json", file, f"http/{path.name}")
        for vector in file["vectors"]:
            place = f"http/{path.name}: {vector['id']}"
            if vector["id"] in seen:
                yield f"{place}: the id occurs twice"
            seen.add(vector["id"])
            cited.update(vector["clauses"])
            for clause in vector["clauses"]:
                if clause not in clauses:
                    yield f"{place}: unknown clause {clause}"
    for clause in clauses:
        if clause not in cited:
            yield f"http/{CLAUSES}: no vector tests {clause}"
