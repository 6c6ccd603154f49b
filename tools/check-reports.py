#!/usr/bin/env python3
"""Parses every report that `touchstone run` writes with independent parsers.

    python3 tools/check-reports.py [.build/release/touchstone]

Runs all vectors, a small file with vectors that pass, fail, deviate and are skipped, with texts that must be
escaped, and an adapter that returns only texts with control sequences. Then compares the results of the
parsers of all formats. No report and no output may have a line that is a command for a terminal or a
build server. The script needs only Python's standard library. It also uses, if installed, perl with
TAP::Parser, the PyPI packages `junitparser`, `tap.py`, `pyyaml`, `markdown-it-py` and `jsonschema`, and
Chromium, which measures the page:

    python3 -m venv /tmp/venv
    /tmp/venv/bin/pip install junitparser tap.py pyyaml markdown-it-py jsonschema
    /tmp/venv/bin/python tools/check-reports.py

Exit code 0 if there are no problems, 1 if there are, 2 if the program is missing.
"""

import collections
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

TOP = pathlib.Path(__file__).resolve().parent.parent
NASTY = "</script><img src=x onerror=alert(1)></style> a ]]> <b> & \"c\" | `d` *e* _f_ # g\\ \u0085 \u2028 \ufffe \t \r\n \u001b[31m 😀"
FORMS = ("jsonl", "junit", "markdown", "tap", "html", "badge-svg", "badge-json")
VERDICTS = ("pass", "fail", "deviates", "skipped", "notTested", "harnessError")


def nasty_vectors():
    """Returns a file with one vector for each verdict of a bundled store."""
    create = {"do": {"op": "create", "store": "a", "id": "d", "body": {"n": NASTY}}}
    read = {"do": {"op": "read", "store": "a", "id": "d"},
            "expect": {"ok": {"body": {"n": NASTY + "!"}}}}
    info = {"do": {"op": "info", "store": "a"}}

    def vector(name, clause, steps, **more):
        return {"id": f"nasty-{name}", "clauses": [clause], "profile": "core",
                "note": f"Shows {NASTY}", "steps": steps, **more}

    vectors = [
        vector("pass", "REV-001", [info]), vector("fail", "REV-001", [create, read]),
        vector("deviates", "TREE-013", [create, read]),
        vector("skipped", "REV-001", [info], capabilities=["delayedDurability"]),
    ]
    return {"family": "nasty", "about": "Texts that reports must escape.", "vectors": vectors}


# Texts of an adapter: commands for terminals and build servers, and syntax of all formats.
HOSTILE = [
    "\x1b[2J\x1b]0;t\x07", "a\0b", "x\u202egnp.exe", "\u2066y\u2069", "::error file=a::b",
    "\t ::set-env name=PATH::/x", "\u00a0::add-mask::x", "word ::stop-commands::x",
    "##[add-path]/x", "a##vso[task.x y=z]w", "##teamcity[buildStatus text='x']", "not ok 7 - x",
    "Bail out!", "1..0", "...", "---", "# TODO x", "]]></failure></testcase>", "<script>x</script>",
    "```", "~~~", "# x", "1. x", "- x", "> x", "=====", "| a | b |", "![x](x.example/y)",
    "<!-- x -->", "\x9b31m\x85\u2028\u2029\r", "\ufffe", "&#27;", "\\",
    "a\ufeffb\u200bc\u00add\u2060e",
]

# An adapter that accepts everything until `nasty-fail`; afterwards none of its processes starts.
ADAPTER = """
import json, pathlib, sys
hostile, mark = json.loads(%r), pathlib.Path(%r)
text = "\\n".join(hostile)
def log():
    sys.stderr.buffer.write(text.encode() + b"\\n\\xff\\xfe\\n")
    sys.stderr.flush()
if mark.exists():
    log()
    sys.exit(3)
for line in sys.stdin.buffer:
    request = json.loads(line)
    answer = {}
    if "hello" in request:
        answer = {"protocol": 1, "name": text, "version": text, "language": text, "homepage": text}
    elif request.get("for") == "nasty-fail":
        log()
        if request["perform"]["op"] == "read":
            mark.write_text("")
            sys.exit(3)
    if request.get("perform", {}).get("op") == "create":
        answer = {"id": "d", "rev": "1-" + text}
    if request.get("perform", {}).get("op") == "info":
        answer = {"documents": 0, "deletedDocuments": 0, "last": text, "incarnation": text}
    reply = {"id": request["id"], "ok": answer}
    sys.stdout.buffer.write(json.dumps(reply).encode() + b"\\n")
    sys.stdout.flush()
    if "bye" in request:
        break
"""


