import MIDI

/// The scale/octave tuning of the sixteen channels of a port, in the form of messages: twelve steps at once.
struct ScaleTunings {
    private var steps = [[Int16]](repeating: [Int16](repeating: 0, count: 12), count: 16)
    /// Channels whose steps have changed since the last message.
    private var changed: UInt16 = 0

    /// Takes an event in. A reset leaves every step in its place, and says so itself.
    mutating func take(_ event: MusicEvent) {
        switch event {
        case .scaleTuning(let channels, let step, let hundredths, _):
            for channel in 0..<16 where channels >> UInt16(channel) & 1 != 0 { steps[channel][Int(step % 12)] = hundredths }
            changed |= channels
        case .reset, .standard: self = ScaleTunings()
        default: break
        }
    }

    /// The messages for the changes: one for all channels that are tuned alike.
    mutating func messages() -> [[UInt8]] {
        var result: [[UInt8]] = []
        while changed != 0 {
            let scale = steps[changed.trailingZeroBitCount]
            let mask = (0..<16).reduce(UInt16(0)) { mask, channel in
                changed >> UInt16(channel) & 1 != 0 && steps[channel] == scale ? mask | 1 << UInt16(channel) : mask
            }
            changed &= ~mask
            let channels = [UInt8(mask >> 14), UInt8(mask >> 7 & 127), UInt8(mask & 127)]
            let values = scale.flatMap { hundredths -> [UInt8] in
                let value = min(max(Int((Float(hundredths) * 0.8192).rounded()) + 8_192, 0), 16_383)
                return [UInt8(value >> 7), UInt8(value & 127)]
            }
            result.append([0xF0, 0x7F, 0x7F, 0x08, 0x09] + channels + values + [0xF7])
        }
        return result
    }
}
