import GuidePrograms
import Testing

/// Programs in C, in the manner of Apple's Audio Unit Hosting Guide.
@Suite struct GuideProgramTests {
    private func make(_ program: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UInt32) -> OSStatus) -> [[Float]] {
        let frames = 20_000, memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * frames)
        memory.initialize(repeating: 0, count: 4 * frames)
        defer { memory.deallocate() }
        #expect(program(memory, memory + 2 * frames, UInt32(frames)) == noErr)
        return (0..<4).map { Array(UnsafeBufferPointer(start: memory + $0 * frames, count: frames)) }
    }

    @Test func anOutputUnitAsksItsCallback() {
        let sound = make(renderToneOfUnit)
        for channel in [sound[0], sound[2]] {
            let error = channel.indices.map { abs(Double(channel[$0]) - SineSource.value($0, 44_100)) }.max() ?? 1
            #expect(error < 1.6e-5)
        }
    }

    @Test func aCallbackInCPlusPlusAddsAFlag() {
        var flags = AudioUnitRenderActionFlags.unitRenderAction_PreRender, time = AudioTimeStamp()
        #expect(makeSilence(nil, &flags, &time, 0, 0, nil) == noErr)
        #expect(flags == [.unitRenderAction_PreRender, .unitRenderAction_OutputIsSilence])
    }

    /// The tone of 440 Hz alone, and 20 dB softer behind the equalizer that came between, without a step.
    @Test func aGraphChangesWhileItRuns() {
        let sound = make(renderTonesOfGraph), before = sound[0], after = sound[2]
        #expect(abs((before.suffix(8_000).map(abs).max() ?? 0) - 0.5) < 0.001)
        #expect(abs(frequency(Array(before.suffix(16_000)), rate: 44_100, near: 440) - 440) < 0.1)
        #expect(abs((after.suffix(8_000).map(abs).max() ?? 0) - 0.05) < 0.002)
        let both = before + after, steepest = 0.5 * 2 * Float.pi * 440 / 44_100 + 1 / 256
        let steps = zip(both, both.dropFirst()).map { abs($0 - $1) }.dropFirst(10_000)
        #expect(steps.max() ?? 1 < steepest)
    }
}
