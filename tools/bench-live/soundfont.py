"""A SoundFont for measuring: preset 0 is a blow whose first sample is its loudest, preset 1 a tone that sounds as long
as its key is down, with neither attack nor release. Effects send nothing, velocity and filter change nothing."""
import math
import struct

RATE = 48000


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def text(value, size=20):
    return value.encode().ljust(size, b"\0")


def write(path):
    blow = [(1 if i // 12 % 2 == 0 else -1) * (1 - i / 1440) for i in range(1440)]     # 2 kHz, 30 ms
    tone = [math.sin(math.tau * i / 48) for i in range(960)]                           # 1 kHz
    samples, headers = [], b""
    for name, wave in (("blow", blow), ("tone", tone)):
        start = len(samples)
        samples += [round(32000 * x) for x in wave]
        end = len(samples)
        samples += [0] * 64
        headers += text(name) + struct.pack("<IIIIIBbHH", start, end, start + 48, end - 48, RATE, 60, 0, 0, 1)
    headers += text("EOS") + bytes(26)

    presets = b"".join(text(name) + struct.pack("<HHHIII", number, 0, number, 0, 0, 0)
                       for number, name in enumerate(("blow", "tone")))
    presets += text("EOP") + struct.pack("<HHHIII", 0, 0, 2, 0, 0, 0)
    instruments = b"".join(text(name) + struct.pack("<H", number)
                           for number, name in enumerate(("blow", "tone", "EOI")))
    scale_tuning, sample_modes, sample_id, instrument = 56, 54, 53, 41
    generators = b"".join(struct.pack("<HH", *pair) for pair in (
        (scale_tuning, 0), (sample_modes, 0), (sample_id, 0),
        (sample_modes, 1), (sample_id, 1), (0, 0)))
    data = b"".join((
        chunk(b"phdr", presets),
        chunk(b"pbag", struct.pack("<6H", 0, 0, 1, 0, 2, 0)),
        chunk(b"pmod", bytes(10)),
        chunk(b"pgen", struct.pack("<6H", instrument, 0, instrument, 1, 0, 0)),
        chunk(b"inst", instruments),
        chunk(b"ibag", struct.pack("<6H", 0, 0, 3, 0, 5, 0)),
        chunk(b"imod", bytes(10)),
        chunk(b"igen", generators),
        chunk(b"shdr", headers)))
    info = chunk(b"ifil", struct.pack("<HH", 2, 1)) + chunk(b"isng", b"EMU8000\0") + chunk(b"INAM", b"Measure\0")
    body = b"".join((chunk(b"LIST", b"INFO" + info),
                     chunk(b"LIST", b"sdta" + chunk(b"smpl", struct.pack(f"<{len(samples)}h", *samples))),
                     chunk(b"LIST", b"pdta" + data)))
    with open(path, "wb") as file:
        file.write(chunk(b"RIFF", b"sfbk" + body))
