import DSP
import Testing

@Suite struct PulseOscillatorTests {
    /// A wave of so many frames, made in calls of the given lengths in turn.
    private func wave(_ frequency: Double, width: Float, count: Int, calls: [Int] = [32]) -> [Float] {
        let workspace = UnsafeMutablePointer<Float>.allocate(capacity: PulseOscillator.workspaceCount)
        defer { workspace.deallocate() }
        var oscillator = PulseOscillator()
        oscillator.setFrequency(frequency)
        oscillator.setWidth(width)
        oscillator.start(workspace, BandLimitedStep.rows)
        var result: [Float] = []
        var turn = 0
        while result.count < count {
            let frames = min(calls[turn % calls.count], count - result.count)
            let samples = oscillator.render(frames, workspace, BandLimitedStep.rows)
            result.append(contentsOf: UnsafeBufferPointer(start: samples, count: frames))
            turn += 1
        }
        return result
    }

    @Test(arguments: [0.0001, 0.013, 0.25, 0.4999, 0.5])
    func theLengthsOfTheCallsDoNotMatter(frequency: Double) {
        let whole = wave(frequency, width: 0.3, count: 2_000)
        for calls in [[1], [16], [3, 32, 1, 7], [31]] {
            #expect(wave(frequency, width: 0.3, count: 2_000, calls: calls).map(\.bitPattern) == whole.map(\.bitPattern))
        }
    }

    @Test(arguments: [0.05, 0.25, 0.5, 0.95] as [Float])
    func theWaveRepeatsExactlyAndHasNoDirectCurrent(width: Float) {
        // 1/64 of the sample rate: a period is 64 frames from the very first frame on.
        let samples = wave(1.0 / 64, width: width, count: 640)
        for i in 64..<640 { #expect(abs(samples[i] - samples[i - 64]) < 2e-6, "frame \(i)") }
        let sum = samples[0..<64].reduce(0.0) { $0 + Double($1) }
        #expect(abs(sum / 64) < 1e-6)
    }

    @Test func halfTheSampleRateAndBeyondIsInaudible() {
        for frequency in [0.5, 3.0, .infinity] {
            #expect(wave(frequency, width: 0.3, count: 500).allSatisfy { abs($0) < 3e-5 })
        }
    }

    @Test func pitchesWithoutMeaningDoNoHarm() {
        for frequency in [0, -1, 1e-300, .nan] {
            #expect(wave(frequency, width: 0.5, count: 200).allSatisfy { abs($0 - 1) < 1e-5 })
        }
        for width in [0, -3, 7, .nan] as [Float] {
            #expect(wave(0.01, width: width, count: 500).allSatisfy { $0.isFinite })
        }
    }

    @Test func aNewWidthTakesEffectWithTheNextPeriodAndMakesNoDirectCurrent() {
        let workspace = UnsafeMutablePointer<Float>.allocate(capacity: PulseOscillator.workspaceCount)
        defer { workspace.deallocate() }
        var oscillator = PulseOscillator()
        oscillator.setFrequency(1.0 / 200)
        oscillator.setWidth(0.5)
        oscillator.start(workspace, BandLimitedStep.rows)
        var sum = 0.0
        for n in 0..<20_000 {
            // The first and last periods are alike, so their parts complete each other.
            oscillator.setWidth(n < 300 || n > 19_300 ? 0.5 : 0.1 + 0.8 * Float(n % 977) / 977)
            sum += Double(oscillator.render(1, workspace, BandLimitedStep.rows)[0])
        }
        #expect(abs(sum / 20_000) < 1e-6)
    }
}
