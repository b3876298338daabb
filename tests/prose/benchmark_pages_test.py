"""Both pages of benchmarks come from one source, and stored journals do not name the machine."""

import importlib.machinery
import importlib.util
import json
import unittest
import zlib
from pathlib import Path

PATH = str(Path(__file__).parents[2] / "scripts/benchmark-pages")
loader = importlib.machinery.SourceFileLoader("benchmark_pages", PATH)
pages = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(pages)

SOURCE = """\
en: # Figures
zh: # 数据

| {{batch||批大小}} | 8 |
journal: quick
en: Noise: wide.
"""


class Pages(unittest.TestCase):
    def page(self, language):
        return pages.page(SOURCE, language, lambda name, spoken: [f"| {name} {spoken} |"])

    def test_each_language_has_its_lines_and_the_figures_of_both(self):
        self.assertEqual(self.page("en"), "# Figures\n\n| batch | 8 |\n| quick en |\nNoise: wide.\n")
        self.assertEqual(self.page("zh"), "# 数据\n\n| 批大小 | 8 |\n| quick zh |\n")

    def test_the_table_is_the_first_of_the_report(self):
        self.assertEqual(pages.result_table("# Title\n\n| a |\n|---|\n| 1 |\n\n| b |\n"), ["| a |", "|---|", "| 1 |"])


class Stored(unittest.TestCase):
    def records(self, *records):
        lines = [json.dumps({"crc": "00000000", "record": record}) for record in records]
        kept = list(pages.stored("\n".join(lines)))
        for line in kept:
            text = line[len('{"crc":"00000000","record":') : -2]
            self.assertEqual(json.loads(line)["crc"], f"{zlib.crc32(text.encode()):08x}", "readers check it")
        return [json.loads(line)["record"] for line in kept]

    def test_names_no_host_and_no_folder(self):
        suite, environment, run = self.records(
            {"type": "suite", "text": "data: /data/pictures\n"},
            {"type": "environment", "environment": {"system": {"kernel": "6.1", "instance": {"hostname": "secret"}}}},
            {"type": "run", "command": ["/home/me/build/bin/trainmark-train", "--batch", "8"], "unit": "images/s"},
        )
        self.assertEqual(suite["text"], "data: /data/pictures\n", "a suite stays as it was")
        self.assertEqual(environment["environment"], {"system": {"kernel": "6.1"}})
        self.assertEqual(run["command"], ["trainmark-train", "--batch", "8"])
        self.assertEqual(run["unit"], "images/s")


if __name__ == "__main__":
    unittest.main()
