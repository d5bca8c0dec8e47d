"""What the page says of a house: its own function without a page, and the page of houses that are open, stopped and closed."""

from browser import PHONE, Failure
from controls import does

WORDS = """
    const [house, now, offset, done] = arguments;
    import('/page/house.js').then(({ houseWords }) => done(houseWords(house, now, () => offset)))
      .catch((error) => done({ fault: String(error) }));"""

# Noon of 1 June 2026 in a zone two hours ahead of Greenwich.
NOON, AHEAD = 1780308000000, 120


def house(state, **more):
    """A house as a status tells it."""
    activity = {"state": state, "reason": None, "by": None, "since": "2026-06-01T09:01:00+02:00", "nextIn": None, "sentence": state}
    whole = {"activity": activity, "playlist": None if state == "closed" else "day", "level": 0, "next": None, "trouble": None}
    for key, value in more.items():
        (activity if key in activity else whole)[key] = value
    return whole


def words(browser, told, now=NOON, offset=AHEAD):
    return browser.driver.execute_async_script(WORDS, told, now, offset)


def check(is_so, what):
    if not is_so:
        raise Failure(what)


def states(browser, server):
    """Each state is told by its own sentence, and "stopped" of no other."""
    browser.open(server.url)
    for state in ("closed", "opening", "playing", "between", "paused", "stopped", "silent"):
        told = words(browser, house(state, sentence=f"{state}: so it is"))
        check(told["state"].lower().startswith(f"{state}: so it is"), f"{state} is told as {told}")
        is_stopped = any("stopped" in str(text).lower() for text in told.values())
        check(is_stopped == (state == "stopped"), f"{state} is told as {told}")
        check("09:01" in told["detail"] and told["trouble"] is None, f"{state} is told as {told}")
        check(told["isClosed"] == (state == "closed"), f"{state} is told as {told}")
    told = words(browser, house("silent", trouble={"reason": "the card is lost", "since": "2026-06-01T11:59:00+02:00"}))
    check("the card is lost" in told["trouble"] and "11:59" in told["trouble"], f"trouble is told as {told}")
    told = words(browser, house("closed", next={"at": "2026-06-02 09:01:00 +02:00", "what": "day"}))
    check("tomorrow at 09:01" in told["next"] and "day" in told["next"] and told["play"], f"a closed house is told as {told}")


def days(browser, server):
    """The hour is the house's, as it is written; so is the day, whatever the browser's clocks show."""
    browser.open(server.url)
    cases = (
        ("2026-06-01 18:00:00 +02:00", NOON, AHEAD, "today at 18:00", False),
        ("2026-06-02 00:30:00 +02:00", NOON, AHEAD, "tomorrow at 00:30", False),
        ("2026-06-05 09:00:00 +02:00", NOON, AHEAD, "Friday at 09:00", False),
        ("2026-06-20 09:00:00 +02:00", NOON, AHEAD, "2026-06-20 at 09:00", False),
        # A quarter to midnight in the house is the next day in Auckland, and the day before in Honolulu.
        ("2026-06-01 23:45:00 +02:00", NOON, 720, "today at 23:45", True),
        ("2026-06-01 23:45:00 +02:00", NOON, -600, "today at 23:45", True),
        ("2026-06-01 00:15:00 +13:00", NOON - 81000000, AHEAD, "today at 00:15", True),
        # The hour that comes twice is told apart.
        ("2026-10-25 02:30:00 +01:00", 1792886400000, 60, "today at 02:30", False),
    )
    for at, now, offset, wanted, is_elsewhere in cases:
        told = words(browser, house("playing", next={"at": at, "what": "closed"}), now, offset)["next"]
        check(wanted in told and ("UTC" in told) == is_elsewhere, f"{at} is told as {told}")


def steward(browser, server):
    """On a phone a house with cues has itself and them first, above the roll, with volume and stop on the same screen."""
    browser.show(PHONE)
    browser.open(server.url)
    browser.view("now")
    browser.until("a cue", f"return document.querySelector('{does('cue')}') !== null")
    browser.script("scrollTo(0, 0)")
    tops = browser.script("""return ['#house', '#cues', '#now .stage', '#volume', '[data-does=stop]'].map((one) =>
        document.querySelector(one).getBoundingClientRect().top);""")
    check(tops[0] < tops[1] < tops[2], f"the roll lies above the cues: {tops}")
    check(all(0 <= top < PHONE[1] for top in (tops[1], tops[3], tops[4])), f"not on the first screen: {tops}")


def stopped(browser, server):
    """Who stops the music is named, and the button plays."""
    browser.show(PHONE)
    browser.open(server.url)
    server.command("pause")
    browser.until("the page says so", "return document.getElementById('house-now').textContent.startsWith('Paused by')", 10)
    browser.until("Play", "return document.querySelector('[data-does=toggle]').getAttribute('aria-label') === 'Play'")
    browser.click(does("toggle"))
    browser.until("it plays", lambda: server.status()["house"]["activity"]["state"] == "playing", 10)
    browser.until("the page says so", "return document.getElementById('house-now').textContent.startsWith('Playing')", 10)


def between(browser, server):
    """In the silence between two songs the list plays: the button holds it."""
    browser.show(PHONE)
    browser.open(server.url)
    state = lambda: server.status()["house"]["activity"]["state"]
    browser.until("a song", lambda: server.status()["song"] is not None, 20)
    server.command(f"seek {server.status()['song']['length'] - 0.5:.2f}")
    browser.until("silence between two songs", lambda: state() == "between", 30)
    browser.until("the page counts down", "return document.getElementById('song-time').textContent.includes('next in')")
    if browser.find(does("toggle")).get_attribute("aria-label") != "Pause":
        raise Failure("between two songs the button does not hold the list")
    browser.click(does("toggle"))
    browser.until("the list stands still", lambda: state() in ("paused", "stopped"))
    browser.click(does("toggle"))
    browser.until("the list plays", lambda: state() == "playing", 10)


def closed(browser, server):
    """A closed house says when it opens, by its own clocks, and nothing can be pressed that would be refused."""
    opens = server.status()["house"]["next"]["at"]
    for zone in ("Pacific/Auckland", "Pacific/Honolulu"):
        browser.devtools("Emulation.setTimezoneOverride", timezoneId=zone)
        try:
            browser.show(PHONE)
            browser.open(server.url, is_ready=False)
            browser.until("the page says that it is closed",
                          "return document.getElementById('house-now')?.textContent === 'Closed'", 15)
            text = browser.find("#house-next").text
            check(opens.split(" ")[1][:5] in text, f"in {zone} {opens} is told as {text}")
            for name in ("toggle", "stop", "next", "previous", "panic", "volume", "cue"):
                check(not browser.find(does(name)).is_enabled(), f"{name} can be pressed while the house is closed")
        finally:
            browser.devtools("Emulation.setTimezoneOverride", timezoneId="")
