/// The two longest pauses between the events of a track, the first with its place: by them a damaged delta time is known.
struct LongestPauses {
    private(set) var ticks: Int64 = 0
    private(set) var byteOffset = 0
    private(set) var start: Int64 = 0
    /// The longest but that one. Unit: ticks.
    private(set) var next: Int64 = 0
    private var tick: Int64 = 0

    /// `tick` is of an event, or of the track's end; `offset` is that of its delta time in the file.
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
