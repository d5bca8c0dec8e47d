"""The lock that keeps a screen from going dark: held while something plays and somebody sees it."""

import time

from browser import PHONE, Failure

# In the place of the browser's own, which a browser without a screen may refuse. `refuses` and `isMissing` come before it.
LOCK = """
    window.locks = { asked: 0, held: 0 };
    Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: isMissing ? undefined : { request: async () => {
      window.locks.asked += 1;
      if (refuses) throw new DOMException('the battery is low', 'NotAllowedError');
      window.locks.held += 1;
      const lock = new EventTarget();
      lock.release = async () => { window.locks.held -= 1; lock.dispatchEvent(new Event('release')); };
      return lock;
    } } });"""
HIDE = """
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));"""
SEE = "delete document.hidden; document.dispatchEvent(new Event('visibilitychange'));"


def opened(browser, server, refuses=False, is_missing=False):
    source = f"const refuses = {str(refuses).lower()}, isMissing = {str(is_missing).lower()};{LOCK}"
    script = browser.devtools("Page.addScriptToEvaluateOnNewDocument", source="{" + source + "}")
    browser.open(server.url)
    browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


def awake(browser, server):
    browser.show(PHONE)
    server.command("play")
    opened(browser, server)
    held = lambda count: f"return window.locks.held === {count}"
    browser.until("the screen is kept awake while a song plays", held(1))
    server.command("pause")
    browser.until("nothing plays, and the screen may go dark", held(0))
    server.command("play")
    browser.until("it is kept awake again", held(1))
    browser.script(HIDE)
    browser.until("nobody sees the page", held(0))
    browser.script(SEE)
    browser.until("somebody sees it again", held(1))
    time.sleep(1)
    if browser.script("return window.locks.asked") != 3:
        raise Failure("a lock that is held was asked for again")


def refused(browser, server):
    """A phone that says no is asked once, and told; a browser without locks is no fault."""
    browser.show(PHONE)
    server.command("play")
    opened(browser, server, refuses=True)
    browser.until("it is told", "return document.querySelector('.passing')?.textContent.includes('battery')")
    time.sleep(1)
    asked, count = browser.script("return [window.locks.asked, document.querySelectorAll('.passing .notice').length]")
    if (asked, count) != (1, 1):
        raise Failure(f"asked {asked} times, told {count} times")
    opened(browser, server, is_missing=True)
    time.sleep(1)
    if browser.script("return document.querySelectorAll('.passing .notice').length") > 0:
        raise Failure("a browser without locks is told as a fault")
