/// The two longest pauses between the events of a track, the first with its place: what a damaged delta time is known
/// by.
struct LongestPauses {
    /// The longest. Unit: ticks.
    private(set) var ticks: Int64 = 0
    /// The offset in the file of the delta time at its end.
    private(set) var byteOffset = 0
    /// The tick at which it begins.
    private(set) var start: Int64 = 0
    /// The longest but that one. Unit: ticks.
    private(set) var next: Int64 = 0
    /// The tick of the last event.
    private var tick: Int64 = 0

    /// - Parameters:
    ///   - tick: of an event, or of the track's end.
    ///   - offset: the offset of its delta time in the file.
    mutating func take(_ tick: Int64, at offset: Int) {
        let pause = tick - self.tick
        if pause > ticks {
            next = ticks
            (ticks, byteOffset, start) = (pause, offset, self.tick)
        } else {
            next = max(next, pause)
        }
        self.tick = tick
    }
}
