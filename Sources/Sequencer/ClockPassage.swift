import MIDI
import RealtimeCore

/// A stretch of time in which MIDI's clock beats evenly or along a song: from `start` to the start of the next passage.
///
/// Pulses are counted as followers count them: 24 a quarter note, from the beginning of the music. Pure.
package struct ClockPassage: Sendable {
    private enum Motion: Sendable {
        case song(TempoMap, position: Int64, rate: PlaybackRate)
        case even(framesPerPulse: Double, position: Double)
    }

    /// The sample time at which it takes over.
    package private(set) var start: SampleTime
    /// True if the music moves on; else pulses only give the tempo, and followers stand still.
    package let isCounted: Bool
    /// True if followers are sent the position again, even if the music goes on as before.
    package var restarts = false
    private var motion: Motion

    /// Creates a passage along a song: its frame `position` sounds at `start`. nil for one that counts film frames: it has no
    /// quarters.
    package init?(start: SampleTime, along map: TempoMap, position: Int64, rate: PlaybackRate) {
        if map.time(ofPulse: 0) == nil { return nil }
        (self.start, isCounted) = (start, true)
        motion = .song(map, position: position, rate: rate)
    }

    /// Creates a passage at one tempo, quarter notes a minute, brought to 1...10 000, and 120 for a value that is not a number:
    /// `position` pulses of the music have passed at `start`.
    package init(start: SampleTime, tempo: Double, sampleRate: Double, position: Double = 0, isCounted: Bool) {
        (self.start, self.isCounted) = (start, isCounted)
        let tempo = tempo.isNaN ? 120 : min(max(tempo, 1), 10_000)
        motion = .even(
            framesPerPulse: sampleRate.finite * 60 / tempo / Double(ClockMessage.pulsesPerQuarter),
            position: max(position.finite, 0))
    }

    /// Returns the passage from a later moment on.
    package func from(_ time: SampleTime) -> ClockPassage {
        var passage = self
        if time <= start { return passage }
        passage.start = time
        switch motion {
        case .song(let map, let position, let rate):
            passage.motion = .song(map, position: position + rate.scoreFrames(ofClock: Int64(time - start)), rate: rate)
        case .even(let frames, let position):
            passage.motion = .even(framesPerPulse: frames, position: position + Double(time - start) / frames)
        }
        return passage
    }

    /// Frames of a pulse at one tempo; nil along a song.
    package var framesPerPulse: Double? { if case .even(let frames, _) = motion { frames } else { nil } }

    /// Returns when a pulse is due, not before `start`.
    package func time(ofPulse pulse: Int64) -> SampleTime {
        switch motion {
        case .song(let map, let position, let rate):
            let frame = map.time(ofPulse: pulse)?.rawValue ?? 0
            return SampleTime(start.rawValue + max(rate.clockFrames(ofScore: frame - position), 0))
        case .even(let frames, let position):
            // Rounded up, as the metronome's beats are; a whole number of frames stays one.
            let passed = ((Double(pulse) - position) * frames - 1e-6).rounded(.up)
            return SampleTime(start.rawValue + Int64(min(max(passed, 0), 0x1p60)))
        }
    }

    /// The first pulse that is due at `time` or later, and not before `start`.
    package func pulse(from time: SampleTime) -> Int64 {
        let time = max(time, start)
        switch motion {
        case .song(let map, let position, let rate):
            let first = map.pulse(from: SampleTime(position)) ?? 0
            let frame = position + rate.scoreFrames(ofClock: Int64(time - start))
            var pulse = max(map.pulse(from: SampleTime(frame)) ?? 0, first)
            while pulse > first, self.time(ofPulse: pulse - 1) >= time { pulse -= 1 }
            while self.time(ofPulse: pulse) < time { pulse += 1 }
            return pulse
        case .even(let frames, let position):
            let first = Int64(min((position - 1e-6 / frames).rounded(.up), 0x1p60))
            var pulse = max(first, Int64(min((position + Double(time - start) / frames).rounded(.down), 0x1p60)))
            while pulse > first, self.time(ofPulse: pulse - 1) >= time { pulse -= 1 }
            while self.time(ofPulse: pulse) < time { pulse += 1 }
            return pulse
        }
    }

    /// The music's position at a time from `start` on, in pulses and parts of a pulse.
    package func position(at time: SampleTime) -> Double {
        switch motion {
        case .song(let map, let position, let rate):
            let frame = SampleTime(position + rate.scoreFrames(ofClock: Int64(max(time - start, 0))))
            guard let next = map.pulse(from: frame), let end = map.time(ofPulse: next), next > 0,
                let begin = map.time(ofPulse: next - 1), end > begin
            else { return 0 }
            return Double(next) - Double(end - frame) / Double(end - begin)
        case .even(let frames, let position): return position + Double(max(time - start, 0)) / frames
        }
    }
}

extension [ClockPassage] {
    /// Returns the parts of the passages from `time` on and before `end`.
    package func clipped(from time: SampleTime, to end: SampleTime? = nil) -> [ClockPassage] {
        let first = lastIndex { $0.start <= time } ?? startIndex
        return self[first...].filter { passage in end.map { passage.start < $0 } ?? true }.map { $0.from(time) }
    }

    /// Returns the passages with the one at `time` begun anew there.
    package func restarted(at time: SampleTime) -> [ClockPassage] {
        guard let index = lastIndex(where: { $0.start <= time }) else { return self }
        var again = self[index].from(time), result = self
        again.restarts = true
        if self[index].start == time { result[index] = again } else { result.insert(again, at: index + 1) }
        return result
    }
}
