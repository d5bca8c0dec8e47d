import Glibc
import Graphs
import RealtimeCore
import Testing

@testable import RemoteIO

/// A card captures, another one plays, and their clocks differ: what is captured keeps step.
@Suite struct CaptureFollowerTests {
    /// What came of so many seconds.
    struct Outcome {
        var played = 0, captureXruns = 0, slips = 0, dropped = 0
        /// Frames that were missing, or twice there, between two blocks.
        var seams = 0
        /// The measured difference of the clocks, parts per million.
        var drift = 0.0
        /// The farthest from the moment at which it was captured, milliseconds, once both clocks are settled; and how much of
        /// the tone is something else, dB.
        var farthest = 0.0, residual = -200.0
        /// The most that the pitch was off in a second, parts per million.
        var pitch = 0.0
    }

    /// A tone of 220 Hz in the world, captured by a card that is `capturing` parts per million too fast, while one plays that is
    /// `playing` too fast. The rate is low so that hours pass quickly.
    static func run(playing: Double, capturing: Double, seconds: Int, rate: Int = 8_000, period: Int = 64) throws -> Outcome {
        let port = SimulatedPort(), tone = 220.0
        port.hardware = SimulatedHardware(drift: playing, pointerStep: 1, captureDrift: capturing)
        port.keepsPlayed = false
        let capturedRate = Double(rate) * (1 + capturing / 1e6), playedRate = Double(rate) * (1 + playing / 1e6)
        port.captures = { frame, _ in Float(0.5 * sin(2 * Double.pi * tone * (Double(frame) / capturedRate))) }
        // A second waits in it, in pieces that may be short.
        let queue = CaptureQueue(channels: 1, frames: 4 * rate, blockFrames: 32)
        let request = DeviceRequest(
            devices: ["simulated"], sampleRate: rate, periodFrames: period, periods: 3, capture: true, captureChannels: 1)
        let renderer = Renderer()
        // A sample time is heard a buffer after time begins.
        let buffer = try port.open(renderer, request, capture: nil, input: queue).bufferFrames
        try port.start {}
        var outcome = Outcome(), next: SampleTime?
        var lastPhase: Double?
        for second in 0..<seconds {
            port.advance(seconds: 1)
            var samples: [(time: Int64, sample: Float)] = []
            while let block = queue.peek() {
                if let next, block.time != next { outcome.seams += abs(block.time - next) }
                next = block.time + block.frames
                for i in 0..<block.frames { samples.append((block.time.rawValue + Int64(i), block.samples[i])) }
                queue.drop()
            }
            if second < 20 { continue }
            // The tone as it should be at the moment at which the card that plays is at the sample time.
            var (inPhase, across, power, sines, cosines, both) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            for (time, sample) in samples {
                let angle = 2 * Double.pi * tone * (Double(time + Int64(buffer)) / playedRate)
                inPhase += Double(sample) * sin(angle)
                across += Double(sample) * cos(angle)
                power += Double(sample) * Double(sample)
                sines += sin(angle) * sin(angle)
                cosines += cos(angle) * cos(angle)
                both += sin(angle) * cos(angle)
            }
            // The tone that fits best, and what it leaves.
            let scale = sines * cosines - both * both
            let a = (inPhase * cosines - across * both) / scale, b = (across * sines - inPhase * both) / scale
            let phase = atan2(b, a), tonePower = a * inPhase + b * across
            outcome.residual = max(outcome.residual, 10 * log10(max(power - tonePower, 1e-20) / power))
            outcome.farthest = max(outcome.farthest, abs(phase) / (2 * Double.pi * tone) * 1000)
            if let lastPhase { outcome.pitch = max(outcome.pitch, abs(phase - lastPhase) / (2 * Double.pi * tone) * 1e6) }
            lastPhase = phase
        }
        let status = port.status
        outcome.played = status.counts.xruns
        outcome.captureXruns = status.captureXruns
        outcome.slips = status.captureSlips
        outcome.drift = status.captureDrift
        outcome.dropped = queue.droppedFrames
        return outcome
    }

    @Test(arguments: [(-200.0, 200.0), (200, -200), (0, 150), (50, 50)])
    func twoCrystalsKeepStep(_ playing: Double, _ capturing: Double) throws {
        let outcome = try Self.run(playing: playing, capturing: capturing, seconds: 60)
        print("\(playing) and \(capturing) ppm: \(outcome)")
        #expect(outcome.played == 0 && outcome.captureXruns == 0 && outcome.slips == 0 && outcome.dropped == 0)
        #expect(outcome.seams == 0)
        #expect(abs(outcome.drift - (capturing - playing)) < 3)
        #expect(outcome.farthest < 0.5)
        #expect(outcome.pitch < 30)
        // What is left is how slowly it leans, not the sinc: with equal clocks it is below -120 dB.
        #expect(outcome.residual < (playing == capturing ? -120 : -60))
    }

    /// An hour of a slow card takes minutes: CARILLON_HOURS=1.
    @Test(.enabled(if: getenv("CARILLON_HOURS") != nil), arguments: [(-200.0, 200.0), (200, -200)])
    func twoCrystalsKeepStepForAnHour(_ playing: Double, _ capturing: Double) throws {
        let outcome = try Self.run(playing: playing, capturing: capturing, seconds: 3_600, rate: 1_000, period: 8)
        print("an hour of \(playing) and \(capturing) ppm: \(outcome)")
        #expect(outcome.played == 0 && outcome.captureXruns == 0 && outcome.slips == 0 && outcome.dropped == 0)
        #expect(outcome.seams == 0 && outcome.farthest < 0.5 && outcome.pitch < 30)
    }
}
