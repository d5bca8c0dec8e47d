import MIDI
import RealtimeCore

extension TempoMap {
    /// Returns all of it at a frame: the tempo and the meter in force, and the place there; nothing in an SMPTE division, which
    /// has no quarters.
    public func musicalTime(at frame: SampleTime) -> [MusicEvent] {
        let said = meterTime(at: frame)
        if said.isEmpty { return [] }
        let passed = Int32(clamping: max(frame.rawValue, 0))
        return tempoTime(at: frame) + said + [.time(.frame(passed))] + placeTime(at: frame)
    }

    func timeChanges() -> [TimedMusicEvent] {
        let meters = meterTicks
        return changeTicks.filter { $0 > 0 }.flatMap { tick in
            let time = time(ofTick: tick)
            let said = tempoTime(at: time) + (meters.contains(tick) ? meterTime(at: time) : []) + placeTime(at: time)
            return said.map { TimedMusicEvent(time: time, event: $0) }
        }
    }

    private func tempoTime(at frame: SampleTime) -> [MusicEvent] {
        guard let tempo = microsecondsPerQuarter(atTick: tick(at: frame)) else { return [] }
        return [.time(.tempo(Float(60_000_000 / Double(tempo))))]
    }

    private func meterTime(at frame: SampleTime) -> [MusicEvent] {
        guard let (bar, beat, meter) = meterBegin(atTick: tick(at: frame)) else { return [] }
        return [
            .time(.meter(bar: Int32(clamping: bar - 1), Meter(beats: meter.numerator, unit: meter.denominatorPower))),
            .time(.beat(Int32(clamping: beat))),
        ]
    }

    /// In parts of a quarter note from the first tick of the meter in force: exact on a tick's frame, between two in time.
    private func placeTime(at frame: SampleTime) -> [MusicEvent] {
        guard case .ticksPerQuarter(let division) = division else { return [] }
        let tick = tick(at: frame), begin = time(ofTick: tick), end = time(ofTick: tick + 1)
        let part = end > begin ? min(max(Double(frame - begin) / Double(end - begin), 0), 1) : 0
        let ticks = Int128(tick - meterTick(atTick: tick)), perQuarter = Int128(min(max(division, 1), 32_767))
        let parts = Int128(MusicalTime.partsPerQuarter)
        let whole = (ticks * parts * 2 + perQuarter) / (perQuarter * 2)
        let place = whole + Int128((part * Double(parts) / Double(perQuarter)).rounded())
        return [.time(.place(Int32(Int64(place % Int128(MusicalTime.partsPerRound)))))]
    }
}

extension TempoMap {
    /// Returns the meter in force at a tick; nil in an SMPTE division.
    package func meter(atTick tick: Int64) -> Meter? {
        meterBegin(atTick: tick).map { Meter(beats: $0.meter.numerator, unit: $0.meter.denominatorPower) }
    }

    /// Returns the ticks of a beat of the meter in force at a tick, as a fraction.
    public func beatTicks(atTick tick: Int64, _ ticksPerQuarter: Int) -> (numerator: Int64, denominator: Int64) {
        let denominator = meterBegin(atTick: tick)?.meter.denominator ?? 4
        return (Int64(ticksPerQuarter) * 4, Int64(denominator))
    }
}
