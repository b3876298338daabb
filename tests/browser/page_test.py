"""The page of `trainmark report --format html` in a browser: what it shows is what the journal says, and nothing else."""

import base64
import json
import os
import tempfile
import time
import unittest
from pathlib import Path

import journals
from webdriver import CHROMIUM, DRIVER, MISSING, Browser

PICTURES = Path(os.environ["TRAINMARK_PICTURES"])

# Brings every chart into view, one after the other, and waits until each is drawn.
DRAW_ALL = """
(async () => {
  for (const figure of document.querySelectorAll('figure.chart')) {
    figure.scrollIntoView();
    for (let i = 0; i < 300 && !figure.dataset.drawn; ++i) await new Promise(requestAnimationFrame);
    if (!figure.dataset.drawn) throw new Error('not drawn: ' + figure.dataset.chart);
  }
})().then(() => done(), failed);
"""
UNTIL = "(async () => {{ while (!({})) await new Promise(requestAnimationFrame); }})().then(() => done(), failed);"
CHARTS = """
// A copy is looked at: a canvas whose own pixels are read is drawn in another way from then on.
const painted = ({canvas}) => {
  const copy = Object.assign(document.createElement('canvas'), {width: canvas.width, height: canvas.height});
  const pen = copy.getContext('2d', {willReadFrequently: true});
  pen.drawImage(canvas, 0, 0);
  return pen.getImageData(0, 0, copy.width, copy.height).data.some((part) => part !== 0);
};
return [...document.querySelectorAll(arguments[0])].map((figure) => {
  const chart = Chart.getChart(figure.querySelector('canvas'));
  return {
    labels: chart.data.labels || [],
    parts: chart.config.options.plugins.parts || null,
    datasets: chart.data.datasets.map(({label, data, intervals, borderColor, backgroundColor}) =>
        ({label, data, intervals, borderColor, backgroundColor})),
    painted: painted(chart),
  };
});
"""


def setUpModule():
    global folder, journal, page, facts, browser
    if not CHROMIUM or not DRIVER:
        raise unittest.SkipTest(MISSING)
    PICTURES.mkdir(parents=True, exist_ok=True)
    kept = tempfile.TemporaryDirectory(prefix="trainmark-page-")
    unittest.addModuleCleanup(kept.cleanup)
    folder = Path(kept.name)
    journal = journals.measured_journal(folder)
    page = journals.write_page(journal, journal / "report.html")
    facts = journals.report_json(journal)
    browser = Browser(folder / "profile")
    unittest.addModuleCleanup(browser.close)


class PageTest(unittest.TestCase):
    def open(self, path=None, place=""):
        browser.open("about:blank")  # a change of the fragment alone would load nothing
        for kind in ("browser", "performance"):
            browser.logs(kind)
        browser.open((path or page).as_uri() + place)

    def tearDown(self):
        severe = [entry["message"] for entry in browser.logs("browser") if entry["level"] in ("SEVERE", "WARNING")]
        self.assertEqual(severe, [], "the console must be silent")
        requests = [json.loads(entry["message"])["message"] for entry in browser.logs("performance")]
        asked = {event["params"]["request"]["url"] for event in requests if event["method"] == "Network.requestWillBeSent"}
        elsewhere = [url for url in asked if not url.startswith(("file:", "data:", "about:"))]
        self.assertEqual(elsewhere, [], "the page must fetch nothing")
        files = {url.split("#")[0] for url in asked if url.startswith("file:")}
        self.assertLessEqual(len(files), 1, "the page is one file")

    def draw_all(self):
        browser.run_until(DRAW_ALL)

    def charts(self, name, within=""):
        charts = browser.run(CHARTS, f'{within} figure[data-chart="{name}"]')
        self.assertTrue(charts, f"no chart '{name}'")
        for chart in charts:
            self.assertTrue(chart["painted"], f"'{name}' is blank")
        return charts

    def rows(self):
        return browser.run("return [...document.querySelectorAll('.results .row')].map((row) => row.dataset.key)")

    def good(self):
        return [result for result in facts["results"] if result["status"] == "ok"]


