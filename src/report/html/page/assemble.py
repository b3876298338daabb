"""Puts the page of HTML reports together: template, style, chart library and our bundled modules become one file.

The page runs these two scripts and no others: its policy names their sums.
"""

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
FIRST_MODULE = "main.js"
WORDS = FOLDER.parents[1] / "words" / "words.json"
USED_WORD = re.compile(r"\bsay\('(\w+)'")


def check_words():
    """Every word that is said has a text."""
    table = json.loads(WORDS.read_text(encoding="utf-8"))
    known = table["everywhere"] | table["page"]
    for module in sorted(FOLDER.glob("*.js")):
        for word in USED_WORD.findall(module.read_text(encoding="utf-8")):
            if word not in known:
                sys.exit(f"{module.name}: say('{word}'): {WORDS.name} has no such word for the page")


def bundled_script(esbuild):
    """The modules and the texts they need as one script. It stays readable: who distrusts a report can read it."""
    # Relative to the folder, so that the script does not depend on where the sources lie.
    command = [esbuild, FIRST_MODULE, "--bundle", "--format=iife", "--target=es2022", "--charset=utf8", "--banner:js='use strict';"]
    outcome = subprocess.run(command, cwd=FOLDER, stdout=subprocess.PIPE, check=False)
    if outcome.returncode != 0:
        sys.exit(f"{esbuild} could not bundle {FIRST_MODULE}")
    return outcome.stdout.decode()


def source_sum(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page(library, script):
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    for name, text in (("the chart library", library), ("our script", script)):
        if "</script" in text.lower() or "<!--" in text:
            sys.exit(f"{name} holds what would end its element")
    policy = (
        f"default-src 'none'; {{{{connections}}}}script-src {source_sum(library)} {source_sum(script)}; "
        f"style-src {source_sum(style)}; img-src data:; base-uri 'none'; form-action 'none'"
    )
    pieces = {"policy": policy, "style": style, "library": library, "script": script, "data": "{{data}}", "connections": "{{connections}}"}
    template = (FOLDER / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda found: pieces[found[1]], template)


if __name__ == "__main__":
    esbuild_program, chart_library, output = sys.argv[1:]
    check_words()
    text = page(Path(chart_library).read_text(encoding="utf-8"), bundled_script(esbuild_program))
    Path(output).write_text(text, encoding="utf-8")