def no_commands(checks, text, where):
    """Checks that no line of a text is a command for a terminal or a build server."""
    for line in text.split("\n"):
        shown = repr(line[:120])
        checks.that(not line.strip().startswith("::"), f"{where}: a workflow command of GitHub: {shown}")
        checks.that(not re.search(r"##[A-Za-z-]*\[", line), f"{where}: a logging command: {shown}")
        checks.that(not re.search("[\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]",
                                  line.replace("\t", "") if where == "junit" else line),
                    f"{where}: a control character: {shown}")


class Checks:
    """The problems, and the parsers that were found or missing."""

    def __init__(self):
        self.problems, self.readers, self.absent, self.name = [], [], [], ""

    def that(self, condition, message):
        if not condition:
            self.problems.append(f"{self.name}: {message}")

    def equal(self, left, right, what):
        self.that(left == right, f"{what}: {str(left)[:300]} is not {str(right)[:300]}")

    def reader(self, name, present):
        """Records whether a parser is installed, and returns this."""
        names = self.readers if present else self.absent
        if name not in names:
            names.append(name)
        return present


def package(checks, module, name):
    """Returns a package from PyPI, or None."""
    try:
        found = __import__(module, fromlist=["*"])
    except ImportError:
        found = None
    checks.reader(name, found is not None)
    return found


# JSON Lines, with which the other formats are compared.


def json_lines(checks, text):
    """Returns the verdict of each vector, and the footer."""
    checks.reader("JSON Lines: json", True)
    checks.that(text.endswith("\n"), "the last line has no line feed")
    lines = [json.loads(line) for line in text.splitlines()]
    checks.equal([line["kind"] for line in lines],
                 ["header"] + ["vector"] * (len(lines) - 2) + ["footer"], "kinds of lines")
    header, vectors, footer = lines[0], lines[1:-1], lines[-1]
    checks.equal((header["format"], header["version"]), ("touchstone-run", 1), "format")
    checks.equal(header["selected"], len(vectors), "selected")
    verdicts = {}
    for line in vectors:
        failure = {"required": "fail", "contractOnly": "contract", "recommended": "deviates"}
        failed = line["verdict"] == "fail"
        verdicts[line["id"]] = failure[line["weight"]] if failed else line["verdict"]
        checks.equal("witness" in line, line["verdict"] == "fail", f"{line['id']} has a witness")
    checks.equal(len(verdicts), len(vectors), "different ids")
    count = collections.Counter(verdicts.values())
    counted = {"passed": count["pass"], "failed": count["fail"] + count["contract"] + count["deviates"],
               "contractOnly": count["contract"], "deviations": count["deviates"], "skipped": count["skipped"],
               "harnessErrors": count["harnessError"],
               "executed": len(vectors) - count["skipped"]}
    for name, value in counted.items():
        checks.equal(footer[name], value, f"footer: {name}")
    return verdicts, footer


# JUnit XML


