"""The playground in a real browser: python3 playground.py FOLDER-OF-THE-SITE [chromium|firefox] [--command MOSIM] [--edits SECONDS] [--pictures FOLDER]

Figures that depend on the machine are printed, and bound nothing. With --command, pages of `mosim course` are tried too; --edits only edits at random for
that long, and tells what memory it takes; --pictures only makes pictures of the page to be looked at."""

import argparse
import functools
import http.server
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

arguments = argparse.ArgumentParser()
arguments.add_argument("folder")
arguments.add_argument("browser", nargs="?", default="chromium", choices=["chromium", "firefox"])
arguments.add_argument("--command")
arguments.add_argument("--edits", type=float)
arguments.add_argument("--pictures")
arguments.add_argument("-k", action="append")
given = arguments.parse_args()
FOLDER, BROWSER = given.folder, given.browser
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


class Firefox:
    """Debian has no driver for Firefox that selenium could use; its own protocol does, with the few calls that are needed here."""

    def __init__(self):
        from marionette_driver.marionette import Marionette

        # It removes a log that is there before it writes its own: no name of a device must be given to it.
        self.folder = tempfile.TemporaryDirectory()
        self.client = Marionette(bin="/usr/bin/firefox-esr", headless=True, app_args=["-headless"], port=0, gecko_log=os.path.join(self.folder.name, "gecko.log"))
        # A file's field that is focused has its button in focus, which the browser's own check takes for no focus.
        self.client.start_session({"strictFileInteractability": False})
        self.client.timeout.script = 30

    def get(self, address):
        self.client.navigate(address)

    def execute_script(self, script, *arguments):
        return self.client.execute_script(script, script_args=arguments, sandbox=None)

    def execute_async_script(self, script, *arguments):
        return self.client.execute_async_script(script, script_args=arguments, sandbox=None)

    def find_element(self, by, what):
        return self.client.find_element(by, what)

    def find_elements(self, by, what):
        return self.client.find_elements(by, what)

    def set_window_size(self, width, height):
        self.client.set_window_rect(width=width, height=height)

    def save_screenshot(self, path):
        with open(path, "wb") as file:
            file.write(self.client.screenshot(format="binary", full=False))

    def quit(self):
        self.client.quit(in_app=False)
        self.client.cleanup()
        self.folder.cleanup()


