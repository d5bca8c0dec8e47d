// Examples of what changes the music before instruments hear it: arpeggiator, chords, echo of notes, transposer.

extension PatchExample {
    static let arpeggiatedLead = """
        version: 1
        units:
          arpeggiator: {role: midi, mode: up-down, octaves: 2, tempo: 120, division: sixteenth, gate: 60 %}
          lead: {unit: square-wave, role: instrument, pulse-width: 25 %, decay: 250 ms, sustain: 40 %, release: 150 ms}
          delay: {sync: on, tempo: 120, division: dotted-eighth, feedback: 35 %, ping-pong: on, mix: 25 %}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.2}
          reverb: {role: send, decay: 1.8 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - arpeggiator -> lead -> delay -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let oneFingerBand = """
        version: 1
        units:
          melody: {unit: scale-mapper, role: midi, root: A, scale: minor-pentatonic}
          chords: {unit: chord-mapper, role: midi, root: A, scale: natural-minor, strum: 30 ms, level: 70 %}
          octave-down: {unit: transposer, octaves: -2}
          lead: {unit: square-wave, role: instrument, pulse-width: 30 %, release: 300 ms}
          pad: {unit: square-wave, role: instrument, pulse-width: 45 %, attack: 60 ms, release: 800 ms, gain: -16 dB}
          bass: {unit: square-wave, role: instrument, pulse-width: 50 %, decay: 300 ms, sustain: 60 %, gain: -10 dB}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
          reverb: {role: send, decay: 2 s, mix: 25 %}
          limiter: {role: master}
        connections:
          - melody -> lead -> mixer
          - chords -> pad -> mixer[1]
          - melody -> octave-down -> bass -> mixer[2]
          - mixer -> reverb -> limiter
        outputs: limiter
        """

    static let climbingEchoes = """
        version: 1
        units:
          note-echo: {role: midi, repeats: 4, sync: on, tempo: 100, division: eighth, decay: 65 %, transpose: 12 semitones}
          velocity-curve: {curve: 40 %, low: 20}
          keys: {unit: square-wave, role: instrument, pulse-width: 20 %, decay: 600 ms, sustain: 20 %, release: 400 ms}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.4}
          reverb: {role: send, decay: 3 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - note-echo -> velocity-curve -> keys -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """
}
