import Carillon

/// The options for what sounds: the same for `render`, `live`, `play` and `graph show`.
struct SoundSettings: SettingTable, SettingOwner, Hashable {
    /// `soundfont` is the default under its former name.
    enum Instrument: String, SettingWord {
        case sampler, soundfont, fluidsynth
        case squareWave = "square-wave"
    }

    var soundfont: [String] = []
    var instrument = Instrument.sampler
    var set: [String] = []
    var gain: Float?
    var dry = false
    var tuning: String?
    var keyboardMap: String?
    var seed = EngineSetting.seed.wholeDefault
    var sampleMemory: MemorySize?

    static let settings: [Setting<SoundSettings>] = [
        Setting(
            "soundfont", every: \.soundfont, "file",
            """
            A SoundFont (SF2, SF3, DLS, SFZ), or embedded for Carillon's own; file:offset moves its banks up by 1 to 127. Can \
            be given more than once: the last has priority.
            """, completes: .file(["sf2", "sf3", "dls", "sfz", "rmi"])
        ) { $0 },
        .word(
            "instrument", \.instrument, default: .sampler, "name",
            "The instrument: sampler (Carillon's own, also called soundfont), fluidsynth or square-wave."),
        Setting(
            "set", every: \.set, "unit.parameter=value",
            "Set a parameter of a unit; carillon units NAME lists them. Can be given more than once."
        ) { $0 },
        Setting(
            .gain, \.gain, "0 dB is FluidSynth's level; by default set by the loudness, and live a chord peaks near -14 dBFS",
            isDefault: false),
        .flag("dry", \.dry, "Play without reverb and chorus."),
        Setting(
            "tuning", \.tuning, "hz|file",
            "Tune all instruments but drums: A4 in hertz, 220 to 880, such as 442, or a Scala file (.scl). (default: 440)",
            completes: .file(["scl", "kbm"])
        ) { $0 },
        Setting(
            "keyboard-map", \.keyboardMap, "file",
            "The keys of the scale of --tuning, by a Scala file (.kbm); by default the scale begins on key 60, middle C.",
            completes: .file(["kbm"])
        ) { $0 },
        Setting(.seed, \.seed),
        Setting(MemorySize.name, \.sampleMemory, "size", MemorySize.help) { try MemorySize($0) }.ofCall,
    ]

    static func check(_ sound: SoundSettings) throws {
        if sound.instrument == .squareWave, !sound.soundfont.isEmpty {
            throw SettingError("--soundfont means nothing with --instrument square-wave; leave one of them out")
        }
        if sound.soundfont.contains("") { throw SettingError("--soundfont: the name is empty") }
    }

    /// Refuses an instrument or effects beside a patch.
    func check(beside patches: [String]) throws {
        if !patches.isEmpty, dry || !isDefaultInstrument {
            throw SettingError("--patch says what plays; leave \(dry ? "--dry" : "--instrument") out, or change the patch")
        }
    }

    /// None but the default was asked for.
    private var isDefaultInstrument: Bool { instrument == .sampler || instrument == .soundfont }

    /// The tuning that is asked for, read from its files. What is wrong with them is reported.
    func readTuning() throws -> Tuning? {
        do throws(Fault) {
            if let tuning { return try Tuning(asked: tuning, map: keyboardMap) }
            return keyboardMap == nil ? nil : try Tuning(scale: nil, map: keyboardMap)
        } catch { throw Failure.report(error) }
    }

    var highestRate: Double {
        switch instrument {
        case .sampler, .soundfont: Sampler.sampleRates.upperBound
        case .fluidsynth: FluidSynth.sampleRates.upperBound
        case .squareWave: Double(EngineSetting.rate.spec.range.upperBound)
        }
    }

    var player: RenderOptions.Instrument {
        switch instrument {
        case .sampler, .soundfont: .soundFont(soundfont)
        case .fluidsynth: .fluidSynth(soundfont)
        case .squareWave: .squareWave
        }
    }
}
