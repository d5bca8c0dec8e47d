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

    /// A stereo pair per root key; `make` gets the root and the side, 0 = left, 1 = right.
    public init(stereo roots: [Int], _ make: (Int, Int) -> Sample) {
        zones = Multisample.ranges(roots).map { Zone(left: make($0, 0), right: make($0, 1), keys: $1) }
    }

    /// One sample on the keys given.
    public init(_ sample: Sample, keys: ClosedRange<Int> = 0...127) { zones = [Zone(left: sample, keys: keys)] }

    private static func ranges(_ roots: [Int]) -> [(Int, ClosedRange<Int>)] {
        roots.indices.map { i in
            let low = i == 0 ? 0 : (roots[i - 1] + roots[i]) / 2 + 1
            let high = i == roots.count - 1 ? 127 : (roots[i] + roots[i + 1]) / 2
            return (roots[i], low...high)
        }
    }
}
