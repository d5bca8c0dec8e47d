/// Samples over the keyboard, mono or stereo.
public struct Multisample: Sendable {
    /// One sample, or a stereo pair, over a range of keys.
    public struct Zone: Sendable {
        public var left: Sample
        public var right: Sample?
        public var keys: ClosedRange<Int>

        public init(left: Sample, right: Sample? = nil, keys: ClosedRange<Int>) {
            self.left = left
            self.right = right
            self.keys = keys
        }
    }

    /// The samples and the keys that each covers.
    public var zones: [Zone]

    /// One sample per root key, in rising order; the borders lie half-way between the roots, the outer zones reach the
    /// ends.
    public init(_ roots: [Int], _ make: (Int) -> Sample) {
        zones = Multisample.ranges(roots).map { Zone(left: make($0), keys: $1) }
    }

    /// One sample per root key, of a recipe that could also give the sides of a pair.
    public init(mono roots: [Int], _ make: (Int, Side?) -> Sample) { self.init(roots) { make($0, nil) } }

    /// A stereo pair per root key; `make` gets the root and the side.
    public init(stereo roots: [Int], _ make: (Int, Side) -> Sample) {
        zones = Multisample.ranges(roots).map { Zone(left: make($0, .left), right: make($0, .right), keys: $1) }
    }

    /// One sample on the keys given.
    public init(_ sample: Sample, keys: ClosedRange<Int> = 0...127) { zones = [Zone(left: sample, keys: keys)] }

    /// Returns the same samples on keys that are `semitones` higher; the outer zones reach the ends.
    func raised(by semitones: Int) -> Multisample {
        var result = self
        for i in zones.indices {
            let low = zones[i].keys.lowerBound == 0 ? 0 : min(127, zones[i].keys.lowerBound + semitones)
            let high = zones[i].keys.upperBound == 127 ? 127 : min(127, zones[i].keys.upperBound + semitones)
            result.zones[i].keys = low...high
        }
        return result
    }

    private static func ranges(_ roots: [Int]) -> [(Int, ClosedRange<Int>)] {
        roots.indices.map { i in
            let low = i == 0 ? 0 : (roots[i - 1] + roots[i]) / 2 + 1
            let high = i == roots.count - 1 ? 127 : (roots[i] + roots[i + 1]) / 2
            return (roots[i], low...high)
        }
    }
}
