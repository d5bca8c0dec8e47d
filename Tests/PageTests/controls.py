"""Every control of the page: what it does to the status, or to the page. One without a case is a failure."""

import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import Failure

CASES = {}
# What only a session with scenes, a set list, cues or tokens has: tested there.
ELSEWHERE = {"choose-sound", "find-sound", "sound", "scene", "patch-next", "patch-previous", "cue", "layer", "token", "login",
             "logout", "changes", "until", "music", "open-house", "close-house", "quieter", "as-planned", "unqueue", "clear-queue",
             "queue-song", "stage-next", "stage-previous", "to-songs", "part-next", "part-previous", "leave-stage",
             "edit-grid"}


def case(*names):
    def keep(function):
        for name in names:
            CASES[name] = function
        return function
    return keep


def does(name):
    return f'[data-does="{name}"]'


def changed(browser, server, name, read, view=None):
    """Clicks a control and waits until what it is for has another value."""
    if view:
        browser.view(view)
    before = read()
    browser.click(does(name))
    browser.until(f"{name} changes {before!r}", lambda: read() != before)


def song(server, key):
    return lambda: server.status()["song"][key]


@case("toggle", "loop", "slower", "faster", "lower", "higher")
def steer(browser, server, name):
    key = {"toggle": "isPlaying", "loop": "isLooping", "slower": "factor", "faster": "factor"}.get(name, "transpose")
    changed(browser, server, name, song(server, key), "now")
    if name == "toggle":
        changed(browser, server, name, song(server, key))


@case("stage-toggle")
def stage_steps(browser, server, name):
    browser.view("stage")
    for _ in range(2):
        changed(browser, server, name, song(server, "isPlaying"))
    browser.click(does("leave-stage"))


@case("next", "previous")
def songs(browser, server, name):
    server.command("seek 0")
    changed(browser, server, name, song(server, "number"))


def click_twice(browser, name):
    """What takes two touches."""
    browser.click(does(name))
    browser.until(f"{name} asks once more", f"return document.querySelector('{does(name)}').classList.contains('armed')")
    time.sleep(0.4)
    browser.click(does(name))


def armed(browser, server):
    """One touch of stop does nothing, nor do two of a finger that bounces; after three seconds it is as before."""
    browser.open(server.url)
    for line in ("seek 20", "play"):
        server.command(line)
    is_armed = "document.querySelector('[data-does=stop]').classList.contains('armed')"
    browser.until("it plays", lambda: server.status()["song"]["isPlaying"])
    browser.click(does("stop"))
    browser.script("document.querySelector('[data-does=stop]').click()")
    browser.until("stop asks once more", f"return {is_armed}")
    browser.until("stop is as before", f"return !{is_armed}", 5)
    if not server.status()["song"]["isPlaying"]:
        raise Failure("one touch has stopped the music")
    boxes = browser.script("""return ['toggle', 'stop', 'panic'].map((does) => {
        const box = document.querySelector(`[data-does=${does}]`).getBoundingClientRect();
        return [box.left, box.right]; });""")
    if min(abs(left - boxes[0][1]) for left, _ in boxes[1:]) < 60:
        raise Failure(f"stop or panic lies beside play: {boxes}")


@case("stop")
def stop(browser, server, name):
    server.command("seek 20")
    server.command("play")
    click_twice(browser, name)
    browser.until("the song stands at its beginning", lambda: not (now := server.status()["song"])["isPlaying"]
                  and now["seconds"] < 0.01)
    server.command("play")


@case("bar-back", "bar-on")
def bars(browser, server, name):
    browser.view("now")
    for line in ("pause", "seek bar 6"):
        server.command(line)
    browser.until("bar 6", lambda: server.status()["song"]["bar"] == 6)
    browser.click(does(name))
    wanted = 5 if name == "bar-back" else 7
    browser.until(f"bar {wanted}", lambda: server.status()["song"]["bar"] == wanted)
    server.command("play")


@case("seek")
def seek(browser, server, name):
    server.command("pause")
    browser.slide(does(name), 21.5)
    browser.until("the song is at 21.5 s", lambda: abs(server.status()["song"]["seconds"] - 21.5) < 0.3)
    server.command("play")


@case("volume")
def volume(browser, server, name):
    for value in (-17, 0):
        browser.slide(does(name), value)
        browser.until(f"volume {value} dB", lambda: abs(server.status()["volume"] - value) < 0.01)


def last_channel(server):
    """One that may be silent: a song's melody is rarely there."""
    return server.status()["channels"][-1]["number"]


