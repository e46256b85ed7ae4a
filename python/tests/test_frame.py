"""What a result shows in a notebook, in a browser (as tests/cli/page.py looks at the page itself)."""

import pathlib

import pytest

import mosim

webdriver = pytest.importorskip("selenium.webdriver")
for needed in "/usr/bin/chromium", "/usr/bin/chromedriver":
    if not pathlib.Path(needed).exists():
        pytest.skip(f"{needed} is missing", allow_module_level=True)

BALL = """model Ball "</iframe> & \\"quotes\\""
  Real h(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end Ball;
"""


def test_the_frame_in_a_notebook(tmp_path):
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND",
                     f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1000,800"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    shown = tmp_path / "cell.html"
    shown.write_text(f"<!doctype html><body><p id='before'></p>{mosim.model(BALL).simulate(stop=1)._repr_html_()}<p id='after'></p></body>")
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    try:
        browser.get(shown.as_uri())
        assert len(browser.find_elements(By.CSS_SELECTOR, "body > *")) == 3   # nothing got out of the frame
        browser.switch_to.frame(browser.find_element(By.TAG_NAME, "iframe"))
        WebDriverWait(browser, 60).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#panels canvas"))
        assert browser.find_element(By.ID, "model").text == "Ball"
        assert "quotes" in browser.find_element(By.ID, "description").text
        assert "h < 0 becomes true" in browser.find_element(By.ID, "events").get_attribute("textContent")
        assert "reinit(v, -0.8*pre(v))" in browser.find_element(By.ID, "code").get_attribute("textContent")
        assert [e["message"] for e in browser.get_log("browser") if e["level"] == "SEVERE"] == []
    finally:
        browser.quit()
