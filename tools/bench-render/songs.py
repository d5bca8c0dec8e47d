"""Songs that tools/bench renders: those of this package, repeated, one of a single note, one of twenty parts and one of far too
many notes."""


def quantity(value):
    """A variable-length quantity."""
    data = [value & 0x7F]
    while value > 0x7F:
        value >>= 7
        data.insert(0, value & 0x7F | 0x80)
    return bytes(data)


def read_quantity(data, at):
    value = 0
    while True:
        value = value << 7 | data[at] & 0x7F
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def events(track):
    """(tick, bytes) of a track, with full status bytes, without its End of Track; and its last tick."""
    at, tick, status, found = 0, 0, 0, []
    while at < len(track):
        delta, at = read_quantity(track, at)
        tick += delta
        if track[at] in (0xFF, 0xF0, 0xF7):
            start = at
            at += 2 if track[at] == 0xFF else 1
            length, at = read_quantity(track, at)
            at += length
            if track[start:start + 2] == b"\xff\x2f":
                break
            found.append((tick, track[start:at]))
            continue
        if track[at] >= 0x80:
            status = track[at]
            at += 1
        length = 1 if status & 0xE0 == 0xC0 else 2
        found.append((tick, bytes([status]) + track[at:at + length]))
        at += length
    return found, tick


def repeat(source, target, times):
    """Writes the song `times` times in a row."""
    data = open(source, "rb").read()
    tracks, at = [], 14
    while at < len(data):
        length = int.from_bytes(data[at + 4:at + 8], "big")
        if data[at:at + 4] == b"MTrk":
            tracks.append(events(data[at + 8:at + 8 + length]))
        at += 8 + length
    end = max(last for _, last in tracks)
    with open(target, "wb") as file:
        file.write(data[:14])
        for found, _ in tracks:
            body, previous = b"", 0
            for turn in range(times):
                for tick, event in found:
                    body += quantity(turn * end + tick - previous) + event
                    previous = turn * end + tick
            body += quantity(times * end - previous) + b"\xff\x2f\x00"
            file.write(b"MTrk" + len(body).to_bytes(4, "big") + body)


def one_track(target, division, body):
    """Writes a song of one track, whose events `body` has, without its End of Track."""
    body += b"\x00\xff\x2f\x00"
    head = b"MThd\0\0\0\6\0\0\0\1" + division.to_bytes(2, "big")
    with open(target, "wb") as file:
        file.write(head + b"MTrk" + len(body).to_bytes(4, "big") + body)


def one_note(target):
    one_track(target, 96, bytes([0, 0x90, 60, 100, 96, 0x80, 60, 0]))


def black(target, seconds=60):
    """Black MIDI: a hundred notes a second on one channel, runs and clusters over all keys, held by a pedal that is pressed anew
    each second; 960 ticks a second."""
    state, body, previous = 30, b"", 0
    moves = [(0, bytes([0xC0, 0]))]
    for second in range(seconds):
        moves += [(960 * second, bytes([0xB0, 64, 0])), (960 * second + 1, bytes([0xB0, 64, 127]))]
    for number in range(100 * seconds):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        key = 21 + (number * 5 + (state >> 16) % 24) % 88
        start = 960 * number // 100
        moves += [(start, bytes([0x90, key, 40 + (state >> 8) % 88])), (start + 90, bytes([0x80, key, 0]))]
    for tick, event in sorted(moves, key=lambda move: move[0]):
        body += quantity(tick - previous) + event
        previous = tick
    one_track(target, 480, body)


ORCHESTRA = [73, 68, 71, 70, 60, 60, 56, 57, 57, 47, 46, 14, 48, 48, 48, 41, 41, 42, 43, 52]
"""The programs of twenty parts: woodwind, divided brass, timpani, harp, bells, divided strings, choir."""


def orchestra(target, seconds=90):
    """A dense song of twenty parts, a track each: chords of two and three notes in rhythms of their own, with crescendos, 960 ticks
    a second. There are fifteen channels beside that of the drums: divided ones share one."""
    channels = dict(zip(dict.fromkeys(ORCHESTRA), [*range(9), *range(10, 16)]))
    tracks = [b"\x00\xff\x51\x03\x07\xa1\x20\x00\xff\x2f\x00"]
    for part, program in enumerate(ORCHESTRA):
        channel, length = channels[program], (240, 480, 960, 1920)[part % 4]
        moves = [(0, bytes([0xC0 | channel, program])), (0, bytes([0xB0 | channel, 10, 6 * part + 4]))]
        for tick in range(0, 960 * seconds, 240):
            moves.append((tick, bytes([0xB0 | channel, 11, 60 + (tick // 240 * (part + 3)) % 60])))
        for number, tick in enumerate(range(0, 960 * seconds, length)):
            root = 36 + part % 4 * 12 + (0, 9, 5, 7)[tick // 1920 % 4]
            for key in (root, root + 4, root + 7)[:2 + part % 2]:
                key += 12 * (number % 2)
                moves += [(tick + 1, bytes([0x90 | channel, key, 50 + (7 * number + part) % 60])),
                          (tick + length, bytes([0x80 | channel, key, 0]))]
        body, previous = b"", 0
        for tick, event in sorted(moves, key=lambda move: move[0]):
            body += quantity(tick - previous) + event
            previous = tick
        tracks.append(body + b"\x00\xff\x2f\x00")
    with open(target, "wb") as file:
        file.write(b"MThd\0\0\0\6\0\1" + len(tracks).to_bytes(2, "big") + (480).to_bytes(2, "big"))
        for body in tracks:
            file.write(b"MTrk" + len(body).to_bytes(4, "big") + body)
