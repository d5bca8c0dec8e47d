// Examples with synthesized voices.

extension PatchExample {
    static let analogPad = """
        version: 1
        units:
          pad:
            {unit: polysynth, role: instrument, osc-2-fine: 11 cents, osc-1-level: 70 %, osc-2-level: 70 %, cutoff: 500 Hz,
            resonance: 10 %, filter-envelope: 30 semitones, attack: 600 ms, decay: 2 s, sustain: 80 %, release: 1.8 s,
            filter-attack: 1.2 s, filter-decay: 3 s, filter-sustain: 40 %, filter-release: 2 s, lfo-rate: 0.4 Hz,
            source: [random, velocity, pressure, lfo], destination: [pan, cutoff, cutoff, cutoff],
            amount: [50 %, 15 %, 20 %, 8 %]}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.4}
          reverb: {role: send, decay: 3.5 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - pad -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let analogBass = """
        version: 1
        units:
          bass:
            {unit: polysynth, role: instrument, mode: legato, glide: 80 ms, osc-1-shape: saw, osc-1-octave: -1,
            osc-2-shape: square, osc-2-octave: -2, osc-2-fine: 0 cents, osc-2-level: 60 %, cutoff: 220 Hz, resonance: 35 %,
            filter-envelope: 34 semitones, key-follow: 40 %, decay: 600 ms, sustain: 60 %, release: 120 ms,
            filter-decay: 350 ms, filter-sustain: 10 %, gain: -6 dB}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.05}
          reverb: {role: send, decay: 1 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - bass -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let drumKit = """
        version: 1
        units:
          drums: {unit: drum-synth, role: instrument, kick-tune: -1 semitones, snare-decay: 120 %, width: 70 %}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.12}
          reverb: {role: send, decay: 700 ms, size: 60 %}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - drums -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let beatBox = """
        version: 1
        units:
          drums:
            unit: drum-machine
            properties: {steps: "kick: X..x x..x X..x x..x; rim: x..x ..x. ...x ..x.; shaker: xxXx xxXx xxXx xxXx"}
            pattern: own
            tempo: 128
            gain: -12 dB
          lead: {unit: polysynth, role: instrument, parts: 1, cutoff: 900 Hz, filter-envelope: 20 semitones, gain: -9 dB}
          bass:
            {unit: polysynth, role: instrument, parts: 2, mode: mono, osc-1-octave: -1, osc-2-level: 0 %, cutoff: 300 Hz,
            gain: -6 dB}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.25}
          strip-2: {unit: channel-strip, role: strip}
          strip-3: {unit: channel-strip, role: strip, reverb-send: 0.1}
          reverb: {role: send, decay: 1.4 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 4}
          limiter: {role: master}
        connections:
          - lead -> strip-1 -> mixer -> limiter
          - bass -> strip-2
          - strip-2 -> mixer[1]
          - drums -> strip-3
          - strip-3 -> mixer[2]
          - strip-1[reverb-send] -> reverb
          - strip-3[reverb-send] -> reverb
          - reverb -> mixer[3]
        outputs: limiter
        """
}
