import CRealtime

/// Sound that was made for some loudspeakers, on others: what each channel of one layout gets of each of another.
///
/// A speaker that both have plays what is meant for it, bit for bit. What is meant for one that is not there: the centre plays
/// on both front speakers 3 dB softer, a rear or side speaker on the front one of its side 3 dB softer, a side speaker on the
/// rear one of its side, if there is one, 3 dB softer; low frequencies are left out. One speaker plays half of what two
/// would. A single channel plays on both front speakers, and speakers that nothing is meant for are silent.
/// Source: ITU-R BS.775-3, annex 4 (3/2 to 2/0), which says nothing of side speakers: they are treated as rear ones are.
public struct SpeakerFold: ~Copyable {
    /// 3 dB softer.
    private static let half: Float = 0.70710678118654752

    /// Channels that come in, and that go out.
    public let inputs: Int, outputs: Int
    /// True if each channel is led on as it is, or none.
    public let isOneToOne: Bool
    /// Gains: a row of `inputs` for each output.
    private let gains: UnsafeMutablePointer<Float>

    /// Creates a fold from one layout to another. Control side.
    public init(from source: SpeakerLayout, to target: SpeakerLayout) {
        self.init(Self.gains(from: source, to: target), inputs: source.channels)
    }

    /// Channels that nothing is known of, one by one on as many others or more, which are silent. Control side.
    public init(oneByOne inputs: Int, on outputs: Int) {
        let row = [Float](repeating: 0, count: inputs)
        self.init(Self.identity(inputs) + Array(repeating: row, count: max(outputs - inputs, 0)), inputs: inputs)
    }

    private init(_ gains: [[Float]], inputs: Int) {
        self.inputs = inputs
        outputs = gains.count
        isOneToOne = gains.enumerated().allSatisfy { row, gains in
            gains.enumerated().allSatisfy { $0.element == ($0.offset == row ? 1 : 0) }
        }
        self.gains = .allocate(capacity: inputs * outputs)
        for (row, gains) in gains.enumerated() {
            for (column, gain) in gains.enumerated() { (self.gains + row * inputs + column).initialize(to: gain) }
        }
    }

    deinit { gains.deallocate() }

    /// Returns the gains, a row of the source's channels for each of the target's. Control side.
    public static func gains(from source: SpeakerLayout, to target: SpeakerLayout) -> [[Float]] {
        if source == target { return identity(source.channels) }
        if target == .mono {
            let stereo = gains(from: source, to: .stereo)
            return [zip(stereo[0], stereo[1]).map { ($0 + $1) * 0.5 }]
        }
        return target.speakers.map { speaker in
            source == .mono
                ? [speaker == .frontLeft || speaker == .frontRight ? 1 : 0]
                : source.speakers.map { gain(of: $0, on: speaker, in: target.speakers) }
        }
    }

    private static func identity(_ count: Int) -> [[Float]] {
        (0..<count).map { row in (0..<count).map { $0 == row ? 1 : 0 } }
    }

    private static func gain(of meant: Speaker, on speaker: Speaker, in target: [Speaker]) -> Float {
        if meant == speaker { return 1 }
        if target.contains(meant) { return 0 }
        let stand: [Speaker] =
            switch meant {
            case .centre: [.frontLeft, .frontRight]
            case .sideLeft: target.contains(.rearLeft) ? [.rearLeft] : [.frontLeft]
            case .sideRight: target.contains(.rearRight) ? [.rearRight] : [.frontRight]
            case .rearLeft: [.frontLeft]
            case .rearRight: [.frontRight]
            case .frontLeft, .frontRight, .lowFrequency: []
            }
        return stand.contains(speaker) ? half : 0
    }

    // [render]

    /// Folds `frames` frames of the channels of `source` into those of `target`, which are others.
    @_noLocks public func fold(
        _ source: UnsafePointer<UnsafeMutablePointer<Float>>, to target: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        for row in 0..<outputs {
            let to = target[row]
            var isEmpty = true
            for column in 0..<inputs {
                let gain = gains[row &* inputs &+ column]
                if gain == 0 { continue }
                if isEmpty {
                    if gain == 1 { rt_copy(to, source[column], frames) } else { rt_scale(to, source[column], gain, frames) }
                } else if gain == 1 {
                    rt_add(to, source[column], frames)
                } else {
                    rt_add_scaled(to, source[column], gain, frames)
                }
                isEmpty = false
            }
            if isEmpty { rt_zero(to, frames) }
        }
    }
}