def junit(checks, path, verdicts, faults):
    """Checks that counts, names and children are those that build servers expect."""
    checks.reader("JUnit: xml.etree", True)
    root = ElementTree.parse(path).getroot()
    checks.equal(root.tag, "testsuites", "the root of the XML")
    names, found, total = set(), {}, collections.Counter()
    for suite in root:
        checks.equal(suite.tag, "testsuite", "below the root of the XML")
        count = collections.Counter()
        for case in suite:
            checks.equal(case.tag, "testcase", "below a suite")
            key = (case.get("classname"), case.get("name"))
            checks.that(all(key) and key not in names, f"missing or duplicate name of a case: {key}")
            names.add(key)
            checks.that(re.fullmatch(r"\d+\.\d{3}", case.get("time", "")), f"time of {key}")
            results = [child.tag for child in case]
            checks.that(len(results) <= 1 and set(results) <= {"failure", "error", "skipped"},
                        f"{key} has {results}")
            result = results[0] if results else "pass"
            checks.that(result == "pass" or case[0].get("message"), f"{key} has no message")
            count["tests"] += 1
            count[{"failure": "failures", "error": "errors"}.get(result, result)] += 1
            if suite.get("name") != "run":
                found[case.get("name")] = result
        for name in ("tests", "failures", "errors", "skipped"):
            checks.equal(int(suite.get(name)), count[name], f"{suite.get('name')}: {name}")
        total += count
    for name in ("tests", "failures", "errors", "skipped"):
        checks.equal(int(root.get(name)), total[name], f"testsuites: {name}")
    shown = {"fail": "failure", "contract": "skipped", "deviates": "skipped", "harnessError": "error"}
    checks.equal(found, {i: shown.get(v, v) for i, v in verdicts.items()}, "verdicts in JUnit XML")
    checks.equal(total["tests"], len(verdicts) + faults, "cases")

    parser = package(checks, "junitparser", "JUnit: junitparser")
    if parser:
        xml = parser.JUnitXml.fromfile(str(path))
        checks.equal((xml.tests, xml.failures, xml.errors, xml.skipped),
                     tuple(total[n] for n in ("tests", "failures", "errors", "skipped")),
                     "counts of junitparser")
        checks.equal(sum(1 for suite in xml for _ in suite), total["tests"], "its cases")


# TAP

PERL = r"""
use TAP::Parser;
# Read from the standard input: the parser would not recognize the extension of the file as TAP.
my $parser = TAP::Parser->new({ tap => do { local $/; <STDIN> } });
while (my $result = $parser->next) {
  next unless $result->is_test;
  my $kind = $result->has_skip ? 'skipped' : $result->has_todo ? 'deviates'
    : $result->is_ok ? 'pass' : 'fail';
  print "$kind\t", $result->description, "\n";
}
print "error\t$_\n" for $parser->parse_errors;
"""


def tap(checks, path, verdicts, faults):
    """Checks that the points are in order, and the directives and blocks of YAML."""
    text = path.read_text(encoding="utf-8")
    checks.that(text.startswith(f"TAP version 14\n1..{len(verdicts) + faults}\n"), "TAP begins")
    # A failure that does not decide the verdict is TODO.
    shown = {"harnessError": "fail", "contract": "deviates"}
    wanted = [(shown.get(verdict, verdict), name) for name, verdict in verdicts.items()]
    perl = shutil.which("perl")
    if perl:
        perl = subprocess.run([perl, "-MTAP::Parser", "-e", "1"], capture_output=True).returncode == 0
    if checks.reader("TAP: perl TAP::Parser", bool(perl)):
        # The parser supports the syntax that TAP 13 and 14 share, but rejects the version 14.
        older = text.replace("TAP version 14", "TAP version 13", 1).encode("utf-8")
        done = subprocess.run(["perl", "-e", PERL], input=older, capture_output=True)
        lines = [line.split("\t") for line in done.stdout.decode("utf-8").splitlines()]
        checks.equal([line for line in lines if line[0] == "error"], [], "errors of TAP::Parser")
        read = [(kind, name.removeprefix("- ")) for kind, name in lines]
        checks.equal(read[:len(wanted)], wanted, "what TAP::Parser reads")
        checks.equal(len(read), len(wanted) + faults, "points that it reads")
    parser = package(checks, "tap.parser", "TAP: tap.py")
    if parser:
        read = []
        for line in parser.Parser().parse_file(str(path)):
            if line.category == "test":
                kind = "skipped" if line.skip else "deviates" if line.todo else (
                    "pass" if line.ok else "fail")
                read.append((kind, line.description.removeprefix("- ").strip()))
        checks.equal(read[:len(wanted)], wanted, "what tap.py reads")
    yaml = package(checks, "yaml", "TAP: pyyaml")
    blocks = re.findall(r"^  ---\n(.*?)^  \.\.\.\n", text, re.M | re.S)
    checks.equal(len(blocks), sum(v in ("fail", "contract", "deviates", "harnessError")
                                  for v in verdicts.values()), "blocks of YAML")
    for block in blocks if yaml else []:
        value = yaml.safe_load(block)
        checks.that("harnessError" in value or {"file", "clauses", "operation", "expected",
                                                "actual"} <= set(value), "a block of YAML")


