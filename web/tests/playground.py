"""The playground in a real browser: python3 playground.py FOLDER-OF-THE-SITE [chromium|firefox]

Figures that depend on the machine are printed, and bound nothing."""

import functools
import http.server
import sys
import threading
import time
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

FOLDER = sys.argv[1]
BROWSER = sys.argv[2] if len(sys.argv) > 2 else "chromium"


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


class Firefox:
    """Debian has no driver for Firefox that selenium could use; its own protocol does, with the few calls that are needed here."""

    def __init__(self):
        from marionette_driver.marionette import Marionette

        self.client = Marionette(bin="/usr/bin/firefox-esr", headless=True, app_args=["-headless"], port=0)
        self.client.start_session()
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
        return self.js("const v = playground.last.run.variables.find(x => x.name === arguments[0]); return v.column === undefined ? [v.value] : playground.last.data[v.column + 1]", name)

    def state(self):
        return self.browser.find_element(By.ID, "state").text

    def test_first_run(self):
        print(f"first run after loading: {self.first:.2f} s; the run itself, from the key to the picture: {float(self.js('return document.body.dataset.took')):.0f} ms")
        self.assertIn("6 events", self.state())
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".event")), 7)
        self.assertEqual(self.js("return mosim.charts.map(c => c.members.map(k => mosim.run.variables[k].name).join())"), ["h", "v"])
        self.assertEqual(self.js("return [...document.querySelectorAll('.cm-hits .cm-gutterElement span')].map(e => e.textContent)"), ["6\u00d7", "6\u00d7"])

    def test_a_key_stroke_runs_the_model(self):
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
        began = time.monotonic()
        self.browser.find_element(By.ID, "halt").click()
        self.until("return document.body.dataset.running === 'false'")
        print(f"Stop took {1000 * (time.monotonic() - began):.0f} ms")
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
        self.browser.find_element(By.CSS_SELECTOR, "#pins button").click()
        self.assertEqual(self.js("return mosim.charts.map(c => c.graph.getLabels().length)"), [2, 2])

    def test_a_link_gives_the_same_picture(self):
        self.js("document.getElementById('until').value = 1.5; playground.settings.set('e', 0.6); playground.editor.text = playground.editor.text.replace('Above the floor', '\u00fcber dem Boden \U0001f600')")
        before = self.js("return document.body.dataset.shown")
        self.js("playground.runNow()")
        self.until("return document.body.dataset.shown !== arguments[0] && document.body.dataset.running === 'false'", before)
        here = self.js("return [playground.last.data, playground.editor.text]")
        link = self.browser.execute_async_script("playground.linkOf().then(arguments[0])")
        self.assertNotIn("model", link.split("#")[1])
        self.open(link)
        self.assertEqual(self.js("return [playground.last.data, playground.editor.text]"), here)
        self.assertAlmostEqual(self.js("return playground.last.run.reached"), 1.5)

    def test_events_by_keyboard(self):
        events = self.browser.find_element(By.ID, "events")
        events.send_keys(Keys.ARROW_DOWN)
        events.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.js("return mosim.selected"), 1)
        self.assertEqual(self.js("return [...document.querySelectorAll('.cm-lit')].map(e => e.textContent.trim())"), ["when h < 0 then", "reinit(v, -e*pre(v));"])
        self.assertIn("reinitialized", self.browser.find_element(By.CSS_SELECTOR, ".event.selected").text)

    def test_every_example_runs(self):
        options = self.js("return [...document.querySelectorAll('#examples option')].map(o => o.value)")
        self.assertGreater(len(options), 40)
        for value in options:
            before = self.js("return document.body.dataset.shown")
            self.js("const s = document.getElementById('examples'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", value)
            self.until("return document.body.dataset.running === 'false' && (document.body.dataset.shown !== arguments[0] || document.querySelector('.problem.error'))", before)
            name = self.js("const s = document.getElementById('examples'); return s.options[s.selectedIndex].textContent")
            # Some of them fail on purpose, and say why.
            if self.js("return document.getElementById('state').classList.contains('bad')"):
                self.assertTrue(self.browser.find_elements(By.CSS_SELECTOR, ".problem.error"), name)

    def test_edits_without_end(self):
        text = self.js("return playground.editor.text")
        for k in range(60):
            at = (k * 37) % len(text)
            self.js("playground.editor.text = arguments[0]; playground.runNow()", text[:at] + text[at + 1 + k % 3:])
        self.run_text(text)
        self.until("return document.getElementById('state').textContent.includes('6 events')")

    def test_one_file_from_a_disk(self):
        import os

        self.open("file://" + os.path.join(os.path.abspath(FOLDER), "mosim.html"))
        print(f"first run of the one file: {self.first:.2f} s")
        self.assertIn("6 events", self.state())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2, warnings="ignore")
