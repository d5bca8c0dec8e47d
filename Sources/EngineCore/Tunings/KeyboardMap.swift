import DSP

/// A keyboard map of Scala (.kbm): which degree of a scale each key plays, and the pitch of one of them.
struct KeyboardMap {
    private var keys = 0...127
    /// The key that plays the first degree of the pattern.
    private var middle = 60
    /// The key whose frequency is given, and that in hertz.
    private var reference = 60, frequency = 440 * DeterministicMath.exp2(-0.75)
    /// The degree by which a pattern lies above the one before; 0 for the period of the scale.
    private var period = 0
    /// The degrees of the pattern, nil for a key that plays none; empty: each key plays the next degree.
    private var pattern: [Int?] = []

    /// Each key plays the next degree from key 60 on, whose pitch is that of equal temperament at 440 Hz.
    static let usual = KeyboardMap()

    private init() {}

    /// Reads a file: seven numbers, then a degree or x for each key of the pattern; x may be left out at the end.
    init(path: String) throws(Fault) {
        var lines = try ScalaLines(path: path)
        let size = try lines.number("the size of the map", 0...128)
        let first = try lines.number("the first key", 0...127)
        keys = first...(try lines.number("the last key", first...127))
        middle = try lines.number("the middle key", 0...127)
        reference = try lines.number("the key of the frequency", 0...127)
        let word = lines.nextWord() ?? ""
        guard let hertz = Double(word), hertz.isFinite, hertz > 0 else {
            throw lines.fault("\"\(word)\" is no frequency", "write hertz such as 440.0")
        }
        frequency = hertz
        period = try lines.number("the degree of the octave", 0...10_000)
        while pattern.count < size, let word = lines.nextWord() {
            guard word.lowercased() == "x" || Int(word).map({ abs($0) <= 10_000 }) == true else {
                throw lines.fault("\"\(word)\" is no degree", "write a whole number, or x for a key that plays nothing")
            }
            pattern.append(Int(word))
        }
        pattern += Array(repeating: nil, count: size - pattern.count)
        if size > 0, degree(of: reference) == nil {
            throw Fault(
                "key \(reference), whose frequency it gives, plays nothing", .tuning, of: path,
                remedy: "map it to a degree, or give the frequency of another key")
        }
    }

    private func degree(of key: Int) -> (turns: Int, degree: Int)? {
        if pattern.isEmpty { return (0, key - middle) }
        let (turns, place) = floorDivided(key - middle, by: pattern.count)
        return pattern[place].map { (turns, $0) }
    }

    private func cents(of key: Int, _ scale: ScalaScale) -> Double? {
        degree(of: key).map { turns, degree in
            Double(turns) * scale.cents(of: period == 0 ? scale.degrees.count : period) + scale.cents(of: degree)
        }
    }

    /// The pitches of the keys 0...127, in cents above that of key 0 in equal temperament. Keys that the map leaves alone have
    /// that of equal temperament; nil for one that plays nothing.
    func pitches(_ scale: ScalaScale) -> [Double?] {
        let origin = 6_900 + 1_200 * DeterministicMath.log2(frequency / 440) - (cents(of: reference, scale) ?? 0)
        return (0..<128).map { key in keys.contains(key) ? cents(of: key, scale).map { origin + $0 } : Double(key) * 100 }
    }
}
