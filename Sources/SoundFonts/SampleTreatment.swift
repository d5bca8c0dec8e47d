/// What an SFZ region does with the frames of its sample before they play: backwards, and a loop whose end fades into what comes
/// before its beginning. Control side.
struct SampleTreatment: Sendable, Hashable {
    var isReversed = false
    /// First frame of the loop, the one after its last, and the frames of the fade; 0: none.
    var loopStart = 0, loopEnd = 0, fade = 0

    /// Frames of a fade, and those that they fade into.
    struct Fade {
        var places: Range<Int>, sources: Range<Int>
        /// The place of the first of these among the frames that were read.
        var first: Int
    }

    /// Treats all frames of a sample. Only floats have a fade.
    func apply(to memory: UnsafeMutableRawPointer, isFloat: Bool, frames: Int) {
        guard isFloat else {
            var words = UnsafeMutableBufferPointer(start: memory.bindMemory(to: Int16.self, capacity: frames), count: frames)
            if isReversed { words.reverse() }
            return
        }
        var samples = UnsafeMutableBufferPointer(start: memory.bindMemory(to: Float.self, capacity: frames), count: frames)
        if isReversed { samples.reverse() }
        if let all = faded(0..<frames, of: frames) { fade(samples, Array(samples[all.sources]), all, of: frames) }
    }

    /// The part of `frames` that fades, in a sample of `count` frames; nil for none.
    func faded(_ frames: Range<Int>, of count: Int) -> Fade? {
        let length = length(count), end = min(loopEnd, count)
        let places = frames.clamped(to: end - length..<end)
        guard length > 0, !places.isEmpty else { return nil }
        let way = end - loopStart
        return Fade(
            places: places, sources: places.lowerBound - way..<places.upperBound - way,
            first: places.lowerBound - frames.lowerBound)
    }

    func fade(_ samples: UnsafeMutableBufferPointer<Float>, _ sources: [Float], _ fade: Fade, of count: Int) {
        let length = length(count), begin = min(loopEnd, count) - length
        for (index, source) in sources.enumerated() {
            let frame = fade.places.lowerBound + index - begin
            let x = (Float(frame) + 0.5) / Float(length), share = x * x * (3 - 2 * x)
            samples[fade.first + index] += (source - samples[fade.first + index]) * share
        }
    }

    private func length(_ count: Int) -> Int { max(min(fade, loopStart, min(loopEnd, count) - loopStart), 0) }
}
