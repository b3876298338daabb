"""`trainmark serve` in a browser: the page follows a suite that is running, and what the reader does stays."""

import json
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import journals
from webdriver import CHROMIUM, DRIVER, MISSING, Browser

SUITE = """
name: live
title: A suite that is running
matrix:
  - {workload: clock, framework: [hare, tortoise], size: tiny, batch: [1, 2]}
measure: {rule: fixed, steps: 300, skip: 12}
rounds: 3
"""
RUNS = 12


def setUpModule():
    global folder, browser
    if not CHROMIUM or not DRIVER:
        raise unittest.SkipTest(MISSING)
    kept = tempfile.TemporaryDirectory(prefix="trainmark-serve-")
    unittest.addModuleCleanup(kept.cleanup)
    folder = Path(kept.name)
    browser = Browser(folder / "profile")
    unittest.addModuleCleanup(browser.close)


class Following(unittest.TestCase):
    def start(self, *arguments, home=None, errors=None):
        environment = dict(journals.os.environ, **({"TRAINMARK_HOME": str(home)} if home else {}))
        process = subprocess.Popen([str(journals.BIN / "trainmark"), *map(str, arguments)], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=errors or subprocess.DEVNULL, text=True)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait()
        if process.stderr:
            process.stderr.close()

    def wait_for(self, condition):
        """However busy the machine is; ctest ends what never comes."""
        while not browser.run(f"return {condition}"):
            time.sleep(0.1)

    def shown_runs(self):
        return browser.run("return Number(document.getElementById('live').textContent.match(/\\d+/)[0])")

    def test_the_page_grows_with_the_suite_and_keeps_what_the_reader_did(self):
        suite = folder / "live.yaml"
        suite.write_text(SUITE)
        results = folder / "results"
        bench = self.start("run", suite, "--out", results, home=journals.make_home(folder / "home"))
        journal = results / "journal.jsonl"
        while not journal.exists() or '"type":"run"' not in journal.read_text():
            self.assertIsNone(bench.poll(), "the bench must still be running")
            time.sleep(0.05)
        bench.send_signal(signal.SIGSTOP)  # it waits until the page was opened, however long that takes
        server = self.start("serve", results, "--port", "0", errors=subprocess.PIPE)
        address = next(word for word in server.stderr.readline().split() if word.startswith("http://"))

        browser.open(address)
        first = self.shown_runs()
        self.assertLess(first, RUNS, "opened while the suite was running")
        # At once, by script: newer data may replace an element between finding and clicking it.
        browser.run("document.getElementById('language').click(); document.getElementById('theme').click()")
        theme = browser.run("return document.documentElement.dataset.theme")
        browser.run("""
            const filter = document.getElementById('filter');
            filter.focus();
            filter.value = 'hare';
            filter.dispatchEvent(new Event('input'));
            filter.setSelectionRange(2, 2);""")
        browser.run("scrollTo(0, document.getElementById('results').offsetTop - 80)")
        place = browser.run("return document.querySelector('.results .row').getBoundingClientRect().top")

        bench.send_signal(signal.SIGCONT)
        self.wait_for(f"document.getElementById('live').textContent.includes('{RUNS}/{RUNS}')")
        self.assertEqual(bench.wait(), 0)
        self.assertGreater(self.shown_runs(), first)
        kept = browser.run("""
            const filter = document.getElementById('filter');
            return {language: document.documentElement.lang, theme: document.documentElement.dataset.theme, filter: filter.value,
                    focus: document.activeElement.id, caret: [filter.selectionStart, filter.selectionEnd],
                    place: document.querySelector('.results .row').getBoundingClientRect().top,
                    rows: [...document.querySelectorAll('.results .row')].map((row) => row.dataset.key)};""")
        self.assertEqual((kept["language"], kept["theme"]), ("zh-CN", theme))
        self.assertEqual((kept["filter"], kept["focus"], kept["caret"]), ("hare", "filter", [2, 2]))
        self.assertAlmostEqual(kept["place"], place, delta=2)
        facts = journals.report_json(results)
        self.assertEqual(set(kept["rows"]), {result["key"] for result in facts["results"] if "hare" in result["key"]})

        with self.subTest("a log is one click away, as text"):
            browser.click(".results .row td")
            link = browser.run("return document.querySelector('.runs a').href")
            self.assertTrue(link.startswith(address + "runs/"), link)
            self.assertEqual(browser.run_until(f"fetch({link!r}).then(async (answer) => done([answer.status, answer.headers.get('content-type')]), failed)"),
                             [200, "text/plain; charset=utf-8"])
        with self.subTest("nothing was asked of others, nothing was refused"):
            severe = [entry["message"] for entry in browser.logs("browser") if entry["level"] in ("SEVERE", "WARNING")]
            self.assertEqual(severe, [])
            events = [json.loads(entry["message"])["message"] for entry in browser.logs("performance")]
            asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
            self.assertEqual([url for url in asked if not url.startswith((address, "data:", "about:", "chrome:"))], [])
        with self.subTest("a server that has gone is told of"):
            server.terminate()
            self.assertEqual(server.wait(), 0)
            self.wait_for("document.getElementById('live').className.includes('bad')")


