"""The page of --plot-to FILE.html in a headless Chromium. Arguments: the command mosim, and the folder of the models."""

import csv
import io
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

MOSIM, MODELS = sys.argv[1:3]
BALL = MODELS + "/DiscreteBehavior/BouncingBall/StableBouncingBall.mo"
HYSTERESIS = MODELS + "/DiscreteBehavior/Hysteresis/HysteresisControl.mo"
CHATTER = MODELS + "/DiscreteBehavior/Hysteresis/ChatteringControl.mo"
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

CASCADE = """model Cascade "Three when-clauses at one instant, in three rounds"
  Real x(start=0, fixed=true) "Position";
  Integer a(start=0, fixed=true), b(start=0, fixed=true), c(start=0, fixed=true);
equation
  der(x) = 1;
  when x > 0.5 then
    a = pre(a) + 1;
  end when;
  when pre(a) > 0 then
    b = a + 1;
  end when;
  when pre(b) > 1 then
    c = b + 1;
    reinit(x, -1);
  end when;
  annotation(experiment(StopTime=3));
end Cascade;
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
            const [x, y] = mosim.placeOf(arguments[0], arguments[1], arguments[2]);
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

    def unfold(self):
        """Opens the lines that stand for many events."""
        while self.js("""const closed = document.querySelector('.fold .row[aria-expanded="false"]'); if (closed) closed.click(); return !!closed"""):
            pass

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def press(self, *keys):
        actions = ActionChains(self.browser)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    def listed(self):
        return self.js("return [...document.querySelectorAll('#events .event')].map(e => Number(e.dataset.number))")

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
        self.unfold()
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".event")), self.js("return mosim.run.log.events.length"))
        self.assertEqual(self.js("return mosim.charts.map(c => c.marks.lines + c.marks.stubs)"), [count] * 3)
        self.assertIn("h < ", self.item(1).text)
        self.assertIn("0.4515236 s", self.item(1).text)
        self.assertIn("pile up at 4.063", self.one("#notes").text)

    def test_a_click_on_an_event_shows_its_line_its_instant_and_what_happened(self):
        self.show(BALL)
        self.unfold()
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

    def test_similar_events_are_one_line(self):
        self.show(BALL)
        self.assertEqual(self.listed(), [0, 1, *self.js("return mosim.run.log.events.slice(-1).map(e => e.number)")])
        fold = self.one(".fold .row")
        last = self.js("return mosim.run.log.events.filter(e => e.fired.some(f => f.elements.some(x => x.element === 1))).pop()")
        self.assertEqual(fold.text.split("\n")[-1], f"{last['number'] - 1} more events like this, to {float('%.7g' % last['time'])} s")
        fold.click()
        self.assertEqual(self.listed(), self.js("return mosim.run.log.events.map(e => e.number)"))
        self.one(".fold .row").send_keys(Keys.ENTER)
        self.assertEqual(len(self.listed()), 3)
        # Whoever asks for one of them gets to see it.
        self.js("mosim.select(7)")
        self.assertIn("reinitialized", self.item(7).text)
        # On and off and on: two of a kind in turn.
        self.show(HYSTERESIS, "--stop", "20", "--plot", "T,heat")
        count = self.js("return mosim.run.log.events.length")
        self.assertGreater(count, 60)
        self.assertRegex(self.one(".fold .row").text, r"\d+ more events like these 2, to")
        self.assertLess(len(self.listed()), 8)

    def test_the_filter_of_the_events(self):
        self.show(HYSTERESIS, "--plot", "T,heat")
        up = self.js("return mosim.run.log.events.filter(e => e.crossed.some(c => mosim.run.log.relations[c.relation - 1].text === 'T > Tbar + 1')).map(e => e.number)")
        self.assertGreater(len(up), 3)
        Select(self.one("#event-relation")).select_by_value("T > Tbar + 1")
        self.assertEqual(self.listed(), up)
        self.assertIn(f"{len(up)} of {self.js('return mosim.run.log.events.length')} shown", self.one("#event-count").text)
        Select(self.one("#event-variable")).select_by_value("heat")
        both = self.js("return mosim.run.log.events.filter(e => arguments[0].includes(e.number) && e.changed.some(c => c.name === 'heat')).map(e => e.number)", up)
        self.assertEqual(self.listed(), both)
        self.assertLess(len(both), len(up))
        # The keys go through what is listed, and a rerun keeps the filter.
        self.one("h1").click()
        self.press("n")
        self.assertEqual(self.js("return mosim.selected"), both[0])
        self.press("n")
        self.assertEqual(self.js("return mosim.selected"), both[1])
        self.press("p")
        self.assertEqual(self.js("return mosim.selected"), both[0])
        self.again()
        self.assertEqual(self.listed(), both)
        Select(self.one("#event-relation")).select_by_value("")
        Select(self.one("#event-variable")).select_by_value("")
        self.one("#event-text").send_keys("heat: false")
        self.assertEqual(self.listed(), self.js("return mosim.run.log.events.filter(e => e.changed.some(c => c.name === 'heat' && c.before === false)).map(e => e.number)"))
        self.one("#event-text").send_keys(" and nothing like it")
        self.assertEqual(self.listed(), [])
        self.assertIn("No event is like that", self.one("#events").text)
        # What is selected from elsewhere is shown all the same.
        self.js("mosim.select(1)")
        self.assertIn(1, self.listed())

    def again(self, change="x => x"):
        """The same run once more, as typed arrays, with all that was chosen, through JSON as in a link."""
        self.js(f"""const run = mosim.run, data = JSON.parse(document.getElementById("data").textContent), keep = JSON.parse(JSON.stringify(mosim.state()));
            mosim.destroy();
            window.mosim = show(run, data.map(c => Float64Array.from(c, x => x === null ? NaN : x)), {{ keep: ({change})(keep) }});""")

    def test_keys_in_the_charts(self):
        self.show(BALL)
        self.js("document.querySelector('.frame').focus()")
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.js("return document.activeElement.getAttribute('aria-valuenow')"), str(self.js("return mosim.timeOf(1)")))
        self.assertIn("h 0.9", self.js("return document.activeElement.getAttribute('aria-valuetext')"))
        self.press("n")
        self.assertEqual(self.js("return mosim.selected"), 1)
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.js("return mosim.selected"), 2)
        self.press(Keys.ARROW_UP)
        self.assertEqual(self.js("return mosim.selected"), 1)
        self.press("+")
        low, high = self.js("return mosim.charts[0].graph.xAxisRange()")
        self.assertAlmostEqual(high - low, 5, places=3)
        self.press("-", "-")
        self.assertGreater(self.js("return mosim.charts[2].graph.xAxisRange()[1]"), 9.99)
        self.press(Keys.ESCAPE)
        self.assertIsNone(self.js("return mosim.selected"))
        # What is written into a field is no key.
        self.one("#event-text").send_keys("nan")
        self.assertIsNone(self.js("return mosim.selected"))
        self.assertEqual(self.js("return mosim.state().view.a"), None)
        # In the list, the arrows.
        self.js("document.getElementById('event-text').value = ''; document.getElementById('event-text').dispatchEvent(new Event('input'))")
        self.js("document.querySelector('#events .row').focus()")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.js("return mosim.selected"), 1)
        self.press(Keys.ARROW_DOWN, Keys.ENTER)      # the line that stands for many has been opened by a key before
        self.assertEqual(len(self.listed()), 3)
        self.press(Keys.ENTER)
        self.assertGreater(len(self.listed()), 20)
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.js("return mosim.selected"), 2)
        # Its details are in sight.
        self.assertTrue(self.js("""const list = document.getElementById("events").getBoundingClientRect(), item = document.querySelector(".event.selected").getBoundingClientRect();
            return item.top >= list.top - 1 && item.bottom <= list.bottom + 1"""))

    def test_rounds_one_by_one(self):
        self.show(self.write("Cascade.mo", CASCADE))
        event = self.js("return mosim.run.log.events[1]")
        self.assertEqual(event["rounds"], 5)
        self.js("mosim.select(1)")
        text = lambda: self.one(".stepper").text
        self.assertIn("round 1 of 5", text())
        self.assertIn("x > 0.5", text())
        self.assertIn("a 0 → 1", text())
        self.assertNotIn("b 0", text())
        forward = self.one('.stepper button[aria-label="Next round"]')
        forward.click()
        self.assertIn("round 2 of 5", text())
        self.assertIn("when pre(a) > 0", text())
        self.assertIn("b 0 → 2", text())
        self.assertNotIn("a 0", text())
        forward.click()
        self.assertIn("c 0 → 3", text())
        self.assertIn("reinitialized", text())
        self.assertIn("x 0.5 → -1", text())
        self.assertNotIn("becomes", text())
        forward.click()
        self.assertIn("becomes false", text())
        forward.click()
        self.assertFalse(forward.is_enabled())
        self.assertNotIn("→", text())
        self.one('.stepper button[aria-label="Round before"]').click()
        self.assertIn("round 4 of 5", text())

    def test_many_events(self):
        model = self.write("Many.mo", "model Many\n  Integer n(start=0, fixed=true);\n  discrete Real x(start=0, fixed=true);\nequation\n  when sample(0.5e-4, 1e-4) then\n"
                           "    n = pre(n) + 1;\n    x = 0.5*pre(x) + mod(n, 7);\n  end when;\n  annotation(experiment(StopTime=4));\nend Many;\n")
        report = self.show(model, "--interval", "0.01")
        count = int(re.search(r"events\s+(\d+)", report).group(1))
        self.assertEqual(count, 40000)
        listed = self.js("return mosim.run.log.events.length")
        self.assertLess(listed, count)
        self.assertGreater(listed, 12000)
        self.assertEqual(self.one("#event-count").text, f"40,000 time; the first {listed:,} are listed")
        self.assertEqual(self.js("return mosim.run.events"), {"initial": 1, "time": 40000})
        # Only what is near is built: unfolded, and at the far end.
        self.unfold()
        self.assertLess(len(self.listed()), 1000)
        self.js("mosim.select(12000)")
        self.assertIn("n 11999 → 12000", self.item(12000).text)
        self.assertTrue(self.js("""const list = document.getElementById("events").getBoundingClientRect(), item = document.querySelector(".event.selected").getBoundingClientRect();
            return item.top >= list.top - 1 && item.top < list.bottom"""))
        self.assertLess(len(self.listed()), 2000)
        self.assertIn("+", self.line(5).find_element(By.CSS_SELECTOR, ".hits").text)

    def open_menu(self, k):
        """The menu of a panel; what it holds is there a moment after the click."""
        panel = self.browser.find_elements(By.CSS_SELECTOR, ".panel")[k]
        panel.find_element(By.CSS_SELECTOR, ".options summary").click()
        self.until("return !!document.querySelectorAll('.panel')[arguments[0]].querySelector('.options select.place')", k)
        return panel

    def test_a_phase_plot(self):
        self.show(BALL)
        # By the menu of the panel.
        panel = self.open_menu(1)
        Select(panel.find_element(By.CSS_SELECTOR, ".options select.x")).select_by_visible_text("h [m]")
        self.until("return !!mosim.charts[1].x")
        self.assertEqual(self.js("return mosim.charts.map(c => c.x ? c.x.name : 'time')"), ["time", "h", "time"])
        self.assertEqual(self.js("return document.querySelectorAll('.panel')[1].querySelector('.dygraph-xlabel').textContent"), "h [m]")
        # Up to the first impact, v^2 = 2*g*(1 - h); after it on the other side, 0.8 as fast.
        for h in (0.2, 0.5, 0.9):
            v = (2 * 9.81 * (1 - h)) ** 0.5
            self.assertTrue(self.drawn_at(1, h, -v), h)
            self.assertFalse(self.drawn_at(1, h, v), h)
        for h in (0.1, 0.4, 0.6):
            self.assertTrue(self.drawn_at(1, h, (2 * 9.81 * (0.64 - h)) ** 0.5), h)
        # A part of the run is the same curve, the rest is faint; pointing at a row shows where it is.
        self.js("mosim.setWindow([0, 0.4])")
        self.until("return mosim.charts[1].graph.hidden_ && mosim.state().window !== null")
        self.assertTrue(self.drawn_at(1, 0.9, -(2 * 9.81 * 0.1) ** 0.5))
        self.assertFalse(self.drawn_at(1, 0.55, (2 * 9.81 * 0.09) ** 0.5))
        self.js("mosim.setWindow([0, 10])")
        self.js("mosim.select(1)")
        self.assertEqual(self.js("return mosim.charts[1].marks.selected"), 1)
        self.assertGreater(len(self.js("return mosim.charts[1].marks.numbers")), 5)
        area = self.js("const c = mosim.charts[1], b = c.frame.getBoundingClientRect(), [x, y] = c.graph.toDomCoords(0.5, -Math.sqrt(9.81)); return [b.left + x, b.top + y]")
        mouse = ActionChains(self.browser)
        mouse.w3c_actions.pointer_action.move_to_location(round(area[0]), round(area[1]))
        mouse.perform()
        self.until("return document.getElementById('readout').textContent.startsWith('time')")
        self.assertAlmostEqual(float(self.one("#readout").text.split()[1]), (1 / 9.81) ** 0.5, delta=0.03)
        # A rerun keeps it.
        self.again()
        self.assertEqual(self.js("return mosim.charts.map(c => c.x ? c.x.name : 'time')"), ["time", "h", "time"])
        self.assertTrue(self.drawn_at(1, 0.5, -(9.81 ** 0.5)))
        # In the same panel h is the x axis, and no curve over itself; its chip and its value are still there.
        self.js("mosim.moveTo('h', 'Real m/s')")
        self.assertEqual(self.js("return mosim.charts.map(c => c.series.map(s => mosim.run.variables[s.variable].name).join())"), ["v", "done"])
        self.assertEqual(self.js("return [mosim.charts[0].x.name, mosim.charts[0].graph.getLabels().join(), document.querySelector('.panel .dygraph-ylabel').textContent]"), ["h", "x,v", "[m/s]"])
        self.assertFalse(self.drawn_at(0, 0.5, 0.5))
        self.assertTrue(self.drawn_at(0, 0.5, -(9.81 ** 0.5)))
        self.assertEqual([e.text for e in self.browser.find_elements(By.CSS_SELECTOR, '.panel .chip .axis')], ["x axis"])
        self.assertEqual(self.js("return mosim.charts[0].frame.getAttribute('aria-label')"), "v over h. Left and right go through the rows.")
        # Alone it is drawn over itself, as there is nothing else.
        self.js("mosim.moveTo('v', 'new')")
        self.assertEqual(self.js("return mosim.charts[mosim.charts.findIndex(c => c.x)].series.length"), 1)

    def test_panels_axes_and_what_is_kept(self):
        self.show(HYSTERESIS, "--plot", "T,heat,Q")
        names = "return mosim.charts.map(c => c.members.map(k => mosim.run.variables[k].name).join())"
        self.assertEqual(self.js(names), ["T", "heat", "Q"])
        Select(self.open_menu(2).find_element(By.CSS_SELECTOR, ".options select.place")).select_by_index(0)
        self.until("return mosim.charts.length === 2")
        self.assertEqual(self.js(names), ["T,Q", "heat"])
        self.assertEqual(self.js("return mosim.charts[0].right"), [False, True])
        self.assertEqual(self.js("return [...document.querySelector('.panel').querySelectorAll('.dygraph-ylabel, .dygraph-y2label')].map(e => e.textContent)"), ["[K]", "[W]"])
        self.assertEqual(self.js("return [...document.querySelectorAll('.panel .dygraph-ylabel, .panel .dygraph-y2label')].map(e => getComputedStyle(e).fontSize).filter(size => size !== '11px')"), [])
        # Each on its own axis; and all charts over the same times.
        low, high = self.js("return mosim.charts[0].graph.yAxisRange(1)")
        self.assertTrue(low <= 0 and 25 <= high < 40)
        self.assertGreater(self.js("return mosim.charts[0].graph.yAxisRange(0)[0]"), 200)
        areas = self.js("return mosim.charts.map(c => { const a = c.graph.getArea(); return [a.x, a.x + a.w]; })")
        self.assertAlmostEqual(areas[0][0], areas[1][0], delta=1)
        self.assertAlmostEqual(areas[0][1], areas[1][1], delta=1)
        # A chip that is dragged onto the chart of another.
        self.js("""const data = new DataTransfer(), fire = (e, type) => e.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
            fire(document.querySelector('.chip[data-name="heat"]'), "dragstart"); fire(document.querySelector(".panel .frame"), "dragover"); fire(document.querySelector(".panel .frame"), "drop");""")
        self.assertEqual(self.js(names), ["T,heat,Q"])
        self.js("mosim.moveTo('Q', 'new')")
        self.assertEqual(self.js(names), ["T,heat", "Q"])
        self.again()
        self.assertEqual(self.js(names), ["T,heat", "Q"])
        self.assertEqual(self.js("return mosim.charts[0].right"), [False, True])
        self.js("mosim.onRight('heat', false)")
        self.assertEqual(self.js("return mosim.charts[0].right"), [False, False])

    def test_a_logarithmic_axis(self):
        self.show(MODELS + "/BasicEquations/CoolingExample/NewtonCoolingWithDefaults.mo")
        name = self.js("return mosim.run.variables[mosim.charts[0].members[0]].name")
        first, last = self.js("const g = mosim.charts[0].graph, n = g.numRows() - 1; return [g.getValue(0, 1), g.getValue(n, 1)]")
        self.open_menu(0)
        self.one(".options input.log").click()
        self.until("return mosim.charts[0].logs[0]")
        place = lambda y: self.js("return mosim.charts[0].graph.toDomYCoord(arguments[0])", y)
        middle = (first * last) ** 0.5
        self.assertAlmostEqual(place(middle), (place(first) + place(last)) / 2, delta=0.5)
        g = "const g = mosim.charts[0].graph, r = Math.floor(g.numRows() / 3); return [g.getValue(r, 0), g.getValue(r, 1)]"
        self.assertTrue(self.drawn_at(0, *self.js(g)), name)
        self.again()
        self.assertTrue(self.js("return mosim.charts[0].logs[0]"))

    def test_a_phase_plot_with_logarithmic_axes(self):
        # y is x^2, a straight line; what is not above zero is nowhere, its events neither.
        model = self.write("Power.mo", "model Power\n  Real x(start=-0.5, fixed=true), y;\n  Integer n(start=0, fixed=true);\nequation\n  der(x) = 1;\n  y = x*x;\n  when x > -0.2 or x > 3 then\n    n = pre(n) + 1;\n  end when;\nend Power;\n")
        self.show(model, "--plot", "y,n", "--stop", "10")
        self.js("mosim.setPanel(mosim.charts[0].key, { x: 'x', log: true })")
        self.open_menu(0)
        self.one(".options input.logx").click()
        self.until("return mosim.charts[0].logX")
        places = self.js("return [0.1, 1, 9].map(x => mosim.placeOf(0, x, x*x))")
        for (x, y), (x2, y2) in zip(places, places[1:]):
            self.assertAlmostEqual((y2 - y) / (x2 - x), (places[1][1] - places[0][1]) / (places[1][0] - places[0][0]), delta=0.02)
        for x in (0.1, 1, 9):
            self.assertTrue(self.drawn_at(0, x, x * x), x)
        tick = self.js("const g = mosim.charts[0].graph, a = g.getArea(), t = g.layout_.xticks.find(t => t.label === '1'); return t && a.x + t.pos * a.w")
        self.assertAlmostEqual(tick, places[1][0], delta=1)
        self.assertEqual(self.js("return mosim.charts[0].marks.points"), 1)
        self.assertNotIn("NaN", self.js("return mosim.picture()"))
        self.again()
        self.assertTrue(self.js("return mosim.charts[0].logX && mosim.charts[0].logs[0]"))
        # Back to time, there is nothing logarithmic about it.
        self.js("mosim.setPanel(mosim.charts[0].key, { x: undefined })")
        self.assertFalse(self.js("return mosim.charts[0].logX"))

    def test_two_cursors(self):
        self.show(BALL, "--stop", "2")
        self.one("#cursors").click()
        self.assertAlmostEqual(self.js("return mosim.state().view.a"), 0.5)
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".handle")), 2)
        self.js("mosim.setCursor('a', 0); mosim.setCursor('b', 0.4)")
        h = self.js("return mosim.measures().find(m => m.name === 'h')")
        self.assertAlmostEqual(h["difference"], -9.81 / 2 * 0.16, places=6)
        self.assertAlmostEqual(h["high"], 1, places=9)
        self.assertAlmostEqual(h["low"], 1 - 9.81 / 2 * 0.16, places=6)
        self.assertAlmostEqual(h["mean"], 1 - 9.81 / 6 * 0.16, places=6)
        # Over an impact: v jumps, and its mean is what h has gained.
        top = IMPACT + 0.8 * 9.81 * IMPACT / 9.81
        self.js("mosim.setCursor('a', 0.1); mosim.setCursor('b', arguments[0])", top)
        v, h = self.js("return ['v', 'h'].map(n => mosim.measures().find(m => m.name === n))")
        self.assertAlmostEqual(v["mean"] * (top - 0.1), h["difference"], places=5)
        self.assertAlmostEqual(v["low"], -9.81 * IMPACT, places=5)
        self.assertAlmostEqual(v["high"], 0.8 * 9.81 * IMPACT, places=5)
        row = self.one('#measure tr[data-name="v"]').text
        self.assertIn(str(float("%.6g" % v["low"])), row)
        # By keys on the handle, and by a click in a chart.
        self.js("document.querySelector('.handle.a').focus()")
        self.press(Keys.ARROW_RIGHT)
        self.assertAlmostEqual(self.js("return mosim.state().view.a"), 0.11, places=4)
        x, y = self.js("const c = mosim.charts[0], b = c.frame.getBoundingClientRect(); return [b.left + c.graph.toDomXCoord(0.25), b.top + 30]")
        click = ActionChains(self.browser)
        click.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        click.w3c_actions.pointer_action.click()
        click.perform()
        self.until("return Math.abs(mosim.state().view.a - 0.25) < 0.01")
        self.again()
        self.assertAlmostEqual(self.js("return mosim.state().view.b"), top, places=9)
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".handle")), 2)
        self.one("#cursors").click()
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "#measure, .handle"), [])

    def test_curves_are_smooth_between_rows(self):
        model = self.write("Smooth.mo", "model Smooth\n  Real x(start=1, fixed=true), v(start=0, fixed=true);\n  Real y = x^3;\n  Real s = if time < 1.1 then 0 else 1;\nequation\n  der(x) = v;\n  der(v) = -9*x;\n"
                           "  annotation(experiment(StopTime=3));\nend Smooth;\n")
        self.show(model, "--interval", "0.25", "--plot", "x,y,s", "--tolerance", "1e-8")
        self.assertLess(self.js("return mosim.charts[0].graph.numRows()"), 20)
        for name in ("y", "s"):
            self.js("mosim.moveTo(arguments[0], 'new')", name)
        self.js("mosim.setWindow([0.9, 1.3])")
        chart = self.chart_of("x")
        for time in (0.95, 1.02, 1.18, 1.21, 1.27):
            self.assertTrue(self.drawn_at(chart, time, math.cos(3 * time)), time)
        # Half-way between the rows at 1 and 1.1, the chord is off by more than what counts as drawn.
        self.assertFalse(self.drawn_at(chart, 1.05, (math.cos(3) + math.cos(3.3)) / 2 + 0.03))
        # Never across an event, and never beyond the rows of what has no derivative.
        chart = self.chart_of("s")
        for time, value in ((1.05, 0), (1.099, 0), (1.102, 1), (1.2, 1)):
            self.assertTrue(self.drawn_at(chart, time, value), time)
        for time in (1.05, 1.2):
            self.assertFalse(self.drawn_at(chart, time, 0.5), time)
        summary = self.js("mosim.setWindow([0, 3]); mosim.setCursor('a', 0); mosim.setCursor('b', 3); return mosim.measures()")
        y = next(m for m in summary if m["name"] == "y")
        rows = self.js("const c = mosim.charts.find(c => c.members.some(k => mosim.run.variables[k].name === 'y')), g = c.graph; return [...Array(g.numRows()).keys()].map(r => g.getValue(r, 1))")
        self.assertAlmostEqual(y["low"], min(rows), places=12)
        self.assertAlmostEqual(y["high"], max(rows), places=12)
        x = next(m for m in summary if m["name"] == "x")
        self.assertAlmostEqual(x["low"], -1, places=3)    # between two rows
        self.assertGreater(min(rows), -0.999)

    def test_sliding_is_shown_as_sliding(self):
        self.show(CHATTER, "--plot", "T,heat")
        self.assertEqual(self.js("return mosim.charts.map(c => [c.marks.bands, c.marks.both])"), [[1, 0], [1, 1]])
        start = 0.5 * math.log(1.5)
        alpha = """const chart = mosim.charts[1], [x, y] = chart.graph.toDomCoords(arguments[0], 0.5);
            return chart.below.getContext("2d").getImageData(Math.round(x) + 3, Math.round(y) - 6, 1, 1).data[3]"""
        self.assertEqual(self.js(alpha, start - 0.05), 0)
        self.assertGreater(self.js(alpha, start + 0.4), 100)
        self.assertTrue(self.js("const [l, r] = mosim.charts[0].graph.xAxisRange(); return l <= 0 && r >= 1"))
        self.js("mosim.point(Math.floor(mosim.charts[0].graph.numRows() * 0.8))")
        self.assertIn("both", self.one('.chip[data-name="heat"] .value').text)
        self.assertNotIn("both", self.one('.chip[data-name="T"] .value').text)
        self.js("mosim.point(0)")
        self.assertIn("= false", self.one('.chip[data-name="heat"] .value').text)

    def test_events_are_numbered_in_the_charts(self):
        self.show(BALL)
        numbers = self.js("return mosim.charts[0].marks.numbers")
        self.assertEqual(numbers[:5], [1, 2, 3, 4, 5])
        self.assertLess(len(numbers), self.js("return mosim.run.log.events.length") / 2)
        times = self.js("return arguments[0].map(n => mosim.charts[0].graph.toDomXCoord(mosim.run.log.events.find(e => e.number === n).time))", numbers)
        for one, next_one in zip(times, times[1:]):
            self.assertGreater(next_one - one, 8)
        self.assertEqual(self.js("return mosim.charts.slice(1).map(c => c.marks.numbers.length)"), [0, 0])
        # Zooming in makes room.
        self.js("mosim.setWindow([3.5, 4.2])")
        closer = self.js("return mosim.charts[0].marks.numbers")
        self.assertIn(11, closer)
        self.assertIn(12, closer)
        # A click on a number selects the event.
        self.js("mosim.setWindow([0, 10])")
        strip = self.js("const b = document.querySelector('.numbers').getBoundingClientRect(); return [b.left, b.top + b.height / 2]")
        click = ActionChains(self.browser)
        click.w3c_actions.pointer_action.move_to_location(round(strip[0] + times[2]), round(strip[1]))
        click.w3c_actions.pointer_action.click()
        click.perform()
        self.until("return mosim.selected === 3")

    def test_the_number_of_what_is_rare_comes_first(self):
        self.show(MODELS + "/HybridSystems/NonsmoothBallComparison.mo")
        impacts = self.js("return mosim.run.log.events.filter(e => e.kind === 'state').map(e => e.number)")
        self.assertGreater(len(impacts), 5)
        numbers = self.js("return mosim.charts[0].marks.numbers")
        self.assertEqual(set(impacts) - set(numbers), set())
        self.assertGreater(len(numbers), 2 * len(impacts))
        self.assertEqual(self.js("return mosim.charts[0].marks.lines"), len(impacts))      # of the samples there is a crowd

    def test_a_picture_and_a_table_to_take_along(self):
        self.show(BALL)
        self.js("mosim.setPanel('Real m/s', { x: 'h' })")
        svg = ElementTree.fromstring(self.js("return mosim.picture()"))
        space = "{http://www.w3.org/2000/svg}"
        texts = [e.text for e in svg.iter(space + "text")]
        for text in ("DiscreteBehavior.BouncingBall.StableBouncingBall", "h [m]  Above the floor", "time [s]", "h [m]", "false", "true", "1", "2"):
            self.assertIn(text, texts)
        curves = [e for e in svg.iter(space + "path")]
        self.assertGreaterEqual(len(curves), 3)
        self.assertGreater(len(curves[0].get("d")), 2000)
        self.assertEqual(len({e.get("stroke") for e in curves}), 3)
        self.js("document.querySelector('.chip[data-name=\"v\"]').click()")
        table = list(csv.reader(io.StringIO(self.js("return mosim.csv()"))))
        self.assertEqual(table[0], ["time", "h", "done"])
        with open(os.path.join(self.folder.name, "r.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(file))
        column = rows[0].index("h")
        self.assertEqual(len(table), len(rows))
        for mine, theirs in zip(table[1:], rows[1:]):
            self.assertEqual(float(mine[0]), float(theirs[0]))
            self.assertAlmostEqual(float(mine[1]), float(theirs[column]), places=7)
        # The whole run, too.
        whole = list(csv.reader(io.StringIO(self.js("return mosim.csv(true)"))))
        self.assertEqual(sorted(whole[0]), sorted(rows[0]))
        for mine, theirs in zip(whole[1:], rows[1:]):
            for name, x in zip(whole[0], mine):
                self.assertAlmostEqual(float(x), float(theirs[rows[0].index(name)]), places=7)

    def test_a_handout(self):
        self.show(BALL)
        paper = os.path.join(self.folder.name, "handout.pdf")
        subprocess.run(["/usr/bin/chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + os.path.join(self.folder.name, "printing"), "--no-pdf-header-footer", "--virtual-time-budget=3000",
                        "--print-to-pdf=" + paper, "file://" + os.path.join(self.folder.name, "page.html")], check=True, timeout=60, capture_output=True)
        text = subprocess.run(["pdftotext", "-layout", paper, "-"], check=True, capture_output=True, text=True).stdout
        for part in ("DiscreteBehavior.BouncingBall.StableBouncingBall", "BouncingBall that comes to rest", "Above the floor", "0.4515236 s", "h < 0 becomes true", "more events like this", "done: false → true", "time [s]"):
            self.assertIn(part, text)
        # Each number in the curves has its caption.
        numbers = self.js("return mosim.charts[0].marks.numbers")
        self.assertGreater(len(numbers), 5)
        for number in numbers[:6]:
            time = self.js("return mosim.run.log.events[arguments[0]].time", number)
            self.assertRegex(text, rf"(?m)^\s*{number}\s+{float('%.7g' % time)} s\s+h < 0 becomes true")
        self.assertRegex(text, r"20\s+●\s+when \{h < 0, h < -eps\} then")
        for control in ("Variables:", "Whole run", "Cursors", "Export", "any cause"):
            self.assertNotIn(control, text)
        self.assertLessEqual(text.count("\f"), 3)
        # On the screen there is nothing of it, before and after.
        self.js("window.dispatchEvent(new Event('beforeprint'))")
        self.assertFalse(self.one("#handout").is_displayed())
        self.js("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, "#handout"), [])

    def test_everything_has_a_name_and_is_reached_by_keys(self):
        self.show(BALL)
        nameless = self.js("""return [...document.querySelectorAll("button, input, select, summary, [tabindex='0']")].filter(e => e.offsetParent !== null)
            .filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length))).map(e => e.outerHTML.slice(0, 90))""")
        self.assertEqual(nameless, [])
        self.js("document.body.focus()")
        reached = []
        for _ in range(40):
            self.press(Keys.TAB)
            at = self.js("const e = document.activeElement; return [e.id || e.className || e.tagName, getComputedStyle(e).outlineStyle]")
            if at[0] == "BODY":
                break
            reached.append(at)
        names = [name for name, _ in reached]
        for name in ("zoom-in", "cursors", "chip", "frame", "event-text", "event-relation", "row", "code"):
            self.assertIn(name, names)
        self.assertEqual(names.count("row"), 1)     # the arrows go on from there
        for name, outline in reached:
            self.assertNotEqual(outline, "none", name)
        self.assertEqual(self.js("return [document.getElementById('events').getAttribute('role'), ...new Set([...document.querySelectorAll('#events .block > *')].map(e => e.getAttribute('role')))]"), ["list", "listitem"])

    def test_a_narrow_screen(self):
        size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        try:
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            self.show(BALL)
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 390)
            self.assertGreater(self.js("return mosim.charts[0].graph.getArea().w"), 270)
            self.one("#zoom-in").click()
            low, high = self.js("return mosim.charts[0].graph.xAxisRange()")
            self.assertAlmostEqual(high - low, 5, places=3)
            # By two fingers, and one.
            self.one("#whole").click()
            self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
            y = self.js("const r = document.querySelector('.frame').getBoundingClientRect(); return r.top + r.height / 2")

            def touch(kind, *xs):
                self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y, "id": k} for k, x in enumerate(xs)]})
            touch("touchStart", 180, 220)
            for d in range(0, 60, 10):
                touch("touchMove", 180 - d, 220 + d)
            touch("touchEnd")
            self.until("return mosim.state().window !== null")
            low, high = self.js("return mosim.charts[2].graph.xAxisRange()")
            self.assertAlmostEqual((high - low) / 10, 40 / 140, delta=0.02)
            touch("touchStart", 250)
            for d in range(0, 60, 10):
                touch("touchMove", 250 - d)
            touch("touchEnd")
            self.until("return mosim.charts[2].graph.xAxisRange()[0] > arguments[0] + 0.3", low)
            self.assertAlmostEqual(self.js("const r = mosim.charts[2].graph.xAxisRange(); return r[1] - r[0]"), high - low, places=6)
        finally:
            self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**size, "width": 1280})

    def test_another_run_beside(self):
        self.show(BALL)
        # The same ball, half as high: its curves are beside, over time and over h.
        self.js("""const run = mosim.run, data = JSON.parse(document.getElementById("data").textContent), half = run.variables.filter(v => v.name === "h").map(v => v.column + 1);
            const other = { name: "half as high", run: JSON.parse(JSON.stringify(run)), data: data.map((c, k) => half.includes(k) ? c.map(x => x / 2) : c) };
            mosim.destroy();
            window.mosim = show(run, data, { pinned: [other] });""")
        for time in (0.1, 0.4):
            self.assertTrue(self.drawn_at(0, time, 1 - 9.81 / 2 * time ** 2))
        near = [self.drawn_at(0, time, (1 - 9.81 / 2 * time ** 2) / 2) for time in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)]
        self.assertGreater(sum(near), 4)      # dashed
        self.js("mosim.setPanel('Real m/s', { x: 'h' })")
        near = [self.drawn_at(1, h / 2, -(2 * 9.81 * (1 - h)) ** 0.5) for h in (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)]
        self.assertGreater(sum(near), 4)
        self.assertTrue(self.drawn_at(1, 0.5, -(9.81 ** 0.5)))
        texts = [e.text for e in ElementTree.fromstring(self.js("return mosim.picture()")).iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(texts.count("half as high"), 3)     # in each panel
        self.assertEqual([e.text for e in self.browser.find_elements(By.CSS_SELECTOR, ".pinned")], ["half as high"])
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#files button")), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