@case("find-song", "play-song")
def find_song(browser, server, name):
    browser.view("now")
    field = browser.find(does("find-song"))
    browser.script("arguments[0].scrollIntoView({block: 'center'})", field)
    field.send_keys("drum groo")
    browser.until("one song", "return document.querySelectorAll('#song-list li').length === 1")
    if name == "play-song":
        click_twice(browser, name)
        browser.until("it plays", lambda: server.status()["song"]["name"] == "drum-groove.mid")
        server.command("play-song 1")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE)
    browser.until("all songs", "return document.querySelectorAll('#song-list li').length === 3")


@case("panic")
def panic(browser, server, name):
    server.command("pause")
    channel = last_channel(server)
    server.command(f"note {channel} 50 100 60s")
    held = {"channel": channel, "key": 50}
    browser.until("a note sounds", lambda: held in server.status()["notes"])
    click_twice(browser, name)
    browser.until("nothing sounds any more", lambda: held not in server.status()["notes"])
    server.command("play")


@case("mute", "solo")
def silence(browser, server, name):
    browser.view("mixer")
    channel = int(browser.find(".channel").get_attribute("data-channel"))
    key, selector = {"mute": "muted", "solo": "soloed"}[name], f'.channel {does(name)}'
    for is_on in (True, False):
        browser.click(selector)
        browser.until(f"{name} {is_on}", lambda: (channel in server.status()["song"][key]) == is_on)
        browser.until("the button shows it",
                      lambda: browser.find(selector).get_attribute("aria-pressed") == str(is_on).lower())


@case("fader")
def fader(browser, server, name):
    browser.view("mixer")
    channel = browser.find(".channel").get_attribute("data-channel")
    for value in (-9.5, 0):
        browser.slide(does(name), value)
        browser.until(f"gain {value} dB", lambda: abs(server.value(f"strip-{channel}.gain") - value) < 0.01)


@case("all-channels")
def all_channels(browser, server, name):
    browser.view("mixer")
    before = len(browser.all(".channel"))
    if before == len(server.status()["channels"]):
        return  # All of them play: there is nothing to choose.
    browser.click(does(name))
    browser.until("more strips", lambda: len(browser.all(".channel")) > before)
    browser.click(does(name))


def sounds(browser, server):
    """In a session that songs do not choose for."""
    browser.view("mixer")
    channel = int(browser.find(".channel").get_attribute("data-channel"))
    browser.click(does("choose-sound"))
    browser.until("the list of sounds", "return document.querySelectorAll('[data-does=sound]').length > 20")
    wanted = next(one for one in reversed(server.get("/api/sounds")["sounds"]) if not one["isDrums"])
    browser.find(does("find-sound")).send_keys(wanted["name"])
    browser.until("fewer sounds", "return document.querySelectorAll('[data-does=sound]').length < 20")
    browser.click(does("sound"))
    browser.until("the dialog closes", "return !document.getElementById('sounds').open")
    now = next(one for one in server.status()["channels"] if one["number"] == channel)
    found = [(one["bank"], one["program"]) for one in server.get("/api/sounds")["sounds"]
             if wanted["name"].lower() in one["name"].lower()]
    browser.until(f"channel {channel} has {wanted['name']}", lambda: any(
        (one["bank"], one["program"]) in found for one in server.status()["channels"] if one["number"] == channel))
    server.command(f"program {channel} {now['bank']} {now['program']}")


@case("close-sounds", "key-sound")
def close_sounds(browser, server, name):
    browser.view("keys")
    browser.click(does("key-sound"))
    browser.until("the dialog is open", "return document.getElementById('sounds').open")
    browser.click(does("close-sounds"))
    browser.until("the dialog is closed", "return !document.getElementById('sounds').open")


@case("key")
def key(browser, server, name):
    browser.view("keys")
    server.command("pause")
    channel = last_channel(server)
    browser.script("document.querySelector('[data-does=key-channel]').value = arguments[0]", str(channel))
    element = browser.find('[data-key="62"]')
    browser.script("arguments[0].scrollIntoView({block: 'center'})", element)
    held = {"channel": channel, "key": 62}
    actions = ActionChains(browser.driver)
    actions.move_to_element_with_offset(element, 0, 40).click_and_hold().perform()
    browser.until("the key sounds", lambda: held in server.status()["notes"])
    browser.until("the key is lit", "return document.querySelector('[data-key=\"62\"]').classList.contains('sounding')")
    actions.release().perform()
    browser.until("the key is silent", lambda: held not in server.status()["notes"])
    chord(browser, server, channel)
    server.command("play")


