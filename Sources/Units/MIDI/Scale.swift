// [render]

/// A scale: the steps of an octave that belong to it, counted from its root.
struct Scale: BitwiseCopyable {
    static let names = [
        "chromatic", "major", "natural-minor", "harmonic-minor", "melodic-minor", "dorian", "phrygian", "lydian", "mixolydian",
        "locrian", "major-pentatonic", "minor-pentatonic", "blues", "whole-tone", "diminished", "gypsy-minor", "hirajoshi",
    ]
    static let roots = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

    /// Bit k: the k-th semitone above the root belongs to it.
    private let steps: UInt16
    private let root: Int

    /// Scale `number` of the list on `root`, 0 (C)...11.
    @_noLocks init(_ number: Int, root: Int) {
        self.root = root
        // The lowest bit is on the right.
        switch number {
        case 1: steps = 0b1010_1011_0101
        case 2: steps = 0b0101_1010_1101
        case 3: steps = 0b1001_1010_1101
        case 4: steps = 0b1010_1010_1101
        case 5: steps = 0b0110_1010_1101
        case 6: steps = 0b0101_1010_1011
        case 7: steps = 0b1010_1101_0101
        case 8: steps = 0b0110_1011_0101
        case 9: steps = 0b0101_0110_1011
        case 10: steps = 0b0010_1001_0101
        case 11: steps = 0b0100_1010_1001
        case 12: steps = 0b0100_1110_1001
        case 13: steps = 0b0101_0101_0101
        case 14: steps = 0b1011_0110_1101
        case 15: steps = 0b1001_1100_1101
        case 16: steps = 0b0001_1000_1101
        default: steps = 0b1111_1111_1111
        }
    }

    @_noLocks func contains(_ key: Int) -> Bool { steps &>> UInt16((key &- root &+ 144) % 12) & 1 == 1 }

    /// The key that is `count` of its steps above `key`, which belongs to it; below 0 below.
    @_noLocks func key(_ count: Int, above key: Int) -> Int {
        var place = key, left = count
        while left != 0 && place > -24 && place < 152 {
            place &+= count > 0 ? 1 : -1
            if contains(place) { left &+= count > 0 ? -1 : 1 }
        }
        return place
    }
}
