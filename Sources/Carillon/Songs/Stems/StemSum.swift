import RealtimeCore

/// The law of stems, kept where a mix and its stems are changed alike: what the stems add up to, in their order, is the mix.
///
/// A gain on a sum is not the sum of the gains on its parts, in the last bit. So the mix is made anew of the changed stems, and of
/// what there was in it beside their sum, changed as they are: nothing, where nothing but a limiter at rest stands behind the mixer.
/// Control side, one thread.
final class StemSum {
    /// Left and right of what stands in the mix beside its stems.
    private let rest: AudioBuffer
    private let capacity: Int

    /// Room for so many frames at a time.
    init(frames: Int) {
        capacity = frames
        rest = AudioBuffer(channels: 2, capacity: max(frames, 1))
    }

    /// Changes a stereo mix and its stems alike.
    ///
    /// - Parameters:
    ///   - stems: left and right of each.
    ///   - change: gets channels of each of them and of the rest, and does the same to every one of them.
    func change(
        _ mix: [UnsafeMutablePointer<Float>], _ stems: [UnsafeMutablePointer<Float>], frames: Int,
        _ change: ([UnsafeMutablePointer<Float>]) -> Void
    ) {
        precondition(mix.count == 2 && frames <= capacity, "stems are stereo")
        let rest = [self.rest.channels[0], self.rest.channels[1]]
        for side in 0..<2 {
            Self.add(stems, side, to: rest[side], frames)
            for i in 0..<frames { rest[side][i] = mix[side][i] - rest[side][i] }
        }
        change(stems + rest)
        for side in 0..<2 {
            Self.add(stems, side, to: mix[side], frames)
            for i in 0..<frames { mix[side][i] += rest[side][i] }
        }
    }

    /// Adds up one side of all stems in their order, beginning with zero.
    private static func add(
        _ stems: [UnsafeMutablePointer<Float>], _ side: Int, to sum: UnsafeMutablePointer<Float>, _ frames: Int
    ) {
        sum.update(repeating: 0, count: frames)
        for place in stride(from: side, to: stems.count, by: 2) {
            let stem = stems[place]
            for i in 0..<frames { sum[i] += stem[i] }
        }
    }
}