class Head(PageTest):
    def test_names_gpus_and_processor(self):
        records = journals.records(journal)
        for record in records:
            if record["type"] == "environment":
                record["environment"]["cpu"]["model"] = "Made-up Processor"
                record["environment"]["gpus"] = {"driver": "1.2", "devices": [{"name": "Made-up GPU"}, {"name": "Made-up GPU"}]}
        changed = journals.write_journal(folder / "gpus", records)
        self.open(journals.write_page(changed, changed / "report.html"))
        head = browser.run("return document.querySelector('header .note').textContent")
        self.assertTrue(head.startswith("2 × Made-up GPU · Made-up Processor · "), head)


class Charts(PageTest):
    drawn = False  # once for all of them: they only read

    def setUp(self):
        if not Charts.drawn:
            self.open()
            self.draw_all()
        Charts.drawn = True

    def test_ranking_is_the_fastest_of_each_framework_and_precision_with_its_interval(self):
        browser.run("document.querySelector('#overview').scrollIntoView()")
        browser.screenshot(PICTURES / "overview.png")
        (chart,) = self.charts("ranking")
        best = {}
        for result in self.good():
            cell = result["cell"]
            if cell["scale"] != "1n1g":
                continue
            key = (cell["framework"], cell["precision"])
            if key not in best or result["throughput"]["value"] > best[key]["value"]:
                best[key] = result["throughput"]
        expected = sorted(best.items(), key=lambda item: -item[1]["value"])
        self.assertEqual(len(expected), 4)
        self.assertEqual([label[0] for label in chart["labels"]], [key[0] for key, _ in expected])
        (dataset,) = chart["datasets"]
        self.assertEqual(dataset["data"], [throughput["value"] for _, throughput in expected])
        self.assertEqual(dataset["intervals"], [[throughput["low"], throughput["high"]] for _, throughput in expected])

    def test_scaling_shows_speed_up_efficiency_and_the_ideal(self):
        scaled = next(result for result in self.good() if result["cell"]["scale"] == "1n2g")
        one = next(result for result in self.good()
                   if result["cell"] == scaled["cell"] | {"scale": "1n1g"})
        points = self.charts("scaling-throughput")[0]["datasets"]
        self.assertEqual([point["y"] for point in points[0]["data"]], [one["throughput"]["value"], scaled["throughput"]["value"]])
        self.assertEqual([point["y"] for point in points[1]["data"]], [one["throughput"]["value"], 2 * one["throughput"]["value"]])
        for name, field, ideal in (("scaling-speedup", "speedup", [1, 2]), ("scaling-efficiency", "efficiency", [1, 1])):
            measured, perfect = self.charts(name)[0]["datasets"]
            self.assertEqual([point["y"] for point in measured["data"]], [1, scaled[field]])
            self.assertEqual([point["y"] for point in perfect["data"]], ideal)

    def test_sweeps_show_every_batch_and_precision(self):
        swept = {tuple(point["y"] for point in line["data"]) for line in self.charts("batch")[0]["datasets"]}
        for framework in ("hare:spin", "tortoise:spin"):
            values = [result["throughput"]["value"] for batch in (1, 2, 4) for result in self.good()
                      if result["cell"]["framework"] == framework and result["cell"]["precision"] == "fp32"
                      and result["cell"]["batch"] == batch and result["cell"]["scale"] == "1n1g"]
            self.assertIn(tuple(values), swept)
        self.assertEqual(len(self.charts("precision")[0]["labels"]), 8)

    def test_memory_is_the_peak_of_the_runs(self):
        shown = self.charts("memory")[0]["datasets"][0]["data"]
        peaks = [result["peak_host_bytes"] for result in self.good()]
        for value in shown:
            self.assertTrue(any(abs(value * unit / peak - 1) < 1e-9 for peak in peaks for unit in (2**20, 2**30)), value)


