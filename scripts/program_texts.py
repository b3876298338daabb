"""The texts that programs can print, taken from their sources: string literals, adjacent ones joined; of scripts, what they echo."""

import ast
import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ["src/*.cpp", "src/*.h", "trainers/*.cpp", "trainers/*.h", "trainers/*.cu", "frameworks/*.py"]
# What people see before a program is there, and instead of one.
SCRIPTS = ["scripts/setup", "scripts/build", "scripts/container", "scripts/install-frameworks", "*.sh", "*.sh.in", "Makefile"]
PAGES = ["src/report/html/page/*.html"]
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
JOINED = re.compile(rf"{LITERAL}(?:\s*{LITERAL})*")
# Whatever these say ends up in a journal as the reason why a cell was skipped, a run failed or a proof did not hold, why a GPU was held
# back, or as a fact of the machine.
REASONS = ["src/suite/settle.cpp", "src/bench/failure.cpp", "src/bench/printed_source.cpp", "src/bench/proof_tensors.cpp", "src/journal/proof.cpp",
           "src/protocol/event_reader.cpp", "src/environ/conditions/gpu_watch.cpp", "src/environ/nvml/peers.cpp",
           "src/environ/machine/area_cpu.cpp", "src/environ/machine/area_gpus.cpp", "src/environ/machine/area_memory.cpp"]
# What stands in these is no text: files of the system, and names of products and formats.
NO_REASON = re.compile(r"^/|^NVIDIA |^always |^MemTotal")
# Pieces of reasons in files that say much else.
DAMAGE = re.compile(rf"damage\.push_back\((?P<said>[^;]*);", re.DOTALL)
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
    return [(line, text) for line, text in literals_of(path)(source) if SENTENCE.search(text) or isinstance(text, Title)]


def literals_of(path):
    """The reader of a kind of source."""
    if path.suffix == ".py":
        return python_literals
    if path.suffix == ".html":
        return html_texts
    return cpp_literals if path.suffix in (".cpp", ".h", ".cu") else script_texts


def comments(path):
    """(line, text) of each comment; in Python, docstrings are comments."""
    source = path.read_text(encoding="utf-8")
    pattern = re.compile(r'("""(?:.|\n)*?"""|#[^\n]*)') if path.suffix == ".py" else re.compile(rf"{LITERAL}|(//[^\n]*|/\*.*?\*/)", re.DOTALL)
    return [(source.count("\n", 0, match.start()) + 1, match.group(1)) for match in pattern.finditer(source) if match.group(1)]


def cpp_literals(source):
    # Line breaks of comments stay, so that numbers of lines are right.
    source = COMMENT.sub(lambda match: match.group(1) or "\n" * match.group().count("\n"), source)
    source = re.sub(r"^[ \t]*#[ \t]*include.*$", "", source, flags=re.MULTILINE)
    for match in JOINED.finditer(source):
        text = "".join(part[1:-1] for part in re.findall(LITERAL, match.group()))
        yield source.count("\n", 0, match.start()) + 1, text.replace("\\n", "\n").replace('\\"', '"')


SPOKEN = re.compile(rf"\b(?:say|stop|echo)((?:[ \t]+|\\\n)(?:{LITERAL}(?:[ \t]+|\\\n)*)+)")


def script_texts(source):
    """What a shell's script says: the words of say, stop and echo."""
    for match in SPOKEN.finditer(source):
        if "#" not in source[source.rfind("\n", 0, match.start()) + 1:match.start()]:
            parts = [part[1:-1] for part in re.findall(LITERAL, match.group(1))]
            yield source.count("\n", 0, match.start()) + 1, " ".join(parts).replace('\\"', '"').replace("\\`", "`")


def html_texts(source):
    """What stands between the tags of a page, a paragraph each."""
    for number, line in enumerate(source.splitlines(), 1):
        text = re.sub(r"<[^>]*>|{{\w+}}", "", line).strip()
        if text:
            yield number, text


class Title(str):
    """A name of one word that people see all the same."""


def verdict_details():
    """(path, text) of what verdicts say, as the sources of the bench write it: with {}, or with an open end."""
    said = re.compile(rf"verdicts::\w+,\s*(?:fmt::format\(\s*)?({LITERAL}(?:\s*{LITERAL})*)")
    for path in tracked("src/*.cpp"):
        for match in said.finditer((ROOT / path).read_text(encoding="utf-8")):
            yield path, "".join(part[1:-1] for part in re.findall(LITERAL, match.group(1)))


def reasons():
    """(path, text) of the pieces that reasons are made of."""
    found = [(path, text.strip()) for path in REASONS for _, text in literals(ROOT / path) if not NO_REASON.search(text)]
    journal = "src/journal/journal.cpp"
    for said in DAMAGE.finditer((ROOT / journal).read_text(encoding="utf-8")):
        found += [(journal, text) for _, text in cpp_literals(said.group("said")) if SENTENCE.search(text)]
    return found


def python_literals(source):
    tree = ast.parse(source)
    comments = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                comments.add(id(first.value))
    titles = {id(word.value) for node in ast.walk(tree) if isinstance(node, ast.Call) for word in node.keywords if word.arg == "title"}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in comments | inside:
            yield node.lineno, Title(node.value) if id(node) in titles else node.value
