import DSP
import Testing

struct FadingDelayTests {
    /// What comes out of a line that is given the number of each frame; `delays` says what is wanted every 64 frames.
    private func heard(_ delays: [Int], from first: Int, piece: Int) -> [Float] {
        let line = DelayLine(longest: 4_000)
        var delay = FadingDelay(first), made: [Float] = []
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: DelayLine.run)
        defer { memory.deallocate() }
        for (run, wanted) in delays.enumerated() {
            delay.step(to: wanted)
            for start in stride(from: 0, to: DelayLine.run, by: piece) {
                let count = min(piece, DelayLine.run - start), position = run * DelayLine.run + start
                line.write((0..<count).map { Float(position + $0) }, count, at: position)
                delay.read(line, before: position, phase: start, count, to: memory)
                made += (0..<count).map { memory[$0] }
            }
        }
        return made
    }

    @Test(arguments: [64, 7]) func anotherDelayIsReachedInAStraightLineOf1024Frames(piece: Int) {
        // From run 60 on another delay is wanted, and while it fades a third one, which has to wait for its end.
        let delays = (0..<120).map { $0 < 60 ? 1_000 : $0 < 66 ? 1_300 : 700 }
        let made = heard(delays, from: 1_000, piece: piece)
        for frame in 2_000..<made.count {
            let first = min(max(Double(frame - 3_840) / 1_024, 0), 1), second = min(max(Double(frame - 4_864) / 1_024, 0), 1)
            let wanted = Double(frame) - (1_000 + 300 * first - 600 * second)
            #expect(abs(Double(made[frame]) - wanted) < 0.01, "frame \(frame): \(made[frame]), not \(wanted)")
            if abs(Double(made[frame]) - wanted) >= 0.01 { return }
        }
    }

    @Test func whereItStandsItIsTheLineItself() {
        let line = DelayLine(longest: 500), delay = FadingDelay(100)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: DelayLine.run)
        defer { memory.deallocate() }
        #expect(delay.heard(line, before: 640, phase: 0, 64, in: memory) == line.read(100, before: 640) && delay.least == 100)
    }
}
