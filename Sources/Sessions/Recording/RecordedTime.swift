import MIDI
import RealtimeCore
import Sequencer

/// The tempo and the bars to which something was played, as those of a song. Pure.
///
/// Its ticks are `MusicalTime.partsPerQuarter` of a quarter note, from the bar line before the first note on. Notes that come
/// before the first beat that was counted are a pick-up: they stand in bars of the tempo that follows.
struct RecordedTime {
    /// Music that goes on evenly: from `frame` on, which is `part` of the song, bars of `meter` whose line was `place` parts ago.
    private struct Stretch {
        var frame: Double
        var part = 0.0
        let tempo: Double
        let meter: Meter
        let place: Double
        let isRunning: Bool

        /// Parts of a frame.
        func rate(_ sampleRate: Double) -> Double { tempo / 60 * Double(MusicalTime.partsPerQuarter) / sampleRate }
    }

    /// Further from where they are expected, bars begin anew; a message that came late moves none. Unit: parts.
    private static let tolerance = Double(MusicalTime.partsPerQuarter / 16)

    private let sampleRate: Double
    private var stretches: [Stretch] = []
    private var meters: [(part: Double, meter: Meter)] = []
    /// The part at which bar 1 begins; above 0 where bars of a pick-up come before it.
    private var firstBar = 0.0

    /// - Parameters:
    ///   - entries: the performance, with what it says of the musical time.
    ///   - first: the first note.
    /// - Returns: nil if no tempo ran.
    init?(_ entries: [Journal.Entry], from first: SampleTime, to end: SampleTime, sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
        let said = Self.stretches(entries, to: end, self.sampleRate)
        let note = Double(first.rawValue), last = said.lastIndex { $0.frame <= note } ?? 0
        guard let begin = said.indices.dropFirst(last).first(where: { said[$0].isRunning }) else { return nil }
        let stretch = said[begin], rate = stretch.rate(self.sampleRate), bar = Double(stretch.meter.partsPerBar)
        // A note within a frame of the bar line belongs to the bar.
        let bars = ((stretch.place + (note - stretch.frame + 1) * rate) / bar).rounded(.down)
        var start = stretch
        (start.frame, start.part) = (stretch.frame + (bars * bar - stretch.place) / rate, 0)
        stretches = [start]
        meters = [(0, stretch.meter)]
        if stretch.frame > note { firstBar = max(-bars, 0) * bar }
        for stretch in said[(begin + 1)...] { append(stretch) }
    }

    /// What is said at each frame, put together.
    private static func stretches(_ entries: [Journal.Entry], to end: SampleTime, _ sampleRate: Double) -> [Stretch] {
        var clock = MusicClock(), stretches: [Stretch] = []
        for entry in entries where entry.time <= end {
            guard case .music(.time(let said)) = entry.event else { continue }
            clock.follow(said, at: entry.time, sampleRate: sampleRate)
            let frame = Double(entry.time.rawValue), place = clock.place(at: entry.time, sampleRate: sampleRate)
            if stretches.last?.frame == frame { stretches.removeLast() }
            stretches.append(
                Stretch(
                    frame: frame, tempo: Double(clock.tempo), meter: clock.meter,
                    place: Double((place.map { Int64($0) } ?? 0) % clock.meter.partsPerBar), isRunning: place != nil))
        }
        return stretches
    }

    private mutating func append(_ next: Stretch) {
        var next = next
        next.part = part(ofFrame: next.frame)
        if next.isRunning {
            let (line, meter) = meters[meters.count - 1], bar = Double(next.meter.partsPerBar)
            let difference = (next.place - (next.part - line)).remainder(dividingBy: bar)
            if meter == next.meter, line <= next.part, abs(difference) < Self.tolerance {
                next.part += difference
            } else {
                let line = next.place < Self.tolerance ? next.part : next.part + bar - next.place
                while meters.count > 1, meters[meters.count - 1].part >= line { meters.removeLast() }
                meters.append((line, next.meter))
            }
        }
        stretches.append(next)
    }

    private func part(ofFrame frame: Double) -> Double {
        let stretch = stretches[max(stretches.partitioningIndex { $0.frame > frame } - 1, 0)]
        return stretch.part + (frame - stretch.frame) * stretch.rate(sampleRate)
    }

    /// The time of tick 0.
    var start: SampleTime { SampleTime(Int64(stretches[0].frame.rounded(.down))) }

    /// Returns the tick of a time; 0 for what comes before the first.
    func tick(of time: SampleTime) -> Int64 { max(Int64(part(ofFrame: Double(time.rawValue)).rounded()), 0) }

    /// The tempos and the meters, and a marker where bar 1 begins after a pick-up; in order.
    var events: [SongEvent] {
        var events = meters.map { meter in
            SongEvent(
                tick: Int64(meter.part.rounded()),
                .timeSignature(TimeSignature(numerator: meter.meter.beats, denominatorPower: meter.meter.unit)))
        }
        var last: UInt32?
        for stretch in stretches {
            let length = UInt32(min(max((60_000_000 / stretch.tempo).rounded(), 1), 16_777_215))
            if length == last { continue }
            events.append(SongEvent(tick: max(Int64(stretch.part.rounded()), 0), .tempo(microsecondsPerQuarter: length)))
            last = length
        }
        if firstBar > 0 { events.append(SongEvent(tick: Int64(firstBar), .text(SongText(.marker, "bar 1")))) }
        return events
    }
}
