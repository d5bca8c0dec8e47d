import MIDI

/// A song's tracks on one axis of ticks: music events still unsorted, tempos and meters sorted.
struct TrackLayout {
    struct Placed {
        var tick: Int64
        var event: MusicEvent
        /// Upper bits: what it is (prepares, note-off, note-on), not lower than any event before it in its track and
        /// tick; lower bits: the track. Sorting by tick, rank and position is then a merge that keeps each track's
        /// order.
        var rank: UInt32
        var position: UInt32
        /// A System Exclusive message, not interpreted yet; `event` means nothing then.
        var exclusive: Int?
    }

    /// System Exclusive as the file has it. What it means depends on what came before it in time, in any track.
    private struct Exclusive {
        var bytes: [UInt8]
        var port: UInt8
        /// Tick at which its pattern starts: each of format 2's starts from the defaults.
        var patternStart: Int64
    }

    private(set) var tempos: [(tick: Int64, microsecondsPerQuarter: UInt32)] = []
    private(set) var meters: [(tick: Int64, meter: TimeSignature)] = []
    private(set) var markers: [(tick: Int64, text: SongText)] = []
    private(set) var endTick: Int64 = 0
    private var placed: [Placed] = []
    private var exclusives: [Exclusive] = []

    init(_ song: Song, track only: Int?) {
        placed.reserveCapacity(song.tracks.reduce(0) { $0 + $1.events.count })
        switch song.format {
        case .single, .simultaneous:
            for (index, track) in song.tracks.enumerated() {
                add(track, number: index, from: 0, isHeard: only == nil || only == index + 1)
            }
        case .sequential:
            for (index, track) in song.tracks.enumerated() where only == nil || only == index + 1 {
                // A pattern starts from the defaults, not from what the one before it left.
                let start = endTick
                tempos.append((start, 500_000))
                meters.append((start, .common))
                add(track, number: index, from: start, isHeard: true)
            }
        }
        // Stable: at one tick the order of tracks and of the file.
        tempos = Self.stablySorted(tempos) { $0.tick }
        meters = Self.stablySorted(meters) { $0.tick }
        markers = Self.stablySorted(markers) { $0.tick }
    }

    func inOrderOfEffect() -> [Placed] {
        var unfollowed = UnfollowedMusic()
        return inOrderOfEffect(&unfollowed)
    }

    /// Music events as they take effect. `unfollowed` counts the messages that have no effect here.
    func inOrderOfEffect(_ unfollowed: inout UnfollowedMusic) -> [Placed] {
        let sorted = placed.sorted { a, b in
            if a.tick != b.tick { return a.tick < b.tick }
            if a.rank != b.rank { return a.rank < b.rank }
            return a.position < b.position
        }
        return exclusives.isEmpty ? sorted : interpreted(sorted, &unfollowed)
    }

    private func interpreted(_ sorted: [Placed], _ unfollowed: inout UnfollowedMusic) -> [Placed] {
        var result: [Placed] = []
        result.reserveCapacity(sorted.count)
        var interpreter = SystemExclusive()
        var patternStart: Int64 = 0
        for placed in sorted {
            func place(_ event: MusicEvent) {
                unfollowed.take(event)
                var next = placed
                (next.event, next.exclusive) = (event, nil)
                result.append(next)
            }
            guard let index = placed.exclusive else {
                for event in interpreter.heard(placed.event) { place(event) }
                continue
            }
            let exclusive = exclusives[index]
            if exclusive.patternStart != patternStart {
                interpreter = SystemExclusive()
                patternStart = exclusive.patternStart
            }
            unfollowed.take(exclusive: exclusive.bytes, port: exclusive.port)
            for meaning in interpreter.events(from: exclusive.bytes, port: exclusive.port) { place(meaning) }
        }
        return result
    }

    private mutating func add(_ track: Track, number: Int, from start: Int64, isHeard: Bool) {
        var port = track.port & 15
        var tick = start
        var order: UInt32 = 0
        for event in track.events {
            let (sum, overflow) = start.addingReportingOverflow(max(event.tick, 0))
            let eventTick = max(overflow ? Int64.max : sum, tick)
            if eventTick > tick { order = 0 }
            tick = eventTick
            switch event.kind {
            case .message(var message) where isHeard:
                message.port = port
                guard message.kind != nil else { continue }
                order = max(order, Self.order(of: message))
                place(.message(message), tick: tick, order: order, track: number)
            case .systemExclusive(let bytes) where isHeard:
                exclusives.append(Exclusive(bytes: bytes, port: port, patternStart: start))
                place(
                    .reset(.generalMIDI, port: port), tick: tick, order: order, track: number,
                    exclusive: exclusives.count - 1)
            case .tempo(let microseconds): tempos.append((tick, microseconds))
            case .timeSignature(let meter): meters.append((tick, meter))
            case .port(let number): port = number & 15
            case .text(let text) where text.kind == .marker: markers.append((tick, text))
            case .message, .systemExclusive, .key, .text, .escape, .meta: break
            }
        }
        let (sum, overflow) = start.addingReportingOverflow(max(track.endTick, 0))
        endTick = max(endTick, tick, overflow ? Int64.max : sum)
    }

    private mutating func place(
        _ event: MusicEvent, tick: Int64, order: UInt32, track: Int, exclusive: Int? = nil
    ) {
        placed.append(
            Placed(
                tick: tick, event: event, rank: order << 28 | UInt32(clamping: min(track, 1 << 28 - 1)),
                position: UInt32(clamping: placed.count), exclusive: exclusive))
    }

    private static func order(of message: MIDIMessage) -> UInt32 {
        switch message.kind {
        case .noteOff: 1
        case .noteOn: message.data2 == 0 ? 1 : 2
        default: 0
        }
    }

    private static func stablySorted<Element>(_ elements: [Element], by tick: (Element) -> Int64) -> [Element] {
        elements.enumerated().sorted { a, b in
            let (first, second) = (tick(a.element), tick(b.element))
            return first != second ? first < second : a.offset < b.offset
        }.map(\.element)
    }
}
