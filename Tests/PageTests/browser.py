"""A browser without a screen, and what tests ask of it."""

import json
import time
import urllib.error
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

PHONE, SIDEWAYS, TABLET, DESK = (360, 740), (844, 390), (768, 1024), (1440, 900)
SIZES = (PHONE, (390, 844), SIDEWAYS, TABLET, DESK)


class Failure(Exception):
    """What a test found wrong, as a sentence."""


class Server:
    """The server as another surface sees it: commands and statuses over HTTP."""

    def __init__(self, url, token=None):
        self.url, self.token = url.rstrip("/"), token

    def _open(self, path, body=None):
        request = urllib.request.Request(self.url + path, data=body, headers={"Content-Type": "text/plain"})
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        return urllib.request.urlopen(request, timeout=10)

    def get(self, path):
        with self._open(path) as answer:
            return json.load(answer)

    def status(self):
        return self.get("/api/status")

    def value(self, setting, key="value"):
        for unit in self.get("/api/parameters")["units"]:
            for parameter in unit["parameters"]:
                if parameter["setting"] == setting:
                    return parameter[key]
        raise Failure(f"there is no parameter {setting}")

    def command(self, line):
        try:
            with self._open("/api/command", line.encode()) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)


class Browser:
    """Chromium with the page of one server."""

    def __init__(self, size=PHONE, scheme="dark", motion="no-preference"):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(60)
        self.show(size, scheme, motion)

    def show(self, size, scheme="dark", motion="no-preference"):
        """Makes the screen another one."""
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": min(size) < 700}
        self.devtools("Emulation.setDeviceMetricsOverride", **metrics)
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])

    def devtools(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def open(self, url, is_ready=True):
        self.driver.get(url)
        if is_ready:
            self.until("the page is connected", "return document.getElementById('connection').dataset.state === 'open'"
                       " && document.getElementById('volume').hasAttribute('aria-valuetext')")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def view(self, name):
        self.script("document.querySelector(`.views [data-view=${arguments[0]}]`).click()", name)
        time.sleep(0.3)

    def click(self, selector):
        """A real click, at the middle of what is seen there."""
        element = self.find(selector)
        self.script("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", element)
        element.click()

    def slide(self, selector, value):
        """Moves a range as a finger does: values on the way, then the last one."""
        self.script("""
            const [input, value] = [document.querySelector(arguments[0]), Number(arguments[1])], from = Number(input.value);
            input.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
            for (let step = 1; step <= 10; step += 1) {
              input.value = from + (value - from) * step / 10;
              input.dispatchEvent(new Event('input', { bubbles: true }));
            }
            input.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
            input.dispatchEvent(new Event('change', { bubbles: true }));""", selector, value)

    def until(self, what, test, seconds=6):
        """Waits until a script or a function says yes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.script(test) if isinstance(test, str) else test():
                return
            time.sleep(0.05)
        raise Failure(f"not within {seconds} s: {what}")

    def faults(self):
        """What the console holds against the page."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def end(self):
        self.driver.quit()
