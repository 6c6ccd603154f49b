#!/usr/bin/env python3
"""Writes the readers and writers of the arguments of all operations from the tables of operations.

A row of a table names the operation, its arguments and, after `as`, the case of the Swift enum that
holds them. This program reads the rows and the declarations of the enums, and writes a file
`TYPE+Coding.swift` beside each enum: the name of the operation, its arguments in JSON, and the reader.

    tools/operations/generate.py            write all files
    tools/operations/generate.py --check    exit with 1 if a file differs

It reads the sources as text, so it also works when they do not compile: after a new row and a new case,
run it before the next build.

The parameters of a case match the arguments in order. A parameter with the label of an argument is this
argument. One without a label is the next argument, or a value that reads several arguments if its type is
declared in the same folder and is not a list. If such a type is a structure whose properties are the
arguments, its reader and writer are generated as well, unless the sources declare it as `ArgumentGroup`.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The tables, each with the enum of its rows without `as`, or with only a case there.
TABLES = {
    "Sources/Core/Datastore/Table/OperationTable+Core.swift": "StoreAction",
    "Sources/Objects/ObjectOperations/Objects/ObjectAction+Table.swift": "ObjectAction",
    "Sources/Objects/ObjectOperations/Contexts/ContextAction+Table.swift": "ContextAction.Call",
    "Sources/Objects/ObjectOperations/Stacks/StackAction+Table.swift": "StackAction",
    "Sources/Objects/ObjectOperations/Collections/CollectionAction+Table.swift": "CollectionAction.Call",
}

# The files with the declarations of the enums.
ENUMS = {
    "StoreAction": "Sources/Core/Datastore/StoreOperation.swift",
    "FindAction": "Sources/Core/Datastore/Find/FindAction.swift",
    "ObjectAction": "Sources/Objects/ObjectOperations/Objects/ObjectAction.swift",
    "ContextAction.Call": "Sources/Objects/ObjectOperations/Contexts/ContextAction.swift",
    "StackAction": "Sources/Objects/ObjectOperations/Stacks/StackAction.swift",
    "CollectionAction": "Sources/Objects/ObjectOperations/Collections/CollectionAction.swift",
    "CollectionAction.Call": "Sources/Objects/ObjectOperations/Collections/CollectionAction.swift",
    "CollectionRequest": "Sources/Objects/ObjectOperations/Collections/CollectionAction.swift",
}

# The arguments that another value holds: the one that contains the enum.
OUTER = {
    "StoreAction": ["attachments"],
    "ContextAction.Call": ["context"],
    "CollectionAction.Call": ["client"],
    "CollectionRequest": ["client", "collection"],
}

# The cases that contain an operation of another type: the pattern, and the arguments.
WRAPPERS = {
    "StoreAction": {
        "attaching": ("(let attachments, let inner)",
                      'inner.arguments + [("attachments", attachments.json)]'),
        "finding": ("(let inner)", "inner.arguments"),
        "family": ("(let inner)", "inner.base.arguments"),
    },
    "CollectionAction": {
        "client": ("(let client, let inner)", '[("client", client.json)] + inner.arguments'),
    },
    "CollectionAction.Call": {
        "collection": ("(let name, let inner)", '[("collection", name.json)] + inner.arguments'),
    },
}


class Failure(Exception):
    pass


# MARK: Text


def balanced(text, start):
    """The text from the bracket at `start` to its partner, and the place behind it."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] in "([{<":
            depth += 1
        elif text[place] in ")]}>" and text[place - 1] != "-":
            depth -= 1
            if depth == 0:
                return text[start + 1:place], place + 1
    raise Failure(f"no partner of '{text[start:start + 40]}'")


def split(text, separators=","):
    """The parts of a text between separators outside brackets."""
    parts, depth, part = [], 0, ""
    for place, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}>" and text[place - 1:place] != "-":
            depth -= 1
        if depth == 0 and character in separators:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [part for part in parts + [part.strip()] if part]


# MARK: Tables


class Row:
    def __init__(self, name, arguments, path):
        self.name, self.arguments, self.path = name, arguments, path


def entries(file):
    """The entries of a table: operations, definitions and errors."""
    text = (ROOT / file).read_text()
    tables = "\n".join(re.findall(r'"""\n(.*?)"""', text, re.S))
    return re.split(r"\n(?=    [a-zA-Z])", "\n" + re.sub(r"#.*", "", tables))


# What follows the arguments of an operation.
REST = re.compile(
    r"(\s+as\s+[\w.]+)?(\s+needs\s+\w+(,\s*\w+)*)?\s+->\s+(?P<result>[\w-]+)"
    r"(\s+if\s+\w+\s*=\s*(\"[^\"]*\"|\w+)\s*:\s*[\w-]+)*(\s+!\s+\w+(,\s*\w+)*)?\s*"
)

# The words of the notation that are no definitions.
NOTATION = set(
    "text integer number bool null name sequence write data object array unordered winnerFirst dense results true false".split()
)


def definitions():
    """The names of the definitions of all tables."""
    return {match[1] for file in TABLES for entry in entries(file) if (match := re.match(r"    ([\w-]+) =", entry))}


def check(file, name, arguments, rest, defined):
    """Ends the program if a row is not valid; the program that contains the table would end at its start."""
    match = REST.fullmatch(rest)
    if match is None:
        found = " ".join(rest.split())
        raise Failure(f"{file}: {name}: expected 'as CASE needs CAPABILITIES -> RESULT ! ERRORS', found '{found}'")
    text = re.sub(r'"[^"]*"|\b(?:needs|with|matched) \w+|[\w-]+\??:|\((?![\w-]+\??:)[^()]*\)|\b\d+\b', " ", arguments)
    for word in [match["result"], *re.findall(r"[a-zA-Z][\w-]*", text)]:
        if word not in NOTATION and word not in defined:
            raise Failure(f"{file}: {name}: expected the name of a definition, found '{word}'")


def rows(file, default):
    """The operations of a table."""
    defined = definitions()
    for entry in entries(file):
        match = re.match(r"    (\w+)(?=\()", entry)
        if match is None or match.group(1) == "error":
            continue
        inner, end = balanced(entry, match.end())
        check(file, match.group(1), inner, entry[end:], defined)
        clause = re.match(r"\s+as\s+([\w.]+)", entry[end:])
        path = clause.group(1) if clause else match.group(1)
        path = path if "." in path else f"{default}.{path}"
        yield Row(match.group(1), list(arguments(inner)), path)


def arguments(text):
    """The names of the arguments, each with True if it is optional."""
    for part in split(text):
        if part.startswith("("):
            for choice in split(part[1:-1], "/"):
                yield choice.split(":")[0].strip(), True
        else:
            name = part.split(":")[0].strip()
            yield name.rstrip("?"), name.endswith("?")


# MARK: Declarations


class Parameter:
    def __init__(self, text):
        text = re.sub(r"\s*=.*", "", " ".join(text.split()))
        match = re.match(r"(\w+)\s*:\s*(.*)", text)
        self.label, self.type = match.groups() if match else (None, text)


def declaration(text, kind, name):
    """The body of a type; nested types have dots in their names."""
    for part in name.split("."):
        match = re.search(rf"\b{kind if part == name.split('.')[-1] else '(?:enum|struct)'} {part}\b[^{{]*", text)
        if match is None:
            return None
        text, _ = balanced(text, match.end())
    return text


def cases(type_name):
    """The cases of an enum with their parameters."""
    text = re.sub(r"//.*", "", (ROOT / ENUMS[type_name]).read_text())
    body = declaration(text, "enum", type_name)
    if body is None:
        raise Failure(f"{ENUMS[type_name]} does not declare {type_name}")
    body = without_nested(body)
    found = {}
    for match in re.finditer(r"\bcase (\w+)(\()?", body):
        if match.group(2):
            inner, _ = balanced(body, match.end() - 1)
            found[match.group(1)] = [Parameter(part) for part in split(inner)]
        elif not re.match(r"\s*[.:,]", body[match.end():]):
            found[match.group(1)] = []
    return found


def without_nested(body):
    """The body of a type without the bodies in it."""
    text, depth = "", 0
    for character in body:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0:
            text += character
    return text


def sources(type_name):
    """The texts of the files of the module of an enum."""
    folder = ROOT.joinpath(*pathlib.Path(ENUMS[type_name]).parts[:3])
    return {file: file.read_text() for file in sorted(folder.rglob("*.swift"))}


def properties(texts, name):
    """The file of a structure, and the names of its stored properties."""
    for file, text in texts.items():
        body = declaration(re.sub(r"//.*", "", text), "struct", name)
        if body is not None:
            return file, re.findall(r"public var (\w+):", without_nested(body))
    return None, []


# MARK: Swift


class Coding:
    """The code of one enum."""

    def __init__(self, type_name, rows):
        self.type = type_name
        self.rows = {row.path.rpartition(".")[2]: row for row in rows}
        self.cases = cases(type_name)
        self.wrappers = WRAPPERS.get(type_name, {})
        self.texts = sources(type_name)
        self.groups = {}
        for case in self.cases:
            if case not in self.rows and case not in self.wrappers:
                raise Failure(f"{type_name}.{case} has no row in a table of operations")
        for case, row in self.rows.items():
            if case not in self.cases:
                raise Failure(f"{ENUMS[type_name]} has no case {case} for {row.name}")

    def parts(self, case):
        """The parameters of a case: (binding, label, argument or None for a group, optional)."""
        row = self.rows[case]
        waiting = [a for a in row.arguments if a[0] not in OUTER.get(self.type, [])]
        found, names = [], [name for name, _ in waiting]
        for index, parameter in enumerate(self.cases[case]):
            name = parameter.label if parameter.label in names else None
            if name is None and not self.is_group(parameter.type):
                if not waiting:
                    raise Failure(f"{self.type}.{case} has more parameters than {row.name}")
                name = waiting[0][0]
            if name is None:
                later = {p.label for p in self.cases[case][index + 1:]}
                own = [a for a in waiting if a[0] not in later]
                waiting = [a for a in waiting if a[0] in later]
                if any(self.is_group(p.type) for p in self.cases[case][index + 1:]):
                    own, waiting = [], own + waiting
                self.add_group(parameter.type, own)
                binding = parameter.type[0].lower() + parameter.type[1:]
                found.append((binding, parameter.label, None, False))
            else:
                if name not in dict(waiting) or waiting[0][0] != name:
                    raise Failure(f"{self.type}.{case} has another order of arguments than {row.name}")
                optional = dict(waiting)[name]
                waiting = [a for a in waiting if a[0] != name]
                found.append((name, parameter.label, name, optional))
        if waiting and not any(argument is None for _, _, argument, _ in found):
            raise Failure(f"{self.type}.{case} lacks the arguments {[a[0] for a in waiting]}")
        return found

    def is_group(self, name):
        return re.fullmatch(r"\w+", name) is not None and any(
            re.search(rf"public (?:indirect )?(?:struct|enum) {name}\b", text)
            for text in self.texts.values()
        ) and name not in ("DocumentID", "RevisionID", "Filter", "RevisionRecord")

    def add_group(self, name, arguments):
        declared = any(re.search(rf"extension {name}: ArgumentGroup\b", text)
                       for file, text in self.texts.items() if not file.name.endswith("+Coding.swift"))
        if declared or name in self.groups:
            return
        file, own = properties(self.texts, name)
        if own != [argument for argument, _ in arguments]:
            raise Failure(f"{name} is no ArgumentGroup, and its properties {own} are not {arguments}")
        if file.parent == (ROOT / ENUMS[self.type]).parent:
            self.groups[name] = arguments

    def text(self):
        code = self.code()
        lines = ["// Written by `tools/operations/generate.py` from the tables of operations.", ""]
        if "/Core/" not in ENUMS[self.type]:
            lines.append("internal import Datastore")
        return "\n".join(lines + ["package import JSON", ""] + code) + "\n"

    def code(self):
        lines = []
        access = "public" if self.type.count(".") == 0 and self.type != "CollectionRequest" else "package"
        lines += [f"extension {self.type} {{", "  /// The name of the operation as encoded in JSON."]
        lines += [f"  {access} var name: String {{", "    switch self {"]
        for case in self.cases:
            if case in self.wrappers:
                pattern = self.wrappers[case][0].replace("let attachments", "_")
                pattern = re.sub(r"let (client|name)\b", "_", pattern)
                inner = "inner.base" if case == "family" else "inner"
                lines.append(f"    case .{case}{pattern}: {inner}.name")
            else:
                lines.append(f'    case .{case}: "{self.rows[case].name}"')
        lines += ["    }", "  }", "", "  /// The arguments that are present, in the order of the table."]
        lines += ["  package var arguments: [(JSONString, JSONValue)] {"]
        lines += ["    var list = ArgumentList()", "    switch self {"]
        empty = []
        for case in self.cases:
            if case in self.wrappers:
                pattern, arguments = self.wrappers[case]
                lines.append(f"    case .{case}{pattern}: return {arguments}")
                continue
            parts = self.parts(case)
            if not parts:
                empty.append(f".{case}")
                continue
            lines.append(f"    case .{case}({', '.join('let ' + escaped(part[0]) for part in parts)}):")
            for binding, _, argument, optional in parts:
                if argument is None:
                    lines.append(f"      list.add({escaped(binding)})")
                else:
                    label = "ifPresent: " if optional else ""
                    lines.append(f'      list.add("{argument}", {label}{escaped(binding)})')
        if empty:
            lines.append(f"    case {', '.join(empty)}: break")
        lines += ["    }", "    return list.members", "  }", "",
                  "  /// Reads the arguments of an operation; nil if no case has its name.",
                  "  init?(row name: String, _ reader: inout ObjectReader) throws(DecodingFailure) {",
                  "    switch name {"]
        for case, row in self.rows.items():
            lines.append(f'    case "{row.name}":')
            values = []
            for _, label, argument, optional in self.parts(case):
                label = f"{label}: " if label else ""
                if argument is None:
                    values.append(f"{label}try reader.group()")
                else:
                    values.append(f'{label}try reader.{"ifPresent" if optional else "value"}("{argument}")')
            values = f"({', '.join(values)})" if values else ""
            lines.append(f"      self = .{case}{values}")
        lines += ["    default: return nil", "    }", "  }", "}"]
        for name, arguments in self.groups.items():
            lines += ["", f"extension {name}: ArgumentGroup {{",
                      "  package var members: [(JSONString, JSONValue)] {",
                      "    var list = ArgumentList()"]
            for argument, optional in arguments:
                label = "ifPresent: " if optional else ""
                lines.append(f'    list.add("{argument}", {label}{escaped(argument)})')
            lines += ["    return list.members", "  }", "",
                      "  package init(_ reader: inout ObjectReader) throws(DecodingFailure) {"]
            for argument, optional in arguments:
                lines.append(f'    {argument} = try reader.{"ifPresent" if optional else "value"}("{argument}")')
            lines += ["  }", "}"]
        return lines


def escaped(name):
    return f"`{name}`" if name in ("class", "is", "in", "for") else name


def files():
    """The generated texts by file."""
    by_type = {name: [] for name in ENUMS}
    for file, default in TABLES.items():
        for row in rows(file, default):
            type_name = row.path.rpartition(".")[0]
            if type_name not in by_type:
                raise Failure(f"{file}: {row.name} is of the unknown enum {type_name}")
            by_type[type_name].append(row)
    found = {}
    for type_name, own in by_type.items():
        folder = (ROOT / ENUMS[type_name]).parent
        found[folder / f"{type_name.replace('.', '')}+Coding.swift"] = Coding(type_name, own).text()
    return found


def formatted(texts):
    """The texts as `swift format` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / path.name for path in texts]
        for path, text in zip(paths, texts.values()):
            path.write_text(text)
        subprocess.run(
            ["swift", "format", "--in-place", "--configuration", ROOT / ".swift-format", *paths], check=True)
        return {path: copy.read_text() for path, copy in zip(texts, paths)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    wrong = 0
    for path, text in formatted(files()).items():
        if path.exists() and path.read_text() == text:
            continue
        name = path.relative_to(ROOT)
        if options.check:
            print(f"{name}: differs from the tables of operations; run tools/operations/generate.py",
                  file=sys.stderr)
            wrong = 1
        else:
            path.write_text(text)
            print(name)
    return wrong


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"tools/operations/generate.py: {failure}", file=sys.stderr)
        sys.exit(2)