def browser():
    if BROWSER == "firefox":
        return Firefox()
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1500,950"):
        options.add_argument(argument)
    options.binary_location = "/usr/bin/chromium"
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Playground(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=FOLDER))
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_port}/index.html"
        cls.browser = browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.shutdown()

    def setUp(self):
        self.open(self.address)

    def tearDown(self):
        if BROWSER == "chromium":
            self.assertEqual([entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"], [])

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def until(self, script, *arguments, seconds=30):
        end = time.monotonic() + seconds
        while True:
            found = self.js(script, *arguments)
            if found:
                return found
            if time.monotonic() > end:
                self.fail(f"never: {script}; the state is {self.js('return document.getElementById(`state`).textContent')!r}")
            time.sleep(0.02)

    def open(self, address):
        self.browser.get("about:blank")
        began = time.monotonic()
        self.browser.get(address)
        self.until("return document.body.dataset.shown && document.body.dataset.running === 'false'")
        self.first = time.monotonic() - began

    def run_text(self, text, ends=True):
        before = self.js("return document.body.dataset.shown")
        self.js("playground.editor.text = arguments[0]; playground.runNow()", text)
        if ends:
            self.until("return document.body.dataset.running === 'false' && (document.body.dataset.shown !== arguments[0] || document.getElementById('state').classList.contains('bad'))", before)

    def values(self, name):
        return self.js("const v = playground.last.run.variables.find(x => x.name === arguments[0]); return v.column === undefined ? [v.value] : Array.from(playground.last.data[v.column + 1])", name)

    def state(self):
        return self.browser.find_element(By.ID, "state").text

    def test_first_run(self):
        print(f"first run after loading: {self.first:.2f} s; the run itself, from the key to the picture: {float(self.js('return document.body.dataset.took')):.0f} ms")
        self.assertIn("6 events", self.state())
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".event")), 7)
        self.assertEqual(self.js("return mosim.charts.map(c => c.members.map(k => mosim.run.variables[k].name).join())"), ["h", "v"])
        self.assertEqual(self.js("return [...document.querySelectorAll('.cm-hits .cm-gutterElement span')].map(e => e.textContent)"), ["6\u00d7", "6\u00d7"])

    def test_a_key_stroke_runs_the_model(self):
        # While a reader looks at the first picture the page goes through a run of its own, of which nothing is seen.
        shown, said = self.js("return document.body.dataset.shown"), self.state()
        self.until("return document.body.dataset.rehearsed === 'true'")
        self.assertEqual((self.js("return document.body.dataset.shown"), self.state()), (shown, said))
        self.assertEqual(self.js("return document.querySelectorAll('.event').length"), 7)
        self.js("playground.editor.goTo(9, 22)")
        content = self.browser.find_element(By.CSS_SELECTOR, ".cm-content")
        before = self.js("return document.body.dataset.shown")
        line = self.js("return playground.editor.view.state.doc.line(9).text")
        self.assertIn("e = 0.8", line)
        at = line.index("0.8") + 3
        self.js("playground.editor.goTo(9, arguments[0])", at + 1)
        content.send_keys(Keys.BACKSPACE + "5")
        self.until("return document.body.dataset.shown !== arguments[0] && document.body.dataset.running === 'false'", before)
        print(f"from the key to the picture, without the pause for typing: {float(self.js('return document.body.dataset.took')):.0f} ms")
        # The speed after the first impact is half of that before.
        v = self.values("v")
        self.assertAlmostEqual(max(v), 0.5 * (2 * 9.81) ** 0.5, places=4)

    def test_errors_have_their_place_and_remedy(self):
        self.run_text("model M\n  Real x = y2;\n  Real y1 = 1;\nend M;\n")
        self.assertIn("error", self.state())
        problem = self.browser.find_element(By.CSS_SELECTOR, ".problem.error")
        self.assertIn("line 2", problem.text)
        self.assertIn("y2", problem.text)
        self.until("return document.querySelectorAll('.cm-lintRange-error').length === 1")
        self.assertEqual(self.js("return document.querySelector('.cm-lintRange-error').textContent"), "y2")
        # And the page goes on.
        self.run_text("model M\n  Real y1 = 1;\nend M;\n")
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, ".problem"), [])

    def test_stop_keeps_what_is_there(self):
        self.run_text("model M Real x(start = 0, fixed = true); equation der(x) = cos(1000*time); annotation(experiment(StopTime = 1e4, Interval = 0.01)); end M;", ends=False)
        self.until("return document.getElementById('state').textContent.includes(' of ')")
        took = self.browser.execute_async_script("""const end = arguments[0], began = performance.now();
            new MutationObserver((_, it) => { if (document.body.dataset.running === 'false') { it.disconnect(); end(performance.now() - began); } }).observe(document.body, { attributes: true });
            document.getElementById('halt').click();""")
        print(f"Stop took {took:.0f} ms")
        self.assertIn("interrupted", self.state())
        self.assertGreater(len(self.values("x")), 10)

    def test_hostile_models_end_with_messages(self):
        for text in ("model M Real x[100000000] = fill(1, 100000000); end M;",
                     "model M function f input Integer n; output Integer y; algorithm y := f(n + 1); end f; parameter Integer n = f(1); end M;",
                     "model M extends M; end M;", "(" * 20000, "model M Real x = 1/0; end M;"):
            self.run_text(text)
            self.assertTrue(self.js("return document.getElementById('state').classList.contains('bad')"), text[:60])
            self.assertTrue(self.browser.find_elements(By.CSS_SELECTOR, ".problem") or self.state(), text[:60])
        self.run_text("model M Real x = time; end M;")
        self.assertEqual(self.values("x")[-1], 1)

    def test_a_slider_runs_again_without_compiling(self):
        before = self.js("return document.body.dataset.shown")
        self.js("const s = document.querySelector('#sliders input[data-name=e]'); s.value = 0.4; s.dispatchEvent(new Event('input'))")
        self.until("return document.body.dataset.shown !== arguments[0] && document.body.dataset.running === 'false'", before)
        self.assertAlmostEqual(max(self.values("v")), 0.4 * (2 * 9.81) ** 0.5, places=4)

    def test_pinned_curves_stay_beside_the_new_ones(self):
        self.browser.find_element(By.ID, "pin").click()
        self.test_a_slider_runs_again_without_compiling()
        self.assertEqual(self.js("return mosim.charts.map(c => c.graph.getLabels().length)"), [3, 3])
        pinned = self.js("const g = mosim.charts[0].graph; let most = -1; for (let r = 0; r < g.numRows(); ++r) if (g.getValue(r, 0) > 0.6 && g.getValue(r, 2) !== null) most = Math.max(most, g.getValue(r, 2)); return most")
        self.assertAlmostEqual(pinned, 0.64, places=3)   # e = 0.8: e^2 of the height
        # It is called by what is other in it.
        self.assertEqual(self.js("return [document.querySelector('#pins button').textContent, document.querySelector('.legend .pinned').textContent]"), ["e = 0.8 \u00d7", "e = 0.8"])
        self.browser.find_element(By.CSS_SELECTOR, "#pins button").click()
        self.assertEqual(self.js("return mosim.charts.map(c => c.graph.getLabels().length)"), [2, 2])

    def hover(self, line, column):
        """What is said of a place of the text that is pointed at."""
        self.js("""document.querySelectorAll('.cm-tooltip').forEach(e => e.remove());
            const view = playground.editor.view, at = view.state.doc.line(arguments[0]).from + arguments[1] - 1;
            const start = view.coordsAtPos(at), end = view.coordsAtPos(at + 1), where = { clientX: (start.left + end.left) / 2, clientY: (start.top + start.bottom) / 2, bubbles: true };
            view.contentDOM.dispatchEvent(new MouseEvent('mouseleave', where));
            view.contentDOM.dispatchEvent(new MouseEvent('mousemove', where));""", line, column)
        return self.until("return (document.querySelector('.cm-value') || {}).textContent").split("\n")

    def test_what_is_pointed_at_in_the_text(self):
        line = next(k for k, text in enumerate(self.js("return playground.editor.text").split("\n"), 1) if "when h < 0" in text)
        column = self.js("return playground.editor.view.state.doc.line(arguments[0]).text.indexOf('h < 0') + 1", line)
        crossings = "h < 0: crossed 6 times, at 0.4515, 1.174, 1.752, 2.214, 2.584, 2.88 s"
        value, relation = self.hover(line, column)
        self.assertRegex(value, r"^h = 0\.0\d+ m   at 3 s$")
        self.assertEqual(relation, crossings)
        self.assertEqual(self.hover(line, column + 2), [crossings])       # its sign
        self.assertEqual(self.hover(line, column - 3), ["6 events on this line"])
    def test_a_link_gives_the_same_picture(self):
        self.js("document.getElementById('until').value = 1.5; playground.settings.set('e', 0.6); playground.editor.text = playground.editor.text.replace('Above the floor', '\u00fcber dem Boden \U0001f600')")
        before = self.js("return document.body.dataset.shown")
        self.js("playground.runNow()")
        self.until("return document.body.dataset.shown !== arguments[0] && document.body.dataset.running === 'false'", before)
        # Another variable, one that is switched off, and a window.
        self.js("document.querySelector('#menu-list input[data-name=\"der(v)\"], #menu-list input[data-name=e]').click(); document.querySelector('.chip[data-name=v]').click()")
        self.js("mosim.charts[0].graph.updateOptions({ dateWindow: [0.25, 0.75] })")
        picture = """const plain = (_, x) => x instanceof Set ? [...x] : x instanceof Map ? [...x] : x;
            return [playground.last.data.map(c => Array.from(c)), playground.editor.text, JSON.stringify(mosim.state(), plain),
                    mosim.charts.map(c => [c.graph.getLabels(), c.graph.visibility(), c.graph.xAxisRange()]), document.getElementById('until').value]"""
        here = self.js(picture)
        link = self.browser.execute_async_script("playground.linkOf().then(arguments[0])")
        self.assertNotIn("model", link.split("#")[1])
        self.open(link)
        self.assertEqual(self.js(picture), here)
        self.assertAlmostEqual(self.js("return playground.last.run.reached"), 1.5)

    def test_a_link_has_the_pinned_runs(self):
        # One of another text, one with a slider; then what is shown.
        self.browser.find_element(By.ID, "pin").click()
        self.run_text(self.js("return playground.editor.text.replace('e = 0.8', 'e = 0.7')"))
        self.test_a_slider_runs_again_without_compiling()
        self.browser.find_element(By.ID, "pin").click()
        self.js("playground.settings.set('e', 0.6)")
        self.run_again()
        what = """const curves = r => r.data.map(c => Array.from(c)); return [playground.pinned.map(p => [p.name, p.text, curves(p)]), curves(playground.last), mosim.charts.map(c => c.graph.getLabels().length)]"""
        here = self.js(what)
        self.assertEqual(len(here[0]), 2)
        self.assertNotEqual(here[0][0][1], here[0][1][1])
        link = self.browser.execute_async_script("playground.linkOf().then(arguments[0])")
        self.open(link)
        self.until("return playground.pinned.length === 2 && document.body.dataset.running === 'false'")
        self.assertEqual(self.js(what), here)
        # A key stroke while they are run does not lose them.
        self.open(link)
        self.js("playground.editor.text += ' '; playground.runNow()")
        self.until("return playground.pinned.length === 2 && document.body.dataset.running === 'false'")
        self.assertEqual(self.js(what)[0], here[0])

    def test_what_belongs_to_another_text_is_told_apart(self):
        # Sliders follow the text, but for those that were moved; marks of errors go with them; curves of a text before the error are faint.
        sliders = "return Object.fromEntries([...document.querySelectorAll('#sliders input[type=number]')].map(e => [e.getAttribute('aria-label'), Number(e.value)]))"
        text = self.js("return playground.editor.text")
        before = self.js(sliders)
        self.js("playground.settings.set('e', 0.6)")
        self.run_text(text.replace("h0 = 1.0", "h0 = 3.0"))
        self.assertEqual(self.js(sliders), {**before, "h0 in m": 3})
        self.run_text(text + "x", ends=False)
        self.until("return document.body.classList.contains('stale') && document.querySelectorAll('.cm-lint-marker').length === 1")
        self.run_text(text)
        self.assertEqual(self.js("return [document.body.classList.contains('stale'), document.querySelectorAll('.cm-lint-marker').length]"), [False, 0])

    def slide(self, name, value):
        before = self.js("return document.body.dataset.shown")
        self.js("const s = [...document.querySelectorAll('#sliders input[data-name]')].find(e => e.dataset.name === arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('input'))", name, value)
        self.until("return document.body.dataset.shown !== arguments[0] && document.body.dataset.running === 'false'", before)

    def changed(self):
        return self.js("return [...document.querySelectorAll('#sliders .changed input[data-name]')].map(e => e.dataset.name)")

    def test_what_is_written_counts_more_than_a_slider(self):
        self.slide("e", 0.6)
        self.slide("h0", 1.5)
        self.slide("v", -1)   # its start value
        self.assertEqual(sorted(self.changed()), ["e", "h0", "v"])
        text = self.js("return playground.editor.text")
        self.run_text(text.replace("e = 0.8", "e = 0.5"))
        self.assertEqual(sorted(self.changed()), ["h0", "v"])
        self.assertEqual(self.values("e"), [0.5])
        self.assertEqual(self.values("v")[0], -1)
        self.run_text(self.js("return playground.editor.text") + "// e = 3, h0 is not meant\n")
        self.assertEqual(sorted(self.changed()), ["h0", "v"])
        # Each can be given back, and the others keep theirs.
        self.browser.find_element(By.CSS_SELECTOR, "#sliders input[data-name=h0] ~ .own").click()
        self.until("return document.body.dataset.running === 'false' && document.querySelectorAll('#sliders .changed').length === 1")
        self.assertEqual(self.values("h0"), [1])
        self.assertEqual(self.changed(), ["v"])
        # What is no number changes nothing; a number beyond the slider's end widens it.
        box = "const b = document.querySelector('#sliders input[data-name=h0]').nextSibling; b.value = arguments[0]; b.dispatchEvent(new Event('change')); return [b.value, b.previousSibling.value]"
        self.assertEqual(self.js(box, ""), ["1", "1"])
        self.assertEqual(self.js(box, "4.905")[0], "4.905")
        self.until("return document.body.dataset.running === 'false' && document.querySelectorAll('#sliders .changed').length === 2")
        self.assertEqual(self.values("h0"), [4.905])

    def test_a_link_out_of_the_course_leads_into_it(self):
        self.begin_course(2)
        self.js("playground.editor.text = playground.editor.text.replace('e = 0.8', 'e = 0.7')")
        self.run_again()
        link = self.browser.execute_async_script("playground.linkOf().then(arguments[0])")
        # One's own text is still there, also after the first change of what came with the link, which no longer is in the address then.
        self.js("playground.editor.text = playground.editor.text.replace('e = 0.7', 'e = 0.6')")
        self.open(link)
        self.shown_step(2)
        self.assertIn("e = 0.7", self.js("return playground.editor.text"))
        self.open(self.address + "#course=2")
        self.shown_step(2)
        self.assertIn("e = 0.6", self.js("return playground.editor.text"))
        self.open(link)
        self.shown_step(2)
        self.js("playground.editor.text = playground.editor.text.replace('e = 0.7', 'e = 0.3')")
        self.assertEqual(self.js("return location.hash"), "#course=2")
        self.open(self.address + "#course=2")
        self.shown_step(2)
        self.assertIn("e = 0.3", self.js("return playground.editor.text"))
        self.button("Your text of before")
        self.until("return playground.editor.text.includes('e = 0.6')")
        self.js("localStorage.clear()")
        self.open(link)
        self.shown_step(2)
        self.assertIn("e = 0.7", self.js("return playground.editor.text"))
        # Out of any course, the course can be begun.
        self.open(self.address)
        self.run_text("model Own Real x = time; end Own;")
        link = self.browser.execute_async_script("playground.linkOf().then(arguments[0])")
        self.js("localStorage.clear()")
        self.open(link)
        self.assertEqual(self.js("return [document.getElementById('learn').hidden, document.getElementById('learn').textContent, document.querySelector('#examples').selectedOptions[0].textContent]"), [False, "Start the course", "a text from a link"])

    def test_a_damaged_link_says_so(self):
        self.run_text("model Own Real x = time; end Own;")
        link = self.browser.execute_async_script("playground.linkOf().then(arguments[0])")
        for damaged in (link[:-20], self.address + "#example=No/Such", self.address + "#nonsense", self.address + "#m=q1YqSa0oUbJSqgUA"):
            self.open(damaged)
            self.assertIn("was it cut off?", self.browser.find_element(By.CSS_SELECTOR, ".problem.warning").text, damaged)
        self.js("const s = document.getElementById('examples'); s.value = '1'; s.dispatchEvent(new Event('change'))")
        self.until("return !document.querySelector('.problem.warning')")

    def test_what_was_read_in_vain_is_one_error(self):
        self.run_text("model M\n  Real x = 1\n  Real y = 2;\nend M;\n")
        self.assertEqual(self.state(), "1 error")
        # A key that leads to the place is not for the text.
        before = self.js("return playground.editor.text")
        self.browser.find_element(By.CSS_SELECTOR, ".problem").send_keys(Keys.ENTER)
        self.assertTrue(self.js("return playground.editor.view.hasFocus"))
        # Escape, then Tab leaves it, whatever is selected.
        content = self.browser.find_element(By.CSS_SELECTOR, ".cm-content")
        self.js("playground.editor.view.dispatch({ selection: { anchor: 2, head: 7 } })")
        content.send_keys(Keys.ESCAPE)
        content.send_keys(Keys.TAB)
        self.assertFalse(self.js("return playground.editor.view.hasFocus"))
        self.assertEqual(self.js("return playground.editor.text"), before)

    def test_places_count_characters(self):
        self.run_text("model B Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.8G; end B;")
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".problem")), 1)
        for strange in ("Gr\u00f6\u00dfe \u00e4\u00f6\u00fc", "\U0001f600\U0001f600", "\u2264\u2265"):
            self.run_text(f'model Z "{strange}" Real y; equation y = zz; end Z;')
            self.until("return document.querySelectorAll('.cm-lintRange-error').length === 1")
            self.assertEqual(self.js("return document.querySelector('.cm-lintRange-error').textContent"), "zz", strange)

    def test_a_run_without_rows(self):
        self.run_text('model Q Real x[3]; Integer i = 4; equation x = {1, 2, 3}; assert(x[i] > 0, ""); end Q;')
        self.assertIn("no row", self.js("return document.getElementById('panels').textContent"))
        self.run_text("model M Real x = time; end M;")
        self.assertEqual(self.js("return mosim.charts.length"), 1)

    def test_rows_that_are_too_far_apart(self):
        self.run_text("model M Real x(start = 0, fixed = true); equation der(x) = 1000*cos(1000*time); annotation(experiment(StopTime = 100)); end M;")
        self.js("mosim.setCursor('a', 10); mosim.setCursor('b', 90)")
        low, high = self.js("const m = mosim.measures().find(m => m.name === 'x'); return [m.low, m.high]")
        self.assertLess(high, 1.0001)
        self.assertGreater(low, -1.0001)
        self.assertIn("x moves faster than the rows can show", self.js("return document.getElementById('notes').textContent"))
        self.run_text("model M Real x(start = 0, fixed = true); equation der(x) = 10*cos(10*time); annotation(experiment(StopTime = 10)); end M;")
        self.assertTrue(self.js("return document.getElementById('notes').hidden"))

    def test_a_package_shows_its_first_model(self):
        self.run_text("package P model A Real x = time; end A; model B Real y = 2*time; end B; end P;")
        self.assertEqual(self.values("x")[-1], 1)
        self.assertIn("P is no model: this is P.A", self.browser.find_element(By.CSS_SELECTOR, ".problem.note").text)

    def test_files_are_opened_by_choice(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = {name: os.path.join(folder, name) for name in ("Two.mo", "Ramp.mo", "notes.txt")}
            for name, text in (("Two.mo", "package Two constant Real two = 2; end Two;"), ("Ramp.mo", "model Ramp Real y = Two.two*time; end Ramp;"), ("notes.txt", "")):
                with open(paths[name], "w") as file:
                    file.write(text)
            summary = self.browser.find_element(By.CSS_SELECTOR, "#save summary")
            summary.click()
            summary.send_keys(Keys.TAB)
            self.assertEqual(self.js("return document.activeElement.id"), "open-file")
            choose = self.browser.find_element(By.ID, "open-file")
            choose.send_keys(paths["Two.mo"] + "\n" + paths["Ramp.mo"])     # the last one is the text
            self.until("return document.body.dataset.running === 'false' && playground.last.run.model === 'Ramp'")
            self.assertEqual(self.values("y")[-1], 2)
            self.assertEqual(self.js("return document.querySelector('#examples').selectedOptions[0].textContent"), "a text of your own")
            choose.send_keys(paths["notes.txt"])
            self.until("return document.getElementById('state').textContent.includes('no Modelica')")

    def test_what_is_said_of_a_run(self):
        self.run_text('model M Real x(start = 0, fixed = true); equation der(x) = 1; assert(x < 0.5, "large", AssertionLevel.warning); end M;')
        self.assertIn("at 0.5 s: ", self.browser.find_element(By.CSS_SELECTOR, ".problem.warning").text)
        # Everything that tells how many events there were tells the same, also of those that a spell of chattering only counts.
        self.open(self.address + "#example=DiscreteBehavior/Hysteresis/ChatteringControl")
        count = self.js("return /events +(\\d+):/.exec(document.getElementById('report').textContent)[1]")
        self.assertIn(f"{count} events", self.state())
        self.assertIn(f"{count} state", self.js("return document.getElementById('event-count').textContent"))
        self.assertLess(self.js("return playground.last.run.log.events.length"), int(count))
        # Nothing moves when another thing is said.
        self.open(self.address)
        top = "return document.querySelector('main').getBoundingClientRect().top"
        before = self.js(top)
        self.js("document.getElementById('state').textContent = 'x'.repeat(500)")
        self.assertEqual(self.js(top), before)

    def test_settings_that_are_no_numbers(self):
        self.js("const e = document.getElementById('hysteresis'); e.value = -1; e.dispatchEvent(new Event('change'))")
        self.assertIn("hysteresis must be a number that is not negative", self.state())
        self.js("playground.runNow()")
        self.until("return document.body.dataset.running === 'false' && document.getElementById('state').textContent.includes('6 events')")

    def test_a_scale_has_two_numbers(self):
        self.js("document.getElementById('panels').style.maxHeight = '190px'")
        text = self.js("return playground.editor.text")
        for height in (0.5, 0.8, 1, 1.4, 2, 3):      # the lower the panel, the fewer numbers it has room for
            self.run_text(text.replace("h0 = 1.0", f"h0 = {height}"))
            labels = self.js("return mosim.charts.map(c => [...c.frame.querySelectorAll('.dygraph-axis-label-y')].map(e => e.textContent))")
            for of_chart in labels:
                self.assertGreater(len(of_chart), 1, (height, labels))

    def test_what_is_heard(self):
        # Where messages come has to be there before they come, and it is not told of every step of a run.
        self.assertTrue(self.js("return document.getElementById('problems').offsetParent !== null && !document.getElementById('problems').textContent"))
        self.assertEqual(self.js("return [...document.querySelectorAll('h1, h2')].map(e => e.textContent)")[:2], ["mosim", "Model"])
        self.assertEqual(self.js("const s = document.querySelector('#sliders input[data-name=h0]'); return [s.getAttribute('aria-label'), s.getAttribute('aria-valuetext'), s.getAttribute('aria-description')]"), ["h0", "1 m", "Height that it falls from"])
        self.assertRegex(self.js("return document.querySelectorAll('.event .row')[1].textContent"), r"h < 0 becomes true v -4\.429\d* \u2192 3\.543\d*$")
        self.js("""window.heard = 0; new MutationObserver(() => ++window.heard).observe(document.getElementById('announced'), { childList: true, characterData: true, subtree: true })""")
        self.run_text("model M Real x(start = 0, fixed = true); equation der(x) = cos(1000*time); annotation(experiment(StopTime = 300, Interval = 0.1)); end M;")
        self.assertLess(self.js("return window.heard"), 5)
        # Where one is when what was pressed is gone.
        self.browser.find_element(By.ID, "learn").click()
        self.until("return !document.getElementById('lesson').hidden && document.activeElement.tagName === 'H3'")
        self.button("Close")
        self.assertEqual(self.js("return document.activeElement.id"), "learn")

    def test_keys_go_through_the_examples_without_opening_them(self):
        select, text = self.browser.find_element(By.ID, "examples"), self.js("return playground.editor.text")
        self.js("document.getElementById('examples').focus()")
        select.send_keys(Keys.ARROW_DOWN)
        select.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.js("return playground.editor.text"), text)
        chosen = self.js("return document.getElementById('examples').value")
        select.send_keys(Keys.ENTER)
        self.until("return playground.editor.text !== arguments[0]", text)
        self.assertEqual(self.js("return document.getElementById('examples').value"), chosen)

    def test_the_course_is_a_click_away(self):
        self.browser.find_element(By.ID, "learn").click()
        self.until("return !document.getElementById('lesson').hidden && document.getElementById('learn').hidden")

    def test_events_by_keyboard(self):
        events = self.browser.find_element(By.ID, "events")
        events.send_keys(Keys.ARROW_DOWN)
        events.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.js("return mosim.selected"), 1)
        self.assertEqual(self.js("return [...document.querySelectorAll('.cm-lit')].map(e => e.textContent.trim())"), ["when h < 0 then", "reinit(v, -e*pre(v));"])
        self.assertIn("reinitialized", self.browser.find_element(By.CSS_SELECTOR, ".event.selected").text)

    def test_every_example_runs(self):
        options = self.js("return [...document.querySelectorAll('#examples option')].map(o => o.value).filter(v => v)")
        self.assertGreater(len(options), 40)
        for value in options:
            before = self.js("return document.body.dataset.shown")
            self.js("const s = document.getElementById('examples'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", value)
            self.until("return document.body.dataset.running === 'false' && (document.body.dataset.shown !== arguments[0] || document.querySelector('.problem.error'))", before)
            name = self.js("const s = document.getElementById('examples'); return s.options[s.selectedIndex].textContent")
            # Some of them fail on purpose, and say why.
            if self.js("return document.getElementById('state').classList.contains('bad')"):
                self.assertTrue(self.browser.find_elements(By.CSS_SELECTOR, ".problem.error"), name)

    # ---- courses

    def shown_step(self, number, seconds=30):
        self.until("return playground.course.at === arguments[0] && playground.editor.text && document.body.dataset.running === 'false' && !!document.querySelector('#lesson h3')", number, seconds=seconds)

    def signs(self):
        return self.js("return [...document.querySelectorAll('.question li')].map(e => e.className)")

    def verdict(self):
        return self.js("return (document.querySelector('.verdict') || {}).textContent")

    def run_again(self):
        before = self.js("return document.body.dataset.shown")
        self.js("document.getElementById('run').click()")
        self.until("return document.body.dataset.shown !== arguments[0] && document.body.dataset.running === 'false'", before)

    def button(self, text, within="#lesson"):
        self.js("[...document.querySelectorAll(arguments[0] + ' button')].find(b => b.textContent === arguments[1]).click()", within, text)

    def begin_course(self, step=1):
        self.js("localStorage.clear()")
        self.open(f"{self.address}#course={step}")
        self.shown_step(step)

    def test_the_course(self):
        self.js("localStorage.clear()")
        self.open(self.address + "#course")
        self.shown_step(1)
        self.until("return document.querySelectorAll('.question li.holds').length === 3")
        self.assertIn("Cooling", self.js("return playground.editor.text"))
        self.assertEqual(self.signs(), ["holds", "fails", "holds", "holds"])
        self.assertIn("at(T_inf, 0.4) is 298.15", self.js("return document.querySelectorAll('.question .found')[1].textContent"))
        self.assertEqual(self.verdict(), "3 of 4 hold.")
        self.assertEqual(self.js("return mosim.charts.flatMap(c => c.members.map(k => mosim.run.variables[k].name)).join()"), "T,T_inf")
        # A hint, and an answer that is one's own.
        self.assertEqual(self.js("return document.querySelectorAll('.hint').length"), 0)
        self.button("Hint")
        self.assertIn("two places", self.js("return document.querySelector('.hint').textContent"))
        self.js("playground.editor.text = playground.editor.text.replaceAll('0.5', '0.3')")
        self.until("return document.querySelector('.verdict.good')")
        self.assertEqual(self.verdict(), "Right. 1 of 10 questions are answered.")
        self.assertEqual(self.js("return document.querySelector('#lesson nav button').getAttribute('aria-label')"), "Step 1: An event that is known in advance, answered")
        # The next step, and back: the reader's text is still there, but nothing of it can be undone into another step.
        self.button("Next")
        self.shown_step(2)
        self.assertIn("BouncingBall", self.js("return playground.editor.text"))
        self.assertIn("#course=2", self.js("return location.hash"))
        self.assertEqual(self.js("return document.activeElement.textContent"), self.js("return document.querySelector('#lesson h3').textContent"))
        self.button("Back")
        self.shown_step(1)
        self.assertIn("time <= 0.3", self.js("return playground.editor.text"))
        self.button("Again")
        self.until("return document.querySelectorAll('.question li.fails').length === 1")
        self.assertIn("time <= 0.5", self.js("return playground.editor.text"))
        self.js("playground.editor.text = playground.editor.text.replace('equation', 'equation 1 +')")
        self.until("return document.querySelector('.verdict').textContent === 'Not looked at: this text cannot be run.'")
        self.assertEqual(self.signs(), ["open"] * 4)
        self.button("Again")
        self.until("return document.querySelectorAll('.question li.fails').length === 1")
        # A page that is opened later goes on where this one was.
        self.js("playground.course.go(5)")
        self.shown_step(6)
        self.open(self.address + "#course")
        self.shown_step(6)
        self.assertTrue(self.js("return document.querySelector('#lesson nav button').classList.contains('done')"))
        self.open(self.address + "#course=3")
        self.shown_step(3)

    def test_the_course_can_be_answered_to_its_end(self):
        self.begin_course()
        for step in range(1, 11):
            self.button("Solution")
            self.button("Put it into the editor")
            self.until("return document.querySelector('.verdict.good')")
            if step < 10:
                self.button("Next")
                self.shown_step(step + 1)
        self.assertEqual(self.verdict(), "Right. That was the last one: all 10 questions are answered.")
        self.assertTrue(self.js("return [...document.querySelectorAll('#lesson .lesson-foot button')].pop().disabled"))

    def test_sliders_are_no_answer(self):
        self.begin_course(2)
        self.until("return document.querySelector('#sliders input[data-name=h0]')")
        self.js("const b = document.querySelector('#sliders input[data-name=h0]').nextSibling; b.value = 4.905; b.dispatchEvent(new Event('change'))")
        self.until("return document.querySelectorAll('.question li.holds').length === document.querySelectorAll('.question li').length")
        self.assertIn("Now write these values into the text", self.verdict())
        self.assertFalse(self.js("return document.querySelectorAll('#lesson nav button')[1].classList.contains('done')"))

    def test_a_text_with_errors_leaves_the_question_open(self):
        self.begin_course(2)
        self.run_text("model M\n  Real x = y;\nend M;\n")
        self.until("return document.querySelectorAll('.question li.open').length === document.querySelectorAll('.question li').length")
        self.button("Again")
        self.until("return document.querySelectorAll('.question li.open').length === 0")
        # Out of the course again.
        self.button("Close")
        self.assertTrue(self.js("return document.getElementById('lesson').hidden"))
        self.assertEqual(self.js("return location.hash"), "")

    def course_of(self, check, model="model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;"):
        """A course of one step, in the page that is there."""
        self.js("""localStorage.clear(); playground.openCourse({ file: "own.md", text: arguments[0] }, 1)""", f"# Own\n\n## One\nText.\n\n```modelica editor stop=2 plot=x\n{model}\n```\n\n```check\n{check}\n```\n")
        self.shown_step(1)
        self.until("return playground.course.title === 'Own' && document.querySelectorAll('.question li:not(.open)').length === document.querySelectorAll('.question li').length")

    def test_conditions_without_words_are_told_in_words(self):
        self.course_of("count(x < 0.5) == 2\nabs(last(x)) < 0.2  // next to nothing is left\nmin({x}) > 0")
        heard = self.js("""return [...document.querySelectorAll('.question li')].map(li => {
            const copy = li.cloneNode(true);
            copy.querySelectorAll('[aria-hidden=true]').forEach(e => e.remove());
            return copy.querySelector('.words').textContent.trim() + ' | ' + copy.querySelector('.found').textContent;
        })""")
        self.assertEqual(heard[0], "the number of times that x becomes less than 0.5 is 2 | (the number of times that x becomes less than 0.5 is 1)")
        self.assertRegex(heard[1], r"^next to nothing is left \| \(the last value of x is 0\.135\d*\)$")
        self.assertTrue(heard[2].startswith("min({x}) > 0 |"), heard[2])   # no such condition: as it was written
        # For the eyes the condition stands there too.
        self.assertEqual(self.js("return document.querySelector('.question li code').textContent"), "count(x < 0.5) == 2")

    def test_a_run_that_ends_before_its_time_is_no_answer(self):
        self.course_of("min(x) > 0", "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;")
        self.until("return document.querySelector('.verdict.good')")
        self.js("playground.editor.text = 'model M Real x(start = 1, fixed = true); equation der(x) = -x; assert(time < 1, \"too late\"); end M;'")
        self.until("return document.querySelector('.verdict').textContent.startsWith('Not answered: this run failed')")
        self.assertEqual(self.signs(), ["holds"])      # what holds up to there is told
        self.assertFalse(self.js("return document.querySelector('.verdict').classList.contains('good')"))
        self.js("playground.editor.text = 'model M Real x(start = 1, fixed = true); equation der(x) = cos(1000*time); annotation(experiment(Interval = 1e-3)); end M;'; document.getElementById('until').value = 1e4; playground.runNow()")
        self.until("return document.getElementById('state').textContent.includes(' of ')")
        self.browser.find_element(By.ID, "halt").click()
        self.until("return document.querySelector('.verdict').textContent.startsWith('Not answered: this run was stopped')")

    def test_an_end_that_the_model_wants_is_no_warning(self):
        self.run_text('model M Real x(start = 0, fixed = true); equation der(x) = 1; when x > 0.5 then terminate("half is enough"); end when; end M;')
        self.assertEqual(self.js("return [...document.querySelectorAll('.problem')].map(e => e.className)"), ["problem note"])
        self.assertIn("The model ended the run at 0.5 s: half is enough", self.js("return document.querySelector('.problem').textContent"))
        self.assertTrue(self.state().startswith("ended \u00b7 0.5 s"), self.state())
        self.until("return document.querySelectorAll('.cm-lintRange-info').length === 1")
        self.assertEqual(self.browser.find_elements(By.CSS_SELECTOR, ".cm-lintRange-warning"), [])
        # A warning is one.
        self.run_text('model M Real x(start = 0, fixed = true); equation der(x) = 1; assert(x < 0.5, "large", AssertionLevel.warning); end M;')
        self.assertEqual(self.js("return [...document.querySelectorAll('.problem')].map(e => e.className)"), ["problem warning"])

    @unittest.skipUnless(given.command, "without the command")
    def test_a_course_of_a_teacher(self):
        lesson = """# Decay & <growth>

Read [this](javascript:alert(1)) <img src=x onerror="window.hurt = 1"> and ![that](javascript:alert(2)).

## One
Text with **bold**, `code` and a list:

- a </script><script>window.hurt = 2</script>
- b

| a | b |
|---|---|
| 1 | 2 |

```modelica editor stop=2 tolerance=1e-7 plot=x
model Decay
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Decay;
```

```check
last(x) < 0.1    // less than a tenth is left
last(time) == 2
```

```hint
Make `k` larger.
```

## Two
Nothing is asked here, and the text of before stays.
"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lesson.md")
            with open(path, "w") as file:
                file.write(lesson)
            out = os.path.join(folder, "lesson.html")
            subprocess.run([given.command, "course", path, "-o", out, "--playground", os.path.join(FOLDER, "mosim.html")], check=True, stdout=subprocess.DEVNULL)
            self.open("file://" + out)
            self.shown_step(1)
            self.assertEqual(self.js("return document.querySelector('#lesson h2').textContent"), "Decay & <growth>")
            self.until("return document.querySelectorAll('.question li.holds').length === 1")
            self.assertEqual(self.js("return [document.getElementById('until').value, Number(document.getElementById('tolerance').value)]"), ["2", 1e-7])
            self.assertEqual(self.js("return document.querySelectorAll('#lesson td').length"), 2)
            self.assertIn("</script>", self.js("return document.querySelector('#lesson .lesson-body ul').textContent"))
            self.js("playground.editor.text = playground.editor.text.replace('k = 1', 'k = 2')")
            self.until("return document.querySelector('.verdict.good')")
            self.button("Next")
            self.shown_step(2)
            self.assertIn("k = 2", self.js("return playground.editor.text"))
            self.assertIsNone(self.js("return window.hurt === undefined ? null : window.hurt"))
            self.assertEqual(self.js("return [...document.querySelectorAll('#lesson a, #lesson img')].length"), 0)

    # ---- examples, the standard library

    def test_examples_say_what_they_are_about(self):
        self.open(self.address + "#example=DiscreteBehavior/BouncingBall/BouncingBall")
        self.assertFalse(self.js("return document.getElementById('about').hidden"))
        about = self.js("return document.getElementById('about-body').textContent")
        for word in ("Impacts", "Zeno", "left limit"):
            self.assertIn(word, about)
        self.assertEqual(self.js("const s = document.getElementById('examples'); return s.options[s.selectedIndex].textContent"), "BouncingBall")
        # The model's own words, also where it stands in no chapter; and none of them has only its first line.
        self.browser.execute_script("location.hash = '#example=DiscreteBehavior/SpeedMeasurement/SampleAndHold'")
        self.until("return document.getElementById('about-body').textContent.includes('Eight times a second the controller reads omega1, and keeps')")
        mute = self.js("""return mosimFiles.examples.filter(e => e.model && !e.remark && !e.sections.length && !e.text.includes("Documentation(info=")).map(e => e.name)""")
        self.assertEqual(mute, [])

    def test_the_standard_library(self):
        there = os.path.exists(os.path.join(FOLDER, "library.bin"))
        self.run_text("model M extends Modelica.Blocks.Examples.PID_Controller; annotation(experiment(StopTime = 4)); end M;")
        if not there:
            problem = self.browser.find_element(By.CSS_SELECTOR, ".problem.error").text
            self.assertIn("Blocks", problem)
            self.assertIn("web/library.sh", problem)
            return
        self.assertAlmostEqual(self.js("return playground.last.run.reached"), 4)
        self.js("const s = document.getElementById('examples'); s.value = 'library 1'; s.dispatchEvent(new Event('change'))")
        self.until("return playground.last.run.model === 'DoublePendulum' && document.body.dataset.running === 'false'")
        self.assertAlmostEqual(self.js("return playground.last.run.reached"), 3)
        # What needs it not goes on without it.
        self.run_text("model M Modelica.Units.SI.Time t = time; end M;")
        self.assertEqual(self.values("t")[-1], 1)

    # ---- whoever and wherever one is

    def phone(self):
        if BROWSER == "chromium":
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": True})
        else:
            self.browser.set_window_size(450, 800)   # it takes no less

    def desk(self):
        if BROWSER == "chromium":
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        else:
            self.browser.set_window_size(1500, 950)

    def test_on_a_phone(self):
        self.phone()
        try:
            for fragment in ("", "#course=3"):
                self.open(self.address + fragment)
                if fragment:
                    self.shown_step(3)
                # Nothing sticks out, and what is to be touched is large enough.
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth - innerWidth"), 0)
                small = self.js("return [...document.querySelectorAll('header button, header select, #tools button, #lesson button')].filter(e => e.offsetParent && e.getBoundingClientRect().height < 30).map(e => e.id || e.textContent)")
                self.assertEqual(small, [])
                self.assertGreater(self.js("return mosim.charts[0].graph.width_"), 300)
            self.assertEqual(self.js("return getComputedStyle(document.getElementById('settings')).display"), "none")
            self.js("document.getElementById('more').click()")
            self.assertNotEqual(self.js("return getComputedStyle(document.getElementById('settings')).display"), "none")
        finally:
            self.desk()

    def test_everything_has_a_name(self):
        self.begin_course()
        nameless = self.js("""return [...document.querySelectorAll('button, input, select, textarea, summary, [role=listbox], [role=tab], [tabindex]')].filter(e => {
            if (!e.offsetParent && e.tagName !== 'BODY') return false;
            const label = e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || (e.closest('label') || {}).textContent || e.textContent || e.title || e.placeholder;
            return !label.trim();
        }).map(e => e.outerHTML.slice(0, 100))""")
        self.assertEqual(nameless, [])
        twice = self.js("const all = [...document.querySelectorAll('[id]')].map(e => e.id); return all.filter((x, k) => all.indexOf(x) !== k)")
        self.assertEqual(twice, [])
        self.assertEqual(self.js("return document.querySelectorAll('h1').length"), 1)

    def test_by_keyboard_alone(self):
        body = self.browser.find_element(By.TAG_NAME, "body")
        self.js("document.activeElement.blur(); window.getSelection().removeAllRanges(); document.getElementById('examples').focus()")
        active = lambda: self.browser.find_element(By.CSS_SELECTOR, ":focus") if self.js("return document.activeElement !== document.body") else body
        seen = []
        for _ in range(60):
            name = self.js("const e = document.activeElement; return e.id || e.className || e.tagName")
            seen.append(name)
            if name == "row":      # of the list of events
                break
            if "cm-content" in name:
                active().send_keys(Keys.ESCAPE)
            active().send_keys(Keys.TAB)
        for wanted in ("run", "until", "tolerance", "hysteresis", "pin", "link", "tab-events", "row"):
            self.assertIn(wanted, seen)
        self.assertTrue(any("cm-content" in name for name in seen), seen)
        # The report is the other tab.
        self.js("document.getElementById('tab-events').focus()")
        active().send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.js("return [document.activeElement.id, document.getElementById('report').hidden]"), ["tab-report", False])

    def test_from_part_to_part(self):
        def press(keys):
            self.browser.find_element(By.CSS_SELECTOR, ":focus").send_keys(keys)
            return self.js("const s = document.activeElement.closest('section'); return s ? s.id : ''")
        self.js("document.getElementById('run').focus()")
        where = lambda keys: press(keys) or self.js("return document.activeElement.id")
        self.assertEqual([where(Keys.F6) for _ in range(5)], ["model-pane", "plots", "log", "examples", "model-pane"])
        told = self.js("return [...document.querySelectorAll('#keys dt')].map(e => e.textContent)")
        self.assertIn("F6", told)     # of the page, and those of every chart
        self.assertIn("n, p", told)
        self.assertEqual([where(Keys.SHIFT + Keys.F6) for _ in range(3)], ["examples", "log", "plots"])
        press(Keys.F6)
        self.assertEqual(self.js("return document.activeElement.closest('.event').dataset.number"), "0")   # an event, not their list
        press(Keys.ARROW_DOWN)
        self.assertEqual(self.js("return mosim.selected"), 1)
        self.browser.find_element(By.ID, "learn").click()
        self.until("return !document.getElementById('lesson').hidden")
        self.js("document.getElementById('run').focus()")
        self.assertEqual([press(Keys.F6) for _ in range(2)], ["lesson", "model-pane"])

    @unittest.skipUnless(BROWSER == "chromium", "only its protocol drops files")
    def test_folders_and_files_that_are_dropped(self):
        def drop(path):
            for kind in ("dragEnter", "dragOver", "drop"):
                self.browser.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": 400, "y": 400, "data": {"items": [], "files": [path], "dragOperationsMask": 1}})

        with tempfile.TemporaryDirectory() as folder:
            own = os.path.join(folder, "Own 1.2")     # with its version
            os.mkdir(own)
            for name, text in (("package.mo", "package Own constant Real two = 2; end Own;"), ("Ramp.mo", "within Own; model Ramp Real y = two*time; end Ramp;"), ("notes.txt", "")):
                with open(os.path.join(own, name), "w") as file:
                    file.write(text)
            drop(own)
            self.until("return document.getElementById('tip').textContent.endsWith('Own 1.2, 2 files, can be used.')")
            self.run_text("model M extends Own.Ramp; end M;")
            self.assertEqual(self.values("y")[-1], 2)
            drop(os.path.join(own, "Ramp.mo"))
            self.until("return playground.editor.text.startsWith('within Own;') && playground.last.run.model === 'Own.Ramp'")

    def test_what_a_model_prints_is_in_its_report(self):
        text = 'model M impure function say input String s; external "C" ModelicaInternal_print(s, ""); end say; Real x = time; algorithm when sample(0, 0.5) then say("x is " + String(x)); end when; end M;'
        for _ in range(2):     # not that of the run before
            self.run_text(text)
            self.assertEqual(self.js("return document.getElementById('report').textContent").split("\n")[:5], ["x is 0", "x is 0.5", "x is 1", "", "M"])
            text += " "

    def test_counts_are_true_when_the_log_was_cut(self):
        self.run_text("model M\n  discrete Integer n(start = 0, fixed = true);\nequation\n  when sample(0, 1e-4) then\n    n = pre(n) + 1;\n  end when;\n  annotation(experiment(StopTime = 3));\nend M;\n")
        listed = self.js("return playground.last.run.log.events.length")
        self.assertLess(listed, 30000)
        self.assertIn("30,001 events", self.state())
        self.assertEqual(self.js("return [...new Set([...document.querySelectorAll('.cm-hits span')].map(e => e.textContent.slice(-2)))]"), ["+\u00d7"])

    def test_the_saved_page_is_whole(self):
        html = self.browser.execute_async_script("""const end = arguments[0], make = URL.createObjectURL;
            let saved = null;
            URL.createObjectURL = blob => { saved = blob; return make.call(URL, blob); };
            document.getElementById('save-page').click();
            URL.createObjectURL = make;
            saved.text().then(end);""")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "saved.html")
            with open(path, "w") as file:
                file.write(html)
            self.browser.get("file://" + path)
            self.until("return document.querySelectorAll('.event').length === 7")
            # With its styles: the curves beside the events.
            self.assertEqual(self.js("return [getComputedStyle(document.querySelector('main')).display, mosim.charts.length]"), ["grid", 2])
            self.browser.get("about:blank")

    def test_edits_without_end(self):
        text = self.js("return playground.editor.text")
        for k in range(60):
            at = (k * 37) % len(text)
            self.js("playground.editor.text = arguments[0]; playground.runNow()", text[:at] + text[at + 1 + k % 3:])
        self.run_text(text)
        self.until("return document.getElementById('state').textContent.includes('6 events')")

    @unittest.skipUnless(BROWSER == "chromium", "only its protocol counts objects")
    def test_edits_leave_nothing_behind(self):
        # Of long texts, so that one that is kept would be seen.
        edit = """const [from, n, end] = arguments, text = playground.editor.text.split('// padding')[0];
            const once = k => new Promise(go => {
                const watch = new MutationObserver(() => { if (document.body.dataset.running === 'false') { watch.disconnect(); go(); } });
                watch.observe(document.body, { attributes: true, attributeFilter: ['data-running'] });
                playground.editor.text = text.replace(/x = [^;]*;/, k % 5 ? `x = ${k % 7}*time;` : 'x = y;') + '// padding ' + String(k).padEnd(8000, '.');
                playground.runNow();
            });
            (async () => { for (let k = from; k < from + n; ++k) await once(k); await once(1); setTimeout(end, 700); })();"""
        self.run_text("model M Real x = time; end M;\n")
        measured = []
        for k in range(3):
            self.browser.execute_async_script(edit, 60 * k + 2, 60)
            measured.append(memory(self.browser))
        print("after 60, 120 and 180 edits: " + "; ".join(f"{size / 1e6:.2f} MB, {objects} objects, {counters['nodes']} nodes, {counters['jsEventListeners']} listeners" for size, objects, counters in measured))
        # What stays after each edit grows between any two; what the browser makes once, whenever it likes, does not.
        def growth(of):
            return min(of(after) - of(before) for before, after in zip(measured, measured[1:]))
        self.assertLess(growth(lambda m: m[1]), 45)                        # one for each of 60 edits would be more
        self.assertLess(growth(lambda m: m[0]), 60 * 8000 / 2)             # and the texts alone twice this
        self.assertLess(growth(lambda m: m[2]["nodes"]), 30)
        self.assertLess(growth(lambda m: m[2]["jsEventListeners"]), 15)

    def test_one_file_from_a_disk(self):
        self.open("file://" + os.path.join(os.path.abspath(FOLDER), "mosim.html"))
        print(f"first run of the one file: {self.first:.2f} s")
        self.assertIn("6 events", self.state())


# Edits from within the page: every call of a driver leaves some 65 bytes of its own in the page, which would hide what an edit leaves.
EDIT = """const [seed, seconds, most, end] = arguments, texts = mosimFiles.examples.filter(e => e.model).map(e => e.text);
    let state = seed, count = 0, slow = 0, text = texts[0];
    const dice = n => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 65536) % n; }, one = list => list[dice(list.length)];
    const rest = () => new Promise(go => {
      const over = () => document.body.dataset.running === 'false' && (watch.disconnect(), go(), true), watch = new MutationObserver(over);
      if (!over()) watch.observe(document.body, { attributes: true });
    });
    const run = async what => {
      playground.editor.text = what;
      playground.runNow();
      const late = setTimeout(() => { ++slow; playground.stop(); }, 1000);
      await rest();
      clearTimeout(late);
    };
    (async () => {
      for (const began = performance.now(); count < most && performance.now() - began < 1000 * seconds; ++count) {
        if (count % 40 === 0) text = one(texts);
        const at = dice(text.length + 1), lines = text.split('\\n'), k = dice(lines.length), kind = dice(5);
        if (kind === 0) text = text.slice(0, at) + text.slice(at + 1 + dice(11));
        else if (kind === 1) text = text.slice(0, at) + one(['0', '9', '.', '-', '*', '(', ')', ';', 'pre(', 'der(', 'when ', 'end ', '\\n', 'e', '[1000000]']) + text.slice(at);
        else if (kind === 2) text = lines.toSpliced(dice(lines.length), 0, lines[k]).join('\\n');
        else if (kind === 3) text = lines.toSpliced(k, 1).join('\\n');
        else if (dice(5) === 0) text = one(texts);
        await run(text || 'model M end M;');
      }
      await run(texts[0]);     // what is shown is no growth
      await new Promise(go => setTimeout(go, 700));
      end([count, slow]);
    })();"""


def memory(browser):
    """Bytes of the page's JavaScript, and how many objects it has, after what is not reached is gone."""
    call = browser.execute_cdp_cmd
    for _ in range(3):
        call("HeapProfiler.collectGarbage", {})
    of = call("Runtime.evaluate", {"expression": "Object.prototype", "objectGroup": "count"})["result"]["objectId"]
    objects = call("Runtime.queryObjects", {"prototypeObjectId": of, "objectGroup": "count"})["objects"]["objectId"]
    count = call("Runtime.callFunctionOn", {"objectId": objects, "functionDeclaration": "function () { return this.length; }", "returnByValue": True})["result"]["value"]
    call("Runtime.releaseObjectGroup", {"objectGroup": "count"})
    for _ in range(3):
        call("HeapProfiler.collectGarbage", {})
    return call("Runtime.getHeapUsage", {})["usedSize"], count, call("Memory.getDOMCounters", {})


