/// What an SFZ region does with the frames of its sample before they play: backwards, and a loop whose end fades into what comes
/// before its beginning. Control side.
struct SampleTreatment: Sendable, Hashable {
    var isReversed = false
    /// First frame of the loop, the one after its last, and the frames of the fade; 0: none.
    var loopStart = 0, loopEnd = 0, fade = 0

    func apply(to samples: inout [Float]) {
        if isReversed { samples.reverse() }
        let end = min(loopEnd, samples.count), length = min(fade, loopStart, end - loopStart)
        guard length > 0 else { return }
        for frame in 0..<length {
            let x = (Float(frame) + 0.5) / Float(length), share = x * x * (3 - 2 * x)
            let place = end - length + frame
            samples[place] += (samples[loopStart - length + frame] - samples[place]) * share
        }
    }
}
