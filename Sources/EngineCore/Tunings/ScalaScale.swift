import DSP

/// A scale of a Scala file (.scl): the pitches of its degrees above the first, of which the last is its period.
struct ScalaScale {
    /// Cents of the degrees 1, 2 ...; degree 0 is 0. Without any, all degrees sound alike.
    let degrees: [Double]

    static let equal = ScalaScale(degrees: (1...12).map { Double($0) * 100 })
    private static let mostNotes = 10_000

    private init(degrees: [Double]) { self.degrees = degrees }

    /// Reads a file: a description, the number of notes, and a pitch in each line, of whose words the first counts.
    init(path: String) throws(Fault) {
        var lines = try ScalaLines(path: path)
        _ = lines.next()
        let count = try lines.number("the number of notes", 0...Self.mostNotes)
        var degrees: [Double] = []
        while degrees.count < count {
            guard let word = lines.nextWord() else {
                throw lines.fault(
                    "ends after \(degrees.count) of \(count) notes", "write the missing pitches, or the number that there are")
            }
            guard let cents = Self.cents(word) else {
                throw lines.fault("\"\(word)\" is no pitch", "write a ratio such as 3/2, or cents with a point such as 701.955")
            }
            degrees.append(cents)
        }
        self.degrees = degrees
    }

    /// Cents, which have a point, or a ratio above 0.
    private static func cents(_ word: String) -> Double? {
        if word.contains(".") { return Double(word).flatMap { abs($0) <= 1e6 ? $0 : nil } }
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Double(UInt64($0) ?? 0) }
        guard parts.count <= 2, parts.allSatisfy({ $0 > 0 }) else { return nil }
        return 1_200 * (DeterministicMath.log2(parts[0]) - (parts.count == 2 ? DeterministicMath.log2(parts[1]) : 0))
    }

    /// Cents of any degree, of those beyond the period and below 0 too.
    func cents(of degree: Int) -> Double {
        guard let period = degrees.last else { return 0 }
        let (turns, place) = floorDivided(degree, by: degrees.count)
        return Double(turns) * period + (place == 0 ? 0 : degrees[place - 1])
    }
}

func floorDivided(_ number: Int, by divisor: Int) -> (quotient: Int, rest: Int) {
    let rest = (number % divisor + divisor) % divisor
    return ((number - rest) / divisor, rest)
}
