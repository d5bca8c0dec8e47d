// Examples of what repeats a sound or sets it in motion: delay, feedback, flanger, phaser, ring modulator, vibrato.

extension PatchExample {
    static let echoLead = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, pulse-width: 30 %, release: 200 ms}
          delay: {sync: on, tempo: 120, division: dotted-eighth, feedback: 45 %, ping-pong: on, mix: 35 %}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.1}
          reverb: {role: send, decay: 1.2 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - lead -> delay -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let dubLoop = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, pulse-width: 30 %, release: 200 ms}
          desk: {unit: multichannel-mixer, inputs: 2}
          tape: {unit: delay, sync: on, tempo: 120, division: dotted-eighth, feedback: 0 %, mix: 100 %}
          dark: {unit: filter, cutoff: 1.6 kHz, slope: 12-db}
          loop: {unit: feedback, gain: -4 dB}
          strip-1: {unit: channel-strip, role: strip}
          mixer: {unit: multichannel-mixer, role: master, inputs: 1}
          limiter: {role: master}
        connections:
          - lead -> desk -> strip-1 -> mixer -> limiter
          - desk -> tape -> dark -> loop
          - loop -> desk[1]
        outputs: limiter
        """

    static let jetPad = """
        version: 1
        units:
          pad: {unit: square-wave, role: instrument, pulse-width: 40 %, attack: 400 ms, release: 1.2 s, gain: -15 dB}
          flanger: {manual: 1.5 ms, depth: 85 %, rate: 0.12 Hz, feedback: 60 %, stereo-phase: 90}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.4}
          reverb: {role: send, decay: 3 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - pad -> flanger -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let phasedPiano = """
        version: 1
        units:
          piano: {unit: soundfont, role: instrument, parts: 1}
          phaser: {stages: eight, rate: 0.5 Hz, depth: 1.5, feedback: 40 %}
          strip-1: {unit: channel-strip, role: strip, parts: 1, gain: 9 dB, reverb-send: 0.2}
          reverb: {role: send, decay: 1.6 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - piano -> phaser -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let clangingBells = """
        version: 1
        units:
          bells: {unit: square-wave, role: instrument, pulse-width: 50 %, decay: 1.5 s, sustain: 0 %, release: 1 s}
          ring-modulator: {frequency: 317 Hz, mix: 80 %}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.5}
          reverb: {role: send, decay: 3.5 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - bells -> ring-modulator -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let vibratoOrgan = """
        version: 1
        units:
          organ: {unit: square-wave, role: instrument, attack: 15 ms, sustain: 100 %, velocity-curve: 0, gain: -18 dB}
          vibrato: {rate: 6.5 Hz, depth: 25 cents}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.3}
          reverb: {role: send, decay: 2.5 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - organ -> vibrato -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let tremoloReeds = """
        version: 1
        units:
          reeds: {unit: square-wave, role: instrument, pulse-width: 20 %, attack: 30 ms, sustain: 100 %, gain: -18 dB}
          tremolo: {rate: 3.5 Hz, depth: 80 %, stereo-phase: 180}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.3}
          reverb: {role: send, decay: 2.5 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - reeds -> tremolo -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """
}
