// Examples of what mixers make of more than one sound: groups, sends, middle and sides.

extension PatchExample {
    static let groupsAndSends = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1, pulse-width: 30 %, release: 200 ms}
          bass: {unit: square-wave, role: instrument, parts: 2, pulse-width: 25 %, attack: 5 ms, sustain: 50 %}
          strip-1: {unit: channel-strip, role: strip, parts: 1, pan: -20}
          strip-2: {unit: channel-strip, role: strip, parts: 2, pan: 20}
          group: {unit: multichannel-mixer, inputs: 2, volume: -2 dB}
          compressor: {threshold: -18 dB, ratio: 2}
          aux: {unit: multichannel-mixer, inputs: 2, gain: [-9 dB, -15 dB], pan: [60, -60]}
          delay: {sync: on, tempo: 120, division: dotted-eighth, feedback: 35 %, mix: 100 %}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - lead -> strip-1 -> group -> compressor -> mixer -> limiter
          - bass -> strip-2
          - strip-2 -> group[1]
          - lead -> aux
          - strip-2 -> aux[1]
          - aux -> delay -> mixer[1]
        outputs: limiter
        """

    static let midSidePad = """
        version: 1
        units:
          pad: {unit: square-wave, role: instrument, pulse-width: 30 %, attack: 80 ms, release: 1.2 s}
          chorus: {mix: 50 %}
          apart: {unit: matrix, preset: mid-side-encode}
          sides: {unit: multichannel-mixer, pan: 30}
          together: {unit: matrix, preset: mid-side-decode}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.4}
          reverb: {role: send, decay: 3 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - pad -> chorus -> apart -> sides -> together -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let aroundTheHead = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1, pulse-width: 30 %, release: 200 ms}
          bass: {unit: square-wave, role: instrument, parts: 2, pulse-width: 25 %, attack: 5 ms, sustain: 50 %}
          rain: {unit: noise, colour: pink, level: -36 dB, fade: 2 s}
          strip-1: {unit: channel-strip, role: strip, parts: 1}
          strip-2: {unit: channel-strip, role: strip, parts: 2}
          room:
            unit: spatial-mixer
            inputs: 4
            x: [-1.5, 2, -4, 4]
            z: [-1, 1.5, -3, -3]
            occlusion: [0 dB, 0 dB, 12 dB, 12 dB]
            reverb-send: [0.2, 0.3, 0, 0]
          reverb: {role: send, decay: 1.8 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - lead -> strip-1 -> room -> mixer -> limiter
          - bass -> strip-2
          - strip-2 -> room[1]
          - rain -> room[2]
          - rain -> room[3]
          - room[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let aroundTheRoom = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1, pulse-width: 30 %, release: 200 ms}
          bass: {unit: square-wave, role: instrument, parts: 2, pulse-width: 25 %, attack: 5 ms, sustain: 50 %}
          rain: {unit: noise, colour: pink, level: -36 dB, fade: 2 s}
          strip-1: {unit: channel-strip, role: strip, parts: 1}
          strip-2: {unit: channel-strip, role: strip, parts: 2}
          reverb: {role: send, decay: 1.8 s}
          room:
            unit: spatial-mixer
            role: master
            rendering: vbap
            layout: surround-5.1
            inputs: 6
            x: [-0.5, 1, -4, 4, -2, 2]
            z: [-1, 1.5, -3, -3, 3, 3]
            occlusion: [0 dB, 0 dB, 12 dB, 12 dB, 12 dB, 0 dB]
        connections:
          - lead -> strip-1 -> room
          - bass -> strip-2
          - strip-2 -> room[1]
          - rain -> room[2]
          - rain -> room[3]
          - rain -> room[4]
          - strip-1[reverb-send] -> reverb
          - strip-2[reverb-send] -> reverb
          - reverb -> room[5]
        outputs: room[speakers]
        """

    static let voiceWithoutEcho = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1, pulse-width: 30 %, release: 200 ms}
          bass: {unit: square-wave, role: instrument, parts: 2, pulse-width: 25 %, attack: 5 ms, sustain: 50 %}
          walls: {unit: delay, time: 15 ms, feedback: 20 %, mix: 100 %}
          microphone: {unit: multichannel-mixer, inputs: 2}
          voice: {unit: voice-processor, noise-suppression: 0 dB}
          strip-1: {unit: channel-strip, role: strip, parts: 1, reverb-send: 0.1}
          reverb: {role: send, decay: 1.2 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - lead -> microphone -> voice -> strip-1 -> mixer -> limiter
          - bass -> walls -> microphone[1]
          - bass -> voice[playback]
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let singAlong = """
        version: 1
        units:
          microphone: {unit: input}
          gate: {threshold: -50 dB}
          level: {unit: compressor, preset: vocal}
          piano: {unit: soundfont, role: instrument, parts: 1}
          strip-1: {unit: channel-strip, role: strip, parts: 1, reverb-send: 0.25}
          voice: {unit: channel-strip, reverb-send: 0.4}
          reverb: {role: send, decay: 2 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
          limiter: {role: master}
        connections:
          - microphone -> gate -> level -> voice -> mixer[1]
          - piano -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - voice[reverb-send] -> reverb
          - reverb -> mixer[2]
        outputs: limiter
        """

    static let cueMix = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1, pulse-width: 30 %, release: 200 ms}
          bass: {unit: square-wave, role: instrument, parts: 2, pulse-width: 25 %, attack: 5 ms, sustain: 50 %}
          strip-1: {unit: channel-strip, role: strip, parts: 1, pan: -20}
          strip-2: {unit: channel-strip, role: strip, parts: 2, pan: 20}
          click: {unit: metronome, tempo: 100}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
          cue: {unit: multichannel-mixer, inputs: 2, gain: [0 dB, -6 dB]}
          headphones: {unit: device-output, properties: {device: default}}
        connections:
          - lead -> strip-1 -> mixer -> limiter
          - bass -> strip-2 -> mixer[1]
          - limiter -> cue -> headphones
          - click -> cue[1]
        outputs: limiter
        """

    static let kitchenRadio = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1, pulse-width: 30 %, release: 200 ms}
          bass: {unit: square-wave, role: instrument, parts: 2, pulse-width: 25 %, attack: 5 ms, sustain: 50 %}
          strip-1: {unit: channel-strip, role: strip, parts: 1, pan: -30}
          strip-2: {unit: channel-strip, role: strip, parts: 2, pan: 30}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        patches:
          radio:
            units:
              speaker: {unit: fold-down}
              no-bass: {unit: filter, type: high-pass, cutoff: 250 Hz}
              no-treble: {unit: filter, cutoff: 4 kHz}
            connections:
              - speaker -> no-bass -> no-treble
            inputs: speaker
            outputs: no-treble
        connections:
          - lead -> strip-1 -> mixer -> radio -> limiter
          - bass -> strip-2 -> mixer[1]
        outputs: limiter
        """
}
