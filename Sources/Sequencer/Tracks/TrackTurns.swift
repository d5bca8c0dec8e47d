import RealtimeCore

/// A track in the time of the sequence, its loop unrolled: which part of the track is played when. Unit: parts of a beat.
struct TrackTurns {
    /// A stretch of the track that is played in one go.
    struct Piece: Equatable {
        /// When it begins and ends, in the time of the sequence; the last one has no end.
        var start: Int64
        var end: Int64
        /// The part of the track at its beginning.
        var from: Int64
        /// The rounds of the loop that have passed, if it is one of those; 0 is the first.
        var turn: Int?
    }

    private let track: Song.Arrangement.Track
    private let offset: Int64
    private let loop: Range<Int64>?
    private let rounds: Int64?

    private static let shortest = Song.Arrangement.partsPerBeat / 32

    init(_ track: Song.Arrangement.Track) {
        self.track = track
        offset = Song.Arrangement.part(track.offset)
        loop = track.loop.map { loop in
            let low = max(Song.Arrangement.part(loop.beats.lowerBound), 0)
            return low..<max(Song.Arrangement.part(loop.beats.upperBound), low + Self.shortest)
        }
        rounds = track.loop?.rounds.map { Int64(max($0, 1)) }
    }

    /// Where all of it has been played; nil if it is repeated without end.
    var end: Int64? {
        let length = Song.Arrangement.part(track.length)
        guard let loop else { return length + offset }
        guard let rounds else { return nil }
        return offset + max(length, loop.upperBound) + clamped(rounds - 1, times: Int64(loop.count))
    }

    /// The piece that is played at a time.
    func piece(at time: Int64) -> Piece {
        let place = time - offset
        guard let loop else { return Piece(start: offset, end: .max, from: 0) }
        if place < loop.upperBound {
            return Piece(start: offset, end: rounds == 1 ? .max : offset + loop.upperBound, from: 0, turn: 0)
        }
        if rounds == 1 { return Piece(start: offset, end: .max, from: 0) }
        let span = Int64(loop.count), turn = (place - loop.upperBound) / span + 1
        // The last round goes on to the end of the track.
        if let rounds, turn >= rounds - 1 {
            let start = offset + loop.upperBound + clamped(rounds - 2, times: span)
            return Piece(start: start, end: .max, from: loop.lowerBound, turn: Int(clamping: rounds - 1))
        }
        let start = offset + loop.upperBound + (turn - 1) * span
        return Piece(start: start, end: start + span, from: loop.lowerBound, turn: Int(clamping: turn))
    }

    /// Goes through the pieces that are played in a range.
    func forEachPiece(in range: Range<Int64>, _ body: (Piece) -> Void) {
        var time = range.lowerBound
        while time < range.upperBound {
            let piece = piece(at: time)
            body(piece)
            time = piece.end
        }
    }

    /// Goes through the events that are played in a range: place, time, and where their piece ends.
    func forEachEvent(in range: Range<Int64>, _ body: (Song.Arrangement.Event, Int64, Int64) -> Void) {
        forEachPiece(in: range) { piece in
            let shift = piece.start - piece.from
            let low = max(range.lowerBound, piece.start) - shift, high = min(range.upperBound, piece.end) - shift
            var place = index(of: low)
            while place < track.events.count {
                let part = Song.Arrangement.part(track.events[place].beat)
                if part >= high { break }
                if part >= low { body(track.events[place], part + shift, piece.end) }
                place += 1
            }
        }
    }

    /// True if a note of this part and key begins at a time; and where it ends.
    func note(_ part: UInt8, _ key: UInt8, at time: Int64) -> Int64? {
        var end: Int64?
        forEachEvent(in: time..<time + 1) { event, start, pieceEnd in
            guard case .note(let note) = event.kind, note.part == part, note.key == key else { return }
            end = max(end ?? .min, Self.end(of: note, from: start, pieceEnd))
        }
        return end
    }

    /// Where a note that begins at `start` ends: at its own end, or with the round.
    static func end(of note: Song.Arrangement.Note, from start: Int64, _ pieceEnd: Int64) -> Int64 {
        max(min(start + Song.Arrangement.part(max(note.length, 0)), pieceEnd), start + 1)
    }

    /// The first event that may be at a part or later.
    private func index(of part: Int64) -> Int {
        track.events.partitioningIndex { Song.Arrangement.part($0.beat) >= part }
    }

    private func clamped(_ count: Int64, times span: Int64) -> Int64 {
        let (product, overflow) = max(count, 0).multipliedReportingOverflow(by: span)
        return overflow ? Int64.max / 4 : min(product, Int64.max / 4)
    }
}
