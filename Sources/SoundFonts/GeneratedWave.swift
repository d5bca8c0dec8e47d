import DSP

/// One turn of a generator of SFZ, with as many harmonics as its keys can have: `*sine`, `*triangle`, `*saw`, `*square`, and
/// silence. Control side.
struct GeneratedWave: Sendable, Hashable {
    enum Shape: String, Sendable { case sine, triangle, saw, square, silence }

    var shape: Shape
    var harmonics: Int

    /// Frames of a turn, and the rate at which it has the pitch of `rootKey`.
    static let frames = 1_024, rootKey = 57, rate = 220 * 1_024

    /// The shape of a sample's name, `*sine` and its like; nil for others.
    static func shape(_ name: String) -> Shape? {
        name == "*tri" ? .triangle : name.first == "*" ? Shape(rawValue: String(name.dropFirst())) : nil
    }

    func block(_ memory: SampleMemory) -> SampleBlock {
        let room = SampleBlock.allocate(Self.frames * 4)
        let samples = room.bindMemory(to: Float.self, capacity: Self.frames)
        for frame in 0..<Self.frames {
            let turns = Double(frame) / Double(Self.frames)
            samples[frame] = Float(32_768 * value(turns))
        }
        return SampleBlock(owning: room, isFloat: true, frames: Self.frames, memory)
    }

    private func value(_ turns: Double) -> Double {
        switch shape {
        case .silence: return 0
        case .sine: return DeterministicMath.sine(turns: turns)
        case .saw, .square, .triangle:
            var sum = 0.0
            for harmonic in 1...harmonics where shape == .saw || harmonic % 2 == 1 {
                let order = Double(harmonic)
                if shape == .triangle {
                    let sign = harmonic % 4 == 1 ? 1.0 : -1.0
                    sum += sign * 0.8105694691387022 / (order * order) * DeterministicMath.sine(turns: order * turns)
                } else {
                    // Saw and square are as loud as a sine of full level.
                    let height =
                        shape == .square ? 1.2732395447351628 : harmonic % 2 == 1 ? 0.6366197723675814 : -0.6366197723675814
                    sum += 0.8164965809277261 * height / order * DeterministicMath.sine(turns: order * turns)
                }
            }
            return sum
        }
    }
}
