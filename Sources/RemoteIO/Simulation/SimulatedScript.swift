/// The things that a simulated device is given between two stretches of time: what happens to it, what there is to capture, and
/// room for what is heard. Control side.
extension SimulatedDevice {
    mutating func makeRoom(until end: Int64) {
        let needed = heardCount + Int(max(0, end - heardFrames))
        guard needed > heardRoom else { return }
        let wider = UnsafeMutablePointer<Float>.allocate(capacity: 2 * needed * channels)
        wider.update(from: heard, count: heardCount * channels)
        heard.deallocate()
        heard = wider
        heardRoom = 2 * needed
    }

    /// Asks for the sound to capture up to frame `end`, from the first frame that has not been read.
    mutating func captureSound(until end: Int64, _ sample: (_ frame: Int, _ channel: Int) -> Float) {
        let first = min(nextRead, end), known = capturedFirst + Int64(capturedCount), old = captured
        capturedCount = Int(end - first)
        captured = .allocate(capacity: max(1, capturedCount * captureChannels))
        for i in 0..<capturedCount {
            let frame = first + Int64(i)
            for channel in 0..<captureChannels {
                let value =
                    frame >= capturedFirst && frame < known
                    ? old[Int(frame - capturedFirst) * captureChannels + channel] : sample(Int(frame), channel)
                (captured + i * captureChannels + channel).initialize(to: value)
            }
        }
        capturedFirst = first
        old.deallocate()
    }

    mutating func set(_ list: [SimulatedTrouble]) { troubles.set(list, now: now) }
}
