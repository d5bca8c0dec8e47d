import Carillon
import CarillonTestKit
import Glibc
import RemoteIO

@testable import Sessions

/// An engine on two simulated devices whose clocks differ: a tone that the first plays, and the second, in step.
final class TwoDevices {
    static let tone = 220.0
    let rate: Int
    let engine: Engine
    let first = SimulatedPort(), second = SimulatedPort()
    /// Frames per second that each of them really plays.
    let rates: (first: Double, second: Double)
    private var time = 0.0
    private var passed = (first: 0, second: 0)

    /// Devices that are so many parts per million too fast.
    ///
    /// - Parameter plays: whether the second is played on at all.
    init(
        first firstDrift: Double, second secondDrift: Double, rate: Int = 8_000, seconds: Int, period: Int = 64,
        secondPeriod: Int? = nil, plays: Bool = true, troubles: [SimulatedTrouble] = [], firstTroubles: [SimulatedTrouble] = []
    ) throws {
        self.rate = rate
        rates = (Double(rate) * (1 + firstDrift / 1e6), Double(rate) * (1 + secondDrift / 1e6))
        engine = Engine(sampleRate: Double(rate))
        let sine = (0..<(seconds + 2) * rate).map { Float(0.5 * sin(2 * .pi * Self.tone * Double($0) / Double(rate))) }
        let node = try engine.edit { (graph) throws(Fault) in
            let setup = UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)
            let node = try graph.add(UnitInstance.boxing(SignalSource(left: sine, right: sine), setup))
            try graph.setOutput(node)
            return node
        }
        first.hardware = SimulatedHardware(drift: firstDrift, pointerStep: 1)
        second.hardware = SimulatedHardware(drift: secondDrift, pointerStep: 1)
        (first.troubles, second.troubles) = (firstTroubles, troubles)
        if plays { try engine.play(node, on: .simulated(second, period: secondPeriod ?? period)) }
        try engine.start(on: .simulated(first, period: period))
    }

    /// Lets so many seconds of the world pass, for both alike.
    func pass(_ seconds: Double) throws {
        let end = time + seconds
        while time < end - 1e-9 {
            time = min(end, time + 0.005)
            let goal = (first: Int(time * rates.first), second: Int(time * rates.second))
            first.advance(frames: goal.first - passed.first)
            second.advance(frames: goal.second - passed.second)
            passed = goal
            try engine.maintain()
        }
    }

    /// What the second plays in a stretch of the world's time.
    struct Heard {
        /// Frames of the graph by which it is later than what the first plays, beyond the delay that is told.
        var late = 0.0
        /// How loud the tone is, full scale 1, and what else is there, dB below it.
        var amplitude = 0.0, residual = 0.0
    }

    /// The tone that fits best what the second plays from `start` on, for a second.
    func heard(from start: Double) -> Heard {
        let grant = first.grant!, delay = engine.deviceOutputs[0].delayMilliseconds! / 1000 * Double(rate)
        let begin = Int(start * rates.second)
        var (inPhase, across, power, sines, cosines, both) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for frame in begin..<begin + Int(rates.second) {
            let world = Double(frame) / rates.second, sample = Double(second.played[0][frame])
            // The frame of the graph that the first plays at that moment, and the second a constant later.
            let place = world * rates.first - Double(grant.bufferFrames) - delay
            let angle = 2 * Double.pi * Self.tone * place / Double(rate)
            inPhase += sample * sin(angle)
            across += sample * cos(angle)
            power += sample * sample
            sines += sin(angle) * sin(angle)
            cosines += cos(angle) * cos(angle)
            both += sin(angle) * cos(angle)
        }
        let scale = sines * cosines - both * both
        let a = (inPhase * cosines - across * both) / scale, b = (across * sines - inPhase * both) / scale
        let tonePower = a * inPhase + b * across
        return Heard(
            late: -atan2(b, a) / (2 * Double.pi * Self.tone) * Double(rate), amplitude: (a * a + b * b).squareRoot(),
            residual: 10 * log10(max(power - tonePower, 1e-20) / max(power, 1e-20)))
    }
}
