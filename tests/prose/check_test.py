"""The checker finds what it is there to find."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import check  # noqa: E402
from program_texts import comments, literals  # noqa: E402


class Check(unittest.TestCase):
    def found(self, text):
        return check.find_banned([("here:1", text)], check.banned())

    def test_finds_phrases_in_both_languages(self):
        for text in ("a mended trainer", "energy an item", "12 processes a node", "the remarks below", "日志簿中没有", "中值"):
            self.assertEqual(1, len(self.found(text)), text)
        self.assertEqual(["here:1: 'told by': write 'reported by'"], self.found("as told by the trainer"))

    def test_passes_good_sentences(self):
        for text in ("12 processes per node", "the trainer recommended it", "what a step costs", "测量记录中没有", "中位数"):
            self.assertEqual([], self.found(text), text)

    def test_reads_joined_literals_and_no_comments(self):
        source = '// mended in a comment\nsay("about {} "\n    "would settle it");\n#include "a b/not said.h"\n'
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "it.cpp"
            path.write_text(source, encoding="utf-8")
            self.assertEqual([(2, "about {} would settle it")], literals(path))

    def literals_of(self, name, source):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text(source, encoding="utf-8")
            return literals(path)

    def test_numbers_lines_below_includes(self):
        source = '// a file\n\n#include <map>\n\n#include "base/text.h"\n\nsay("it would be here");\n'
        self.assertEqual([(7, "it would be here")], self.literals_of("it.cpp", source))

    def test_reads_scripts_pages_and_titles(self):
        script = '#!/bin/sh\n# say "not this one"\nneeded=1 # echo "nor this"\nsay "installing $what into place"\necho "one line" \\\n  "and its \\`end\\`" >&2\n'
        self.assertEqual([(4, "installing $what into place"), (5, "one line and its `end`")], self.literals_of("it.sh.in", script))
        self.assertEqual([(2, "This page draws nothing.")], self.literals_of("it.html", "<body>\n<p>This page <b>draws</b> nothing.</p>\n{{data}}\n"))
        self.assertEqual([(1, "JAX")], self.literals_of("it.py", 'OFFER = Offer(name="jax", title="JAX")\n'))

    def test_reads_comments(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "it.cpp"
            path.write_text('say("// no comment");  // seconds a run\n/* two\nlines */\n', encoding="utf-8")
            self.assertEqual([(1, "// seconds a run"), (2, "/* two\nlines */")], comments(path))
            path = Path(folder) / "it.py"
            path.write_text('"""Mended."""\nx = 1  # anew\n', encoding="utf-8")
            self.assertEqual([(1, '"""Mended."""'), (2, "# anew")], comments(path))
        self.assertEqual([], check.find_banned([("here:1", "// until it is told to")], check.banned(of_comments=True)))

    def test_reads_python_literals_and_no_docstrings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "it.py"
            path.write_text('"""Mended in a comment."""\nsay(f"there are {count} ranks")\n', encoding="utf-8")
            self.assertEqual([(2, "there are {} ranks")], literals(path))


if __name__ == "__main__":
    unittest.main()