# Markdown


def markdown(checks, path, verdicts):
    """Checks the tables, and the headings of failures."""
    text = path.read_text(encoding="utf-8")
    count = collections.Counter(verdicts.values())
    told = re.search(r"^(\d+) passed, (\d+) failed, (?:(\d+) failed at grade contract alone, )?(\d+) deviate .*?, "
                     r"(\d+) without a verdict, "
                     r"(\d+) skipped; ", text, re.M)
    checks.that(told, "Markdown has no counts")
    if told:
        order = ("pass", "fail", "contract", "deviates", "harnessError", "skipped")
        checks.equal([int(n or 0) for n in told.groups()], [count[v] for v in order], "its counts")
    module = package(checks, "markdown_it", "Markdown: markdown-it-py")
    if not module:
        return
    tokens = module.MarkdownIt("commonmark").enable("table").parse(text)
    inline = [token for token in tokens if token.type == "inline"]
    checks.that(not any(child.type in ("html_inline", "image", "softbreak")
                        for token in inline for child in token.children), "text became Markdown syntax")
    checks.that(not any(token.type == "html_block" for token in tokens), "text became HTML")
    titles = [tokens[place + 1].children for place, token in enumerate(tokens)
              if token.type == "heading_open" and token.tag == "h3"]
    failed = [name for name, v in verdicts.items() if v in ("fail", "contract", "deviates")]
    failed.sort(key=lambda name: ("fail", "contract", "deviates").index(verdicts[name]))
    checks.equal([title[0].content for title in titles], failed[:30], "its failures")
    rows = [0, 0]
    for place, token in enumerate(tokens):
        if token.type == "tr_open":
            end = next(i for i in range(place, len(tokens)) if tokens[i].type == "tr_close")
            rows.append(sum(t.type in ("td_open", "th_open") for t in tokens[place:end]))
    checks.that(set(rows) <= {0, 2, 7, 8} and 8 in rows, f"rows of tables have {set(rows)} cells")
    fences = collections.Counter(t.info for t in tokens if t.type == "fence")
    checks.equal(fences["diff"], min(len(failed), 30), "its diffs")


# HTML

VOID = {"meta", "br", "img", "link", "input", "hr", "rect", "circle", "path"}
KNOWN = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "p", "h1",
    "h2", "h3", "b", "i", "a", "span", "div", "dl", "dt", "dd", "ul", "ol", "li", "table", "thead",
    "tbody", "tr", "th", "td", "details", "summary", "code", "pre", "figure", "figcaption", "svg", "g",
    "text", "rect", "circle", "path", "nav", "button", "input", "output", "script",
}


