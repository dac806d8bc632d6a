"""What is read at once is small: a file of code has at most 400 lines, a function at most 60, a line of C++ at most 120 columns. Text is not code: lines of strings that
go over several lines do not count. A function may be longer where the comment above it says why: "longer than 60 lines: …". A function of C++ takes at most five things, or
says why: "more than 5 parameters: …"; tests, which stand in for functions of others, need not.

    python3 tests/size.py FOLDER
"""
import ast
import pathlib
import re
import sys
import unicodedata

FOLDERS = ["bench", "host", "include", "kernels", "tests", "tools"]
CPP = {".cpp", ".hpp", ".cu", ".cuh", ".h"}
MOST_LINES, MOST_OF_A_FUNCTION, MOST_COLUMNS, MOST_PARAMETERS = 400, 60, 120, 5
OF_FEW_PARAMETERS = {"bench", "host", "include", "kernels"}
REASON = re.compile(r"longer than 60 lines: \S")
REASON_OF_PARAMETERS = re.compile(r"more than 5 parameters: \S")
PARAMETERS = re.compile(r"(?P<name>operator\s*\(\s*\)|operator\s*[^\s\w(]+|\w+)\s*\(")
NO_NAMES = {"alignas", "decltype", "explicit", "noexcept", "requires", "__attribute__", "__launch_bounds__"}
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
SCOPE = re.compile(r"(inline |export )?(namespace|struct|class|union|enum|extern)\b")
TEMPLATE = re.compile(r"^\s*template <[^{};]*?>\s*(?=\w)|\[\[.*?\]\]\s*", re.S)


def blank(text):
    """The text with nothing in place of comments, strings and macros; lines stay where they are."""
    return TOKEN.sub(lambda found: re.sub(r"[^\n]", " ", found.group(0)), text)


def lines_of_text(text):
    """Numbers of lines that lie in a string that began before and ends later."""
    inside = set()
    for found in TOKEN.finditer(text):
        if found.group(0).startswith("R"):
            first = text.count("\n", 0, found.start())
            inside.update(range(first + 1, first + found.group(0).count("\n")))
    return inside


def end_of_brackets(code, start):
    """Where the bracket that opens there is closed."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0:
            return at
    return len(code)


def parameters_of(code, first):
    """What stands between the brackets of the function that begins there; a concept has none."""
    head = code[first:]
    while TEMPLATE.match(head):
        head = head[TEMPLATE.match(head).end():]
    found = PARAMETERS.search(head)
    while found and found["name"] in NO_NAMES:
        found = PARAMETERS.search(head, end_of_brackets(head, found.end() - 1))
    return head[found.end():end_of_brackets(head, found.end() - 1)] if found and not head.startswith("concept") else ""


def count_parameters(text):
    commas, depth, angles = 0, 0, 0
    for before, sign in zip(" " + text, text):
        depth += (sign in "([{") - (sign in ")]}")
        angles += (sign == "<") - (sign == ">" and before != "-")
        commas += sign == "," and depth == 0 and angles <= 0
    return commas + 1 if text.strip() else 0


def functions_of_cpp(text):
    """(first line, first line behind what it is a template of, last line, parameters) of the functions of namespaces and types, lines counted from 0."""
    code, open_blocks, head = blank(text), [], 0
    for found in re.finditer(r"[{};]|^ *(?:public|private|protected):", code, re.M):
        at, sign = found.start(), found.group(0)
        in_function = any(kind == "body" for kind, _ in open_blocks)
        if sign == "{":
            words = code[head:at]
            while TEMPLATE.search(words):
                words = TEMPLATE.sub("", words, count=1)
            words = words.strip()
            if in_function or not code[at - 1].isspace() or words.endswith("="):
                open_blocks.append(("braces", head))
                continue
            kind = "scope" if SCOPE.match(words) or "(" not in words else "body"
            open_blocks.append((kind, head))
            head = at + 1
        elif sign == "}" and open_blocks:
            kind, began = open_blocks.pop()
            if kind == "body":
                first = began + len(code[began:at]) - len(code[began:at].lstrip())
                template = TEMPLATE.match(code[first:at])
                yield code.count("\n", 0, first), code.count("\n", 0, first + (template.end() if template else 0)), code.count("\n", 0, at), count_parameters(parameters_of(code, first))
            if kind != "braces":
                head = at + 1
        elif not in_function and not any(kind == "braces" for kind, _ in open_blocks):
            head = found.end()


def columns(line):
    return sum(unicodedata.combining(sign) == 0 for sign in line)


def comment_above(lines, first):
    above = []
    while first > 0 and lines[first - 1].lstrip().startswith(("//", "#")):
        first -= 1
        above.insert(0, lines[first].lstrip("/# \t"))
    return " ".join(above)


def judge_cpp(text, few_parameters):
    lines, inside = text.split("\n"), lines_of_text(text)
    for first, head, last, parameters in functions_of_cpp(text):
        count = sum(line not in inside for line in range(head, last + 1))
        if count > MOST_OF_A_FUNCTION and not REASON.search(comment_above(lines, first)):
            yield first, f"a function of {count} lines, at most {MOST_OF_A_FUNCTION}"
        if few_parameters and parameters > MOST_PARAMETERS and not REASON_OF_PARAMETERS.search(comment_above(lines, first)):
            yield head, f"a function of {parameters} parameters, at most {MOST_PARAMETERS}"
    laid_out = True
    for number, line in enumerate(lines):
        laid_out = "clang-format off" not in line and (laid_out or "clang-format on" in line)
        if laid_out and number not in inside and '"' not in line and columns(line) > MOST_COLUMNS:  # no layout breaks a string
            yield number, f"a line of {columns(line)} columns, at most {MOST_COLUMNS}"


def judge_python(text):
    lines = text.split("\n")
    tree = ast.parse(text)
    strings = [node for node in ast.walk(tree) if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.lineno < node.end_lineno]
    inside = {line for node in strings for line in range(node.lineno, node.end_lineno + 1)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            count = sum(line not in inside for line in range(node.lineno, node.end_lineno + 1))
            if count > MOST_OF_A_FUNCTION and not REASON.search(comment_above(lines, node.lineno - 1)):
                yield node.lineno - 1, f"a function of {count} lines, at most {MOST_OF_A_FUNCTION}"


def judge(text, ending, few_parameters=True):
    """What is too large, as (line, what)."""
    count = len(text.splitlines())
    if count > MOST_LINES:
        yield 0, f"a file of {count} lines, at most {MOST_LINES}"
    yield from judge_cpp(text, few_parameters) if ending in CPP else judge_python(text)


def main(folder):
    files = sorted(path for name in FOLDERS for path in (folder / name).rglob("*") if path.suffix in CPP | {".py"})
    if not files:
        print(f"no code in {folder}")
        return 1
    found = []
    for path in files:
        place = path.relative_to(folder)
        found += [f"{place}:{line + 1}: {what}" for line, what in judge(path.read_text(), path.suffix, place.parts[0] in OF_FEW_PARAMETERS)]
    if found:
        print("\n".join(found) + f"\n{len(found)} too large; split by what they are about, or say above a function \"longer than 60 lines: …\" or \"more than 5 parameters: …\"")
        return 1
    print(f"{len(files)} files of code, none too large")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
