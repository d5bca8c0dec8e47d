/// The place in a take from which its file is read next: a segment, and what is left of its passes.
struct SegmentCursor {
    /// The place of the segment in the take; -1 before the first.
    private(set) var index = -1
    /// The frame of the file to go to first; nil: it is read on.
    private(set) var seek: Int64?
    /// Passes that are left, nil without an end; frames of this pass that are left, nil for all there are; whether any came in it.
    private var passesLeft: Int?, left: Int64?, hasRead = false

    /// Goes to the next segment.
    mutating func begin(_ segment: FileSegment) {
        index += 1
        switch segment.passes {
        case .once: passesLeft = 1
        case .times(let times): passesLeft = times
        case .endless: passesLeft = nil
        }
        beginPass(of: segment)
    }

    private mutating func beginPass(of segment: FileSegment) {
        (seek, left, hasRead) = (segment.start, segment.frames, false)
    }

    /// Returns the number of frames to read at once.
    func frames(atMost most: Int) -> Int { Int(min(left ?? .max, Int64(most))) }

    /// Takes note of frames that were read. Returns true if the pass goes on.
    mutating func take(_ count: Int) -> Bool {
        seek = nil
        if count == 0 { return false }
        left = left.map { $0 - Int64(count) }
        hasRead = true
        return left != 0
    }

    /// Ends a pass. Returns false after the last pass of the segment.
    mutating func repeats(_ segment: FileSegment) -> Bool {
        passesLeft = passesLeft.map { $0 - 1 }
        // A loop without a frame would never end.
        guard hasRead, passesLeft != 0 else { return false }
        beginPass(of: segment)
        return true
    }
}
