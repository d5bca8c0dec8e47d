import CPlugIns
import MIDI
import RealtimeCore

// [render]

/// The song's time as a plug-in gets it: with the first frame after each change, and again for an instance that has not had
/// it, or that was not run for a while.
///
/// Source: the LV2 time extension (http://lv2plug.in/ns/ext/time), `time:Position`.
struct PlugInClock: BitwiseCopyable {
    private var clock = MusicClock()
    private let sampleRate: Double
    /// The song's time that was sent last and holds from the next frame on.
    private var tempo: Float?
    private var meter: Meter?
    private var bar: Int32 = 0
    private var beat: Int32?, frame: Int32?, place: Int32?
    private var isStopped = false
    /// True if the plug-in has to be sent the time; and the frame up to which it knows.
    private var isOwed = false
    private var known = SampleTime.zero

    @_noLocks init(rate: Double) { sampleRate = rate }

    /// Takes in a message, which holds from the next frame on.
    @_noLocks mutating func hear(_ said: MusicalTime) {
        isOwed = true
        switch said {
        case .tempo(let tempo): self.tempo = tempo
        case .meter(let bar, let meter): (self.bar, self.meter) = (bar, meter)
        case .beat(let beat): self.beat = beat
        case .frame(let frame): self.frame = frame
        case .place(let place): (self.place, isStopped) = (place, false)
        case .stopped: (place, isStopped) = (nil, true)
        }
    }

    @_noLocks mutating func forget() { isOwed = true }

    /// Returns the position for the plug-in before its next `frames` frames from `now` on; nil if nothing has changed.
    @_noLocks mutating func news(at now: SampleTime, _ frames: Int) -> plugin_position? {
        if now.rawValue != known.rawValue { isOwed = true }
        known = now + frames
        if !isOwed { return nil }
        isOwed = false
        take(at: now)
        return clock.timesSaid == 0 ? nil : position(at: now)
    }

    @_noLocks private mutating func take(at now: SampleTime) {
        if let tempo { clock.follow(.tempo(tempo), at: now, sampleRate: sampleRate) }
        if let meter { clock.follow(.meter(bar: bar, meter), at: now, sampleRate: sampleRate) }
        if let beat { clock.follow(.beat(beat), at: now, sampleRate: sampleRate) }
        if let frame { clock.follow(.frame(frame), at: now, sampleRate: sampleRate) }
        if let place { clock.follow(.place(place), at: now, sampleRate: sampleRate) }
        if isStopped { clock.follow(.stopped, at: now, sampleRate: sampleRate) }
        (tempo, meter, beat, frame, place, isStopped) = (nil, nil, nil, nil, nil, false)
    }

    @_noLocks private func position(at now: SampleTime) -> plugin_position {
        let meter = clock.meter, parts = Int64(clock.place(at: now, sampleRate: sampleRate) ?? -1)
        let passed = max(parts, 0), perBeat = Double(meter.partsPerBeat)
        return plugin_position(
            is_running: parts >= 0, frame: Int64(clock.frame(at: now)), bar: Int64(clock.bar) &+ passed / meter.partsPerBar,
            bar_beat: Double(passed % meter.partsPerBar) / perBeat, beat: Double(clock.beat) + Double(passed) / perBeat,
            beats: Int32(meter.beats), unit: Int32(truncatingIfNeeded: meter.denominator),
            // In beats of the meter, as bars are counted.
            tempo: Double(clock.tempo) * Double(meter.denominator) / 4)
    }
}
