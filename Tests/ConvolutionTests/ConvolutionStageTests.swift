import DSP
import Testing

@testable import Convolution

@Suite struct ConvolutionStageTests {
    /// What a stage makes of a noise that begins at `position`.
    private func play(_ stage: inout ConvolutionStage, _ seed: UInt64, _ frames: Int, at position: Int) -> [Float] {
        let noise = CounterNoise(seed: seed), run = DelayLine.run
        var heard: [Float] = []
        for start in stride(from: position, to: position + frames, by: run) {
            let sound = (0..<run).map { Float(noise.pair(at: Int64(start + $0)).left) }
            var left = [Float](repeating: 0, count: run), right = left
            stage.process(sound, sound, &left, &right, run, at: start)
            heard += left + right
        }
        return heard
    }

    @Test(arguments: [64, 512]) func silenceIsAsNewAndLeavesTheLongPastWhereItIs(size: Int) {
        let noise = CounterNoise(seed: 9), start = ConvolutionStage.reach(size), length = start + 6 * size
        let response = (0..<length).map { Float(noise.pair(at: Int64($0)).left) }
        func stage() -> ConvolutionStage { ConvolutionStage(size: size, responses: [response], range: start..<length) }
        var used = stage()
        _ = play(&used, 1, 9 * size + 64, at: 0)
        let spectra = 2 * 6 * 2 * size
        func past() -> [Float] { (0..<spectra).map { used.history[$0] } }
        let before = past()
        used.clear()
        #expect(past() == before && before.contains { $0 != 0 })
        // Longer than the response, so that every spectrum of the ring is read again.
        var new = stage()
        #expect(play(&used, 2, 10 * size, at: 128) == play(&new, 2, 10 * size, at: 128))
    }
}
