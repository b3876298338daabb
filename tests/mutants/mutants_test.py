"""What scripts/mutants makes of a list of faults."""

import importlib.machinery
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "scripts" / "mutants"


sys.dont_write_bytecode = True  # beside the program, where nobody looks for it


def load():
    loader = importlib.machinery.SourceFileLoader("mutants", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
    loader.exec_module(module)
    return module


mutants = load()


def fault(text, instead, **more):
    return {"id": "a.b", "file": "a.cpp", "text": text, "fault": instead, "models": "a slip", **more}


class Switches(unittest.TestCase):
    def planted(self, text, *faults, path="a.cpp"):
        return mutants.with_switches(path, text, list(faults))

    def test_an_expression_becomes_a_choice(self):
        text = self.planted("if (a < b) c();", fault("a < b", "a <= b"))
        self.assertRegex(text, r'^if \(\(.*"a\.b".* \? \(a <= b\) : \(a < b\)\)\) c\(\);$')

    def test_a_statement_is_done_or_not(self):
        text = self.planted("if (x) sync();", fault("sync();", ""))
        self.assertRegex(text, r"^if \(x\) \{ if \(.*\) \{  \} else \{ sync\(\); \} \}$")

    def test_half_a_statement_is_refused(self):
        for text, instead in (("if (a)", "if (b)"), ("f(a", "f(b"), ("a", "b;"), ("a", ""), ("g();", "h()"),
                              ("const int c = 1;", "const int c = 2;"), ("if (a) {", "if (b) {"),
                              ("std::size_t column = used;", "std::size_t column = 0;"),
                              ("std::vector<int> all;", "std::vector<int> all(3);"), ("a,", "b,"), ("f(a), g", "f(b), g"),
                              ("int i = 0; i < 3; ++i", "int i = 1; i < 3; ++i")):
            with self.subTest(text), self.assertRaisesRegex(mutants.Fault, "a.cpp: a.b: is neither"):
                self.planted(f"{text} b", fault(text, instead))

    def test_brackets_in_strings_are_text(self):
        for text, instead in (("a.find(')')", "a.rfind(')')"), ('a == "(;"', "false")):
            self.assertIn(instead, self.planted(f"if ({text}) f();", fault(text, instead)))

    def test_a_text_around_it_tells_two_places_apart(self):
        text = self.planted("f(a); g(a);", fault("a", "b", near="g(a)"))
        self.assertTrue(text.startswith("f(a); g(("), text)

    def test_python_has_expressions(self):
        text = self.planted("x = a + 1", fault("a + 1", "a"), path="a.py")
        for awake, value in (("", 3), ("a.b", 2)):
            names = {"a": 2, "__builtins__": {"__import__": lambda *_, **__: Switch(awake)}}
            exec(text, names)
            self.assertEqual(names["x"], value)

    def test_python_has_no_lists_of_expressions(self):
        for text, instead in (("a, b", "b, a"), ("a", "a, b"), ("a", "return a")):
            with self.assertRaisesRegex(mutants.Fault, "a.py: a.b: is no single expression"):
                self.planted("f(a, b)", fault(text, instead, file="a.py"), path="a.py")

    def test_two_faults_of_one_place_are_two_switches(self):
        text = self.planted("f(a);", fault("a", "b"), fault("a", "c", id="a.c"))
        self.assertIn('"a.b"', text)
        self.assertIn('"a.c"', text)

    def test_a_place_that_is_gone_or_not_the_only_one_is_refused(self):
        for text in ("f(b);", "f(a); g(a);"):
            with self.assertRaisesRegex(mutants.Fault, "a.cpp: a.b: stands there"):
                self.planted(text, fault("(a)", "(b)"))

    def test_faults_that_overlap_are_refused(self):
        with self.assertRaisesRegex(mutants.Fault, "overlap"):
            self.planted("f(a, b);", fault("a, b", "b, a"), fault("b", "c", near=" b)", id="a.c"))


class Switch:
    def __init__(self, awake):
        self.awake = awake

    def on(self, name):
        return name == self.awake


class Lists(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / mutants.LIST).mkdir(parents=True)
        (self.root / "a.cpp").write_text("f(a);")

    def check(self, *lines):
        (self.root / mutants.LIST / "room.yaml").write_text("\n".join(lines))
        return mutants.check(self.root)

    def test_every_fault_has_its_place(self):
        self.assertEqual(len(self.check("- {id: a.b, file: a.cpp, text: a, fault: b, models: a slip}")), 1)

    def test_mistakes_are_named(self):
        good = "- {id: a.b, file: a.cpp, text: a, fault: b, models: a slip}"
        for wrong, words in (
            ("- {id: a.b, file: a.cpp, text: z, fault: b, models: a slip}", "a.b: stands there 0 times"),
            ("- {id: a.b, file: gone.cpp, text: a, fault: b, models: a slip}", "gone.cpp: is not there"),
            ("- {id: a.b, file: a.cpp, text: a, fault: b}", "models"),
            ("- {id: a.b, file: a.cpp, text: a, fault: b, models: a slip, txet: a}", "txet"),
            ("- {id: a.b, file: a.cpp, text: a, fault: a, models: a slip}", "the fault is none"),
            (f"{good}\n{good}", "twice: a.b"),
        ):
            with self.subTest(words), self.assertRaisesRegex(mutants.Fault, words):
                self.check(wrong)


class Scores(unittest.TestCase):
    def verdict(self, outcome, by="", **more):
        return mutants.Verdict(fault("a", "b", **more), outcome, by)

    def test_equivalent_faults_do_not_count_and_survivors_do(self):
        verdicts = [self.verdict("caught", "Some.Test"), self.verdict("survived"),
                    self.verdict("survived", equivalent="it is the same"), self.verdict("survived", survives="no disk")]
        self.assertEqual(mutants.score_of(verdicts), (1, 3))

    def test_the_test_that_failed_or_was_under_way_is_named(self):
        output = "[ RUN      ] A.First\n[       OK ] A.First (1 ms)\n[ RUN      ] A.Second\n"
        self.assertEqual(mutants.GoogleTests.failed_test(output), "A.Second")
        self.assertEqual(mutants.GoogleTests.failed_test(output + "[  FAILED  ] A.Second (0 ms)\n"), "A.Second")


if __name__ == "__main__":
    unittest.main()