def chord(browser, server, channel):
    """Three fingers at once; one goes, two stay; then all go."""
    points = browser.script("""return [60, 64, 67].map((key, id) => {
        const box = document.querySelector(`[data-key="${key}"]`).getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.bottom - 20, id }; });""")
    browser.devtools("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
    held = lambda: sorted(note["key"] for note in server.status()["notes"] if note["channel"] == channel)
    for kind, fingers, keys in (
        ("touchStart", points, [60, 64, 67]), ("touchEnd", points[:1], [64, 67]), ("touchEnd", points[1:], []),
    ):
        browser.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=fingers)
        browser.until(f"keys {keys} sound", lambda: held() == keys)
    browser.devtools("Emulation.setTouchEmulationEnabled", enabled=False)


@case("key-channel")
def key_channel(browser, server, name):
    browser.view("keys")
    server.command("pause")
    browser.find(does(name)).send_keys(Keys.END)
    wanted = int(browser.find(does(name)).get_attribute("value"))
    browser.find('[data-does="key"][tabindex="0"]').send_keys(Keys.NULL)
    browser.script("document.querySelector('[data-does=key][tabindex=\"0\"]').focus()")
    ActionChains(browser.driver).key_down(Keys.SPACE).perform()
    browser.until(f"channel {wanted} sounds", lambda: wanted in {note["channel"] for note in server.status()["notes"]})
    ActionChains(browser.driver).key_up(Keys.SPACE).perform()
    browser.until("it ends", lambda: wanted not in {note["channel"] for note in server.status()["notes"]})
    server.command("play")


@case("octave-down", "octave-up")
def octave(browser, server, name):
    browser.view("keys")
    first = lambda: int(browser.find(does("key")).get_attribute("data-key"))
    before = first()
    browser.click(does(name))
    if first() - before != (12 if name == "octave-up" else -12):
        raise Failure(f"{name} has moved the keyboard from {before} to {first()}")


@case("keys-lower", "keys-higher")
def keys(browser, server, name):
    changed(browser, server, name, lambda: server.status()["keyTranspose"], "keys")


@case("metronome")
def metronome(browser, server, name):
    changed(browser, server, name, lambda: (server.status()["metronome"] or {}).get("isRunning"), "keys")
    server.command("metronome off")


@case("tempo-slower", "tempo-faster")
def tempo(browser, server, name):
    changed(browser, server, name, lambda: server.status()["tempo"], "keys")
    server.command("tempo 1")


@case("view")
def view(browser, server, name):
    for button in browser.all('.views [data-does="view"]'):
        if button.is_displayed():
            button.click()
            shown = button.get_attribute("data-view")
            if not browser.find(f"#{shown}").is_displayed():
                raise Failure(f"{shown} is not seen")


@case("find-parameter")
def find_parameter(browser, server, name):
    browser.view("sound")
    browser.until("units", "return document.querySelectorAll('.unit').length > 3")
    field = browser.find(does(name))
    field.send_keys("reverb decay")
    browser.until("one unit", "return [...document.querySelectorAll('.unit')].filter(one => !one.hidden).length === 1")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE)


@case("unit")
def unit(browser, server, name):
    browser.view("sound")
    browser.until("units", "return document.querySelectorAll('.unit').length > 3")
    selector = ".unit:nth-child(2)"
    before = browser.find(selector).get_attribute("open")
    browser.click(f"{selector} summary")
    if browser.find(selector).get_attribute("open") == before:
        raise Failure("a unit does not open")


def open_all(browser):
    browser.view("sound")
    browser.until("units", "return document.querySelectorAll('.unit').length > 3")
    browser.script("for (const one of document.querySelectorAll('.unit')) one.open = true")
    time.sleep(0.3)


@case("parameter-range")
def parameter_range(browser, server, name):
    open_all(browser)
    before = server.value("reverb.decay")
    for position, test in ((900, lambda value: value > 9), (300, lambda value: value < 1)):
        browser.slide('[data-setting="reverb.decay"]', position)
        browser.until(f"the decay of place {position}", lambda: test(server.value("reverb.decay")))
    time.sleep(0.3)
    server.command(f"set reverb.decay={before}")