class Cells(PageTest):
    def test_step_times_losses_and_parts_of_a_run_are_those_of_its_events(self):
        result = self.good()[0]
        self.open(place=f"#cell={result['key']}")
        self.draw_all()
        browser.run("document.querySelector('.row[aria-expanded=true]').scrollIntoView()")
        browser.screenshot(PICTURES / "cell.png")
        run = result["runs"][0]
        events = [json.loads(line) for line in (journal / run["folder"] / "events.jsonl").read_text().splitlines()]
        steps = [event for event in events if event["event"] == "step"]
        took = [steps[0]["seconds"]] + [after["end"] - before["end"] for before, after in zip(steps, steps[1:])]
        (trace,) = self.charts("trace", ".cell")
        shown = [point["y"] for point in trace["datasets"][0]["data"]]
        self.assertEqual(len(shown), len(took))
        for got, expected in zip(shown, took):
            self.assertAlmostEqual(got / (expected * 1e3), 1, places=4)
        warmup, steady = trace["parts"]["bands"]
        self.assertEqual((warmup["from"], warmup["to"]), (0, run["summary"]["warmup"]))
        self.assertEqual(steady["from"], run["summary"]["warmup"])
        self.assertIn(run["summary"]["stopped"], trace["parts"]["stop"]["label"])
        (loss,) = self.charts("loss", ".cell")
        self.assertEqual(len(loss["datasets"]), len(result["runs"]))
        for point, step in zip(loss["datasets"][0]["data"], steps):
            self.assertAlmostEqual(point["y"] / step["loss"], 1, places=4)
        (bars,) = self.charts("histogram", ".cell")
        used = sum(each["summary"]["used"] for each in result["runs"])
        self.assertGreaterEqual(sum(bars["datasets"][0]["data"]), 0.9 * used)
        self.assertLessEqual(sum(bars["datasets"][0]["data"]), used)

    def test_another_run_of_the_cell_can_be_chosen(self):
        result = self.good()[0]
        self.open(place=f"#cell={result['key']}")
        self.draw_all()
        first = self.charts("trace", ".cell")[0]["datasets"][0]["data"]
        browser.click(".cell .choice:nth-child(2)")
        self.draw_all()
        self.assertNotEqual(self.charts("trace", ".cell")[0]["datasets"][0]["data"], first)


