"""The page of `trainmark report --format html` in a browser: what it shows is what the journal says, and nothing else."""

import base64
import json
import os
import re
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


BARS = """
return [...document.querySelectorAll('figure[data-chart="' + arguments[0] + '"]')].map((figure) => [...figure.querySelectorAll('li')].map((row) => ({
  framework: row.dataset.framework || null, key: row.dataset.key, value: Number(row.dataset.value), width: row.querySelector('.bar').getBoundingClientRect().width,
  whisker: row.querySelector('.whisker') && row.querySelector('.whisker').getBoundingClientRect().width, track: row.querySelector('.track').getBoundingClientRect().width,
  badges: [...row.querySelectorAll('.badge')].map((badge) => badge.textContent), paint: getComputedStyle(row.querySelector('.bar')).backgroundColor,
  classes: row.querySelector('.bar').className})));
"""
# Texts whose contrast with what lies behind them is below AA: 4.5, or 3 for large ones.
CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255); };
const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
const behind = (element) => {
  const list = [];
  for (let each = element; each; each = each.parentElement) list.push(rgba(getComputedStyle(each).backgroundColor));
  return list.reverse().reduce((below, each) => over(each, below), [1, 1, 1, 1]);
};
const light = ([r, g, b]) => { const part = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
const bad = new Set();
for (const element of document.querySelectorAll('#page *')) {
  if (element.matches('[aria-hidden=true]') || ![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || element.getClientRects().length === 0) continue;
  const style = getComputedStyle(element);
  const ground = behind(element);
  const [a, b] = [light(over(rgba(style.color), ground)), light(ground)].sort((x, y) => y - x);
  const size = parseFloat(style.fontSize);
  const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
  if ((a + 0.05) / (b + 0.05) < least) bad.add(`${element.tagName}.${element.className}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
}
return [...bad];
"""
# What can be clicked and cannot be reached with the keyboard.
UNREACHABLE = """
const focusable = 'a[href], button, input, select, summary, [tabindex="0"]';
const unreachable = [...document.querySelectorAll('#page button, #page a, #page select, #page input, #page summary, #page .row')]
  .filter((element) => !element.matches(focusable) || element.tabIndex < 0);
const unnamed = [...document.querySelectorAll('#page button, #page select, #page input')]
  .filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim()));
const scrollers = [...document.querySelectorAll('#page .scroll')].filter((box) => box.scrollWidth > box.clientWidth + 1 && box.tabIndex < 0);
return [...unreachable, ...unnamed, ...scrollers].map((element) => element.outerHTML.slice(0, 120));
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


def shown(name):
    """The page of a made-up journal; each is made once."""
    place = folder / name
    if not place.exists():
        {"one": journals.one_framework_journal, "six": journals.six_framework_journal, "many": journals.many_cells_journal}[name](place, journal)
        journals.write_page(place, place / "report.html")
    return place / "report.html"


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


class Quality(PageTest):
    def setUp(self):
        place = folder / "quality"
        if not place.exists():
            journals.write_page(journals.quality_journal(place, folder / "home"), place / "report.html")
        self.facts = journals.report_json(place / "results")
        self.open(place / "report.html")
        self.draw_all()

    def test_the_table_is_that_of_the_report(self):
        rows = browser.run("return [...document.querySelectorAll('table.quality tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
        self.assertEqual([row[1] for row in rows], [result["cell"]["framework"] for result in self.facts["results"]])
        for row in rows:
            self.assertIn("3 of 3", row[5])
            self.assertIn(" s (", row[6])
            self.assertIn(" … ", row[7])

    def test_curves_are_those_of_all_seeds_and_end_at_the_target(self):
        for name, field in (("quality-at", "at"), ("quality-samples", "samples")):
            (chart,) = self.charts(name)
            *curves, target = chart["datasets"]
            runs = [run for result in self.facts["results"] for run in result["runs"]]
            self.assertEqual(len(curves), len(runs))
            self.assertEqual([point["y"] for point in target["data"]], [0.9, 0.9])
            for curve, run in zip(curves, runs, strict=True):
                expected = [(point[field], point["quality"]) for point in run["quality"]["curve"]]
                self.assertEqual(len(curve["data"]), len(expected))
                for point, (x, y) in zip(curve["data"], expected, strict=True):
                    self.assertAlmostEqual(point["x"], x, delta=1e-3 * x)
                    self.assertAlmostEqual(point["y"], y, delta=1e-3)
                self.assertGreaterEqual(curve["data"][-1]["y"], 0.9)
            colours = {curve["borderColor"] for curve in curves}
            self.assertEqual(len(colours), 2, "one for each framework")

    def test_it_says_whether_both_learn_from_as_many_samples(self):
        (row,) = browser.run("return [...document.querySelectorAll('table.equivalence tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
        self.assertIn("tortoise", row[0])
        self.assertIn("hare", row[1])
        self.assertIn("fewer", row[3])

    def test_in_chinese(self):
        browser.run("document.getElementById('language').click()")
        heads = browser.run("return [...document.querySelectorAll('#quality h2, #quality h3')].map((head) => head.textContent)")
        self.assertIn("达到目标质量的时间", heads)
        self.assertIn("所需样本数是否相同？", heads)
        self.assertEqual(browser.run(CONTRAST), [])
        self.assertEqual(browser.run(UNREACHABLE), [])


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
        (bars,) = browser.run(BARS, "ranking")
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
        self.assertEqual([bar["framework"] for bar in bars], [key[0] for key, _ in expected])
        self.assertEqual([bar["value"] for bar in bars], [throughput["value"] for _, throughput in expected])
        longest = bars[0]
        for bar, (_, throughput) in zip(bars, expected):
            self.assertAlmostEqual(bar["width"], max(2, longest["width"] * bar["value"] / longest["value"]), delta=1.5)
            scale = longest["width"] / longest["value"]
            high = min(throughput["high"] * scale, bar["track"])
            self.assertAlmostEqual(bar["whisker"], high - max(0, throughput["low"]) * scale, delta=1.5)

    def test_scaling_shows_speed_up_efficiency_and_the_ideal(self):
        scaled = next(result for result in self.good() if result["cell"]["scale"] == "1n2g")
        one = next(result for result in self.good()
                   if result["cell"] == scaled["cell"] | {"scale": "1n1g"})
        points = self.charts("scaling-throughput")[0]["datasets"]
        self.assertEqual([point["y"] for point in points[0]["data"]], [one["throughput"]["value"], scaled["throughput"]["value"]])
        self.assertEqual([point["y"] for point in points[1]["data"]], [one["throughput"]["value"], 2 * one["throughput"]["value"]])
        for name, field, unit, ideal in (("scaling-speedup", "speedup", 1, [1, 2]), ("scaling-efficiency", "efficiency", 100, [100, 100])):
            measured, perfect = self.charts(name)[0]["datasets"]
            self.assertEqual([point["y"] for point in measured["data"]], [unit, scaled[field] * unit])
            self.assertEqual([point["y"] for point in perfect["data"]], ideal)

    def test_sweeps_show_every_batch_and_precision(self):
        swept = {tuple(point["y"] for point in line["data"]) for line in self.charts("batch")[0]["datasets"]}
        for framework in ("hare:spin", "tortoise:spin"):
            values = [result["throughput"]["value"] for batch in (1, 2, 4) for result in self.good()
                      if result["cell"]["framework"] == framework and result["cell"]["precision"] == "fp32"
                      and result["cell"]["batch"] == batch and result["cell"]["scale"] == "1n1g"]
            self.assertIn(tuple(values), swept)
        self.assertEqual(len(browser.run(BARS, "precision")[0]), 8)

    def test_memory_is_the_peak_of_the_runs(self):
        shown = [bar["value"] for bar in browser.run(BARS, "memory")[0]]
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
        (every,) = self.charts("trace", ".cell")
        self.assertEqual(len(every["datasets"]), len(result["runs"]), "all rounds over each other")
        browser.click(".cell .choices .choice:nth-child(2)")
        self.draw_all()
        (trace,) = self.charts("trace", ".cell")
        self.assertEqual(trace["datasets"][0]["data"], every["datasets"][0]["data"])
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
        browser.click(".cell .choices .choice:nth-child(3)")
        self.draw_all()
        self.assertNotEqual(self.charts("trace", ".cell")[0]["datasets"][0]["data"], first)


    def test_a_trace_can_be_zoomed(self):
        self.open(place=f"#cell={self.good()[0]['key']}")
        self.draw_all()
        axis = "const {min, max} = Chart.getChart(document.querySelector('.cell figure[data-chart=trace] canvas')).scales.x; return [min, max]"
        whole = browser.run(axis)
        browser.click("[data-zoom=in]")
        low, high = browser.run(axis)
        self.assertLessEqual(high - low, (whole[1] - whole[0]) / 2 + 1)
        browser.click("[data-zoom=right]")
        self.assertGreater(browser.run(axis)[0], low)
        browser.click("[data-zoom=reset]")
        self.assertEqual(browser.run(axis), whole)
        browser.run("""const canvas = document.querySelector('.cell figure[data-chart=trace] canvas');
          canvas.setPointerCapture = () => {};
          const box = canvas.getBoundingClientRect();
          for (const [kind, share] of [['pointerdown', 0.4], ['pointermove', 0.5], ['pointerup', 0.6]])
            canvas.dispatchEvent(new PointerEvent(kind, {clientX: box.left + share * box.width, pointerId: 1, pointerType: 'mouse'}));""")
        low, high = browser.run(axis)
        self.assertGreater(low, whole[0])
        self.assertLess(high, whole[1])


class Result(PageTest):
    """Six frameworks, of which some tie, one is not to be believed and one was imported."""

    def setUp(self):
        self.open(shown("six"))

    def bars(self, title):
        titles = browser.run("return [...document.querySelectorAll('#overview .card h3')].map((title) => title.textContent)")
        place = next(at for at, each in enumerate(titles) if each.startswith(title + " "))
        return browser.run(BARS, "ranking")[place]

    def test_the_page_opens_with_it(self):
        sentence = browser.run("return document.querySelector('#overview .headline').textContent")
        self.assertTrue(sentence.startswith("pytorch:compile is fastest on 4 of 7, jax:jit on 1; on bert, jax:jit ties with pytorch:compile; "
                                            "on cyclegan, pytorch:compile, jax:jit"), sentence)

    def test_winners_ties_and_doubts_are_marked(self):
        badges = {bar["framework"]: " ".join(bar["badges"]) for bar in self.bars("resnet50")}
        self.assertIn("fastest", badges["pytorch:compile"])
        self.assertNotIn("fastest", badges["jax:jit"])
        tied = {bar["framework"]: " ".join(bar["badges"]) for bar in self.bars("bert")}
        self.assertIn("tie", tied["jax:jit"])
        self.assertIn("tie", tied["pytorch:compile"])
        self.assertNotIn("tie", tied["libtorch:eager"])
        self.assertIn("unclear", " ".join(self.bars("cyclegan")[0]["badges"]))
        first, second = self.bars("arcface")[:2]
        self.assertEqual(first["framework"], "paddle:static")
        self.assertIn("loss-nan", " ".join(first["badges"]))
        self.assertNotIn("fastest", " ".join(first["badges"]))
        self.assertIn("fastest", " ".join(second["badges"]))
        imported = self.bars("resnet50")[-1]
        self.assertIn("imported", imported["classes"])
        self.assertIn("imported", " ".join(imported["badges"]))

    def test_what_cannot_win_has_a_cross_and_nothing_else_has(self):
        """The page's badges and the places agree on which warnings make a figure hard to believe."""
        find = "return [...document.querySelectorAll('#results .badge')].filter((badge) => badge.textContent.endsWith(arguments[0])).map((badge) => badge.className)"
        for name, classes in (("clock-differs", "badge bad"), ("loss-nan", "badge bad"), ("doubtful", "badge bad"), ("outliers", "badge doubt")):
            shown = set(browser.run(find, name))
            self.assertIn(shown, ({classes}, set()) if name == "outliers" else ({classes},), name)

    def test_a_framework_has_one_colour(self):
        paints = {}
        for bars in browser.run(BARS, "ranking"):
            for bar in bars:
                if "imported" not in bar["classes"]:
                    paints.setdefault(bar["framework"], set()).add(bar["paint"])
        self.assertEqual([len(paint) for paint in paints.values()], [1] * 6)
        self.assertEqual(len({next(iter(paint)) for paint in paints.values()}), 6)

    def test_what_all_rows_share_is_said_once_and_rows_are_grouped(self):
        self.assertIn("precision fp32", browser.run("return document.querySelector('.common').textContent"))
        self.assertIsNone(browser.run("return document.querySelector('[data-column=precision]')"))
        self.assertEqual(browser.run("return document.querySelectorAll('.results .group').length"), 7)
        first = browser.run("return document.querySelector('.results .row').dataset.key")
        self.assertTrue(first.startswith("arcface:small/paddle:static"), first)
        header = browser.run("document.querySelectorAll('.results .row')[20].scrollIntoView({block: 'center'});"
                             "const box = document.querySelector('.results th').getBoundingClientRect(); "
                             "return [box.top >= 0, box.bottom < innerHeight, box.top <= document.querySelector('nav').getBoundingClientRect().bottom]")
        self.assertEqual(header, [True, True, True], "no row shows between the two bars")

    def test_the_address_keeps_what_was_chosen(self):
        browser.type("#filter", "jax")
        browser.click('[data-choice="scale"] option[value="1n1g"]')
        browser.click('[data-column="step"] button')
        address, rows = browser.run("return location.hash"), self.rows()
        self.assertEqual(len(rows), 7)
        self.open(shown("six"), address)
        self.assertEqual(self.rows(), rows)
        self.assertEqual(browser.run("return document.getElementById('filter').value"), "jax")
        browser.click("#clear")
        self.assertGreater(len(self.rows()), 50)

    def test_rows_can_be_downloaded(self):
        saved = """
        const kept = []; const real = URL.createObjectURL;
        URL.createObjectURL = (blob) => { kept.push(blob.text()); return 'data:,'; };
        HTMLAnchorElement.prototype.click = function () { kept.push(this.download); };
        document.getElementById('download-csv').click(); document.getElementById('download-json').click();
        Promise.all(kept).then(done, failed);
        """
        browser.type("#filter", "arcface")
        csv, csv_name, text, json_name = browser.run_until(saved)
        self.assertEqual((csv_name, json_name), ("A-page-for-browsers.csv", "A-page-for-browsers.json"))
        lines = csv.splitlines()
        self.assertEqual(len(lines), 8)
        self.assertTrue(lines[0].startswith("workload,size,framework"))
        self.assertTrue(any(line.startswith("arcface,small,paddle:static,fp32,8,") and line.endswith(",doubtful,loss-nan") for line in lines), csv)
        self.assertEqual({result["cell"]["workload"] for result in json.loads(text)["results"]}, {"arcface"})


class Shapes(PageTest):
    """Three journals at two widths: nothing scrolls sideways, all can be read, and all can be reached."""

    def test_every_journal_width_colour_and_language(self):
        for name in ("one", "six", "many"):
            for width in (1400, 420):
                browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
                try:
                    for theme in ("light", "dark"):
                        for language in ("en", "zh"):
                            self.open(shown(name))
                            if browser.run("return document.documentElement.dataset.theme") != theme:
                                browser.click("#theme")
                            if language == "zh":
                                browser.click("#language")
                            with self.subTest(journal=name, width=width, theme=theme, language=language):
                                self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), width)
                                self.assertEqual(browser.run(CONTRAST), [])
                                self.assertEqual(browser.run(UNREACHABLE), [])
                            browser.run("scrollTo(0, 0)")
                            browser.screenshot(PICTURES / f"{name}-{width}-{theme}-{language}.png")
                finally:
                    browser.devtools("Emulation.clearDeviceMetricsOverride")
        browser.run("localStorage.clear()")

    def test_one_framework_is_a_table_with_bars(self):
        self.open(shown("one"))
        self.assertEqual(browser.run("return document.querySelectorAll('#overview .card').length"), 0)
        rows = browser.run("return [...document.querySelectorAll('.compact tbody tr')].map((row) => row.dataset.key)")
        self.assertEqual(len(rows), 9, "eight of the framework, and the clock")
        self.assertIsNone(browser.run("return document.getElementById('resources')"))
        self.assertIsNone(browser.run("return document.getElementById('scaling')"))

    def test_on_a_phone_rows_are_whole_and_names_are_not_broken(self):
        browser.devtools("Emulation.setDeviceMetricsOverride", width=420, height=900, deviceScaleFactor=1, mobile=False)
        try:
            self.open(shown("one"))
            hidden = browser.run("const box = document.querySelector('.compact').closest('.scroll'); return box.scrollWidth - box.clientWidth")
            self.assertLessEqual(hidden, 1, "nothing lies outside of the screen")
            below = browser.run("const box = document.querySelector('.compact').closest('.scroll'); return box.scrollHeight - box.clientHeight")
            self.assertLessEqual(below, 1, "no row is hidden in a box that scrolls by itself")
            self.assertRegex(browser.run("return document.querySelector('.headline').textContent"), "\\d\u00a0%")
            lines = """const lines = (text) => { const range = document.createRange(); range.selectNodeContents(text); return range.getClientRects().length; };
              return [...document.querySelectorAll('.results .row td:first-child')].map((cell) => lines(cell.firstChild))"""
            self.assertEqual(set(browser.run(lines)), {1}, "libtorch:eager in one line")
        finally:
            browser.devtools("Emulation.clearDeviceMetricsOverride")

    def test_eight_results_fit_two_pages(self):
        self.open(shown("one"))
        paper = base64.b64decode(browser.devtools("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"])
        (PICTURES / "one.pdf").write_bytes(paper)
        self.assertLessEqual(len(re.findall(rb"/Type\s*/Page\b", paper)), 2)


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
        browser.click("#clear")
        self.assertEqual(len(self.rows()), len(facts["results"]))

    def test_a_link_opens_its_cell_also_when_it_is_filtered_out(self):
        key = self.good()[-1]["key"]
        self.open(place="#cell=" + key.replace("/", "%2F"))
        self.assertEqual(browser.run("return document.querySelector('.cell h3').textContent"), key)
        self.assertTrue(browser.run("const box = document.querySelector('.row[aria-expanded=true]').getBoundingClientRect(); "
                                    "const head = document.querySelector('.results thead').getBoundingClientRect(); return box.top >= head.bottom - 2 && box.top < innerHeight"))
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
        hidden = browser.run("const box = document.querySelector('.runs').closest('.scroll'); return box.scrollWidth - box.clientWidth")
        self.assertLessEqual(hidden, 1, "the last link is not cut off")
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
        self.assertEqual(len(browser.run(BARS, "ranking")), 1)
        browser.screenshot(PICTURES / "chinese.png")
        self.open(journals.write_page(journal, folder / "zh.html", "--lang", "zh"))
        self.assertEqual(browser.run("return document.querySelector('#results h2').textContent"), "结果")

    def test_light_and_dark(self):
        paper = "return getComputedStyle(document.body).backgroundColor"
        ticks = "return Chart.getChart(document.querySelector('canvas')).scales.x.options.ticks.color"

        def colours():
            return [browser.run(paper), browser.run(ticks), browser.run(BARS, "ranking")[0][0]["paint"],
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
