import EngineCore
import MIDI
import Reports
import Sequencer
import UnitAPI
import Units

/// A place in a verb's form that takes a value.
package struct VerbArgument: Sendable {
    /// The kind of value that an argument takes.
    package enum Kind: Sendable {
        /// A number with its unit or without, as the declaration has it.
        case number(ParameterSpec)
        /// A whole number with its unit or without, as the declaration has it.
        case whole(ParameterSpec)
        /// A factor, 0.1 to 10, or quarter notes a minute, 20 to 400, with `bpm` or without: the number says which it is.
        case tempo
        /// Beats of a bar and the note that is a beat: `7/8`.
        case meter
        /// A word and a whole number after it.
        case labelled(String, ParameterSpec)
        /// A quantity with a sign: from here on.
        case shift(ParameterSpec)
        /// The words `on` and `off`.
        case toggle
        /// One of these words.
        case choice([String])
        /// A name, in double quotes where it holds blanks or could be read as something else.
        case name
        /// `NAME=VALUE`, the rest of the line.
        case setting
        /// The request of a button, the rest of the line.
        case request
    }

    /// The name in the help: `TIME`.
    package let name: String
    package let kind: Kind
    /// True if it may be left out.
    package let isOptional: Bool
    /// The question whose answer lists the names that fit here; nil means none.
    package let known: Known?

    /// A place in a session's answer: the question, in which `{0}` is replaced by the verb's first argument, and the keys in
    /// the answer, those of lists for each of its items.
    package struct Known: Sendable {
        package let question: String
        package let keys: [String]

        package init(question: String, keys: [String]) { (self.question, self.keys) = (question, keys) }
    }

    package init(_ name: String, _ kind: Kind, isOptional: Bool = false, known: Known? = nil) {
        (self.name, self.kind, self.isOptional, self.known) = (name, kind, isOptional, known)
    }

    /// A program may pass numbers that no text could. Other numbers are checked where they are used.
    func check(_ value: VerbValue) throws(Fault) {
        let spec: ParameterSpec
        switch kind {
        case .whole(let declared), .labelled(_, let declared): spec = declared
        default: return
        }
        guard case .whole(let number) = value, !spec.range.contains(Float(number)) else { return }
        throw .outOfRange(
            name: name.lowercased(), value: "\(number)",
            remedy: "choose from \(Int(spec.range.lowerBound)) to \(Int(spec.range.upperBound))")
    }

    /// The values that fit here, in a few words; nil if any name does.
    package var valid: String? {
        switch kind {
        case .number(let spec), .whole(let spec), .labelled(_, let spec): spec.valid
        case .tempo: Self.validTempo
        case .meter: "1 to 32 beats of 1, 2, 4, 8 or 16"
        case .shift(let spec): "+ or -, \(spec.valid)"
        case .toggle: "on, off"
        case .choice(let words): words.joined(separator: ", ")
        case .name, .setting, .request: nil
        }
    }

    /// Returns whether a text is a meter.
    package static func isMeter(_ text: String) -> Bool { Meter(text: text) != nil }

    /// The tempos that a request may have, in words.
    package static let validTempo = EngineSetting.tempo.spec.valid + ", or \(Metronome.Parameter.tempo.spec.valid) bpm"
    static let channel = whole("CHANNEL", 1...256)
    static let key = whole("KEY", 0...127)
    static let velocity = whole("VELOCITY", 1...127)
    static let value = whole("VALUE", 0...127)
    static let boundary = oneOf(TransportBoundary.allCases.map(\.rawValue))
    static let onOff = VerbArgument("on|off", .toggle)
    static let name = VerbArgument("NAME", .name)
    static let request = VerbArgument("REQUEST", .request)
    static let unit = VerbArgument("UNIT", .name, known: Known(question: "parameters", keys: ["units", "name"]))
    static let parameter = VerbArgument(
        "PARAMETER", .name, known: Known(question: "parameters", keys: ["units", "parameters", "setting"]))
    static let preset = VerbArgument("NAME", .name, known: Known(question: "presets {0}", keys: ["presets"]))

    /// One of these words, which are its name, too.
    static func oneOf(_ words: [String]) -> VerbArgument { VerbArgument(words.joined(separator: "|"), .choice(words)) }

    /// A name that the status contains.
    package static func name(_ keys: String...) -> VerbArgument {
        VerbArgument("NAME", .name, known: Known(question: "status", keys: keys))
    }
    static let file = VerbArgument("FILE", .name, isOptional: true)
    static let semitones = VerbArgument("SEMITONES", .whole(EngineSetting.transpose.spec))
    static let count = whole("COUNT", -100_000...100_000)
    /// A time as long as a song may be.
    package static let songTime = ParameterSpec(
        "time", 0...EngineSetting.maximumDuration.spec.range.upperBound, default: 0, unit: .seconds,
        help: "A time of the song.")

    package static func whole(_ name: String, _ range: ClosedRange<Float>) -> VerbArgument {
        VerbArgument(
            name,
            .whole(
                ParameterSpec(name.lowercased(), range, default: max(range.lowerBound, 0), help: "A whole number.")))
    }
}

extension Meter {
    /// Reads `7/8`; nil for anything else than 1 to 32 beats of a whole, half, quarter, eighth or sixteenth note.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let beats = UInt8(parts[0]), (1...32).contains(beats), let note = Int(parts[1]),
            let unit = [1, 2, 4, 8, 16].firstIndex(of: note)
        else { return nil }
        self.init(beats: beats, unit: UInt8(unit))
    }

    /// The meter as it is written: `7/8`.
    package var text: String { "\(beats)/\(denominator)" }
}
