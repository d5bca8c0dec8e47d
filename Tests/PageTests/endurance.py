"""Figures: how soon the page shows what another surface did, what it does with memory, and how it comes back."""

import time

from browser import DESK, PHONE, Failure

# Watches the volume's text inside the page, and says when it became what was wanted.
WATCH = """
    const [wanted, line, done] = arguments, output = document.getElementById('volume-text');
    const begin = performance.now();
    fetch('/api/command', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: line });
    const watch = new MutationObserver(() => {
      if (output.textContent !== wanted) return;
      watch.disconnect();
      requestAnimationFrame(() => done(performance.now() - begin));
    });
    watch.observe(output, { childList: true, characterData: true, subtree: true });
    setTimeout(() => done(-1), 3000);"""


def latency(browser, server, count=50):
    """Milliseconds from a command of another surface to the frame that shows it: median and worst."""
    browser.show(PHONE)
    browser.open(server.url)
    times = []
    for number in range(count):
        value = -(number % 10) - 1
        text = f"{value:.1f} dB".replace("-", "−")
        times.append(browser.driver.execute_async_script(WATCH, text, f"volume {value}dB"))
        time.sleep(0.1)
    server.command("volume 0")
    if min(times) < 0:
        raise Failure("a change of another surface was never shown")
    times.sort()
    return times[count // 2], times[-1]


def heap(browser, server, minutes):
    """Megabytes of the heap after a collection: after a beginning, and at the end; elements of the page."""
    browser.show(DESK)
    browser.open(server.url)
    server.command("play")
    browser.view("mixer")
    browser.devtools("HeapProfiler.enable")
    warm = min(20, minutes * 15)
    time.sleep(warm)
    before, nodes = used(browser), browser.script("return document.querySelectorAll('*').length")
    end = time.monotonic() + minutes * 60 - warm
    views = ["mixer", "keys", "sound", "system"]
    while time.monotonic() < end:
        views.append(views.pop(0))
        browser.view(views[0])
        time.sleep(min(5, max(0.2, end - time.monotonic())))
    browser.view("mixer")
    after = used(browser)
    if after > before * 1.25 + 1e6:
        raise Failure(f"the heap grew from {before / 1e6:.2f} to {after / 1e6:.2f} MB in {minutes} minutes")
    return before / 1e6, after / 1e6, nodes


def used(browser):
    for _ in range(3):
        browser.devtools("HeapProfiler.collectGarbage")
        time.sleep(0.3)
    return browser.devtools("Runtime.getHeapUsage")["usedSize"]


def hidden(browser, server):
    """A page behind another one draws nothing."""
    browser.show(DESK)
    browser.open(server.url)
    server.command("play")
    browser.script("""
        window.strokes = 0;
        const clear = CanvasRenderingContext2D.prototype.clearRect;
        CanvasRenderingContext2D.prototype.clearRect = function (...box) { window.strokes += 1; clear.apply(this, box); };""")
    time.sleep(0.5)
    if browser.script("return window.strokes") == 0:
        raise Failure("the page draws nothing while it is seen")
    browser.script("""
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
        document.dispatchEvent(new Event('visibilitychange')); window.strokes = 0;""")
    time.sleep(1)
    strokes = browser.script("return window.strokes")
    if strokes > 0:
        raise Failure(f"a hidden page has drawn {strokes} times in a second")
    browser.script("delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); window.strokes = 0;")
    time.sleep(0.5)
    if browser.script("return window.strokes") == 0:
        raise Failure("a page that is seen again draws nothing")


def sends(browser, server):
    """A finger that drags for a second sends twenty lines at most, and the last value arrives."""
    browser.show(PHONE)
    browser.open(server.url)
    count = browser.driver.execute_async_script("""
        const done = arguments[0], send = WebSocket.prototype.send, input = document.getElementById('volume');
        let count = 0;
        WebSocket.prototype.send = function (text) { count += 1; send.call(this, text); };
        input.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        let step = 0;
        const timer = setInterval(() => {
          input.value = -step / 10;
          input.dispatchEvent(new Event('input', { bubbles: true }));
          if ((step += 1) <= 100) return;
          clearInterval(timer);
          input.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
          setTimeout(() => { WebSocket.prototype.send = send; done(count); }, 300);
        }, 10);""")
    browser.until("the last value arrives", lambda: abs(server.status()["volume"] + 10) < 0.01)
    server.command("volume 0")
    if not 5 <= count <= 30:
        raise Failure(f"a drag of one second has sent {count} lines")
    return count


def reconnection(browser, server, session):
    """The gateway goes and comes back: the page says so, and goes on by itself. Seconds until it is there again."""
    browser.show(PHONE)
    browser.open(server.url)
    session.close_door()
    browser.until("the banner", "return document.querySelector('.standing .fault')?.textContent.includes('Not connected')")
    time.sleep(2)
    session.open_door()
    begin = time.monotonic()
    browser.until("the page is connected again", "return document.getElementById('connection').dataset.state === 'open'", 12)
    seconds = time.monotonic() - begin
    # A busy computer may have another thing to say.
    browser.until("the banner goes", "return !document.querySelector('.standing').textContent.includes('Not connected')")
    before = server.status()["song"]["isPlaying"]
    browser.click('[data-does="toggle"]')
    browser.until("the controls work again", lambda: server.status()["song"]["isPlaying"] != before)
    server.command("play")
    return seconds


def tokens(browser, server, full, reader):
    """Without a token the page asks for one; a reader's leaves the controls off; a full one steers; log out asks again."""
    browser.show(PHONE)
    browser.open(server.url, is_ready=False)
    for token, state in (("wrong" * 6, None), (reader, True), (full, False)):
        browser.until("the page asks for a token", "return document.getElementById('login').open")
        field = browser.find('[data-does="token"]')
        field.clear()
        field.send_keys(token)
        browser.click('[data-does="login"]')
        if state is None:
            browser.until("a wrong token is told", "return document.getElementById('login-fault').textContent !== ''")
            continue
        browser.until("the dialog closes", "return !document.getElementById('login').open")
        browser.until(f"reader: {state}", f"return document.querySelector('.transport').disabled === {str(state).lower()}")
        if state:
            browser.find('[data-does="find-song"]').send_keys("drum")
            browser.until("a reader finds songs", "return document.querySelectorAll('#song-list button').length === 1")
            if browser.find('[data-does="play-song"]').is_enabled():
                raise Failure("a reader can play a song")
        else:
            before = server.status()["song"]["isPlaying"]
            browser.until("play can be pressed", lambda: browser.find('[data-does="toggle"]').is_enabled())
            browser.click('[data-does="toggle"]')
            browser.until("it steers", lambda: server.status()["song"]["isPlaying"] != before)
        browser.view("system")
        browser.click('[data-does="logout"]')
