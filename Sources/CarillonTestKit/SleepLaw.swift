import MIDI
import UnitAPI

/// The sleep of a unit must not be audible, and the unit must not behave differently after it.
extension UnitLaws {
    private static let law = "sleep cannot be heard"

    /// Returns a passage twice, with silence between until some time after the unit sleeps; nil if it does not within its tail.
    private func passageWithSleep() throws -> (passage: LawMaterial, waking: Int)? {
        let first = LawMaterial(unit, sampleRate: sampleRate, seconds: 0.25)
        let limit = first.frames + Int((unit.descriptor.tail + 0.5) * sampleRate)
        var frames = min(first.frames * 2, limit)
        while true {
            let take = try first.play(block: 1024, frames: frames)
            if take.unit.memory.pointee.isAsleep { break }
            if frames == limit { return nil }
            frames = min(frames * 2, limit)
        }
        // An odd number, so that waking falls on no grid, and half a turn of no slow oscillation of this world.
        let waking = frames + Int(0.137 * sampleRate) | 1
        var passage = LawMaterial(silent: unit, sampleRate: sampleRate, frames: waking + first.frames)
        for bus in first.inputs.indices {
            passage.inputs[bus] = first.inputs[bus].map { sound in
                sound + [Float](repeating: 0, count: waking - sound.count) + sound
            }
        }
        passage.events = first.events + first.events.map { (waking + $0.time, $0.music) }
        return (passage, waking)
    }

    /// The renderer skips a unit that sleeps; a unit that is rendered all the same gives the same, to the bit. And a unit
    /// that is kept awake by an inaudible input (180 dB below full scale, or a note on a channel of volume 0) goes on like
    /// one that slept: free oscillations inside it are a function of the sample time and did not stand still.
    func sleepCannotBeHeard() throws -> [LawViolation] {
        guard let (passage, waking) = try passageWithSleep() else { return [] }
        let slept = try passage.play()
        let asked = try passage.play(isKeptAwake: true)
        var found = clean(slept, "sleep") + clean(asked, "sleep")
        if let difference = difference(slept, asked) {
            found += broken(
                Self.law, "a unit that was called while it slept differs from one that was not at \(difference)")
        }
        guard let faint = try withFaintSound(passage) else { return found }
        let awake = try faint.play()
        found += clean(awake, "kept awake")
        for (channel, (a, b)) in zip(slept.channels, awake.channels).enumerated() {
            if let frame = a.indices.dropFirst(waking).first(where: { abs(a[$0] - b[$0]) > 1e-4 }) {
                found += broken(
                    Self.law,
                    "channel \(channel), frame \(frame): \(a[frame]) after sleep until frame \(waking), "
                        + "\(b[frame]) of a unit kept awake by an input 180 dB below full scale; make what "
                        + "swings freely of the sample time")
                break
            }
        }
        return found
    }

    /// The passage with an inaudible input in the pause; nil if the unit takes none.
    private func withFaintSound(_ passage: LawMaterial) throws -> LawMaterial? {
        var faint = passage
        var random = SeededRandom(seed: 3)
        for bus in faint.inputs.indices {
            faint.inputs[bus] = faint.inputs[bus].map { $0.map { $0 + 1e-9 * (random.sample() + 1.5) } }
        }
        if !unit.descriptor.acceptsMusic { return faint.inputs.isEmpty ? nil : faint }
        // On channel 16: volume and expression 0, then a key that is held to the end.
        let muted: [(time: Int, music: MusicEvent)] = [(0xBF, 7, 0), (0xBF, 11, 0), (0x9F, 60, 1)].map {
            (0, .message(MIDIMessage(status: $0.0, data1: $0.1, data2: $0.2)))
        }
        var alone = LawMaterial(silent: unit, sampleRate: sampleRate, frames: 4096)
        alone.events = muted
        let take = try alone.play()
        if take.peak > 1e-6 || take.unit.memory.pointee.isAsleep { return faint.inputs.isEmpty ? nil : faint }
        faint.events = muted + faint.events
        return faint
    }
}
