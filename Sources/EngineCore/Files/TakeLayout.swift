/// The segments of one take, and their places in it.
struct TakeLayout {
    var segments: [FileSegment] = []
    /// The frame of the take, at the engine's rate, that each of them begins with: of those that were begun to be read.
    var starts: [Int64] = []
    /// The number of the last segment that was played to its end.
    package var played = 0

    /// The frame of the file at frame `position` of the take; `ratio` frames of the engine are one of the file.
    func fileFrame(_ position: Int64, _ ratio: Double, total: Int64) -> Int64 {
        guard let index = starts.lastIndex(where: { $0 <= position }), index < segments.count else {
            return segments.first?.start ?? 0
        }
        let segment = segments[index], length = max(segment.frames ?? total - segment.start, 1)
        let inside = Int64((Double(position - starts[index]) / ratio).rounded())
        switch segment.passes {
        case .once: return segment.start + min(inside, length)
        case .times(let times):
            return segment.start + (inside / length >= Int64(times) ? length : inside % length)
        case .endless: return segment.start + inside % length
        }
    }
}
