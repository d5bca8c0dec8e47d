/// Looks ahead in a track: do its bytes read as events, one after the other, without a fault? This finds the place where a
/// damaged track is taken up again.
///
/// Nothing is taken or reported here, and nothing is allocated. It is stricter than `TrackParser`, because it has to
/// distinguish events from bytes that only look like one: bytes that happen to fit make one or two events, hardly eight.
struct EventChain {
    /// Events in a row that are taken for music.
    static let proof = 8
    /// No event waits longer in a chain: two million ticks, an hour at 480 to a quarter and 72 quarters a minute.
    private static let longestDelta = 0x1F_FFFF

    struct Walk {
        enum Stop {
            /// `proof` events, End of Track, or the next track's header.
            case proven
            /// The bytes end there, perhaps inside an event.
            case outOfBytes
            case fault
        }

        var count = 0
        var explicit = 0
        /// The offset after the last sound event.
        var end: Int
        var stop = Stop.proven
    }

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// At most `proof` events, from a delta time, or with `hasDelta` false from a status. `status`: the running status; nil means
    /// that the first event must have one of its own.
    func walk(from offset: Int, status: UInt8?, end: Int, hasDelta: Bool = true) -> Walk {
        var walk = Walk(end: offset)
        var status = status
        var hasDelta = hasDelta
        while walk.count < Self.proof {
            guard walk.end < end else {
                walk.stop = .outOfBytes
                return walk
            }
            if walk.count > 0, isTrackHeader(at: walk.end) { return walk }
            switch step(from: walk.end, status: &status, end: end, hasDelta: hasDelta) {
            case .event(let next, let isExplicit):
                walk.count += 1
                walk.explicit += isExplicit ? 1 : 0
                walk.end = next
                hasDelta = true
            case .endOfTrack: return walk
            case .outOfBytes:
                walk.stop = .outOfBytes
                return walk
            case .fault:
                walk.stop = .fault
                return walk
            }
        }
        return walk
    }

    func begins(at offset: Int, end: Int, hasDelta: Bool = true) -> Bool {
        let walk = walk(from: offset, status: nil, end: end, hasDelta: hasDelta)
        switch walk.stop {
        case .proven: return true
        // The last events of a track without End of Track.
        case .outOfBytes: return walk.count >= Self.proof / 2
        case .fault: return false
        }
    }

    /// Not beyond the next track's header. A reading that takes statuses for delta times can look sound in running status, and
    /// has few statuses: a place shortly after it from which far more events have one is taken instead.
    func first(in places: Range<Int>, end: Int) -> Int? {
        guard let first = next(in: places, end: end) else { return nil }
        let few = walk(from: first, status: nil, end: end).explicit
        var other = first
        while let next = next(in: other + 1..<max(min(first + 2 * Self.proof, places.upperBound), other + 1), end: end) {
            if walk(from: next, status: nil, end: end).explicit >= few + Self.proof / 2 { return next }
            other = next
        }
        return first
    }

    /// The first event wholly in `data`, which an event claims; nil if the data look like its own. `isDoubtful`: no event begins
    /// after `data`. Otherwise three must be inside, and nearly all of those that follow each other must have a status.
    func swallowed(by data: Range<Int>, end: Int, isDoubtful: Bool) -> Int? {
        var rest = data
        while let place = next(in: rest, end: end) {
            var status: UInt8?
            if isDoubtful {
                if let next = next(after: place, status: &status, end: end), next <= data.upperBound { return place }
            } else if walk(from: place, status: nil, end: data.upperBound).explicit >= 3,
                walk(from: place, status: nil, end: end).explicit >= Self.proof - 2
            {
                return place
            }
            rest = place + 1..<data.upperBound
        }
        return nil
    }

    private func next(in places: Range<Int>, end: Int) -> Int? {
        for place in places where place + 1 < end {
            // An event with a status of its own has a high byte here.
            if bytes[place] | bytes[place + 1] > 0x7F {
                if begins(at: place, end: end) { return place }
            } else if isTrackHeader(at: place) {
                return nil
            }
        }
        return nil
    }

