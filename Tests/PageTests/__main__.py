"""The tests of the page, in a real browser against a real server: see tools/page-test --help."""

import argparse
import os
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import awake
import controls
import endurance
import houses
import sight
from browser import DESK, PHONE, Browser, Failure, Server
from sessions import Sessions

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FULL, READER = "abcdefghijklmnop0123456789full", "abcdefghijklmnop0123456789read"


class Run:
    """Counts what holds and what does not."""

    def __init__(self, only):
        self.only, self.passed, self.failed = only, 0, 0

    def test(self, name, body):
        if self.only and self.only not in name:
            return
        try:
            figure = body()
            self.passed += 1
            print(f"passed  {name}{'' if figure is None else ': ' + figure}", flush=True)
        except Exception as error:  # A test that breaks is a test that fails; the others go on.
            self.failed += 1
            place = traceback.extract_tb(error.__traceback__)[-1 if isinstance(error, Failure) else 1]
            text = str(error).split("Stacktrace", maxsplit=1)[0].strip()
            print(f"FAILED  {name}: {text} ({os.path.basename(place.filename)}:{place.lineno})", flush=True)


def song_tests(run, browser, server, options, session=None):
    """What a session with songs is good for, which is nearly everything."""
    run.test("every control has a case", lambda: every_control(browser, server))
    for size in (PHONE, DESK):
        browser.show(size)
        browser.open(server.url)
        for name, body in controls.CASES.items():
            # What one that failed has left open is not the next one's.
            browser.script("for (const one of document.querySelectorAll('dialog[open]')) one.close()")
            run.test(f"{name} at {size[0]}", lambda: body(browser, server, name))
    for test in (
        sight.width, sight.sideways, sight.wide, sight.roll, sight.keyboard_only, controls.armed, endurance.hidden,
        awake.awake, awake.refused,
    ):
        run.test(test.__name__.replace("_", " "), lambda: test(browser, server))
    run.test("one finger sends no flood", lambda: f"{endurance.sends(browser, server)} lines for 101 movements")
    run.test("axe", lambda: no_findings(sight.accessibility(browser, server, options.axe)))
    run.test("first contentful paint", lambda: f"{sight.paint(browser, server):.0f} ms")
    run.test("another surface's change", lambda: "median {:.0f} ms, worst {:.0f} ms of 50".format(
        *endurance.latency(browser, server)))
    run.test("heap", lambda: "{:.2f} MB, then {:.2f} MB, {} elements, {} min".format(
        *endurance.heap(browser, server, options.minutes), options.minutes))
    if session:
        run.test("reconnection", lambda: f"{endurance.reconnection(browser, server, session):.1f} s")
    if options.pictures:
        run.test("pictures", lambda: sight.pictures(browser, server, options.pictures))
    run.test("nothing in the console", lambda: no_findings(
        [line for line in browser.faults() if "ERR_CONNECTION_REFUSED" not in line and "WebSocket" not in line]))


def every_control(browser, server):
    browser.show(PHONE)
    browser.open(server.url)
    for view in sight.VIEWS:
        browser.view(view)
    controls.open_all(browser)
    browser.view("mixer")
    browser.click('[data-does="choose-sound"]')
    no_findings(controls.uncovered(browser))
    browser.click('[data-does="close-sounds"]')
    return f"{len(controls.CASES) + len(controls.ELSEWHERE)} kinds"


def no_findings(found):
    if found:
        raise Failure("\n        " + "\n        ".join(found))


def all_sessions(run, browser, options):
    sessions = Sessions(options.carillon, options.gateway, ROOT)
    kinds = {
        "songs": lambda session: song_tests(run, browser, Server(session.url), options, session),
        "live": lambda session: live_tests(run, browser, Server(session.url)),
        "keys": lambda session: run.test("sounds", lambda: seen(browser, session, controls.sounds)),
        "house": lambda session: house_tests(run, browser, session, options),
        "closed": lambda session: run.test("closed house", lambda: houses.closed(browser, Server(session.url))),
        "guarded": lambda session: run.test("tokens", lambda: endurance.tokens(
            browser, Server(session.url, FULL), FULL, READER)),
    }
    for kind, body in kinds.items():
        if options.session not in (None, kind):
            continue
        session = sessions.start(kind)
        try:
            body(session)
        finally:
            session.end()


def live_tests(run, browser, server):
    browser.show(PHONE)
    browser.open(server.url)
    run.test("scenes", lambda: controls.scenes(browser, server))
    run.test("set list", lambda: controls.set_list(browser, server))
    run.test("stage", lambda: controls.stage(browser, server))


def house_tests(run, browser, session, options):
    # A cue's song takes the place of the music: it comes last.
    for test in (
        houses.steward, houses.listed, houses.states, houses.days, houses.wants, houses.week, houses.wishes, houses.side, houses.queue,
        houses.stopped, houses.between,
    ):
        run.test(f"house {test.__name__}", lambda: test(browser, Server(session.url)))
    run.test("house axe", lambda: no_findings(houses.accessibility(browser, Server(session.url), options.axe)))
    if options.pictures:
        run.test("house pictures", lambda: sight.pictures(browser, Server(session.url), options.pictures))
    run.test("layers", lambda: seen(browser, session, controls.layers))
    run.test("cues", lambda: seen(browser, session, controls.cues))


def seen(browser, session, test):
    browser.show(PHONE)
    browser.open(session.url)
    test(browser, Server(session.url))


def main():
    parser = argparse.ArgumentParser(prog="tools/page-test", description="Tests the page in a browser.")
    parser.add_argument("--url", help="a server that runs already, with songs; without it sessions are started")
    parser.add_argument("--token", help="a token of that server's")
    parser.add_argument("--filter", help="only the tests whose names have this in them")
    parser.add_argument("--session", choices=("songs", "live", "keys", "house", "closed", "guarded"), help="only the tests of this session")
    parser.add_argument("--minutes", type=float, default=0.5, help="how long the heap is watched (default: 0.5)")
    parser.add_argument("--pictures", help="a folder for pictures of every view")
    parser.add_argument("--axe", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--carillon", help="the program to start")
    parser.add_argument("--gateway", help="the gateway to start")
    options = parser.parse_args()
    run, browser = Run(options.filter), Browser()
    try:
        if options.url:
            song_tests(run, browser, Server(options.url, options.token), options)
        else:
            all_sessions(run, browser, options)
    finally:
        browser.end()
    print(f"{run.passed} passed, {run.failed} failed")
    return 0 if run.failed == 0 and run.passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
