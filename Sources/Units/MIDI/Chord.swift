// [render]

/// Up to five keys that sound together, the lowest first.
struct Chord: BitwiseCopyable {
    static let names = [
        "octave", "triad-of-the-scale", "seventh-of-the-scale", "fifth", "major", "minor", "diminished", "augmented",
        "suspended-2", "suspended-4", "major-6", "minor-6", "seventh", "major-7", "minor-7", "half-diminished",
        "diminished-7", "ninth",
    ]

    private var keys = SIMD8<Int32>()
    private(set) var count = 0

    /// Chord `number` of the list on a key. Those of the scale need a key that belongs to it; another one stays alone.
    @_noLocks init(_ number: Int, on key: Int, _ scale: Scale) {
        add(key)
        switch number {
        case 0: add(key, 12)
        case 1, 2:
            if !scale.contains(key) { return }
            add(scale.key(2, above: key))
            add(scale.key(4, above: key))
            if number == 2 { add(scale.key(6, above: key)) }
        case 3: add(key, 7)
        case 4: add(key, 4, 7)
        case 5: add(key, 3, 7)
        case 6: add(key, 3, 6)
        case 7: add(key, 4, 8)
        case 8: add(key, 2, 7)
        case 9: add(key, 5, 7)
        case 10: add(key, 4, 7, 9)
        case 11: add(key, 3, 7, 9)
        case 12: add(key, 4, 7, 10)
        case 13: add(key, 4, 7, 11)
        case 14: add(key, 3, 7, 10)
        case 15: add(key, 3, 6, 10)
        case 16: add(key, 3, 6, 9)
        default: add(key, 4, 7, 10, 14)
        }
    }

    @_noLocks private mutating func add(_ key: Int) {
        keys[count] = Int32(truncatingIfNeeded: key)
        count &+= 1
    }

    @_noLocks private mutating func add(_ root: Int, _ a: Int, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0) {
        add(root &+ a)
        if b > 0 { add(root &+ b) }
        if c > 0 { add(root &+ c) }
        if d > 0 { add(root &+ d) }
    }

    @_noLocks subscript(place: Int) -> Int { Int(keys[place]) }

    /// Moves its lowest key, `times` times, up an octave, or as many octaves as bring it above the others.
    @_noLocks mutating func invert(_ times: Int) {
        if count < 2 { return }
        for _ in 0..<times {
            var lowest = keys[0]
            while lowest < keys[count &- 1] { lowest &+= 12 }
            for place in 1..<count { keys[place &- 1] = keys[place] }
            keys[count &- 1] = lowest
        }
    }
}
