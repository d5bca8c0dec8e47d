import Units

/// A file that its unit begins by itself, with a song or a key: the beginning is kept in memory, the rest follows it.
extension FileSource {
    /// Before the unit is heard. - Throws: `file` or `rate` for what cannot be read.
    func keepHead(_ feed: PlayerFeed, loops: Bool) throws(Fault) {
        let fault: Fault? = turn.withLock { _ in
            layout = TakeLayout(segments: [makeSegment(start: 0, frames: nil, passes: loops ? .endless : .once)])
            decoder.begin()
            while true {
                let blocks = feed.headFrames / PlayerFeed.blockFrames
                switch decoder.push(&layout, feed, take, hasBegun: false, blocks: blocks, mayEnd: true) {
                case .failed(let error): return error
                case .needsFrames:
                    if let error = decoder.take(decoder.read(reader), &layout, feed, take) { return error }
                case .enough:
                    feed.keepHead(isWhole: !decoder.isDecoding)
                    _ = decoder.takeFinished()
                    decoder.stop()
                    return nil
                }
            }
        }
        if let fault { throw fault }
    }

    /// The unit has begun a take with frame `position` of the file, at the engine's rate: the frames that are not in its memory
    /// follow. With the lock.
    package func follow(_ number: Int64, at position: Int64, _ feed: PlayerFeed) {
        error = nil
        let loops = passes == .endless
        former = layout
        take = number
        var frame = Int64((Double(position) / decoder.ratio).rounded(.down))
        if loops { frame %= max(reader.frames, 1) }
        let first = makeSegment(start: min(frame, reader.frames), frames: nil, passes: loops && frame == 0 ? .endless : .once)
        layout = TakeLayout(segments: [first])
        if loops, frame > 0 { layout.segments.append(makeSegment(start: 0, frames: nil, passes: .endless)) }
        decoder.begin(at: position)
    }
}
