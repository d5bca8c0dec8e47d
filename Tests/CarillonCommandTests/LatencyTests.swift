import TestFolders
import Testing

@testable import CarillonCommand

/// `carillon latency`: the arithmetic, the search for a click, and the figures of a device that is none.
@Suite struct LatencyTests {
    @Test func figuresAddUp() {
        let figures = LatencyFigures(sampleRate: 48_000, period: 256, buffer: 512, event: 560, grid: 64, limiter: 102)
        #expect(
            figures.lines.map { String($0.prefix(52)) } == [
                "event latency             560 frames       11.67 ms ", "with --immediate      256-512 frames  5.33-10.67 ms ",
                "onset grid               0-63 frames   0.00-1.31 ms ", "limiter                   102 frames        2.13 ms ",
                "key to output         662-725 frames 13.79-15.10 ms ", "  with --immediate    358-677 frames  7.46-14.10 ms ",
            ])
    }

    @Test func theNullDeviceHasFiguresAndNothingIsMeasured() {
        let run = Program.run(["latency", "--device", "null", "--period", "128"], in: TemporaryFolder())
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.text.contains("null: 48000 Hz, 128 frames x 2 periods"))
        #expect(run.text.contains("Not measured: name a --input-device"))
    }

    @Test func asJSONItIsOneObject() throws {
        let run = Program.run(["latency", "--device", "null", "--period", "128", "--json"], in: TemporaryFolder())
        #expect(run.exitCode == 0 && run.text.filter { $0 == "\n" }.count == 1, "\(run.errors)")
        #expect(run.text.contains("\"computed\":{\"buffer\":256,\"event\":304,\"grid\":1,\"limiter\":"))
        #expect(run.text.contains("\"period\":128,\"sampleRate\":48000}") && !run.text.contains("measured"))
    }

    @Test(arguments: [
        (["--period", "1"], "--period: 1 is out of range; choose from 16 to 8192 frames"),
        (["--clicks", "0"], "--clicks: 0 is out of range; choose from 1 to 1000"),
        (["--device", "null", "--input-device", "hw:0"], "--device null plays nothing"),
    ])
    func whatMakesNoSenseIsRefused(_ options: [String], _ reason: String) {
        let run = Program.run(["latency"] + options, in: TemporaryFolder())
        #expect(run.exitCode == 64 && run.errorLines.count == 1 && run.errors.contains(reason), "\(run.errors)")
    }

    /// Noise with a click of another noise in it.
    private func sound(level: Float, noise: Float, at place: Int?) -> (click: [Float], sound: [Float]) {
        var state: UInt64 = 3
        func random() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
        }
        let click = (0..<ClickSearch.length).map { _ in random() }
        var sound = (0..<4000).map { _ in random() * noise }
        if let place { for (index, sample) in click.enumerated() { sound[place + index] += sample * level } }
        return (click, sound)
    }

    @Test(arguments: [(Float(1), 0), (0.01, 1), (-0.3, 1234), (0.5, 3760)])
    func aClickIsFoundAtAnyLevelAndEitherWayRound(_ level: Float, _ place: Int) {
        let (click, sound) = sound(level: level, noise: abs(level) / 10, at: place)
        #expect(ClickSearch(click: click).place(in: sound) == place)
    }

    @Test func noiseSilenceAndNothingAreNoClick() {
        let (click, noise) = sound(level: 0, noise: 0.5, at: nil)
        #expect(ClickSearch(click: click).place(in: noise) == nil)
        #expect(ClickSearch(click: click).place(in: [Float](repeating: 0, count: 4000)) == nil)
        #expect(ClickSearch(click: click).place(in: []) == nil)
        #expect(ClickSearch(click: []).place(in: noise) == nil)
    }
}