def edit_at_random(seconds):
    """Random edits of random examples, as fast as they run."""
    Playground.setUpClass()
    page = Playground("test_first_run")
    page.setUp()
    count = dead = slow = 0
    if BROWSER == "chromium":
        page.browser.set_script_timeout(120)
    else:
        page.browser.client.timeout.script = 120

    def tell(minute):
        facts = page.js("return [playground.memory, playground.restarts, document.querySelectorAll('*').length]")
        line = f"{minute:4d} min  {count:7d} edits  engine {facts[0] / 1e6:6.1f} MB  worker restarted {facts[1]}  elements {facts[2]}"
        if BROWSER == "chromium":
            size, objects, counters = memory(page.browser)
            line += f"  page {size / 1e6:.2f} MB, {objects} objects, {counters['nodes']} nodes, {counters['jsEventListeners']} listeners"
            pages = subprocess.run(["ps", "-C", "chromium", "-o", "rss=,args="], capture_output=True, text=True).stdout.splitlines()
            line += f"  process {max((int(p.split()[0]) for p in pages if '--type=renderer' in p), default=0) / 1e3:.0f} MB"
        print(line, flush=True)

    began = time.monotonic()
    minute = 0
    tell(minute)
    while time.monotonic() - began < seconds:
        edits, stopped = page.browser.execute_async_script(EDIT, minute + 1, min(60, seconds), 1e9)
        count += edits
        slow += stopped
        minute += 1
        tell(minute)
    try:
        page.run_text("model M Real x = time; end M;")
        page.until("return document.body.dataset.running === 'false' && playground.last.run.model === 'M'")
    except AssertionError as e:
        dead = 1
        print("the worker is dead:", e)
    print(f"{count} edits, {slow} runs stopped after a second")
    Playground.tearDownClass()
    return dead


