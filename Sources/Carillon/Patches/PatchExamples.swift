import Patch
import SoundFonts
import UnitAPI
import Units

// The examples themselves.

extension PatchExample {
    static let squareLead = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, pulse-width: 35 %, release: 250 ms}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.2}
          reverb: {role: send, decay: 900 ms}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - lead -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let grandPiano = """
        version: 1
        units:
          piano: {unit: soundfont, role: instrument, parts: 1}
          equalizer: {gain: [0 dB, 0 dB, -1.5 dB, 0 dB, 0 dB, 0 dB, 1.5 dB, 1 dB]}
          strip-1: {unit: channel-strip, role: strip, parts: 1, gain: 6 dB, reverb-send: 0.25}
          reverb: {role: send, decay: 2.2 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - piano -> equalizer -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let layerPad = """
        version: 1
        units:
          piano: {unit: soundfont, role: instrument, parts: 1}
          pad: {unit: square-wave, role: instrument, parts: 1, attack: 800 ms, release: 1.5 s, gain: -24 dB}
          chorus: {mix: 50 %}
          strip-1: {unit: channel-strip, role: strip, parts: 1, gain: 3 dB, reverb-send: 0.2}
          strip-2: {unit: channel-strip, role: strip, reverb-send: 0.6}
          reverb: {role: send, decay: 3 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
          limiter: {role: master}
        connections:
          - piano -> strip-1 -> mixer -> limiter
          - pad -> chorus -> strip-2
          - strip-2 -> mixer[1]
          - strip-1[reverb-send] -> reverb
          - strip-2[reverb-send] -> reverb
          - reverb -> mixer[2]
        outputs: limiter
        """

    static let splitBassAndPiano = """
        version: 1
        units:
          piano: {unit: soundfont, role: instrument, parts: 1}
          bass: {unit: square-wave, role: instrument, parts: 2, pulse-width: 25 %, attack: 5 ms, sustain: 50 %, gain: -18 dB}
          strip-1: {unit: channel-strip, role: strip, parts: 1, gain: 6 dB, reverb-send: 0.25}
          strip-2: {unit: channel-strip, role: strip, parts: 2, reverb-send: 0.05}
          reverb: {role: send, decay: 1.6 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
          limiter: {role: master}
        connections:
          - piano -> strip-1 -> mixer -> limiter
          - bass -> strip-2
          - strip-2 -> mixer[1]
          - strip-1[reverb-send] -> reverb
          - strip-2[reverb-send] -> reverb
          - reverb -> mixer[2]
        outputs: limiter
        zones:
          bass: {keys: C-1-B2, unit: bass, velocity: {curve: 0.7}}
          piano: {keys: C3-G9, unit: piano}
          ring: {keys: C4-G9, softest: 100, transpose: 12, unit: piano}
        controllers:
          # The first knob of most keyboards: how much of a hall there is around the piano.
          hall: {control: 74, parameter: strip-1.reverb-send, from: 0, to: 1}
        scenes:
          # A foot switch goes from one to the other; so does program change 1 and 2.
          dry: {program: 0, controller: 80, morph: 1 s, values: {reverb.decay: 1 s, strip-1.reverb-send: 0.1}}
          wide: {program: 1, controller: 80, morph: 2 s, values: {reverb.decay: 4 s, strip-1.reverb-send: 0.5}}
        """

    static let splitTwoSoundFonts = """
        version: 1
        units:
          bass: {unit: soundfont, role: instrument}
          piano: {unit: soundfont, role: instrument}
          strip-1: {unit: channel-strip, role: strip, gain: 4 dB, reverb-send: 0.05}
          strip-2: {unit: channel-strip, role: strip, gain: 4 dB, reverb-send: 0.25}
          reverb: {role: send, decay: 1.8 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
          limiter: {role: master}
        connections:
          - bass -> strip-1 -> mixer -> limiter
          - piano -> strip-2
          - strip-2 -> mixer[1]
          - strip-1[reverb-send] -> reverb
          - strip-2[reverb-send] -> reverb
          - reverb -> mixer[2]
        outputs: limiter
        zones:
          # A zone plays the unit that it names and no other; program is the sound that it begins with.
          left hand: {keys: C-1-B2, unit: bass, program: 33}
          right hand: {keys: C3-G9, unit: piano, program: 0}
        """

    static let organWithPedal = """
        version: 1
        units:
          manual:
            {unit: square-wave, role: instrument, parts: 1, attack: 15 ms, sustain: 100 %, velocity-curve: 0, gain: -18 dB}
          pedal:
            {unit: square-wave, role: instrument, parts: 2, tune: -1200 cents, attack: 30 ms, sustain: 100 %, velocity-curve: 0}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.5}
          strip-2: {unit: channel-strip, role: strip, reverb-send: 0.3}
          reverb: {role: send, decay: 5 s, size: 160 %}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
          limiter: {role: master}
        connections:
          - manual -> strip-1 -> mixer -> limiter
          - pedal -> strip-2
          - strip-2 -> mixer[1]
          - strip-1[reverb-send] -> reverb
          - strip-2[reverb-send] -> reverb
          - reverb -> mixer[2]
        outputs: limiter
        """

    static let widePad = """
        version: 1
        units:
          pad: {unit: square-wave, role: instrument, pulse-width: 30 %, attack: 80 ms, release: 1.2 s}
          chorus: {mix: 50 %}
          widener: {width: 150 %, mono-below: 120 Hz}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.4}
          reverb: {role: send, decay: 3 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 2}
          limiter: {role: master}
        connections:
          - pad -> chorus -> widener -> strip-1 -> mixer -> limiter
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[1]
        outputs: limiter
        """

    static let nightRain = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, pulse-width: 40 %, attack: 30 ms, release: 1 s}
          rain: {unit: noise, colour: pink, level: -36 dB, fade: 2 s}
          equalizer: {type: [high-pass, peak, peak, peak, peak, peak, peak, high-shelf], frequency: [400 Hz]}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.4}
          strip-2: {unit: channel-strip, role: strip, reverb-send: 0.1}
          reverb: {role: send, decay: 3 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 3}
          limiter: {role: master}
        connections:
          - lead -> strip-1 -> mixer -> limiter
          - rain -> equalizer -> strip-2
          - strip-2 -> mixer[1]
          - strip-1[reverb-send] -> reverb
          - strip-2[reverb-send] -> reverb
          - reverb -> mixer[2]
        outputs: limiter
        """

    static let drones = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, pulse-width: 15 %, attack: 10 ms, sustain: 100 %, gain: -18 dB}
          low: {unit: oscillator, shape: saw, frequency: 130.8 Hz, level: -32 dB, phase: 90, fade: 1 s}
          high: {unit: oscillator, shape: triangle, frequency: 196 Hz, level: -32 dB, phase: -90, fade: 1 s}
          strip-1: {unit: channel-strip, role: strip, reverb-send: 0.3}
          reverb: {role: send, decay: 2 s}
          mixer: {unit: multichannel-mixer, role: master, inputs: 4}
          limiter: {role: master}
        connections:
          - lead -> strip-1 -> mixer -> limiter
          - low -> mixer[1]
          - high -> mixer[2]
          - strip-1[reverb-send] -> reverb
          - reverb -> mixer[3]
        outputs: limiter
        """

    /// The graph of a song of one port with all channels, with no SoundFont in it: whoever plays it chooses.
    static func generalMIDI() throws(RenderError) -> Patch {
        var options = RenderOptions()
        options.instrument = .soundFont([SoundFontLocator.embeddedName])
        var patch = try SongPatch(for: nil, parts: Array(0..<16), options: options).patch
        for index in patch.units.indices {
            patch.units[index].properties = [:]
            // What stands at its default needs not be said.
            let volume = MultichannelMixer.Parameter.volume.spec.name
            if patch.units[index].values == [volume: [0]] { patch.units[index].values = [:] }
        }
        return patch
    }

    /// The graph of `generalMIDI` with the melody's channel silent.
    static func karaoke() throws(RenderError) -> Patch {
        var patch = try generalMIDI()
        patch[unit: SongUnits.strip(3)]?.values[ChannelStrip.Parameter.mute.spec.name] = [1]
        return patch
    }

    /// The graph of `generalMIDI` with a mixer for four channels each before the last.
    static func fourStems() throws(RenderError) -> Patch {
        var patch = try generalMIDI()
        let type = MultichannelMixer.descriptor.name, stems = (1...4).map { "stem-\($0)" }
        // The strips' edges go to the stems, those of the effects stay where they are, behind them.
        patch.connections = patch.connections.compactMap { edge in
            guard edge.to.unit == SongUnits.mixer else { return edge }
            let input = edge.to.bus
            return input < 16
                ? PatchConnection(edge.from, to: PatchPort(stems[input / 4], input % 4))
                : PatchConnection(edge.from, to: PatchPort(SongUnits.mixer, input - 12))
        }
        let place = patch.units.firstIndex { $0.name == SongUnits.mixer } ?? patch.units.endIndex
        for (index, name) in stems.enumerated().reversed() {
            var unit = PatchUnit(name, type)
            unit.inputCount = 4
            patch.units.insert(unit, at: place)
            patch.connections.append(PatchConnection(PatchPort(name), to: PatchPort(SongUnits.mixer, index)))
        }
        patch[unit: SongUnits.mixer]?.inputCount = 4 + 2
        return patch
    }
}
