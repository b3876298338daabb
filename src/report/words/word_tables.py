"""Checks words.json, the texts of all reports, and makes C++ of what the program itself says.

words.json has one row per key, in English and Chinese. Its sections: `everywhere` (reports of the program and the page
for browsers), `reports` (the program alone), `page` (the page alone), and the names that reports explain: `verdicts`,
which are `badges` on the page, `stops`, `failures`, `areas`; and `details`, the messages of journals, which are English there. {0}, {1} are filled in; in `details`, {0#}
stands for a number and nothing else.

word_list.h gets an enumerator per key, so that an unknown one does not compile; word_texts.h the texts in that order.
"""

import json
import re
import sys
from pathlib import Path

TABLE = Path(__file__).with_name("words.json")
LANGUAGES = ["en", "zh"]
WORDS = ["everywhere", "reports", "page"]
NAMES = ["verdicts", "badges", "stops", "failures", "areas", "details"]
HEAD = f"// Made from src/report/words/{TABLE.name} by {Path(__file__).name}: edit that one.\n\n#pragma once\n"


def unique(pairs):
    """A key that stands twice in a section would silently replace the first."""
    row = dict(pairs)
    if len(row) != len(pairs):
        keys = [key for key, _ in pairs]
        sys.exit(f"{TABLE}: twice in one section: {', '.join(sorted({key for key in keys if keys.count(key) > 1}))}")
    return row


def places(text):
    return sorted(place.replace("#", "") for place in re.findall(r"\{[^}]*\}", text))


def read_table():
    """The sections of words.json. Ends the build where a text is missing or its places differ between languages."""
    table = json.loads(TABLE.read_text(encoding="utf-8"), object_pairs_hook=unique)
    if list(table) != WORDS + NAMES:
        sys.exit(f"{TABLE}: the sections must be {', '.join(WORDS + NAMES)}")
    nameless = set(table["verdicts"]) ^ set(table["badges"])
    if nameless:
        sys.exit(f"{TABLE}: each verdict needs a row in `badges`, its name on the page: {', '.join(sorted(nameless))}")
    owners = {}
    for section, rows in table.items():
        for key, row in rows.items():
            if list(row) != LANGUAGES or not all(row.values()):
                sys.exit(f"{TABLE}: {section}.{key}: needs a text for each of {', '.join(LANGUAGES)}")
            same = set(places(row["zh"])) <= set(places(row["en"])) if section == "details" else places(row["en"]) == places(row["zh"])
            if not same or "{}" in row["en"]:
                sys.exit(f"{TABLE}: {section}.{key}: the places to fill in, {{0}}, {{1}}, …, must be the same in all languages")
            if section in WORDS and owners.setdefault(key, section) != section:
                sys.exit(f"{TABLE}: {key} stands in {owners[key]} and in {section}; give one of them another name")
    return table


def phrases(name, rows):
    entries = "".join(
        "    {" + ", ".join(json.dumps(text, ensure_ascii=False) for text in [key, *row.values()]) + "},\n" for key, row in rows.items()
    )
    return f"inline constexpr Phrase {name}[] = {{\n{entries}}};\n"


def write_if_changed(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main(folder):
    table = read_table()
    words = table["everywhere"] | table["reports"]
    enumerators = "".join(f"  {key},\n" for key in words)
    write_if_changed(folder / "word_list.h", f"{HEAD}\nnamespace trainmark {{\n\nenum class Word {{\n{enumerators}}};\n\n}}  // namespace trainmark\n")
    tables = [phrases("word_texts", words), *(phrases(f"{name[:-1]}_texts", table[name]) for name in NAMES)]
    texts = "\n".join(tables)
    write_if_changed(
        folder / "word_texts.h",
        f'{HEAD}\n#include "report/words/words.h"\n\nnamespace trainmark {{\n\n{texts}\n}}  // namespace trainmark\n',
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