@case("parameter-switch", "parameter-choice")
def parameter_switch(browser, server, name):
    open_all(browser)
    found = [one for one in browser.all(does(name)) if one.is_enabled()]
    if not found:
        return
    setting = found[0].get_attribute("data-setting")
    before, text = server.value(setting), server.value(setting, "text")
    browser.script("arguments[0].scrollIntoView({block: 'center'})", found[0])
    if name == "parameter-switch":
        found[0].click()
    else:
        options = found[0].find_elements(By.TAG_NAME, "option")
        next(one for one in options if not one.is_selected()).click()
    browser.until(f"{setting} changes", lambda: server.value(setting) != before)
    server.command(f"set {setting}={text}")


@case("reset-parameter")
def reset_parameter(browser, server, name):
    open_all(browser)
    initial = next(p["initial"] for u in server.get("/api/parameters")["units"] for p in u["parameters"]
                   if p["setting"] == "reverb.damping")
    server.command(f"set reverb.damping={initial / 2 + 3:g}")
    selector = '.parameter:has([data-setting="reverb.damping"]) [data-does="reset-parameter"]'
    browser.until("it can be reset", lambda: browser.find(selector).is_enabled())
    browser.click(selector)
    browser.until("as it began", lambda: abs(server.value("reverb.damping") - initial) < 1e-3)


def note_place(browser):
    """The middle of a note that is drawn, from the middle of the roll on, as an offset from the roll's middle."""
    browser.until("the roll has notes", """
        return import('/page/roll.js').then(({ noteAt }) => {
          const roll = document.getElementById('roll'), [wide, high] = [roll.clientWidth, roll.clientHeight];
          for (let x = wide / 2; x < wide - 40; x += 3) for (let y = 24; y < high * 0.8; y += 2) {
            const found = noteAt(x, y);
            if (found && !found.isEnd && found.note[2] % 16 !== 10
                && [-2, 2].every((away) => noteAt(x + away, y + away / 2)?.note === found.note)) {
              window.noteFound = [x - wide / 2, y - high / 2];
              return true;
            }
          }
          return false;
        })""")
    return browser.script("return window.noteFound")


@case("edit", "edit-undo", "edit-redo", "edit-quantise", "edit-save", "note-velocity", "note-delete")
def edit(browser, server, name):
    browser.view("now")
    server.command("pause")
    server.command("seek 4")
    if browser.find(does("edit")).get_attribute("aria-pressed") == "false":
        browser.click(does("edit"))
    roll = browser.find("#roll")
    browser.script("arguments[0].scrollIntoView({block: 'center'})", roll)

    def notes():
        return server.get("/api/notes?from=0&to=20")["notes"]

    def grip():
        x, y = note_place(browser)
        return ActionChains(browser.driver).move_to_element_with_offset(roll, round(x), round(y))

    def chosen():
        # What was undone just now is still drawn for a moment.
        grip().click().perform()
        return browser.script("return document.getElementById('edit-note').textContent.startsWith('Channel')")

    before = notes()
    browser.until("a note is chosen", chosen)
    if name == "edit-save":
        browser.click(does(name))
        browser.until("an answer as a sentence", "return document.querySelector('.passing .notice') !== null")
        close_notices(browser)
    elif name == "edit-quantise":
        browser.script("document.getElementById('edit-grid').value = '1/4'")
        changed(browser, server, name, notes)
    elif name == "note-velocity":
        browser.slide(does(name), 33)
        browser.until("one note has another velocity", lambda: sum(one != other for one, other in zip(before, notes())) == 1)
    elif name == "edit":
        # A drag to the right moves it.
        grip().click_and_hold().move_by_offset(20, 0).release().perform()
        browser.until("a note moves", lambda: sorted(note[:1] + note[2:] for note in notes()) != sorted(
            note[:1] + note[2:] for note in before))
    else:
        browser.click(does("note-delete"))
        browser.until("a note less", lambda: len(notes()) == len(before) - 1)
    while server.get("/api/song")["canUndo"]:
        left = server.get("/api/song")["canUndo"]
        browser.until("undo can be pressed", f"return !document.querySelector('{does('edit-undo')}').disabled")
        browser.click(does("edit-undo"))
        browser.until("undo", lambda: server.get("/api/song")["canUndo"] < left)
    if notes() != before:
        raise Failure("undo does not bring the notes back")
    if name == "edit-redo":
        browser.until("redo can be pressed", f"return !document.querySelector('{does('edit-redo')}').disabled")
        changed(browser, server, name, notes)
        server.command("edit undo")
    browser.click(does("edit"))


@case("save-recording", "save-patch")
def save(browser, server, name):
    browser.view("system")
    browser.click(does(name))
    browser.until("an answer as a sentence", "return document.querySelector('.passing .notice') !== null")
    close_notices(browser)


