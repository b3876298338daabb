"""The texts that programs can print, taken from their sources: string literals, adjacent ones joined."""

import ast
import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ["src/*.cpp", "src/*.h", "trainers/*.cpp", "trainers/*.h", "trainers/*.cu", "frameworks/*.py"]
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
JOINED = re.compile(rf"{LITERAL}(?:\s*{LITERAL})*")
SENTENCE = re.compile(r"[A-Za-z]{2}.* .*[A-Za-z]{2}", re.DOTALL)


def tracked(*patterns):
    """Paths of the checkout, relative to its root; those that are not yet added count."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    paths = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return sorted({path for path in paths if path and (ROOT / path).is_file()})


def report_texts():
    """(section.key, {language: text}) of each text of reports."""
    table = json.loads((ROOT / "src/report/words/words.json").read_text(encoding="utf-8"))
    return [(f"{section}.{key}", row) for section, rows in table.items() for key, row in rows.items()]


def literals(path):
    """(line, text) of each literal with at least two words."""
    source = path.read_text(encoding="utf-8")
    found = python_literals(source) if path.suffix == ".py" else cpp_literals(source)
    return [(line, text) for line, text in found if SENTENCE.search(text)]


def cpp_literals(source):
    # Line breaks of comments stay, so that numbers of lines are right.
    source = COMMENT.sub(lambda match: match.group(1) or "\n" * match.group().count("\n"), source)
    source = re.sub(r"^\s*#\s*include.*$", "", source, flags=re.MULTILINE)
    for match in JOINED.finditer(source):
        text = "".join(part[1:-1] for part in re.findall(LITERAL, match.group()))
        yield source.count("\n", 0, match.start()) + 1, text.replace("\\n", "\n").replace('\\"', '"')


def verdict_details():
    """(path, text) of what verdicts say, as the sources of the bench write it: with {}, or with an open end."""
    said = re.compile(rf"verdicts::\w+,\s*(?:fmt::format\(\s*)?({LITERAL}(?:\s*{LITERAL})*)")
    for path in tracked("src/*.cpp"):
        for match in said.finditer((ROOT / path).read_text(encoding="utf-8")):
            yield path, "".join(part[1:-1] for part in re.findall(LITERAL, match.group(1)))


def python_literals(source):
    tree = ast.parse(source)
    comments = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                comments.add(id(first.value))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in comments | inside:
            yield node.lineno, node.value
