import MIDI
import RealtimeCore

/// Ticks to frames and back, exactly.
///
/// A tempo holds from its tick on. The time of a tick is the sum of ticks times microseconds per quarter, a whole number,
/// over one constant. That sum is kept in 128 bits and divided once, at the end, so nothing accumulates, for any length of
/// the song and any number of tempos.
///
/// Rounding: to the nearest frame, halves up. A time beyond `TempoMap.lastFrame` is that frame.
public struct TempoMap: Hashable, Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// The division that the ticks are counted in.
    public let division: Division

    /// The latest time a tick is given, 2^62: no song gets there, except one made of nothing but the longest pauses.
    public static let lastFrame = SampleTime(1 << 62)

    private struct Segment: Hashable {
        var tick: Int64
        /// Ticks times microseconds per quarter that have passed before `tick`; plain ticks in an SMPTE division.
        var elapsed: Int128
        var unitsPerTick: Int64
    }

    /// A meter, from its tick on; a new meter begins a new bar.
    private struct MeterChange: Hashable {
        var tick: Int64
        /// The number of the bar that begins here, from 1; the beats before it, each begun one counted.
        var bar: Int64
        var beat: Int64 = 0
        var meter: TimeSignature
    }

    /// Never empty; the first begins at tick 0.
    private let segments: [Segment]
    /// Never empty; the first begins at tick 0.
    private let meters: [MeterChange]
    /// frame = elapsed * scale / divisor.
    private let scale: Int128
    private let divisor: Int128

    /// - Parameters:
    ///   - tempos: microseconds per quarter from a tick on, sorted by tick; at one tick the last holds. Values below 1
    ///     are passed over. Without one at tick 0 the song starts at 500 000 (120 quarters a minute). An SMPTE division
    ///     has no use for them.
    ///   - meters: sorted by tick; at one tick the last holds; 4/4 until the first.
    ///   - sampleRate: frames per second, 1...16 777 216 (values outside are brought to the bound).
    public init(
        division: Division, tempos: [(tick: Int64, microsecondsPerQuarter: UInt32)],
        meters: [(tick: Int64, meter: TimeSignature)] = [], sampleRate: Int
    ) {
        self.division = division
        self.sampleRate = min(max(sampleRate, 1), 1 << 24)
        var segments: [Segment] = []
        switch division {
        case .ticksPerQuarter(let ticks):
            scale = Int128(self.sampleRate)
            divisor = Int128(min(max(ticks, 1), 32_767)) * 1_000_000
            segments.append(Segment(tick: 0, elapsed: 0, unitsPerTick: 500_000))
            segments.reserveCapacity(tempos.count + 1)
            for tempo in tempos where tempo.microsecondsPerQuarter > 0 {
                let last = segments[segments.count - 1]
                let tick = max(tempo.tick, last.tick)
                if tick == last.tick {
                    segments[segments.count - 1].unitsPerTick = Int64(tempo.microsecondsPerQuarter)
                } else {
                    let elapsed = last.elapsed + Int128(tick - last.tick) * Int128(last.unitsPerTick)
                    segments.append(
                        Segment(
                            tick: tick, elapsed: elapsed,
                            unitsPerTick: Int64(tempo.microsecondsPerQuarter)))
                }
            }
        case .smpte(let rate, let ticksPerFrame):
            let film = rate.framesPerSecond
            scale = Int128(self.sampleRate) * Int128(film.denominator)
            divisor = Int128(film.numerator) * Int128(min(max(ticksPerFrame, 1), 255))
            segments.append(Segment(tick: 0, elapsed: 0, unitsPerTick: 1))
        }
        self.segments = segments
        self.meters = Self.bars(of: meters, division: division)
    }

    /// Returns the frame of a tick. Ticks below 0 are tick 0.
    public func time(ofTick tick: Int64) -> SampleTime {
        time(ofTick: tick, in: Self.index(of: tick, in: segments, by: \.tick))
    }

    /// Returns the frame of a pulse of MIDI's clock, 24 a quarter note, counted from tick 0; nil in an SMPTE division, which
    /// has no quarters. Pulses below 0 are pulse 0.
    public func time(ofPulse pulse: Int64) -> SampleTime? {
        time(ofPart: pulse, perQuarter: Int64(ClockMessage.pulsesPerQuarter))
    }

    /// Returns the frame of a place between ticks, in parts of a quarter note from tick 0 on, of which a quarter has
    /// `perQuarter`. nil in an SMPTE division. Parts below 0 are part 0.
    public func time(ofPart part: Int64, perQuarter: Int64) -> SampleTime? {
        guard case .ticksPerQuarter(let ticks) = division else { return nil }
        // Counted in parts of a tick.
        let parts = Int128(max(perQuarter, 1)), place = Int128(max(part, 0)) * Int128(min(max(ticks, 1), 32_767))
        let segment = segments[Self.index(of: Int64(clamping: place / parts), in: segments, by: \.tick)]
        let elapsed = segment.elapsed * parts + (place - Int128(segment.tick) * parts) * Int128(segment.unitsPerTick)
        let (numerator, overflow) = elapsed.multipliedReportingOverflow(by: scale * 2)
        let divisor = divisor * parts
        guard !overflow, numerator < Int128.max - divisor else { return Self.lastFrame }
        let frame = (numerator + divisor) / (divisor * 2)
        return frame < Int128(Self.lastFrame.rawValue) ? SampleTime(Int64(frame)) : Self.lastFrame
    }

    /// Returns the first pulse whose frame is `time` or later; nil in an SMPTE division.
    public func pulse(from time: SampleTime) -> Int64? {
        guard case .ticksPerQuarter(let ticks) = division else { return nil }
        // The pulse of the tick that has begun, or a neighbour of it by rounding.
        let tick = Int128(tick(at: time)), perQuarter = Int128(min(max(ticks, 1), 32_767))
        var pulse = Int64(clamping: tick * Int128(ClockMessage.pulsesPerQuarter) / perQuarter)
        while pulse > 0, let before = self.time(ofPulse: pulse - 1), before >= time { pulse -= 1 }
        while let at = self.time(ofPulse: pulse), at < time, at < Self.lastFrame { pulse += 1 }
        return pulse
    }

    /// Frames of ticks that never go back, without a search for each.
    struct Walk {
        private let map: TempoMap
        private var index = 0

        init(_ map: TempoMap) { self.map = map }

        mutating func time(ofTick tick: Int64) -> SampleTime {
            while index + 1 < map.segments.count, map.segments[index + 1].tick <= tick { index += 1 }
            return map.time(ofTick: tick, in: index)
        }
    }

    private func time(ofTick tick: Int64, in index: Int) -> SampleTime {
        let segment = segments[index]
        let elapsed = segment.elapsed + Int128(max(tick, 0) - segment.tick) * Int128(segment.unitsPerTick)
        // Nearest, halves up: floor(x + 1/2). Most sums fit a machine word, whose division is ten times faster.
        let (numerator, overflow) = elapsed.multipliedReportingOverflow(by: scale * 2)
        guard !overflow, numerator < Int128.max - divisor else { return Self.lastFrame }
        if let short = Int64(exactly: numerator + divisor) { return SampleTime(short / Int64(divisor * 2)) }
        let frame = (numerator + divisor) / (divisor * 2)
        return frame < Int128(Self.lastFrame.rawValue) ? SampleTime(Int64(frame)) : Self.lastFrame
    }

    /// Returns the last tick whose frame is not after `time`; 0 for times before the start.
    public func tick(at time: SampleTime) -> Int64 {
        let frame = Int128(max(time.rawValue, 0))
        // frame(elapsed) <= f  <=>  2 elapsed scale + divisor < 2 divisor (f + 1)
        //                      <=>  elapsed < divisor (2f + 1) / (2 scale)
        let bound = divisor * (2 * frame + 1)
        let last = (bound + scale * 2 - 1) / (scale * 2) - 1
        let segment = segments[max(Self.index(of: last, in: segments, by: \.elapsed), 0)]
        return Int64(clamping: Int128(segment.tick) + (last - segment.elapsed) / Int128(segment.unitsPerTick))
    }

    /// Microseconds per quarter in force at a tick; nil in an SMPTE division.
    public func microsecondsPerQuarter(atTick tick: Int64) -> Int? {
        guard case .ticksPerQuarter = division else { return nil }
        return Int(segments[Self.index(of: tick, in: segments, by: \.tick)].unitsPerTick)
    }

    /// The first tick of the meter in force at a tick: a bar line.
    func meterTick(atTick tick: Int64) -> Int64 { meters[Self.index(of: tick, in: meters, by: \.tick)].tick }

    /// The bar, from 1, and the beat, from 0, at which the meter in force begins; nil in an SMPTE division, without beats.
    func meterBegin(atTick tick: Int64) -> (bar: Int64, beat: Int64, meter: TimeSignature)? {
        guard case .ticksPerQuarter = division else { return nil }
        let change = meters[Self.index(of: tick, in: meters, by: \.tick)]
        return (change.bar, change.beat, change.meter)
    }

    var meterTicks: Set<Int64> { Set(meters.map(\.tick)) }

    var changeTicks: [Int64] { Set(segments.map(\.tick) + meters.map(\.tick)).sorted() }

    /// The number of times that the tempo changes after the start.
    public var tempoChanges: Int { segments.count - 1 }

    /// Returns the position of a tick in the music; nil in an SMPTE division, which has no beats.
    public func position(ofTick tick: Int64) -> BarPosition? {
        guard case .ticksPerQuarter(let ticksPerQuarter) = division else { return nil }
        let change = meters[Self.index(of: tick, in: meters, by: \.tick)]
        // Counted in a tick over the denominator a beat is whole, also if 4 * quarter is no multiple of the denominator.
        let beat = Int128(min(max(ticksPerQuarter, 1), 32_767)) * 4
        let passed = Int128(max(tick, 0) - change.tick) * Int128(change.meter.denominator)
        let beats = passed / beat
        let numerator = Int128(max(change.meter.numerator, 1))
        return BarPosition(
            bar: change.bar + Int64(clamping: beats / numerator), beat: Int(beats % numerator) + 1,
            tick: Int((passed % beat) / Int128(change.meter.denominator)))
    }

    /// Returns the first tick of a bar, counted from 1 (bars below are the first); nil in an SMPTE division. A bar that a new
    /// meter cuts short ends with that meter's first tick.
    public func tick(ofBar bar: Int64) -> Int64? {
        guard case .ticksPerQuarter(let ticksPerQuarter) = division else { return nil }
        let bar = max(bar, 1), index = Self.index(of: bar, in: meters, by: \.bar), change = meters[index]
        let beat = Int128(min(max(ticksPerQuarter, 1), 32_767)) * 4
        let units = Int128(bar - change.bar) * Int128(max(change.meter.numerator, 1)) * beat
        let denominator = Int128(change.meter.denominator)
        let tick = Int64(clamping: Int128(change.tick) + (units + denominator - 1) / denominator)
        return index + 1 < meters.count ? min(tick, meters[index + 1].tick) : tick
    }

    private static func bars(of meters: [(tick: Int64, meter: TimeSignature)], division: Division) -> [MeterChange] {
        var changes = [MeterChange(tick: 0, bar: 1, meter: .common)]
        guard case .ticksPerQuarter(let ticksPerQuarter) = division else { return changes }
        for (tick, meter) in meters where meter.numerator > 0 {
            let last = changes[changes.count - 1]
            guard tick > last.tick else {
                changes[changes.count - 1].meter = meter
                continue
            }
            // A bar cut short by a new meter counts as a bar, and so does a beat.
            let beat = Int128(min(max(ticksPerQuarter, 1), 32_767)) * 4, bar = beat * Int128(last.meter.numerator)
            let passed = Int128(tick - last.tick) * Int128(last.meter.denominator)
            changes.append(
                MeterChange(
                    tick: tick, bar: last.bar + Int64(clamping: (passed + bar - 1) / bar),
                    beat: last.beat + Int64(clamping: (passed + beat - 1) / beat), meter: meter))
        }
        return changes
    }

    /// The last element whose key is not above `value`; 0 if there is none.
    private static func index<Element, Key: Comparable>(
        of value: Key, in elements: [Element],
        by key: (Element) -> Key
    ) -> Int {
        max(elements.partitioningIndex { key($0) > value } - 1, 0)
    }
}