class Views(unittest.TestCase):
    """Comparisons and histories, from journals that the bench has measured."""

    @classmethod
    def setUpClass(cls):
        cls.source = folder / "views"
        home = journals.make_home(folder / "views-home")
        suite = folder / "views.yaml"
        suite.write_text(SUITE.replace("steps: 300", "steps: 40").replace("batch: [1, 2]", "batch: 1"))
        outcome = journals.trainmark("run", suite, "--out", cls.source, home=home)
        if outcome.returncode != 0:
            raise AssertionError(outcome.stderr)

    def copy(self, name, day, factor):
        """The measured journal as if of another day, with throughputs of exactly this factor."""
        made = []
        for record in journals.records(self.source):
            if record["type"] == "suite":
                record["started"] = f"2026-11-{day:02}T08:00:00Z"
            if record["type"] == "environment":
                record["environment"].setdefault("cpu", {})["model"] = name
            if record["type"] == "run":
                spread = 1 + 0.001 * (record["round"] - 2)
                throughput = record["summary"]["throughput"]
                throughput["value"] = 1000 * factor * spread
                throughput["interval"] = {"low": 999 * factor * spread, "high": 1001 * factor * spread}
            made.append(record)
        return journals.write_journal(folder / name, made)

    def open_page(self, *arguments):
        page = folder / "view.html"
        outcome = journals.trainmark(*arguments, "--format", "html", "--out", page)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        browser.open("about:blank")
        browser.logs("browser")
        browser.open(page.as_uri())

    def chart(self, name):
        browser.run_until(f"""(async () => {{
          const figure = document.querySelector('figure[data-chart="{name}"]');
          figure.scrollIntoView();
          while (!figure.dataset.drawn) await new Promise(requestAnimationFrame);
          const {{ data, options }} = Chart.getChart(figure.querySelector('canvas')).config;
          return {{ data: data.datasets[0].data, estimates: data.datasets[0].estimates, marks: figure.chartBox.configure().options.plugins }};
        }})().then((found) => {{ globalThis.found = found; done(); }}, failed);""")
        return browser.run("return JSON.parse(JSON.stringify(found))")

    def tearDown(self):
        severe = [entry["message"] for entry in browser.logs("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(severe, [])

    def test_a_comparison_shows_answers_intervals_and_what_differs(self):
        base, new = self.copy("compare-a", 1, 1.0), self.copy("compare-b", 2, 0.9)
        self.open_page("compare", base, new)
        facts = json.loads(journals.trainmark("compare", base, new, "--format", "json").stdout)
        drawn = self.chart("changes")
        self.assertEqual(len(drawn["data"]), 2)
        for cell, interval, estimate in zip(sorted(facts["comparisons"], key=lambda cell: cell["ratio"]), drawn["data"], drawn["estimates"]):
            self.assertAlmostEqual(estimate, 100 * (cell["ratio"] - 1), places=6)
            self.assertAlmostEqual(interval[0], 100 * (cell["low"] - 1), places=6)
        badges = browser.run("return [...document.querySelectorAll('.compared .badge')].map((badge) => badge.textContent)")
        self.assertTrue(all("slower" in badge for badge in badges) and len(badges) == 2, badges)
        differences = browser.run("return document.querySelector('#environment').textContent")
        self.assertIn("compare-a", differences)
        self.assertIn("compare-b", differences)
        browser.click("#language")
        self.assertIn("更慢", browser.run("return document.querySelector('.compared').textContent"))
        browser.click('[data-answer="faster"]')
        self.assertEqual(browser.run("return document.querySelectorAll('.compared tbody tr').length"), 0)

    def test_a_history_marks_the_change_and_shows_the_noise_band(self):
        days = [self.copy(f"day-{day}", day, factor) for day, factor in enumerate([1, 1.002, 0.999, 0.9, 0.901, 0.899], 1)]
        self.open_page("history", *days)
        drawn = self.chart("history")
        self.assertEqual(len(drawn["data"]), 6)
        (change,) = drawn["marks"]["historyMarks"]["changes"]
        self.assertEqual((change["before"], change["at"]), (2, 3))
        self.assertIn("2026-11-04", change["text"])
        first, second = drawn["marks"]["historyMarks"]["parts"]
        self.assertTrue(first["low"] < 1000 < first["high"] and second["high"] < 950)
        self.assertIn("2026-11-04", browser.run("return document.querySelector('table.changes').textContent"))

    def test_hostile_texts_are_texts_in_comparisons_and_histories(self):
        days = []
        for number in range(2):
            made = []
            for record in journals.records(self.copy(f"plain-{number}", 1 + number, 1.0)):
                if record["type"] == "suite":
                    record.update(trainmark=journals.HOSTILE[1], started=journals.HOSTILE[0])
                if record["type"] == "environment":
                    record["environment"] = {"system": {text: f"{text} {number}" for text in journals.HOSTILE}}
                if record["type"] == "run":
                    place = 0 if record["cell"]["framework"].startswith("hare") else 1
                    record["cell"].update(framework=journals.HOSTILE[place], workload=journals.HOSTILE[-1], precision=journals.HOSTILE[5])
                    record["unit"] = journals.HOSTILE[0]
                made.append(record)
            days.append(journals.write_journal(folder / f"hostile-{number}", made))
        for command in ("compare", "history"):
            self.open_page(command, *days)
            self.assertIsNone(browser.run("return globalThis.hacked || null"), command)
            self.assertEqual(browser.run("return document.querySelectorAll('img, iframe, object').length"), 0)
            self.assertIn("onerror", browser.run("return document.body.textContent"))
            text = journals.trainmark(command, *days, "--format", "md").stdout
            self.assertNotIn("<img", text)
            self.assertNotIn("<script", text)
            shown = journals.trainmark(command, *days).stdout
            self.assertNotIn("\x1b", shown)
            self.assertNotIn("\x07", shown)