class Page(html.parser.HTMLParser):
    """Checks that every element is closed, known, and refers to no other file."""

    def __init__(self, checks):
        super().__init__()
        self.checks, self.open, self.ids, self.links, self.texts = checks, [], set(), [], []
        self.scripts = 0

    def handle_starttag(self, tag, attributes):
        self.checks.that(tag in KNOWN or tag == "title", f"text became an element: <{tag}>")
        self.scripts += tag == "script"
        for name, value in attributes:
            self.checks.that(not name.startswith("on") and name not in ("src", "style", "srcset"),
                             f"<{tag}> has {name}")
            if name == "href":
                self.links.append(value)
            elif name == "id":
                self.checks.that(value not in self.ids, f"the id {value} occurs twice")
                self.ids.add(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.checks.that(tag in KNOWN, f"text became an element: <{tag}/>")

    def handle_endtag(self, tag):
        self.checks.that(self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}")
        if self.open:
            self.open.pop()

    def handle_data(self, data):
        self.texts.append((self.open[-1:] or [""], data))

    def handle_comment(self, data):
        self.checks.that(False, "the page has a comment")


def page(checks, path, verdicts):
    """Checks that a page is well formed and self-contained, and has all failures."""
    checks.reader("HTML: html.parser", True)
    text = path.read_text(encoding="utf-8")
    parser = Page(checks)
    parser.feed(text)
    parser.close()
    checks.equal(parser.open, [], "elements that are not closed")
    # The text of an attribute or of a step may contain such words; elements and styles are checked.
    style = "".join(data for element, data in parser.texts if element == ["style"])
    checks.that(not re.search(r"https?:|url\((?!#)|@import", style), "the page refers to other files")
    # Texts of a store must not add a script to that of the filter.
    checks.equal(parser.scripts, 1, "number of scripts")
    checks.that("Content-Security-Policy" in text and "default-src 'none'" in text, "the page has no content security policy")
    checks.that(len(text.encode()) < 2_000_000, f"the page has {len(text.encode())} bytes")
    for link in parser.links:
        checks.that(link.startswith("#") and link[1:] in parser.ids, f"the link {link} has no target")
    words = "".join(data for _, data in parser.texts)
    for name, verdict in verdicts.items():
        if verdict in ("fail", "deviates"):
            checks.that(name in words, f"{name} is not on the page")


def badges(checks, files, footer):
    """Checks that both badges have the same verdict."""
    badge = json.loads(files["badge-json"].read_text(encoding="utf-8"))
    checks.equal((badge["schemaVersion"], badge["label"]), (1, "touchstone"), "the badge")
    core = next(offer for offer in footer["offers"] if offer["name"] == "core")
    checks.that(badge["message"].endswith(f"core {core['passed']}/{core['count']}"), "its message")
    picture = ElementTree.parse(files["badge-svg"]).getroot()
    checks.equal(picture.get("aria-label"), f"touchstone: {badge['message']}", "its picture")


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# The page itself runs no scripts, so it is measured in a frame of the given width.
MEASURE = """<!doctype html><iframe id="f" style="width:{width}px;height:800px;border:0"
srcdoc="{page}"></iframe><script>
onload = () => {{ const d = document.getElementById("f").contentDocument.documentElement;
for (const e of d.querySelectorAll("details")) e.open = true;
document.body.textContent = "widths " + d.scrollWidth + " " + d.clientWidth; }}
</script>"""


def browser(checks, path, folder):
    """Checks that the unfolded page fits the width of phones and desktops without horizontal scrolling."""
    program = os.environ.get("BROWSER_FOR_TESTS") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not checks.reader("HTML: a browser (Chromium)", bool(program)):
        return
    text = path.read_text(encoding="utf-8")
    for width in (320, 390, 1280):
        frame = folder / "frame.html"
        page = text.replace("&", "&amp;").replace('"', "&quot;")
        frame.write_text(MEASURE.format(width=width, page=page), encoding="utf-8")
        done = subprocess.run(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900",
             "--virtual-time-budget=3000", "--dump-dom", frame.as_uri()],
            capture_output=True, text=True, timeout=120)
        found = re.search(r"widths (\d+) (\d+)", done.stdout)
        checks.that(found, f"the browser measured nothing: {done.stderr[-300:]}")
        if found:
            checks.that(int(found[1]) <= width, f"at {width} pixels the page is {found[1]} pixels wide")


# Known failures


def known_failures(checks, program, folder, arguments):
    """Checks that a baseline matches its schema, and that its known failures do not fail a run."""
    checks.name = "known failures"
    path, report = folder / "known.json", folder / "known.jsonl"
    subprocess.run([program, "run", *arguments, "--write-baseline", path], capture_output=True)
    done = subprocess.run([program, "run", *arguments, "--known-failures", path, "--report",
                           f"jsonl={report}"], capture_output=True, text=True)
    checks.equal(done.returncode, 0, "the exit code with a baseline")
    footer = json.loads(report.read_text(encoding="utf-8").splitlines()[-1])
    entries = json.loads(path.read_text(encoding="utf-8"))["failures"]
    checks.equal((footer["conclusion"], footer["knownFailureProblems"]), ("knownFailuresOnly", []),
                 "the conclusion with a baseline")
    checks.equal(len(entries), footer["failed"], "its entries")
    module = package(checks, "jsonschema", "known failures: jsonschema")
    if module:
        schema = json.loads((TOP / "Vectors/schemas/known-failures.schema.json").read_text())
        module.Draft202012Validator(schema).validate(json.loads(path.read_text(encoding="utf-8")))


