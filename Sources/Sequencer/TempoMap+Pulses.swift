import MIDI
import RealtimeCore

extension TempoMap {
    /// Returns the position of a frame, in pulses from tick 0 on; nil in an SMPTE division, which has no quarters.
    public func pulses(at frame: SampleTime) -> Double? {
        guard case .ticksPerQuarter(let ticks) = division else { return nil }
        let tick = tick(at: frame), begin = time(ofTick: tick), end = time(ofTick: tick + 1)
        let part = end > begin ? min(max(Double(frame - begin) / Double(end - begin), 0), 1) : 0
        return (Double(tick) + part) * Double(ClockMessage.pulsesPerQuarter) / Double(min(max(ticks, 1), 32_767))
    }

    /// Returns the frame of a place; nil in an SMPTE division. Places below 0 are place 0.
    public func time(ofPulses pulses: Double) -> SampleTime? {
        // The parts of a pulse are too fine to be heard, and the limit keeps the number in range.
        let parts = 4_096.0, place = pulses.isNaN ? 0 : min(max(pulses * parts, 0), 0x1p52)
        return time(ofPart: Int64(place.rounded()), perQuarter: ClockMessage.pulsesPerQuarter * Int64(parts))
    }
}
