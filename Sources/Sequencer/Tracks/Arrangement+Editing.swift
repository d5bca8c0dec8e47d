import RealtimeCore

extension Song.Arrangement.Track {
    /// Adds an event after those that have its beat already. - Returns: its place in `events`.
    @discardableResult
    public mutating func add(_ event: Song.Arrangement.Event) -> Int {
        let event = Song.Arrangement.Event(event.beat, event.kind)
        let place =
            (events.last?.beat ?? event.beat) <= event.beat ? events.count : events.partitioningIndex { $0.beat > event.beat }
        events.insert(event, at: place)
        return place
    }

    /// Adds a note. - Returns: its place in `events`.
    @discardableResult
    public mutating func add(
        note key: UInt8, at beat: Double, length: Double, velocity: UInt8 = 100, part: UInt8 = 0
    ) -> Int {
        add(Song.Arrangement.Event(beat, note: key, length: length, velocity: velocity, part: part))
    }

    /// Removes the event at a place of `events`; a place that is not there changes nothing.
    public mutating func remove(at place: Int) { if events.indices.contains(place) { events.remove(at: place) } }

    /// Puts another event at the place of one, and where its beat belongs. - Returns: its new place; nil if the place is not
    /// there.
    @discardableResult
    public mutating func replace(at place: Int, with event: Song.Arrangement.Event) -> Int? {
        guard events.indices.contains(place) else { return nil }
        let beat = Song.Arrangement.bounded(event.beat)
        if events[place].beat == beat {
            events[place].kind = event.kind
            return place
        }
        events.remove(at: place)
        return add(event)
    }

    /// The places in `events` of what begins in a range of beats.
    public func places(in beats: Range<Double>) -> Range<Int> {
        let first = events.partitioningIndex { $0.beat >= beats.lowerBound }
        return first..<max(first, events.partitioningIndex { $0.beat >= beats.upperBound })
    }

    /// Moves what begins in a range, by beats.
    public mutating func move(_ beats: Range<Double>, by distance: Double) {
        let places = places(in: beats), moved = events[places]
        events.removeSubrange(places)
        merge(moved, by: distance)
    }

    /// Removes what begins in a range; what follows stays where it is.
    public mutating func clear(_ beats: Range<Double>) { events.removeSubrange(places(in: beats)) }

    /// Removes what begins in a range, and the range: what follows comes earlier.
    public mutating func cut(_ beats: Range<Double>) {
        clear(beats)
        shift(from: beats.upperBound, by: beats.lowerBound - beats.upperBound)
    }

    /// Inserts what begins in a range of a track at a beat; what follows comes later by the length of the range.
    public mutating func insert(_ beats: Range<Double>, of other: Song.Arrangement.Track, at beat: Double) {
        let copied = other.events[other.places(in: beats)]
        shift(from: beat, by: beats.upperBound - beats.lowerBound)
        merge(copied, by: beat - beats.lowerBound)
    }

    /// Adds what begins in a range of a track, from a beat on, to what is there.
    public mutating func merge(_ beats: Range<Double>, of other: Song.Arrangement.Track, at beat: Double) {
        merge(other.events[other.places(in: beats)], by: beat - beats.lowerBound)
    }

    private mutating func shift(from beat: Double, by distance: Double) {
        for place in events.partitioningIndex(where: { $0.beat >= beat })..<events.count {
            events[place].beat = Song.Arrangement.bounded(events[place].beat + distance)
        }
    }

    /// Both are sorted; of equals what is there comes first.
    private mutating func merge(_ added: ArraySlice<Song.Arrangement.Event>, by distance: Double) {
        if added.isEmpty { return }
        var merged: [Song.Arrangement.Event] = [], next = 0
        merged.reserveCapacity(events.count + added.count)
        for event in added {
            let moved = Song.Arrangement.Event(event.beat + distance, event.kind)
            while next < events.count, events[next].beat <= moved.beat {
                merged.append(events[next])
                next += 1
            }
            merged.append(moved)
        }
        events = merged + events[next...]
    }
}
