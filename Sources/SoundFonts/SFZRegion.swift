import DSP

/// A region of an SFZ file as a voice of the SoundFont model, with the properties that the model lacks.
///
/// Seconds become timecents, hertz cents, decibels centibels. A decay lasts, here as there, until its sustain is reached; the
/// model counts to the end of 96 dB. Source: sfzformat.com, opcodes of SFZ 1 and those of ARIA that have a place.
struct SFZRegion: Sendable {
    var keys = 0...127, velocities = 0...127
    var values = Generator.allCases.map(\.defaultValue)
    var modulators: [Modulator] = []
    let sample: String
    let line: Int
    /// -100...100.
    private(set) var pan = 0.0
    /// First frame, and the last; nil means the sample's.
    private(set) var offset = 0.0, end: Double?
    /// The value of `loop_mode`; nil means a loop if the sample has one.
    private(set) var loopMode: String?
    private(set) var loopStart: Double?, loopEnd: Double?
    private(set) var unknown: [String] = []
    /// The opcode for which it makes no sound, when a key goes down; nil means it sounds.
    private(set) var silencer: String?

    private var opcodes: SFZText.Opcodes
    private var read: Set<String> = ["sample", "seq_length", "hirand", "loop_mode", "loopmode"]

    /// Nil for a region without a sample. `control` has the opcodes of the file's control header.
    init?(_ opcodes: SFZText.Opcodes, control: SFZText.Opcodes) {
        guard let sample = opcodes["sample"] else { return nil }
        self.sample = sample.text
        line = sample.line
        self.opcodes = opcodes
        readRange(control)
        readCondition(control)
        readPitch(control)
        readLevel()
        readSample()
        readFilter()
        readEnvelopes()
        readOscillators()
        unknown = opcodes.keys.filter { !read.contains($0) }.sorted()
        self.opcodes = [:]
    }

    private mutating func number(_ names: String...) -> Double? {
        for name in names {
            guard let value = opcodes[name] else { continue }
            read.insert(name)
            if let number = Double(value.text), number.isFinite, abs(number) < 1e9 { return number }
            // No number: it counts as an opcode that is not followed.
            read.remove(name)
        }
        return nil
    }

    private mutating func text(_ names: String...) -> String? {
        for name in names {
            guard let value = opcodes[name] else { continue }
            read.insert(name)
            return value.text.lowercased()
        }
        return nil
    }

