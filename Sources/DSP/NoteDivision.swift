// [render]

/// A note's length as a part of the beat: what echoes and arpeggios are counted in.
public struct NoteDivision: BitwiseCopyable, Sendable {
    /// The names of the divisions, the shortest first of each value, by their numbers.
    public static let names = [
        "thirty-second", "sixteenth-triplet", "sixteenth", "dotted-sixteenth", "eighth-triplet", "eighth", "dotted-eighth",
        "quarter-triplet", "quarter", "dotted-quarter", "half",
    ]

    /// The length in quarter notes.
    public let quarters: Double

    /// The one with this number in `names`; the last for any that is not there.
    @_noLocks public init(_ number: Int) {
        switch number {
        case 0: quarters = 0.125
        case 1: quarters = 0.16666666666666666
        case 2: quarters = 0.25
        case 3: quarters = 0.375
        case 4: quarters = 0.3333333333333333
        case 5: quarters = 0.5
        case 6: quarters = 0.75
        case 7: quarters = 0.6666666666666666
        case 8: quarters = 1
        case 9: quarters = 1.5
        default: quarters = 2
        }
    }

    /// Returns the length in seconds at `tempo` quarter notes a minute.
    @_noLocks public func seconds(tempo: Float) -> Double { quarters * 60 / Double(tempo) }
}