class Reading(PageTest):
    def test_the_table_sorts_both_ways_and_keeps_failures_last(self):
        self.open()
        self.assertEqual(set(self.rows()), {result["key"] for result in facts["results"]})
        ordered = [result["key"] for result in sorted(self.good(), key=lambda result: -result["throughput"]["value"])]
        failed = [result["key"] for result in facts["results"] if result["status"] != "ok"]
        self.assertTrue(failed)
        browser.click('[data-column="throughput"] button')
        self.assertEqual(self.rows(), ordered + failed)
        browser.click('[data-column="throughput"] button')
        self.assertEqual(self.rows(), ordered[::-1] + failed)
        self.assertEqual(browser.run("return document.querySelector('[data-column=throughput]').getAttribute('aria-sort')"), "ascending")

    def test_the_table_filters_by_words_and_choices(self):
        self.open()
        browser.type("#filter", "tortoise b2")
        self.assertEqual(set(self.rows()), {result["key"] for result in facts["results"]
                                            if "tortoise" in result["key"] and "/b2/" in result["key"]})
        browser.click('[data-choice="precision"] option[value="amp-bf16"]')
        self.assertEqual(len(self.rows()), 1)
        browser.click(".controls .plain")
        self.assertEqual(len(self.rows()), len(facts["results"]))

    def test_a_link_opens_its_cell_also_when_it_is_filtered_out(self):
        key = self.good()[-1]["key"]
        self.open(place="#cell=" + key.replace("/", "%2F"))
        self.assertEqual(browser.run("return document.querySelector('.cell h3').textContent"), key)
        self.assertTrue(browser.run("const box = document.querySelector('.row[aria-expanded=true]').getBoundingClientRect(); return box.top >= 0 && box.top < innerHeight"))
        browser.type("#filter", "nothing is called this")
        self.assertEqual(self.rows(), [])
        other = self.good()[0]["key"]
        browser.run("location.hash = 'cell=' + encodeURIComponent(arguments[0])", other)
        browser.run_until(UNTIL.format("document.querySelector('.results .row')"))
        opened = browser.run("return [...document.querySelectorAll('.cell h3')].map((title) => title.textContent)")
        self.assertIn(other, opened)
        browser.run("location.hash = 'cell=%E0%A4%A'; location.hash = 'cell=nobody'")

    def test_it_can_be_used_with_the_keyboard(self):
        self.open()
        browser.press("/")
        self.assertEqual(browser.run("return document.activeElement.id"), "filter")
        browser.run("document.querySelector('.results .row').focus()")
        browser.press("\ue015")  # down
        second = self.rows()[1]
        self.assertEqual(browser.run("return document.activeElement.dataset.key"), second)
        browser.press("\ue007")  # enter
        self.assertEqual(browser.run("return document.querySelector('.cell h3').textContent"), second)
        browser.press("\ue007")
        self.assertIsNone(browser.run("return document.querySelector('.cell')"))

    def test_a_badge_explains_itself(self):
        self.open()
        failed = next(result for result in facts["results"] if result["status"] != "ok")
        browser.click(f'.row[data-key="{failed["key"]}"] .badge.bad')
        hint = browser.run("return document.querySelector('.hint').textContent")
        self.assertIn(failed["failed"][0]["reason"], hint)
        browser.press("\ue00c")  # escape
        self.assertIsNone(browser.run("return document.querySelector('.hint')"))

    def test_logs_and_commands_are_at_hand(self):
        result = self.good()[0]
        self.open(place=f"#cell={result['key']}")
        links = browser.run("return [...document.querySelectorAll('.runs a')].map((link) => new URL(link.href).pathname)")
        self.assertEqual(len(links), 3 * len(result["runs"]))
        for link in links:
            self.assertTrue(Path(link).is_file(), link)
        commands = browser.run("return [...document.querySelectorAll('.cell pre')].map((block) => block.textContent)")
        self.assertEqual(commands[0], f"trainmark run page.yaml --rounds 2 --only '{result['key']}'")
        self.assertEqual(commands[1].split(), result["runs"][0]["command"])

    def test_links_lead_to_the_logs_also_from_another_folder(self):
        elsewhere = folder / "elsewhere"
        elsewhere.mkdir(exist_ok=True)
        self.open(journals.write_page(journal, elsewhere / "page.html"), f"#cell={self.good()[0]['key']}")
        link = browser.run("return new URL(document.querySelector('.runs a').href).pathname")
        self.assertTrue(Path(link).is_file(), link)


class Looks(PageTest):
    def test_both_languages(self):
        self.open()
        self.assertEqual(browser.run("return document.querySelector('#results h2').textContent"), "Results")
        browser.click("#language")
        self.assertEqual(browser.run("return [document.documentElement.lang, document.querySelector('#results h2').textContent]"), ["zh-CN", "结果"])
        self.draw_all()
        self.assertEqual(len(self.charts("ranking")), 1)
        browser.screenshot(PICTURES / "chinese.png")
        self.open(journals.write_page(journal, folder / "zh.html", "--lang", "zh"))
        self.assertEqual(browser.run("return document.querySelector('#results h2').textContent"), "结果")

    def test_light_and_dark(self):
        paper = "return getComputedStyle(document.body).backgroundColor"
        ticks = "return Chart.getChart(document.querySelector('canvas')).scales.x.options.ticks.color"

        def colours():
            return [browser.run(paper), browser.run(ticks), self.charts("ranking")[0]["datasets"][0]["backgroundColor"][0],
                    self.charts("batch")[0]["datasets"][0]["borderColor"]]

        self.open()
        self.draw_all()
        light = colours()
        browser.click("#theme")
        for before, after in zip(light, colours()):
            self.assertNotEqual(before, after)
        browser.screenshot(PICTURES / "dark.png")
        browser.click("#theme")
        self.assertEqual(colours(), light)

    def test_the_system_chooses_first(self):
        browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.open()
        browser.run("localStorage.clear()")
        self.open()
        self.assertEqual(browser.run("return document.documentElement.dataset.theme"), "dark")
        browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        browser.run_until(UNTIL.format("document.documentElement.dataset.theme === 'light'"))

    def test_paper_has_every_chart(self):
        self.open(place=f"#cell={self.good()[0]['key']}")
        paper = browser.devtools("Page.printToPDF", printBackground=True)["data"]
        content = base64.b64decode(paper)
        (PICTURES / "print.pdf").write_bytes(content)
        self.assertTrue(content.startswith(b"%PDF"))
        left = browser.run("return [...document.querySelectorAll('figure.chart')].filter((figure) => !figure.dataset.drawn).length")
        self.assertEqual(left, 0)

    def test_a_narrow_window_does_not_scroll_sideways(self):
        browser.devtools("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=False)
        try:
            self.open()
            self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), 400)
            browser.screenshot(PICTURES / "narrow.png")
        finally:
            browser.devtools("Emulation.clearDeviceMetricsOverride")


