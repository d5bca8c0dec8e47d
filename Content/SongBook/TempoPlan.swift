/// The tempos of a piece: steps, and ramps made of steps.
public struct TempoPlan: Sendable {
    /// Tick and microseconds per quarter, by tick; the first at tick 0.
    public private(set) var changes: [(tick: Int, microsecondsPerQuarter: Int)]

    /// - Parameter start: quarter notes a minute.
    public init(_ start: Double) {
        changes = [(0, Self.microseconds(start))]
    }

    /// A new tempo from `tick` on, which does not lie before the last change.
    public mutating func change(to quartersPerMinute: Double, at tick: Int) {
        let microseconds = Self.microseconds(quartersPerMinute)
        while let last = changes.last, last.tick >= tick, changes.count > 1 { changes.removeLast() }
        if tick == 0 { changes = [(0, microseconds)] } else { changes.append((tick, microseconds)) }
    }

    /// An accelerando or ritardando: the tempo moves to `quartersPerMinute` in equal steps, one every `step` ticks.
    public mutating func glide(
        to quartersPerMinute: Double, from start: Int, until end: Int,
        step: Int = SheetMusic.quarter / 2
    ) {
        let first = Double(changes[changes.count - 1].microsecondsPerQuarter)
        let last = Double(Self.microseconds(quartersPerMinute))
        let steps = max((end - start) / step, 1)
        for index in 0..<steps {
            // Linear in microseconds per quarter: no logarithm, so the same on every machine.
            let value = first + (last - first) * Double(index + 1) / Double(steps)
            change(to: 60_000_000 / value, at: start + index * step)
        }
    }

    /// When a tick is played. Unit: seconds.
    public func seconds(atTick tick: Int) -> Double {
        var microTicks = 0
        for (index, change) in changes.enumerated() where change.tick < tick {
            let end = index + 1 < changes.count ? min(changes[index + 1].tick, tick) : tick
            microTicks += (end - change.tick) * change.microsecondsPerQuarter
        }
        return Double(microTicks) / Double(SheetMusic.quarter) / 1_000_000
    }

    private static func microseconds(_ quartersPerMinute: Double) -> Int {
        Int((60_000_000 / quartersPerMinute).rounded())
    }
}
