"""Journals and reports are what docs/schema says they are."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema
from referencing import Registry, Resource

BIN = Path(os.environ["TRAINMARK_BIN"])
SCHEMAS = {
    path.name: json.loads(path.read_text())
    for path in (Path(os.environ["TRAINMARK_SOURCE"]) / "docs" / "schema").glob("*.json")
}
REGISTRY = Registry().with_resources((name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items())

# Cells that are measured, on one rank and on two, and one that is skipped.
SUITE = """
name: schemas
matrix:
  - {workload: clock, framework: clock, size: tiny, batch: [1, 2], scale: [1n1g, 1n2g]}
  - {workload: clock, framework: clock, size: tiny, precision: fp16}
measure: {rule: fixed, steps: 20, skip: 5}
rounds: 2
"""

# Trainings to quality, which reach their target in the first and not in the second.
QUALITY = """
name: quality
matrix: {{workload: clock, framework: clock, size: tiny, data: data}}
measure: {{rule: quality, epochs: 1}}
rounds: 2
frameworks: {{clock: {{arguments: [--steps-per-epoch, 20, --learn-epochs, {epochs}]}}}}
"""


def validator(name):
    return jsonschema.Draft202012Validator(SCHEMAS[name], registry=REGISTRY)


def trainmark(*arguments):
    return subprocess.run([BIN / "trainmark", *arguments], capture_output=True, text=True)


class Schemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        place = Path(cls.folder.name)
        (place / "suite.yaml").write_text(SUITE)
        cls.journals = [place / "first", place / "second"]
        for journal in cls.journals:
            done = trainmark("run", place / "suite.yaml", "--out", journal, "--quiet")
            assert done.returncode == 0, done.stderr

        (place / "data").mkdir()
        cls.trainings = [place / "reached", place / "missed"]
        for journal, epochs in zip(cls.trainings, (0.1, 10), strict=True):
            (place / "quality.yaml").write_text(QUALITY.format(epochs=epochs))
            done = trainmark("run", place / "quality.yaml", "--out", journal, "--quiet")
            assert done.returncode == 0, done.stderr

    def assert_valid(self, name, value):
        errors = [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(value)]
        self.assertEqual(errors, [])

    def assert_report(self, kind, *arguments):
        done = trainmark(*arguments, "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        value = json.loads(done.stdout)
        self.assert_valid("report.schema.json", value)
        self.assertIn(kind, value)
        self.assertTrue(value[kind])

    def test_are_schemas(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft202012Validator.check_schema(schema)

    def test_refuse_what_is_none(self):
        for name in SCHEMAS:
            self.assertFalse(validator(name).is_valid({"schema": "two"}), name)

    def test_hold_for_every_line_of_a_journal(self):
        kinds = set()
        lines = [line for journal in (self.journals[0], *self.trainings) for line in (journal / "journal.jsonl").read_text().splitlines()]
        for line in lines:
            value = json.loads(line)
            self.assert_valid("journal.schema.json", value)
            kinds.add(value["record"]["type"])
        self.assertLessEqual({"suite", "environment", "run", "skip"}, kinds)

    def test_hold_for_a_report(self):
        self.assert_report("results", "report", self.journals[0])

    def test_hold_for_a_comparison(self):
        self.assert_report("comparisons", "compare", *self.journals)

    def test_hold_for_trainings_to_quality(self):
        for journal in self.trainings:
            self.assert_report("results", "report", journal)
        self.assert_report("comparisons", "compare", *self.trainings)

    def test_hold_for_a_history(self):
        self.assert_report("cells", "history", *self.journals)


if __name__ == "__main__":
    unittest.main()
