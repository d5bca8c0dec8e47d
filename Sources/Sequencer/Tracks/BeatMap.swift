import MIDI
import RealtimeCore

/// Beats to seconds and back, by the tempos of an arrangement; and the meters on the way.
package struct BeatMap: Hashable, Sendable {
    private struct Segment: Hashable {
        var beat: Double
        var seconds: Double
        var secondsPerBeat: Double
    }

    /// A meter, from its beat on; a new meter begins a new bar.
    private struct MeterChange: Hashable {
        var beat: Double
        /// The number of the bar that begins here, from 1, and of the beat, from 0.
        var bar: Int64
        var count: Int64
        var meter: TimeSignature
    }

    /// Slowest and fastest tempo, quarter notes a minute.
    package static let tempos = 0.1...100_000.0

    /// Never empty; the first begins at beat 0.
    private var segments = [Segment(beat: 0, seconds: 0, secondsPerBeat: 0.5)]
    private var meters = [MeterChange(beat: 0, bar: 1, count: 0, meter: .common)]

    /// Reads the tempos and meters of a tempo track. Those before beat 0 hold from there on.
    package init(_ track: Song.Arrangement.Track) {
        for event in track.events {
            let beat = max(event.beat, 0)
            switch event.kind {
            case .tempo(let tempo) where tempo > 0:
                let seconds = 60 / min(max(tempo, Self.tempos.lowerBound), Self.tempos.upperBound)
                let last = segments[segments.count - 1]
                if beat > last.beat {
                    segments.append(
                        Segment(
                            beat: beat, seconds: last.seconds + (beat - last.beat) * last.secondsPerBeat, secondsPerBeat: seconds)
                    )
                } else {
                    segments[segments.count - 1].secondsPerBeat = seconds
                }
            case .meter(let meter) where meter.numerator > 0: add(meter, at: beat)
            default: break
            }
        }
    }

    private mutating func add(_ meter: TimeSignature, at beat: Double) {
        let last = meters[meters.count - 1], passed = beat - last.beat
        guard passed > 0 else { return meters[meters.count - 1].meter = meter }
        // A bar that is cut short counts as a bar, and so does a beat.
        let bars = Int64((passed / last.meter.quartersPerBar - 1e-9).rounded(.up))
        let beats = Int64((passed / last.meter.quarters - 1e-9).rounded(.up))
        meters.append(MeterChange(beat: beat, bar: last.bar + bars, count: last.count + beats, meter: meter))
    }

    /// Seconds from beat 0 to a beat; negative before it.
    package func seconds(ofBeat beat: Double) -> Double {
        let segment = segments[Self.last(segments) { $0.beat <= beat }]
        return segment.seconds + (beat - segment.beat) * segment.secondsPerBeat
    }

    /// The beat at so many seconds after beat 0.
    package func beat(atSeconds seconds: Double) -> Double {
        let segment = segments[Self.last(segments) { $0.seconds <= seconds }]
        return segment.beat + (seconds - segment.seconds) / segment.secondsPerBeat
    }

    /// Quarter notes a minute at a beat.
    package func tempo(atBeat beat: Double) -> Double { 60 / segments[Self.last(segments) { $0.beat <= beat }].secondsPerBeat }

    /// The bar, from 1, and the beat of the bar, from 1, in the meter's own beats, with what has passed of it; beats before the
    /// beginning are the beginning.
    package func bar(atBeat beat: Double) -> (bar: Int64, beat: Double, meter: TimeSignature) {
        let change = meters[Self.last(meters) { $0.beat <= beat }], passed = max(beat - change.beat, 0)
        let bars = (passed / change.meter.quartersPerBar + 1e-9).rounded(.down)
        let rest = max(passed - bars * change.meter.quartersPerBar, 0)
        return (change.bar + Int64(bars), rest / change.meter.quarters + 1, change.meter)
    }

    /// The beat at which a bar begins, and its meter. Bars below 1 are bar 1.
    package func beat(ofBar bar: Int64) -> (beat: Double, meter: TimeSignature) {
        let place = Self.last(meters) { $0.bar <= bar }, change = meters[place]
        let beat = change.beat + Double(max(bar - change.bar, 0)) * change.meter.quartersPerBar
        return (place + 1 < meters.count ? min(beat, meters[place + 1].beat) : beat, change.meter)
    }

    /// The beats at which a tempo or meter begins, in a range.
    func changes(in beats: Range<Double>) -> [Double] {
        let all = segments.map(\.beat) + meters.map(\.beat)
        return Set(all.filter { $0 > 0 && beats.contains($0) }).sorted()
    }

    /// What units that follow the song are sent at a beat; `passed`: frames from the beginning, as it is played.
    func musicalTime(atBeat beat: Double, rate: Double, passed: Double) -> [MusicEvent] {
        let change = meters[Self.last(meters) { $0.beat <= beat }]
        let place = ((beat - change.beat) * Double(MusicalTime.partsPerQuarter)).rounded()
        return [
            .time(.tempo(Float(tempo(atBeat: beat) * rate))),
            .time(
                .meter(
                    bar: Int32(clamping: change.bar - 1),
                    Meter(beats: change.meter.numerator, unit: change.meter.denominatorPower))),
            .time(.beat(Int32(clamping: change.count))), .time(.frame(Int32(min(max(passed, 0), 0x7FFF_FFFF)))),
            .time(.place(Int32(truncatingIfNeeded: max(Int64(place), 0) % MusicalTime.partsPerRound))),
        ]
    }

    private static func last<Element>(_ elements: [Element], _ isBefore: (Element) -> Bool) -> Int {
        max(elements.partitioningIndex { !isBefore($0) } - 1, 0)
    }
}

extension TimeSignature {
    /// Quarter notes of a beat, and of a bar.
    fileprivate var quarters: Double { 4 / Double(denominator) }
    fileprivate var quartersPerBar: Double { Double(max(numerator, 1)) * quarters }
}
