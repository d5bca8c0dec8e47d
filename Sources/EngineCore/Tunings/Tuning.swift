import DSP
import MIDI
import UnitAPI

extension MIDIInput {
    /// The pitch of each key, in the place of equal temperament at 440 Hz: for all instruments of an engine, drums apart.
    ///
    /// What music tunes by its messages is added to it.
    public struct Tuning: Hashable, Sendable {
        /// Cents by which the keys 0...127 are moved from equal temperament at 440 Hz; nil for a silent one.
        public let cents: [Double?]
        /// As it was asked for: `442 Hz`, `meantone.scl`.
        public let name: String

        /// The frequencies that A4 can have in equal temperament, in hertz.
        public static let frequencies: ClosedRange<Double> = 220...880

        /// Equal temperament in which A4 has this frequency.
        ///
        /// - Throws: a fault of kind `noTuning` for a frequency beyond `frequencies`, or none.
        public init(frequency: Double) throws(Fault) {
            let text = Quantity(frequency, .hertz).exactDescription
            guard Self.frequencies.contains(frequency) else {
                throw Fault(
                    "\(text) is no tuning", .noTuning,
                    remedy: "give A4 from \(Int(Self.frequencies.lowerBound)) to \(Int(Self.frequencies.upperBound)) Hz")
            }
            let shift = 1_200 * DeterministicMath.log2(frequency / 440)
            self.init(name: text, pitches: (0..<128).map { Double($0) * 100 + shift })
        }

        /// The tuning of a scale as Scala has it, with 1/1 on key 60 in its usual pitch, or as a keyboard map says.
        ///
        /// - Throws: a fault of kind `tuning` with file and line.
        public init(scale path: String?, map: String? = nil) throws(Fault) {
            let scale = try path.map { path throws(Fault) in try ScalaScale(path: path) } ?? .equal
            let keys = try map.map { path throws(Fault) in try KeyboardMap(path: path) } ?? .usual
            let name = [path, map].compactMap(\.self).map { String($0.split(separator: "/").last ?? "") }.joined(
                separator: " on ")
            self.init(name: name, pitches: keys.pitches(scale))
        }

        /// What a text asks for: hertz of A4, or files that end in .scl and .kbm. nil for `off`.
        public init?(asked text: String, map: String? = nil) throws(Fault) {
            let words = text.lowercased()
            if words == "off", map == nil { return nil }
            if words.hasSuffix(".scl") {
                try self.init(scale: text, map: map)
            } else if words.hasSuffix(".kbm"), map == nil {
                try self.init(scale: nil, map: text)
            } else {
                let number = words.hasSuffix("hz") ? String(words.dropLast(2)) : words
                guard let frequency = Double(number.filter { $0 != " " }), map == nil else {
                    throw Fault(
                        map == nil ? "\"\(text)\" is no tuning" : "a keyboard map needs a scale", .noTuning,
                        remedy: "give hertz of A4 such as 442, a Scala file (.scl) or off")
                }
                try self.init(frequency: frequency)
            }
        }

        /// From pitches in cents above that of key 0; what lies beyond those of keys 0...127 is silent.
        private init(name: String, pitches: [Double?]) {
            self.name = name
            cents = pitches.enumerated().map { key, pitch in
                pitch.flatMap { (0..<12_800).contains($0) ? $0 - Double(key) * 100 : nil }
            }
        }

        /// The messages that take instruments to this tuning: one for all keys, one for each step of the octave, or one for
        /// each key.
        package var events: [MusicEvent] {
            for step in [1, 12] {
                let parts = (60..<60 + step).map { key in (key, cents[key], stride(from: key % step, to: 128, by: step)) }
                // A key whose pitch would be beyond the others is no exception.
                if parts.allSatisfy({ _, first, keys in keys.allSatisfy { isEqual(cents[$0], first, key: $0) } }) {
                    return parts.map { key, cents, _ in
                        .keyTuning(KeyTuning(ofSession: UInt8(key), every: UInt8(step), cents: cents))
                    }
                }
            }
            return cents.enumerated().map { .keyTuning(KeyTuning(ofSession: UInt8($0), cents: $1)) }
        }

        private func isEqual(_ cents: Double?, _ other: Double?, key: Int) -> Bool {
            guard let other else { return cents == nil }
            guard let cents else { return !(0..<12_800).contains(Double(key) * 100 + other) }
            return abs(cents - other) < 0.003
        }

        /// The messages for equal temperament at 440 Hz.
        static let equal: [MusicEvent] = [.keyTuning(KeyTuning(ofSession: 60, every: 1, cents: 0))]
    }
}

package typealias Tuning = MIDIInput.Tuning

extension Fault.Kind {
    /// A file of a tuning that cannot be used.
    public static let tuning = Self("tuning", .data)
    /// What was asked for is no tuning.
    public static let noTuning = Self("noTuning", .usage)
}