def take_pictures(folder):
    os.makedirs(folder, exist_ok=True)
    Playground.setUpClass()
    page = Playground("test_first_run")
    page.setUp()
    picture = lambda name: (time.sleep(0.4), page.browser.save_screenshot(os.path.join(folder, f"{BROWSER}-{name}.png")))
    picture("playground")
    page.js("document.getElementById('about').open = true")
    picture("about")
    page.run_text("model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -k*x;\nend M;\n")
    picture("problem")
    for step in (1, 4, 10):
        page.open(f"{page.address}#course={step}")
        page.shown_step(step)
        picture(f"course-{step}")
        page.button("Solution")
        page.button("Put it into the editor")
        page.until("return document.querySelector('.verdict.good')")
        page.js("document.querySelector('.question').scrollIntoView()")
        picture(f"course-{step}-answered")
    page.phone()
    for name, fragment in (("phone", ""), ("phone-course", "#course=3")):
        page.open(page.address + fragment)
        time.sleep(0.5)
        height = page.js("return document.documentElement.scrollHeight")
        for k, y in enumerate(range(0, height, 760)):
            page.js("scrollTo(0, arguments[0])", y)
            picture(f"{name}-{k}")
    page.desk()
    if BROWSER == "chromium":
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        for name, fragment in (("dark", ""), ("dark-course", "#course=3")):
            page.open(page.address + fragment)
            picture(name)
    Playground.tearDownClass()


if __name__ == "__main__":
    if given.edits:
        sys.exit(edit_at_random(given.edits))
    if given.pictures:
        sys.exit(take_pictures(given.pictures))
    chosen = [word for k in given.k or [] for word in ("-k", k)]
    unittest.main(argv=[sys.argv[0], *chosen], verbosity=2, warnings="ignore")
