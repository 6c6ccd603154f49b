"""As much of Swift as one needs to know where a small mutant can be put: strings and comments out
of the way, conditions, statements, operators and literals found.

Nothing here changes a line break, so that what the compiler says about a line of the copy is about
the same line of the original.
"""

import re

OPENING, CLOSING = "([{", ")]}"

KEYWORDS = re.compile(
    r"(let|var|func|if|guard|for|while|switch|case|default|return|throw|else|do|catch|defer|repeat|"
    r"import|struct|enum|class|extension|init|deinit|subscript|typealias|protocol|private|public|"
    r"internal|fileprivate|static|mutating|final|break|continue|indirect|@|#|\}|\)|\]|\.|\?|&&|\|\|)")

# A call, or an assignment to something that is there already.
PATH = r"\$?\w+(?:[?!]?\.\w+|\[(?:[^\[\]=]|\[[^\[\]]*\])*\])*"
CALL = re.compile(r"(?:_ = )?(?:try[?]? )?" + PATH + r"(?:[(]| \{)")
ASSIGNMENT = re.compile(PATH + r"(?:[?]?\.\w+)* (?:=|\+=|-=|\|=|>>=|<<=) ")


def mask(text):
    """The text with the contents of strings and comments replaced by spaces."""
    out = list(text)

    def blank(start, end):
        for place in range(start, end):
            if out[place] != "\n":
                out[place] = " "

    at = 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            blank(at, end)
            at = end
        elif text.startswith('"""', at):
            end = text.index('"""', at + 3) + 3
            blank(at + 3, end - 3)
            at = end
        elif text[at] == '"':
            end = string_end(text, at + 1)
            blank(at + 1, end - 1)
            at = end
        else:
            at += 1
    return "".join(out)


def string_end(text, at):
    """Behind the closing quote of the string whose contents begin here."""
    while text[at] != '"':
        if text.startswith("\\(", at):
            depth, at = 1, at + 2
            while depth:
                if text[at] == '"':
                    at = string_end(text, at + 1)
                    continue
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
        elif text[at] == "\\":
            at += 2
        else:
            at += 1
    return at + 1


def condition(masked, at, keyword):
    """The elements of the condition list that begins here: (start, end) each."""
    elements, depth, start = [], 0, at
    while at < len(masked):
        character = masked[at]
        if depth == 0:
            if keyword == "guard" and re.match(r"else\b", masked[at:at + 5]) and masked[at - 1] in " \n":
                break
            if keyword != "guard" and character == "{":
                break
            if character == ",":
                elements.append((start, at))
                start = at + 1
        if character in OPENING:
            depth += 1
        elif character in CLOSING:
            depth -= 1
            if depth < 0:
                break
        at += 1
    elements.append((start, at))
    return [trimmed(masked, *element) for element in elements]


def trimmed(masked, start, end):
    while start < end and masked[start].isspace():
        start += 1
    while end > start and masked[end - 1].isspace():
        end -= 1
    return start, end


def conditions(masked):
    """Every element of a condition that binds nothing: (keyword, start, end, is alone)."""
    for match in re.finditer(r"(?<![\w.`])(if|guard|while|where)\s", masked):
        keyword = match[1]
        if keyword == "where" and re.search(r"(func|extension|init|struct|case)\b[^{}]*$", masked[:match.start()].rsplit("{", 1)[-1]):
            continue
        elements = condition(masked, match.end(), keyword)
        for start, end in elements:
            if start < end:
                yield keyword, start, end, len(elements) == 1


def binds(text):
    return re.match(r"(let|var|case|#)\b", text) is not None


def statement(masked, at):
    """Where the statement that begins here ends: before a line break, `;` or closing brace."""
    depth = 0
    place = at
    while place < len(masked):
        character = masked[place]
        if character in OPENING:
            depth += 1
        elif character in CLOSING:
            if depth == 0:
                break
            depth -= 1
        elif character == ";" and depth == 0:
            break
        elif character == "\n" and depth == 0:
            following = masked[place:].lstrip()
            if not re.match(r"[.?:&|+*/<>=]|-(?!>)\s|else\b|as\b|is\b", following):
                break
        place += 1
    return trimmed(masked, at, place)[1]


def statements(masked):
    """Calls and assignments that stand for themselves: (start, end)."""
    starts = [match.end() for match in re.finditer(r"(?:^|\{|;)[ \t]*(?=\S)", masked, flags=re.M)]
    # Behind the label of a branch.
    starts += [match.end() for match in re.finditer(r"^[ \t]*(?:case [^\n{}]*?|default): (?=\S)", masked, flags=re.M)]
    for start in sorted(set(starts)):
        head = masked[start:start + 200]
        if KEYWORDS.match(head) and not re.match(r"(init|default|case|do|for|in|is|as|let|if)\w", head):
            if not re.match(r"(initial|defaults|document|format|doubt)", head):
                continue
        # A property that an initialiser sets has no other value.
        if re.match(r"self[. ]", head) and " = " in head.split("\n")[0]:
            continue
        if is_first_value(masked, head) or not within_braces(masked, start):
            continue
        if not (CALL.match(head) or ASSIGNMENT.match(head)):
            continue
        end = statement(masked, start)
        text = masked[start:end]
        if ASSIGNMENT.match(text) or text.endswith((")", "}")):
            if not re.search(r"\bin$|\bin\n", text.split("{")[0]):
                yield start, end


def is_first_value(masked, head):
    """Whether an assignment may give its first value to what was declared without one."""
    match = re.match(r"(?:(\w+)|\(([\w, ]+)\)) = ", head)
    if not match:
        return False
    names = re.findall(r"\w+", match[1] or match[2])
    return any(
        re.search(rf"\b(let|var) (?:{name}(?:: [^=\n]+)?|\([^)=\n]*\b{name}\b[^)=\n]*\)[^=\n]*)$", masked, re.M)
        for name in names)


def within_braces(masked, at):
    """Whether the innermost bracket that is open here is a brace."""
    depth = 0
    for place in range(at - 1, -1, -1):
        if masked[place] in CLOSING:
            depth += 1
        elif masked[place] in OPENING:
            if depth == 0:
                return masked[place] == "{"
            depth -= 1
    return False
