import Glibc

/// How far two stereo recordings lie apart.
enum Difference {
    /// Energy of the difference relative to that of `theirs`, over some frames. Unit: decibels; -400 for no difference.
    static func decibels(_ ours: [[Float]], _ theirs: [[Float]], _ frames: some Sequence<Int>) -> Double {
        var difference = 0.0, energy = 0.0
        for frame in frames {
            for side in 0..<2 {
                let d = Double(ours[side][frame]) - Double(theirs[side][frame])
                difference += d * d
                energy += Double(theirs[side][frame]) * Double(theirs[side][frame])
            }
        }
        if energy == 0 { return difference == 0 ? -400 : 400 }
        return difference == 0 ? -400 : 10 * log10(difference / energy)
    }
}

extension Difference {
    /// Energy of the difference over some frames.
    static func energy(_ ours: [[Float]], _ theirs: [[Float]], _ frames: Range<Int>) -> Double {
        var energy = 0.0
        for frame in frames {
            for side in 0..<2 {
                let d = Double(ours[side][frame]) - Double(theirs[side][frame])
                energy += d * d
            }
        }
        return energy
    }
}
