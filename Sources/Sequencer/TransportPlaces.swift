import RealtimeCore

extension Transport {
    /// The song's position at a time: that of the slice that sounds, or any later one by the present plan.
    package func position(at time: SampleTime) -> TransportPosition {
        let leg = leg(at: time), frame = leg.frame(at: time)
        let map = timeline.tempoMap, tick = map.tick(at: SampleTime(frame))
        let factor = leg.isRunning ? leg.rate.factor : rate.factor
        return TransportPosition(
            frame: frame, seconds: Double(frame) / Double(timeline.sampleRate), tick: tick,
            bar: map.position(ofTick: tick),
            tempo: map.microsecondsPerQuarter(atTick: tick).map { 60_000_000 / Double($0) * factor },
            isRunning: leg.isRunning)
    }

    /// The frame that a command means, 0...`length`; nil for a place that the song does not have.
    func frame(of target: TransportTarget, from here: Int64) -> Int64? { timeline.frame(of: target, from: here) }

    func frames(of range: TransportRange) -> Range<Int64>? { timeline.frames(of: range) }

    /// Returns the frame of the timeline on which the next beat, bar or marker begins after the place of a time, and the time at
    /// which it gets there; within a loop at the loop's end at the latest. Nil where nothing follows, or the song stands still.
    package func next(_ boundary: TransportBoundary, after time: SampleTime) -> (frame: Int64, time: SampleTime)? {
        let leg = leg(at: time)
        guard leg.isRunning, let next = timeline.next(boundary, after: leg.frame(at: time)) ?? (leg.isLooping ? leg.end : nil)
        else { return nil }
        let frame = min(next, leg.end), passed = leg.rate.clockFrames(ofScore: frame - leg.position)
        return (frame, SampleTime(leg.start.rawValue + passed))
    }
}

/// A place in the music where something may begin.
package enum TransportBoundary: String, Sendable, Hashable, CaseIterable { case beat, bar, marker }

extension Timeline {
    /// Returns the first frame of the next beat, bar or marker after a frame; nil where nothing follows.
    func next(_ boundary: TransportBoundary, after frame: Int64) -> Int64? {
        let tick = tempoMap.tick(at: SampleTime(frame))
        switch boundary {
        case .marker: return markers.first { $0.time.rawValue > frame }?.time.rawValue
        case .bar:
            return tempoMap.position(ofTick: tick).flatMap { tempoMap.tick(ofBar: $0.bar + 1) }.map {
                tempoMap.time(ofTick: $0).rawValue
            }
        case .beat:
            guard case .ticksPerQuarter(let division) = tempoMap.division, let place = tempoMap.position(ofTick: tick),
                let start = tempoMap.tick(ofBar: place.bar), let end = tempoMap.tick(ofBar: place.bar + 1)
            else { return nil }
            let beat = tempoMap.beatTicks(atTick: tick, Int(division))
            return tempoMap.time(ofTick: min(start + Int64(place.beat) * beat.numerator / beat.denominator, end)).rawValue
        }
    }

    /// The last frame of the song; if it ends by itself.
    var length: Int64 { summary.end.rawValue }

    /// Returns the frame that a place means, 0...`length`, relative ones counted from `here`; nil for one that the song does not
    /// have: bars where film frames are counted, a marker after the last, a name that no marker has.
    func frame(of target: TransportTarget, from here: Int64) -> Int64? {
        let from = max(here, 0)
        switch target {
        case .seconds(let seconds): return frame(ofSeconds: seconds)
        case .bySeconds(let seconds): return frame(ofSeconds: Double(from) / Double(sampleRate) + seconds)
        case .bar(let bar): return tempoMap.tick(ofBar: Int64(bar)).map { bounded(tempoMap.time(ofTick: $0)) }
        case .byBars(let bars):
            guard let now = tempoMap.position(ofTick: tempoMap.tick(at: SampleTime(from))) else { return nil }
            let (bar, overflow) = now.bar.addingReportingOverflow(Int64(bars))
            return tempoMap.tick(ofBar: overflow ? (bars > 0 ? .max : 1) : bar).map { bounded(tempoMap.time(ofTick: $0)) }
        case .byMarkers(let sections):
            let current = markers.lastIndex { $0.time.rawValue <= from } ?? -1
            let (wanted, overflow) = current.addingReportingOverflow(sections)
            if overflow ? sections > 0 : wanted >= markers.count { return nil }
            return overflow || wanted < 0 ? 0 : bounded(markers[wanted].time)
        case .marker(let name):
            let named = markers.filter { $0.text == name }
            let meant = named.isEmpty ? markers.filter { $0.text.lowercased() == name.lowercased() } : named
            return (meant.first { $0.time.rawValue > here } ?? meant.first).map { bounded($0.time) }
        }
    }

    func frames(of range: TransportRange) -> Range<Int64>? {
        let low: Int64, high: Int64
        switch range {
        case .song: (low, high) = (0, length)
        case .written:
            let points = LoopPoints(self), written = points?.frames
            if points?.playsOnce == true { return nil }
            (low, high) = (written?.lowerBound ?? 0, written?.upperBound ?? length)
        case .bars(let first, let last):
            guard let from = tempoMap.tick(ofBar: Int64(first)), let to = tempoMap.tick(ofBar: Int64(last)) else { return nil }
            (low, high) = (bounded(tempoMap.time(ofTick: from)), bounded(tempoMap.time(ofTick: to)))
        case .ticks(let from, let to):
            (low, high) = (bounded(tempoMap.time(ofTick: from)), bounded(tempoMap.time(ofTick: to)))
        }
        return low..<max(high, low + shortestLoop)
    }

    var shortestLoop: Int64 { max(Int64(Transport.shortestLoop * Double(sampleRate)), 1) }

    private func frame(ofSeconds seconds: Double) -> Int64 {
        let frames = seconds * Double(sampleRate)
        if frames.isNaN { return 0 }
        return Int64(min(max(frames.rounded(), 0), Double(length)))
    }

    private func bounded(_ time: SampleTime) -> Int64 { min(max(time.rawValue, 0), length) }
}

extension Transport {
    /// The range that the song goes back in when it comes to its end next, at a time by the present plan. Unit: frames of the
    /// timeline; nil if it does not.
    package func loopAhead(at time: SampleTime) -> Range<Int64>? { leg(at: time).isLooping ? loop : nil }
}
