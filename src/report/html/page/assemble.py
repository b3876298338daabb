"""Puts the page of HTML reports together: template, style, chart library and our modules become one file.

The modules are ES modules as a browser takes them. In one file they cannot import each other, so they are joined in the
order of their imports, each name once. The page runs these scripts and no others: its policy names their sums.
"""

import base64
import hashlib
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
FIRST_MODULE = "main.js"
IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w-]+\.js)';\n", re.MULTILINE)
TOP_LEVEL_NAME = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function\*?) (\w+)", re.MULTILINE)
USED_WORD = re.compile(r"\bsay\('(\w+)'")
KNOWN_WORD = re.compile(r"^  (\w+): \[", re.MULTILINE)


def modules_in_order(name, seen):
    """The module's imports, each before what needs it, then the module."""
    if name in seen:
        return []
    seen.add(name)
    text = (FOLDER / name).read_text(encoding="utf-8")
    order = [module for needed in IMPORT.findall(text) for module in modules_in_order(needed, seen)]
    return order + [(name, text)]


def check_names(modules):
    """In one scope, a second function of the same name would silently replace the first."""
    owners = {}
    for module, text in modules:
        for name in TOP_LEVEL_NAME.findall(text):
            if name in owners:
                sys.exit(f"{module}: '{name}' is taken by {owners[name]}; choose another name")
            owners[name] = module


def check_words(modules):
    """Every word that is said has a text."""
    known = set(KNOWN_WORD.findall((FOLDER / "words.js").read_text(encoding="utf-8")))
    for module, text in modules:
        for word in USED_WORD.findall(text):
            if word not in known:
                sys.exit(f"{module}: say('{word}'): words.js has no such word")


def joined_script():
    modules = modules_in_order(FIRST_MODULE, set())
    check_names(modules)
    check_words(modules)
    parts = [re.sub(r"^export ", "", IMPORT.sub("", text), flags=re.MULTILINE) for _, text in modules]
    return "'use strict';\n(() => {\n" + "\n".join(parts) + "})();\n"


def source_sum(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page(library):
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    script = joined_script()
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
    chart_library, output = sys.argv[1:]
    Path(output).write_text(page(Path(chart_library).read_text(encoding="utf-8")), encoding="utf-8")