def run(checks, program, folder, name, arguments, before=None, codes=(0, 1)):
    """Checks all reports of a run. `before` prepares each run, and `codes` are the permitted exit codes."""
    checks.name = name
    if before:
        before()
    files = {form: folder / f"{name}.{form}" for form in FORMS}
    reports = [part for form, file in files.items() for part in ("--report", f"{form}={file}")]
    done = subprocess.run([program, "run", *arguments, *reports], capture_output=True, text=True)
    if done.returncode not in codes:
        checks.that(False, f"touchstone exited with {done.returncode}: {done.stderr}")
        return collections.Counter()
    for form, file in files.items():
        no_commands(checks, file.read_bytes().decode("utf-8"), form)
    no_commands(checks, done.stdout + done.stderr, "the terminal")
    verdicts, footer = json_lines(checks, files["jsonl"].read_text(encoding="utf-8"))
    checks.that((done.returncode == 0) == (footer["conclusion"] in (
                    "conformant", "selectionPassed", "otherCorpusPassed")),
                f"the exit code {done.returncode} and {footer['conclusion']}")
    junit(checks, files["junit"], verdicts, 0)
    tap(checks, files["tap"], verdicts, 0)
    markdown(checks, files["markdown"], verdicts)
    page(checks, files["html"], verdicts)
    badges(checks, files, footer)
    browser(checks, files["html"], folder)
    if before:
        before()
    again = folder / "again.html"
    subprocess.run([program, "run", *arguments, "--report", f"html={again}"], capture_output=True)
    checks.that(again.read_bytes() == files["html"].read_bytes(), "a second run writes a page with different bytes")
    return collections.Counter(verdicts.values())


def main():
    program = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TOP / ".build/release/touchstone"
    if not program.exists():
        print(f"{program} does not exist; run swift build -c release", file=sys.stderr)
        return 2
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        nasty = folder / "nasty.json"
        nasty.write_text(json.dumps(nasty_vectors()), encoding="utf-8")
        mutant = ["--vectors", str(TOP / "Vectors"), "--implementation",
                  "mutant:generations-as-text"]
        counts = {
            "standard": run(checks, program, folder, "standard", ["--vectors", str(TOP / "Vectors")]),
            "mutant": run(checks, program, folder, "mutant", mutant),
            "nasty": run(checks, program, folder, "nasty", ["--vectors", str(nasty)]),
        }
        adapter, mark = folder / "adapter.py", folder / "mark"
        adapter.write_text(ADAPTER % (json.dumps(HOSTILE), str(mark)), encoding="utf-8")
        place = f"exec:'{sys.executable}' '{adapter}'"
        counts["hostile"] = run(
            checks, program, folder, "hostile", ["--vectors", str(nasty), "--implementation", place, "--grade", "contract"],
            lambda: mark.unlink(missing_ok=True), (1, 3))
        checks.equal(dict(counts["hostile"]), {"pass": 1, "fail": 1, "harnessError": 1, "skipped": 1},
                     "verdicts")
        no_start = subprocess.run([program, "run", "--vectors", str(nasty), "--implementation", place],
                                  capture_output=True, text=True)
        checks.equal(no_start.returncode, 3, "the exit code of an adapter that does not start")
        no_commands(checks, no_start.stdout + no_start.stderr, "the terminal")
        known_failures(checks, program, folder, mutant + ["--filter", "collation-*"])
    checks.name = "nasty"
    checks.equal(dict(counts["nasty"]), {v: 1 for v in VERDICTS[:4]}, "verdicts")
    for problem in checks.problems:
        print(problem)
    print("parsed by " + ", ".join(checks.readers))
    if checks.absent:
        print("not installed: " + ", ".join(checks.absent))
    print(f"{sum(counts['standard'].values())} vectors, {len(checks.problems)} problems")
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
