/// Reads the events of one track chunk, repairs them, and hands them to a `TrackBuilder`.
///
/// Running status outlives meta events and System Exclusive, which the format forbids and many writers do. System
/// Exclusive in packets (F0 ..., F7 ..., F7 ... F7) is joined and stands at the tick of its last packet; one that is
/// never closed stands at the tick of its first.
struct TrackParser {
    /// How the reading of a track stopped.
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
    /// The next byte to read, always at the start of a delta time.
    private(set) var position: Int
    /// After the last delta time.
    private(set) var tick: Int64 = 0
    private var runningStatus: UInt8?
    /// System Exclusive that waits for its next packet.
    private var open: (bytes: [UInt8], tick: Int64, offset: Int)?

    init(_ bytes: [UInt8], from position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Reads events up to End of Track or `end`. May be called again with a later end.
    mutating func read(to end: Int, into builder: inout TrackBuilder, _ log: inout RepairLog) throws(SongError) -> Stop
    {
        while position < end {
            let delta: Int
            var next = position
            switch VariableLengthQuantity.read(bytes, at: position, end: end) {
            case .value(let value, let length):
                delta = value
                next += length
            case .cutOff: return .cutOff
            case .tooLong:
                try log.report(.quantityTooLong, at: position)
                return .broken
            }
            guard next < end else { return .cutOff }
            let time = tick + Int64(delta)
            let outcome = try event(at: next, end: end, tick: time, &builder, &log)
            switch outcome {
            case .read(let length):
                position = next + length
                tick = time
            case .endOfTrack(let length):
                position = next + length
                tick = time
                return .endOfTrack
            case .cutOff: return .cutOff
            case .broken: return .broken
            }
        }
        return .outOfBytes
    }

    /// Closes what is still open at the end of the track.
    mutating func finish(into builder: inout TrackBuilder, _ log: inout RepairLog) throws(SongError) {
        try closeSystemExclusive(&builder, &log)
    }

    // MARK: One event

    private enum Outcome {
        case read(length: Int)
        case endOfTrack(length: Int)
        case cutOff
        case broken
    }

    private mutating func event(
        at offset: Int, end: Int, tick: Int64, _ builder: inout TrackBuilder,
        _ log: inout RepairLog
    ) throws(SongError) -> Outcome {
        let first = bytes[offset]
        switch first {
        case 0x00...0x7F:
            guard let status = runningStatus else {
                try log.report(.noStatus(dataByte: first), at: offset)
                return .broken
            }
            return try message(status, at: offset, statusLength: 0, end: end, tick: tick, &builder, &log)
        case 0x80...0xEF:
            return try message(first, at: offset + 1, statusLength: 1, end: end, tick: tick, &builder, &log)
        case 0xFF, 0xF0, 0xF7:
            let lengthOffset = first == 0xFF ? offset + 2 : offset + 1
            let data: Range<Int>
            switch VariableLengthQuantity.read(bytes, at: lengthOffset, end: end) {
            case .value(let count, let length) where count <= end - lengthOffset - length:
                data = lengthOffset + length..<lengthOffset + length + count
            case .value, .cutOff: return .cutOff
            case .tooLong:
                try log.report(.quantityTooLong, at: lengthOffset)
                return .broken
            }
            let length = data.upperBound - offset
            switch first {
            case 0xFF where bytes[offset + 1] == 0x2F:
                if !data.isEmpty { try log.report(.endOfTrackLength(data.count), at: offset) }
                return .endOfTrack(length: length)
            case 0xFF: try meta(bytes[offset + 1], bytes[data], at: offset, tick: tick, &builder, &log)
            case 0xF0: try systemExclusive(bytes[data], at: offset, tick: tick, &builder, &log)
            default: try escape(bytes[data], at: offset, tick: tick, &builder, &log)
            }
            return .read(length: length)
        default:
            try log.report(.systemMessage(status: first), at: offset)
            let length = first == 0xF2 ? 3 : first == 0xF1 || first == 0xF3 ? 2 : 1
            return offset + length > end ? .cutOff : .read(length: length)
        }
    }

    private mutating func message(
        _ status: UInt8, at offset: Int, statusLength: Int, end: Int, tick: Int64,
        _ builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) -> Outcome {
        let hasOneDataByte = status & 0xE0 == 0xC0
        guard offset + (hasOneDataByte ? 1 : 2) <= end else { return .cutOff }
        if open != nil { try closeSystemExclusive(&builder, &log) }
        let first = try dataByte(at: offset, &log)
        let second = hasOneDataByte ? nil : try dataByte(at: offset + 1, &log)
        runningStatus = status
        try builder.message(status, first, second, at: tick)
        return .read(length: statusLength + (hasOneDataByte ? 1 : 2))
    }

    private func dataByte(at offset: Int, _ log: inout RepairLog) throws(SongError) -> UInt8 {
        let byte = bytes[offset]
        if byte > 127 { try log.report(.dataByte(byte), at: offset) }
        return min(byte, 127)
    }

    // MARK: Meta events

    private mutating func meta(
        _ type: UInt8, _ data: ArraySlice<UInt8>, at offset: Int, tick: Int64,
        _ builder: inout TrackBuilder, _ log: inout RepairLog
    ) throws(SongError) {
        var data = data
        let count = data.count
        switch type {
        case 0x21:
            guard count == 1, let port = data.first else {
                try log.report(.portLength(count), at: offset)
                return
            }
            if port > 15 { try log.report(.portNumber(port), at: offset) }
        case 0x51:
            if count != 3 { try log.report(.tempoLength(count), at: offset) }
            guard count == 3 else { return }
            guard data.contains(where: { $0 != 0 }) else {
                try log.report(.tempoZero, at: offset)
                return
            }
        case 0x58:
            let isMeter = count >= 4 && data[data.startIndex] > 0 && data[data.startIndex + 1] <= 7
            guard isMeter else {
                try log.report(.meter(length: count), at: offset)
                return
            }
            data = data.prefix(4)
        case 0x59:
            let isKey =
                count >= 2 && abs(Int(Int8(bitPattern: data[data.startIndex]))) <= 7
                && data[data.startIndex + 1] <= 1
            guard isKey else {
                try log.report(.key(length: count), at: offset)
                return
            }
            data = data.prefix(2)
        case 0x80...0xFF:
            try log.report(.metaType(type), at: offset)
            return
        default: break
        }
        try builder.meta(type: type, data, at: tick)
    }

    // MARK: System Exclusive

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

    /// The channel messages of an escape that holds nothing else.
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

    private mutating func closeSystemExclusive(_ builder: inout TrackBuilder, _ log: inout RepairLog) throws(SongError)
    {
        guard let unclosed = open else { return }
        open = nil
        try log.report(.systemExclusiveNotClosed, at: unclosed.offset)
        try builder.systemExclusive(unclosed.bytes + [0xF7], at: unclosed.tick)
    }
}
