extension Song.Arrangement.Track {
    /// Adds an event after those that have its beat already. - Returns: its place in `events`.
    @discardableResult
    public mutating func add(_ event: Song.Arrangement.Event) -> Int {
        let event = Song.Arrangement.Event(event.beat, event.kind)
        let place = (events.last?.beat ?? event.beat) <= event.beat ? events.count : firstEvent { $0 > event.beat }
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
        let first = firstEvent { $0 >= beats.lowerBound }
        return first..<max(first, firstEvent { $0 >= beats.upperBound })
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

    /// The first event whose beat is as `isMeant` says, which then holds for all after it.
    private func firstEvent(_ isMeant: (Double) -> Bool) -> Int {
        var low = 0, high = events.count
        while low < high {
            let middle = (low + high) / 2
            if isMeant(events[middle].beat) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private mutating func shift(from beat: Double, by distance: Double) {
        for place in firstEvent({ $0 >= beat })..<events.count {
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
