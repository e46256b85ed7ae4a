"""The page of --plot-to FILE.html in a headless Chromium. Arguments: the command mosim, and the folder of the models."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

MOSIM, MODELS = sys.argv[1:3]
BALL = MODELS + "/DiscreteBehavior/BouncingBall/StableBouncingBall.mo"
HYSTERESIS = MODELS + "/DiscreteBehavior/Hysteresis/HysteresisControl.mo"
IMPACT = (2 / 9.81) ** 0.5

NASTY = r"""model Nasty "A <b>title</b> & </script> <!-- \"quotes\""
  type Mode = enumeration('100%' "a", 'it\'s' "b");
  Real 'a<b & "c" </script>'(unit="m/s2", start=1, fixed=true) "First </script> <!-- <img src=x onerror=alert(1)>";
  Mode mode(start=Mode.'100%', fixed=true) "Which";
  Boolean late;
  Integer n(start=0, fixed=true) "Beats";
equation
  der('a<b & "c" </script>') = -1;
  late = time > 0.75;
  when sample(0.25, 0.25) then
    n = pre(n) + 1;
  end when;
  when time > 0.5 then
    mode = Mode.'it\'s';
  end when;
end Nasty;
"""


def start_browser(folder):
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--force-device-scale-factor=1", "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + folder,
                     "--window-size=1280,800"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.browser = start_browser(os.path.join(cls.folder.name, "profile"))
        cls.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False})

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    def tearDown(self):
        # Whatever a test did: nothing went wrong on the page, and nothing was loaded.
        # (Chromium advises against reading canvases, which these tests do.)
        messages = [entry["message"] for entry in self.browser.get_log("browser")]
        self.assertEqual([text for text in messages if "willReadFrequently" not in text], [])
        self.assertEqual(self.js("return performance.getEntriesByType('resource').length"), 0)

    # What a test says to the page.

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def until(self, script, *arguments):
        return WebDriverWait(self.browser, 20).until(lambda browser: browser.execute_script(script, *arguments))

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def show(self, model, *arguments):
        """Runs a model and opens its page. Returns what the report says."""
        page = os.path.join(self.folder.name, "page.html")
        run = subprocess.run([MOSIM, model, "-o", os.path.join(self.folder.name, "r.csv"), "--plot-to", page, *arguments],
                             check=True, timeout=60, capture_output=True, text=True)
        self.browser.get("file://" + page)
        self.until("return !!window.mosim && mosim.charts.length > 0")
        ActionChains(self.browser).move_by_offset(0, 0).move_to_element(self.one("h1")).perform()
        return run.stdout

    def chart_of(self, name):
        return self.js("""return mosim.charts.findIndex(c => c.members.some(k => mosim.run.variables[k].name === arguments[0]))""", name)

    def pixels(self, chart, name):
        """How many pixels of a chart's canvas have the colour of a variable."""
        return self.js("""
            const chart = mosim.charts[arguments[0]], canvas = chart.graph.hidden_;
            const probe = document.createElement("canvas").getContext("2d");
            probe.fillStyle = chart.graph.getPropertiesForSeries(arguments[1]).color;
            probe.fillRect(0, 0, 1, 1);
            const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let n = 0;
            for (let i = 0; i < data.length; i += 4)
              if (data[i + 3] > 100 && Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 60) ++n;
            return n;""", chart, name)

    def drawn_at(self, chart, time, value):
        """Is there something of the curves within three pixels of a point?"""
        return self.js("""
            const chart = mosim.charts[arguments[0]], canvas = chart.graph.hidden_;
            const [x, y] = chart.graph.toDomCoords(arguments[1], arguments[2]);
            const data = canvas.getContext("2d").getImageData(Math.round(x) - 3, Math.round(y) - 3, 7, 7).data;
            let most = 0;
            for (let i = 0; i < data.length; i += 4)
              if (data[i + 3] > 100) most = Math.max(most, Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]));
            return most > 60;""", chart, time, value)

    def item(self, number):
        return self.one(f'.event[data-number="{number}"]')

    def line(self, number):
        return self.one(f'#code .line[data-line="{number}"]')

    def lit_lines(self):
        return self.js("return [...document.querySelectorAll('#code .line.lit')].map(e => Number(e.dataset.line))")

    # The tests.

    def test_the_page_shows_model_and_trajectories(self):
        self.show(BALL)
        self.assertEqual(self.browser.title, "DiscreteBehavior.BouncingBall.StableBouncingBall")
        self.assertIn("comes to rest", self.one("#description").text)
        self.assertEqual(self.js("return mosim.charts.map(c => c.members.map(k => mosim.run.variables[k].name).join())"), ["h", "v", "done"])
        with open(os.path.join(self.folder.name, "r.csv"), encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:]]
        self.assertEqual(self.js("return mosim.charts[0].graph.numRows()"), len(rows))
        shown = self.js("const g = mosim.charts[0].graph; return [...Array(g.numRows()).keys()].map(r => [g.getValue(r, 0), g.getValue(r, 1)])")
        for row, (time, h) in zip(rows, shown):
            self.assertEqual(float(row[0]), time)
            self.assertAlmostEqual(float(row[2]), h, places=7)
        for chart, name in enumerate(("h", "v", "done")):
            self.assertGreater(self.pixels(chart, name), 400, name)
        for time in (0.1, 0.2, 0.3, 0.4):
            self.assertTrue(self.drawn_at(0, time, 1 - 9.81 / 2 * time * time), time)
            self.assertFalse(self.drawn_at(0, time, 0.5 - 9.81 / 2 * time * time), time)
            self.assertTrue(self.drawn_at(1, time, -9.81 * time), time)
        # A jump is a jump, and a Boolean a step.
        self.assertTrue(self.drawn_at(1, IMPACT, 2))
        self.assertFalse(self.drawn_at(1, IMPACT + 0.15, -1))
        for time, value in ((2, 0), (8, 1)):
            self.assertTrue(self.drawn_at(2, time, value))
            self.assertFalse(self.drawn_at(2, time, 1 - value))
        for chart, unit in ((0, "[m]"), (1, "[m/s]")):
            self.assertEqual(self.js(f"return document.querySelectorAll('.panel')[{chart}].querySelector('.dygraph-ylabel').textContent"), unit)
        self.assertIn("Above the floor", self.one('.chip[data-name="h"]').text)
        labels = self.js("return [...document.querySelectorAll('.panel')[2].querySelectorAll('.dygraph-axis-label-y')].map(e => e.textContent)")
        self.assertEqual(sorted(labels), ["false", "true"])

    def test_the_events_are_those_of_the_run(self):
        report = self.show(BALL)
        count = int(re.search(r"events\s+(\d+)", report).group(1))
        self.assertGreater(count, 50)
        marked = self.js("return mosim.run.log.events.filter(e => e.kind !== 'initial' && e.kind !== 'terminal').length")
        self.assertEqual(marked, count)
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".event")), self.js("return mosim.run.log.events.length"))
        self.assertEqual(self.js("return mosim.charts.map(c => c.marks.lines + c.marks.stubs)"), [count] * 3)
        self.assertIn("h < ", self.item(1).text)
        self.assertIn("0.4515236 s", self.item(1).text)
        self.assertIn("pile up at 4.063", self.one("#notes").text)

    def test_a_click_on_an_event_shows_its_line_its_instant_and_what_happened(self):
        self.show(BALL)
        self.item(2).click()
        self.until("return mosim.selected === 2")
        self.assertEqual(self.lit_lines(), [20, 22])
        self.assertEqual(self.line(20).find_element(By.CSS_SELECTOR, "mark").text, "h < 0")
        self.assertIn("reinit(v", self.line(22).find_element(By.CSS_SELECTOR, "mark").text)
        self.assertTrue(self.js("""const code = document.getElementById("code").getBoundingClientRect(), line = document.querySelector(".line.lit").getBoundingClientRect();
            return line.top >= code.top && line.bottom <= code.bottom"""))
        details = self.item(2).find_element(By.CSS_SELECTOR, ".details").text
        for part in ("crossed", "fired", "when {h < 0, h < -eps}", "element 1 (h < 0)", "reinitialized", "1.17396"):
            self.assertIn(part, details)
        # v jumps from -e*g*t1 to e*e*g*t1.
        before, after = re.search(r"v\s+(-[\d.]+)\s*→\s*([\d.]+) m/s", details).groups()
        self.assertAlmostEqual(float(before), -0.8 * 9.81 * IMPACT, places=4)
        self.assertAlmostEqual(float(after), 0.64 * 9.81 * IMPACT, places=4)
        self.assertEqual(self.js("return mosim.charts.map(c => c.marks.selected)"), [1, 1, 1])
        alpha = self.js("""const chart = mosim.charts[1], x = chart.graph.toDomXCoord(arguments[0]);
            return chart.above.getContext("2d").getImageData(Math.round(x), 40, 1, 1).data[3]""", 2.6 * IMPACT)
        self.assertGreater(alpha, 100)
        # Another click on it ends that; the arrow keys go on from it.
        self.item(2).find_element(By.CSS_SELECTOR, ".row").click()
        self.until("return mosim.selected === null")
        self.assertEqual(self.lit_lines(), [])
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, ".details"), [])

    def test_the_second_element_fires_while_the_first_is_true(self):
        self.show(BALL)
        number = self.js("return mosim.run.log.events.find(e => e.fired.some(f => f.elements.some(x => x.element === 2))).number")
        self.js("mosim.select(arguments[0])", number)
        details = self.item(number).find_element(By.CSS_SELECTOR, ".details").text
        self.assertIn("by element 2 (h < -eps)", details)
        self.assertIn("already true: element 1 (h < 0)", details)
        self.assertRegex(details, r"done\s+false\s*→\s*true")
        self.assertEqual(self.line(20).find_element(By.CSS_SELECTOR, "mark").text, "h < -eps")

    def test_a_hover_over_a_line_shows_its_events(self):
        self.show(HYSTERESIS, "--plot", "T,heat")
        when = self.line(25)
        expected = self.js("""return mosim.run.log.events.filter(e =>
            e.crossed.some(c => mosim.run.log.relations.find(r => r.number === c.relation).line === 25) || e.fired.some(f => f.line === 25)).map(e => e.number)""")
        self.assertGreater(len(expected), 5)
        self.assertIn(f"{len(expected)}×", when.text)
        ActionChains(self.browser).move_to_element(when).perform()
        self.until("return mosim.related.length > 0")
        self.assertEqual(self.js("return mosim.related"), expected)
        self.assertEqual(self.js("return [...document.querySelectorAll('.event.related')].map(e => Number(e.dataset.number))"), expected)
        self.assertEqual(self.js("return mosim.charts.map(c => c.marks.related)"), [len(expected)] * 2)
        ActionChains(self.browser).move_to_element(self.line(24)).perform()
        self.until("return mosim.related.length === 0")
        # A click goes to the first of them, and to the next.
        when.click()
        self.until("return mosim.selected === arguments[0]", expected[0])
        when.click()
        self.until("return mosim.selected === arguments[0]", expected[1])

    def test_variables_go_off_and_on(self):
        self.show(HYSTERESIS, "--plot", "T,Tbar,heat")
        chart = self.chart_of("T")
        self.assertEqual(chart, self.chart_of("Tbar"))
        self.assertGreater(self.pixels(chart, "T"), 200)
        self.one('.chip[data-name="T"]').click()
        self.until("return document.querySelector('.chip[data-name=\"T\"]').getAttribute('aria-pressed') === 'false'")
        self.assertEqual(self.pixels(chart, "T"), 0)
        self.assertGreater(self.pixels(chart, "Tbar"), 200)
        self.one('.chip[data-name="T"]').click()
        self.assertGreater(self.pixels(chart, "T"), 200)
        # The menu has all variables, and brings them.
        self.one("#menu summary").click()
        self.one("#filter").send_keys("from the heater")
        names = [e.text for e in self.browser.find_elements(By.CSS_SELECTOR, "#menu-list label .name") if e.is_displayed()]
        self.assertEqual(names, ["Q"])
        self.one('#menu-list input[data-name="Q"]').click()
        self.until("return mosim.charts.length === 3")
        self.assertGreater(self.pixels(self.chart_of("Q"), "Q"), 200)
        self.one('#menu-list input[data-name="Q"]').click()
        self.until("return mosim.charts.length === 2")
        with open(os.path.join(self.folder.name, "r.csv"), encoding="utf-8") as file:
            recorded = file.readline().strip().split(",")
        listed = self.js("return mosim.run.variables.map(v => v.name)")
        self.assertEqual(set(recorded) - set(listed), set())
        self.assertIn("Qcapacity", listed)

    def test_zoom_and_hover_go_through_all_panels(self):
        self.show(BALL)
        area = self.js("const a = mosim.charts[0].graph.getArea(), b = document.querySelector('.chart').getBoundingClientRect(); return [b.left + a.x, b.top + a.y, a.w, a.h]")
        def to_pixel(time):
            return round(area[0] + time / 10 * area[2])
        mouse = ActionChains(self.browser)
        mouse.w3c_actions.pointer_action.move_to_location(to_pixel(6), round(area[1] + 40))
        mouse.perform()
        self.until("return document.getElementById('readout').textContent.startsWith('time')")
        self.assertRegex(self.one('.chip[data-name="done"] .value').text, r"= true")
        self.assertRegex(self.one('.chip[data-name="v"] .value').text, r"= -?\d.* m/s")
        # Drag from 1 s to 3 s.
        drag = ActionChains(self.browser)
        pointer = drag.w3c_actions.pointer_action
        pointer.move_to_location(to_pixel(1), round(area[1] + 60))
        pointer.pointer_down()
        pointer.move_to_location(to_pixel(2), round(area[1] + 62))
        pointer.move_to_location(to_pixel(3), round(area[1] + 62))
        pointer.pointer_up()
        drag.perform()
        self.until("return mosim.charts.every(c => c.graph.xAxisRange()[1] < 4)")
        for low, high in self.js("return mosim.charts.map(c => c.graph.xAxisRange())"):
            self.assertAlmostEqual(low, 1, delta=0.05)
            self.assertAlmostEqual(high, 3, delta=0.05)
        # An event outside comes into the window, with what was on it.
        self.js("mosim.select(1)")
        self.until("return mosim.charts.every(c => c.graph.xAxisRange()[0] < 0.4515 && c.marks.selected === 1)")
        self.one("#whole").click()
        self.until("return mosim.charts.every(c => c.graph.xAxisRange()[1] > 9.99)")
        # A click on an event's line in a chart selects it.
        click = ActionChains(self.browser)
        click.w3c_actions.pointer_action.move_to_location(to_pixel(2.6 * IMPACT), round(area[1] + 20))
        click.w3c_actions.pointer_action.click()
        click.perform()
        self.until("return mosim.selected === 2")

    def test_light_and_dark(self):
        def brightness():
            return self.js("""const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
                const ink = getComputedStyle(document.body).color.match(/\\d+/g).map(Number);
                return [r + g + b, ink[0] + ink[1] + ink[2], mosim.charts[0].graph.getColors()[0]]""")
        self.show(BALL)
        light = brightness()
        self.assertGreater(light[0], 700)
        self.assertLess(light[1], 200)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        try:
            self.until("return mosim.charts[0].graph.getColors()[0] !== arguments[0]", light[2])
            dark = brightness()
            self.assertLess(dark[0], 120)
            self.assertGreater(dark[1], 600)
            self.assertGreater(self.pixels(0, "h"), 400)
        finally:
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_any_name_and_text_can_be_shown(self):
        model = os.path.join(self.folder.name, "Nasty.mo")
        with open(model, "w", encoding="utf-8") as file:
            file.write(NASTY)
        self.show(model)
        self.assertEqual(self.one("#description").text, "A <b>title</b> & </script> <!-- \"quotes\"")
        name = "'a<b & \"c\" </script>'"
        self.assertIn(name, self.js("return mosim.run.variables.map(v => v.name)"))
        chart = self.chart_of(name)
        self.assertGreater(self.pixels(chart, name), 200)
        self.assertEqual(self.js("return document.images.length"), 0)
        self.assertEqual(self.js("return [...document.querySelectorAll('#code .text')].map(e => e.textContent).join('\\n')"), NASTY.rstrip("\n"))
        # Time events are marked as such; an enumeration's literals are ticks; an Integer's ticks are whole.
        self.assertEqual(self.js("return mosim.run.log.events.filter(e => e.kind === 'time').map(e => e.time)"), [0.25, 0.5, 0.75, 1])
        labels = "return [...document.querySelectorAll('.panel')[arguments[0]].querySelectorAll('.dygraph-axis-label-y')].map(e => e.textContent)"
        self.assertEqual(sorted(self.js(labels, self.chart_of("mode"))), ["'100%'", "'it\\'s'"])
        for label in self.js(labels, self.chart_of("n")):
            self.assertRegex(label, r"^-?\d+$")

    def test_a_model_without_events_has_a_page(self):
        self.show(MODELS + "/BasicEquations/CoolingExample/NewtonCoolingWithDefaults.mo")
        self.assertEqual(self.js("return mosim.charts.length"), 1)
        self.assertGreater(self.pixels(0, self.js("return mosim.run.variables[mosim.charts[0].members[0]].name")), 200)

    def test_a_long_run_is_thinned_and_says_so(self):
        self.show(HYSTERESIS, "--stop", "20", "--interval", "0.0002", "--plot", "T,heat")
        kept = self.js("return mosim.charts[0].graph.numRows()")
        self.assertLess(kept, 60_000)
        self.assertIn(f"{kept} of ", self.one("#notes").text)
        # Its extremes, and the jumps of all its events, are there: the band is Tbar +- 1 K.
        low, high = self.js("""const g = mosim.charts[0].graph; let low = Infinity, high = -Infinity;
            for (let r = 0; r < g.numRows(); ++r) if (g.getValue(r, 0) > 1) { low = Math.min(low, g.getValue(r, 1)); high = Math.max(high, g.getValue(r, 1)); }
            return [low, high]""")
        self.assertAlmostEqual(low, 294, places=4)
        self.assertAlmostEqual(high, 296, places=4)
        self.assertLess(os.path.getsize(os.path.join(self.folder.name, "page.html")), 10_000_000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
