/// Reads the events of one track chunk, repairs them, and hands them to a `TrackBuilder`.
///
/// If bytes make no sense, or an event's length swallows others, the track goes on with the next events that follow
/// each other soundly (`EventChain`). Running status outlives meta events and System Exclusive, which the format
/// forbids and many writers do. System Exclusive in packets (F0 ..., F7 ..., F7 ... F7) is joined and gets the tick of its
/// last packet; one that is never closed gets the tick of its first.
struct TrackParser {
    enum Stop {
        case endOfTrack
        /// All bytes are read, and there was no End of Track.
        case outOfBytes
        /// The last event goes beyond the end of the bytes; `position` is where it starts.
        case cutOff
        /// The rest cannot be understood; it is reported.
        case broken
    }

    private let bytes: [UInt8]
    private let chain: EventChain
    /// Events before this offset are trusted, as long as they can be read.
    private let suspect: Int
    private(set) var position: Int
    private(set) var tick: Int64 = 0
    private var runningStatus: UInt8?
    /// Where the bytes end, and whether the track cannot go on beyond.
    private var end = 0
    private var isFinal = false
    private var hasLostDelta = false
    /// Up to here the events are known to follow each other soundly.
    private var soundEnd = 0
    /// A meta event or System Exclusive came since the last status byte.
    private var isStatusCancelled = false
    private var hasReportedStatus = false
    /// System Exclusive that waits for its next packet.
    private var open: (bytes: [UInt8], tick: Int64, offset: Int)?
    private var lastMetaTick: Int64 = 0

    /// - Parameter suspect: from this offset on an event that can be read is still doubted if others make more sense.
    init(_ bytes: [UInt8], from position: Int, lookingForDamageFrom suspect: Int) {
        self.bytes = bytes
        self.suspect = suspect
        chain = EventChain(bytes)
        self.position = position
    }

    /// Reads up to End of Track or `end`. With `isFinal` false the track may be longer: what goes beyond `end` is left for
    /// another call.
    mutating func read(
        to end: Int, isFinal: Bool, into builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) -> Stop {
        self.end = end
        self.isFinal = isFinal
        while position < end {
            builder.byteOffset = position
            switch try nextEvent(&builder, &log) {
            case .read(let next, let delta):
                advance(to: next, delta: delta)
            case .endOfTrack(let next, let delta):
                advance(to: next, delta: delta)
                return .endOfTrack
            case .lostDelta: continue
            case .cutOff:
                guard isFinal, try resume(&log) else { return .cutOff }
            case .broken(let fault, let offset):
                if try resume(&log) { continue }
                try log.report(fault, at: offset)
                return .broken
            }
        }
        return .outOfBytes
    }

    mutating func finish(into builder: inout TrackBuilder, _ log: inout RepairLog) throws(SongError) {
        try closeSystemExclusive(&builder, &log)
    }

    private mutating func advance(to next: Int, delta: Int) {
        position = next
        tick += Int64(delta)
        hasLostDelta = false
    }

    /// Goes on where events follow each other again; false if there is no such place.
    private mutating func resume(_ log: inout RepairLog) throws(SongError) -> Bool {
        guard let next = chain.first(in: position + 1..<end, end: end) else { return false }
        try log.report(.unreadable(count: next - position), at: position)
        // A message whose status is damaged: its delta time still counts.
        if case .value(let delta, let length) = VariableLengthQuantity.read(bytes, at: position, end: end),
            !hasLostDelta, length <= 2, (2...3).contains(next - position - length)
        {
            tick += Int64(delta)
        }
        position = next
        hasLostDelta = false
        return true
    }

    private enum Outcome {
        case read(next: Int, delta: Int)
        case endOfTrack(next: Int, delta: Int)
        /// The delta time is skipped; the event is at `position` now.
        case lostDelta
        case cutOff
        case broken(SongFault, at: Int)
    }

    private mutating func nextEvent(
        _ builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) -> Outcome {
        if hasLostDelta { return try event(at: position, delta: 0, &builder, &log) }
        let reading = VariableLengthQuantity.read(bytes, at: position, end: end)
        if let status = statusInDelta(reading) {
            try log.report(.unreadable(count: status - position), at: position)
            position = status
            hasLostDelta = true
            return .lostDelta
        }
        switch reading {
        case .value(let delta, let length):
            guard position + length < end else { return .cutOff }
            return try event(at: position + length, delta: delta, &builder, &log)
        case .cutOff: return .cutOff
        case .tooLong: return .broken(.quantityTooLong, at: position)
        }
    }

