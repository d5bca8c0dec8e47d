"""What the page looks like to those who see it, touch it, hear it read, or have no mouse."""

import os
import time

from selenium.webdriver.common.keys import Keys

from browser import DESK, PHONE, SIDEWAYS, SIZES, TABLET, Failure

VIEWS = ("now", "mixer", "keys", "sound", "system", "stage")

# Controls that are seen and smaller than a finger. A key is as narrow as an octave allows; a strip's own height counts.
SMALL = """
    return [...document.querySelectorAll('button, input, select, summary')].filter((one) => {
      if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled) return false;
      if (one.type === 'checkbox' || one.classList.contains('key')) return false;
      const box = one.getBoundingClientRect();
      return box.width < 43.5 || box.height < 43.5;
    }).map((one) => { const box = one.getBoundingClientRect();
      return `${one.dataset.does} ${Math.round(box.width)} x ${Math.round(box.height)}`; });"""


def accessibility(browser, server, axe):
    """axe in each view, light and dark, on phone, sideways too, tablet and desk; what it finds, as lines."""
    with open(axe) as file:
        library = file.read()
    found = []
    for size in (PHONE, SIDEWAYS, TABLET, DESK):
        for scheme in ("dark", "light"):
            browser.show(size, scheme)
            browser.open(server.url)
            browser.script(library)
            for view in VIEWS:
                if view == "now" and size == DESK:
                    continue
                browser.view(view)
                found += audit(browser, f"{size[0]} {scheme} {view}")
            browser.view("mixer")
            browser.script("document.querySelector('[data-does=choose-sound]').click()")
            time.sleep(0.5)
            found += audit(browser, f"{size[0]} {scheme} sounds")
    return found


def audit(browser, where):
    answer = browser.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document).then((answer) => done(answer.violations.map((one) =>"
        " `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 100)).join(' | ')}`)))"
        ".catch((error) => done([String(error)]));")
    small = browser.script(SMALL)
    return [f"{where}: {one}" for one in answer + (["smaller than a finger: " + ", ".join(small)] if small else [])]


def width(browser, server):
    """Nothing is wider than the screen."""
    for size in SIZES:
        browser.show(size)
        browser.open(server.url)
        for view in VIEWS:
            browser.view(view)
            extra = browser.script("return document.documentElement.scrollWidth - innerWidth")
            if extra > 0:
                raise Failure(f"at {size[0]} pixels {view} is {extra} too wide")


def sideways(browser, server):
    """On a phone that lies on its side a finger reaches each strip's mute and solo, and three strips are seen at once."""
    browser.show(SIDEWAYS)
    browser.open(server.url)
    browser.view("mixer")
    browser.until("strips", "return document.querySelectorAll('.channel').length > 1")
    hidden = browser.script("""
        return [...document.querySelectorAll('.channel .mute, .channel .solo')].filter((one) => {
          one.scrollIntoView({ block: 'center', inline: 'center' });
          const box = one.getBoundingClientRect();
          return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) !== one;
        }).map((one) => one.getAttribute('aria-label'));""")
    if hidden:
        raise Failure(f"not reached: {', '.join(hidden)}")
    height = browser.script("return document.querySelector('.channel').offsetHeight")
    if height > 70:
        raise Failure(f"a strip is {height} high")


def wide(browser, server):
    """A wide screen has what plays, what comes and the log beside the mixer."""
    browser.show(DESK)
    browser.open(server.url)
    browser.view("mixer")
    browser.until("the queue", "return document.querySelectorAll('#queue-list li').length > 1")
    browser.until("the log", "return document.querySelectorAll('#side-log li').length > 0", 12)
    outside = browser.script("""
        return ['#roll', '#strips', '#queue-list', '#side-log'].filter((one) => {
          const box = document.querySelector(one).getBoundingClientRect();
          return box.width < 100 || box.height < 40 || box.top < 0 || box.bottom > innerHeight;
        });""")
    if outside:
        raise Failure(f"not on the screen: {', '.join(outside)}")


def paint(browser, server):
    """Milliseconds to the first contentful paint."""
    browser.show(PHONE)
    browser.open(server.url)
    browser.until("a paint", "return performance.getEntriesByName('first-contentful-paint').length > 0")
    return browser.script("return performance.getEntriesByName('first-contentful-paint')[0].startTime")


def pictures(browser, server, folder):
    """Pictures of every view, for eyes."""
    os.makedirs(folder, exist_ok=True)
    for size in SIZES:
        for scheme in ("dark", "light"):
            browser.show(size, scheme)
            browser.open(server.url)
            for view in VIEWS:
                browser.view(view)
                time.sleep(1)
                browser.driver.save_screenshot(os.path.join(folder, f"{size[0]}-{scheme}-{view}.png"))


def roll(browser, server):
    """The roll has notes on it, and they move while the song plays."""
    browser.show(DESK)
    browser.open(server.url)
    server.command("seek 12")
    server.command("play")
    time.sleep(1)
    picture = "return document.getElementById('roll').toDataURL()"
    before = browser.script(picture)
    if len(before) < 4000:
        raise Failure("the roll is empty")
    time.sleep(0.3)
    if browser.script(picture) == before:
        raise Failure("the roll stands still while the song plays")


def keyboard_only(browser, server):
    """The transport without a mouse: tabs lead there, the space bar and return press."""
    browser.show(PHONE)
    browser.open(server.url)
    server.command("play")
    browser.find("body").send_keys(" ")
    browser.until("the space bar pauses", lambda: not server.status()["song"]["isPlaying"])
    browser.find("body").send_keys(" ")
    browser.until("the space bar plays", lambda: server.status()["song"]["isPlaying"])
    for does, key, test in (
        ("toggle", Keys.ENTER, lambda before: server.status()["song"]["isPlaying"] != before["song"]["isPlaying"]),
        ("next", " ", lambda before: server.status()["song"]["number"] != before["song"]["number"]),
        ("stop", Keys.ENTER, lambda before: not server.status()["song"]["isPlaying"]),
    ):
        tab_to(browser, does)
        before = server.status()
        browser.driver.switch_to.active_element.send_keys(key)
        if does == "stop":
            time.sleep(0.4)
            browser.driver.switch_to.active_element.send_keys(key)
        browser.until(f"{does} by {key!r}", lambda: test(before))
    ring = browser.script("return getComputedStyle(document.activeElement).outlineStyle")
    if ring == "none":
        raise Failure("the focus is not seen")
    tab_to(browser, "volume")
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    browser.until("an arrow makes it softer", lambda: server.status()["volume"] < 0)
    server.command("volume 0")
    server.command("play")


def tab_to(browser, does):
    for _ in range(120):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        if browser.script("return document.activeElement.dataset.does") == does:
            return
    raise Failure(f"tab does not reach {does}")
