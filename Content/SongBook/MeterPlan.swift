import Sequencer

/// The meters of a piece and where each of its bars begins.
public struct MeterPlan: Sendable {
    /// A run of bars in one meter.
    public struct Section: Sendable, Equatable {
        public var bars: Int
        public var numerator: Int
        /// 1, 2, 4, 8 or 16.
        public var denominator: Int

        /// Unit: ticks.
        public var barLength: Int { numerator * 4 * SheetMusic.quarter / denominator }
    }

    /// The meters in order.
    public let sections: [Section]
    /// An upbeat before bar 1, 0 for none. Unit: ticks.
    public let upbeat: Int

    public init(_ sections: [(bars: Int, numerator: Int, denominator: Int)], upbeat: Int = 0) {
        self.sections = sections.map { Section(bars: $0.bars, numerator: $0.numerator, denominator: $0.denominator) }
        self.upbeat = upbeat
    }

    /// Bars in all sections.
    public var barCount: Int { sections.reduce(0) { $0 + $1.bars } }

    /// Where bar `number` (from 1) begins; one past the last bar is the end of the piece. Unit: ticks.
    public func start(ofBar number: Int) -> Int {
        var tick = upbeat
        var bar = 1
        for section in sections {
            let bars = min(section.bars, number - bar)
            tick += bars * section.barLength
            bar += bars
        }
        return tick
    }

    /// The end of the last bar. Unit: ticks.
    public var end: Int { start(ofBar: barCount + 1) }

    /// The number of the bar that begins exactly at `tick`; the end counts as one. Nil within a bar.
    public func bar(beginningAt tick: Int) -> Int? {
        var start = upbeat
        var bar = 1
        for section in sections {
            let length = section.bars * section.barLength
            if tick < start + length {
                guard tick >= start, (tick - start) % section.barLength == 0 else { return nil }
                return bar + (tick - start) / section.barLength
            }
            start += length
            bar += section.bars
        }
        return tick == start ? bar : nil
    }

    /// Each meter at the tick it begins; the upbeat is a short bar of its own.
    var changes: [(tick: Int, meter: TimeSignature)] {
        var result: [(tick: Int, meter: TimeSignature)] = []
        var tick = 0
        if upbeat > 0 {
            result.append((0, Self.meter(upbeat * 8 / (4 * SheetMusic.quarter), 8)))
            tick = upbeat
        }
        for section in sections {
            let meter = Self.meter(section.numerator, section.denominator)
            if result.last?.meter != meter { result.append((tick, meter)) }
            tick += section.bars * section.barLength
        }
        return result
    }

    private static func meter(_ numerator: Int, _ denominator: Int) -> TimeSignature {
        TimeSignature(UInt8(numerator), over: denominator)
    }
}
