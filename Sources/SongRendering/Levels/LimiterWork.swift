import EngineCore
import Graphs
import RealtimeCore
import UnitAPI

/// The amount that the limiter at a graph's end has taken away: nothing, if the level was right.
public struct LimiterWork: Sendable, Hashable {
    /// The recent reduction, in decibels.
    public var now = 0.0
    /// The highest reduction since the beginning, in decibels.
    public var most = 0.0
    /// Seconds in which it was more than 0.1 dB, counted in stretches of 1024 frames.
    public var reducedSeconds = 0.0
    /// Seconds in which it was more than 1 dB, counted likewise.
    public var pressedSeconds = 0.0

    /// The period at which the limiter updates its readouts, in frames; the updates fall on its multiples.
    static let stretch: Int64 = 1024

    /// Nothing.
    public init() {}

    /// True if it is worth reporting: a reduction of 0.1 dB and less is inaudible.
    public var isNotable: Bool { most > 0.1 }

    /// Returns the share of `seconds` in which the sound was reduced by more than 0.1 dB, 0...1.
    public func reducedShare(of seconds: Double) -> Double { seconds > 0 ? min(reducedSeconds / seconds, 1) : 0 }

    /// Returns the share of `seconds` in which the sound was reduced by more than 1 dB, 0...1.
    public func pressedShare(of seconds: Double) -> Double { seconds > 0 ? min(pressedSeconds / seconds, 1) : 0 }

    /// Returns the gain in whole decibels with which the limiter would have had nothing to do, in place of `gain`; nil if it
    /// had nothing to do.
    public func idleGain(insteadOf gain: Float) -> Int? {
        isNotable ? Int(nearest: (Double(gain).finite - most).rounded(.down)) : nil
    }
}

extension LimiterWork {
    /// Reads the work of a limiter up to now; none for another unit. Control side.
    init(_ limiter: UnitInstance?) {
        guard let limiter else { return }
        func shown(_ name: String) -> Double { Double(limiter.readout(name) ?? 0) }
        now = shown("reduction")
        most = shown("most-reduction")
        reducedSeconds = shown("reduced-seconds")
        pressedSeconds = shown("pressed-seconds")
    }
}

extension SongGraph {
    /// Reads the work of the limiter up to now. Control side.
    package func limiterWork(in engine: Engine) -> LimiterWork {
        LimiterWork(engine.graph[limiter]?.instance)
    }
}
