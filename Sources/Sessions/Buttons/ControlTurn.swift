import DSP

extension Session.Button {
    /// A request whose value is the place of a control: `volume` goes from -60 dB to 6 dB, `tempo` from 40 to 240 quarter notes a
    /// minute.
    public struct Turn: Hashable, Sendable {
        package let verb: Verb

        /// Nil for a verb that no control turns.
        package init?(_ verb: Verb) {
            if verb.turn == nil { return nil }
            self.verb = verb
        }

        /// The volume of the whole sound.
        public static let volume = Turn(.volume)!
        /// The tempo of the song that plays, else of the session.
        public static let tempo = Turn(.tempo)!
    }
}

/// The values that a turned control gives a verb.
struct VerbTurn: Sendable {
    let low: Float
    let high: Float
    let isLogarithmic: Bool
    /// Returns the value that stands; nil where no part has it.
    let standing: @Sendable ([any SessionPart]) -> Double?

    /// Returns the value for a place of the control, 0...1.
    func value(of place: Float) -> Float {
        if !isLogarithmic { return low + place * (high - low) }
        return Float(Double(low) * DeterministicMath.power(Double(high) / Double(low), Double(place)))
    }
}
