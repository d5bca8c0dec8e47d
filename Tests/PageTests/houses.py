"""What the page says of a house: its own function without a page, and the page of houses that are open, stopped and closed."""

import json

from selenium.webdriver.common.keys import Keys

import sight
from browser import DESK, PHONE, SIZES, Failure
from controls import click_twice, does

WORDS = """
    const [house, now, offset, done] = arguments;
    import('/page/house.js').then(({ houseWords }) => done(houseWords(house, now, () => offset)))
      .catch((error) => done({ fault: String(error) }));"""
# Any other function of that file, with its arguments as JSON; the browser's zone is the last one's.
CALL = """
    const [name, values, offset, done] = arguments;
    import('/page/house.js').then((house) => done(house[name](...JSON.parse(values), ...(offset === null ? [] : [() => offset]))))
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


def call(browser, name, *values, offset=AHEAD):
    return browser.driver.execute_async_script(CALL, name, json.dumps(values), offset)


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


def wants(browser, server):
    """What people want for a while, what the buttons do, the queue, songs and the week: functions without a page."""
    browser.open(server.url)
    rows = call(browser, "wishWords", [
        {"what": "closed", "until": "2026-06-02 00:00:00 +02:00", "by": "http 192.168.1.7 (full)"},
        {"what": "open: late", "until": "2026-06-01 22:00:00 +02:00", "by": None},
        {"what": "softer by 6.0 dB", "until": "2036-06-01 12:00:00 +02:00", "by": "page"}], NOON)
    check(rows[0] == {"text": "Closed until tomorrow at 00:00", "by": "by http 192.168.1.7 (full)"}, f"wishes are told as {rows}")
    check("late" in rows[1]["text"] and "today at 22:00" in rows[1]["text"] and rows[1]["by"] == "", f"wishes are told as {rows}")
    check("6\u00a0dB" in rows[2]["text"] and "2036" not in rows[2]["text"], f"a wish without an end is told as {rows}")
    open_house = house("playing", next={"at": "2026-06-01 18:00:00 +02:00", "what": "closed"})
    text = call(browser, "untilWords", "", open_house, NOON)
    check("today at 18:00" in text and "rest of today" in text, f"the buttons are told as {text}")
    check("19:30" in call(browser, "untilWords", "19:30", open_house, NOON), "a time is not told")
    check("ended by hand" in call(browser, "untilWords", "", house("playing"), NOON), "no change of the calendar is told as one")
    song = {"name": "a.mid", "number": 1, "count": 3, "isPlaying": True, "nextIn": None, "next": "b.mid"}
    asked = {"playlist": "day", "queue": ["x/c.mid", "b.mid"], "requests": ["x/c.mid"]}
    rows = call(browser, "queueWords", {"song": song, "house": asked}, offset=None)
    check([row["title"] for row in rows] == ["a", "c", "b"], f"the queue is told as {rows}")
    check([row.get("name") for row in rows] == [None, "x/c.mid", None], f"the queue is told as {rows}")
    rows = call(browser, "queueWords", {"song": song, "house": None}, offset=None)
    check([row["title"] for row in rows] == ["a", "b"], f"a list is told as {rows}")
    check(call(browser, "queueWords", {"song": None, "house": None}, offset=None) == [], "nothing has a queue")
    told = [call(browser, "songWords", {"playlists": ["day", "late"], "length": length, "fault": fault}, offset=None)
            for length, fault in ((125.4, None), (None, None), (60, "no such file"))]
    check(told[0] == "day, late · 2:05" and told[1] == "day, late" and "no such file" in told[2], f"songs are told as {told}")
    songs = [{"title": "Canon", "playlists": ["day"]}, {"title": "Canon", "playlists": ["late"]}]
    check(call(browser, "songsWith", songs, " LATE  can ", offset=None) == songs[1:], "a song is not found by two words")
    changes = [{"at": f"2026-06-0{day} {hour}:00 +02:00", "what": what} for day, hour, what in (
        (1, "18:00", "closed"), (2, "09:00", "day"), (2, "12:00", "level -6 dB"), (2, "13:00", "stands still"), (2, "14:00", "goes on"),
        (2, "15:00", "late at -3 dB"), (5, "00:30", "closed"))]
    rows = call(browser, "weekWords", changes, False, NOON)
    check([row["day"] for row in rows] == ["Today", "Tomorrow", "Friday"], f"the days are told as {rows}")
    check(rows[0]["lines"] == ["18:00 closes"] and rows[2]["lines"] == ["00:30 closes"], f"the days are told as {rows}")
    check(rows[1]["lines"] == ["09:00 opens: day", "12:00 level −6\u00a0dB", "13:00 pauses", "14:00 goes on",
                               "15:00 then late at −3\u00a0dB"], f"a day is told as {rows[1]}")
    changes = [{"at": f"2026-06-{day:02} {hour}:00 +02:00", "what": what} for day in (2, 3, 4, 6, 7)
               for hour, what in (("09:00", "day"), ("18:00", "closed" if day != 7 else "late"))]
    rows = call(browser, "weekWords", changes, True, NOON)
    check([row["day"] for row in rows] == ["Tomorrow – Thursday", "Saturday", "Sunday"], f"days that are alike are told as {rows}")
    elsewhere = [row["day"] for row in call(browser, "weekWords", changes, False, NOON, offset=0)]
    check("UTC+02:00" in elsewhere[0] and "UTC" not in "".join(elsewhere[1:]), f"whose hours they are is told as {elsewhere}")


def wishes(browser, server):
    """What people want for a while takes two touches, is told with its end, and is over by another two."""
    browser.show(PHONE)
    browser.open(server.url)
    browser.view("now")
    told = lambda: server.status()["house"]
    reset = lambda: server.command("as-planned")
    reset()
    browser.until("it is open", lambda: told()["isOpen"], 10)
    browser.click(does("changes"))
    browser.click(does("quieter"))
    browser.until("quieter asks once more", f"return document.querySelector('{does('quieter')}').classList.contains('armed')")
    check(told()["wishes"] == [], "one touch is a wish")
    browser.until("quieter is as before", f"return !document.querySelector('{does('quieter')}').classList.contains('armed')", 5)
    # A time of the house that comes: any but this minute.
    field = browser.find(does("until"))
    browser.script("arguments[0].value = '23:59'; arguments[0].dispatchEvent(new Event('input'))", field)
    browser.until("the time is told", "return document.getElementById('until-words').textContent.includes('23:59')")
    click_twice(browser, "quieter")
    browser.until("it is softer", lambda: told()["level"] == -6 or told()["level"] == -12)
    check("23:59:00" in told()["wishes"][0]["until"], f"the end is {told()['wishes']}")
    check(told()["wishes"][0]["by"], "nobody has wished it")
    browser.until("the page says so", "return document.getElementById('wishes').textContent.includes('23:59')")
    click_twice(browser, "as-planned")
    browser.until("it is as planned", lambda: told()["wishes"] == [])
    browser.until("the page says so", "return document.getElementById('wishes').hidden")
    browser.script("arguments[0].value = ''; arguments[0].dispatchEvent(new Event('input'))", field)
    for option in browser.all("#music option"):
        if option.get_attribute("value") == "evening":
            option.click()
    click_twice(browser, "open-house")
    browser.until("another playlist plays", lambda: told()["playlist"] == "evening", 10)
    browser.script("document.querySelector('[data-does=music]').value = ''")
    click_twice(browser, "close-house")
    browser.until("it is closed", lambda: not told()["isOpen"], 10)
    browser.until("the page says so", "return document.getElementById('house-now').textContent === 'Closed'", 10)
    check(not browser.find(does("close-house")).is_enabled(), "what is closed can be closed")
    click_twice(browser, "open-house")
    browser.until("it is open", lambda: told()["isOpen"] and told()["activity"]["state"] == "playing", 20)
    reset()


def side(browser, server):
    """Beside the roll nothing lies over the log, and the log over none of the cards."""
    for size in ((1280, 800), (1120, 700), DESK):
        browser.show(size)
        browser.open(server.url)
        browser.until("the songs", "return document.querySelectorAll('#song-list li').length > 0")
        hidden = browser.script("""
            return [...document.querySelectorAll('.side .stack, .side .log')].filter((one) => {
              const box = one.getBoundingClientRect(), at = (y) => document.elementFromPoint(box.x + box.width / 2, y);
              return box.height < 100 || !one.contains(at(box.top + 20)) || !one.contains(at(box.bottom - 4));
            }).map((one) => one.className);""")
        check(not hidden, f"at {size[0]} pixels something lies over {', '.join(hidden)}")


def queue(browser, server):
    """Songs are found by typing, wait in the queue, are taken out of it, and play at once after two touches."""
    browser.show(PHONE)
    browser.open(server.url)
    browser.view("now")
    asked = lambda: server.status()["house"]["requests"]
    server.command("as-planned")
    browser.until("music", lambda: server.status()["house"]["activity"]["state"] == "playing", 20)
    field = browser.find(does("find-song"))
    browser.script("arguments[0].scrollIntoView({block: 'center'})", field)
    for words, wanted in (("gymno", ["gymnopedie-1.mid"]), ("evening lantern", ["gymnopedie-1.mid", "blue-lantern.mid"])):
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(words)
        browser.until(f"one song with {words}", "return document.querySelectorAll('#song-list li').length === 1")
        browser.click(does("queue-song"))
        browser.until(f"{wanted} wait", lambda: asked() == wanted)
    browser.until("the page shows them", f"return document.querySelectorAll('{does('unqueue')}').length === 2")
    browser.click(does("unqueue"))
    browser.until("one is taken out", lambda: asked() == ["blue-lantern.mid"])
    browser.until("the page shows it", f"return document.querySelectorAll('{does('unqueue')}').length === 1")
    server.command("queue-song gymnopedie-1")
    browser.until("it can be cleared", lambda: browser.find(does("clear-queue")).is_displayed())
    click_twice(browser, "clear-queue")
    browser.until("nothing waits", lambda: asked() == [])
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("lost")
    browser.until("why it cannot be played", "return document.getElementById('song-list').textContent.includes('Cannot be played')")
    check(browser.all("#song-list button") == [], "what cannot be played can be asked for")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("prelude")
    browser.until("one song", "return document.querySelectorAll('#song-list li').length === 1")
    click_twice(browser, "play-song")
    browser.until("it plays", lambda: (server.status()["song"] or {}).get("name") == "bach-prelude-fugue-c-major.mid", 10)
    server.command("next")


def week(browser, server):
    """The next seven days are told, and anew when people want something else."""
    browser.show(DESK)
    browser.open(server.url)
    server.command("as-planned")
    days = "return [...document.querySelectorAll('#week-list li')].map((one) => one.textContent)"
    # An hour that is softer begins and ends each day: the days that are alike are told as one.
    browser.until("the days", lambda: browser.script(days) != [], 10)
    check(len(browser.script(days)) <= 3 and all("level" in text for text in browser.script(days)),
          f"the week is told as {browser.script(days)}")
    server.command("close +0:30")
    browser.until("that it opens", lambda: "opens: day" in browser.script(days)[0], 10)
    server.command("as-planned")
    browser.until("it is open", lambda: server.status()["house"]["activity"]["state"] == "playing", 20)
    browser.until("as before", lambda: "opens" not in browser.script(days)[0], 10)
    outside = browser.script("""
        return ['#house', '#week', '#queue', '#cues', '#layers', '#side-log', '#roll', '#strips'].filter((one) => {
          const box = document.querySelector(one).getBoundingClientRect();
          return box.width < 100 || box.height < 40 || box.top < 0 || box.bottom > innerHeight;
        });""")
    check(outside == [], f"not on the wide screen: {', '.join(outside)}")


def accessibility(browser, server, axe):
    """axe with all that a house has: a wish, a queue, songs that were found."""
    with open(axe) as file:
        library = file.read()
    for line in ("quieter 3 23:58", "queue-song gymnopedie-1", "queue-song blue-lantern"):
        server.command(line)
    found = []
    for size in SIZES:
        for scheme in ("dark", "light"):
            browser.show(size, scheme)
            browser.open(server.url)
            browser.view("now" if size != DESK else "mixer")
            browser.script("document.getElementById('changes').open = true")
            browser.find(does("find-song")).send_keys("e")
            browser.until("songs", "return document.querySelectorAll('#song-list li').length > 2")
            browser.until("a queue", f"return document.querySelectorAll('{does('unqueue')}').length === 2")
            browser.script(library)
            found += sight.audit(browser, f"house {size[0]} {scheme}")
            extra = browser.script("return document.documentElement.scrollWidth - innerWidth")
            if extra > 0:
                found.append(f"at {size[0]} pixels the house is {extra} too wide")
    server.command("as-planned")
    return found


def listed(browser, server):
    """Whoever does not know the songs sees them all; the queue is on a phone's first screen, and leads to them."""
    browser.show(SIZES[1])
    browser.open(server.url)
    browser.view("now")
    browser.until("the songs", "return document.querySelectorAll('#song-list li').length === arguments[0]"
                  .replace("arguments[0]", str(len(server.get("/api/songs")["songs"]))), 10)
    browser.script("scrollTo(0, 0)")
    box = browser.script("return document.querySelector('#queue-list li').getBoundingClientRect().bottom")
    check(box < browser.script("return document.querySelector('.bottom').getBoundingClientRect().top"),
          f"the queue is not on the first screen: {box}")
    browser.click(".to-songs")
    browser.until("they are seen", """const box = document.getElementById('find-song').getBoundingClientRect();
        return box.top >= 0 && box.bottom < innerHeight;""")


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
