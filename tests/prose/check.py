"""Reads documentation and messages as a copy editor would: banned phrases, and spelling by codespell.

What is read: all Markdown files, words.json, which holds the texts of all reports, and of src/, trainers/ and frameworks/ the
string literals, which hold --help and every message, and the comments.
"""

import re
import subprocess
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
from program_texts import PAGES, SCRIPTS, SOURCES, comments, literals, report_texts, tracked  # noqa: E402  (the path is needed first)


def banned(of_comments=False):
    rows = yaml.safe_load((HERE / "banned.yaml").read_text(encoding="utf-8"))
    rows = [row for row in rows if row.get("comments", True) or not of_comments]
    return [(re.compile(row["phrase"], re.IGNORECASE), row["instead"], re.compile(row["except"]) if "except" in row else None) for row in rows]


def lines():
    """(where, text) of everything that is read."""
    for path in tracked("*.md"):
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            yield f"{path}:{number}", line
    for key, row in report_texts():
        for text in row.values():
            yield f"words.json: {key}", text
    for path in tracked(*SOURCES, *SCRIPTS, *PAGES):
        for number, text in literals(ROOT / path):
            yield f"{path}:{number}", text


def comment_lines():
    for path in tracked(*SOURCES, "src/*.js"):
        for number, text in comments(ROOT / path):
            yield f"{path}:{number}", text


def find_banned(texts, rows):
    found = []
    for where, text in texts:
        for phrase, instead, allowed in rows:
            match = phrase.search(text)
            if match and not (allowed and allowed.search(text)):
                found.append(f"{where}: '{match.group()}': write '{instead}'")
    return found


def misspelt():
    paths = tracked("*.md", "src/report/words/words.json", *SOURCES)
    command = ["codespell", "--ignore-words", str(HERE / "spelling.txt"), *paths]
    outcome = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return outcome.stdout.splitlines() + ([outcome.stderr] if outcome.returncode not in (0, 65) and not outcome.stdout else [])


def main():
    faults = find_banned(lines(), banned()) + find_banned(comment_lines(), banned(of_comments=True)) + misspelt()
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