    /// One wrong byte makes a long delta time of a short one and the event after it. Returns the place of that event's
    /// status, if events follow each other from there, and less well if the delta time is taken as it is.
    private func statusInDelta(_ reading: VariableLengthQuantity.Reading) -> Int? {
        var isTooLong = false
        switch reading {
        case .value(_, let length): if length < 3 || position < suspect { return nil }
        case .cutOff: return nil
        case .tooLong: isTooLong = true
        }
        return (position + 1...position + 2).first { offset in
            offset < end && bytes[offset] > 127 && chain.begins(at: offset, end: end, hasDelta: false)
                && (isTooLong || !isSound(at: position, status: runningStatus, ratherThan: offset, hasDelta: false))
        }
    }

    private mutating func event(
        at offset: Int, delta: Int, _ builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) -> Outcome {
        let first = bytes[offset]
        switch first {
        case 0x00...0x7F:
            guard let status = runningStatus else { return .broken(.noStatus(dataByte: first), at: offset) }
            return try message(status, at: offset, delta: delta, &builder, &log)
        case 0x80...0xEF:
            isStatusCancelled = false
            return try message(first, at: offset + 1, delta: delta, &builder, &log)
        case 0xFF, 0xF0, 0xF7: return try long(first, at: offset, delta: delta, &builder, &log)
        default:
            let next = offset + (first == 0xF2 ? 3 : first == 0xF1 || first == 0xF3 ? 2 : 1)
            if next > end { return .cutOff }
            if isMisread(next, status: runningStatus) { return .broken(.systemMessage(status: first), at: offset) }
            try log.report(.systemMessage(status: first), at: offset)
            return .read(next: next, delta: delta)
        }
    }

    private mutating func message(
        _ status: UInt8, at offset: Int, delta: Int, _ builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) -> Outcome {
        let hasOneDataByte = status & 0xE0 == 0xC0
        let next = offset + (hasOneDataByte ? 1 : 2)
        guard next <= end else { return .cutOff }
        if let wrong = (offset..<next).first(where: { bytes[$0] > 127 }), isMisread(next, status: status) {
            return .broken(.dataByte(bytes[wrong]), at: wrong)
        }
        if isStatusCancelled, !hasReportedStatus {
            hasReportedStatus = true
            try log.report(.runningStatus(status), at: offset)
        }
        if open != nil { try closeSystemExclusive(&builder, &log) }
        let first = try dataByte(at: offset, &log)
        let second = hasOneDataByte ? nil : try dataByte(at: offset + 1, &log)
        runningStatus = status
        try builder.message(status, first, second, at: tick + Int64(delta))
        return .read(next: next, delta: delta)
    }

    /// Returns true if a faulty event is not what it looks like: near it events begin that follow each other soundly, and
    /// reading on at `next` would miss them. False if the rest reads strictly by the standard up to End of Track.
    private func isMisread(_ next: Int, status: UInt8?) -> Bool {
        if position < suspect, StrictReading(bytes, from: next, to: end, status: status).hasEndOfTrack { return false }
        let near = min(next + 2 * EventChain.proof, end)
        guard let sound = chain.first(in: position + 1..<near, end: end) else { return false }
        var status = status
        var place = next
        while place < near + EventChain.proof, place != sound {
            if isSound(at: place, status: status, ratherThan: sound) { return false }
            guard let following = chain.next(after: place, status: &status, end: end) else { return true }
            place = following
        }
        return place != sound
    }

    /// A reading that takes statuses for delta times can look sound in running status, and has few statuses.
    private func isSound(
        at place: Int, status: UInt8?, ratherThan other: Int, hasDelta: Bool = true
    ) -> Bool {
        let walk = chain.walk(from: place, status: status, end: end)
        let rival = chain.walk(from: other, status: nil, end: end, hasDelta: hasDelta)
        return walk.stop != .fault && rival.explicit < walk.explicit + EventChain.proof / 2
    }

    private func dataByte(at offset: Int, _ log: inout RepairLog) throws(SongError) -> UInt8 {
        let byte = bytes[offset]
        if byte > 127 { try log.report(.dataByte(byte), at: offset) }
        return min(byte, 127)
    }

