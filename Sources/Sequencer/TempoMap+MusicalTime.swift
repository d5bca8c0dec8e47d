import MIDI
import RealtimeCore

/// What a song says of where it stands to the units that follow it.
extension TempoMap {
    /// The tempo in force at a frame and the place there; nothing in an SMPTE division, which has no quarters.
    public func musicalTime(at frame: SampleTime) -> [MusicEvent] {
        guard let tempo = microsecondsPerQuarter(atTick: tick(at: frame)) else { return [] }
        return [.time(.tempo(Float(60_000_000 / Double(tempo))))] + (place(at: frame).map { [.time(.place($0))] } ?? [])
    }

    /// The same at every change of tempo or meter after the start, sorted by time: what comes within a song.
    func timeChanges() -> [TimedMusicEvent] {
        changeTicks.filter { $0 > 0 }.flatMap { tick in
            let time = time(ofTick: tick)
            return musicalTime(at: time).map { TimedMusicEvent(time: time, event: $0) }
        }
    }

    /// How far a frame is behind the first tick of the meter in force, in parts of a quarter note: exact on a tick's frame,
    /// between two of them where time has got to.
    private func place(at frame: SampleTime) -> Int32? {
        guard case .ticksPerQuarter(let division) = division else { return nil }
        let tick = tick(at: frame), begin = time(ofTick: tick), end = time(ofTick: tick + 1)
        let part = end > begin ? min(max(Double(frame - begin) / Double(end - begin), 0), 1) : 0
        let ticks = Int128(tick - meterTick(atTick: tick)), perQuarter = Int128(min(max(division, 1), 32_767))
        let parts = Int128(MusicalTime.partsPerQuarter)
        let whole = (ticks * parts * 2 + perQuarter) / (perQuarter * 2)
        let round = parts * Int128(MusicalTime.quartersPerRound)
        return Int32(Int64((whole + Int128((part * Double(parts) / Double(perQuarter)).rounded())) % round))
    }
}