def close_notices(browser):
    browser.script("for (const one of document.querySelectorAll('.passing .close')) one.click()")


@case("close-notice")
def close_notice(browser, server, name):
    browser.view("system")
    close_notices(browser)
    browser.click(does("save-recording"))
    browser.until("a notice", "return document.querySelector('.passing .notice') !== null")
    browser.find(does(name)).click()
    browser.until("no notice", "return document.querySelector('.passing .notice') === null")


@case("loop-go", "loop-undo", "loop-stop", "loop-clear")
def loops(browser, server, name):
    state = lambda: (server.status()["loops"] or [{"state": "empty"}])[0]["state"]
    browser.view("now")
    browser.until("an empty loop", lambda: state() == "empty")
    for wanted in ("recording", "playing", "overdubbing"):
        browser.click(does("loop-go"))
        browser.until(f"the loop is {wanted}", lambda: state() == wanted, 15)
        time.sleep(0.5)
    if name == "loop-undo":
        changed(browser, server, name, lambda: server.status()["loops"][0]["undone"])
    elif name == "loop-stop":
        browser.click(does(name))
        browser.until("the loop has stopped", lambda: state() == "stopped", 15)
    server.command("looper stop 1")
    if name == "loop-clear":
        browser.click(does(name))
        time.sleep(0.4)
        browser.click(does(name))
        browser.until("the loop is gone", lambda: state() == "empty", 15)
    server.command("looper clear 1")


# MARK: what only other sessions have

def scenes(browser, server):
    browser.view("now")
    for pad in browser.all(does("scene")):
        name = pad.get_attribute("data-name")
        browser.script("arguments[0].scrollIntoView({block: 'center'})", pad)
        pad.click()
        browser.until(f"scene {name}", lambda: server.status()["scene"] == name)
        browser.until("the pad shows it", lambda: pad.get_attribute("aria-pressed") == "true")


def set_list(browser, server):
    browser.view("now")
    for name in ("patch-next", "patch-previous"):
        browser.until(f"{name} can be pressed", lambda: browser.find(does(name)).is_enabled(), 20)
        before = server.status()["patches"]["number"]
        browser.click(does(name))
        browser.until(name, lambda: server.status()["patches"]["number"] != before, 20)


def stage(browser, server):
    browser.view("stage")
    browser.until("a set list", lambda: server.status()["patches"], 60)
    browser.until("the patch", lambda: browser.find("#stage-name").text == server.status()["patches"]["name"])
    browser.until("zones", lambda: len(browser.script("return [...document.querySelectorAll('#stage-zones li')]")) > 0
                  or not server.status()["zones"])
    for name in ("stage-next", "stage-previous"):
        browser.until(f"{name} can be pressed", lambda: browser.find(does(name)).is_enabled(), 20)
        before = server.status()["patches"]["number"]
        browser.click(does(name))
        browser.until(name, lambda: server.status()["patches"]["number"] != before, 20)
    browser.click(does("leave-stage"))
    browser.until("the other views", "return document.body.dataset.view === 'mixer'")


def cues(browser, server):
    browser.view("now")
    is_playing = lambda: server.status()["house"]["cues"][0]["isPlaying"]
    browser.until("a cue", f"return document.querySelector('{does('cue')}') !== null")
    browser.click(does("cue"))
    browser.until("the cue plays", is_playing, 15)
    browser.until("the pad shows it", lambda: browser.find(does("cue")).get_attribute("aria-pressed") == "true")


def layers(browser, server):
    browser.view("now")
    state = lambda: server.status()["layers"][0]["state"]
    browser.until("a layer", f"return document.querySelector('{does('layer')}') !== null")
    pad = lambda: browser.find(does("layer"))
    for wanted, pressed in ((("coming", "on"), "true"), (("going", "off"), "false")):
        browser.click(does("layer"))
        browser.until(f"the layer is {wanted[0]}", lambda: state() in wanted, 15)
        browser.until("the pad shows it", lambda: pad().get_attribute("aria-pressed") == pressed)
    browser.until("its bar is over", lambda: state() == "off", 20)
    browser.until("the pad is called as before", lambda: pad().text == "beat")


def uncovered(browser):
    """Names of controls that no case covers, and controls without a name, in every view and dialog."""
    names = browser.script("""
        return [...document.querySelectorAll('button, input, select, textarea, summary, a[href]')]
          .map((one) => one.dataset.does ?? `an element without data-does: ${one.outerHTML.slice(0, 80)}`);""")
    return sorted({name for name in names if name not in CASES and name not in ELSEWHERE})