    /// A key by its number or its name; C4 is 60.
    private mutating func key(_ name: String) -> Int? {
        guard let text = text(name) else { return nil }
        if let number = Int(text) { return number }
        guard let letter = text.first, let tone = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11][letter] else {
            read.remove(name)
            return nil
        }
        let sign = text.dropFirst().first
        let shift = sign == "#" || sign == "♯" ? 1 : sign == "b" || sign == "♭" ? -1 : 0
        guard let octave = Int(text.dropFirst(shift == 0 ? 1 : 2)), (-2...12).contains(octave) else {
            read.remove(name)
            return nil
        }
        return (octave + 1) * 12 + tone + shift
    }

    private mutating func set(_ generator: Generator, _ value: Double?) {
        if let value { values[generator.index] = Float(value) }
    }

    private mutating func setTime(_ generator: Generator, _ seconds: Double?) {
        if let seconds { values[generator.index] = Self.timecents(seconds) }
    }

    static func timecents(_ seconds: Double) -> Float {
        seconds < 0.001 ? -12_000 : Float(min(1_200 * DeterministicMath.log2(seconds), 8_000))
    }

    private static func cents(_ hertz: Double) -> Double {
        1_200 * DeterministicMath.log2(min(max(hertz, 0.001), 100_000) / 8.175798915643707)
    }

    /// A factor of level, above 0.
    static func centibels(_ factor: Double) -> Double { 200 / DeterministicMath.log2(10) * DeterministicMath.log2(factor) }

    private mutating func readRange(_ control: SFZText.Opcodes) {
        let notes = control["note_offset"].flatMap { Int($0.text) } ?? 0
        let octaves = control["octave_offset"].flatMap { Int($0.text) } ?? 0
        let shift = min(max(notes, -127), 127) + 12 * min(max(octaves, -10), 10)
        let single = key("key")
        let low = key("lokey") ?? single ?? 0, high = key("hikey") ?? single ?? 127
        if high < 0 || low > high { silencer = high < 0 ? "hikey" : "lokey" }
        let clamped = { (key: Int) in min(max(min(max(key, -1_000), 1_000) + shift, 0), 127) }
        keys = min(clamped(low), clamped(high))...max(clamped(low), clamped(high))
        let center = key("pitch_keycenter") ?? single ?? 60
        values[Generator.rootKey.index] = Float(clamped(center))
        let soft = min(max(Int(number("lovel") ?? 0), 0), 127), loud = min(max(Int(number("hivel") ?? 127), 0), 127)
        velocities = min(soft, loud)...max(soft, loud)
        if let group = number("group"), group > 0 || opcodes["off_by"] != nil {
            // The model has classes whose members silence each other, and none that silence others.
            let same = opcodes["off_by"].flatMap { Double($0.text) }
            if let same, same == group {
                read.insert("off_by")
                set(.exclusiveClass, min(max(group, 0), 65_535))
            }
        }
    }

    /// Regions that wait for something else than a key, and those that take turns: of these the first plays.
    private mutating func readCondition(_ control: SFZText.Opcodes) {
        if let trigger = text("trigger"), trigger != "attack", trigger != "first" { silencer = "trigger" }
        if let position = number("seq_position"), position != 1 { silencer = "seq_position" }
        if let low = number("lorand"), low > 0 { silencer = "lorand" }
        if let switched = key("sw_last"), switched != key("sw_default") { silencer = "sw_last" }
        for name in opcodes.keys.sorted() {
            if name.hasPrefix("on_locc") || name.hasPrefix("start_locc") { silencer = name }
            guard name.hasPrefix("locc") || name.hasPrefix("hicc"), let bound = number(name) else { continue }
            let value = control["set_cc" + name.dropFirst(4)].flatMap { Double($0.text) } ?? 0
            if name.hasPrefix("locc") ? value < bound : value > bound { silencer = name }
        }
    }

    private mutating func readPitch(_ control: SFZText.Opcodes) {
        let tune = (number("tune", "pitch") ?? 0) + 100 * (number("transpose") ?? 0)
        set(.fineTune, min(max(tune, -24_000), 24_000))
        set(.scaleTuning, number("pitch_keytrack").map { min(max($0, -1_200), 1_200) })
        var lines = Modulator.defaults.filter { !$0.isDefaultSend }
        if let bend = number("bend_up", "bendup"), bend != 200 {
            // The region has its own range, which replaces that of registered parameter 0.
            lines.removeAll { $0.source == .bend }
            lines.append(Modulator(.fineTune, .bend, amount: Float(min(max(bend, -9_600), 9_600))))
        }
        if let down = number("bend_down", "benddown"), down != -(Double(opcodes["bend_up"]?.text ?? "") ?? 200) {
            read.subtract(["bend_down", "benddown"])
        }
        modulators = lines
    }

    private mutating func readLevel() {
        let decibels =
            (number("volume", "gain") ?? 0) + (number("group_volume") ?? 0) + (number("master_volume") ?? 0)
            + (number("global_volume") ?? 0)
        var attenuation = -10 * decibels
        if let share = number("amplitude") {
            attenuation += share > 0 ? -Self.centibels(share / 100) : 1_440
        }
        set(.attenuation, min(max(attenuation, -1_440), 1_440))
        pan = min(max(number("pan") ?? 0, -100), 100)
        set(.reverbSend, number("effect1").map { min(max($0, 0), 100) * 10 })
        set(.chorusSend, number("effect2").map { min(max($0, 0), 100) * 10 })
        if let track = number("amp_veltrack"), let line = modulators.firstIndex(where: { $0.source.number == 2 }) {
            modulators[line].amount = Float(9.6 * min(max(abs(track), 0), 100))
            // Below 0 loud keys are the quiet ones.
            modulators[line].source.isNegative = track >= 0
        }
        modulators.removeAll { $0.amount == 0 }
    }

    private mutating func readSample() {
        offset = max(number("offset") ?? 0, 0)
        end = number("end")
        if let end, end <= 0 { silencer = "end" }
        loopMode = opcodes["loop_mode"]?.text.lowercased() ?? opcodes["loopmode"]?.text.lowercased()
        loopStart = number("loop_start", "loopstart")
        loopEnd = number("loop_end", "loopend")
    }

    private mutating func readFilter() {
        guard opcodes["cutoff"] != nil else { return }
        let kind = opcodes["fil_type"]?.text.lowercased() ?? "lpf_2p"
        guard kind.hasPrefix("lpf") else { return }
        // Other slopes are not followed; the nearest is played.
        if kind == "lpf_2p" { read.insert("fil_type") }
        guard let cutoff = number("cutoff") else { return }
        var cents = min(Self.cents(cutoff), 13_500)
        if let track = number("fil_keytrack") {
            let center = key("fil_keycenter") ?? 60
            cents -= track * Double(min(max(center, 0), 127))
            modulators.append(Modulator(.filterCutoff, ModulatorSource(3), amount: Float(track * 128)))
        }
        if let track = number("fil_veltrack") {
            modulators.append(Modulator(.filterCutoff, .velocity, amount: Float(track * 128 / 127)))
        }
        set(.filterCutoff, cents)
        set(.filterResonance, number("resonance").map { min(max($0 * 10, 0), 960) })
    }

    private mutating func readEnvelopes() {
        setTime(.volumeDelay, number("ampeg_delay", "amp_delay"))
        setTime(.volumeAttack, number("ampeg_attack", "amp_attack"))
        setTime(.volumeHold, number("ampeg_hold", "amp_hold"))
        setTime(.volumeRelease, number("ampeg_release", "amp_release"))
        let sustain = min(max(number("ampeg_sustain", "amp_sustain") ?? 100, 0), 100)
        // A whole envelope, 1000, is 960 centibels.
        let centibels = sustain <= 0.001 ? 960 : -Self.centibels(sustain / 100)
        let fall = min(centibels / 0.96, 1_000)
        set(.volumeSustain, fall)
        if let decay = number("ampeg_decay", "amp_decay"), fall > 0 { setTime(.volumeDecay, decay * 1_000 / fall) }
        // One envelope moves both in the model: the filter's, or the pitch's if the filter has none.
        let name = opcodes["fileg_depth"] != nil ? "fileg_" : "pitcheg_"
        guard let depth = number(name + "depth") else { return }
        set(name == "fileg_" ? .modulationEnvelopeToCutoff : .modulationEnvelopeToPitch, min(max(depth, -12_000), 12_000))
        setTime(.modulationDelay, number(name + "delay"))
        setTime(.modulationAttack, number(name + "attack"))
        setTime(.modulationHold, number(name + "hold"))
        setTime(.modulationRelease, number(name + "release"))
        let left = 1_000 - 10 * min(max(number(name + "sustain") ?? 100, 0), 100)
        set(.modulationSustain, left)
        if let decay = number(name + "decay"), left > 0 { setTime(.modulationDecay, decay * 1_000 / left) }
    }

    private mutating func readOscillators() {
        if let depth = number("pitchlfo_depth") {
            set(.vibratoLFOToPitch, min(max(depth, -12_000), 12_000))
            setTime(.vibratoLFODelay, number("pitchlfo_delay"))
            set(.vibratoLFORate, number("pitchlfo_freq").map(Self.cents))
        }
        // One oscillator for level and filter: the level's, or the filter's if the level has none.
        let name = opcodes["amplfo_depth"] != nil ? "amplfo_" : "fillfo_"
        guard let depth = number(name + "depth") else { return }
        if name == "amplfo_" { set(.modulationLFOToVolume, min(max(10 * depth, -960), 960)) }
        if name == "fillfo_" { set(.modulationLFOToCutoff, min(max(depth, -12_000), 12_000)) }
        setTime(.modulationLFODelay, number(name + "delay"))
        set(.modulationLFORate, number(name + "freq").map(Self.cents))
    }
}