    /// The beginning of the event after the one at `offset`, for any data of that; nil if its length cannot be found.
    func next(after offset: Int, status: inout UInt8?, end: Int) -> Int? {
        guard case .value(_, let deltaLength) = VariableLengthQuantity.read(bytes, at: offset, end: end) else {
            return nil
        }
        var place = offset + deltaLength
        guard place < end else { return nil }
        switch bytes[place] {
        case 0x80...0xEF:
            status = bytes[place]
            place += 1
        case 0xF0, 0xF7, 0xFF:
            let lengthOffset = place + (bytes[place] == 0xFF ? 2 : 1)
            guard case .value(let count, let length) = VariableLengthQuantity.read(bytes, at: lengthOffset, end: end)
            else { return nil }
            return lengthOffset + length + count
        case 0xF1, 0xF3: return place + 2
        case 0xF2: return place + 3
        case 0xF4...0xFE: return place + 1
        default: break
        }
        return status.map { place + ($0 & 0xE0 == 0xC0 ? 1 : 2) }
    }

    private func isTrackHeader(at offset: Int) -> Bool {
        bytes.count - offset >= 8 && bytes[offset] == 0x4D && bytes[offset + 1] == 0x54 && bytes[offset + 2] == 0x72
            && bytes[offset + 3] == 0x6B
    }

    private enum Step {
        case event(end: Int, isExplicit: Bool)
        case endOfTrack
        case outOfBytes
        case fault
    }

    private func step(from offset: Int, status: inout UInt8?, end: Int, hasDelta: Bool) -> Step {
        var place = offset
        if hasDelta {
            switch VariableLengthQuantity.read(bytes, at: offset, end: end) {
            case .value(let delta, let length):
                guard delta <= Self.longestDelta else { return .fault }
                place += length
            case .cutOff: return .outOfBytes
            case .tooLong: return .fault
            }
        }
        guard place < end else { return .outOfBytes }
        let isExplicit = bytes[place] > 127
        switch bytes[place] {
        case 0x80...0xEF:
            status = bytes[place]
            place += 1
        case 0xF0, 0xF7, 0xFF: return long(at: place, end: end)
        case 0xF1...0xFE: return .fault
        default: break
        }
        guard let status else { return .fault }
        let count = status & 0xE0 == 0xC0 ? 1 : 2
        for index in place..<place + count {
            guard index < end else { return .outOfBytes }
            if bytes[index] > 127 { return .fault }
        }
        return .event(end: place + count, isExplicit: isExplicit)
    }

    private func long(at offset: Int, end: Int) -> Step {
        let isMeta = bytes[offset] == 0xFF
        let lengthOffset = offset + (isMeta ? 2 : 1)
        guard case .value(let count, let length) = VariableLengthQuantity.read(bytes, at: lengthOffset, end: end),
            count <= end - lengthOffset - length
        else { return .fault }
        let next = lengthOffset + length + count
        guard isMeta else { return count > 0 && bytes[next - 1] == 0xF7 ? .event(end: next, isExplicit: true) : .fault }
        if bytes[offset + 1] == 0x2F { return count == 0 ? .endOfTrack : .fault }
        return Self.isKnown(meta: bytes[offset + 1], length: count) ? .event(end: next, isExplicit: true) : .fault
    }

    /// The lengths that Standard MIDI Files 1.0 (RP-001) gives to meta events; texts have any.
    private static func isKnown(meta type: UInt8, length: Int) -> Bool {
        switch type {
        case 0x01...0x0F, 0x7F: true
        case 0x00: length == 0 || length == 2
        case 0x20, 0x21: length == 1
        case 0x51: length == 3
        case 0x54: length == 5
        case 0x58: length == 4
        case 0x59: length == 2
        default: false
        }
    }
}
