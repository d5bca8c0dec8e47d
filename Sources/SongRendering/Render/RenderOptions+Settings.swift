import EngineCore
import FluidSynthUnit
import Reports
import Sequencer
import UnitAPI

extension RenderOptions {
    /// Settings for the end of the sound, and for the loops and tracks before it.
    package static let ending: [Setting<RenderOptions>] = [
        Setting(
            SettingForm(
                "tail", .one, "auto|exact|time",
                """
                When the sound ends: auto (once it is silent, at most 30 s after the song), exact (with the song) or this \
                long after the song, \(EngineSetting.tail.spec.valid).
                """, completes: .words(["auto", "exact"]), takesDashes: true),
            check: { (options) throws(ParameterError) in
                if case .seconds(let seconds) = options.tail { try EngineSetting.tail.spec.check(seconds) }
            },
            set: { $1.tail = try Tail($0) }),
        Setting(.maximumDuration, \.maximumDuration, "the last 20 ms fade out; needed for longer songs"),
        Setting(.loops, \.loops, "loop points: markers, controllers 110-119"), Setting(.fade, \.fade),
        Setting("track", \.track, "number", "Play only this track, counted from 1.", takesDashes: true) { text in
            guard let track = Int(text) else { throw SettingError("track: \"\(text)\" is not a whole number") }
            return track
        },
    ]

    package static let fadeIn = Setting<RenderOptions>(.fadeIn, \.passage.fadeIn, isDefault: false)
    package static let rate = Setting<RenderOptions>(
        .rate, \.sampleRate, "FluidSynth plays up to \(Quantity(FluidSynth.sampleRates.upperBound, .hertz))")
    package static let block = Setting<RenderOptions>(.block, \.blockFrames)

    /// All settings with a range.
    private static let numbers =
        [rate, block, Setting(.threads, \.threads)] + ending + [Setting(.gain, \.gain), Setting(.seed, \.seed), fadeIn]
        + SongPassage.manner.map { $0.of(\.passage) }

    /// Refuses numbers that are invalid for any song. Throws `setting`.
    public func check() throws(Fault) {
        do throws(ParameterError) { for setting in Self.numbers { try setting.check(self) } } catch { throw .setting(error) }
    }
}

extension RenderOptions.Tail {
    /// Reads `auto`, `exact` or a time.
    init(_ text: String) throws(ParameterError) {
        switch text {
        case "auto": self = .auto
        case "exact": self = .exact
        default:
            do { self = .seconds(try EngineSetting.tail.spec.number(text)) } catch .notANumber(let name, let text, let valid) {
                throw .notANumber(parameter: name, text: text, valid: "auto, exact or \(valid)")
            }
        }
    }
}

extension SongPassage {
    /// Tempo and key.
    package static let manner: [Setting<SongPassage>] = [
        Setting(factor.form, check: factor.check) { $1.tempo = try tempo($0) }, Setting(.transpose, \.transpose),
    ]

    private static let factor = Setting<SongPassage>(.tempo, \.tempo, "80% is 0.8")

    /// Reads the factor of a tempo. For a text that looks like percent or beats per minute, the error shows what is wanted.
    private static func tempo(_ text: String) throws -> Double {
        let spec = EngineSetting.tempo.spec
        do throws(ParameterError) { return try spec.number(text) } catch {
            let words = text.lowercased(), isBeats = words.hasSuffix("bpm")
            let number = Double(isBeats ? words.dropLast(3).filter { $0 != " " } : words)
            guard let number, isBeats || number > 10 else { throw error }
            let percent = isBeats || !(10...1_000).contains(number) ? "" : "; for percent write \(text)% or \(number / 100)"
            throw SettingError(
                "a factor of the song's own tempo is wanted, \(spec.valid)\(percent); for beats a minute divide them by those of the "
                    + "song, which carillon inspect shows")
        }
    }
}
