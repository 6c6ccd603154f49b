"""The parts of Swift syntax that are needed to place mutants: strings and comments, conditions,
statements, operators and literals.

Line breaks are never changed, so that line numbers in messages of the compiler are those of the
original.
"""

import re

OPENING, CLOSING = "([{", ")]}"

KEYWORDS = re.compile(
    r"(let|var|func|if|guard|for|while|switch|case|default|return|throw|else|do|catch|defer|repeat|"
    r"import|struct|enum|class|extension|init|deinit|subscript|typealias|protocol|private|public|"
    r"internal|fileprivate|static|mutating|final|break|continue|indirect|@|#|\}|\)|\]|\.|\?|&&|\|\|)")

# A call, or an assignment to an existing variable.
PATH = r"\$?\w+(?:[?!]?\.\w+|\[(?:[^\[\]=]|\[[^\[\]]*\])*\])*"
CALL = re.compile(r"(?:_ = )?(?:try[?]? )?" + PATH + r"(?:[(]| \{)")
ASSIGNMENT = re.compile(PATH + r"(?:[?]?\.\w+)* (?:=|\+=|-=|\|=|>>=|<<=) ")


def mask(text):
    """Returns the text with the contents of strings and comments replaced by spaces."""
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
    """Returns the position after the closing quote of the string whose contents begin here."""
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
    """Returns the elements of the condition list that begins here, as (start, end)."""
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
    """Yields the elements of conditions that bind nothing, as (keyword, start, end, is alone)."""
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
    """Returns the end of the statement that begins here: before a line break, `;` or closing brace."""
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
    """Yields the calls and assignments that are statements, as (start, end)."""
    starts = [match.end() for match in re.finditer(r"(?:^|\{|;)[ \t]*(?=\S)", masked, flags=re.M)]
    # After the label of a branch.
    starts += [match.end() for match in re.finditer(r"^[ \t]*(?:case [^\n{}]*?|default): (?=\S)", masked, flags=re.M)]
    for start in sorted(set(starts)):
        head = masked[start:start + 200]
        if KEYWORDS.match(head) and not re.match(r"(init|default|case|do|for|in|is|as|let|if)\w", head):
            if not re.match(r"(initial|defaults|document|format|doubt)", head):
                continue
        # The assignment of an initializer cannot be skipped: the property has no other value.
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
    """True if an assignment may be the first one of a variable that was declared without a value."""
    match = re.match(r"(?:(\w+)|\(([\w, ]+)\)) = ", head)
    if not match:
        return False
    names = re.findall(r"\w+", match[1] or match[2])
    return any(
        re.search(rf"\b(let|var) (?:{name}(?:: [^=\n]+)?|\([^)=\n]*\b{name}\b[^)=\n]*\)[^=\n]*)$", masked, re.M)
        for name in names)


def within_braces(masked, at):
    """True if the innermost open bracket at this position is a brace."""
    depth = 0
    for place in range(at - 1, -1, -1):
        if masked[place] in CLOSING:
            depth += 1
        elif masked[place] in OPENING:
            if depth == 0:
                return masked[place] == "{"
            depth -= 1
    return False
