// Examples that each show an effect at work.

extension PatchExample {
    static let sweptLead = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, pulse-width: 25 %, release: 200 ms}
          filter: {type: low-pass, slope: 24-db, cutoff: 1.2 kHz, resonance: 4}
          strip-1: {unit: channel-strip, role: strip, gain: -3 dB, reverb-send: 0.2}
          reverb: {role: send, decay: 1.2 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - lead -> filter -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        controllers:
          # The first knob of most keyboards: the cutoff, from the bass to the brilliance.
          sweep: {control: 74, parameter: filter.cutoff, from: 100 Hz, to: 8 kHz}
        """

    static let pumpingPad = """
        version: 1
        units:
          pad: {unit: square-wave, role: instrument, parts: 1, attack: 300 ms, sustain: 100 %, release: 1 s, gain: -18 dB}
          bass: {unit: square-wave, role: instrument, parts: 2, pulse-width: 35 %, decay: 200 ms, sustain: 0 %, gain: -15 dB}
          compressor: {key: on, threshold: -36 dB, ratio: 8, attack: 2 ms, release: 250 ms}
          strip-1: {unit: channel-strip, role: strip, parts: 1, reverb-send: 0.3}
          strip-2: {unit: channel-strip, role: strip, parts: 2}
          reverb: {role: send, decay: 2 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
          limiter: {role: master}
        connections:
          - pad -> compressor -> strip-1 -> mixer -> limiter
          - bass -> compressor[key]
          - bass -> strip-2
          - strip-2 -> mixer[1]
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[2]
        outputs: limiter
        """

    static let gatedHall = """
        version: 1
        units:
          drum: {unit: square-wave, role: instrument, decay: 150 ms, sustain: 0 %, release: 50 ms, gain: -12 dB}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 1}
          reverb: {role: send, decay: 3 s, level: 0 dB}
          gate: {key: on, threshold: -24 dB, range: 120 dB, hold: 200 ms, release: 30 ms}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - drum -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> gate -> mixer[1]
          - strip-1 -> gate[key]
        outputs: limiter
        """

    static let fuzzLead = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, pulse-width: 50 %, decay: 2 s, sustain: 40 %, release: 150 ms}
          distortion: {curve: tube, drive: 24 dB, tone: 4 kHz, output: -9 dB, mix: 80 %}
          strip-1: {unit: channel-strip, role: strip, gain: -3 dB, reverb-send: 0.25}
          reverb: {role: send, decay: 1.4 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - lead -> distortion -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let cellarOrgan = """
        version: 1
        units:
          organ: {unit: square-wave, role: instrument, attack: 20 ms, sustain: 100 %, velocity-curve: 0, gain: -20 dB}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.5}
          cellar: {unit: convolver, role: send, decay: 3.2 s, pre-delay: 15 ms}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - organ -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> cellar
          - cellar -> mixer[1]
        outputs: limiter
        """

    static let tenSliders = """
        version: 1
        units:
          piano: {unit: soundfont, role: instrument, parts: 1}
          equalizer:
            unit: graphic-equalizer
            gain: [4 dB, 3 dB, 1 dB, 0 dB, -2 dB, -2 dB, 0 dB, 1 dB, 3 dB, 4 dB]
          strip-1: {unit: channel-strip, role: strip, parts: 1, gain: 6 dB, reverb-send: 0.25}
          reverb: {role: send, decay: 1.8 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - piano -> equalizer -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """
}
