"""A song on sixteen channels, and the patch that plays songs with an insert on every channel."""
import re
import subprocess

import songs

CHANNELS = 16
BARS = 24
KINDS = ["equalizer", "compressor", "distortion"]
"""Inserts that are measured, from the cheapest to the dearest."""


def song(path):
    """Sixteen channels at 120, two notes on each in every beat; as dense all the way through, so that no channel rests."""
    chords = [(48, 55, 60, 64), (45, 52, 57, 60), (41, 48, 53, 57), (43, 50, 55, 59)]
    events = []
    for channel in range(CHANNELS):
        events.append((0, bytes([0xC0 | channel, (channel * 8) % 120])))
        for beat in range(4 * BARS):
            chord = chords[beat // 4 % 4]
            for turn in range(2):
                key = 36 + channel % 4 if channel == 9 else chord[(channel + beat + turn) % 4] + 12 * (channel % 3)
                start = 480 * beat + 240 * turn
                events.append((start, bytes([0x90 | channel, key, 70 + channel])))
                events.append((start + 220, bytes([0x80 | channel, key, 64])))
    track, last = b"", 0
    for tick, message in sorted(events, key=lambda event: event[0]):
        track += songs.quantity(tick - last) + message
        last = tick
    track += b"\x00\xff\x2f\x00"
    with open(path, "wb") as file:
        file.write(b"MThd\x00\x00\x00\x06\x00\x00\x00\x01\x01\xe0MTrk" + len(track).to_bytes(4, "big") + track)


def patch(carillon, kind, path):
    """What plays a song when no patch is named, with one `kind` before the strip of every channel."""
    text = subprocess.run([carillon, "patch", "new", "general-midi"], check=True, capture_output=True, text=True).stdout
    units = "".join(f"  insert-{channel}: {{unit: {kind}}}\n" for channel in range(1, CHANNELS + 1))
    text = text.replace("\nunits:\n", "\nunits:\n" + units, 1)
    text, count = re.subn(r"(- soundfont(?:\[channel-\d+\])?) -> (strip-(\d+))\n", r"\1 -> insert-\3 -> \2\n", text)
    if count != CHANNELS:
        raise SystemExit(f"bench: the patch has {count} channels that lead to a strip, {CHANNELS} were expected")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