    private mutating func long(
        _ first: UInt8, at offset: Int, delta: Int, _ builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) -> Outcome {
        let lengthOffset = first == 0xFF ? offset + 2 : offset + 1
        let start: Int
        let declared: Int
        switch VariableLengthQuantity.read(bytes, at: lengthOffset, end: end) {
        case .value(let count, let length): (start, declared) = (lengthOffset + length, count)
        case .cutOff: return .cutOff
        case .tooLong: return .broken(.quantityTooLong, at: lengthOffset)
        }
        var next = start + declared
        if first == 0xFF, bytes[offset + 1] == 0x2F, next <= end || isFinal {
            if declared > 0 { try log.report(.endOfTrackLength(declared), at: offset) }
            return .endOfTrack(next: next > end ? start : next, delta: delta)
        }
        if let swallowed = swallowedEvent(start..<next) {
            next = swallowed
            try log.report(.eventLength(declared: declared, found: next - start), at: lengthOffset)
        }
        if next > end { return .cutOff }
        isStatusCancelled = runningStatus != nil
        let tick = tick + Int64(delta)
        let data = bytes[start..<next]
        switch first {
        case 0xFF: try meta(bytes[offset + 1], data, at: offset, tick: tick, &builder, &log)
        case 0xF0: try systemExclusive(data, at: offset, tick: tick, &builder, &log)
        default: try escape(data, at: offset, tick: tick, &builder, &log)
        }
        return .read(next: next, delta: delta)
    }

    private mutating func swallowedEvent(_ data: Range<Int>) -> Int? {
        if data.upperBound > end {
            return isFinal ? chain.swallowed(by: data.lowerBound..<end, end: end, isDoubtful: true) : nil
        }
        if position < suspect { return nil }
        var isDoubtful = false
        if data.upperBound >= soundEnd {
            let walk = chain.walk(from: data.upperBound, status: runningStatus, end: end)
            isDoubtful = walk.stop == .fault
            soundEnd = walk.end
        }
        return chain.swallowed(by: data, end: end, isDoubtful: isDoubtful)
    }

    private mutating func meta(
        _ type: UInt8, _ data: ArraySlice<UInt8>, at offset: Int, tick: Int64,
        _ builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) {
        let meta = MetaEvent(type: type, data: data)
        if let fault = meta.fault { try log.report(fault, at: offset) }
        guard let kept = meta.data else { return }
        lastMetaTick = tick
        try builder.meta(type: type, kept, at: tick)
    }

    private mutating func systemExclusive(
        _ data: ArraySlice<UInt8>, at offset: Int, tick: Int64,
        _ builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) {
        if open != nil { try closeSystemExclusive(&builder, &log) }
        if data.last == 0xF7 {
            try builder.systemExclusive([0xF0] + data, at: tick)
        } else {
            open = ([0xF0] + data, tick, offset)
        }
    }

    /// F7: the next packet of open System Exclusive, or bytes to send as they are.
    private mutating func escape(
        _ data: ArraySlice<UInt8>, at offset: Int, tick: Int64, _ builder: inout TrackBuilder,
        _ log: inout RepairLog
    ) throws(SongError) {
        if open != nil {
            open?.bytes += data
            if data.last == 0xF7, let bytes = open?.bytes {
                open = nil
                try builder.systemExclusive(bytes, at: tick)
            }
        } else if data.first == 0xF0 {
            try systemExclusive(data.dropFirst(), at: offset, tick: tick, &builder, &log)
        } else if let messages = channelMessages(in: data) {
            for message in messages { try builder.message(message.0, message.1, message.2, at: tick) }
        } else {
            try builder.escape(Array(data), at: tick)
        }
    }

    private func channelMessages(in data: ArraySlice<UInt8>) -> [(UInt8, UInt8, UInt8?)]? {
        var messages: [(UInt8, UInt8, UInt8?)] = []
        var rest = data
        while let status = rest.popFirst() {
            guard (0x80...0xEF).contains(status), let first = rest.popFirst(), first < 0x80 else { return nil }
            if status & 0xE0 == 0xC0 {
                messages.append((status, first, nil))
            } else {
                guard let second = rest.popFirst(), second < 0x80 else { return nil }
                messages.append((status, first, second))
            }
        }
        return messages.isEmpty ? nil : messages
    }

    private mutating func closeSystemExclusive(_ builder: inout TrackBuilder, _ log: inout RepairLog) throws(SongError) {
        guard let unclosed = open else { return }
        open = nil
        try log.report(.systemExclusiveNotClosed, at: unclosed.offset)
        // Meta events may have come since; events never go back.
        try builder.systemExclusive(unclosed.bytes + [0xF7], at: max(unclosed.tick, lastMetaTick))
    }
}