class Untrusted(PageTest):
    def test_hostile_texts_are_shown_and_do_nothing(self):
        hostile = journals.hostile_journal(folder / "hostile", journal)
        page_of_it = journals.write_page(hostile, hostile / "report.html")
        for place in ("", "#cell=<img src=x onerror=window.hacked=1>"):
            self.open(page_of_it, place)
            browser.run("document.querySelectorAll('.results .row').forEach((row) => row.click())")
            self.draw_all()
            browser.run("document.querySelectorAll('.badge').forEach((badge) => badge.click())")
            self.assertIsNone(browser.run("return window.hacked ?? null"))
            self.assertEqual(browser.run("return document.querySelectorAll('#page img, #page script, #page iframe, [onerror]').length"), 0)
            self.assertEqual(browser.run("return document.scripts.length"), 3)
            text = browser.run("return document.getElementById('page').textContent")
            for shown in journals.HOSTILE[:3] + journals.HOSTILE[6:]:
                self.assertIn(shown.strip(), text)
            self.assertNotIn("\x1b", text)
            self.assertNotIn("\u202e", text)
            addresses = browser.run("return [...document.querySelectorAll('a')].map((link) => link.protocol + link.host)")
            self.assertEqual(set(addresses), {"file:"})
            self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), 1320)
        browser.screenshot(PICTURES / "hostile.png")

    def test_an_empty_journal_is_a_page_that_says_so(self):
        empty = journals.write_journal(folder / "empty", [])
        self.open(journals.write_page(empty, empty / "report.html"))
        self.assertIn("no runs", browser.run("return document.querySelector('#overview').textContent"))


class Large(PageTest):
    RESULTS, STEPS = 10_000, 1000

    def test_ten_thousand_results_of_a_thousand_steps(self):
        large = journals.large_journal(folder / "large", journal, self.RESULTS, self.STEPS)
        written = time.monotonic()
        page_of_it = journals.write_page(large, large / "report.html")
        written = time.monotonic() - written
        size = page_of_it.stat().st_size
        self.assertLess(size, 30e6)
        self.open(page_of_it)
        seconds = browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
        print(f"large page: {size / 1e6:.1f} MB, written in {written:.1f} s, opened in {seconds:.2f} s", flush=True)
        self.assertEqual(len(self.rows()), 100)
        browser.click('[data-column="throughput"] button')
        self.assertIn(f"/b{self.RESULTS // 100}/", self.rows()[0])
        browser.run("location.hash = 'cell=' + encodeURIComponent(arguments[0])", self.rows()[0])
        browser.run_until(UNTIL.format("document.querySelector('.cell')"))
        browser.run_until(DRAW_ALL.replace("'figure.chart'", "'.cell figure.chart'"))
        (trace,) = self.charts("trace", ".cell")
        longest = max(point["y"] for point in trace["datasets"][1]["data"])
        self.assertAlmostEqual(longest, 500, places=1)  # the one stall of the run is still there
        self.assertLess(len(trace["datasets"][0]["data"]), self.STEPS)


if __name__ == "__main__":
    unittest.main()
