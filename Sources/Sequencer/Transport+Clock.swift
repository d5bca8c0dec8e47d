import RealtimeCore

extension Transport {
    /// The passages that are planned, as the legs are: if the song stands still the tempo of that place. A song that counts
    /// film frames has `otherwise` for a tempo, in quarter notes a minute, and is not counted.
    package func passages(otherwise: Double) -> [ClockPassage] {
        let map = timeline.tempoMap
        return legs.map { leg in
            if leg.isRunning,
                let passage = ClockPassage(start: leg.start, along: map, position: leg.position, rate: leg.rate)
            {
                return passage
            }
            let own = map.microsecondsPerQuarter(atTick: map.tick(at: SampleTime(leg.position)))
            let tempo = own.map { 60_000_000 / Double($0) * leg.rate.factor } ?? otherwise
            return ClockPassage(start: leg.start, tempo: tempo, sampleRate: Double(timeline.sampleRate), isCounted: false)
        }
    }
}
