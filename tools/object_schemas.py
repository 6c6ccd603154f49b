"""Checks the schemas of Vectors/objects/ against their examples and the expectations of the vectors.

Each example in `schema-examples.json` is a document that the corrected schema accepts or rejects. If it
shows an error of the printed schema, a patch (RFC 6902) reintroduces this error, and the example states the
result of that schema.
"""

import copy

from jsonschema import Draft4Validator

NAMES = ("metadata-document", "entity-document")
METADATA = "CDTISMetaData"


def patched(document, patch):
    """Returns a copy of a document after `add`, `remove` and `replace` of RFC 6902."""
    document = copy.deepcopy(document)
    for change in patch:
        parts = [p.replace("~1", "/").replace("~0", "~") for p in change["path"].split("/")[1:]]
        place = document
        for part in parts[:-1]:
            place = place[int(part) if isinstance(place, list) else part]
        last = int(parts[-1]) if isinstance(place, list) else parts[-1]
        if change["op"] != "add":
            del place[last]
        if change["op"] != "remove" and isinstance(place, list):
            place.insert(last, change["value"])
        elif change["op"] != "remove":
            place[last] = change["value"]
    return document


def example_problems(examples, schemas, clauses):
    """Yields a problem for each example whose result differs from the stated one."""
    for number, example in enumerate(examples):
        place = f"objects/schema-examples.json[{number}]"
        if example["clause"] not in clauses:
            yield f"{place}: unknown clause {example['clause']}"
        schema = schemas[example["schema"]]
        versions = {"corrected": schema}
        if "error" in example:
            versions["printed"] = patched(schema, example["reintroduced"])
        for name, version in versions.items():
            Draft4Validator.check_schema(version)
            if Draft4Validator(version).is_valid(example["document"]) != example[name]:
                yield f"{place}: the result of the {name} schema is not {example[name]}"


def sample(pattern, name=""):
    """Returns a value that a pattern of `bodyMatches` matches. `name` is the member that contains it."""
    if isinstance(pattern, list):
        return [sample(element) for element in pattern]
    if not isinstance(pattern, dict):
        return pattern
    if "$only" in pattern:
        return sample(pattern["$only"])
    if any(key.startswith("$") for key in pattern):
        return {"versionHash": "0" * 64, "CDTISObjectVersion": "1"}.get(name, "sample")
    there = {key: value for key, value in pattern.items() if value != {"$absent": True}}
    return {key: sample(value, key) for key, value in there.items()}


def documents(vector):
    """Yields the documents of objects and of the metadata that a vector expects, with their schema."""
    for number, step in enumerate(vector["steps"]):
        asked = step.get("do", {})
        expected = step.get("expect", {}).get("ok", {})
        body = sample(expected["bodyMatches"]) if "bodyMatches" in expected else expected.get("body")
        if not isinstance(body, dict):
            continue
        if asked.get("op") == "read" and asked.get("id") == METADATA:
            yield number, "metadata-document", body
        elif asked.get("op") == "encodeObject":
            yield number, "entity-document", body
        elif asked.get("op") == "read" and "CDTISEntityName" in body:
            yield number, "entity-document", body


def object_problems(root, load, clauses):
    """Yields the problems of the schemas of objects, and of the documents that do not match them."""
    folder = root / "objects"
    if not folder.exists():
        return
    schemas = {name: load(folder / f"{name}.schema.json") for name in NAMES}
    yield from example_problems(load(folder / "schema-examples.json"), schemas, clauses)
    folders = [(root / "capabilities").glob(f"{part}*.json") for part in ("objects", "contexts", "stacks")]
    for path in sorted(path for paths in folders for path in paths):
        for vector in load(path)["vectors"]:
            for number, name, body in documents(vector):
                for error in Draft4Validator(schemas[name]).iter_errors(body):
                    yield f"{vector['id']}: steps[{number}]: not a valid {name}: {error.message[:200]}"
